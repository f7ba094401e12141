import { resolveParameters } from "../../samples/parameters";
import { softCube } from "../../samples/scenes/soft-cube";
import type { Backend } from "../arguments";
import { hangingCloth } from "../cloth/hanging-cloth";
import type { Contestant } from "../contestant";
import { contestantsOf, type Heat } from "../heat";
import { castOf, type RigidCast } from "../rigid/cast";
import { rigidContestant } from "../rigid/contestant";
import { havokEngine, type HavokModule } from "../rigid/havok";
import { joltEngine } from "../rigid/jolt";
import { pliantEngine } from "../rigid/pliant";
import { rapierEngine } from "../rigid/rapier";
import { clothHeat, fewestSweeps } from "../suites";
import type { RoundText } from "./messages";

/** Contestants that take turns in a scene of one size. */
export interface Rung {
  /** of the scene, where its title does not tell its size */
  readonly vertices?: number;
  contestants(): Promise<Contestant[]>;
}

export interface Round extends RoundText {
  readonly frames: number;
  /** A ladder of sizes is left at the first one that takes longer than a frame of 60 Hz. */
  readonly ladders: readonly (readonly Rung[])[];
}

/** Everything that the rounds run on. */
export interface Machine {
  readonly gpu: GPU | undefined;
  readonly havok: HavokModule;
}

/** Sizes of a run for people, and of one that only shows that everything works. */
const SIZES = {
  usual: {
    reach: [16, 24, 32, 48, 64, 96, 128, 192, 256],
    cloths: [32, 64],
    hanging: 64,
    cells: 12,
    boxes: 500,
    rows: 30,
    frames: 90,
  },
  quick: { reach: [8, 12], cloths: [8], hanging: 8, cells: 3, boxes: 10, rows: 3, frames: 6 },
};

const STRETCH = { maxStretchPercent: "largest stretch [%]" };
const DEPTH = { maxPenetration: "deepest contact [m]" };

/**
 * The rounds of the page: Pliant on the CPU, and on WebGPU where there is one, beside each peer that has such bodies.
 *
 * @param isQuick tiny scenes, whose times say nothing
 */
export function roundsFor(machine: Machine, isQuick: boolean): Round[] {
  const sizes = isQuick ? SIZES.quick : SIZES.usual;
  return [
    reachRound(machine, sizes.reach, sizes.frames),
    ...sizes.cloths.map((size) => clothRound(machine, size, sizes.frames)),
    hangingRound(machine, sizes.hanging, sizes.frames),
    cubeRound(machine, sizes.cells, sizes.frames),
    rigidRound(
      machine,
      { name: "pile", title: `Pile of ${sizes.boxes} bodies`, about: "Boxes and hulls fall into a heap." },
      () => castOf("pile", { count: sizes.boxes }),
      2 * sizes.frames,
    ),
    rigidRound(
      machine,
      { name: "pyramid", title: `Pyramid of ${(sizes.rows * (sizes.rows + 1)) / 2} boxes`, about: "It has to stand." },
      () => castOf("pyramid", { rows: sizes.rows }),
      sizes.frames,
    ),
  ];
}

function backendsOf({ gpu }: Machine): Backend[] {
  return gpu === undefined ? ["cpu"] : ["cpu", "webgpu"];
}

function reachRound(machine: Machine, sizes: readonly number[], frames: number): Round {
  const rung = (backend: Backend, size: number): Rung => ({
    vertices: (size + 1) ** 2,
    contestants: () => contestantsOf(clothHeat({ resolution: size }, []), [backend], machine.gpu),
  });
  return {
    name: "reach",
    title: "The largest cloth at 60 Hz",
    about: "A sheet falls on a ball, finer each time, until a frame takes longer than 16.7 ms.",
    quality: { vertices: "vertices" },
    frames,
    ladders: backendsOf(machine).map((backend) => sizes.map((size) => rung(backend, size))),
  };
}

function clothRound(machine: Machine, size: number, frames: number): Round {
  const iterations = fewestSweeps(size);
  const jolt = [false, true].map((bending) => ({ iterations, bending }));
  const heat = clothHeat({ resolution: size }, jolt);
  return {
    name: `cloth-${size}`,
    title: `Cloth of ${size} × ${size} cells falls on a ball`,
    about: "Less stretch and shallower contacts are better.",
    quality: { ...STRETCH, ...DEPTH },
    frames,
    ladders: [[{ contestants: () => contestantsOf(heat, backendsOf(machine), machine.gpu) }]],
  };
}

function hangingRound(machine: Machine, size: number, frames: number): Round {
  const values = resolveParameters(hangingCloth, { resolution: size });
  const iterations = Number(values.substeps);
  const heat: Heat = {
    scene: hangingCloth,
    values,
    size,
    jolt: [
      { iterations, bending: true },
      { iterations, bending: true, longRange: true },
    ],
    rapierCloth: [iterations],
  };
  return {
    name: "hanging-cloth",
    title: `Cloth of ${size} × ${size} cells hangs by two corners`,
    about: "Stretch shows whether it hangs like cloth or like rubber.",
    quality: { ...STRETCH, sagPercent: "sag [%]" },
    frames,
    ladders: [[{ contestants: () => contestantsOf(heat, backendsOf(machine), machine.gpu) }]],
  };
}

function cubeRound(machine: Machine, cells: number, frames: number): Round {
  const values = resolveParameters(softCube, { cells });
  const heat: Heat = { scene: softCube, values, size: cells, jolt: [], joltSprings: [5, 20], rapier: [4, 16] };
  return {
    name: "soft-cube",
    title: `Soft cube of ${6 * cells ** 3} tetrahedra settles`,
    about: "Jolt has springs in place of an elastic law.",
    quality: { heightLossPercent: "loss of height [%]", heightTheoryPercent: "in theory [%]" },
    frames,
    ladders: [[{ contestants: () => contestantsOf(heat, backendsOf(machine), machine.gpu) }]],
  };
}

function rigidRound(
  { havok }: Machine,
  text: Omit<RoundText, "quality">,
  castFor: () => Promise<RigidCast>,
  frames: number,
): Round {
  return {
    ...text,
    quality: DEPTH,
    frames,
    ladders: [[{ contestants: () => rigidContestants(havok, castFor) }]],
  };
}

async function rigidContestants(havok: HavokModule, castFor: () => Promise<RigidCast>): Promise<Contestant[]> {
  const cast = await castFor();
  const engines = [
    pliantEngine(cast, "balanced"),
    havokEngine(cast, havok),
    await rapierEngine(cast),
    await joltEngine(cast),
  ];
  return engines.map((engine) => rigidContestant(engine, cast));
}
