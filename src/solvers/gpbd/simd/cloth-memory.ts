import { clothKernelsModule } from "../../../generated/cloth-kernels";
import { compileWasm, WASM_PAGE } from "../../../math/wasm";

/** Exports of assembly/cloth-kernels.ts, which describes them. All places are bytes in the memory. */
export interface ClothKernels {
  readonly memory: WebAssembly.Memory;
  predict(
    end: number,
    x: number,
    v: number,
    a: number,
    m: number,
    ox: number,
    oy: number,
    oz: number,
    h: number,
    reach: number,
  ): void;
  finish(end: number, x: number, v: number, h: number): number;
  gatherAll(end: number, to: number): void;
  springs(from: number, end: number, share: number): void;
  membrane(
    from: number,
    end: number,
    cuu: number,
    cuv: number,
    cvv: number,
    shear: number,
    viscosity: number,
    share: number,
  ): void;
  bending(
    from: number,
    end: number,
    places: number,
    to: number,
    scratch: number,
    viscosity: number,
    reach: number,
    share: number,
    isCurved: number,
  ): void;
  listNear(
    end: number,
    flags: number,
    list: number,
    count: number,
    x0: number,
    y0: number,
    z0: number,
    x1: number,
    y1: number,
    z1: number,
  ): number;
  boxOfWays(end: number, out: number): void;
}

/** Bytes of the record of a particle, and of a place for each vector that a sweep works with. */
export const RECORD = 32;
const PLACES = 12;

/** Places in the memory of a body [bytes]. */
export interface ClothLayout {
  /** end of the records of particles; the record that places left over refer to is there */
  readonly end: number;
  /** distance from displacements to the sums of a sweep over all elements at once */
  readonly sums: number;
  readonly scratch: number;
  /** x⁻, three f64 a particle [m] */
  readonly x: number;
  /** four f32 a particle: v [m/s], and accelerations by other than elements [m/s²] */
  readonly v: number;
  readonly a: number;
  /** inverse masses, 0 where pinned [1/kg] */
  readonly m: number;
  /** particles near obstacles: a flag each, and the list */
  readonly flags: number;
  readonly list: number;
  /** elements of each term */
  readonly terms: readonly number[];
  readonly size: number;
}

/** @param sizes bytes of the elements of each term */
export function layOutCloth(particleCount: number, sizes: readonly number[]): ClothLayout {
  let size = 0;
  const take = (bytes: number): number => {
    const at = size;
    size += (bytes + 15) & ~15;
    return at;
  };
  take(RECORD * (particleCount + 1));
  const sums = take(RECORD * (particleCount + 1));
  return {
    end: RECORD * particleCount,
    sums,
    scratch: take(16 * PLACES),
    x: take(24 * particleCount),
    v: take(16 * particleCount),
    a: take(16 * particleCount),
    m: take(4 * particleCount),
    flags: take(particleCount),
    list: take(4 * particleCount),
    terms: sizes.map(take),
    size,
  };
}

/** The memory of the kernels: bodies take it in turns, as they step one after another. */
export class ClothMemory {
  /** who has its elements in the memory */
  owner: object | undefined;
  f32 = new Float32Array(0);
  f64 = new Float64Array(0);
  u32 = new Uint32Array(0);
  u8 = new Uint8Array(0);

  constructor(readonly kernels: ClothKernels) {}

  reserve(bytes: number): void {
    const { memory } = this.kernels;
    const missing = bytes - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / WASM_PAGE));
    if (this.f32.buffer === memory.buffer) return;
    this.f32 = new Float32Array(memory.buffer);
    this.f64 = new Float64Array(memory.buffer);
    this.u32 = new Uint32Array(memory.buffer);
    this.u8 = new Uint8Array(memory.buffer);
  }
}

/** @returns undefined where there is no WebAssembly, or not its SIMD */
export async function loadClothMemory(): Promise<ClothMemory | undefined> {
  const kernels = await compileWasm<ClothKernels>(clothKernelsModule);
  return kernels && new ClothMemory(kernels);
}
