import { type Convex, ConvexKind } from "../narrow/shapes/convex";

/** The point where a ray enters a solid, in the frame of the solid. One object is used for all rays. */
export class RayEntry {
  /** along the ray [m] */
  distance = 0;
  /** unit normal out of the solid */
  nx = 0;
  ny = 0;
  nz = 0;

  set(distance: number, nx: number, ny: number, nz: number): true {
    this.distance = distance;
    this.nx = nx;
    this.ny = ny;
    this.nz = nz;
    return true;
  }
}

/** A ray in the frame of the solid: its start [m] and its unit direction. */
export interface Ray {
  x: number;
  y: number;
  z: number;
  dx: number;
  dy: number;
  dz: number;
}

/**
 * First point where a ray enters a convex solid. A ray that starts inside leaves the solid and does not enter it; a
 * triangle has two sides, and its normal points towards the start of the ray.
 *
 * @param length of the ray [m]
 * @returns false, with `out` unusable, if the ray does not enter
 */
export function rayConvex(convex: Convex, ray: Ray, length: number, out: RayEntry): boolean {
  const { kind, radius, halfX, halfY } = convex;
  switch (kind) {
    case ConvexKind.sphere:
      return rayBall(ray, 0, radius, length, out);
    case ConvexKind.capsule:
      return rayCapsule(halfY, radius, ray, length, out);
    case ConvexKind.cylinder:
      return rayCylinder(halfY, halfX, ray, length, out);
    case ConvexKind.triangle:
      return rayTriangle(convex.vertices, ray, length, out);
    case ConvexKind.box:
    case ConvexKind.hull:
      return rayPlanes(convex, ray, length, out);
  }
}

/** @param height of the ball's center, which is on the Y axis */
function rayBall(ray: Ray, height: number, radius: number, length: number, out: RayEntry): boolean {
  const { x, z, dx, dy, dz } = ray;
  const y = ray.y - height;
  const b = x * dx + y * dy + z * dz;
  const c = x * x + y * y + z * z - radius * radius;
  if (c < 0 || b > 0) return false;
  // This uses the distance of the line from the center instead of b² − c, which loses digits far away.
  const px = x - b * dx;
  const py = y - b * dy;
  const pz = z - b * dz;
  const root = radius * radius - (px * px + py * py + pz * pz);
  if (root < 0) return false;
  const t = Math.max(0, -b - Math.sqrt(root));
  if (t > length) return false;
  return out.set(t, (x + t * dx) / radius, (y + t * dy) / radius, (z + t * dz) / radius);
}

/** Distance at which the ray enters the infinite cylinder around Y; NaN if it does not. */
function enterTube(x: number, z: number, dx: number, dz: number, radius: number): number {
  const a = dx * dx + dz * dz;
  const b = x * dx + z * dz;
  const c = x * x + z * z - radius * radius;
  if (!(a > 0) || b > 0) return NaN;
  const px = x - (b / a) * dx;
  const pz = z - (b / a) * dz;
  const root = (radius * radius - px * px - pz * pz) / a;
  if (root < 0) return NaN;
  // A ray that starts inside the tube has its entry behind it.
  return c < 0 ? NaN : Math.max(0, -b / a - Math.sqrt(root));
}

function rayCapsule(half: number, radius: number, ray: Ray, length: number, out: RayEntry): boolean {
  const { x, y, z, dx, dy, dz } = ray;
  const h = Math.min(Math.max(y, -half), half);
  if (x * x + (y - h) * (y - h) + z * z < radius * radius) return false;
  const t = enterTube(x, z, dx, dz, radius);
  if (t <= length && Math.abs(y + t * dy) <= half) return out.set(t, (x + t * dx) / radius, 0, (z + t * dz) / radius);
  // Otherwise the ray enters by one of the caps.
  const isLower = rayBall(ray, -half, radius, length, out);
  return rayBall(ray, half, radius, isLower ? out.distance : length, out) || isLower;
}

function rayCylinder(half: number, radius: number, ray: Ray, length: number, out: RayEntry): boolean {
  const { x, y, z, dx, dy, dz } = ray;
  if (x * x + z * z < radius * radius && Math.abs(y) < half) return false;
  const t = enterTube(x, z, dx, dz, radius);
  if (t <= length && Math.abs(y + t * dy) <= half) return out.set(t, (x + t * dx) / radius, 0, (z + t * dz) / radius);
  const side = y > 0 ? 1 : -1;
  if (Math.abs(y) < half || !(side * dy < 0)) return false;
  const s = (side * half - y) / dy;
  const px = x + s * dx;
  const pz = z + s * dz;
  if (s > length || px * px + pz * pz > radius * radius) return false;
  return out.set(s, 0, side, 0);
}

/** The last plane by which the ray enters, unless the ray leaves by another plane before. */
function rayPlanes({ faceNormals: n, faceOffsets }: Convex, ray: Ray, length: number, out: RayEntry): boolean {
  const { x, y, z, dx, dy, dz } = ray;
  let enter = -Infinity;
  let leave = length;
  let face = -1;
  for (let f = 0; f < faceOffsets.length; f++) {
    const height = n[3 * f] * x + n[3 * f + 1] * y + n[3 * f + 2] * z - faceOffsets[f];
    const speed = n[3 * f] * dx + n[3 * f + 1] * dy + n[3 * f + 2] * dz;
    if (speed === 0) {
      if (height > 0) return false;
      continue;
    }
    const t = -height / speed;
    if (speed < 0) {
      if (t > enter) {
        enter = t;
        face = f;
      }
    } else if (t < leave) leave = t;
  }
  if (!(enter >= 0 && enter <= leave)) return false;
  return out.set(enter, n[3 * face], n[3 * face + 1], n[3 * face + 2]);
}

/** Möller & Trumbore (1997), from either side. */
function rayTriangle(c: ArrayLike<number>, ray: Ray, length: number, out: RayEntry): boolean {
  const { x, y, z, dx, dy, dz } = ray;
  const ux = c[3] - c[0];
  const uy = c[4] - c[1];
  const uz = c[5] - c[2];
  const vx = c[6] - c[0];
  const vy = c[7] - c[1];
  const vz = c[8] - c[2];
  const hx = dy * vz - dz * vy;
  const hy = dz * vx - dx * vz;
  const hz = dx * vy - dy * vx;
  const det = ux * hx + uy * hy + uz * hz;
  if (det === 0) return false;
  const sx = x - c[0];
  const sy = y - c[1];
  const sz = z - c[2];
  const u = (sx * hx + sy * hy + sz * hz) / det;
  // A small tolerance keeps rays from slipping through between two triangles.
  if (!(u >= -SLACK && u <= 1 + SLACK)) return false;
  const qx = sy * uz - sz * uy;
  const qy = sz * ux - sx * uz;
  const qz = sx * uy - sy * ux;
  const v = (dx * qx + dy * qy + dz * qz) / det;
  if (!(v >= -SLACK && u + v <= 1 + SLACK)) return false;
  const t = (vx * qx + vy * qy + vz * qz) / det;
  if (!(t >= 0 && t <= length)) return false;
  const sign = det > 0 ? 1 : -1;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const scale = sign / Math.sqrt(nx * nx + ny * ny + nz * nz);
  return out.set(t, scale * nx, scale * ny, scale * nz);
}

const SLACK = 1e-12;
