import { invalid } from "../../errors";
import { exp, log } from "../../math/exponentials";
import type { BodyModel, BodySettings } from "./body-settings";
import { solverKindOf } from "./solvers";

/** Options for the gradual change from one material to the next. */
export interface MaterialEase {
  /** time until the new material acts in full [s], above 0 */
  readonly over: number;
  /** stiffnesses over density of the old material [m²/s²], one for each way to strain it */
  readonly from: readonly number[];
  /** the same of the new material */
  readonly to: readonly number[];
}

/**
 * @throws PliantError `invalid-argument` for a time or stiffnesses that are not above 0, or for different numbers of
 * stiffnesses
 */
export function checkEase(object: string, { over, from, to }: MaterialEase): void {
  const isPositive = (value: number): boolean => value > 0 && value < Infinity;
  if (!isPositive(over)) throw invalid(`${object} ease.over`, over, "must be above 0");
  if (from.length === 0 || from.length !== to.length || ![...from, ...to].every(isPositive))
    throw invalid(`${object} ease`, { from, to }, "must have as many stiffnesses of both materials, all above 0");
}

/** The change from the material of one model to that of another. */
export function easingOf(
  { over, from, to }: MaterialEase,
  before: BodyModel,
  old: BodySettings,
  next: BodyModel,
  settings: BodySettings,
): Easing {
  const { response = (_model, _options, speed) => speed } = solverKindOf(next);
  return new Easing(over, Math.min(...to.map((t, k) => response(before, old, from[k]) / response(next, settings, t))));
}

/**
 * The gradual change to a stiffer material. If a new material is stiffer than the old one, its forces pull the body to
 * another shape at once, which looks like a jump. Therefore the new material begins with a share of its elastic forces,
 * so that they are as large as those of the old material in this shape. The share grows to 1 in equal ratios.
 */
export class Easing {
  private left: number = this.share < 1 ? this.over : 0;

  /** @param share of the elastic forces to begin with, in (0, 1] */
  constructor(
    private readonly over: number,
    private readonly share: number,
  ) {}

  /** Advances by a frame of dt [s]. @returns the share of the elastic forces that act in the frame */
  next(dt: number): number {
    const share = exp((log(this.share) * this.left) / this.over);
    this.left = Math.max(0, this.left - dt);
    return share;
  }

  get isDone(): boolean {
    return this.left < 1e-6 * this.over;
  }
}
