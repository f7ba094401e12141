/**
 * Curvature of a sheet of triangles, from the angles at which they meet: one tensor a triangle, right on any mesh.
 *
 * A slightly bent sheet, z = w(x), has slopes at its edges: the plane of a triangle differs from the slope at the
 * middle of edge e by a turn θₑᵀ about e, and by Green's theorem
 *
 *     κ = (1/A) Σₑ lₑ θₑᵀ nₑ nₑᵀ                                (Morley 1968; Grinspun et al. 2006, "mid-edge normals")
 *
 * over the three edges. The turns from both triangles to the edge add up to the angle between them, θₑ = θₑᵀ + θₑᴺ. A
 * split into equal halves is right only on meshes of equal parallelograms. Here the half has a correction,
 *
 *     θₑᵀ = ½ θₑ + Σ_f β_f θ_f,
 *
 * with the angles of the five edges of both triangles, and the smallest β that make the result exact for constant κ;
 * for the neighbor, the correction has the opposite sign. So two things hold on every mesh: each triangle of a sheet
 * of constant curvature has that curvature, and the sheet is in balance, because ∫κ of any motion of inner vertices is
 * zero. With only one of these properties, bending is too stiff or too soft by a tenth to a half on irregular meshes.
 *
 * An edge without a neighbor has the slope of least energy; see `bendingStrain` of materials/sheet-bending.ts.
 *
 * Curved sheets are unfolded about the edges; angles are then relative to those at rest.
 */
import { solveCholesky } from "../../math/dense";
import { nextCorner, oppositeCorner } from "./twin-sides";
import { distanceBetween, lengthAt, lengthOf } from "../../math/vectors";

/** Linear map from angles to κ of one triangle. */
export interface TriangleCurvature {
  /** [m²] */
  area: number;
  /**
   * four vertices each: start and end of the edge, then the corners opposite to the edge, starting with the one on the
   * side of the triangle
   */
  hinges: number[];
  /**
   * three an angle: derivatives of κ_xx, κ_yy, κ_xy by the angle [1/m]; x is along the first side of the triangle, y in
   * its plane
   */
  weights: number[];
  /** nₑ of the sides without a neighbor, two numbers each */
  free: number[];
}

/** A correction that changes κ by less than this part is left out. */
const NEGLIGIBLE = 0.03;
/** Regularization, as a part of the mean square of the five angles: bounds β if these hardly distinguish curvatures. */
const RIDGE = 3e-4;
/** A neighbor lower over the edge than this part of the edge's length counts as having no area. */
const LEAST_HEIGHT = 1e-6;

/** Places of a patch: the triangle's corners, those across its sides, and across each neighbor's other sides. */
const PLACES = 12;

/**
 * Hinges by places: start and end, own corner, corner across. The three sides of the triangle come first, then the two
 * other sides of each neighbor.
 */
const patchHinges: readonly (readonly [number, number, number, number])[] = [
  [0, 1, 2, 3],
  [1, 2, 0, 4],
  [2, 0, 1, 5],
  [0, 3, 1, 6],
  [3, 1, 0, 7],
  [1, 4, 2, 8],
  [4, 2, 1, 9],
  [2, 5, 0, 10],
  [5, 0, 2, 11],
];

/** Vertex at each place, −1 for none. */
const vertices = new Int32Array(PLACES);
/** The patch, unfolded into the plane of its triangle: x, y and 0 of each place [m]. */
const plane = new Float64Array(3 * PLACES);
/**
 * For each hinge, derivatives of its angle by curvatures κ_xx, κ_yy and √2 κ_xy [m], and the length (A + A')/l by which
 * its angle is divided to get the curvature across it [m].
 */
const response = new Float64Array(3 * patchHinges.length);
const span = new Float64Array(patchHinges.length);
const correction = new Float64Array(3);
const normalMatrix = new Float64Array(9);
/** four weights of a hinge */
const jump = new Float64Array(4);

/**
 * @param positions at rest, three a vertex [m]
 * @param indices vertices of triangles, all of positive area
 * @param twins result of `twinSides`; some may be removed (−1)
 */
