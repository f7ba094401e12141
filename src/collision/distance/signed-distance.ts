import { gridDistance } from "./grid-distance";
import { heightfieldDistance } from "./heightfield-distance";
import { type Primitive, PrimitiveKind } from "./primitives";

/**
 * Signed distance [m] from a point in the frame of a primitive to its surface, negative inside. Exact for sphere, box,
 * capsule and cylinder; for other kinds never more than the distance, up to the interpolation of a grid.
 *
 * @param gradient receives the unit vector in which the distance grows; at points without one (the center of a sphere)
 * some direction out
 */
export function signedDistance(primitive: Primitive, x: number, y: number, z: number, gradient: Float64Array): number {
  const { size } = primitive;
  switch (primitive.kind) {
    case PrimitiveKind.sphere:
      return ballDistance(x, y, z, size[0], gradient);
    case PrimitiveKind.box:
      return boxDistance(x, y, z, size[0], size[1], size[2], gradient);
    case PrimitiveKind.capsule:
      return ballDistance(x, y - Math.min(Math.max(y, -size[0]), size[0]), z, size[1], gradient);
    case PrimitiveKind.cylinder:
      return cylinderDistance(x, y, z, size[0], size[1], gradient);
    case PrimitiveKind.hull:
      return hullDistance(primitive.data, x, y, z, gradient);
    case PrimitiveKind.grid:
      return gridDistance(primitive, x, y, z, gradient);
    case PrimitiveKind.heightfield:
      return heightfieldDistance(primitive, x, y, z, gradient);
  }
}

function ballDistance(x: number, y: number, z: number, radius: number, gradient: Float64Array): number {
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length > 0) set(gradient, x / length, y / length, z / length);
  // On the axis of a capsule any sideways direction leads out; at the center of a sphere any direction.
  else set(gradient, 1, 0, 0);
  return length - radius;
}

function boxDistance(
  x: number,
  y: number,
  z: number,
  hx: number,
  hy: number,
  hz: number,
  gradient: Float64Array,
): number {
  const qx = Math.abs(x) - hx;
  const qy = Math.abs(y) - hy;
  const qz = Math.abs(z) - hz;
  const signX = x < 0 ? -1 : 1;
  const signY = y < 0 ? -1 : 1;
  const signZ = z < 0 ? -1 : 1;
  const inside = Math.max(qx, qy, qz);
  if (inside <= 0) {
    if (qx === inside) set(gradient, signX, 0, 0);
    else if (qy === inside) set(gradient, 0, signY, 0);
    else set(gradient, 0, 0, signZ);
    return inside;
  }
  const dx = Math.max(qx, 0);
  const dy = Math.max(qy, 0);
  const dz = Math.max(qz, 0);
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  set(gradient, (signX * dx) / length, (signY * dy) / length, (signZ * dz) / length);
  return length;
}

/** A box in the half plane of radius and height, turned around Y. */
function cylinderDistance(
  x: number,
  y: number,
  z: number,
  half: number,
  radius: number,
  gradient: Float64Array,
): number {
  const rho = Math.sqrt(x * x + z * z);
  const qr = rho - radius;
  const qy = Math.abs(y) - half;
  const inside = Math.max(qr, qy);
  let outR = 0;
  let outY = 0;
  let distance = inside;
  if (inside <= 0) {
    if (qr === inside) outR = 1;
    else outY = 1;
  } else {
    const dr = Math.max(qr, 0);
    const dy = Math.max(qy, 0);
    distance = Math.sqrt(dr * dr + dy * dy);
    outR = dr / distance;
    outY = dy / distance;
  }
  const cos = rho > 0 ? x / rho : 1;
  const sin = rho > 0 ? z / rho : 0;
  set(gradient, outR * cos, y < 0 ? -outY : outY, outR * sin);
  return distance;
}

function hullDistance(planes: Float64Array, x: number, y: number, z: number, gradient: Float64Array): number {
  let most = -Infinity;
  let best = 0;
  for (let i = 0; i < planes.length; i += 4) {
    const value = planes[i] * x + planes[i + 1] * y + planes[i + 2] * z - planes[i + 3];
    if (value > most) {
      most = value;
      best = i;
    }
  }
  set(gradient, planes[best], planes[best + 1], planes[best + 2]);
  return most;
}

function set(out: Float64Array, x: number, y: number, z: number): void {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}
