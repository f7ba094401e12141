import { checkFinite } from "../../../checks";
import { invalid, unsupported } from "../../../errors";
import { conjugate, product, quaternionOfMatrix, rotationVector, unitQuaternion } from "../../../math/quaternions";
import type { Quat, Vec3 } from "../../../math/types";
import { checkNames, optionNames } from "../../../option-names";
import { updatePositions } from "../../dynamics/kinematics";
import { WORLD, type ArticulatedModel } from "../../model";
import { ArticulatedScratch } from "../../scratch";
import { momentFactors, type CostDerivatives, type CostMoments, type CostSetting } from "./moments";
import { shapeOf, type CostForm } from "./state-term";

/** Parts that all costs of a link share. */
interface LinkTermBase {
  readonly link: string;
  /** link in whose axes the target is; default the world's */
  readonly targetLink?: string;
  readonly when: CostMoments;
}

/** A point of a link seeks a place: w φ(|x − target|), or Σ w φ(x − target) over the axes if there are three weights. */
export interface PointTerm extends LinkTermBase {
  readonly of: "point";
  /** in the link's axes [m], default its origin */
  readonly point?: Vec3;
  /** [m] */
  readonly target: Vec3;
  /** [1/m²] for squares, [1/m] for distances; along the axes that the target is in if there are three */
  readonly weight: number | Vec3;
  /** see `StateTerm`; a distance is that in space, and has one weight */
  readonly form?: CostForm;
  /** s of "smooth-distance" [m], default 0.1 */
  readonly scale?: number;
}

/** A direction fixed to a link seeks another one: w |a − target|², which is 2 w (1 − cos of the angle). */
export interface DirectionTerm extends LinkTermBase {
  readonly of: "direction";
  /** in the link's axes, of any length but 0 */
  readonly axis: Vec3;
  readonly target: Vec3;
  readonly weight: number;
}

/** A link seeks a rotation: w θ² with the angle θ between both [rad]. */
export interface OrientationTerm extends LinkTermBase {
  readonly of: "orientation";
  readonly target: Quat;
  readonly weight: number;
}

/** A cost of the place or direction of a link. Gradients are exact; Hessians are those of Gauss and Newton. */
export type LinkTerm = PointTerm | DirectionTerm | OrientationTerm;

const baseNames = optionNames<LinkTermBase & Pick<PointTerm, "of" | "target" | "weight">>()(
  "of link targetLink when target weight",
);
const termNames = {
  point: optionNames<PointTerm>()("point form scale", baseNames),
  direction: optionNames<DirectionTerm>()("axis", baseNames),
  orientation: optionNames<OrientationTerm>()("", baseNames),
};

type Compiled = Readonly<ReturnType<typeof compile>>;

/** The terms of links in a cost. */
export class LinkTerms {
  private readonly terms: readonly Compiled[];
  private readonly scratch: ArticulatedScratch;
  /** ∂r/∂q of a term, 3 numbers for each of its coordinates. */
  private readonly columns: Float64Array;

  /**
   * @param terms all terms of a cost, of which those of links count
   * @throws PliantError for unknown links, numbers that are not finite, or if the step has no `model`
   */
  constructor(
    terms: readonly { readonly of: string }[],
    private readonly setting: CostSetting,
  ) {
    const { model } = setting;
    if (model === undefined) throw unsupported("cost", "a term of a link", "must be of a step that has a model");
    this.scratch = new ArticulatedScratch(model);
    this.columns = new Float64Array(3 * model.nv);
    this.terms = terms.flatMap((term, i) =>
      "link" in term ? [compile(term as LinkTerm, `cost[${i}]`, setting, model)] : [],
    );
  }

  /** As `TrajectoryCost.evaluate`. */
  evaluate(k: number, x: Float64Array, out: CostDerivatives | undefined): number {
    const { terms, scratch, setting } = this;
    if (terms.every(({ factors }) => factors[k] === 0)) return 0;
    updatePositions(scratch, x.subarray(0, setting.nv));
    let sum = 0;
    for (const term of terms) if (term.factors[k] !== 0) sum += this.add(term, term.factors[k], out);
    return sum;
  }

