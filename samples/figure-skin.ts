/**
 * One skin around the capsules of a figure at rest: the surface f = −INSET of their smooth union, by surface nets (Gibson 1998): a
 * vertex for each cell of a grid that the surface crosses, a quadrilateral for each edge that it crosses.
 *
 * If two distances differ by less than ROUNDING, f is below both, by a quarter of that at most (polynomial smooth minimum); if three do, by
 * slightly more. INSET is that much, so that the skin stays within the capsules.
 */
import { composePose, POSE, writePose } from "../src/collision/shape/pose";
import { compileShape, PrimitiveKind } from "../src/collision/distance/primitives";
import { PliantError } from "../src/errors";
import { turn } from "../src/math/quaternions";
import { restPoses } from "./figure-body";
import type { FigureBone, FigureSkin } from "./scene";

/** Sides of the grid's cells, m. */
const CELL = 0.013;
const ROUNDING = 0.022;
const INSET = 0.0065;
/** Bones that are at most this much farther from a vertex than the nearest one take part in it, m. */
const BLEND = 0.05;
const INFLUENCES = 4;
/** Number of steps that take vertices onto the surface, and step of the differences for its gradient, m. */
const PROJECTIONS = 2;
const STEP = 1e-4;

/** A capsule in the world. */
interface Capsule {
  readonly bone: number;
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly radius: number;
}

/** @throws PliantError `unsupported` for bones with shapes other than capsules */
export function figureSkin(bones: readonly FigureBone[]): FigureSkin {
  const capsules = capsulesOf(bones);
  const { positions, indices } = surfaceNet(capsules);
  const count = positions.length / 3;
  const skin = { bones: new Uint16Array(INFLUENCES * count), weights: new Float64Array(INFLUENCES * count) };
  const near = bones.map(({ name, parent }, i) =>
    bones.map((other, k) => k === i || other.name === parent || other.parent === name),
  );
  const distances = new Float64Array(bones.length);
  for (let v = 0; v < count; v++) {
    project(capsules, positions, 3 * v);
    distances.fill(Infinity);
    for (const capsule of capsules)
      distances[capsule.bone] = Math.min(distances[capsule.bone], distance(capsule, positions, 3 * v));
    const nearest = distances.indexOf(Math.min(...distances));
    const weightOf = (bone: number): number =>
      near[nearest][bone] ? Math.max(0, 1 - (distances[bone] - distances[nearest]) / BLEND) ** 2 : 0;
    const chosen = bones
      .map((_, bone) => [bone, weightOf(bone)] as const)
      .sort((one, other) => other[1] - one[1])
      .slice(0, INFLUENCES);
    const sum = chosen.reduce((all, [, weight]) => all + weight, 0);
    chosen.forEach(([bone, weight], k) => {
      skin.bones[INFLUENCES * v + k] = bone;
      skin.weights[INFLUENCES * v + k] = weight / sum;
    });
  }
  return { positions, indices, ...skin };
}

function capsulesOf(bones: readonly FigureBone[]): Capsule[] {
  const rest = restPoses(bones);
  const [frame, pose] = [new Float64Array(POSE), new Float64Array(POSE)];
  return bones.flatMap(({ name, shape }, bone) =>
    compileShape(shape).map((primitive) => {
      if (primitive.kind !== PrimitiveKind.capsule)
        throw new PliantError("unsupported", `skin of bone "${name}"`, shape.type, "must be of capsules");
      writePose(frame, rest[name].position, rest[name].rotation);
      composePose(frame, primitive, pose, 0);
      const half = turn([pose[3], pose[4], pose[5], pose[6]], [0, primitive.size[0], 0]);
      const end = (sign: 1 | -1): number[] => half.map((value, c) => pose[c] + sign * value);
      return { bone, a: end(-1), b: end(1), radius: primitive.size[1] };
    }),
  );
}

function distance({ a, b, radius }: Capsule, p: ArrayLike<number>, at: number): number {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [x, y, z] = [p[at] - a[0], p[at + 1] - a[1], p[at + 2] - a[2]];
  const t = Math.max(0, Math.min(1, (x * ux + y * uy + z * uz) / (ux * ux + uy * uy + uz * uz)));
  const [dx, dy, dz] = [x - t * ux, y - t * uy, z - t * uz];
  return Math.sqrt(dx * dx + dy * dy + dz * dz) - radius;
}

/** The polynomial smooth minimum. */
function united(one: number, other: number): number {
  const near = Math.max(0, ROUNDING - Math.abs(one - other));
  return Math.min(one, other) - (near * near) / (4 * ROUNDING);
}

function field(capsules: readonly Capsule[], p: ArrayLike<number>, at: number): number {
  let f = Infinity;
  for (const capsule of capsules) f = united(f, distance(capsule, p, at));
  return f + INSET;
}

