import type { SolidLaw } from "../src/materials/solid-material";
import { boxTetrahedra, type DeformableBody, solidModel, type Vec3, type World } from "../src/index";
import type { BoxPattern } from "../src/geometry/tetrahedra/tet-mesh";
import type { SolidElements } from "../src/models/solid-elements";
import { defaultOptions, type GpbdOptions } from "../src/solvers/gpbd/options";
import type { SoftBodyModel } from "../src/models/gpbd/soft-body";
import { determinant } from "../src/math/determinant";
import { singularValues } from "../src/math/eigen/svd3";
import { arityOf, gatherElement } from "../src/solvers/gpbd/elements/elements";
import { deformationGradient } from "../src/solvers/gpbd/strains/green-tet";
import { choiceOf, commonParameters, flagOf, numberOf, solverOptions } from "./parameters";
import type { Parameter, ParameterValues } from "./scene";

/** The two neo-Hookean densities of paper 1, (20) and (21). */
const models = ["neo-hookean", "stable-neo-hookean"] as const satisfies readonly SolidLaw[];

/** Substeps are chosen for linear ones. */
const elements = ["linear", "quadratic"] as const satisfies readonly SolidElements[];

const patterns: readonly BoxPattern[] = ["parallel", "mirrored", "alternating"];

export interface SolidDefaults {
  readonly cells: number;
  readonly pattern?: BoxPattern;
  readonly substeps: number;
  readonly iterations: number;
  readonly newtonIterations: number;
  readonly frameTime?: number;
  readonly method?: GpbdOptions["method"];
  readonly model?: (typeof models)[number];
  readonly youngsModulus?: number;
  readonly poissonRatio?: number;
  /** velocity damping [1/s] */
  readonly damping?: number;
  readonly warmStart?: number;
  readonly followSubsteps?: Parameter["follow"];
  readonly followIterations?: Parameter["follow"];
  readonly followNewtonIterations?: Parameter["follow"];
}

/** Parameters of scenes with hyperelastic cubes and bars. */
export function solidParameters(defaults: SolidDefaults): Parameter[] {
  const common = commonParameters(defaults).map((parameter) => {
    if (parameter.name === "frameTime") return { ...parameter, default: defaults.frameTime ?? parameter.default };
    if (parameter.name === "method") return { ...parameter, default: defaults.method ?? parameter.default };
    if (parameter.name === "iterations") return { ...parameter, follow: defaults.followIterations };
    return parameter;
  });
  return [
    ...common,
    {
      name: "newtonIterations",
      default: defaults.newtonIterations,
      unit: "",
      range: [1, 100],
      integer: true,
      description: "most Newton iterations on an element",
      follow: defaults.followNewtonIterations,
    },
    {
      name: "warmStart",
      default: defaults.warmStart ?? defaultOptions.warmStart,
      unit: "",
      range: [0, 0.999],
      description: "part of the elastic forces that a substep begins with",
    },
    {
      name: "accelerate",
      default: defaultOptions.accelerate,
      unit: "",
      description: "whether iterations with `jacobi` build on each other",
    },
    {
      name: "cells",
      default: defaults.cells,
      unit: "",
      range: [1, 64],
      integer: true,
      description: "cells of six tetrahedra (five where they alternate) along the shortest side",
    },
    {
      name: "pattern",
      default: defaults.pattern ?? "parallel",
      unit: "",
      choices: patterns,
      description: "how cells are cut: all alike, each the mirror image of its neighbors, or into five by turns",
    },
    {
      name: "elements",
      default: "linear",
      unit: "",
      choices: elements,
      description: "of linear tetrahedra, or of quadratic ones, which bend and want four times the substeps",
    },
    {
      name: "model",
      default: defaults.model ?? "stable-neo-hookean",
      unit: "",
      choices: models,
      description: "energy density",
    },
    {
      name: "youngsModulus",
      default: defaults.youngsModulus ?? 1e5,
      unit: "Pa",
      range: [1e2, 1e9],
      description: "of the solid",
    },
    {
      name: "poissonRatio",
      default: defaults.poissonRatio ?? 0.3,
      unit: "",
      range: [0, 0.4999],
      description: "of the solid",
    },
    {
      name: "damping",
      default: defaults.damping ?? 0,
      unit: "1/s",
      range: [0, 1000],
      description: "of velocities towards rest",
    },
  ];
}

