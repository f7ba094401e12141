import { quickhull, type Facet } from "../convex-hull";
import { type Convex, hullConvex } from "./convex";

/**
 * The convex hull of points (n × 3) as a polytope: facets in one plane make one face, and points inside of faces and
 * edges go.
 *
 * @throws PliantError `degenerate-geometry` where the points lie in a plane
 */
export function hullOf(points: Float64Array, object = "convex hull"): Convex {
  const { facets, tolerance } = quickhull(points, object);
  const neighbours = neighboursOf(facets);
  const groups = groupFacets(points, facets, neighbours, 2 * tolerance);
  const loops = simplify(groups.map((group) => outline(group, facets)));
  const used = [...new Set(loops.flat())].sort((a, b) => a - b);
  const place = new Map(used.map((point, i) => [point, i]));
  const vertices = Float64Array.from(used.flatMap((i) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]]));
  const normals = Float64Array.from(groups.flatMap(([largest]) => [...facets[largest].normal]));
  const offsets = Float64Array.from(groups, (_, face) => {
    let most = -Infinity;
    for (let i = 0; i < vertices.length; i += 3) {
      const d =
        normals[3 * face] * vertices[i] +
        normals[3 * face + 1] * vertices[i + 1] +
        normals[3 * face + 2] * vertices[i + 2];
      most = Math.max(most, d);
    }
    return most;
  });
  return hullConvex(
    vertices,
    loops.map((loop) => loop.map((point) => place.get(point)!)),
    normals,
    offsets,
  );
}

/** Facets across the three sides of each facet. */
function neighboursOf(facets: readonly Facet[]): number[][] {
  const left = new Map<string, number>();
  facets.forEach(({ corners }, f) => corners.forEach((c, i) => left.set(`${c},${corners[(i + 1) % 3]}`, f)));
  return facets.map(({ corners }) => corners.map((c, i) => left.get(`${corners[(i + 1) % 3]},${c}`)!));
}

/** Facets in one plane, the largest first. Slivers join a face that they lie in. */
function groupFacets(
  points: Float64Array,
  facets: readonly Facet[],
  neighbours: readonly number[][],
  tolerance: number,
): number[][] {
  const order = facets.map((_, i) => i).sort((a, b) => facets[b].area - facets[a].area || a - b);
  const taken = new Uint8Array(facets.length);
  const groups: number[][] = [];
  for (const seed of order) {
    if (taken[seed]) continue;
    const { normal, offset } = facets[seed];
    const group = [seed];
    taken[seed] = 1;
    for (let i = 0; i < group.length; i++) {
      for (const f of neighbours[group[i]]) {
        if (taken[f] || !facets[f].corners.every((c) => offset - heightAlong(points, normal, c) < tolerance)) continue;
        taken[f] = 1;
        group.push(f);
      }
    }
    groups.push(group);
  }
  return groups;
}

const heightAlong = (p: Float64Array, n: readonly number[], i: number): number =>
  n[0] * p[3 * i] + n[1] * p[3 * i + 1] + n[2] * p[3 * i + 2];

/** Corners around a group of facets, counter-clockwise. */
function outline(group: readonly number[], facets: readonly Facet[]): number[] {
  const next = new Map<number, number>();
  const sides = new Set<string>();
  for (const f of group) facets[f].corners.forEach((c, i, all) => sides.add(`${c},${all[(i + 1) % 3]}`));
  for (const side of sides) {
    const [from, to] = side.split(",").map(Number);
    if (!sides.has(`${to},${from}`)) next.set(from, to);
  }
  const first = Math.min(...next.keys());
  const loop = [first];
  for (let at = next.get(first)!; at !== first && loop.length <= next.size; at = next.get(at)!) loop.push(at);
  return loop;
}

/** Points at which only two faces meet lie inside of an edge. */
function simplify(loops: readonly number[][]): number[][] {
  const faces = new Map<number, number>();
  for (const loop of loops) for (const corner of loop) faces.set(corner, (faces.get(corner) ?? 0) + 1);
  return loops.map((loop) => loop.filter((corner) => faces.get(corner)! > 2));
}
