import { conjugate, product, turn, unitQuaternion } from "../../math/quaternions";
import type { Quat, Vec3 } from "../../math/types";
import { norm } from "../../math/vectors";
import { cos, sin } from "../../math/deterministic";

/** Rigid transforms p ↦ R p + t of mechanism files, and their notations for rotations. Quaternions are (x, y, z, w). */
export interface Transform {
  readonly position: Vec3;
  readonly rotation: Quat;
}

export const identity: Transform = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };

/** a after b: p ↦ a(b(p)). */
export function multiply(a: Transform, b: Transform): Transform {
  const moved = turn(a.rotation, b.position);
  return {
    position: [a.position[0] + moved[0], a.position[1] + moved[1], a.position[2] + moved[2]],
    rotation: product(a.rotation, b.rotation),
  };
}

export function inverse({ position, rotation }: Transform): Transform {
  const back = conjugate(rotation);
  const [x, y, z] = turn(back, position);
  return { position: [-x, -y, -z], rotation: back };
}

/** R p + t. */
export function apply({ position, rotation }: Transform, p: Vec3): Vec3 {
  const [x, y, z] = turn(rotation, p);
  return [x + position[0], y + position[1], z + position[2]];
}

/** Rotation matrix, row-major. */
export function matrixOf(rotation: Quat): number[] {
  const columns = (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const
  ).map((axis) => turn(rotation, axis));
  return [0, 1, 2].flatMap((row) => columns.map((column) => column[row]));
}

/** Rotation by an angle [rad] about an axis, of any length but zero. */
export function axisAngle(axis: Vec3, angle: number): Quat {
  const length = norm(axis);
  const s = sin(angle / 2) / length;
  return [axis[0] * s, axis[1] * s, axis[2] * s, cos(angle / 2)];
}

const axes: Readonly<Record<string, Vec3>> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

/**
 * Euler angles [rad]: `order` gives the axis of each angle. Lower-case letters are axes that turn with the frame (R =
 * R₁ R₂ R₃), upper-case letters are fixed axes (R = R₃ R₂ R₁).
 */
export function eulerRotation(angles: readonly number[], order: string): Quat {
  let rotation: Quat = [0, 0, 0, 1];
  for (let i = 0; i < 3; i++) {
    const letter = order[i];
    const turn = axisAngle(axes[letter.toLowerCase()], angles[i]);
    const moving = letter === letter.toLowerCase();
    rotation = moving ? product(rotation, turn) : product(turn, rotation);
  }
  return rotation;
}

/** The shortest rotation that turns +z into a direction, of any length but zero. */
export function rotationOntoZ(direction: Vec3): Quat {
  const length = norm(direction);
  const [x, y, z] = direction.map((c) => c / length);
  // Half-way quaternion of (0, 0, 1) and the direction: (z × d, 1 + z·d).
  if (z < -1 + 1e-12) return [1, 0, 0, 0];
  const q: Quat = [-y, x, 0, 1 + z];
  return unitQuaternion(q);
}
