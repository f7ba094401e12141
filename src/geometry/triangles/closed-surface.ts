import { sidesOfEdges, nextCorner, triangleKey } from "../surface/twin-sides";
import { degenerate, type PliantError } from "../../errors";
import { validateTriangles } from "../surface/validate-mesh";
import { weldVertices } from "../surface/weld";
import { boxOf } from "../box";
import { buildTriangleTree } from "./bvh";
import { buildWindingTree, windingNumber } from "./winding-number";
import { distance, distanceBetween } from "../../math/vectors";

/** A triangle mesh that separates inside from outside. */
export interface ClosedSurface {
  /** vertexCount × 3 [m] */
  readonly positions: Float64Array;
  /** three vertices a triangle, counter-clockwise seen from outside */
  readonly indices: Uint32Array;
  /** number of connected pieces, including cavities */
  readonly pieceCount: number;
  /** for each triangle its connected piece, which is named by one of its triangles */
  readonly pieces: readonly number[];
  /** whether pieces pass through each other: the inside is then their union. Default false */
  readonly overlaps?: boolean;
  /** enclosed volume [m³] */
  readonly volume: number;
}

/** A hole is not closed if it has more edges than this … */
const MOST_EDGES = 64;
/** … or if its rim is longer than this, in diagonals of the mesh's box. */
const LONGEST_RIM = 0.5;

/**
 * Makes a closed surface from a mesh: coincident vertices are welded, duplicate triangles dropped, windings made
 * consistent, and small holes closed by a fan of triangles. Pieces inside others are cavities.
 *
 * @param object name of the mesh in messages
 * @throws PliantError `degenerate-geometry` for a mesh with larger holes, edges whose triangles do not define an inside
 * (a Möbius strip, three walls that meet), or zero volume; otherwise as `validateTriangles`
 */
export function closedSurface(object: string, positions: ArrayLike<number>, indices: ArrayLike<number>): ClosedSurface {
  validateTriangles(object, positions, indices);
  const welded = weldVertices(positions, indices);
  const triangles = withoutDoubles(welded.indices);
  if (triangles.length === 0) throw degenerate(object, "no triangles", "must have an area");
  const pieces = windAlike(object, triangles);
  const places = Array.from(welded.positions);
  closeHoles(object, places, triangles, pieces);
  requireBalance(object, triangles);
  const surface = Float64Array.from(places);
  const volume = turnOutward(surface, triangles, pieces);
  const size = diagonalOf(surface);
  if (!(volume > 1e-9 * size * size * size)) throw degenerate(object, volume, "must enclose a volume");
  return {
    positions: surface,
    indices: Uint32Array.from(triangles),
    pieceCount: new Set(pieces).size,
    pieces,
    volume,
  };
}

/** Corners of the triangles of a mesh, 9 numbers each, as `buildTriangleTree` takes them. */
export function triangleCorners(positions: ArrayLike<number>, indices: ArrayLike<number>): Float64Array {
  const corners = new Float64Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++)
    for (let c = 0; c < 3; c++) corners[3 * i + c] = positions[3 * indices[i] + c];
  return corners;
}

/** Six times the volume between a triangle and the origin. */
function sixfoldVolume(x: ArrayLike<number>, triangles: ArrayLike<number>, at: number): number {
  const [a, b, c] = [3 * triangles[at], 3 * triangles[at + 1], 3 * triangles[at + 2]];
  return (
    x[a] * (x[b + 1] * x[c + 2] - x[b + 2] * x[c + 1]) +
    x[a + 1] * (x[b + 2] * x[c] - x[b] * x[c + 2]) +
    x[a + 2] * (x[b] * x[c + 1] - x[b + 1] * x[c])
  );
}

/** Drops triangles collapsed by welding, duplicates, and walls between two rooms (one triangle for either side). */
function withoutDoubles(indices: ArrayLike<number>): number[] {
  const sums = new Map<string, { first: number; sum: number }>();
  for (let f = 0; f < indices.length; f += 3) {
    const [a, b, c] = [indices[f], indices[f + 1], indices[f + 2]];
    if (a === b || b === c || c === a) continue;
    const key = triangleKey(a, b, c);
    // positive for those orders of three numbers that have one winding
    const sign = (a < b ? 1 : -1) * (b < c ? 1 : -1) * (a < c ? 1 : -1);
    const known = sums.get(key);
    if (known) known.sum += sign;
    else sums.set(key, { first: f, sum: sign });
  }
  const all = [...sums.values()];
  const single = all.filter(({ sum }) => sum !== 0);
  // A mesh drawn from both sides consists of duplicates only: one side of it is then the surface.
  return (single.length > 0 ? single : all).flatMap(({ first }) => [
    indices[first],
    indices[first + 1],
    indices[first + 2],
  ]);
}

function flip(triangles: number[], t: number): void {
  [triangles[3 * t + 1], triangles[3 * t + 2]] = [triangles[3 * t + 2], triangles[3 * t + 1]];
}

