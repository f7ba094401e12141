import { structs } from "../generated/shaders";
import type { GpuContext } from "../gpu/device";
import { readBuffer, ReadbackRing } from "../gpu/readback";
import type { ColliderSet } from "./collider-set";

const { size, align, fields } = structs.ColliderReaction;
const STRIDE = Math.ceil(size / align) * align;

/**
 * Impulses on reactive colliders on their way from the GPU. They are summed up there until a frame could send a copy, so
 * none is lost while all staging buffers are under way.
 */
export class ColliderReactions {
  /** of how many colliders */
  count = 0;
  buffer: GPUBuffer;
  private ring: ReadbackRing | undefined;
  private ids: readonly number[] = [];
  /** whether what the buffer holds was sent */
  private sent = true;
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly context: GpuContext) {
    this.buffer = context.createBuffer("collider reactions", STRIDE);
  }

  /** The set of reactive colliders changed; what the old ones are still to get arrives later. */
  replace(set: ColliderSet): void {
    this.retire(set);
    this.count = set.reactiveCount;
    this.ids = set.reactiveIds;
    this.buffer = this.context.createBuffer("collider reactions", Math.max(1, this.count) * STRIDE);
    this.ring = this.count > 0 ? new ReadbackRing(this.context, this.buffer, this.count * STRIDE, 4) : undefined;
    this.sent = true;
  }

  private retire(set: ColliderSet): void {
    const { buffer, ring, ids, context } = this;
    const last = this.sent
      ? undefined
      : readBuffer(context, buffer).then((bytes) => receive(set, ids, new DataView(bytes)));
    const arrivals = Promise.allSettled([...this.underWay, last]).then(() => {
      buffer.destroy();
      ring?.dispose();
    });
    this.expect(arrivals);
  }

  private expect(arrival: Promise<void>): void {
    this.underWay.add(arrival);
    void arrival.finally(() => this.underWay.delete(arrival));
  }

  /** Before the passes of a frame. */
  beginFrame(encoder: GPUCommandEncoder): void {
    if (this.count > 0 && this.sent) encoder.clearBuffer(this.buffer);
  }

  /**
   * After the passes of a frame.
   *
   * @returns to be called after the submit
   */
  endFrame(encoder: GPUCommandEncoder, set: ColliderSet): (() => void) | undefined {
    const { ids } = this;
    const send = this.ring?.encode(encoder, (bytes) => receive(set, ids, new DataView(bytes)));
    this.sent = send !== undefined;
    return send && (() => this.expect(send()));
  }

  /** Resolves when everything that was sent has arrived. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }

  dispose(): void {
    this.buffer.destroy();
    this.ring?.dispose();
  }
}

const wrench = new Float64Array(6);

function receive(set: ColliderSet, ids: readonly number[], view: DataView): void {
  ids.forEach((id, owner) => {
    for (let axis = 0; axis < 3; axis++) {
      wrench[axis] = view.getFloat32(owner * STRIDE + fields.impulse.offset + 4 * axis, true);
      wrench[3 + axis] = view.getFloat32(owner * STRIDE + fields.angularImpulse.offset + 4 * axis, true);
    }
    set.addReaction(id, wrench);
  });
}
