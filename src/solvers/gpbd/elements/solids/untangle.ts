/**
 * Tetrahedra that are turned inside out or flat (paper 1, section 4.1): an inversion barrier is not defined there. The
 * constraint |F| > 0 is met by vertex projection in the way of classic PBD, before the element's energy is minimised: the
 * smallest singular value of F = U Σ Vᵀ is negated, where it is too small raised, and the vertices move so that F becomes
 * the new one. The displacement belongs to no force, so nothing tracks it.
 *
 * If elements are swept one after another (Gauss-Seidel), the projection is a blow without a rebound: an element that becomes flat in a
 * time step is stopped there, and one that was flat or inside out at the start of the step comes back by a part of the way (`recovery.ts`).
 * The whole way would become speed after the step, (Δσ l)/Δt however short Δt is: if nothing guards the body's energy, elements with common
 * vertices throw one another about until the body bursts.
 * A mean over elements (Jacobi) calms them, and needs the whole way, negated values, to free bodies that are inside out everywhere.
 *
 * Glossary: gₐ material gradients of the hat functions [1/m], w = Δt²/m, M = Σ wₐ gₐ gₐᵀ. Of all displacements with
 * Σ Δxₐ gₐᵀ = ΔF the one that changes least (by mass) is Δxₐ = wₐ ΔF M⁻¹ gₐ. It keeps the centre of mass, as Σ gₐ = 0, and
 * pinned vertices where they are; with two or more of them it may reach only a part of ΔF.
 */
import { determinant } from "../../../../math/determinant";
import { singularValues } from "../../../../math/eigen/svd3";
import { QUADRATIC_NODES } from "../../../../geometry/tetrahedra/quadrature";
import { deformationGradient, shapeGradients } from "../../strains/green-tet";
import type { ElementScratch } from "../local-solve";

/** No principal stretch is left below this. */
export const smallestStretch = 0.02;

const f = new Float64Array(9);
const g = new Float64Array(3 * QUADRATIC_NODES);
/** F at the start of the time step */
const before = new Float64Array(9);
const u = new Float64Array(9);
const v = new Float64Array(9);
const sigma = new Float64Array(3);
const change = new Float64Array(9);
const inverse = new Float64Array(9);
const m = new Float64Array(9);

/**
 * Moves `element.x` where that is needed, and says by how much in `element.projection`.
 *
 * @param isMean whether vertices take the mean of what their elements want
 * @param recovery part of the way that what was flat or inside out before comes back
 */
export function untangle(
  rest: Float64Array,
  at: number,
  element: ElementScratch,
  isMean: boolean,
  recovery: number,
): void {
  const { x, start, w, projection, arity } = element;
  projection.fill(0);
  deformationGradient(x, rest, at, f, arity);
  let squares = 0;
  for (let i = 0; i < 9; i++) squares += f[i] * f[i];
  // σ₁σ₂ ≤ ½ ‖F‖², so this says that σ₃ is large enough without looking for it.
  if (2 * determinant(f) >= smallestStretch * squares && squares > 0) return;

  singularValues(f, 0, 3, u, sigma, v);
  if (sigma[2] >= smallestStretch) return;
  change.fill(0);
  if (!isMean) deformationGradient(start, rest, at, before, arity);
  for (let k = 0; k < 3; k++) {
    let goal = Math.max(smallestStretch, Math.abs(sigma[k]));
    if (!isMean) {
      let was = 0;
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) was += u[3 * i + k] * before[3 * i + j] * v[3 * j + k];
      goal = Math.max(sigma[k], Math.min(smallestStretch, was + recovery * Math.max(0, smallestStretch - was)));
    }
    const rise = goal - sigma[k];
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) change[3 * i + j] += rise * u[3 * i + k] * v[3 * j + k];
  }
  m.fill(0);
  shapeGradients(rest, at, arity, g);
  for (let vertex = 0; vertex < arity; vertex++)
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) m[3 * i + j] += w[vertex] * g[3 * vertex + i] * g[3 * vertex + j];
  const trace = m[0] + m[4] + m[8];
  if (!(trace > 0)) return;
  for (let i = 0; i < 9; i += 4) m[i] += 1e-9 * trace;
  invert(m, inverse);
  for (let vertex = 0; vertex < arity; vertex++)
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++) sum += change[3 * c + i] * inverse[3 * i + j] * g[3 * vertex + j];
      projection[3 * vertex + c] = w[vertex] * sum;
      x[3 * vertex + c] += projection[3 * vertex + c];
    }
}

/** Whether `untangle` moved anything. */
export function isUntangled({ projection, arity }: ElementScratch): boolean {
  for (let i = 0; i < 3 * arity; i++) if (projection[i] !== 0) return true;
  return false;
}

export function invert(a: Float64Array, out: Float64Array): void {
  const scale = 1 / determinant(a);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      const [p, q, r, s] = [(j + 1) % 3, (j + 2) % 3, (i + 1) % 3, (i + 2) % 3];
      out[3 * i + j] = scale * (a[3 * p + r] * a[3 * q + s] - a[3 * p + s] * a[3 * q + r]);
    }
}
