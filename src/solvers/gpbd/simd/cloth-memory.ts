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
export type ClothLayout = Readonly<ReturnType<typeof layOutCloth>>;

/** @param sizes bytes of the elements of each term */
export function layOutCloth(particleCount: number, faceCount: number, sizes: readonly number[]) {
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
    /** end of the records of particles; the record that places left over refer to is there */
    end: RECORD * particleCount,
    /** distance from records to what a sweep over all elements at once starts from, and finds: 32 bytes a particle, too */
    sums,
    scratch: take(SCRATCH),
    /** x⁻, three f64 a particle [m] */
    x: take(24 * particleCount),
    /** four f32 a particle: v [m/s], and accelerations by other than elements [m/s²] */
    v: take(16 * particleCount),
    a: take(16 * particleCount),
    /** inverse masses, 0 where pinned [1/kg] */
    m: take(4 * particleCount),
    /** one over the number of faces of each particle */
    shares: take(4 * particleCount),
    /** particles that obstacles touch: a flag each, and a list */
    flags: take(particleCount + 4),
    list: take(4 * particleCount),
    /** blocks of four faces: three lists of places each; a flag a face, and a list */
    faces,
    faceEnd: faces + 48 * blocks,
    faceFlags: take(4 * blocks),
    faceList: take(16 * blocks),
    /** ways of particles in the frame, see `addWays`, and those at which particles and blocks of four faces may touch obstacles, f32 [m] */
    ways: take(16 * (particleCount + 1)),
    waits: take(4 * particleCount),
    faceWaits: take(48 * blocks),
    obstacles: take(OBSTACLE_BLOCK * MOST_OBSTACLES),
    /** of each particle: records of its anchors, and how far it may be from them, f32 [m] */
    tethers: take(32 * particleCount),
    /** of blocks of four particles, and of four faces */
    boxes: take(BOX * Math.ceil(particleCount / 4)),
    faceBoxes: take(BOX * blocks),
    /** of the same blocks, f64: see assembly/cloth/boxes.ts */
    untils: take(8 * Math.ceil(particleCount / 4)),
    faceUntils: take(8 * blocks),
    untilEnd: size,
    /** elements of each term */
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
