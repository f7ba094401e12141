import { RawTexture } from "@babylonjs/core/Materials/Textures/rawTexture";
import { Texture } from "@babylonjs/core/Materials/Textures/texture";
import type { Scene } from "@babylonjs/core/scene";

/** Crossing of threads: over one and under one, in diagonal ridges, or in long floats that look smooth. */
export type Weave = "plain" | "twill" | "satin";

/** Threads along a side of the texture; a multiple of every repeat below. */
export const threadsPerTile = 20;
const TEXELS_PER_THREAD = 12;

/** Whether warp thread `i` lies on top of weft thread `j`. */
const warpOnTop: Readonly<Record<Weave, (i: number, j: number) => boolean>> = {
  plain: (i, j) => (i + j) % 2 === 0,
  twill: (i, j) => (i + j) % 4 < 2,
  satin: (i, j) => (2 * i + j) % 5 !== 0,
};

/** A tileable normal map of woven threads, `threadsPerTile` in each direction. */
export function weaveNormals(weave: Weave, strength: number, scene: Scene): RawTexture {
  const size = threadsPerTile * TEXELS_PER_THREAD;
  const height = weaveHeights(weave, size);
  const at = (x: number, y: number): number => height[((y + size) % size) * size + ((x + size) % size)];
  const texels = new Uint8Array(4 * size * size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const dx = (strength * (at(x + 1, y) - at(x - 1, y)) * TEXELS_PER_THREAD) / 2;
      const dy = (strength * (at(x, y + 1) - at(x, y - 1)) * TEXELS_PER_THREAD) / 2;
      const scale = 127.5 / Math.hypot(dx, dy, 1);
      texels.set([127.5 - dx * scale, 127.5 - dy * scale, 127.5 + scale, 255], 4 * (y * size + x));
    }
  }
  const texture = RawTexture.CreateRGBATexture(texels, size, size, scene, true, false, Texture.TRILINEAR_SAMPLINGMODE);
  texture.wrapU = Texture.WRAP_ADDRESSMODE;
  texture.wrapV = Texture.WRAP_ADDRESSMODE;
  texture.anisotropicFilteringLevel = 8;
  return texture;
}

/** Heights of the threads in thread widths: each is an elliptic arch across, a wave along. */
function weaveHeights(weave: Weave, size: number): Float32Array {
  const height = new Float32Array(size * size);
  const top = warpOnTop[weave];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const [u, v] = [(x + 0.5) / TEXELS_PER_THREAD, (y + 0.5) / TEXELS_PER_THREAD];
      const [i, j] = [Math.floor(u), Math.floor(v)];
      const warp = arch(u - i) + 0.5 * wave(v, (row) => (top(i, row) ? 1 : -1));
      const weft = arch(v - j) + 0.5 * wave(u, (column) => (top(column, j) ? -1 : 1));
      height[y * size + x] = 0.35 * Math.max(warp, weft);
    }
  }
  return height;
}

function arch(across: number): number {
  return Math.sqrt(Math.max(0, 1 - (2 * across - 1) ** 2));
}

/** Smooth curve through the levels at the middles of the crossings. */
function wave(along: number, level: (crossing: number) => number): number {
  const before = Math.floor(along - 0.5);
  const t = along - 0.5 - before;
  const smooth = t * t * (3 - 2 * t);
  const wrap = (crossing: number): number => (crossing + threadsPerTile) % threadsPerTile;
  return level(wrap(before)) * (1 - smooth) + level(wrap(before + 1)) * smooth;
}
