import { gridDistance } from "./grid-distance";
import { heightfieldDistance } from "./heightfield-distance";
import { type Primitive, PrimitiveKind } from "./primitives";

const asked = new Float64Array(3);
const answer = new Float64Array(4);

/**
 * Signed distance [m] from a point in the frame of a primitive to its surface, negative inside. Exact for sphere, box,
 * capsule and cylinder; for other kinds never more than the distance, up to the interpolation of a grid.
 *
 * @param gradient receives the unit vector in which the distance grows; at points without one (the center of a sphere)
 * some direction out
 */
export function signedDistance(primitive: Primitive, x: number, y: number, z: number, gradient: Float64Array): number {
  asked[0] = x;
  asked[1] = y;
  asked[2] = z;
  distanceAt(primitive, asked, 0, answer);
  gradient[0] = answer[0];
  gradient[1] = answer[1];
  gradient[2] = answer[2];
  return answer[3];
}

/**
 * As `signedDistance`, for inner loops: V8 allocates each number that a function takes or returns that it doesn't inline.
 *
 * @param points coordinates of the point from place `i` on [m]
 * @param out receives the gradient in 0..2 and the distance in 3 [m]; may be `points` with `i` 0
 */
export function distanceAt(primitive: Primitive, points: Float64Array, i: number, out: Float64Array): void {
  switch (primitive.kind) {
    case PrimitiveKind.sphere:
      return ballDistance(primitive, points, i, false, out);
    case PrimitiveKind.box:
      return boxDistance(primitive, points, i, out);
    case PrimitiveKind.capsule:
      return ballDistance(primitive, points, i, true, out);
    case PrimitiveKind.cylinder:
      return cylinderDistance(primitive, points, i, out);
    case PrimitiveKind.hull:
      return hullDistance(primitive, points, i, out);
    case PrimitiveKind.grid:
      return gridDistance(primitive, points, i, out);
    case PrimitiveKind.heightfield:
      return heightfieldDistance(primitive, points, i, out);
  }
}

function ballDistance(
  { size }: Primitive,
  points: Float64Array,
  i: number,
  isCapsule: boolean,
  out: Float64Array,
): void {
  const x = points[i];
  const z = points[i + 2];
  let y = points[i + 1];
  if (isCapsule) y -= Math.min(Math.max(y, -size[0]), size[0]);
  const length = Math.sqrt(x * x + y * y + z * z);
  // On the axis of a capsule any sideways direction leads out; at the center of a sphere any direction.
  out[0] = length > 0 ? x / length : 1;
  out[1] = length > 0 ? y / length : 0;
  out[2] = length > 0 ? z / length : 0;
  out[3] = length - (isCapsule ? size[1] : size[0]);
}

function boxDistance({ size }: Primitive, points: Float64Array, i: number, out: Float64Array): void {
  const x = points[i];
  const y = points[i + 1];
  const z = points[i + 2];
  const qx = Math.abs(x) - size[0];
  const qy = Math.abs(y) - size[1];
  const qz = Math.abs(z) - size[2];
  const signX = x < 0 ? -1 : 1;
  const signY = y < 0 ? -1 : 1;
  const signZ = z < 0 ? -1 : 1;
  const inside = Math.max(qx, qy, qz);
  if (inside <= 0) {
    const axis = qx === inside ? 0 : qy === inside ? 1 : 2;
    out[0] = axis === 0 ? signX : 0;
    out[1] = axis === 1 ? signY : 0;
    out[2] = axis === 2 ? signZ : 0;
    out[3] = inside;
    return;
  }
  const dx = Math.max(qx, 0);
  const dy = Math.max(qy, 0);
  const dz = Math.max(qz, 0);
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  out[0] = (signX * dx) / length;
  out[1] = (signY * dy) / length;
  out[2] = (signZ * dz) / length;
  out[3] = length;
}

/** A box in the half plane of radius and height, turned around Y. */
function cylinderDistance({ size }: Primitive, points: Float64Array, i: number, out: Float64Array): void {
  const x = points[i];
  const y = points[i + 1];
  const z = points[i + 2];
  const rho = Math.sqrt(x * x + z * z);
  const qr = rho - size[1];
  const qy = Math.abs(y) - size[0];
  const inside = Math.max(qr, qy);
  let outR = 0;
  let outY = 0;
  let distance = inside;
  if (inside <= 0)
    if (qr === inside) outR = 1;
    else outY = 1;
  else {
    const dr = Math.max(qr, 0);
    const dy = Math.max(qy, 0);
    distance = Math.sqrt(dr * dr + dy * dy);
    outR = dr / distance;
    outY = dy / distance;
  }
  const cos = rho > 0 ? x / rho : 1;
  const sin = rho > 0 ? z / rho : 0;
  out[0] = outR * cos;
  out[1] = y < 0 ? -outY : outY;
  out[2] = outR * sin;
  out[3] = distance;
}

function hullDistance({ data: planes }: Primitive, points: Float64Array, i: number, out: Float64Array): void {
  const x = points[i];
  const y = points[i + 1];
  const z = points[i + 2];
  let most = -Infinity;
  let best = 0;
  for (let k = 0; k < planes.length; k += 4) {
    const value = planes[k] * x + planes[k + 1] * y + planes[k + 2] * z - planes[k + 3];
    if (value > most) {
      most = value;
      best = k;
    }
  }
  out[0] = planes[best];
  out[1] = planes[best + 1];
  out[2] = planes[best + 2];
  out[3] = most;
}