/** Reverses triangles so that neighbors traverse their edge in opposite directions. Returns each triangle's piece. */
function windAlike(object: string, triangles: number[]): number[] {
  const neighbours: { other: number; same: boolean }[][] = Array.from({ length: triangles.length / 3 }, () => []);
  for (const sides of sidesOfEdges(triangles).values()) {
    if (sides.length !== 2) continue;
    const [i, j] = sides;
    const same = triangles[i] === triangles[j];
    neighbours[Math.floor(i / 3)].push({ other: Math.floor(j / 3), same });
    neighbours[Math.floor(j / 3)].push({ other: Math.floor(i / 3), same });
  }
  const pieces = new Array<number>(neighbours.length).fill(-1);
  const flipped = new Uint8Array(neighbours.length);
  for (let seed = 0; seed < neighbours.length; seed++) {
    if (pieces[seed] >= 0) continue;
    pieces[seed] = seed;
    const queue = [seed];
    for (let t = queue.pop(); t !== undefined; t = queue.pop())
      for (const { other, same } of neighbours[t]) {
        const turn = same ? 1 - flipped[t] : flipped[t];
        if (pieces[other] < 0) {
          pieces[other] = seed;
          flipped[other] = turn;
          queue.push(other);
        } else if (flipped[other] !== turn)
          throw degenerate(object, `triangle ${other}`, "must have an inside: it is one-sided");
      }
  }
  flipped.forEach((turn, t) => turn === 1 && flip(triangles, t));
  return pieces;
}

/** Closes each rim by a fan around its middle. If rims meet at a vertex, either continuation closes them all. */
function closeHoles(object: string, places: number[], triangles: number[], pieces: number[]): void {
  const rim = new Map<number, { to: number; piece: number }[]>();
  for (const sides of sidesOfEdges(triangles).values()) {
    if (sides.length !== 1) continue;
    const [i] = sides;
    // the rim of the hole runs against the triangle
    const [from, to] = [triangles[nextCorner(i)], triangles[i]];
    const ways = rim.get(from) ?? [];
    rim.set(from, ways);
    ways.push({ to, piece: pieces[Math.floor(i / 3)] });
  }
  const longest = LONGEST_RIM * diagonalOf(places);
  for (const [start, ways] of rim)
    while (ways.length > 0) {
      const { piece } = ways[0];
      const loop: number[] = [];
      let v = start;
      do {
        const way: { to: number } | undefined = rim.get(v)?.pop();
        if (!way) throw openEdge(object, loop.at(-1)!, v, "more than two triangles meet there");
        loop.push(v);
        v = way.to;
      } while (v !== start);
      const rimLength = loop.reduce(
        (sum, p, i) => sum + distanceBetween(places, 3 * p, 3 * loop[(i + 1) % loop.length]),
        0,
      );
      if (loop.length > MOST_EDGES || rimLength > longest)
        throw openEdge(object, loop[0], loop[1], `it has a hole of ${loop.length} edges`);
      const middle = places.length / 3;
      for (let c = 0; c < 3; c++) places.push(loop.reduce((sum, p) => sum + places[3 * p + c], 0) / loop.length);
      loop.forEach((p, i) => {
        triangles.push(p, loop[(i + 1) % loop.length], middle);
        pieces.push(piece);
      });
    }
}

/** Requires that each edge is traversed equally often in both directions. */
function requireBalance(object: string, triangles: readonly number[]): void {
  for (const sides of sidesOfEdges(triangles).values()) {
    const sum = sides.reduce((total, i) => total + (triangles[i] < triangles[nextCorner(i)] ? 1 : -1), 0);
    if (sum === 0) continue;
    const [i] = sides;
    const edge = `edge (${triangles[i]}, ${triangles[nextCorner(i)]}) of ${sides.length} triangles`;
    throw degenerate(object, edge, "must be manifold: two triangles at every edge");
  }
}

/** Orients pieces outward, or inward if all of their vertices are inside an odd number of others. Returns the enclosed volume. */
function turnOutward(positions: Float64Array, triangles: number[], pieces: readonly number[]): number {
  const members = new Map<number, number[]>();
  pieces.forEach((piece, t) => {
    const list = members.get(piece);
    if (list) list.push(t);
    else members.set(piece, [t]);
  });
  const volumes = new Map<number, number>();
  for (const [piece, list] of members) {
    const volume = list.reduce((sum, t) => sum + sixfoldVolume(positions, triangles, 3 * t) / 6, 0);
    if (volume < 0) for (const t of list) flip(triangles, t);
    volumes.set(piece, Math.abs(volume));
  }
  if (members.size === 1) return volumes.values().next().value!;
  const trees = [...members].map(([piece, list]) => {
    const indices = list.flatMap((t) => triangles.slice(3 * t, 3 * t + 3));
    const tree = buildTriangleTree(triangleCorners(positions, indices));
    return { piece, tree, dipoles: buildWindingTree(tree) };
  });
  let total = 0;
  for (const [piece, list] of members) {
    const others = trees.filter((tree) => tree.piece !== piece);
    const isHollow = list.every((t) =>
      triangles.slice(3 * t, 3 * t + 3).every((v) => {
        const [x, y, z] = positions.subarray(3 * v, 3 * v + 3);
        return others.filter(({ tree, dipoles }) => windingNumber(tree, dipoles, x, y, z) > 0.5).length % 2 === 1;
      }),
    );
    if (isHollow) for (const t of list) flip(triangles, t);
    total += (isHollow ? -1 : 1) * volumes.get(piece)!;
  }
  return total;
}

function openEdge(object: string, a: number, b: number, why: string): PliantError {
  return degenerate(object, `edge (${a}, ${b})`, `must be closed, and ${why}`);
}

function diagonalOf(x: ArrayLike<number>): number {
  const { min, max } = boxOf(x);
  return distance(min, max);
}
