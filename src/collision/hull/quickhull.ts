import { degenerate } from "../../errors";
import { Lattice, LatticePlane } from "./lattice";

/** A triangle of a convex hull, counter-clockwise seen from outside, as point indices. */
export interface Facet {
  readonly corners: readonly [number, number, number];
  /** unit, outward */
  readonly normal: readonly [number, number, number];
  /** [m²] */
  readonly area: number;
  /** indices of the facets across the edges from corner k to corner k + 1 */
  readonly neighbours: readonly [number, number, number];
}

export interface Hull {
  /** n × 3 [m]: the given points; if these are flat, each of them twice, a little apart */
  readonly points: ArrayLike<number>;
  readonly facets: readonly Facet[];
  /** Height [m] below which a point counts as on a plane: 1e-6 of the hull's size, the noise of coordinates in f32. */
  readonly tolerance: number;
}

/** A point becomes a corner only if it is outside the hull by at least this many lattice cells: 3.6e-7 of the size. */
const OUTSIDE = 6;
/** Points span more than a plane, or a line, only if they leave it by at least this many cells. */
const FLAT = 16;
/** Largest difference of a facet's normal from the lattice's: with more, points across the hull would be outside. */
const ROUGH = 2e-7;
/** Half the thickness of the hull of flat points, as a part of their size. */
const THIN = 1e-4;

/** A facet under construction, with its neighbors and the conflict graph's list of points above it. */
class Face {
  readonly neighbours: Face[] = [];
  readonly plane: LatticePlane;
  /** points that are above this face and above no earlier one */
  readonly above: number[] = [];
  furthest = -1;
  /** height of that point, in cells */
  height = 0;
  isGone = false;
  place = -1;

  constructor(
    lattice: Lattice,
    readonly corners: readonly [number, number, number],
  ) {
    this.plane = new LatticePlane(lattice, ...corners);
  }

  put(point: number, height: number): void {
    this.above.push(point);
    if (height <= this.height) return;
    this.height = height;
    this.furthest = point;
  }
}

/**
 * The convex hull of points (n × 3, meters, finite) as triangles: Quickhull (Barber, Dobkin & Huhdanpaa 1996) on a
 * lattice as fine as f32, on which visibility of facets is exact. The horizon around the facets that a point sees is
 * then always one closed loop, and the hull is closed, with 2 V − 4 facets, all of positive area. Points that are
 * outside the hull by less than 3.6e-7 of its size do not become corners.
 *
 * The hull of flat points gets a thickness of 2e-4 of their size.
 *
 * @param maxVertices largest number of corners of the hull; it takes those that stick out most, and the other points
 * may be outside
 * @throws PliantError `degenerate-geometry` if the points lie on a line or coincide
 */
export function quickhull(points: ArrayLike<number>, object: string, maxVertices = Infinity): Hull {
  const lattice = new Lattice(points);
  const first = firstTetrahedron(lattice, object);
  if (first.length < 4) return quickhull(thickened(points, lattice, first), object, maxVertices);
  const [a, b, c, d] = first;
  let live = linked([
    new Face(lattice, [a, b, c]),
    new Face(lattice, [a, c, d]),
    new Face(lattice, [a, d, b]),
    new Face(lattice, [b, d, c]),
  ]);
  const everything = Array.from({ length: lattice.count }, (_, i) => i);
  let doubtful: number[] = [];
  assign(everything, live, doubtful);
  let corners = 4;
  const pending = [...live];
  while (corners < maxVertices) {
    const face = maxVertices < Infinity ? highest(live) : nextOf(pending);
    if (!face) {
      // A point hardly above the faces tested so far may be far above others.
      live = live.filter(({ isGone }) => !isGone);
      const still: number[] = [];
      assign(doubtful, live, still);
      const isDone = still.length === doubtful.length;
      doubtful = still;
      if (isDone) break;
      for (const one of live) pending.push(one);
      continue;
    }
    const { furthest } = face;
    const { seen, fresh } = cone(lattice, face, furthest);
    for (const gone of seen) assign(gone.above, fresh, doubtful, furthest);
    pending.push(...fresh);
    if (maxVertices < Infinity) {
      live = [...live.filter(({ isGone }) => !isGone), ...fresh];
      corners = live.length / 2 + 2;
    } else live.push(...fresh);
  }
  return { points, facets: facetsOf(points, lattice, live), tolerance: 1e-6 * diagonal(lattice) };
}

/** The four faces of a tetrahedron a b c d with their neighbors. */
function linked(faces: Face[]): Face[] {
  const [abc, acd, adb, bdc] = faces;
  abc.neighbours.push(adb, bdc, acd);
  acd.neighbours.push(abc, bdc, adb);
  adb.neighbours.push(acd, bdc, abc);
  bdc.neighbours.push(adb, acd, abc);
  return faces;
}

function nextOf(pending: Face[]): Face | undefined {
  for (let face = pending.pop(); face; face = pending.pop()) if (!face.isGone && face.furthest >= 0) return face;
  return undefined;
}

function highest(faces: readonly Face[]): Face | undefined {
  let best: Face | undefined;
  for (const face of faces) if (face.furthest >= 0 && (!best || face.height > best.height)) best = face;
  return best;
}

/**
 * Puts each point into the list of the face that it is highest above, or into `doubtful` if that height is close to
 * zero. A point above no face is inside.
 */
