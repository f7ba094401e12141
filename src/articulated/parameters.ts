/** Parameters of a mechanism that can be identified or designed: their names, and their effect on the model. */
import { checkFinite } from "../checks";
import { invalid } from "../errors";
import type { Vec3 } from "../math/types";
import type { ArticulatedModel } from "./model";

/**
 * A number that the dynamics depends on.
 *
 * - `mass`, kg: mass of a link; center of mass and the inertia about it do not change
 * - `center-of-mass`, m: one component (0, 1, 2), in the link's axes; the inertia about it does not change
 * - `inertia`, kg·m²: one component (0 … 5: xx yy zz xy xz yz) about the center of mass
 * - `parent-offset`, m: shifts the joint of a link along a direction in the parent's axes, with all links behind it
 * - `child-offset`, m: shifts the joint within the link along a direction in the link's axes; the link shifts the other way
 * - `combination`: changes several parameters at once, each at its own rate. For example, the length of a link held in
 *   its middle is a `child-offset` of this link and a `parent-offset` of the next, at half the rate each
 *
 * The value of an offset is the joint's position along the direction; that of a combination is relative to the current
 * state.
 */
export type MechanismParameter =
  | { readonly kind: "mass"; readonly link: string }
  | { readonly kind: "center-of-mass"; readonly link: string; readonly component: 0 | 1 | 2 }
  | { readonly kind: "inertia"; readonly link: string; readonly component: 0 | 1 | 2 | 3 | 4 | 5 }
  | { readonly kind: "parent-offset"; readonly link: string; readonly direction: Vec3 }
  | { readonly kind: "child-offset"; readonly link: string; readonly direction: Vec3 }
  | { readonly kind: "combination"; readonly terms: readonly ParameterTerm[] };

/** A part of a combination: a parameter, and its change for a unit of the combination. */
export interface ParameterTerm {
  readonly parameter: MechanismParameter;
  readonly rate: number;
}

/** An elementary parameter, i.e. no combination, and its rate. */
export interface ElementaryTerm {
  readonly parameter: Exclude<MechanismParameter, { kind: "combination" }>;
  readonly link: number;
  readonly rate: number;
}

/**
 * A parameter as a flat list.
 *
 * @throws PliantError `invalid-argument` for an unknown link or a component out of range, `non-finite` for a bad direction
 */
export function elementaryTerms(model: ArticulatedModel, parameter: MechanismParameter, rate = 1): ElementaryTerm[] {
  checkFinite(rate, "parameter.rate");
  if (parameter.kind === "combination")
    return parameter.terms.flatMap((term) => elementaryTerms(model, term.parameter, rate * term.rate));
  const link = model.linkIndex(parameter.link);
  if (parameter.kind === "center-of-mass" || parameter.kind === "inertia") {
    const most = parameter.kind === "inertia" ? 5 : 2;
    if (!Number.isInteger(parameter.component) || parameter.component < 0 || parameter.component > most)
      throw invalid("parameter.component", parameter.component, `must be from 0 to ${most}`);
  } else if (parameter.kind !== "mass")
    for (const value of parameter.direction) checkFinite(value, "parameter.direction");
  return [{ parameter, link, rate }];
}

/** The value of a parameter; 0 for a combination. */
export function parameterValue(model: ArticulatedModel, parameter: MechanismParameter): number {
  if (parameter.kind === "combination") return 0;
  const link = model.linkIndex(parameter.link);
  switch (parameter.kind) {
    case "mass":
      return model.mass[link];
    case "center-of-mass":
      return model.centerOfMass[3 * link + parameter.component];
    case "inertia":
      return model.inertia[6 * link + parameter.component];
    case "parent-offset":
      return along(model.parentPosition, link, parameter.direction);
    case "child-offset":
      return along(model.childPosition, link, parameter.direction);
  }
}

/**
 * Adds to a parameter.
 *
 * @throws PliantError `invalid-argument` if a mass would become negative, `non-finite` for a change that is not a
 * number; the model is unchanged then
 */
export function shiftParameter(model: ArticulatedModel, parameter: MechanismParameter, change: number): void {
  checkFinite(change, "change");
  const terms = elementaryTerms(model, parameter);
  for (const { parameter: part, link, rate } of terms) {
    const mass = model.mass[link] + rate * change;
    if (part.kind === "mass" && !(mass >= 0)) throw invalid(`link "${part.link}".mass`, mass, "must not be negative");
  }
  for (const { parameter: part, link, rate } of terms) {
    const amount = rate * change;
    if (part.kind === "mass") model.mass[link] += amount;
    else if (part.kind === "center-of-mass") model.centerOfMass[3 * link + part.component] += amount;
    else if (part.kind === "inertia") model.inertia[6 * link + part.component] += amount;
    else {
      const positions = part.kind === "parent-offset" ? model.parentPosition : model.childPosition;
      for (let c = 0; c < 3; c++) positions[3 * link + c] += amount * part.direction[c];
    }
  }
}

/** Component of a position along a direction, in units of the direction's length: a shift by x increases it by x. */
function along(positions: Float64Array, link: number, d: Vec3): number {
  const p = 3 * link;
  const square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  return square === 0 ? 0 : (positions[p] * d[0] + positions[p + 1] * d[1] + positions[p + 2] * d[2]) / square;
}
