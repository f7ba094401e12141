import { vertexNormals } from "../geometry/triangles/triangle";
import { checkList } from "../checks";
import { invalid, nonFinite, unsupported } from "../errors";
import { checkNames, optionNames } from "../option-names";
import { solverOf } from "../solvers/alike";
import type { RangeTable } from "../solvers/deformable";
import type { DeformableBody } from "./body";

/** Limits of the motion of each particle around a place that an animation moves. */
export interface MotionRangeOptions {
  /** most distance of each particle from its place [m], one for all or particleCount; default: none */
  readonly maxDistance?: number | ArrayLike<number> | undefined;
  /** most distance of each particle behind its place along its normal [m], one for all or particleCount; default: none */
  readonly backstop?: number | ArrayLike<number> | undefined;
}

const motionRangeNames = optionNames<MotionRangeOptions>()("maxDistance backstop");

/**
 * Keeps the particles of a cloth near places that an animation moves, such as those of a skinned garment: at most so far
 * away, and at most so far behind along the normal. The limits act after contact with obstacles and before contact with
 * other bodies has its last word. Pinned particles ignore them.
 *
 * @example
 * ```ts
 * const grid = gridMesh({ width: 1, height: 1, columns: 9, rows: 9 });
 * const cape = world.addBody(clothModel({ ...grid, fabric: "cotton" }));
 * const range = new MotionRange(cape, { maxDistance: 0.1, backstop: 0.01 });
 * range.setPlaces(cape.model.positions);
 * ```
 */
export class MotionRange implements RangeTable {
  readonly maxDistances: Float64Array;
  readonly backstops: Float64Array;
  readonly before: Float64Array;
  readonly places: Float64Array = this.body.model.positions.slice();
  readonly normals = new Float64Array(this.places.length);
  /** for the end of the next frame */
  private readonly next: Float64Array = this.places.slice();

  /**
   * The places are those of the model at first.
   *
   * @throws PliantError `unsupported` for a body that is not cloth of `gpbd`, and for cloth that tears;
   * `invalid-argument` for options that are unknown or out of their range, and for a body that has a range already
   */
  constructor(
    readonly body: DeformableBody,
    options: MotionRangeOptions,
  ) {
    const object = `motion range of body "${body.name}"`;
    checkNames(object, options, motionRangeNames);
    const { model, pins } = body;
    const solver = solverOf(model);
    if (body._tears) throw unsupported(object, "tearing", "needs cloth that does not tear");
    if (solver !== "gpbd" || !("sheet" in model) || !model.sheet)
      throw unsupported(object, solver, "needs a cloth of solver gpbd");
    if (pins.range) throw invalid(object, "a body", "must not have a range already");
    this.maxDistances = distancesOf(`${object}.maxDistance`, options.maxDistance, body.particleCount);
    this.backstops = distancesOf(`${object}.backstop`, options.backstop, body.particleCount);
    this.before = this.places.slice();
    this.turn();
    pins.range = this;
    body.wake();
  }

  /**
   * Sets the places at the end of the next frame; particles are on their way there within it. Normals are those of the
   * body's triangles there.
   *
   * @param places particleCount × 3 [m]
   * @throws PliantError for a list of another length, or with a number that is not finite; nothing is changed then
   */
  setPlaces(places: ArrayLike<number>): void {
    const object = `places of body "${this.body.name}"`;
    checkList(places, object);
    if (places.length !== this.next.length) throw invalid(object, places.length, `must be ${this.next.length} numbers`);
    for (let i = 0; i < places.length; i++)
      if (!Number.isFinite(places[i])) throw nonFinite(`${object}[${i}]`, places[i], "must be finite");
    this.next.set(places);
  }

  /** Puts the places there at once, for a jump of the animation. It throws as `setPlaces`. */
  jump(places: ArrayLike<number>): void {
    this.setPlaces(places);
    this.places.set(places);
  }

  /** Lets the body move freely again. */
  dispose(): void {
    if (this.body.pins.range === this) this.body.pins.range = undefined;
  }

  /**
   * @internal before a frame: takes the places over
   *
   * @returns the longest way of a place in the frame [m]
   */
  begin(): number {
    const { before, places, next } = this;
    before.set(places);
    let squared = 0;
    for (let i = 0; i < next.length; i += 3) {
      const x = next[i] - places[i];
      const y = next[i + 1] - places[i + 1];
      const z = next[i + 2] - places[i + 2];
      squared = Math.max(squared, x * x + y * y + z * z);
    }
    if (squared === 0) return 0;
    places.set(next);
    this.turn();
    return Math.sqrt(squared);
  }

  /** @internal the places of the last frame, and those of the next one */
  save(): readonly [Float64Array, Float64Array] {
    return [this.places.slice(), this.next.slice()];
  }

  /** @internal */
  load([places, next]: readonly [Float64Array, Float64Array]): void {
    this.places.set(places);
    this.next.set(next);
    this.turn();
  }

  /** Normals of the surface at its places: means of the triangles, by their areas. */
  private turn(): void {
    const { places: x, normals } = this;
    const { faces } = this.body.model;
    vertexNormals(x, faces, normals);
    for (let i = 0; i < normals.length; i += 3) {
      const size = Math.sqrt(normals[i] ** 2 + normals[i + 1] ** 2 + normals[i + 2] ** 2);
      for (let c = i; c < i + 3; c++) normals[c] = size > 0 ? normals[c] / size : 0;
    }
  }
}

/** A distance for each particle [m]; infinite without one. */
function distancesOf(object: string, given: MotionRangeOptions["maxDistance"], count: number): Float64Array {
  if (given === undefined) return new Float64Array(count).fill(Infinity);
  const list = typeof given === "number" ? new Float64Array(count).fill(given) : given;
  checkList(list, object);
  if (list.length !== count) throw invalid(object, list.length, `must be ${count} numbers`);
  for (let p = 0; p < count; p++) if (!(list[p] >= 0)) throw invalid(`${object}[${p}]`, list[p], "must be at least 0");
  return Float64Array.from(list);
}
