import { type ThreadKernel, threadKernelModule } from "../../../generated/thread-kernel";
import { instantiateWasm } from "../../../math/wasm";
import { RECORD, type ClothMemory } from "../simd/cloth-memory";
import { ROUNDS, type Rows } from "./thread-rows";

const LANES = 4;
/** Bytes as in the kernel: the number of edges, a vertex of four threads, and one in the scratch. */
const HEAD = 16;
const STEP = 32;
const SLOT = 160;

/** Threads of a body in the memory of the cloth kernels, behind the body. */
export class SimdThreads {
  private readonly kernel: ThreadKernel | undefined;
  private readonly blocks: Uint8Array;
  private readonly scratch: number;
  private at = 0;

  /** @param nobody record that places left over refer to */
  constructor(
    readonly memory: ClothMemory,
    rows: Rows,
    nobody: number,
  ) {
    this.kernel = instantiateWasm(threadKernelModule, memory.kernels.memory);
    const { offsets, split } = rows;
    const blocks: number[][] = [];
    let longest = 0;
    // Rows of weft share vertices with those of warp.
    for (const [from, to] of [
      [0, split],
      [split, offsets.length - 1],
    ])
      for (let r = from; r < to; r += LANES) {
        const block = Array.from({ length: Math.min(LANES, to - r) }, (_, i) => r + i);
        longest = Math.max(longest, ...block.map((row) => offsets[row + 1] - offsets[row]));
        blocks.push(block);
      }
    const places = blocks.map((block) => Math.max(...block.map((row) => offsets[row + 1] - offsets[row])));
    this.blocks = new Uint8Array(places.reduce((sum, count) => sum + HEAD + STEP * count, 0));
    const u32 = new Uint32Array(this.blocks.buffer);
    const f32 = new Float32Array(this.blocks.buffer);
    let at = 0;
    blocks.forEach((block, b) => {
      u32[at] = places[b] - 1;
      at += HEAD / 4;
      for (let k = 0; k < places[b]; k++, at += STEP / 4)
        for (let lane = 0; lane < LANES; lane++) {
          const i = lane < block.length ? offsets[block[lane]] + k : Infinity;
          const isUsed = i < offsets[block[lane] + 1];
          u32[at + lane] = isUsed ? RECORD * rows.vertices[i] : nobody;
          f32[at + LANES + lane] = isUsed ? rows.lengths[i]! : Infinity;
        }
    });
    // The kernel writes the coupling of an edge before the first one.
    this.scratch = SLOT * (longest + 2);
  }

  /** Brings them into the memory, for a frame. */
  load(at: number): void {
    const { memory, blocks } = this;
    memory.reserve(at + blocks.length + this.scratch);
    memory.u8.set(blocks, at);
    this.at = at;
  }

  /** As `Threads.project`. */
  hold(slack: number, rest: number): void {
    const end = this.at + this.blocks.length;
    this.kernel?.holdThreads(this.at, end, end + SLOT, 1 + slack, rest, ROUNDS);
  }
}