/** Newton's steps along the gradient. */
function project(capsules: readonly Capsule[], p: Float64Array, at: number): void {
  const gradient = [0, 0, 0];
  for (let k = 0; k < PROJECTIONS; k++) {
    const f = field(capsules, p, at);
    for (let c = 0; c < 3; c++) {
      const before = p[at + c];
      p[at + c] = before + STEP;
      gradient[c] = (field(capsules, p, at) - f) / STEP;
      p[at + c] = before;
    }
    const square = gradient[0] ** 2 + gradient[1] ** 2 + gradient[2] ** 2;
    for (let c = 0; c < 3; c++) p[at + c] -= (f * gradient[c]) / Math.max(0.25, square);
  }
}

function surfaceNet(capsules: readonly Capsule[]): { positions: Float64Array; indices: Uint32Array } {
  const margin = ROUNDING + 2 * CELL;
  const low = [0, 1, 2].map((c) => Math.min(...capsules.map((k) => Math.min(k.a[c], k.b[c]) - k.radius)) - margin);
  const high = [0, 1, 2].map((c) => Math.max(...capsules.map((k) => Math.max(k.a[c], k.b[c]) + k.radius)) + margin);
  const size = low.map((value, c) => Math.ceil((high[c] - value) / CELL) + 1);
  const strides = [1, size[0], size[0] * size[1]];
  const values = sampled(capsules, low, size, margin);

  const vertexOf = new Map<number, number>();
  const positions: number[] = [];
  const corners = Array.from({ length: 8 }, (_, k) => [k & 1, (k >> 1) & 1, k >> 2]);
  /** Vertex of a cell: the mean of the surface's crossings of its edges. */
  const vertexAt = (cell: readonly number[]): number => {
    const first = cell[0] + strides[1] * cell[1] + strides[2] * cell[2];
    const known = vertexOf.get(first);
    if (known !== undefined) return known;
    const sum = [0, 0, 0];
    let crossings = 0;
    const value = (corner: readonly number[]): number =>
      values[first + corner[0] + strides[1] * corner[1] + strides[2] * corner[2]];
    for (const corner of corners)
      for (let axis = 0; axis < 3; axis++) {
        if (corner[axis] === 1) continue;
        const [f0, f1] = [value(corner), value(corner.map((at, c) => (c === axis ? 1 : at)))];
        if (f0 < 0 === f1 < 0) continue;
        crossings++;
        for (let c = 0; c < 3; c++) sum[c] += corner[c] + (c === axis ? f0 / (f0 - f1) : 0);
      }
    const vertex = positions.length / 3;
    vertexOf.set(first, vertex);
    for (let c = 0; c < 3; c++) positions.push(low[c] + CELL * (cell[c] + sum[c] / crossings));
    return vertex;
  };

  const indices: number[] = [];
  for (let k = 1; k < size[2] - 1; k++)
    for (let j = 1; j < size[1] - 1; j++)
      for (let i = 1; i < size[0] - 1; i++) {
        const at = i + strides[1] * j + strides[2] * k;
        for (let axis = 0; axis < 3; axis++) {
          const isInside = values[at] < 0;
          if (isInside === values[at + strides[axis]] < 0) continue;
          const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
          const cellAt = (du: number, dv: number): number[] =>
            [i, j, k].map((x, c) => x - (c === u ? du : c === v ? dv : 0));
          const ring = [cellAt(0, 0), cellAt(1, 0), cellAt(1, 1), cellAt(0, 1)].map(vertexAt);
          // seen against the edge's direction the ring turns counter-clockwise; the edge leads outside if its start is inside
          const [a, b, c, d] = isInside ? [ring[0], ring[3], ring[2], ring[1]] : ring;
          indices.push(a, b, c, a, c, d);
        }
      }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Values of the field at the points of a grid; each capsule is evaluated near itself only. */
function sampled(
  capsules: readonly Capsule[],
  low: readonly number[],
  size: readonly number[],
  margin: number,
): Float64Array {
  const values = new Float64Array(size[0] * size[1] * size[2]).fill(Infinity);
  const p = [0, 0, 0];
  for (const capsule of capsules) {
    const { a, b, radius } = capsule;
    const from = low.map((l, c) => Math.max(0, Math.floor((Math.min(a[c], b[c]) - radius - margin - l) / CELL)));
    const to = low.map((l, c) => Math.min(size[c] - 1, Math.ceil((Math.max(a[c], b[c]) + radius + margin - l) / CELL)));
    for (let k = from[2]; k <= to[2]; k++)
      for (let j = from[1]; j <= to[1]; j++)
        for (let i = from[0]; i <= to[0]; i++) {
          p[0] = low[0] + CELL * i;
          p[1] = low[1] + CELL * j;
          p[2] = low[2] + CELL * k;
          const at = i + size[0] * (j + size[1] * k);
          values[at] = united(values[at], distance(capsule, p, 0));
        }
  }
  for (let at = 0; at < values.length; at++) values[at] = values[at] === Infinity ? margin : values[at] + INSET;
  return values;
}
