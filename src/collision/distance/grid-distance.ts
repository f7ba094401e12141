import type { Primitive } from "./primitives";

/**
 * Distance from samples on a grid, interpolated trilinearly; the gradient is the normalized gradient of the
 * interpolant.
 *
 * Outside the grid, with q the closest point of the grid's box: every surface point s is in the box, which is convex, so
 * |p - s|² ≥ |p - q|² + |q - s|² ≥ |p - q|² + φ(q)².
 */
export function gridDistance({ size, data }: Primitive, points: Float64Array, place: number, out: Float64Array): void {
  const x = points[place];
  const y = points[place + 1];
  const z = points[place + 2];
  const nx = size[0];
  const ny = size[1];
  const nz = size[2];
  const cell = size[3];
  const halfX = 0.5 * cell * (nx - 1);
  const halfY = 0.5 * cell * (ny - 1);
  const halfZ = 0.5 * cell * (nz - 1);
  const qx = Math.min(Math.max(x, -halfX), halfX);
  const qy = Math.min(Math.max(y, -halfY), halfY);
  const qz = Math.min(Math.max(z, -halfZ), halfZ);
  const gx = (qx + halfX) / cell;
  const gy = (qy + halfY) / cell;
  const gz = (qz + halfZ) / cell;
  const i = Math.min(Math.floor(gx), nx - 2);
  const j = Math.min(Math.floor(gy), ny - 2);
  const k = Math.min(Math.floor(gz), nz - 2);
  const u = gx - i;
  const v = gy - j;
  const w = gz - k;
  const at = i + nx * (j + ny * k);
  const up = at + nx * ny;
  // Interpolate along x first: the value on each of four edges, and its slope there.
  const d00 = data[at + 1] - data[at];
  const d10 = data[at + nx + 1] - data[at + nx];
  const d01 = data[up + 1] - data[up];
  const d11 = data[up + nx + 1] - data[up + nx];
  const e00 = data[at] + u * d00;
  const e10 = data[at + nx] + u * d10;
  const e01 = data[up] + u * d01;
  const e11 = data[up + nx] + u * d11;
  const f0 = e00 + v * (e10 - e00);
  const f1 = e01 + v * (e11 - e01);
  const value = f0 + w * (f1 - f0);
  const dx0 = d00 + v * (d10 - d00);
  const dx1 = d01 + v * (d11 - d01);
  const slopeX = dx0 + w * (dx1 - dx0);
  const slopeY = e10 - e00 + w * (e11 - e01 - (e10 - e00));
  const slopeZ = f1 - f0;
  let length = Math.sqrt(slopeX * slopeX + slopeY * slopeY + slopeZ * slopeZ);
  let scale = length > 0 ? 1 / length : 0;
  const normalX = slopeX * scale;
  const normalY = length > 0 ? slopeY * scale : 1;
  const normalZ = slopeZ * scale;
  const awayX = x - qx;
  const awayY = y - qy;
  const awayZ = z - qz;
  const away = Math.sqrt(awayX * awayX + awayY * awayY + awayZ * awayZ);
  if (away === 0) {
    out[0] = normalX;
    out[1] = normalY;
    out[2] = normalZ;
    out[3] = value;
    return;
  }
  // Below an open mesh the solid reaches the grid's border and ends there.
  const depth = Math.max(value, 0);
  const outX = awayX + depth * normalX;
  const outY = awayY + depth * normalY;
  const outZ = awayZ + depth * normalZ;
  length = Math.sqrt(outX * outX + outY * outY + outZ * outZ);
  scale = length > 0 ? 1 / length : 0;
  out[0] = outX * scale;
  out[1] = length > 0 ? outY * scale : 1;
  out[2] = outZ * scale;
  out[3] = value > 0 ? Math.sqrt(away * away + value * value) : away + value;
}
