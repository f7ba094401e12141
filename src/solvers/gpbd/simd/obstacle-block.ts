import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import { PrimitiveKind } from "../../../collision/distance/primitives";
import { POSE, rotate } from "../../../collision/shape/pose";

/** Bytes of the block of an obstacle. */
export const OBSTACLE_BLOCK = 160;

/**
 * An obstacle's numbers for the kernels, f32, with all points beside the origin of a body:
 *
 *     0   axes of a box, three rows; the axis of a ball along its cylindrical part
 *     9   of a box: n·x of the sides that its axes point to; of a ball: its middle [m]
 *     12  of a box: n·x of the opposite sides; of a ball: half its cylindrical part (0 for a sphere), radius [m]
 *     15  motion of the surface in the substep: E x + e with E in three rows and e, of points x at the end [m]
 *     27  thickness of the body [m], friction coefficient
 *     29  0 for a ball, 1 for a box; 1 if it moves (whole numbers)
 *     32  lowest corner of a box around what it may touch, and how far it moves in the box of the body; 36 the highest corner [m]
 */
const PLACE = {
  far: 9,
  near: 12,
  turn: 15,
  shift: 24,
  thickness: 27,
  friction: 28,
  kind: 29,
  moves: 30,
  low: 32,
  way: 35,
  high: 36,
} as const;

/** A ball that is larger or further away than this many times the size of a body is not exact enough in f32. */
const LARGEST = 8;

const pose0 = new Float64Array(POSE);
const pose1 = new Float64Array(POSE);
const axes = new Float64Array(9);
const axes0 = new Float64Array(9);
const middle = new Float64Array(3);
const turn = new Float64Array(9);

/**
 * The number of the shape in the kernels; −1 for a shape that they do not know, or not well enough.
 *
 * @param size of the body [m]
 */
export function kernelShapeOf(
  { primitives, startPoses }: ColliderSet,
  k: number,
  origin: ArrayLike<number>,
  size: number,
): number {
  const { kind, size: lengths } = primitives[k];
  if (kind === PrimitiveKind.box) return 1;
  if (kind !== PrimitiveKind.sphere && kind !== PrimitiveKind.capsule) return -1;
  let away = lengths[0] + lengths[1];
  for (let c = 0; c < 3; c++) away = Math.max(away, Math.abs(startPoses[POSE * k + c] - origin[c]));
  return away < LARGEST * size ? 0 : -1;
}

/**
 * Writes the block of an obstacle for a substep.
 *
 * @param fraction0 start of the substep in the frame, 0 to 1; `fraction1` is its end
 * @param at first number of the block
 */
export function writeObstacle(
  set: ColliderSet,
  k: number,
  shape: number,
  fraction0: number,
  fraction1: number,
  origin: ArrayLike<number>,
  thickness: number,
  friction: number,
  floats: Float32Array,
  words: Uint32Array,
  at: number,
): void {
  const moves = set.proxyOf[k] >= 0 || set.moving[k] === 1;
  for (let i = 0; i < POSE; i++) pose0[i] = set.startPoses[POSE * k + i]!;
  pose1.set(pose0);
  if (moves) {
    set.readPose(k, false, fraction0, pose0);
    set.readPose(k, true, fraction1, pose1);
  }
  writeAxes(pose1, axes);
  for (let c = 0; c < 3; c++) middle[c] = pose1[c] - origin[c];
  const { size, kind } = set.primitives[k];
  if (shape === 1)
    for (let i = 0; i < 3; i++) {
      let across = 0;
      for (let c = 0; c < 3; c++) {
        floats[at + 3 * i + c] = axes[3 * i + c]!;
        across += axes[3 * i + c] * middle[c];
      }
      floats[at + PLACE.far + i] = across + size[i];
      floats[at + PLACE.near + i] = across - size[i];
    }
  else {
    const isSphere = kind === PrimitiveKind.sphere;
    for (let c = 0; c < 3; c++) {
      floats[at + c] = axes[3 + c]!;
      floats[at + PLACE.far + c] = middle[c]!;
    }
    floats[at + PLACE.near] = isSphere ? 0 : size[0];
    floats[at + PLACE.near + 1] = isSphere ? size[0] : size[1];
  }
  floats.fill(0, at + PLACE.turn, at + PLACE.thickness);
  if (moves) writeMotion(floats, at);
  floats[at + PLACE.thickness] = thickness;
  floats[at + PLACE.friction] = set.frictionWith(k, friction);
  words[at + PLACE.kind] = shape;
  words[at + PLACE.moves] = moves ? 1 : 0;
}

/**
 * Writes which blocks of particles and faces an obstacle cannot touch.
 *
 * @param bounds lowest and highest corner of a box around what it may touch, from item `from` on
 * @param box the same of the ways of the body's particles, four numbers each, from `corner` on
 * @returns how far it may move in that [m]
 */
export function writeBounds(
  floats: Float32Array,
  at: number,
  bounds: ArrayLike<number>,
  from: number,
  box: ArrayLike<number>,
  corner: number,
): number {
  let square = 0;
  for (let i = 0; i < 3; i++) {
    floats[at + PLACE.low + i] = bounds[from + i]!;
    floats[at + PLACE.high + i] = bounds[from + 3 + i]!;
    let middle = floats[at + PLACE.shift + i];
    let spread = 0;
    for (let j = 0; j < 3; j++) {
      const turned = floats[at + PLACE.turn + 3 * i + j];
      middle += (turned * (box[corner + j] + box[corner + 4 + j])) / 2;
      spread += Math.abs(turned) * (box[corner + 4 + j] - box[corner + j]);
    }
    // The particles' ways may get longer in the substep, but not than the body.
    square += (Math.abs(middle) + spread) ** 2;
  }
  const way = Math.sqrt(square);
  floats[at + PLACE.way] = way;
  return way;
}

/** Displacement of a point of the surface that ends at x: x − (R₀ R₁ᵀ (x − c₁) + c₀) = E x + e. */
function writeMotion(floats: Float32Array, at: number): void {
  writeAxes(pose0, axes0);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let sum = i === j ? 1 : 0;
      for (let a = 0; a < 3; a++) sum -= axes0[3 * a + i] * axes[3 * a + j];
      turn[3 * i + j] = sum;
      floats[at + PLACE.turn + 3 * i + j] = sum;
    }
  for (let i = 0; i < 3; i++) {
    let shift = pose1[i] - pose0[i];
    for (let j = 0; j < 3; j++) shift -= turn[3 * i + j] * middle[j];
    floats[at + PLACE.shift + i] = shift;
  }
}

/** World axes of a pose, one a row. */
function writeAxes(pose: Float64Array, out: Float64Array): void {
  for (let a = 0; a < 3; a++) rotate(pose, 0, a === 0 ? 1 : 0, a === 1 ? 1 : 0, a === 2 ? 1 : 0, out, 3 * a);
}
