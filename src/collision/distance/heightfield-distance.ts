import type { Primitive } from "./primitives";
import { closestOnTriangle } from "../../geometry/triangles/triangle";

const corners = new Float64Array(9);
const closest = new Float64Array(7);
const nearest = new Float64Array(4);
const asked = new Float64Array(3);
const ORIGIN = new Float64Array(3);

/**
 * Distance to the solid below a triangulated heightfield: the part of a slab (with sides and a bottom) that lies below
 * the surface. The result is the larger of the two distances.
 *
 * The vertical gap times the cosine of the steepest slope never exceeds the distance to the surface. Within half a cell
 * the distance is exact: the cells around the nearest sample reach at least that far, so the closest of their triangles
 * is the closest of all.
 */
export function heightfieldDistance(
  primitive: Primitive,
  points: Float64Array,
  place: number,
  out: Float64Array,
): void {
  const { size, data } = primitive;
  const x = points[place];
  const y = points[place + 1];
  const z = points[place + 2];
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
  let gradientX = -slopeX * scale;
  let gradientY = scale;
  let gradientZ = -slopeZ * scale;
  let field = Math.abs(y - height) * data[1];
  const reach = 0.5 * Math.min(cellX, cellZ);
  if (field < reach) {
    asked[0] = x + halfX;
    asked[1] = y;
    asked[2] = z + halfZ;
    surfaceDistance(primitive, Math.floor(gx + 0.5), Math.floor(gz + 0.5));
    const distance = nearest[3];
    // Right at the surface, the way to the closest point has no reliable direction; the slope has one.
    if (distance < reach && distance > 1e-3 * reach) {
      const outward = sign / distance;
      gradientX = outward * nearest[0];
      gradientY = outward * nearest[1];
      gradientZ = outward * nearest[2];
    }
    field = Math.max(field, Math.min(distance, reach));
  }
  field *= sign;
  // The larger one of the field's distance and the distance to the slab: sides at qx = 0 and qz = 0, bottom at qy = 0, no top.
  const qx = Math.abs(x) - halfX;
  const qy = data[0] - y;
  const qz = Math.abs(z) - halfZ;
  const most = Math.max(qx, qy, qz);
  const dx = most > 0 ? Math.max(qx, 0) : qx === most ? 1 : 0;
  const dy = most > 0 ? Math.max(qy, 0) : dx === 0 && qy === most ? 1 : 0;
  const dz = most > 0 ? Math.max(qz, 0) : dx === 0 && dy === 0 ? 1 : 0;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const slab = most > 0 ? length : most;
  const isSlab = slab > field;
  out[0] = isSlab ? (x < 0 ? -dx : dx) / length : gradientX;
  out[1] = isSlab ? -dy / length : gradientY;
  out[2] = isSlab ? (z < 0 ? -dz : dz) / length : gradientZ;
  out[3] = isSlab ? slab : field;
}

/**
 * Distance of the point that is `asked` for, from the first sample on, to the triangles around the nearest sample (ci, cj), or more than
 * half a cell: `nearest` becomes the vector from the closest point to p, and the distance. Triangles are taken relative to p, whose
 * coordinates may be much larger than a cell.
 */
function surfaceDistance({ size, data }: Primitive, ci: number, cj: number): void {
  const x = asked[0];
  const y = asked[1];
  const z = asked[2];
  const nx = size[0];
  const nz = size[1];
  const cellX = size[2];
  const cellZ = size[3];
  const reach = 0.5 * Math.min(cellX, cellZ);
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
        closestOnTriangle(corners, 0, ORIGIN, 0, closest);
        const squared = closest[6];
        if (squared < best) {
          best = squared;
          nearest[0] = -closest[0];
          nearest[1] = -closest[1];
          nearest[2] = -closest[2];
        }
      }
    }
  nearest[3] = Math.sqrt(best);
}
