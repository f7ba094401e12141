import { cos, sin } from "../../math/deterministic";
import type { Vec3 } from "../../math/types";
import type { HeightfieldShape } from "./shape";

/** Corners (8 × 3) of a box. */
export function boxPoints(half: Vec3): Float64Array {
  const out = new Float64Array(24);
  for (let corner = 0; corner < 8; corner++)
    for (let axis = 0; axis < 3; axis++) out[3 * corner + axis] = (corner >> axis) & 1 ? half[axis] : -half[axis];
  return out;
}

/** Points on a sphere: circles of latitude, so that a ball and the caps of a capsule come from one function. */
export function spherePoints(radius: number): Float64Array {
  return capsulePoints(0, radius);
}

const AROUND = 16;
const LATITUDES = 5;

/** Points on a capsule along Y. */
export function capsulePoints(half: number, radius: number): Float64Array {
  const out: number[] = [0, half + radius, 0, 0, -half - radius, 0];
  for (let ring = 0; ring < LATITUDES - 1; ring++) {
    const latitude = (ring / (LATITUDES - 1)) * (Math.PI / 2);
    const y = half + radius * sin(latitude);
    out.push(...circle(radius * cos(latitude), y));
    if (y > 0) out.push(...circle(radius * cos(latitude), -y));
  }
  return Float64Array.from(out);
}

/** Points on the two rims of a cylinder along Y. */
export function cylinderPoints(half: number, radius: number): Float64Array {
  return Float64Array.from([...circle(radius, half), ...circle(radius, -half)]);
}

function circle(radius: number, y: number): number[] {
  return Array.from({ length: AROUND }, (_, i) => {
    const angle = (2 * Math.PI * i) / AROUND;
    return [radius * cos(angle), y, radius * sin(angle)];
  }).flat();
}

/** The same triangles with reversed winding. */
export function reversed(indices: ArrayLike<number>): Uint32Array {
  return Uint32Array.from({ length: indices.length }, (_, i) => indices[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]);
}

/** The surface of a heightfield as triangles that face up. */
export function heightfieldTriangles(shape: HeightfieldShape): { positions: Float64Array; indices: Uint32Array } {
  const { samplesX, samplesZ, sizeX, sizeZ, heights } = shape;
  const positions = new Float64Array(3 * samplesX * samplesZ);
  const indices: number[] = [];
  for (let j = 0; j < samplesZ; j++)
    for (let i = 0; i < samplesX; i++) {
      const at = j * samplesX + i;
      positions.set([sizeX * (i / (samplesX - 1) - 0.5), heights[at], sizeZ * (j / (samplesZ - 1) - 0.5)], 3 * at);
      if (i + 1 === samplesX || j + 1 === samplesZ) continue;
      const [right, next] = [at + 1, at + samplesX];
      indices.push(at, next, right, right, next, next + 1);
    }
  return { positions, indices: Uint32Array.from(indices) };
}
