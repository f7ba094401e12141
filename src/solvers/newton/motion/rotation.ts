import { sinCos } from "../../../math/deterministic";

/** Writes exp(v) ∘ q: q turned about the world vector v by its length [rad]. `out` may be `q` at the same place. */
export function turnQuaternion(q: Float64Array, at: number, v: Float64Array, out: Float64Array, to: number): void {
  const vx = v[0];
  const vy = v[1];
  const vz = v[2];
  const squared = vx * vx + vy * vy + vz * vz;
  // sin(θ/2)/θ and cos(θ/2); by their series if the quotient would lose digits
  let s = 0.5 - squared / 48;
  let w = 1 - squared / 8;
  if (squared > 1e-8) {
    const angle = Math.sqrt(squared);
    half[0] = 0.5 * angle;
    sinCos(half);
    s = half[0] / angle;
    w = half[1];
  }
  const x = s * vx;
  const y = s * vy;
  const z = s * vz;
  const qx = q[at];
  const qy = q[at + 1];
  const qz = q[at + 2];
  const qw = q[at + 3];
  const rx = w * qx + x * qw + y * qz - z * qy;
  const ry = w * qy + y * qw + z * qx - x * qz;
  const rz = w * qz + z * qw + x * qy - y * qx;
  const rw = w * qw - x * qx - y * qy - z * qz;
  const scale = 1 / Math.sqrt(rx * rx + ry * ry + rz * rz + rw * rw);
  out[to] = rx * scale;
  out[to + 1] = ry * scale;
  out[to + 2] = rz * scale;
  out[to + 3] = rw * scale;
}

const half = new Float64Array(2);

/** Writes the rotation matrix of a unit quaternion, row-major, 9 numbers. */
export function rotationMatrix(q: Float64Array, at: number, out: Float64Array, to: number): void {
  const x = q[at];
  const y = q[at + 1];
  const z = q[at + 2];
  const w = q[at + 3];
  out[to] = 1 - 2 * (y * y + z * z);
  out[to + 1] = 2 * (x * y - w * z);
  out[to + 2] = 2 * (x * z + w * y);
  out[to + 3] = 2 * (x * y + w * z);
  out[to + 4] = 1 - 2 * (x * x + z * z);
  out[to + 5] = 2 * (y * z - w * x);
  out[to + 6] = 2 * (x * z - w * y);
  out[to + 7] = 2 * (y * z + w * x);
  out[to + 8] = 1 - 2 * (x * x + y * y);
}
