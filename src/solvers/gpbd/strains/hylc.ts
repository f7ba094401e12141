/**
 * The six strains of HYLC cloth, equation (22) of paper 1: s = (s_x, s_a, s_y, l² II_xx, l² II_xy, l² II_yy) of a triangle with
 * its three neighbours.
 *
 *     s_x = √I_xx − 1,  s_a = I_xy / √(I_xx I_yy),  s_y = √I_yy − 1,   I = FᵀF
 *     II = −Σ φₑ gₑ gₑᵀ [1/m],   φₑ = A θₑ / lₑ
 *
 * II is the discretisation by the dihedral angles of the edges (Weischedel 2012; Chen et al. 2018): a sheet z = ½ k x², seen
 * with its normals up, has II_xx = k. Multiplied by l², with l the mean edge length of the mesh, curvatures are numbers of
 * the size of the other strains (section 4.2); what the sheet had at rest is taken off.
 *
 * Glossary:
 *   F   [x₁ − x₀, x₂ − x₀] Dm⁻¹, its columns f_u, f_v        gₑ  material gradient of the corner opposite to edge e
 *   A   twice the area of the triangle as it is              θₑ  angle between the normals across edge e, lₑ its length
 *
 * Vertices: the triangle x₀, x₁, x₂, then the neighbours' corners across the edges (0, 1), (1, 2), (2, 0), see `linkHylcElement`. An edge
 * without a neighbour adds nothing. Rest data: Dm⁻¹ row-major [1/m], area [m²], the places of those corners, l² [m²], l² II at rest.
 */
import { dotProduct } from "../../../math/dense";
import { NEIGHBOURS, neighbourPlace } from "../elements/hylc-neighbours";
import type { StrainMeasure } from "./strain";
import { atan2 } from "../../../math/deterministic";

/** Columns of F shorter than this have no direction. */
const SHORTEST = 1e-9;

const fu = new Float64Array(3);
const fv = new Float64Array(3);
const n = new Float64Array(3);
const e = new Float64Array(3);
const p = new Float64Array(3);
const q = new Float64Array(3);
const other = new Float64Array(3);
const crossed = new Float64Array(3);
/** ∇A of the corners */
const areaGradient = new Float64Array(9);
/** ∇φ of the corners of an edge, the corner across it in the triangle, and in the neighbour */
const gradient = new Float64Array(12);

export const hylcStrain: StrainMeasure = {
  arity: 6,
  dimension: 6,
  strain(x, rest, at, s) {
    columns(x, rest, at);
    const [a, b] = [length(fu), length(fv)];
    s[0] = a - 1;
    s[1] = dotProduct(fu, fv, 3) / (Math.max(SHORTEST, a) * Math.max(SHORTEST, b));
    s[2] = b - 1;
    for (let i = 0; i < 3; i++) s[3 + i] = -rest[at + 7 + i];
    const area = normal(x);
    for (let edge = 0; edge < 3; edge++) {
      const place = neighbourPlace(rest[at + NEIGHBOURS], edge);
      if (place === 0) continue;
      const phi = hinge(x, edge, place, area, false);
      for (let i = 0; i < 3; i++) s[3 + i] += phi * weight(rest, at, edge, i);
    }
  },
  jacobian(x, rest, at, jacobian) {
    jacobian.fill(0, 0, 108);
    columns(x, rest, at);
    const [a, b] = [Math.max(SHORTEST, length(fu)), Math.max(SHORTEST, length(fv))];
    const shear = dotProduct(fu, fv, 3) / (a * b);
    for (let vertex = 0; vertex < 3; vertex++) {
      const [gu, gv] = [hat(rest, at, vertex, 0), hat(rest, at, vertex, 1)];
      for (let c = 0; c < 3; c++) {
        const [u, v] = [fu[c] / a, fv[c] / b];
        const column = 3 * vertex + c;
        jacobian[column] = gu * u;
        jacobian[18 + column] = (gu / a) * (v - shear * u) + (gv / b) * (u - shear * v);
        jacobian[36 + column] = gv * v;
      }
    }
    const area = normal(x);
    if (!(area > 0)) return;
    for (let edge = 0; edge < 3; edge++) {
      const place = neighbourPlace(rest[at + NEIGHBOURS], edge);
      if (place === 0) continue;
      hinge(x, edge, place, area, true);
      const corners = [edge, (edge + 1) % 3, (edge + 2) % 3, place];
      for (let i = 0; i < 3; i++) {
        const w = weight(rest, at, edge, i);
        for (let k = 0; k < 4; k++)
          for (let c = 0; c < 3; c++) jacobian[18 * (3 + i) + 3 * corners[k] + c] += w * gradient[3 * k + c];
      }
    }
  },
};

