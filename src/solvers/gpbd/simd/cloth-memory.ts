import { type ClothKernels, clothKernelsModule } from "../../../generated/cloth-kernels";
import { OBSTACLE_BLOCK } from "./obstacle-block";
import { inflatedModule, roomIn } from "../../../math/wasm";

/** Bytes of the record of a particle. */
export const RECORD = 32;
/** Bytes of a box. */
const BOX = 32;
/** Obstacles near a body that the kernels know, at most. */
export const MOST_OBSTACLES = 64;
/** Bytes that a kernel works with. */
const SCRATCH = 1344;

/** Places in the memory of a body [bytes]. */
export interface ClothLayout {
  /** end of the records of particles; the record that places left over refer to is there */
  readonly end: number;
  /** distance from records to what a sweep over all elements at once starts from, and finds: 32 bytes a particle, too */
  readonly sums: number;
  readonly scratch: number;
  /** x⁻, three f64 a particle [m] */
  readonly x: number;
  /** four f32 a particle: v [m/s], and accelerations by other than elements [m/s²] */
  readonly v: number;
  readonly a: number;
  /** inverse masses, 0 where pinned [1/kg] */
  readonly m: number;
  /** one over the number of faces of each particle */
  readonly shares: number;
  /** particles that obstacles touch: a flag each, and a list */
  readonly flags: number;
  readonly list: number;
  /** blocks of four faces: three lists of places each; a flag a face, and a list */
  readonly faces: number;
  readonly faceEnd: number;
  readonly faceFlags: number;
  readonly faceList: number;
  /** ways of particles in the frame, see `addWays`, and those at which particles and blocks of four faces may touch obstacles, f32 [m] */
  readonly ways: number;
  readonly waits: number;
  readonly faceWaits: number;
  readonly obstacles: number;
  /** of each particle: records of its anchors, and how far it may be from them, f32 [m] */
  readonly tethers: number;
  /** of blocks of four particles, and of four faces */
  readonly boxes: number;
  readonly faceBoxes: number;
  /** elements of each term */
  readonly terms: readonly number[];
  readonly size: number;
}

/** @param sizes bytes of the elements of each term */
export function layOutCloth(particleCount: number, faceCount: number, sizes: readonly number[]): ClothLayout {
  let size = 0;
  const take = (bytes: number): number => {
    const at = size;
    size += (bytes + 15) & ~15;
    return at;
  };
  // Kernels take four particles at a time.
  take(RECORD * (particleCount + 4));
  const sums = take(RECORD * (particleCount + 4));
  const blocks = Math.ceil(faceCount / 4);
  const faces = take(48 * blocks);
  return {
    end: RECORD * particleCount,
    sums,
    scratch: take(SCRATCH),
    x: take(24 * particleCount),
    v: take(16 * particleCount),
    a: take(16 * particleCount),
    m: take(4 * particleCount),
    shares: take(4 * particleCount),
    flags: take(particleCount + 4),
    list: take(4 * particleCount),
    faces,
    faceEnd: faces + 48 * blocks,
    faceFlags: take(4 * blocks),
    faceList: take(16 * blocks),
    ways: take(16 * (particleCount + 1)),
    waits: take(4 * particleCount),
    faceWaits: take(48 * blocks),
    obstacles: take(OBSTACLE_BLOCK * MOST_OBSTACLES),
    tethers: take(32 * particleCount),
    boxes: take(BOX * Math.ceil(particleCount / 4)),
    faceBoxes: take(BOX * blocks),
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
    const buffer = roomIn(this.kernels.memory, bytes);
    if (this.f32.buffer === buffer) return;
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.u8 = new Uint8Array(buffer);
  }
}

/** @returns undefined where there is no WebAssembly, or not its SIMD, or where a content security policy forbids it */
export async function loadClothMemory(): Promise<ClothMemory | undefined> {
  const kernels = await inflatedModule<ClothKernels>(clothKernelsModule);
  return kernels && new ClothMemory(kernels);
}
