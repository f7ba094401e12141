/**
 * Stretch of rods, all edges of a chain at once. Swept edge by edge, a load reaches one edge further with each sweep, and a rope of N
 * edges is longer by what N²/2 particles weigh in the time that takes. The compliant constraints c = ‖x_b − x_a‖ − L of a chain have
 * a matrix of three diagonals, S W Sᵀ + α, so the step of XPBD for all of them together costs no more than the sweep:
 *
 *     (W_a + W_b + αₑ) Δλₑ − W_a nₑ·nₑ₋₁ Δλₑ₋₁ − W_b nₑ·nₑ₊₁ Δλₑ₊₁ = −(cₑ + αₑ λₑ),   Δx = W Sᵀ Δλ
 *
 * with the directions n of the edges. The joint of a closed rod is two more entries in the corners, which Sherman and Morrison's
 * formula brings in by a second right-hand side.
 *
 * Rods of more than `BLOCK` edges are solved in pieces of these, first those at even places: a workgroup of the GPU has as many.
 *
 * The directions are those before the step. If edges turn far in it, as in a light rope that flutters by its edges' length in a
 * substep, what is left of c + α λ is no longer small, and the pull on it in the next substep is speed from nothing: such a rope was
 * drawn out to a hundred times its length. So pieces are solved again until little is left.
 */
import type { EnergyTerm, GpbdModel } from "../model";
import type { RodSet } from "./rod-set";

/** Edges that are solved together; as in rod-stretch.wgsl. */
export const BLOCK = 512;
/** Largest part of an edge's length that may be left, and the number of times that a piece is solved; as in rod-stretch.wgsl. */
const LEFT = 0.01;
const MOST_PASSES = 4;

/** Index among the terms of a model of the stretch of its rods; undefined where it has none of that kind, or an energy of one's own. */
export function stretchTerm({ rods, terms }: GpbdModel): number | undefined {
  if (!rods) return undefined;
  const index = terms.findIndex(
    ({ kind, energy, elementCount }) => kind === "distance" && !energy && elementCount === rods.inertias.length,
  );
  return index < 0 ? undefined : index;
}

/** The element of a term for each edge of rods. */
export function elementsOfEdges({ edges }: RodSet, term: EnergyTerm): Uint32Array {
  const elements = new Map<string, number>();
  for (let e = 0; e < term.elementCount; e++) elements.set(`${term.indices[2 * e]},${term.indices[2 * e + 1]}`, e);
  return Uint32Array.from(
    { length: edges.length / 2 },
    (_, e) => elements.get(`${edges[2 * e]},${edges[2 * e + 1]}`) ?? 0,
  );
}

/** Whether the last edge ends where the first begins, and all are solved together. */
export function isRing(edges: Uint32Array): boolean {
  return edges.length > 4 && edges.length <= 2 * BLOCK && edges[0] === edges.at(-1);
}

/** The f64 reference. */
export class CpuRodStretch {
  private readonly elements: Uint32Array;
  private readonly lambda = new Float64Array(this.rods.inertias.length);
  private readonly n = new Float64Array(3 * this.rods.inertias.length);
  private readonly diagonal = new Float64Array(this.rods.inertias.length);
  /** between an edge and the one after it */
  private readonly beside = new Float64Array(this.rods.inertias.length);
  private readonly solution = new Float64Array(this.rods.inertias.length);
  /** of the second right-hand side */
  private readonly corner = new Float64Array(this.rods.inertias.length);
  private readonly isRing: boolean = isRing(this.rods.edges);

  constructor(
    private readonly rods: RodSet,
    term: EnergyTerm,
  ) {
    this.elements = elementsOfEdges(rods, term);
  }

  /**
   * One sweep.
   *
   * @param x positions, changed
   * @param w W of the particles
   * @param tracked dᵢ of the term, changed
   * @param isFirst whether it is the first of the substep
   */
  sweep(term: EnergyTerm, x: Float64Array, w: Float64Array, tracked: Float64Array, isFirst: boolean): void {
    if (isFirst) this.lambda.fill(0);
    const count = this.lambda.length;
    for (const parity of [0, 1])
      for (let first = parity * BLOCK; first < count; first += 2 * BLOCK)
        this.close(term, x, w, tracked, first, Math.min(count, first + BLOCK));
  }