function assign(candidates: readonly number[], faces: readonly Face[], doubtful: number[], except = -1): void {
  for (const point of candidates) {
    if (point === except) continue;
    let best = 0;
    let chosen: Face | undefined;
    for (const face of faces) {
      const height = face.plane.side(point) * face.plane.scale;
      if (height > best) [best, chosen] = [height, face];
    }
    if (best > OUTSIDE) chosen?.put(point, best);
    else if (best > 0) doubtful.push(point);
  }
}

/** Removes all faces that a point sees, starting from one of them, and closes the gap with a cone of new faces. */
function cone(lattice: Lattice, start: Face, apex: number): { seen: Face[]; fresh: Face[] } {
  const seen = [start];
  start.isGone = true;
  /** new faces by their first corner */
  const rim = new Map<number, Face>();
  for (const face of seen)
    face.neighbours.forEach((across, k) => {
      if (across.isGone) return;
      if (across.plane.side(apex) > 0) {
        across.isGone = true;
        seen.push(across);
      } else {
        const fresh = new Face(lattice, [face.corners[k], face.corners[(k + 1) % 3], apex]);
        fresh.neighbours[0] = across;
        across.neighbours[across.neighbours.indexOf(face)] = fresh;
        rim.set(fresh.corners[0], fresh);
      }
    });
  const fresh = [...rim.values()];
  for (const face of fresh) {
    const next = rim.get(face.corners[1])!;
    face.neighbours[1] = next;
    next.neighbours[2] = face;
  }
  return { seen, fresh };
}

function facetsOf(points: ArrayLike<number>, lattice: Lattice, faces: readonly Face[]): Facet[] {
  const live = faces.filter(({ isGone }) => !isGone);
  live.forEach((face, i) => (face.place = i));
  const { unit } = lattice;
  return live.map(({ corners, plane, neighbours: [p, q, r] }) => ({
    corners,
    normal: exactNormal(points, corners, plane.normal),
    area: (unit * unit) / (2 * plane.scale),
    neighbours: [p.place, q.place, r.place],
  }));
}

/** Normal of a facet from the points. Of small facets and slivers it has few digits: theirs comes from the lattice. */
function exactNormal(
  p: ArrayLike<number>,
  [a, b, c]: readonly number[],
  rough: readonly [number, number, number],
): readonly [number, number, number] {
  const u = [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k]);
  const v = [0, 1, 2].map((k) => p[3 * c + k] - p[3 * a + k]);
  const [x, y, z] = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.sqrt(x * x + y * y + z * z);
  const n = [x / length, y / length, z / length] as const;
  return n.every((value, k) => Math.abs(value - rough[k]) < ROUGH) ? n : rough;
}

/**
 * Points that span a volume, positively oriented: a far pair, the point furthest from their line, and the point
 * furthest from the plane of the three; without the last one if all points are in that plane.
 */
function firstTetrahedron(lattice: Lattice, object: string): number[] {
  const { points: p, count, unit } = lattice;
  const furthest = (measure: (point: number) => number): number => {
    let [best, most] = [0, -Infinity];
    for (let i = 0; i < count; i++) {
      const value = measure(i);
      if (value > most) [best, most] = [i, value];
    }
    return best;
  };
  const squared = (i: number, j: number): number => {
    const [x, y, z] = [0, 1, 2].map((k) => p[3 * i + k] - p[3 * j + k]);
    return x * x + y * y + z * z;
  };
  const start = furthest((i) => p[3 * i] + p[3 * i + 1] + p[3 * i + 2]);
  const a = furthest((i) => squared(i, start));
  const b = furthest((i) => squared(i, a));
  if (!(squared(a, b) > 0)) throw degenerate(object, lattice.count, "points must not be one point");
  const area = (i: number): number => 1 / new LatticePlane(lattice, a, b, i).scale;
  const c = furthest(area);
  if (area(c) < FLAT * Math.sqrt(squared(a, b)))
    throw degenerate(
      object,
      (area(c) / Math.sqrt(squared(a, b))) * unit,
      "points must not lie on one line; how far they are off it in metres",
    );
  const plane = new LatticePlane(lattice, a, b, c);
  const d = furthest((i) => Math.abs(plane.side(i)));
  const height = plane.side(d) * plane.scale;
  if (Math.abs(height) < FLAT) return [a, b, c];
  return height < 0 ? [a, b, c, d] : [a, c, b, d];
}

/** Flat points, each of them twice: above and below their plane. */
function thickened(points: ArrayLike<number>, lattice: Lattice, [a, b, c]: readonly number[]): Float64Array {
  const n = new LatticePlane(lattice, a, b, c).normal;
  const half = THIN * diagonal(lattice);
  return Float64Array.from({ length: 2 * points.length }, (_, i) => {
    const k = i % points.length;
    return points[k] + (i < points.length ? half : -half) * n[k % 3];
  });
}

/** Diagonal of the box around the points [m]. */
function diagonal({ points, unit }: Lattice): number {
  const most = [0, 0, 0];
  for (let i = 0; i < points.length; i++) most[i % 3] = Math.max(most[i % 3], points[i]);
  return unit * Math.sqrt(most[0] * most[0] + most[1] * most[1] + most[2] * most[2]);
}
