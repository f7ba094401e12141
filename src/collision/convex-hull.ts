import { PliantError } from "../errors";
import { acos, cos, sin } from "../math/deterministic";

/** Triangles of a convex hull, counter-clockwise seen from outside, as point indices; and what is above each. */
export interface Facet {
  readonly corners: readonly [number, number, number];
  readonly normal: readonly [number, number, number];
  readonly offset: number;
  readonly area: number;
  above: number[];
}

export interface Hull {
  readonly facets: readonly Facet[];
  /** Height [m] below which a point counts as in a plane: 1e-6 of the hull's size, the noise of coordinates in f32. */
  readonly tolerance: number;
}

/** A ridge sharper than this angle [rad] between normals gets bevel planes. */
const BEVEL = (80 * Math.PI) / 180;

/**
 * Planes (nx, ny, nz, d) of the convex hull of points (n × 3): the hull is where n·x ≤ d for all of them. Quickhull
 * (Barber, Dobkin & Huhdanpaa 1996). The offset of every plane is its support over all points, so that rounding can
 * never cut a point off.
 *
 * The largest n·x - d over the faces alone falls short of the distance by 1/cos(θ/2) outside a ridge with angle θ between
 * normals. Planes that touch the hull only at sharp ridges and corners are added to keep that factor small.
 *
 * @throws PliantError `degenerate-geometry` where the points lie in a plane
 */
export function convexHullPlanes(points: ArrayLike<number>, object = "convex hull"): Float64Array {
  const { facets: all, tolerance } = quickhull(points, object);
  // Slivers among nearly collinear points have no direction of their own; the faces beside them cover their place.
  const facets = all.filter((f) => f.area > 0);
  const planes: number[][] = [];
  // The largest facet of a face tells its normal best, so it comes first and the others join it.
  const sorted = [...facets].sort((a, b) => b.area - a.area);
  const faceOf = sorted.map(({ corners, normal }) => {
    const below = (plane: number[], corner: number): number => plane[3] - dot(plane, pointAt(points, corner));
    const known = planes.findIndex((plane) => corners.every((corner) => below(plane, corner) < 2 * tolerance));
    return known >= 0 ? known : planes.push([...normal, support(points, normal)]) - 1;
  });
  const normals = planes.map((plane) => plane.slice(0, 3));
  for (const normal of bevels(sorted, faceOf, normals)) planes.push([...normal, support(points, normal)]);
  return Float64Array.from(planes.flat());
}

/** Normals between those of faces that meet at a sharp ridge or corner. */
function bevels(facets: readonly Facet[], faceOf: readonly number[], normals: readonly number[][]): number[][] {
  const faceAtEdge = new Map<string, number>();
  const facesAtPoint = new Map<number, Set<number>>();
  facets.forEach(({ corners }, index) => {
    corners.forEach((corner, i) => {
      faceAtEdge.set(`${corner},${corners[(i + 1) % 3]}`, faceOf[index]);
      facesAtPoint.set(corner, (facesAtPoint.get(corner) ?? new Set()).add(faceOf[index]));
    });
  });
  const out: number[][] = [];
  for (const [edge, face] of faceAtEdge) {
    const [from, to] = edge.split(",");
    const other = faceAtEdge.get(`${to},${from}`);
    if (other === undefined || face >= other) continue;
    const angle = acos(Math.min(1, Math.max(-1, dot(normals[face], normals[other]))));
    const pieces = Math.ceil(angle / BEVEL);
    for (let i = 1; i < pieces; i++) out.push(slerp(normals[face], normals[other], angle, i / pieces));
  }
  for (const faces of facesAtPoint.values()) {
    const mean = normalised([...faces].reduce((sum, face) => add(sum, normals[face]), [0, 0, 0]));
    if (faces.size > 2 && mean && [...faces].some((face) => dot(mean, normals[face]) < cos(BEVEL / 2))) out.push(mean);
  }
  return out;
}

/**
 * The convex hull of points (n × 3) as triangles, among them slivers without area where points are nearly collinear.
 *
 * @throws PliantError `degenerate-geometry` where the points lie in a plane
 */
export function quickhull(points: ArrayLike<number>, object: string): Hull {
  const count = points.length / 3;
  const { corners, tolerance } = firstTetrahedron(points, object);
  const [a, b, c, d] = corners;
  let facets = [facet(points, a, b, c), facet(points, a, c, d), facet(points, a, d, b), facet(points, b, d, c)];
  assign(
    points,
    Array.from({ length: count }, (_, i) => i),
    facets,
    tolerance,
  );
  for (let current = facets.find(hasPoints); current; current = facets.find(hasPoints)) {
    const apex = furthest(points, current);
    const visible = new Set(facets.filter((f) => height(points, f, apex) > tolerance));
    const edges = new Set<string>();
    for (const f of visible) f.corners.forEach((corner, i) => edges.add(`${corner},${f.corners[(i + 1) % 3]}`));
    const fresh: Facet[] = [];
    for (const edge of edges) {
      const [from, to] = edge.split(",").map(Number);
      if (!edges.has(`${to},${from}`)) fresh.push(facet(points, from, to, apex));
    }
    const orphans = [...visible].flatMap((f) => f.above).filter((point) => point !== apex);
    assign(points, orphans, fresh, tolerance);
    facets = [...facets.filter((f) => !visible.has(f)), ...fresh];
  }
  return { facets, tolerance };
}

