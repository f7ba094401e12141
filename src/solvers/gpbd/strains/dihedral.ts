import type { Vec3 } from "../../../math/types";
import { cross, dot } from "../../../math/vectors";
import type { StrainMeasure } from "./strain";
import { atan2 } from "../../../math/deterministic";

/**
 * Dihedral angle of two triangles that share an edge, s = θ − θ̄, folded into (−π, π].
 * Vertices: x₀, x₁ the edge, x₂ and x₃ opposite to it, so that (x₀, x₁, x₂) and (x₁, x₀, x₃) are the faces.
 * θ is 0 when flat and positive when the normals n_a = (x₁ − x₀) × (x₂ − x₀) and n_b = (x₃ − x₀) × (x₁ − x₀) open
 * away from one another. Gradient after Bridson, Marino and Fedkiw 2003. Rest data: θ̄ [rad].
 */
export const dihedral: StrainMeasure = {
  arity: 4,
  dimension: 1,
  strain(x, rest, at, s) {
    const h = hinge(x);
    const sine = dot(cross(h.na, h.nb), h.e) / h.length;
    const angle = atan2(sine, dot(h.na, h.nb)) - rest[at];
    s[0] = angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
  },
  jacobian(x, _rest, _at, jacobian) {
    const h = hinge(x);
    const na2 = dot(h.na, h.na);
    const nb2 = dot(h.nb, h.nb);
    if (!(na2 > 0 && nb2 > 0 && h.length > 0)) {
      jacobian.fill(0);
      return;
    }
    // Lever arms: where the opposite vertices project onto the edge.
    const a = dot(sub(x, 6, 0), h.e) / (h.length * h.length);
    const b = dot(sub(x, 9, 0), h.e) / (h.length * h.length);
    for (let c = 0; c < 3; c++) {
      const ua = (h.length * h.na[c]) / na2;
      const ub = (h.length * h.nb[c]) / nb2;
      jacobian[6 + c] = -ua;
      jacobian[9 + c] = -ub;
      jacobian[c] = (1 - a) * ua + (1 - b) * ub;
      jacobian[3 + c] = a * ua + b * ub;
    }
  },
};

const corners = new Float64Array(12);
const zero = new Float64Array(1);
const angle = new Float64Array(1);

/**
 * θ of a hinge [rad].
 *
 * @param positions three a vertex
 * @param vertices x₀ to x₃
 */
export function hingeAngle(positions: ArrayLike<number>, vertices: ArrayLike<number>): number {
  for (let corner = 0; corner < 4; corner++)
    for (let c = 0; c < 3; c++) corners[3 * corner + c] = positions[3 * vertices[corner] + c]!;
  dihedral.strain(corners, zero, 0, angle);
  return angle[0];
}

function sub(x: Float64Array, p: number, q: number): Vec3 {
  return [x[p] - x[q], x[p + 1] - x[q + 1], x[p + 2] - x[q + 2]];
}

function hinge(x: Float64Array) {
  const e = sub(x, 3, 0);
  return { e, na: cross(e, sub(x, 6, 0)), nb: cross(sub(x, 9, 0), e), length: Math.sqrt(dot(e, e)) };
}