export function triangleCurvature(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  twins: ArrayLike<number>,
  triangle: number,
): TriangleCurvature {
  findPatch(positions, indices, twins, triangle);
  for (let h = 0; h < patchHinges.length; h++) if (isHinge(h)) respond(h);
  const area = 0.5 * plane[3] * plane[7];
  const weights = new Float64Array(3 * patchHinges.length);
  const free: number[] = [];
  for (let k = 0; k < 3; k++) {
    const [a, b] = [3 * k, 3 * ((k + 1) % 3)];
    const [ex, ey] = [plane[b] - plane[a], plane[b + 1] - plane[a + 1]];
    const length = lengthOf(ex, ey);
    const [nx, ny] = [ey / length, -ex / length];
    if (vertices[3 + k] < 0) {
      free.push(nx, ny);
      continue;
    }
    const turn = [(length / area) * nx * nx, (length / area) * ny * ny, (length / area) * nx * ny];
    const add = (h: number, beta: number): void => turn.forEach((value, i) => (weights[3 * h + i] += beta * value));
    add(k, 0.5);
    if (correct(k, length, area)) for (const h of [0, 1, 2, 3 + 2 * k, 4 + 2 * k]) add(h, betaOf(h));
  }
  const found: TriangleCurvature = { area, hinges: [], weights: [], free };
  patchHinges.forEach((places, h) => {
    const own = weights.subarray(3 * h, 3 * h + 3);
    if (own.every((weight) => weight === 0)) return;
    for (const place of places) found.hinges.push(vertices[place]);
    found.weights.push(...own);
  });
  return found;
}

/**
 * The jump of the slope across the edge of a hinge in a sheet z = w(x): ν·∇w on the far side minus the same on the own
 * side, with ν pointing to the far side. The results are weights of w at start, end, own corner and corner across
 * [1/m]. A plane has no jump.
 */
export function slopeJump(
  positions: ArrayLike<number>,
  hinge: ArrayLike<number>,
  out: Float64Array,
): { own: Apex; across: Apex } {
  const [a, b] = [3 * hinge[0], 3 * hinge[1]];
  const length = distanceBetween(positions, b, a);
  const [own, across] = [apex(positions, a, b, 3 * hinge[2]), apex(positions, a, b, 3 * hinge[3])];
  jumpOf(length, own.along, own.height, across.along, across.height, out);
  return { own, across };
}

function jumpOf(length: number, x: number, height: number, farX: number, farHeight: number, out: Float64Array): void {
  const [t, far] = [x / length, farX / length];
  out[0] = -(1 - t) / height - (1 - far) / farHeight;
  out[1] = -t / height - far / farHeight;
  out[2] = 1 / height;
  out[3] = 1 / farHeight;
}

/** Position of a corner relative to an edge: distance along it, and height over it [m]. */
interface Apex {
  readonly along: number;
  readonly height: number;
}

/** @param a, b ends of the edge, p the corner; offsets into positions */
function apex(x: ArrayLike<number>, a: number, b: number, p: number): Apex {
  const [ex, ey, ez] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [px, py, pz] = [x[p] - x[a], x[p + 1] - x[a + 1], x[p + 2] - x[a + 2]];
  const length = lengthOf(ex, ey, ez);
  const along = (ex * px + ey * py + ez * pz) / length;
  const height = lengthOf(ey * pz - ez * py, ez * px - ex * pz, ex * py - ey * px) / length;
  return { along, height };
}

/** Fills `vertices` and `plane`. */
function findPatch(x: ArrayLike<number>, indices: ArrayLike<number>, twins: ArrayLike<number>, triangle: number): void {
  vertices.fill(-1);
  const first = 3 * triangle;
  for (let k = 0; k < 3; k++) vertices[k] = indices[first + k]!;
  const { along, height } = apex(x, 3 * vertices[0], 3 * vertices[1], 3 * vertices[2]);
  const length = distanceBetween(x, 3 * vertices[1], 3 * vertices[0]);
  plane.set([0, 0, 0, length, 0, 0, along, height]);
  for (let k = 0; k < 3; k++) {
    const twin = twins[first + k];
    if (twin < 0) continue;
    const [start, end] = [k, (k + 1) % 3];
    unfold(x, start, end, indices[oppositeCorner(twin)], 3 + k);
    if (vertices[3 + k] < 0) continue;
    // the neighbor traverses the edge in the opposite direction, unless the mesh is not oriented
    const isOpposed = indices[twin] !== vertices[start];
    const [toStart, toEnd] = [nextCorner(twin), oppositeCorner(twin)];
    const besideStart = twins[isOpposed ? toStart : toEnd];
    const besideEnd = twins[isOpposed ? toEnd : toStart];
    if (besideStart >= 0) unfold(x, start, 3 + k, indices[oppositeCorner(besideStart)], 6 + 2 * k);
    if (besideEnd >= 0) unfold(x, 3 + k, end, indices[oppositeCorner(besideEnd)], 7 + 2 * k);
  }
}

