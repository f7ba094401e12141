import { degenerate } from "../../errors";
import type { Vec3 } from "../../math/types";
import { buildTriangleTree, closestTriangle, type TriangleTree } from "../../geometry/triangles/bvh";
import { buildPseudonormals, isBehind } from "./pseudonormal";
import { repairSignJumps } from "./sign-jumps";
import { buildWindingTree, windingNumber } from "../../geometry/triangles/winding-number";
import { lengthOf } from "../../math/vectors";

/** Signed distances [m], negative inside, at the corners of cubic cells. */
export interface DistanceGrid {
  /** samples along x, y and z */
  readonly samples: readonly [number, number, number];
  /** side of a cell [m] */
  readonly cell: number;
  /** center of the grid in the frame of the mesh [m] */
  readonly center: Vec3;
  /** x fastest, then y, then z; exactly representable in f32 */
  readonly values: Float64Array;
}

/** Empty cells around the mesh, at least. */
const PADDING = 3;
/** Number of samples of a grid without a given resolution, about 48³ … */
const SAMPLES = 125_000;
/** … and its upper limit, if thin parts need finer cells. */
const MAX_SAMPLES = 600_000;
/** Finest cell of such a grid: longest side / 192. */
const FINEST = 192;
/** |Σ area normal| / Σ area is 0 for a closed mesh and 1 for a flat one. */
const OPEN = 0.3;
/** Samples are first computed at every 4th place; blocks far from the surface are filled in between them. */
const BLOCK = 4;

/**
 * Signed distance grid of a triangle mesh. Distances are exact near the surface; beyond about four cells, a sample may
 * be a lower bound instead, so that no sample ever exceeds the distance to the surface.
 *
 * A point is inside if its winding number is more than one half (Barill et al. 2018, "Fast winding numbers for soups
 * and clouds"); holes do not disturb that. A clearly open mesh has no such inside: there, points behind the closest
 * triangle are inside, as decided by angle-weighted pseudonormals (Baerentzen & Aanaes 2005).
 *
 * Parts thinner than a cell are lost. Without `resolution` the cells are made small enough, within limits.
 *
 * @param positions n × 3 [m]
 * @param indices 3 for each triangle; triangles without area are left out
 * @param resolution cells along the longest side
 * @throws PliantError `degenerate-geometry` if no triangle has an area
 */
