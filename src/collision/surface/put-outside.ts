/**
 * Puts a surface outside another one, where both begin inside each other: garments in layers.
 *
 * The side of the inner surface's normals is outside. Vertices of the outer surface that are behind it go straight out, through the closest
 * point to the distance that both keep. These are the vertices where the surfaces cross, and all behind the inner surface that hang
 * together with them. Triangles between such vertices may still cut through a bend or past a rim: their vertices go further out, step
 * by step. The inner surface stays as it is.
 */
import { boxOf } from "../../geometry/box";
import { buildTriangleTree, closestTriangle, type TriangleTree } from "../../geometry/triangles/bvh";
import { buildPseudonormals, featureOf, type Pseudonormals } from "../distance/pseudonormal";
import { crossings, facing, nearPairs, type PlacedSurface } from "./free-surfaces";

/** Rounds in which vertices go further out. */
const ROUNDS = 16;
/** A surface all of which is behind the inner one by less than this part of its thinnest side is inside it. */
const INSIDE = 0.25;

/** Lengths for `putOutside` [m]. */
export interface Clearances {
  /** that both surfaces keep */
  readonly distance: number;
  /** between surfaces that are free of each other, less than `distance` */
  readonly least: number;
  /** by which vertices go further out in a round: a small part of an edge */
  readonly step: number;
}

/** @returns new positions of the outer surface; undefined where it is outside already, or where no way out was found */
export function putOutside(
  outer: PlacedSurface,
  inner: PlacedSurface,
  { distance, least, step }: Clearances,
): Float64Array | undefined {
  const sides = new Sides(inner);
  const behind = new Set(verticesBehind(outer, sides));
  let inTheWay = particlesInTheWay(inner, outer, least);
  const seeds = inTheWay.size > 0 ? inTheWay : inside(outer, inner, sides, behind, distance);
  if (seeds.size === 0) return undefined;
  const positions = Float64Array.from(outer.positions);
  const needs = new Map<number, number>();
  const neighbors = neighborsIn(outer.faces);
  for (const p of together(neighbors, seeds, behind)) needs.set(p, distance);
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) relax(positions, needs.keys(), neighbors);
    for (const [p, need] of needs) sides.lift(positions, p, need);
    inTheWay = particlesInTheWay(inner, { ...outer, positions }, least);
    if (inTheWay.size === 0) return positions;
    for (const p of inTheWay) needs.set(p, (needs.get(p) ?? distance - step) + step);
  }
  return undefined;
}

/** The sides of a surface. */
class Sides {
  private readonly tree: TriangleTree;
  private readonly features: Pseudonormals;
  private readonly closest = new Float64Array(6);
  private readonly normal = new Float64Array(3);
  private isRim = false;

  constructor({ positions, faces }: PlacedSurface) {
    const corners: number[] = [];
    for (let f = 0; f < faces.length; f += 3) {
      const own = [0, 1, 2].flatMap((k) => [0, 1, 2].map((c) => positions[3 * faces[f + k] + c]));
      if (hasArea(own)) corners.push(...own);
    }
    this.tree = buildTriangleTree(Float64Array.from(corners));
    this.features = buildPseudonormals(this.tree);
  }

  /** Height of a point above the surface, negative behind it; undefined past its rim [m]. */
  heightOf(x: ArrayLike<number>, p: number): number | undefined {
    const along = this.seek(x, p);
    return this.isRim ? undefined : Math.sign(along) * this.distanceOf(x, p);
  }

  /** Moves a point out until it has the height; past the rim the surface goes on as a plane. */
  lift(x: Float64Array, p: number, height: number): void {
    const { closest, normal } = this;
    const along = this.seek(x, p);
    const apart = this.distanceOf(x, p);
    if ((this.isRim ? along : Math.sign(along) * apart) >= height) return;
    for (let c = 0; c < 3; c++) {
      const i = 3 * p + c;
      if (this.isRim) x[i] += (height - along) * normal[c];
      else if (apart > ROUNDING * height)
        x[i] = closest[c] + ((along < 0 ? -height : height) / apart) * (x[i] - closest[c]);
      else x[i] = closest[c] + height * normal[c];
    }
  }

