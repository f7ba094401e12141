import { constants, structs } from "../../../generated/shaders";
import { RecordTable, WordList } from "./record-table";

/**
 * What the GPU is told of a frame: bodies, and, island after island, blocks of up to three rows (shaders/newton/model.wgsl).
 */
export class FrameTables {
  /** a record a place */
  readonly inputs = new RecordTable(structs.BodyInput);
  readonly blocks = new RecordTable(structs.Block);
  readonly joints = new RecordTable(structs.JointFrames);
  readonly rows = new RecordTable(structs.JointRow);
  /** heads of the islands, then their lists; see ISLAND_SIZE */
  readonly lists = new WordList();
  /** the islands that a narrow workgroup solves come first, then those of wide ones, then those of passes */
  narrowIslands = 0;
  wideIslands = 0;
  largeIslands = 0;

  clear(): void {
    for (const table of [this.inputs, this.blocks, this.joints, this.rows, this.lists]) table.clear();
    this.narrowIslands = 0;
    this.wideIslands = 0;
    this.largeIslands = 0;
  }

  get islandCount(): number {
    return this.narrowIslands + this.wideIslands + this.largeIslands;
  }
}

/** No body, no block. */
export const NONE = constants.NONE;