/** f_u and f_v. */
function columns(x: Float64Array, rest: Float64Array, at: number): void {
  for (let c = 0; c < 3; c++) {
    const a = x[3 + c] - x[c];
    const b = x[6 + c] - x[c];
    fu[c] = a * rest[at] + b * rest[at + 2];
    fv[c] = a * rest[at + 1] + b * rest[at + 3];
  }
}

/** Component c of the material gradient of a corner's hat function: a row of Dm⁻¹, or minus their sum. */
function hat(rest: Float64Array, at: number, vertex: number, c: number): number {
  return vertex === 0 ? -rest[at + c] - rest[at + 2 + c] : rest[at + 2 * vertex - 2 + c];
}

/** Entry i of −l² gₑ gₑᵀ. */
function weight(rest: Float64Array, at: number, edge: number, i: number): number {
  const vertex = (edge + 2) % 3;
  const [u, v] = [hat(rest, at, vertex, 0), hat(rest, at, vertex, 1)];
  return -rest[at + 6] * (i === 0 ? u * u : i === 1 ? u * v : v * v);
}

/** The normal n, as long as twice the area, which is returned. */
function normal(x: Float64Array): number {
  difference(x, 1, 0, e);
  difference(x, 2, 0, p);
  cross(e, p, n);
  return length(n);
}

/** φₑ; with `derive` its gradient. The neighbour's corner is at a place of the element. */
function hinge(x: Float64Array, edge: number, place: number, area: number, derive: boolean): number {
  const [a, b, c] = [edge, (edge + 1) % 3, (edge + 2) % 3];
  difference(x, b, a, e);
  difference(x, place, a, q);
  cross(q, e, other);
  const l = length(e);
  if (derive) gradient.fill(0);
  const other2 = dotProduct(other, other, 3);
  if (!(l > 0 && other2 > 0 && area > 0)) return 0;
  cross(n, other, crossed);
  const theta = atan2(dotProduct(crossed, e, 3) / l, dotProduct(n, other, 3));
  const phi = (area * theta) / l;
  if (!derive) return phi;
  // ∇φ = (θ/l) ∇A + (A/l) ∇θ − (φ/l) ∇l, with ∇θ after Bridson, Marino and Fedkiw 2003
  difference(x, c, a, p);
  const along = dotProduct(p, e, 3) / (l * l);
  const beside = dotProduct(q, e, 3) / (l * l);
  areaGradients(x, area);
  for (let k = 0; k < 3; k++) {
    // area² = n·n
    const ua = n[k] / area;
    const ub = (area * other[k]) / other2;
    const stretch = (phi / l) * (e[k] / l);
    gradient[k] = (theta / l) * areaGradient[3 * a + k] + (1 - along) * ua + (1 - beside) * ub + stretch;
    gradient[3 + k] = (theta / l) * areaGradient[3 * b + k] + along * ua + beside * ub - stretch;
    gradient[6 + k] = (theta / l) * areaGradient[3 * c + k] - ua;
    gradient[9 + k] = -ub;
  }
  return phi;
}

function areaGradients(x: Float64Array, area: number): void {
  for (let vertex = 0; vertex < 3; vertex++) {
    const [i, j] = [3 * ((vertex + 1) % 3), 3 * ((vertex + 2) % 3)];
    for (let c = 0; c < 3; c++) {
      const [u, v] = [(c + 1) % 3, (c + 2) % 3];
      // n̂ × (x_j − x_i)
      areaGradient[3 * vertex + c] = (n[u] * (x[j + v] - x[i + v]) - n[v] * (x[j + u] - x[i + u])) / area;
    }
  }
}

function difference(x: Float64Array, i: number, j: number, out: Float64Array): void {
  for (let c = 0; c < 3; c++) out[c] = x[3 * i + c] - x[3 * j + c];
}

function length(a: Float64Array): number {
  return Math.sqrt(dotProduct(a, a, 3));
}

function cross(a: Float64Array, b: Float64Array, out: Float64Array): void {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}