  /** Finds the closest point; returns the height of the particle above the plane there. */
  private seek(x: ArrayLike<number>, p: number): number {
    const { tree, features, closest, normal } = this;
    const triangle = closestTriangle(tree, x[3 * p], x[3 * p + 1], x[3 * p + 2], Infinity, -1, closest);
    const feature = featureOf(closest);
    this.isRim = features.rim[7 * triangle + feature] === 1;
    let [squared, along] = [0, 0];
    for (let c = 0; c < 3; c++) squared += features.normals[21 * triangle + 3 * feature + c] ** 2;
    for (let c = 0; c < 3; c++) {
      normal[c] = features.normals[21 * triangle + 3 * feature + c] / Math.sqrt(squared);
      along += normal[c] * (x[3 * p + c] - closest[c]);
    }
    return along;
  }

  private distanceOf(x: ArrayLike<number>, p: number): number {
    let squared = 0;
    for (let c = 0; c < 3; c++) squared += (x[3 * p + c] - this.closest[c]) ** 2;
    return Math.sqrt(squared);
  }
}

/** Part of a height below which a distance has no direction. */
const ROUNDING = 1e-6;

function hasArea([ax, ay, az, bx, by, bz, cx, cy, cz]: readonly number[]): boolean {
  const [u, v] = [
    [bx - ax, by - ay, bz - az],
    [cx - ax, cy - ay, cz - az],
  ];
  return u[1] * v[2] !== u[2] * v[1] || u[2] * v[0] !== u[0] * v[2] || u[0] * v[1] !== u[1] * v[0];
}

function verticesBehind({ positions, faces }: PlacedSurface, sides: Sides): number[] {
  return [...new Set(faces)].filter((p) => (sides.heightOf(positions, p) ?? 0) < 0);
}

/** The vertices behind the inner surface, if all of the outer one that is near is behind it. */
function inside(
  { positions, faces }: PlacedSurface,
  inner: PlacedSurface,
  sides: Sides,
  behind: ReadonlySet<number>,
  distance: number,
): Set<number> {
  const { min, max } = boxOf(inner.positions);
  const depth = Math.max(distance, INSIDE * Math.min(...max.map((value, c) => value - min[c])));
  const near = [...new Set(faces)].filter((p) => Math.abs(sides.heightOf(positions, p) ?? Infinity) < depth);
  return new Set(near.every((p) => behind.has(p)) ? near : []);
}

/** The other corners of the triangles around each vertex. */
function neighborsIn(faces: Uint32Array): ReadonlyMap<number, readonly number[]> {
  const neighbors = new Map<number, number[]>();
  for (let i = 0; i < faces.length; i++) {
    const f = i - (i % 3);
    const own = neighbors.get(faces[i]);
    const others = [faces[f + ((i + 1) % 3)], faces[f + ((i + 2) % 3)]];
    if (own) own.push(...others);
    else neighbors.set(faces[i], others);
  }
  return neighbors;
}

/** Vertices with all those of a set that they hang together with. */
function together(
  neighbors: ReadonlyMap<number, readonly number[]>,
  seeds: ReadonlySet<number>,
  set: ReadonlySet<number>,
): Set<number> {
  const found = new Set(seeds);
  // A set grows while it is walked through.
  for (const p of found) for (const other of neighbors.get(p) ?? []) if (set.has(other)) found.add(other);
  return found;
}

/** Moves vertices halfway to the middle of those around them: where they went different ways out, triangles between them are large. */
function relax(x: Float64Array, vertices: Iterable<number>, neighbors: ReadonlyMap<number, readonly number[]>): void {
  const before = x.slice();
  for (const p of vertices) {
    const around = neighbors.get(p)!;
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (const q of around) sum += before[3 * q + c]!;
      x[3 * p + c] = (before[3 * p + c] + sum / around.length) / 2;
    }
  }
}

/** The particles of `b` at which two surfaces are not free of each other. @param least as `surfacesAreFree` [m] */
function particlesInTheWay(a: PlacedSurface, b: PlacedSurface, least: number): Set<number> {
  const found = new Set<number>();
  const mesh = facing(a, b, least);
  if (!mesh) return found;
  const { edges, faces, partStart } = mesh;
  const add = (particles: Uint32Array): void => {
    for (const p of particles) if (p >= partStart[1]) found.add(p - partStart[1]);
  };
  const { vertices, count } = nearPairs(mesh, least);
  add(vertices.subarray(0, 4 * count));
  for (const { edge, face } of crossings(mesh)) {
    add(edges.subarray(2 * edge, 2 * edge + 2));
    add(faces.subarray(3 * face, 3 * face + 3));
  }
  return found;
}
