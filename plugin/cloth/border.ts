import { boxOf } from "../../src/geometry/box";
import { DisjointSets } from "../../src/math/disjoint-sets";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { degenerate, invalid } from "../../src/errors";

/** Sides of a cloth, in the axes of its original mesh: see `ClothAggregate.pinEdge`. */
export type ClothSide = "top" | "bottom" | "left" | "right";

const sides: readonly ClothSide[] = ["top", "bottom", "left", "right"];
/** A mesh that is thinner along an axis than this part of its size lies perpendicular to the axis. */
const FLAT = 0.1;
/** A border belongs to a side if it is nearer to the outermost place than this part of the mesh's size. */
const NEAR = 0.05;

interface BorderEdge {
  readonly ends: readonly [number, number];
  /** direction away from the triangle, in its plane */
  readonly outward: Vector3;
}

/**
 * Particles of the border that faces a side.
 *
 * @param positions at rest, in the axes of the mesh, three numbers each
 * @param faces triangles
 * @throws PliantError `invalid-argument` for an unknown side; `degenerate-geometry` if no border faces that side
 */
export function borderTo(object: string, positions: ArrayLike<number>, faces: Uint32Array, side: ClothSide): number[] {
  if (!sides.includes(side)) throw invalid(object, side, `must be one of ${sides.join(", ")}`);
  const edges = borderOf(positions, faces);
  const [towards, across] = directionsOf(positions, side);
  const height = (p: number): number => Vector3.Dot(at(positions, p), towards);
  const pieces = joined(positions.length / 3, facePairs(faces));
  const borders = joined(
    positions.length / 3,
    edges.map(({ ends }) => ends),
  );
  const [lowest, highest] = extremes(pieces, height, faces);
  const [, reach] = extremes(
    borders,
    height,
    edges.flatMap(({ ends }) => ends),
  );
  const found = new Set<number>();
  for (const { ends, outward } of edges) {
    const looks = Vector3.Dot(outward, towards);
    if (!(looks > 0 && looks >= (1 - 1e-6) * Math.abs(Vector3.Dot(outward, across)))) continue;
    const piece = pieces[ends[0]];
    const last = highest.get(piece)!;
    // The border of a hole faces all sides, too.
    if (reach.get(borders[ends[0]])! < last - NEAR * (last - lowest.get(piece)!)) continue;
    for (const p of ends) found.add(p);
  }
  if (found.size === 0) throw degenerate(object, side, "needs a mesh with an open border on that side");
  return [...found].sort((a, b) => a - b);
}

const at = (positions: ArrayLike<number>, p: number): Vector3 =>
  new Vector3(positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]);

/** The direction of a side, and the axis from left to right or from bottom to top perpendicular to it. */
function directionsOf(positions: ArrayLike<number>, side: ClothSide): [Vector3, Vector3] {
  const { min, max } = boxOf(positions);
  const size = min.map((value, c) => max[c] - value);
  const isThin = size.map((value) => value < FLAT * Math.max(...size));
  const up = isThin[1] ? Vector3.Forward() : Vector3.Up();
  const right = isThin[0] ? Vector3.Forward() : Vector3.Right();
  if (side === "top") return [up, right];
  if (side === "bottom") return [up.negate(), right];
  return side === "right" ? [right, up] : [right.negate(), up];
}

/** Edges with one triangle. */
function borderOf(positions: ArrayLike<number>, faces: Uint32Array): BorderEdge[] {
  const corners = new Map<string, readonly [number, number, number] | undefined>();
  for (let f = 0; f < faces.length; f += 3)
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [faces[f + k], faces[f + ((k + 1) % 3)], faces[f + ((k + 2) % 3)]];
      const key = a < b ? `${a},${b}` : `${b},${a}`;
      corners.set(key, corners.has(key) ? undefined : [a, b, c]);
    }
  const edges: BorderEdge[] = [];
  for (const corner of corners.values()) {
    if (!corner) continue;
    const [a, b, c] = corner;
    const along = at(positions, b).subtractInPlace(at(positions, a));
    const outward = at(positions, a).subtractInPlace(at(positions, c));
    outward.subtractInPlace(along.scale(Vector3.Dot(outward, along) / along.lengthSquared()));
    edges.push({ ends: [a, b], outward });
  }
  return edges;
}

function* facePairs(faces: Uint32Array): Generator<readonly [number, number]> {
  for (let f = 0; f < faces.length; f += 3) {
    yield [faces[f], faces[f + 1]];
    yield [faces[f], faces[f + 2]];
  }
}

/** For each of `count` items, a representative of all items that are connected with it by pairs. */
function joined(count: number, pairs: Iterable<readonly [number, number]>): Uint32Array {
  const sets = new DisjointSets(count);
  for (const [a, b] of pairs) sets.join(a, b);
  return Uint32Array.from({ length: count }, (_, i) => sets.rootOf(i));
}

/** The lowest and the highest value of each group. */
function extremes(
  groups: Uint32Array,
  height: (p: number) => number,
  members: Iterable<number>,
): [Map<number, number>, Map<number, number>] {
  const lowest = new Map<number, number>();
  const highest = new Map<number, number>();
  for (const p of members) {
    const value = height(p);
    lowest.set(groups[p], Math.min(lowest.get(groups[p]) ?? Infinity, value));
    highest.set(groups[p], Math.max(highest.get(groups[p]) ?? -Infinity, value));
  }
  return [lowest, highest];
}
