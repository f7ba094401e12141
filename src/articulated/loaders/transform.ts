import type { Quat, Vec3 } from "../../math/types";

/**
 * Rigid transforms p ↦ R p + t as files give them, and the ways in which they write rotations. Quaternions are (x, y, z, w).
 */
export interface Transform {
  readonly position: Vec3;
  readonly rotation: Quat;
}

export const identity: Transform = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };

/** a after b: p ↦ a(b(p)). */
export function multiply(a: Transform, b: Transform): Transform {
  const moved = rotate(a.rotation, b.position);
  return {
    position: [a.position[0] + moved[0], a.position[1] + moved[1], a.position[2] + moved[2]],
    rotation: multiplyQuat(a.rotation, b.rotation),
  };
}

export function inverse({ position, rotation }: Transform): Transform {
  const conjugate: Quat = [-rotation[0], -rotation[1], -rotation[2], rotation[3]];
  const [x, y, z] = rotate(conjugate, position);
  return { position: [-x, -y, -z], rotation: conjugate };
}

/** R p + t. */
export function apply({ position, rotation }: Transform, p: Vec3): Vec3 {
  const [x, y, z] = rotate(rotation, p);
  return [x + position[0], y + position[1], z + position[2]];
}

export function multiplyQuat(a: Quat, b: Quat): Quat {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

export function rotate([x, y, z, w]: Quat, p: Vec3): Vec3 {
  // p + 2 w (v × p) + 2 v × (v × p) with v the vector part
  const cx = 2 * (y * p[2] - z * p[1]);
  const cy = 2 * (z * p[0] - x * p[2]);
  const cz = 2 * (x * p[1] - y * p[0]);
  return [p[0] + w * cx + y * cz - z * cy, p[1] + w * cy + z * cx - x * cz, p[2] + w * cz + x * cy - y * cx];
}

/** Rotation matrix, row-major. */
export function matrixOf(rotation: Quat): number[] {
  const columns = (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const
  ).map((axis) => rotate(rotation, axis));
  return [0, 1, 2].flatMap((row) => columns.map((column) => column[row]));
}

/** Rotation by an angle [rad] about an axis, of any length but zero. */
export function axisAngle(axis: Vec3, angle: number): Quat {
  const length = Math.hypot(...axis);
  const s = Math.sin(angle / 2) / length;
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

const axes: Readonly<Record<string, Vec3>> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

/**
 * Euler angles [rad]: `order` says about which axis each angle turns. Lower-case letters are axes that turn along
 * (R = R₁ R₂ R₃), upper-case ones stay (R = R₃ R₂ R₁).
 */
export function eulerRotation(angles: readonly number[], order: string): Quat {
  let rotation: Quat = [0, 0, 0, 1];
  for (let i = 0; i < 3; i++) {
    const letter = order[i];
    const turn = axisAngle(axes[letter.toLowerCase()], angles[i]);
    const moving = letter === letter.toLowerCase();
    rotation = moving ? multiplyQuat(rotation, turn) : multiplyQuat(turn, rotation);
  }
  return rotation;
}

/** The shortest rotation that turns +z into a direction, of any length but zero. */
export function rotationOntoZ(direction: Vec3): Quat {
  const length = Math.hypot(...direction);
  const [x, y, z] = direction.map((c) => c / length);
  // Half-way quaternion of (0, 0, 1) and the direction: (z × d, 1 + z·d).
  if (z < -1 + 1e-12) return [1, 0, 0, 0];
  const q: Quat = [-y, x, 0, 1 + z];
  return normalised(q);
}

/** Columns x, y, z of a right-handed orthonormal frame as a quaternion. */
export function rotationOfAxes(x: Vec3, y: Vec3, z: Vec3): Quat {
  const [r00, r10, r20] = x;
  const [r01, r11, r21] = y;
  const [r02, r12, r22] = z;
  const trace = r00 + r11 + r22;
  if (trace > 0) return normalised([r21 - r12, r02 - r20, r10 - r01, 1 + trace]);
  if (r00 >= r11 && r00 >= r22) return normalised([1 + r00 - r11 - r22, r01 + r10, r02 + r20, r21 - r12]);
  if (r11 >= r22) return normalised([r01 + r10, 1 + r11 - r00 - r22, r12 + r21, r02 - r20]);
  return normalised([r02 + r20, r12 + r21, 1 + r22 - r00 - r11, r10 - r01]);
}

/** Unit quaternion of the same direction. */
export function normalised(q: Quat): Quat {
  const length = Math.hypot(...q);
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
