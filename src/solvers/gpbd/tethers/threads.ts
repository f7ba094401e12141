/**
 * Threads of a sheet without pins: rows of edges along warp and weft. A sweep over triangles carries the tension of a fine mesh on by a cell;
 * the equations of a row have three diagonals, so that a substep solves all of it. An edge acts if it is longer than the fabric gives, and
 * only pulls.
 */
import type { GpbdModel } from "../model";
import type { GpbdStepOptions } from "../options";
import { exp } from "../../../math/exponentials";
import { pow } from "../../../math/powers";
import { distanceBetween } from "../../../math/vectors";
import type { ClothMemory } from "../simd/cloth-memory";
import { SimdThreads } from "./simd-threads";
import { ROUNDS, rowsOf, type Rows } from "./thread-rows";

/** Part of its length that a thread gives without a load. */
const SLACK = 0.001;
/** Tension at the edge of what a sheet lies on, over its weight across. */
const CONCENTRATION = 2;
/** Rate at which an edge that is already too long gets shorter [1/s]: a sheet that was drawn out must not be thrown. */
const RECOVERY = 200;

/** With more slack than this, threads do not save the sweeps any work. */
const EASY_SLACK = 0.05;

/**
 * Substeps of cloth that threads hold: they leave shear to the sweeps. Measured on cotton that drapes over a ball: at 16, 32 and 64 segments the
 * largest stretch is that of the substeps that it wants without them, or less, and at 128 it is below 5 % at rest.
 */
function threadedSubsteps({ substeps, wantedSubsteps = substeps }: Readonly<GpbdStepOptions>): number {
  return Math.min(substeps, Math.max(16, Math.round(24 * pow(wantedSubsteps / 97, 1.27))));
}

// Numbers of an edge: its direction, then these.
const EDGE = 9;
const EXCESS = 3;
const COUPLING = 4;
const INVERSE = 5;
const RIGHT = 6;
const LAMBDA = 7;
const ACTS = 8;

export class Threads {
  private constructor(readonly rows: Rows) {
    let longest = 0;
    for (let r = 0; r + 1 < rows.offsets.length; r++)
      longest = Math.max(longest, rows.offsets[r + 1] - rows.offsets[r]);
    this.edges = new Float64Array(EDGE * (longest + 1));
  }

  /** of one row */
  private readonly edges: Float64Array;
  private simd: SimdThreads | undefined;

  /** @returns undefined for a sheet whose edges do not lie along its threads */
  static of(model: GpbdModel): Threads | undefined {
    const rows = rowsOf(model);
    return rows && new Threads(rows);
  }

  /**
   * Options of a frame, with what threads give in it and with fewer substeps, if they hold the sheet: without pins, and without a load, around
   * which it would stretch.
   *
   * @param pull of its weight and the wind over its width [N/m]
   */
  static adapt(model: GpbdModel, options: Readonly<GpbdStepOptions>, pull: number): Readonly<GpbdStepOptions> {
    const { stretchWarp, stretchWeft } = model.sheet!;
    const threadSlack = SLACK + (CONCENTRATION * pull) / Math.min(stretchWarp, stretchWeft);
    if (threadSlack > EASY_SLACK) return options;
    return { ...options, threadSlack, substeps: options.isFree ? threadedSubsteps(options) : options.substeps };
  }

  /** Them in the memory of kernels: see `SimdThreads`. */
  packed(memory: ClothMemory, nobody: number): SimdThreads {
    if (this.simd?.memory !== memory) this.simd = new SimdThreads(memory, this.rows, nobody);
    return this.simd;
  }

  /** Part of its way beyond its length that an edge has left after a substep of this length [s]. */
  rest(h: number): number {
    return exp(-RECOVERY * h);
  }

