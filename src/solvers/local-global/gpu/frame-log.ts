/**
 * Frames that are under way on the GPU, with the input of each: a frame that finds more contacts than there is room for, or needs more
 * attempts than were encoded, changes nothing, nor do those after it, and all of them are encoded again once there is room (see
 * keep-contacts.wgsl). So no contact is ever missing, and the result does not depend on when the host learns of it.
 */
import type { GpuContext } from "../../../gpu/device";

/** A frame to be encoded again. */
export interface LoggedFrame {
  readonly number: number;
  readonly substeps: number;
  readonly iterations: number;
  /** [s] */
  readonly h: number;
  /** parameters of contact for the steps, see `GpuContactStage.begin` */
  readonly steps: ArrayBuffer;
}

interface Entry {
  readonly frame: LoggedFrame;
  readonly inputs: readonly GPUBuffer[];
  readonly copy: GPUBuffer;
}

export class FrameLog {
  private entries: Entry[] = [];
  private readonly spare: GPUBuffer[] = [];

  constructor(private readonly context: GpuContext) {}

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** @param inputs buffers that the host has written for the frame */
  record(encoder: GPUCommandEncoder, inputs: readonly GPUBuffer[], frame: LoggedFrame): void {
    const size = inputs.reduce((sum, buffer) => sum + buffer.size, 0);
    const known = this.spare.findIndex((buffer) => buffer.size >= size);
    const copy = known < 0 ? this.context.createBuffer("local-global frame", size) : this.spare.splice(known, 1)[0];
    copyEach(inputs, (buffer, at) => encoder.copyBufferToBuffer(buffer, 0, copy, at, buffer.size));
    this.entries.push({ frame, inputs, copy });
  }

  /** Frames from a number on, in order. */
  from(number: number): readonly LoggedFrame[] {
    return this.entries.map(({ frame }) => frame).filter((frame) => frame.number >= number);
  }

  /** Writes the input of a frame to the buffers again. */
  restore(encoder: GPUCommandEncoder, frame: LoggedFrame): void {
    const { inputs, copy } = this.entries.find((entry) => entry.frame === frame)!;
    copyEach(inputs, (buffer, at) => encoder.copyBufferToBuffer(copy, at, buffer, 0, buffer.size));
  }

  /** All frames up to a number are done. */
  confirm(number: number): void {
    while (this.entries.length > 0) {
      const { frame, copy } = this.entries[0];
      if (frame.number > number) return;
      this.entries.shift();
      this.spare.push(copy);
    }
  }

  clear(): void {
    this.confirm(Infinity);
  }

  dispose(): void {
    this.clear();
    for (const buffer of this.spare) buffer.destroy();
  }
}

function copyEach(inputs: readonly GPUBuffer[], copy: (buffer: GPUBuffer, at: number) => void): void {
  let at = 0;
  for (const buffer of inputs) {
    copy(buffer, at);
    at += buffer.size;
  }
}