  private add(term: Compiled, factor: number, out: CostDerivatives | undefined): number {
    const r = this.difference(term);
    const gradient: [number, number, number] = [0, 0, 0];
    const hessian = new Float64Array(9);
    const value = evaluateForm(term, factor, r, gradient, hessian);
    if (out === undefined) return value;
    const { columns } = this;
    const { dofs } = term;
    const nx = 2 * this.setting.nv;
    for (let a = 0; a < dofs.length; a++) {
      const [x, y, z] = [columns[3 * a], columns[3 * a + 1], columns[3 * a + 2]];
      out.x[dofs[a]] += gradient[0] * x + gradient[1] * y + gradient[2] * z;
      const row = [0, 1, 2].map((c) => hessian[c] * x + hessian[3 + c] * y + hessian[6 + c] * z);
      for (let b = 0; b < dofs.length; b++)
        out.xx[dofs[a] * nx + dofs[b]] +=
          row[0] * columns[3 * b] + row[1] * columns[3 * b + 1] + row[2] * columns[3 * b + 2];
    }
    return value;
  }

  /**
   * r, and its derivatives by the term's coordinates in `columns`. In a link's axes, points move with their velocity less that of the
   * link at the same place. The rotation vector of an angle θ changes by other amounts than the rotation, but θ² does not.
   */
  private difference({ of, link, frame, dofs, signs, local, target }: Compiled): readonly [number, number, number] {
    const { scratch, columns } = this;
    const { linkRotation, linkPosition, motion } = scratch;
    const R = 9 * link;
    const turned = [0, 1, 2].map(
      (c) =>
        linkRotation[R + 3 * c] * local[0] +
        linkRotation[R + 3 * c + 1] * local[1] +
        linkRotation[R + 3 * c + 2] * local[2],
    );
    const at = of === "point" ? turned.map((value, c) => value + linkPosition[3 * link + c]) : turned;
    dofs.forEach((dof, a) => {
      const s = 6 * dof;
      const [wx, wy, wz] = [motion[s], motion[s + 1], motion[s + 2]];
      const change =
        of === "orientation"
          ? [wx, wy, wz]
          : [wy * at[2] - wz * at[1], wz * at[0] - wx * at[2], wx * at[1] - wy * at[0]];
      if (of === "point") for (let c = 0; c < 3; c++) change[c] += motion[s + 3 + c];
      const inFrame = of === "orientation" ? change : this.intoFrame(frame, change);
      for (let c = 0; c < 3; c++) columns[3 * a + c] = signs[a] * inFrame[c];
    });
    if (of === "orientation") {
      const sought =
        frame === WORLD ? (target as Quat) : product(quaternionOfMatrix(linkRotation, 9 * frame), target as Quat);
      return rotationVector(product(quaternionOfMatrix(linkRotation, R), conjugate(sought)));
    }
    const origin = of === "point" && frame !== WORLD ? linkPosition.subarray(3 * frame, 3 * frame + 3) : [0, 0, 0];
    const seen = this.intoFrame(frame, [at[0] - origin[0], at[1] - origin[1], at[2] - origin[2]]);
    return [seen[0] - target[0], seen[1] - target[1], seen[2] - target[2]];
  }

  /** A vector of the world in the axes of a link. */
  private intoFrame(frame: number, v: readonly number[]): readonly number[] {
    if (frame === WORLD) return v;
    const R = this.scratch.linkRotation;
    const f = 9 * frame;
    return [0, 1, 2].map((c) => R[f + c] * v[0] + R[f + 3 + c] * v[1] + R[f + 6 + c] * v[2]);
  }
}

