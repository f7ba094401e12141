import { PliantError } from "../../errors";
import type { DeformableOptions } from "../deformable";

/** Which function stands for complementarity (13), (14). */
export type Complementarity = "fischer-burmeister" | "minimum-map";

/** How the two sides of a complementarity are scaled: by (28), or with M⁻¹ in place of A⁻¹, as in paper 3. */
export type ComplementarityScale = "system-inverse" | "mass-inverse";

const complementarities: readonly Complementarity[] = ["fischer-burmeister", "minimum-map"];
const scales: readonly ComplementarityScale[] = ["system-inverse", "mass-inverse"];

/** How a local-global body is stepped. All may change while it runs; a new time step needs a new factor, which takes a moment. */
export interface LocalGlobalOptions extends DeformableOptions {
  /** substeps in a frame: the time step h is the frame time over this */
  substeps: number;
  /** local-global iterations in a step */
  iterations: number;
  /** non-smooth Newton iterations for the contacts in each, at most */
  newtonIterations: number;
  /** conjugate residual iterations in each of those, at most */
  constraintIterations: number;
  complementarity: Complementarity;
  complementarityScale: ComplementarityScale;
  /** whether friction near its cone is solved for as in `contact-solver.ts`; without, rows are those of the paper's appendix B */
  guarded: boolean;
  /** contacts are looked for up to this distance beyond the thickness [m] */
  contactMargin: number;
  /** whether the body touches itself; then no part of its surface may start inside of another */
  selfCollision: boolean;
  /** whether it touches other bodies of this solver for which that holds, too */
  bodyCollision: boolean;
}

export const defaultLocalGlobalOptions: Readonly<LocalGlobalOptions> = {
  substeps: 1,
  iterations: 5,
  newtonIterations: 10,
  constraintIterations: 24,
  complementarity: "fischer-burmeister",
  complementarityScale: "system-inverse",
  guarded: true,
  contactMargin: 0.01,
  selfCollision: false,
  bodyCollision: true,
  gravityFactor: 1,
  damping: 0,
  wind: [0, 0, 0],
  thickness: 0.001,
  friction: 0.5,
};

/** @throws PliantError when a value is not finite or out of its range; `object` is how the message calls the body */
export function validateLocalGlobalOptions(object: string, options: Readonly<Partial<LocalGlobalOptions>>): void {
  const fail = (key: string, value: unknown, rule: string): never => {
    throw new PliantError("invalid-argument", `${object}.${key}`, value, rule);
  };
  const within = (key: keyof LocalGlobalOptions, lowest: number, highest: number, integer = false): void => {
    const value = options[key];
    if (value === undefined) return;
    if (typeof value !== "number" || !Number.isFinite(value)) fail(key, value, "must be a finite number");
    else if (value < lowest || value > highest) fail(key, value, `must be from ${lowest} to ${highest}`);
    else if (integer && !Number.isInteger(value)) fail(key, value, "must be a whole number");
  };
  const { complementarity, complementarityScale, wind } = options;
  for (const key of ["guarded", "selfCollision", "bodyCollision"] as const)
    if (options[key] !== undefined && typeof options[key] !== "boolean")
      fail(key, options[key], "must be true or false");
  within("substeps", 1, 1000, true);
  within("iterations", 1, 10000, true);
  within("newtonIterations", 1, 10000, true);
  within("constraintIterations", 1, 10000, true);
  within("contactMargin", 0, 10);
  within("gravityFactor", -1e6, 1e6);
  within("damping", 0, 1e6);
  within("thickness", 1e-6, 1);
  within("friction", 0, 100);
  if (complementarity !== undefined && !complementarities.includes(complementarity))
    fail("complementarity", complementarity, `must be one of ${complementarities.join(", ")}`);
  if (complementarityScale !== undefined && !scales.includes(complementarityScale))
    fail("complementarityScale", complementarityScale, `must be one of ${scales.join(", ")}`);
  if (wind !== undefined && !(wind.length === 3 && wind.every((value) => value === 0)))
    fail("wind", wind, "must be zero: solids of this solver feel no air");
}
