import * as constants from "../../../generated/constants";
import * as structs from "../../../generated/structs";
import { RecordTable, WordList } from "./record-table";

/**
 * Largest numbers of blocks and bodies of islands that a workgroup solves, with one invocation for each block. Every
 * device has 16 KiB of workgroup memory. A block takes 9 numbers, a body 12, and sums take 17 vectors: 256 blocks and
 * 128 bodies fit.
 */
export const islandSizes = [
  { blocks: 64, bodies: 64 },
  { blocks: 128, bodies: 96 },
  { blocks: 256, bodies: 128 },
] as const;

/** Size of a system of several islands. */
export interface SystemSize {
  bodies: number;
  blocks: number;
  colours: number;
  /** number of rows of joints */
  rows: number;
}

/** Input of a frame on the GPU: bodies, and by islands blocks of up to three rows (shaders/newton/model.wgsl). */
export class FrameTables {
  /** one record for each place */
  readonly inputs = new RecordTable(structs.BodyInput);
  readonly blocks = new RecordTable(structs.Block);
  readonly joints = new RecordTable(structs.JointFrames);
  readonly rows = new RecordTable(structs.JointRow);
  /** heads of the islands, then their lists; see ISLAND_SIZE */
  readonly lists = new WordList();
  /** number of islands for each of `islandSizes`, in this order */
  readonly islandCounts: number[] = islandSizes.map(() => 0);
  /** the system of islands too large for a workgroup; its head comes after those of the small islands */
  readonly large: SystemSize = { bodies: 0, blocks: 0, colours: 0, rows: 0 };
  /** the system of islands with deformable bodies; its head comes last */
  readonly coupled: SystemSize = { bodies: 0, blocks: 0, colours: 0, rows: 0 };

  clear(): void {
    for (const table of [this.inputs, this.blocks, this.joints, this.rows, this.lists]) table.clear();
    this.islandCounts.fill(0);
    for (const system of [this.large, this.coupled])
      Object.assign(system, { bodies: 0, blocks: 0, colours: 0, rows: 0 });
  }

  /** number of the head of the coupled system */
  get coupledIsland(): number {
    return this.islandCounts.reduce((sum, count) => sum + count, 0) + 1;
  }

  /** number of heads in `lists`, once all are packed */
  get islandCount(): number {
    return this.islandCounts.reduce((sum, count) => sum + count, 0) + (this.large.blocks > 0 ? 1 : 0);
  }
}

/** Stands for no body or no block. */
export const NONE = constants.NONE;
/** words of an island's head in `lists` */
export const islandSize = constants.ISLAND_SIZE;
