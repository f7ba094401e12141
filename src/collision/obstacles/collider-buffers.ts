import type { GpuContext } from "../../gpu/device";
import { packData, packPrimitives, PRIMITIVE_STRIDE } from "./collider-packing";
import type { ColliderSet } from "./collider-set";
import { ProxyBuffers } from "./proxy-buffers";
import { ObstacleMotion } from "./obstacle-motion";
import { kindConstants } from "../distance/primitives";

/** The obstacles of a world on the GPU, shared by all its bodies. Only records that changed are uploaded. */
export class ColliderBuffers {
  /** Changes when the buffers were replaced, so that bind groups have to be rebuilt. */
  version = 0;
  primitives: GPUBuffer = this.context.createBuffer("collider primitives", PRIMITIVE_STRIDE);
  data: GPUBuffer = this.context.createBuffer("collider data", 4);
  /** constants for pipelines that look at obstacles */
  constants: Readonly<Record<string, number>> = kindConstants([]);
  readonly motion = new ObstacleMotion();
  readonly proxies = new ProxyBuffers(this.context);
  private geometryVersion = -1;
  private records: DataView<ArrayBuffer> = new DataView(new ArrayBuffer(PRIMITIVE_STRIDE));

  constructor(private readonly context: GpuContext) {}

  update(set: ColliderSet): void {
    this.motion.update(set);
    const { queue } = this.context.device;
    if (set.geometryVersion !== this.geometryVersion) {
      this.geometryVersion = set.geometryVersion;
      this.replace(set);
    }
    set.takeDirtyRanges((first, count) => {
      packPrimitives(set, this.records, first, count);
      const at = first * PRIMITIVE_STRIDE;
      queue.writeBuffer(this.primitives, at, this.records.buffer, at, count * PRIMITIVE_STRIDE);
    });
  }

  private replace(set: ColliderSet): void {
    this.primitives.destroy();
    this.data.destroy();
    this.records = new DataView(new ArrayBuffer(Math.max(1, set.primitiveCount) * PRIMITIVE_STRIDE));
    packPrimitives(set, this.records);
    this.primitives = this.context.createBuffer("collider primitives", this.records);
    this.data = this.context.createBuffer("collider data", packData(set));
    this.constants = kindConstants(set.primitives);
    this.proxies.replace(set);
    this.version++;
  }

  dispose(): void {
    this.primitives.destroy();
    this.data.destroy();
    this.proxies.dispose();
  }
}
