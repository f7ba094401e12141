import type { Family } from "../scene";
import { balloons } from "./balloons";
import { chains } from "./chains";
import { changing } from "./changing";
import { crushed } from "./crushed";
import { dragged } from "./dragged";
import { heaps } from "./heaps";
import { hulls } from "./hulls";
import { mechanisms } from "./mechanisms";
import { meshes } from "./meshes";
import { mixed } from "./mixed";
import { played } from "./played";
import { ragdolls } from "./ragdolls";
import { ropes } from "./ropes";
import { cloth } from "./cloth";
import { solids } from "./solids";
import { tied } from "./tied";
import { vehicles } from "./vehicles";

/** All families of random scenes. */
export const families: readonly Family[] = [
  heaps,
  chains,
  ragdolls,
  vehicles,
  meshes,
  hulls,
  crushed,
  solids,
  cloth,
  ropes,
  balloons,
  mechanisms,
  mixed,
  changing,
  dragged,
  played,
  tied,
];
