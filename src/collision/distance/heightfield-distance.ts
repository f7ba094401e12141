import type { Primitive } from "./primitives";
import { closestPointOnTriangle } from "../../geometry/triangles/triangle";

const corners = new Float64Array(9);
const closest = new Float64Array(6);
const nearest = new Float64Array(3);

/**
 * Distance to the solid below a triangulated heightfield: the part of a slab (with sides and a bottom) that lies below
 * the surface. The result is the larger of the two distances.
 *
 * The vertical gap times the cosine of the steepest slope never exceeds the distance to the surface. Within half a cell
 * the distance is exact: the cells around the nearest sample reach at least that far, so the closest of their triangles
 * is the closest of all.
 */
export function heightfieldDistance(
  { size, data }: Primitive,
  x: number,
  y: number,
  z: number,
  gradient: Float64Array,
): number {
  const nx = size[0];
  const nz = size[1];
  const cellX = size[2];
  const cellZ = size[3];
  const halfX = 0.5 * cellX * (nx - 1);
  const halfZ = 0.5 * cellZ * (nz - 1);
  const gx = (Math.min(Math.max(x, -halfX), halfX) + halfX) / cellX;
  const gz = (Math.min(Math.max(z, -halfZ), halfZ) + halfZ) / cellZ;
  const i = Math.min(Math.floor(gx), nx - 2);
  const j = Math.min(Math.floor(gz), nz - 2);
  const u = gx - i;
  const v = gz - j;
  const at = 2 + j * nx + i;
  const lower = u + v <= 1;
  const corner = lower ? data[at] : data[at + nx + 1];
  const riseX = lower ? data[at + 1] - corner : corner - data[at + nx];
  const riseZ = lower ? data[at + nx] - corner : corner - data[at + 1];
  const height = lower ? corner + u * riseX + v * riseZ : corner - (1 - u) * riseX - (1 - v) * riseZ;
  const sign = y < height ? -1 : 1;
  const slopeX = riseX / cellX;
  const slopeZ = riseZ / cellZ;
  const scale = 1 / Math.sqrt(1 + slopeX * slopeX + slopeZ * slopeZ);
  gradient[0] = -slopeX * scale;
  gradient[1] = scale;
  gradient[2] = -slopeZ * scale;
  let field = Math.abs(y - height) * data[1];
  const reach = 0.5 * Math.min(cellX, cellZ);
  if (field < reach) {
    const distance = surfaceDistance(data, nx, nz, cellX, cellZ, gx, gz, x + halfX, y, z + halfZ, reach);
    // Right at the surface, the way to the closest point has no reliable direction; the slope has one.
    if (distance < reach && distance > 1e-3 * reach) {
      const outward = sign / distance;
      gradient[0] = outward * nearest[0];
      gradient[1] = outward * nearest[1];
      gradient[2] = outward * nearest[2];
    }
    field = Math.max(field, Math.min(distance, reach));
  }
  return slabDistance(sign * field, Math.abs(x) - halfX, data[0] - y, Math.abs(z) - halfZ, x, z, gradient);
}

/**
 * Distance to the triangles around the nearest sample; `nearest` becomes the vector from the closest point to p.
 * Triangles are taken relative to p, whose coordinates may be much larger than a cell.
 */
function surfaceDistance(
  data: Float64Array,
  nx: number,
  nz: number,
  cellX: number,
  cellZ: number,
  gx: number,
  gz: number,
  x: number,
  y: number,
  z: number,
  reach: number,
): number {
  const ci = Math.floor(gx + 0.5);
  const cj = Math.floor(gz + 0.5);
  let best = reach * reach;
  for (let j = Math.max(cj - 1, 0); j <= Math.min(cj, nz - 2); j++)
    for (let i = Math.max(ci - 1, 0); i <= Math.min(ci, nx - 2); i++) {
      const at = 2 + j * nx + i;
      const x0 = i * cellX - x;
      const z0 = j * cellZ - z;
      for (let upper = 0; upper < 2; upper++) {
        // Both triangles share the diagonal; the third corner is (i, j) or (i + 1, j + 1).
        corners[0] = x0 + upper * cellX;
        corners[1] = data[at + upper * (nx + 1)] - y;
        corners[2] = z0 + upper * cellZ;
        corners[3] = x0 + cellX;
        corners[4] = data[at + 1] - y;
        corners[5] = z0;
        corners[6] = x0;
        corners[7] = data[at + nx] - y;
        corners[8] = z0 + cellZ;
        const squared = closestPointOnTriangle(corners, 0, 0, 0, 0, closest);
        if (squared < best) {
          best = squared;
          nearest[0] = -closest[0];
          nearest[1] = -closest[1];
          nearest[2] = -closest[2];
        }
      }
    }
  return Math.sqrt(best);
}

/**
 * The larger one of the field's distance and the distance to the slab: sides at qx = 0 and qz = 0, bottom at qy = 0, no
 * top.
 */
function slabDistance(
  field: number,
  qx: number,
  qy: number,
  qz: number,
  x: number,
  z: number,
  gradient: Float64Array,
): number {
  const most = Math.max(qx, qy, qz);
  const dx = most > 0 ? Math.max(qx, 0) : qx === most ? 1 : 0;
  const dy = most > 0 ? Math.max(qy, 0) : dx === 0 && qy === most ? 1 : 0;
  const dz = most > 0 ? Math.max(qz, 0) : dx === 0 && dy === 0 ? 1 : 0;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const slab = most > 0 ? length : most;
  if (slab <= field) return field;
  gradient[0] = (x < 0 ? -dx : dx) / length;
  gradient[1] = -dy / length;
  gradient[2] = (z < 0 ? -dz : dz) / length;
  return slab;
}