/** Puts a vertex at a place, to the right of the edge between two others, unless that triangle has no area. */
function unfold(x: ArrayLike<number>, start: number, end: number, vertex: number, place: number): void {
  const { along, height } = apex(x, 3 * vertices[start], 3 * vertices[end], 3 * vertex);
  const [ex, ey] = [plane[3 * end] - plane[3 * start], plane[3 * end + 1] - plane[3 * start + 1]];
  const length = lengthOf(ex, ey);
  if (!(height > LEAST_HEIGHT * length)) return;
  vertices[place] = vertex;
  plane[3 * place] = plane[3 * start] + (along * ex + height * ey) / length;
  plane[3 * place + 1] = plane[3 * start + 1] + (along * ey - height * ex) / length;
}

function isHinge(h: number): boolean {
  return vertices[patchHinges[h][3]] >= 0;
}

/** Fills `response` and `span` of a hinge. */
function respond(h: number): void {
  const { own, across } = slopeJump(plane, patchHinges[h], jump);
  response.fill(0, 3 * h, 3 * h + 3);
  addSlope(patchHinges[h], response, 3 * h);
  span[h] = 0.5 * (own.height + across.height);
}

/** Applies `jump` to heights w = ½ xᵀκx at the places of a hinge; adds derivatives by κ_xx, κ_yy and √2 κ_xy [m]. */
function addSlope(places: readonly number[], out: Float64Array, at: number): void {
  places.forEach((place, i) => {
    const [x, y] = [plane[3 * place], plane[3 * place + 1]];
    out[at] += 0.5 * jump[i] * x * x;
    out[at + 1] += 0.5 * jump[i] * y * y;
    out[at + 2] += Math.SQRT1_2 * jump[i] * x * y;
  });
}

/** Solves for β of side k, which `betaOf` then returns. @returns false if half the angle is good enough */
function correct(k: number, length: number, area: number): boolean {
  // for w = ½ xᵀκx: slope across the edge at its middle, minus that of the plane through the corners, minus half the
  // angle
  const [a, b] = [3 * k, 3 * ((k + 1) % 3)];
  const [nx, ny] = [(plane[b + 1] - plane[a + 1]) / length, (plane[a] - plane[b]) / length];
  const [x, y] = [0.5 * (plane[a] + plane[b]), 0.5 * (plane[a + 1] + plane[b + 1])];
  correction.set([nx * x, ny * y, Math.SQRT1_2 * (nx * y + ny * x)]);
  const { along, height } = apex(plane, a, b, 3 * ((k + 2) % 3));
  jumpOf(length, along, height, 0, Infinity, jump);
  addSlope(patchHinges[k].slice(0, 3), correction, 0);
  for (let i = 0; i < 3; i++) correction[i] -= 0.5 * response[3 * k + i];
  const farArea = span[k] * length - area;
  const size = lengthAt(correction, 0);
  if (size * length < NEGLIGIBLE * Math.min(area, farArea)) return false;
  normalMatrix.fill(0);
  for (const h of [0, 1, 2, 3 + 2 * k, 4 + 2 * k]) {
    if (!isHinge(h)) continue;
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) normalMatrix[3 * i + j] += (response[3 * h + i] * response[3 * h + j]) / span[h] ** 2;
  }
  const ridge = RIDGE * (normalMatrix[0] + normalMatrix[4] + normalMatrix[8]);
  for (let i = 0; i < 9; i += 4) normalMatrix[i] += ridge;
  return solveCholesky(normalMatrix, correction, 3);
}

function betaOf(h: number): number {
  if (!isHinge(h)) return 0;
  const at = 3 * h;
  const sum = response[at] * correction[0] + response[at + 1] * correction[1] + response[at + 2] * correction[2];
  return sum / span[h] ** 2;
}