/** Value of a term at r, with its gradient and a positive semidefinite Hessian by r (3 × 3). */
function evaluateForm(
  { weights, form, scale, isRound }: Compiled,
  factor: number,
  r: readonly [number, number, number],
  gradient: [number, number, number],
  hessian: Float64Array,
): number {
  if (!isRound) {
    let sum = 0;
    for (let c = 0; c < 3; c++) {
      const w = factor * weights[c];
      const [value, slope, curvature] = shapeOf({ form, scale }, r[c]);
      sum += w * value;
      gradient[c] = w * slope;
      hessian[4 * c] = Math.max(0, w * curvature);
    }
    return sum;
  }
  // √(|r|² + s²) − s
  const w = factor * weights[0];
  const root = Math.hypot(r[0], r[1], r[2], scale);
  for (let c = 0; c < 3; c++) {
    gradient[c] = (w * r[c]) / root;
    if (w <= 0) continue;
    for (let d = 0; d < 3; d++) hessian[3 * c + d] = w * ((c === d ? 1 / root : 0) - (r[c] * r[d]) / root ** 3);
  }
  return w * (root - scale);
}

function compile(term: LinkTerm, name: string, setting: CostSetting, model: ArticulatedModel) {
  if (!Object.hasOwn(termNames, term.of))
    throw invalid(`${name}.of`, term.of, 'must be "point", "direction" or "orientation"');
  checkNames(name, term, termNames[term.of]);
  const link = model.linkIndex(term.link);
  const frame = term.targetLink === undefined ? WORLD : model.linkIndex(term.targetLink);
  const { form = "square", scale = 0.1, point = [0, 0, 0] as const } = term.of === "point" ? term : {};
  if (!(scale > 0)) throw invalid(`${name}.scale`, scale, "must be positive");
  const isRound = form === "smooth-distance";
  const weights = numbers(
    typeof term.weight === "number" ? [term.weight, term.weight, term.weight] : term.weight,
    3,
    `${name}.weight`,
  );
  if (isRound && typeof term.weight !== "number")
    throw invalid(`${name}.weight`, term.weight, "must be one number for a distance");
  const isTurn = term.of === "orientation";
  const target = numbers(term.target, isTurn ? 4 : 3, `${name}.target`);
  const [dofs, signs] = coordinatesBetween(model, link, frame);
  return {
    of: term.of,
    factors: momentFactors(term.when, name, setting),
    link,
    frame,
    /** Coordinates that move the link against the frame, with 1 or −1. */
    dofs,
    signs,
    /** Point or direction in the link's axes. */
    local:
      term.of === "direction"
        ? unit(numbers(term.axis, 3, `${name}.axis`), `${name}.axis`)
        : (numbers(point, 3, `${name}.point`) as unknown as Vec3),
    target: isTurn
      ? unitTurn(target, `${name}.target`)
      : term.of === "direction"
        ? unit(target, `${name}.target`)
        : target,
    weights: weights as unknown as Vec3,
    form,
    scale,
    /** Whether φ is of the length of the difference, not of its components. */
    isRound,
  };
}

/** Coordinates before one of two links but not before the other, with 1 for the first and −1 for the second. */
function coordinatesBetween(model: ArticulatedModel, link: number, frame: number): readonly [number[], number[]] {
  const [a, b] = [model.dofsAbove(link), model.dofsAbove(frame)];
  const [own, others] = [a.filter((k) => !b.includes(k)), b.filter((k) => !a.includes(k))];
  return [
    [...own, ...others],
    [...own.map(() => 1), ...others.map(() => -1)],
  ];
}

function numbers(given: ArrayLike<number>, count: number, name: string): number[] {
  if (given.length !== count) throw invalid(name, given.length, `must hold ${count} numbers`);
  const copy = Array.from(given);
  for (const value of copy) checkFinite(value, name);
  return copy;
}

function unit(v: readonly number[], name: string): Vec3 {
  const length = Math.hypot(...v);
  if (!(length > 0)) throw invalid(name, v, "must be a direction, not zero");
  return [v[0] / length, v[1] / length, v[2] / length];
}

function unitTurn(q: readonly number[], name: string): Quat {
  if (!(Math.hypot(...q) > 0)) throw invalid(name, q, "must be a quaternion, not zero");
  return unitQuaternion(q as unknown as Quat);
}