export interface SolidBox {
  readonly body: DeformableBody;
  readonly model: SoftBodyModel;
}

/** Adds a box of tetrahedra in about cubic cells; `cells` is their number along the shortest side. */
export function addSolidBox(
  world: World,
  values: ParameterValues,
  box: { readonly size: Vec3; readonly center: Vec3; readonly friction?: number },
  options: Partial<GpbdOptions> = {},
): SolidBox {
  const cell = Math.min(...box.size) / numberOf(values, "cells");
  const cells = box.size.map((side) => Math.round(side / cell)) as [number, number, number];
  const mesh = boxTetrahedra({
    size: box.size,
    cells,
    center: box.center,
    pattern: choiceOf(values, "pattern", patterns),
  });
  const material = {
    youngsModulus: numberOf(values, "youngsModulus"),
    poissonRatio: numberOf(values, "poissonRatio"),
    density: 1000,
    model: choiceOf(values, "model", models),
    friction: box.friction ?? 0.5,
  };
  const model = solidModel({ ...mesh, elements: choiceOf(values, "elements", elements), material, name: "solid" });
  const body = world.addBody(model, {
    ...solverOptions(values),
    newtonIterations: numberOf(values, "newtonIterations"),
    warmStart: numberOf(values, "warmStart"),
    accelerate: flagOf(values, "accelerate"),
    damping: numberOf(values, "damping"),
    airDensity: 0,
    ...options,
  });
  return { body, model };
}

/** Least determinant of a deformation gradient: negative if a tetrahedron is inside out. */
export function minDeterminant({ terms }: SoftBodyModel, positions: ArrayLike<number>): number {
  const [term] = terms;
  const arity = arityOf(term);
  const x = new Float64Array(3 * arity);
  const f = new Float64Array(9);
  let least = Infinity;
  for (let e = 0; e < term.elementCount; e++) {
    gatherElement(term, e, positions, x);
    deformationGradient(x, term.rest, (3 * arity - 2) * e, f, arity);
    least = Math.min(least, determinant(f));
  }
  return least;
}

/**
 * Largest distance of a vertex from its rest place, after the rigid motion that fits best: x ≈ R X + t with R = U Vᵀ of the singular value
 * decomposition of Σ m (x − c)(X − C)ᵀ [m].
 */
export function maxVertexError({ positions: rest, masses }: SoftBodyModel, positions: ArrayLike<number>): number {
  const [c, restC] = [positions, rest].map((of) => {
    const sum = [0, 0, 0];
    let mass = 0;
    for (let p = 0; p < masses.length; p++) {
      mass += masses[p];
      for (let k = 0; k < 3; k++) sum[k] += masses[p] * of[3 * p + k];
    }
    return sum.map((value) => value / mass);
  });
  const covariance = new Float64Array(9);
  for (let p = 0; p < masses.length; p++)
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        covariance[3 * i + j] += masses[p] * (positions[3 * p + i] - c[i]) * (rest[3 * p + j] - restC[j]);
  const [u, sigma, v] = [new Float64Array(9), new Float64Array(3), new Float64Array(9)];
  singularValues(covariance, 0, 3, u, sigma, v);
  let worst = 0;
  for (let p = 0; p < masses.length; p++) {
    let squares = 0;
    for (let i = 0; i < 3; i++) {
      let moved = c[i];
      for (let j = 0; j < 3; j++)
        for (let k = 0; k < 3; k++) moved += u[3 * i + k] * v[3 * j + k] * (rest[3 * p + j] - restC[j]);
      squares += (positions[3 * p + i] - moved) ** 2;
    }
    worst = Math.max(worst, Math.sqrt(squares));
  }
  return worst;
}