  /** Solves for the edges of a piece until little is left. */
  private close(
    term: EnergyTerm,
    x: Float64Array,
    w: Float64Array,
    tracked: Float64Array,
    first: number,
    end: number,
  ): void {
    for (let pass = 0; pass < MOST_PASSES && (pass === 0 || this.isOpen(term, x, w, first, end)); pass++)
      this.solve(term, x, w, tracked, first, end);
  }

  /** Whether much of c + α λ is left at an edge of a piece. */
  private isOpen({ rest }: EnergyTerm, x: Float64Array, w: Float64Array, first: number, end: number): boolean {
    const { edges } = this.rods;
    for (let e = first; e < end; e++) {
      const at = 2 * this.elements[e];
      const left = rest[at] - this.direct(x, e) - rest[at + 1] * this.lambda[e];
      if (w[edges[2 * e]] + w[edges[2 * e + 1]] > 0 && Math.abs(left) > LEFT * rest[at]) return true;
    }
    return false;
  }

  private solve(
    { rest }: EnergyTerm,
    x: Float64Array,
    w: Float64Array,
    tracked: Float64Array,
    first: number,
    end: number,
  ): void {
    const { diagonal, beside, solution, corner, lambda, elements } = this;
    const { edges } = this.rods;
    for (let e = first; e < end; e++) {
      const length = this.direct(x, e);
      const [a, b] = [edges[2 * e], edges[2 * e + 1]];
      const at = 2 * elements[e];
      const gram = w[a] + w[b];
      const compliance = rest[at + 1];
      // an edge that is held at both ends moves nothing
      diagonal[e] = gram > 0 ? gram + compliance : 1;
      solution[e] = gram > 0 ? rest[at] - length - compliance * lambda[e] : 0;
      if (e > first) beside[e - 1] = -w[a] * this.along(e - 1, e);
      corner[e] = 0;
    }
    const last = end - 1;
    const ring = this.isRing ? -w[edges[0]] * this.along(last, first) : 0;
    const share = ring / diagonal[first];
    if (ring !== 0) {
      diagonal[last] += ring * share;
      corner[first] = -diagonal[first];
      corner[last] = ring;
      diagonal[first] *= 2;
    }
    for (let e = first + 1; e < end; e++) {
      const factor = beside[e - 1] / diagonal[e - 1];
      diagonal[e] -= factor * beside[e - 1];
      solution[e] -= factor * solution[e - 1];
      corner[e] -= factor * corner[e - 1];
    }
    for (let e = last; e >= first; e--) {
      const next = e < last ? beside[e] : 0;
      solution[e] = (solution[e] - next * (e < last ? solution[e + 1] : 0)) / diagonal[e];
      corner[e] = (corner[e] - next * (e < last ? corner[e + 1] : 0)) / diagonal[e];
    }
    if (ring !== 0) {
      const part = (solution[first] - share * solution[last]) / (1 + corner[first] - share * corner[last]);
      for (let e = first; e < end; e++) solution[e] -= part * corner[e];
    }
    for (let e = first; e < end; e++) this.move(x, w, tracked, e);
  }

  /** Writes n of an edge and returns its length. */
  private direct(x: Float64Array, e: number): number {
    const { n } = this;
    const { edges } = this.rods;
    const [a, b] = [3 * edges[2 * e], 3 * edges[2 * e + 1]];
    let squared = 0;
    for (let c = 0; c < 3; c++) {
      n[3 * e + c] = x[b + c] - x[a + c];
      squared += n[3 * e + c] ** 2;
    }
    const length = Math.sqrt(squared);
    for (let c = 0; c < 3; c++) n[3 * e + c] = length > 0 ? n[3 * e + c] / length : c === 0 ? 1 : 0;
    return length;
  }

  private along(e: number, f: number): number {
    const { n } = this;
    return n[3 * e] * n[3 * f] + n[3 * e + 1] * n[3 * f + 1] + n[3 * e + 2] * n[3 * f + 2];
  }

  private move(x: Float64Array, w: Float64Array, tracked: Float64Array, e: number): void {
    const { n, lambda, solution, elements } = this;
    const { edges } = this.rods;
    lambda[e] += solution[e];
    for (let side = 0; side < 2; side++) {
      const p = edges[2 * e + side];
      const push = (side === 0 ? -w[p] : w[p]) * solution[e];
      for (let c = 0; c < 3; c++) {
        x[3 * p + c] += push * n[3 * e + c];
        tracked[3 * (2 * elements[e] + side) + c] += push * n[3 * e + c];
      }
    }
  }
}