  /**
   * Takes edges back to their lengths, warp first.
   *
   * @param positions x, particleCount × 3 [m]
   * @param start x⁻
   * @param w of each particle; 0 where it is held
   * @param slack part of its length that a thread gives
   * @param h time of the substep [s]
   */
  project(positions: Float64Array, start: Float64Array, w: Float64Array, slack: number, h: number): void {
    const { offsets } = this.rows;
    const rest = this.rest(h);
    for (let r = 0; r + 1 < offsets.length; r++) {
      const [from, to] = [offsets[r], offsets[r + 1] - 1];
      if (!this.measure(from, to, positions, start, w, 1 + slack, rest)) continue;
      for (let round = 0; round < ROUNDS; round++) if (!this.solve(from, to, w, round > 0)) break;
      this.move(from, to, positions, w);
    }
  }

  private measure(
    from: number,
    to: number,
    positions: Float64Array,
    start: Float64Array,
    w: Float64Array,
    give: number,
    rest: number,
  ): boolean {
    const { edges: e } = this;
    const { vertices, lengths } = this.rows;
    let any = false;
    for (let k = from, at = 0; k < to; k++, at += EDGE) {
      const [a, b] = [vertices[k], vertices[k + 1]];
      const reach = give * lengths[k];
      const most = reach + rest * Math.max(0, distanceBetween(start, 3 * b, 3 * a) - reach);
      const far = distanceBetween(positions, 3 * b, 3 * a);
      for (let c = 0; c < 3; c++)
        e[at + c] = (positions[3 * b + c] - positions[3 * a + c]) / Math.max(far, Number.MIN_VALUE);
      e[at + EXCESS] = far - most;
      e[at + ACTS] = far > most && w[a] + w[b] > 0 ? 1 : 0;
      e[at + LAMBDA] = 0;
      any ||= e[at + ACTS] === 1;
      if (k > from) {
        const before = at - EDGE;
        e[before + COUPLING] = -w[a] * (e[at] * e[before] + e[at + 1] * e[before + 1] + e[at + 2] * e[before + 2]);
      }
      e[at + COUPLING] = 0;
    }
    return any;
  }

  /**
   * A λ = C for the edges that act, A = n W nᵀ.
   *
   * @returns false if the round before, where there is one, showed nothing new
   */
  private solve(from: number, to: number, w: Float64Array, isAgain: boolean): boolean {
    const { edges: e } = this;
    const { vertices } = this.rows;
    let isNew = !isAgain;
    let lambda = 0;
    for (let k = from, at = 0; k < to; k++, at += EDGE) {
      const both = w[vertices[k]] + w[vertices[k + 1]];
      const before = at - EDGE;
      const coupling = k > from ? e[before + COUPLING] : 0;
      if (isAgain) {
        const own = e[at + LAMBDA];
        const next = k + 1 < to ? Math.max(0, e[at + EDGE + LAMBDA]) : 0;
        const left = e[at + EXCESS] - coupling * lambda - e[at + COUPLING] * next;
        const acts = both > 0 && (e[at + ACTS] === 1 ? own >= 0 : left > 0) ? 1 : 0;
        isNew ||= acts !== e[at + ACTS];
        e[at + ACTS] = acts;
        lambda = Math.max(0, own);
      }
      const factor = k > from && e[before + ACTS] === 1 ? coupling * e[before + INVERSE] : 0;
      e[at + INVERSE] = 1 / (both - factor * coupling);
      e[at + RIGHT] = e[at + EXCESS] - (factor === 0 ? 0 : factor * e[before + RIGHT]);
    }
    if (!isNew) return false;
    let after = 0;
    for (let at = EDGE * (to - from - 1); at >= 0; at -= EDGE)
      e[at + LAMBDA] = after = e[at + ACTS] === 1 ? (e[at + RIGHT] - e[at + COUPLING] * after) * e[at + INVERSE] : 0;
    return true;
  }

  private move(from: number, to: number, positions: Float64Array, w: Float64Array): void {
    const { edges: e } = this;
    const { vertices } = this.rows;
    for (let k = from, at = 0; k < to; k++, at += EDGE) {
      const lambda = e[at + LAMBDA];
      if (!(lambda > 0)) continue;
      const [a, b] = [vertices[k], vertices[k + 1]];
      for (let c = 0; c < 3; c++) {
        positions[3 * a + c] += w[a] * lambda * e[at + c];
        positions[3 * b + c] -= w[b] * lambda * e[at + c];
      }
    }
  }
}
