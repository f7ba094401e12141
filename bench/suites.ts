import { defaultValues, resolveParameters } from "../samples/parameters";
import type { ParameterValues, SceneDefinition } from "../samples/scene";
import { clothOnSphere } from "../samples/scenes/cloth-on-sphere";
import { scenes } from "../samples/scenes/index";
import { softCube } from "../samples/scenes/soft-cube";
import type { JoltSettings } from "./jolt";

/** A scene at one size, in which contestants take turns. */
export interface Heat {
  readonly scene: SceneDefinition;
  readonly values: ParameterValues;
  /** segments along the longer side of the cloth, or cells along an edge; null where the scene has no resolution */
  readonly size: number | null;
  /** a contestant for each */
  readonly jolt: readonly JoltSettings[];
}

export interface Suite {
  /** what is run when the command line says nothing else */
  readonly sizes: readonly number[] | undefined;
  readonly frames: number;
  /** @throws PliantError for a size that a scene cannot be built with */
  heats(sizes: readonly number[] | undefined): Heat[];
}

export const suiteNames = ["cloth", "scenes", "scaling", "gpbd"] as const;
export type SuiteName = (typeof suiteNames)[number];

export const suites: Readonly<Record<SuiteName, Suite>> = {
  /** A cloth falls on a sphere: Pliant beside Jolt. */
  cloth: {
    sizes: [32, 64],
    frames: 60,
    heats: (sizes = []) => sizes.map((size) => clothHeat({ resolution: size }, joltAtSize(size))),
  },
  /** Every scene that the solvers of the world step, as the command line and the gallery run it. */
  scenes: {
    sizes: undefined,
    frames: 20,
    heats: (sizes) => scenes.filter(isOfWorld).flatMap((scene) => sceneHeats(scene, sizes)),
  },
  /** How the cost of a frame grows while substeps and iterations stay as they are. */
  scaling: {
    sizes: [32, 64, 128, 256],
    frames: 6,
    heats: (sizes = []) =>
      sizes.map((size) =>
        clothHeat({ resolution: size, substeps: 10, iterations: 1 }, [{ iterations: 24, bending: false }]),
      ),
  },
  /**
   * One time step with one iteration of a stable neo-Hookean cube, as in table 4 of paper 1 (`size` cells along an edge, six
   * tetrahedra each), then a frame of the same cube at rest with the steps that the scene takes.
   */
  gpbd: {
    sizes: [15, 25],
    frames: 6,
    heats: (sizes = []) => sizes.flatMap((cells) => solidSteps.map((values) => solidHeat({ cells, ...values }))),
  },
};

const single = { substeps: 1, iterations: 1, newtonIterations: 1, warmStart: 0 };
const solidSteps = [{ ...single, method: "gauss-seidel" }, { ...single, method: "jacobi" }, { method: "gauss-seidel" }];

function solidHeat(parameters: { cells: number }): Heat {
  return { scene: softCube, values: resolveParameters(softCube, parameters), size: parameters.cells, jolt: [] };
}

/** Whether a scene has the parameters of the world's solvers; rigid bodies and mechanisms have steps of their own. */
function isOfWorld({ parameters }: SceneDefinition): boolean {
  return parameters.some(({ name }) => name === "method");
}

function clothHeat(
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

/**
 * Settings from fast to stiff. Sweeps of constraints carry a pull one edge further each, so equal stretch needs about as
 * many more of them as the cloth has more edges in a row.
 */
function joltAtSize(size: number): JoltSettings[] {
  const iterations = Math.max(12, Math.round(0.75 * size));
  return [
    { iterations, bending: false },
    { iterations: 2 * iterations, bending: false },
    { iterations: 4 * iterations, bending: false },
    { iterations, bending: true },
  ];
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