export function meshDistanceGrid(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  resolution?: number,
  object = "mesh",
): DistanceGrid {
  const { corners, openness } = collectTriangles(positions, indices);
  if (corners.length === 0) throw degenerate(object, indices.length / 3, "no triangle has an area; triangles");
  const tree = buildTriangleTree(corners);
  const isInside = openness > OPEN ? behindTest(tree) : windingTest(tree);
  const box = tree.boxes.subarray(0, 6);
  const sides = [0, 1, 2].map((axis) => box[axis + 3] - box[axis]);
  const longest = Math.max(...sides);
  const cell = resolution === undefined ? chooseCell(tree, sides, isInside) : longest / resolution;
  const samples = sampleCounts(sides, cell);
  const center: Vec3 = [(box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2];
  const values = new DistanceFill(tree, isInside, samples, cell, center).run();
  repairSignJumps(values, samples, cell);
  for (let i = 0; i < values.length; i++) values[i] = Math.fround(values[i]);
  return { samples, cell, center, values };
}

/**
 * Tells whether a point is inside.
 *
 * @param triangle closest triangle
 * @param closest closest point and its barycentric coordinates
 */
interface InsideTest {
  (x: number, y: number, z: number, triangle: number, closest: Float64Array): boolean;
  /** Whether the answer can change only near the surface. */
  readonly isLocal: boolean;
}

function windingTest(tree: TriangleTree): InsideTest {
  const dipoles = buildWindingTree(tree);
  const test = (x: number, y: number, z: number): boolean => Math.abs(windingNumber(tree, dipoles, x, y, z)) > 0.5;
  return Object.assign(test, { isLocal: true });
}

function behindTest(tree: TriangleTree): InsideTest {
  const normals = buildPseudonormals(tree);
  const test = (x: number, y: number, z: number, triangle: number, closest: Float64Array): boolean =>
    isBehind(normals, triangle, closest, x, y, z);
  return Object.assign(test, { isLocal: false });
}

function collectTriangles(positions: ArrayLike<number>, indices: ArrayLike<number>) {
  const corners: number[] = [];
  const sum = [0, 0, 0];
  let total = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => {
      const v = 3 * indices[i + k];
      return [positions[v], positions[v + 1], positions[v + 2]];
    });
    const u = b.map((value, k) => value - a[k]);
    const v = c.map((value, k) => value - a[k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const area = lengthOf(n[0], n[1], n[2]);
    if (!(area > 0)) continue;
    corners.push(...a, ...b, ...c);
    total += area;
    n.forEach((value, k) => (sum[k] += value));
  }
  return { corners: Float64Array.from(corners), openness: lengthOf(sum[0], sum[1], sum[2]) / total };
}

/** Counts are multiples of a block plus one; the additional samples become padding. */
function sampleCounts(sides: readonly number[], cell: number): [number, number, number] {
  const count = (side: number): number => {
    return BLOCK * Math.ceil((Math.ceil(side / cell - 1e-9) + 2 * PADDING) / BLOCK) + 1;
  };
  return [count(sides[0]), count(sides[1]), count(sides[2])];
}

function chooseCell(tree: TriangleTree, sides: readonly number[], isInside: InsideTest): number {
  const total = (cell: number): number => sampleCounts(sides, cell).reduce((product, n) => product * n, 1);
  const finest = Math.max(...sides) / FINEST;
  let cell = finest;
  while (total(cell) > SAMPLES) cell *= 1.05;
  if (!isInside.isLocal) return cell;
  while (cell / 1.2 >= finest && total(cell / 1.2) <= MAX_SAMPLES && lostFraction(tree, isInside, 1.25 * cell) > 0.02)
    cell /= 1.2;
  return cell;
}

/** Fraction of the surface with less than `depth` of solid below it, estimated at about a thousand points. */
function lostFraction(tree: TriangleTree, isInside: InsideTest, depth: number): number {
  const { corners: c, triangleCount } = tree;
  const normals = new Float64Array(3 * triangleCount);
  const areas = new Float64Array(triangleCount);
  for (let t = 0, i = 0; t < triangleCount; t++, i += 9) {
    const u = [c[i + 3] - c[i], c[i + 4] - c[i + 1], c[i + 5] - c[i + 2]];
    const v = [c[i + 6] - c[i], c[i + 7] - c[i + 1], c[i + 8] - c[i + 2]];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    areas[t] = lengthOf(n[0], n[1], n[2]);
    normals.set(
      n.map((value) => value / areas[t]),
      3 * t,
    );
  }
  const spacing = areas.reduce((sum, area) => sum + area, 0) / 1000;
  let tested = 0;
  let lost = 0;
  let area = spacing / 2;
  for (let t = 0; t < triangleCount; t++)
    for (area += areas[t]; area >= spacing; area -= spacing) {
      // A sequence of low discrepancy (R2, from the plastic number), folded into the triangle.
      let u = (tested * 0.7548776662466927) % 1;
      let v = (tested * 0.5698402909980532) % 1;
      if (u + v > 1) [u, v] = [1 - u, 1 - v];
      const at = (k: number): number => (1 - u - v) * c[9 * t + k] + u * c[9 * t + 3 + k] + v * c[9 * t + 6 + k];
      const below = (side: number): boolean => {
        const [x, y, z] = [0, 1, 2].map((k) => at(k) - side * depth * normals[3 * t + k]);
        return isInside(x, y, z, -1, EMPTY);
      };
      tested++;
      // One side of the triangle should be solid, for either winding.
      if (!below(1) && !below(-1)) lost++;
    }
  return lost / Math.max(1, tested);
}

const EMPTY = new Float64Array(6);

/** Fills a grid with signed distances. */
class DistanceFill {
  private readonly values: Float64Array;
  private readonly closest = new Float64Array(6);
  private hint = -1;
  private hintDistance = Infinity;
  private hintPoint: Vec3 = [0, 0, 0];

  constructor(
    private readonly tree: TriangleTree,
    private readonly isInside: InsideTest,
    private readonly samples: readonly [number, number, number],
    private readonly cell: number,
    private readonly center: Vec3,
  ) {
    this.values = new Float64Array(samples[0] * samples[1] * samples[2]).fill(Number.NaN);
  }

  run(): Float64Array {
    const [nx, ny, nz] = this.samples;
    const step = this.isInside.isLocal ? BLOCK : 1;
    for (let k = 0; k < nz; k += step)
      for (let j = 0; j < ny; j += step) for (let i = 0; i < nx; i += step) this.compute(i, j, k);
    if (step === 1) return this.values;
    for (let k = 0; k + BLOCK < nz; k += BLOCK)
      for (let j = 0; j + BLOCK < ny; j += BLOCK) for (let i = 0; i + BLOCK < nx; i += BLOCK) this.fillBlock(i, j, k);
    return this.values;
  }

  private index(i: number, j: number, k: number): number {
    return i + this.samples[0] * (j + this.samples[1] * k);
  }

  /** The exact value at a sample. The last triangle bounds the search: distance changes no more than position. */
  private compute(i: number, j: number, k: number): void {
    const at = this.index(i, j, k);
    if (!Number.isNaN(this.values[at])) return;
    const x = this.center[0] + (i - (this.samples[0] - 1) / 2) * this.cell;
    const y = this.center[1] + (j - (this.samples[1] - 1) / 2) * this.cell;
    const z = this.center[2] + (k - (this.samples[2] - 1) / 2) * this.cell;
    const moved = lengthOf(x - this.hintPoint[0], y - this.hintPoint[1], z - this.hintPoint[2]);
    const reach = this.hintDistance + moved;
    const within = reach * reach * (1 + 1e-9);
    this.hint = closestTriangle(this.tree, x, y, z, within, this.hint, this.closest);
    this.hintPoint = [x, y, z];
    this.hintDistance = lengthOf(x - this.closest[0], y - this.closest[1], z - this.closest[2]);
    this.values[at] = this.isInside(x, y, z, this.hint, this.closest) ? -this.hintDistance : this.hintDistance;
  }

  /**
   * Fills a block far from the surface: all its corners are on one side, and further from the surface than its
   * diagonal. Its samples take the best bound from the corners: |φ(x)| ≥ |φ(corner)| - |x - corner|.
   */
  private fillBlock(i0: number, j0: number, k0: number): void {
    const corners = Array.from({ length: 8 }, (_, c) => {
      const [i, j, k] = [(c & 1) * BLOCK, ((c >> 1) & 1) * BLOCK, (c >> 2) * BLOCK];
      return { i, j, k, value: this.values[this.index(i0 + i, j0 + j, k0 + k)] };
    });
    const sign = Math.sign(corners[0].value);
    const isFar = corners.every(({ value }) => value * sign > Math.sqrt(3) * BLOCK * this.cell);
    for (let k = 0; k <= BLOCK; k++)
      for (let j = 0; j <= BLOCK; j++)
        for (let i = 0; i <= BLOCK; i++) {
          if (!isFar) {
            this.compute(i0 + i, j0 + j, k0 + k);
            continue;
          }
          const at = this.index(i0 + i, j0 + j, k0 + k);
          if (!Number.isNaN(this.values[at])) continue;
          let bound = 0;
          for (const corner of corners) {
            const away = lengthOf(i - corner.i, j - corner.j, k - corner.k) * this.cell;
            bound = Math.max(bound, Math.abs(corner.value) - away);
          }
          this.values[at] = sign * bound;
        }
  }
}
