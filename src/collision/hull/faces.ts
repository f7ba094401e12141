import type { Facet, Hull } from "./quickhull";

/** A flat face of a convex hull. */
export interface HullFace {
  /** corners as point indices, counter-clockwise seen from outside */
  readonly loop: readonly number[];
  /** unit, outward: normal of the largest facet */
  readonly normal: readonly [number, number, number];
  /** largest n·x of its facets' corners [m]: no point of the hull is further out by more than rounding */
  readonly offset: number;
}

/**
 * Faces of a hull: coplanar facets become one face, and points inside faces and edges are no corners. The faces close
 * the hull as the facets do: each edge is traversed once in each direction. Coplanar facets that cannot form one face
 * stay triangles.
 */
export function facesOf({ points, facets, tolerance }: Hull): HullFace[] {
  const faceOf = (group: readonly number[], loop: readonly number[]): HullFace => {
    const { normal } = facets[group[0]];
    let offset = -Infinity;
    for (const f of group) for (const c of facets[f].corners) offset = Math.max(offset, along(points, normal, c));
    return { loop, normal, offset };
  };
  const triangle = (f: number): HullFace => faceOf([f], facets[f].corners);
  const groups = groupFacets(points, facets, 2 * tolerance).flatMap((group) => {
    const loop = group.length > 1 ? outline(group, facets) : facets[group[0]].corners;
    return loop ? [faceOf(group, loop)] : group.map(triangle);
  });
  const faces = simplify(groups);
  return isClosed(faces) ? faces : facets.map((_, f) => triangle(f));
}

/** Groups coplanar facets, the largest first. Slivers join a face that they lie in. */
function groupFacets(points: ArrayLike<number>, facets: readonly Facet[], tolerance: number): number[][] {
  const order = facets.map((_, i) => i).sort((a, b) => facets[b].area - facets[a].area || a - b);
  const taken = new Uint8Array(facets.length);
  const groups: number[][] = [];
  for (const seed of order) {
    if (taken[seed]) continue;
    const { normal, corners } = facets[seed];
    const offset = Math.max(...corners.map((c) => along(points, normal, c)));
    const group = [seed];
    taken[seed] = 1;
    for (let i = 0; i < group.length; i++)
      for (const f of facets[group[i]].neighbours) {
        if (taken[f] || !facets[f].corners.every((c) => offset - along(points, normal, c) < tolerance)) continue;
        taken[f] = 1;
        group.push(f);
      }
    groups.push(group);
  }
  return groups;
}

/** n·x of a point. */
function along(p: ArrayLike<number>, n: readonly number[], i: number): number {
  return n[0] * p[3 * i] + n[1] * p[3 * i + 1] + n[2] * p[3 * i + 2];
}

/** Corners around a group of facets, counter-clockwise; undefined if its border is not one loop. */
function outline(group: readonly number[], facets: readonly Facet[]): number[] | undefined {
  const own = new Set(group);
  const next = new Map<number, number>();
  let sides = 0;
  for (const f of group)
    facets[f].neighbours.forEach((across, k) => {
      if (own.has(across)) return;
      sides++;
      next.set(facets[f].corners[k], facets[f].corners[(k + 1) % 3]);
    });
  if (sides === 0 || next.size !== sides) return undefined;
  const [first] = next.keys();
  const loop = [first];
  for (let at = next.get(first)!; at !== first; at = next.get(at)!) loop.push(at);
  return loop.length === sides ? loop : undefined;
}

/** Removes points at which only two faces meet, inside an edge. A sliver with only such points disappears with them. */
function simplify(faces: readonly HullFace[]): HullFace[] {
  const count = new Map<number, number>();
  for (const { loop } of faces) for (const corner of loop) count.set(corner, (count.get(corner) ?? 0) + 1);
  return faces
    .map((face) => ({ ...face, loop: face.loop.filter((corner) => count.get(corner)! > 2) }))
    .filter(({ loop }) => loop.length > 2);
}

/** Whether each edge has one face on either side, wound alike, and Euler's formula V − E + F = 2 holds. */
function isClosed(faces: readonly HullFace[]): boolean {
  const sides = new Set<string>();
  const corners = new Set<number>();
  let count = 0;
  for (const { loop } of faces)
    loop.forEach((corner, k) => {
      corners.add(corner);
      sides.add(`${corner},${loop[(k + 1) % loop.length]}`);
      count++;
    });
  if (sides.size !== count) return false;
  for (const side of sides) {
    const [from, to] = side.split(",");
    if (!sides.has(`${to},${from}`)) return false;
  }
  return corners.size - count / 2 + faces.length === 2;
}
