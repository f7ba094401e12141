import { PliantError } from "../../src/errors";
import type { SceneDefinition } from "../scene";
import { arch } from "./arch";
import { armadilloLike } from "./armadillo-like";
import { balloon } from "./balloon";
import { beam } from "./beam";
import { cantilever } from "./cantilever";
import { cardHouse } from "./card-house";
import { cartpole } from "./cartpole";
import { catapult } from "./catapult";
import { clothOnSphere } from "./cloth-on-sphere";
import { cubeImpact } from "./cube-impact";
import { clothStack } from "./cloth-stack";
import { curtain } from "./curtain";
import { dominoes } from "./dominoes";
import { doublePendulum } from "./double-pendulum";
import { drawer } from "./drawer";
import { dropToGoal } from "./drop-to-goal";
import { elasticBalls } from "./elastic-balls";
import { elastica } from "./elastica";
import { fallingOnPlate } from "./falling-on-plate";
import { flag } from "./flag";
import { foldedCloth } from "./folded-cloth";
import { freeFall } from "./free-fall";
import { halfCheetah } from "./half-cheetah";
import { hand } from "./hand";
import { hangingChain } from "./hanging-chain";
import { humanoidRun } from "./humanoid-run";
import { hylcDrape } from "./hylc-drape";
import { hylcStretch } from "./hylc-stretch";
import { identification } from "./identification";
import { incline } from "./incline";
import { fetchTomato } from "./fetch-tomato";
import { insertion } from "./insertion";
import { joints } from "./joints";
import { jumpworm } from "./jumpworm";
import { materialExtension } from "./material-extension";
import { learnedCartpole } from "./learned-cartpole";
import { learnedCheetah } from "./learned-cheetah";
import { michell } from "./michell";
import { movingSphere } from "./moving-sphere";
import { newtonsCradle } from "./newtons-cradle";
import { pair } from "./pair";
import { pile } from "./pile";
import { pneunet } from "./pneunet";
import { pyramid } from "./pyramid";
import { ragdoll } from "./ragdoll";
import { nhFlatten, nhRandomize } from "./recovery";
import { robotArm } from "./robot-arm";
import { ropeKnot } from "./rope-knot";
import { softCube } from "./soft-cube";
import { heavyStack, tower } from "./stacks";
import { rigidOnSoft } from "./rigid-on-soft";
import { twistingBar } from "./twisting-bar";
import { gingerbreadMan } from "./gingerbread-man";
import { gripper } from "./gripper";
import { pullingWooper } from "./pulling-wooper";
import { squeezingBall } from "./squeezing-ball";
import { clothExtension } from "./cloth-extension";
import { clothOnKnives } from "./cloth-on-knives";
import { sharpCorner } from "./sharp-corner";
import { softOnRigid } from "./soft-on-rigid";
import { grabbingRaptor } from "./grabbing-raptor";
import { softBeam } from "./soft-beam";
import { softPile } from "./soft-pile";
import { softStickSlip } from "./soft-stick-slip";
import { stickSlip } from "./stick-slip";
import { nhCompress, nhStretch, nhTwist } from "./strained-cube";
import { tablePile } from "./table-pile";
import { tablecloth } from "./tablecloth";
import { tomato } from "./tomato";
import { tear } from "./tear";
import { sampledCartpole } from "./sampled-cartpole";
import { sewnCapes } from "./sewn-capes";
import { trampoline } from "./trampoline";
import { vehicle } from "./vehicle";
import { vest } from "./vest";

/** All scenes, in the order in which they are listed. */
export const scenes: readonly SceneDefinition[] = [
  clothOnSphere,
  flag,
  hylcDrape,
  hylcStretch,
  tablecloth,
  curtain,
  hand,
  hangingChain,
  elastica,
  michell,
  ropeKnot,
  incline,
  freeFall,
  movingSphere,
  fallingOnPlate,
  cartpole,
  learnedCartpole,
  sampledCartpole,
  jumpworm,
  catapult,
  halfCheetah,
  learnedCheetah,
  humanoidRun,
  doublePendulum,
  dropToGoal,
  elasticBalls,
  identification,
  robotArm,
  insertion,
  fetchTomato,
  drawer,
  heavyStack,
  tower,
  stickSlip,
  beam,
  arch,
  cardHouse,
  dominoes,
  joints,
  newtonsCradle,
  pile,
  pyramid,
  tablePile,
  ragdoll,
  vehicle,
  trampoline,
  sewnCapes,
  armadilloLike,
  foldedCloth,
  clothStack,
  vest,
  balloon,
  tear,
  materialExtension,
  tomato,
  softCube,
  cantilever,
  nhFlatten,
  nhRandomize,
  nhStretch,
  nhCompress,
  nhTwist,
  cubeImpact,
  pneunet,
  softOnRigid,
  rigidOnSoft,
  softStickSlip,
  grabbingRaptor,
  softBeam,
  softPile,
  twistingBar,
  squeezingBall,
  pullingWooper,
  gingerbreadMan,
  gripper,
  pair,
  clothExtension,
  clothOnKnives,
  sharpCorner,
];

/** @throws PliantError `invalid-argument` for an unknown name; it lists the valid ones */
export function sceneNamed(name: string, among: readonly SceneDefinition[] = scenes): SceneDefinition {
  const found = among.find((scene) => scene.name === name);
  if (found !== undefined) return found;
  throw new PliantError("invalid-argument", "scene", name, `must be one of ${among.map((s) => s.name).join(", ")}`);
}
