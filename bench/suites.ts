import { defaultValues, numberOf, resolveParameters } from "../samples/parameters";
import type { SceneDefinition } from "../samples/scene";
import { clothOnSphere } from "../samples/scenes/cloth-on-sphere";
import { scenes } from "../samples/scenes/index";
import { softCube } from "../samples/scenes/soft-cube";
import { hangingCloth } from "./cloth/hanging-cloth";
import type { Heat } from "./heat";
import type { JoltSettings } from "./jolt";

export interface Suite {
  /** the default choice of the command line */
  readonly sizes: readonly number[] | undefined;
  readonly frames: number;
  /** @throws PliantError for a size at which a scene cannot be built */
  heats(sizes: readonly number[] | undefined): Heat[];
}

export const suiteNames = ["cloth", "hanging", "scenes", "scaling", "gpbd"] as const;
export type SuiteName = (typeof suiteNames)[number];

export const suites: Readonly<Record<SuiteName, Suite>> = {
  /** A cloth falls on a sphere: Pliant beside Jolt. */
  cloth: {
    sizes: [32, 64],
    frames: 60,
    heats: (sizes = []) => sizes.map((size) => clothHeat({ resolution: size }, joltAtSize(size))),
  },
  /**
   * A cloth hangs by two corners: GPBD on both backends and local-global, beside Jolt and Rapier with as many substeps per frame, each with
   * one sweep of constraints, and with more. The rest state of local-global is that of the mesh in f64 for any number of iterations. Havok
   * has no cloth in Babylon.
   */
  hanging: {
    sizes: [32, 64],
    frames: 150,
    heats: (sizes = []) => sizes.map(hangingHeat),
  },
  /** Every scene that the solvers of the world step, as the command line and the gallery run it. */
  scenes: {
    sizes: undefined,
    frames: 20,
    heats: (sizes) => scenes.filter(isOfWorld).flatMap((scene) => sceneHeats(scene, sizes)),
  },
  /** Growth of a frame's cost at constant substeps and iterations. */
  scaling: {
    sizes: [32, 64, 128, 256],
    frames: 6,
    heats: (sizes = []) =>
      sizes.map((size) =>
        clothHeat({ resolution: size, substeps: 10, iterations: 1 }, [{ iterations: 24, bending: false }]),
      ),
  },
  /**
   * One time step with one iteration of a stable neo-Hookean cube, as in table 4 of paper 1 (`size` cells along an edge, six tetrahedra
   * each). Then a frame of the same cube with the scene's own steps, until it rests, beside Jolt's springs and Rapier's neo-Hookean
   * constraints; the largest, of a million tetrahedra, shows the growth of cost. In addition a table of every kind of term on both
   * backends.
   */
  gpbd: {
    sizes: [15, 25, 40, 55],
    frames: 6,
    heats: (sizes = []) =>
      sizes.flatMap((cells) => [
        ...tableSteps.map((values) => solidHeat({ cells, ...values })),
        ...(cells > MOST_SETTLED ? [] : [settling(cells)]),
      ]),
  },
};

const single = { substeps: 1, iterations: 1, newtonIterations: 1, warmStart: 0 };
const tableSteps = [
  { ...single, method: "gauss-seidel" },
  { ...single, method: "jacobi" },
];
const JOLT_ITERATIONS = [5, 20];
/** The first is the scene's default. */
const RAPIER_ITERATIONS = [4, 16, 64];
/** Frames until the cube stands still; cubes larger than this [cells along an edge] do not run until then. */
const SETTLING = 120;
const MOST_SETTLED = 25;

function settling(cells: number): Heat {
  return {
    ...solidHeat({ cells, method: "gauss-seidel" }),
    joltSprings: JOLT_ITERATIONS,
    rapier: RAPIER_ITERATIONS,
    frames: SETTLING,
  };
}

function solidHeat(parameters: Readonly<Record<string, number | string>> & { readonly cells: number }): Heat {
  return { scene: softCube, values: resolveParameters(softCube, parameters), size: parameters.cells, jolt: [] };
}

/** Whether a scene has the parameters of the world's solvers; rigid bodies and mechanisms have steps of their own. */
function isOfWorld({ parameters }: SceneDefinition): boolean {
  return parameters.some(({ name }) => name === "method");
}

export function clothHeat(
  parameters: { resolution: number; substeps?: number; iterations?: number },
  jolt: readonly JoltSettings[],
): Heat {
  return {
    scene: clothOnSphere,
    values: resolveParameters(clothOnSphere, parameters),
    size: parameters.resolution,
    jolt,
  };
}

/** Sweeps of Jolt in its fastest setting for a cloth with so many segments along a side. */
export function fewestSweeps(size: number): number {
  return Math.max(12, Math.round(0.75 * size));
}

/**
 * Settings from fast to stiff. Each sweep of constraints carries a pull one edge further, so equal stretch needs about as many times more
 * sweeps as the cloth has more edges in a row.
 */
function joltAtSize(size: number): JoltSettings[] {
  const iterations = fewestSweeps(size);
  return [
    { iterations, bending: false },
    { iterations: 2 * iterations, bending: false },
    { iterations: 4 * iterations, bending: false },
    { iterations, bending: true },
  ];
}

function hangingHeat(resolution: number): Heat {
  const values = resolveParameters(hangingCloth, { resolution });
  const iterations = numberOf(values, "substeps");
  const localGlobal = { resolution, solver: "local-global", substeps: 1, iterations: 10 };
  return {
    scene: hangingCloth,
    values,
    size: resolution,
    others: [resolveParameters(hangingCloth, localGlobal)],
    jolt: [
      { iterations, bending: false },
      { iterations, bending: true },
      { iterations, bending: true, longRange: true },
      { iterations: 4 * iterations, bending: true },
    ],
    rapierCloth: [iterations, 4 * iterations],
  };
}

function sceneHeats(scene: SceneDefinition, sizes: readonly number[] | undefined): Heat[] {
  const { resolution } = defaultValues(scene);
  if (typeof resolution !== "number") return [{ scene, values: defaultValues(scene), size: null, jolt: [] }];
  return (sizes ?? [resolution]).map((size) => ({
    scene,
    values: resolveParameters(scene, { resolution: size }),
    size,
    jolt: [],
  }));
}
