import { invalid } from "../../errors";
import { checkNames, namesOf } from "../../option-names";
import type { NcpFunction, NcpPreconditioner } from "../ncp";
import type { GeometricStiffness } from "./deformable/elements";
import type { LinearSolver } from "./linear/linear-solver";

/** Methods for the linear problem of a Newton iteration. */
export type LinearMethod = "pcr" | "direct" | "sparse";

export interface NewtonOptions {
  /**
   * largest number of Newton iterations of a step, default 8; islands that are solved directly take up to four times as
   * many
   */
  newtonIterations: number;
  /** largest number of linear iterations of a Newton iteration, default 20 */
  linearIterations: number;
  /** method for islands above `directLimit`, or one of your own; default "pcr" */
  linearMethod: LinearMethod | LinearSolver;
  /** islands of at most this many unknowns are solved by dense factors, default 180 */
  directLimit: number;
  /** the linear solver stops when the residual is this fraction of its initial value, default 1e-3 */
  linearTolerance: number;
  /** default "minimum-map" */
  ncp: NcpFunction;
  /** default "effective-mass" */
  preconditioner: NcpPreconditioner;
  /** ε of (8.4), as a fraction of the diagonal, default 1e-6 */
  regularization: number;
  /** t: fraction of a Newton step that iteratively solved islands take (8.1), default 0.75 */
  damping: number;
  /**
   * whether to undo a Newton step that does not help, and continue with contact-by-contact sweeps; default true.
   * Without it, the iteration is that of the paper.
   */
  safeguard: boolean;
  /** sweeps of a step instead of Newton steps on islands that are solved iteratively, default 24 */
  sweeps: number;
  /**
   * number of small steps, two sweeps each (small-steps.ts), into which a step of islands above `directLimit` is
   * divided, default 6; 0 for Newton steps with `linearMethod`, which are also used without `safeguard`
   */
  smallSteps: number;
  /**
   * islands of at most this many bodies, at rest or nearly so, are solved by sparse factors instead, default 120. The
   * solution is exact, at a cost that grows as bodies^1.5 for a wall and as bodies² for a heap
   */
  sparseLimit: number;
  /** Geometric stiffness of deformable bodies (8.3): their elements' (default), the diagonal of (71)-(74), or none */
  geometricStiffness: GeometricStiffness;
  /** whether to start from the impulses of the last step, default true; otherwise from zero velocity (67), (68) */
  warmStart: boolean;
  /** iterations end when no residual exceeds this [m/s], times the island's pace (scale.ts); default 1e-9 */
  tolerance: number;
  /** the same for islands that are solved iteratively, default 1e-5 */
  iterativeTolerance: number;
  /** largest speed at which overlaps are removed [m/s], default 3 times the pace of bodies (scale.ts) */
  recoverySpeed: number | undefined;
  /** closing speed below which nothing bounces [m/s], default 0.5 times the pace of bodies */
  restitutionThreshold: number | undefined;
}

export const defaultNewtonOptions: Readonly<NewtonOptions> = {
  newtonIterations: 8,
  linearIterations: 20,
  linearMethod: "pcr",
  directLimit: 180,
  linearTolerance: 1e-3,
  ncp: "minimum-map",
  preconditioner: "effective-mass",
  regularization: 1e-6,
  damping: 0.75,
  safeguard: true,
  sweeps: 24,
  smallSteps: 6,
  sparseLimit: 120,
  geometricStiffness: "elements",
  warmStart: true,
  tolerance: 1e-9,
  iterativeTolerance: 1e-5,
  recoverySpeed: undefined,
  restitutionThreshold: undefined,
};

/** Largest speed at which overlaps of bodies with a given pace are removed [m/s]. */
export function recoverySpeed(options: Readonly<NewtonOptions>, pace: number): number {
  return options.recoverySpeed ?? 3 * pace;
}

/** Closing speed below which bodies with a given pace do not bounce [m/s]. */
export function restitutionThreshold(options: Readonly<NewtonOptions>, pace: number): number {
  return options.restitutionThreshold ?? 0.5 * pace;
}

const choices: { [K in keyof NewtonOptions]?: readonly unknown[] } = {
  linearMethod: ["pcr", "direct", "sparse"],
  ncp: ["minimum-map", "fischer-burmeister"],
  preconditioner: ["effective-mass", "time-step", "identity"],
  geometricStiffness: ["elements", "diagonal", "none"],
};

const ranges: { [K in keyof NewtonOptions]?: readonly [number, number] } = {
  newtonIterations: [1, 1000],
  linearIterations: [1, 10_000],
  directLimit: [0, 5000],
  sweeps: [1, 10_000],
  smallSteps: [0, 64],
  sparseLimit: [0, 4000],
  linearTolerance: [0, 1],
  regularization: [0, 1],
  damping: [0.05, 1],
  tolerance: [0, 1],
  iterativeTolerance: [0, 1],
  recoverySpeed: [0, Infinity],
  restitutionThreshold: [0, Infinity],
};

const whole: ReadonlySet<keyof NewtonOptions> = new Set([
  "newtonIterations",
  "linearIterations",
  "sweeps",
  "directLimit",
  "smallSteps",
  "sparseLimit",
]);

/** Default options, overridden by the given values. @throws PliantError `invalid-argument` for a value out of range */
export function resolveNewtonOptions(given: Partial<NewtonOptions> = {}): NewtonOptions {
  checkNames("NewtonOptions", given, namesOf(defaultNewtonOptions));
  const options: NewtonOptions = { ...defaultNewtonOptions };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const key = name as keyof NewtonOptions;
    const list = choices[key];
    const isOwn = key === "linearMethod" && typeof value === "object";
    if (list && !isOwn && !list.includes(value))
      throw invalid(`NewtonOptions.${name}`, value, `must be one of ${list.join(", ")}`);
    const range = ranges[key];
    if (range && !(typeof value === "number" && value >= range[0] && value <= range[1]))
      throw invalid(`NewtonOptions.${name}`, value, `must be from ${range.join(" to ")}`);
    if (whole.has(key) && !Number.isInteger(value))
      throw invalid(`NewtonOptions.${name}`, value, "must be a whole number");
    Object.assign(options, { [key]: value });
  }
  return options;
}