const hasPoints = (f: Facet): boolean => f.above.length > 0;

/** Puts each point into the list of the facet that it is highest above, if it is above any. */
function assign(points: ArrayLike<number>, candidates: readonly number[], facets: Facet[], tolerance: number): void {
  for (const point of candidates) {
    let best = tolerance;
    let chosen: Facet | undefined;
    for (const f of facets) {
      const h = height(points, f, point);
      if (h > best) [best, chosen] = [h, f];
    }
    chosen?.above.push(point);
  }
}

function furthest(points: ArrayLike<number>, f: Facet): number {
  return f.above.reduce((best, point) => (height(points, f, point) > height(points, f, best) ? point : best));
}

/** Four points that span a volume, positively oriented, and the height below which a point counts as in a plane. */
function firstTetrahedron(points: ArrayLike<number>, object: string): { corners: number[]; tolerance: number } {
  const count = points.length / 3;
  const at = (i: number): number[] => pointAt(points, i);
  const largest = (measure: (p: number[]) => number): number => {
    let best = 0;
    let value = -Infinity;
    for (let i = 0; i < count; i++) {
      const m = measure(at(i));
      if (m > value) [best, value] = [i, m];
    }
    return best;
  };
  const first = at(largest((p) => p[0]));
  const a = largest((p) => dot(subtract(p, first), subtract(p, first)));
  const origin = at(a);
  const b = largest((p) => dot(subtract(p, origin), subtract(p, origin)));
  const axis = subtract(at(b), origin);
  const c = largest((p) => squared(cross(axis, subtract(p, origin))));
  const normal = normalised(cross(axis, subtract(at(c), origin)));
  const d = normal ? largest((p) => Math.abs(dot(normal, subtract(p, origin)))) : 0;
  const size = Math.sqrt(squared(axis));
  const volume = normal ? dot(normal, subtract(at(d), origin)) : 0;
  if (!(Math.abs(volume) > 1e-6 * size)) {
    throw new PliantError(
      "degenerate-geometry",
      object,
      volume,
      "points must not lie in one plane; flatness in metres",
    );
  }
  return { corners: volume < 0 ? [a, b, c, d] : [a, c, b, d], tolerance: 1e-6 * size };
}

function facet(points: ArrayLike<number>, a: number, b: number, c: number): Facet {
  const p = [a, b, c].map((i) => pointAt(points, i));
  const product = cross(subtract(p[1], p[0]), subtract(p[2], p[0]));
  const n = normalised(product) ?? [0, 0, 0];
  const area = Math.sqrt(squared(product)) / 2;
  return { corners: [a, b, c], normal: [n[0], n[1], n[2]], offset: dot(n, p[0]), area, above: [] };
}

const pointAt = (points: ArrayLike<number>, i: number): number[] => [
  points[3 * i],
  points[3 * i + 1],
  points[3 * i + 2],
];

function height(points: ArrayLike<number>, { normal, offset }: Facet, i: number): number {
  return normal[0] * points[3 * i] + normal[1] * points[3 * i + 1] + normal[2] * points[3 * i + 2] - offset;
}

function support(points: ArrayLike<number>, n: readonly number[]): number {
  let most = -Infinity;
  for (let i = 0; i < points.length; i += 3) {
    most = Math.max(most, n[0] * points[i] + n[1] * points[i + 1] + n[2] * points[i + 2]);
  }
  return most;
}

const add = (a: readonly number[], b: readonly number[]): number[] => a.map((value, i) => value + b[i]);
const subtract = (a: readonly number[], b: readonly number[]): number[] => a.map((value, i) => value - b[i]);
const dot = (a: readonly number[], b: readonly number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const squared = (a: readonly number[]): number => dot(a, a);
const cross = (a: readonly number[], b: readonly number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function normalised(v: readonly number[]): number[] | undefined {
  const length = Math.sqrt(squared(v));
  return length > 1e-300 ? v.map((value) => value / length) : undefined;
}

function slerp(a: readonly number[], b: readonly number[], angle: number, t: number): number[] {
  const s = sin(angle);
  // Opposite normals (a plate of no thickness) do not occur: flat hulls are refused.
  return a.map((value, i) => (sin((1 - t) * angle) * value + sin(t * angle) * b[i]) / s);
}
