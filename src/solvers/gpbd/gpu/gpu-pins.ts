import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import type { GpuContext } from "../../../gpu/device";
import { pinHolds, pinLimit, type PinTable } from "../../deformable";
import { carrierOf } from "../carried";

/** Pins and inverse masses of a body on a GPU. */
export class GpuPins {
  /** particleCount × 4, see predict.wgsl */
  readonly places: Float32Array;
  /** particleCount [N] */
  readonly limits: Float32Array;
  /** changes when these are written */
  version = 0;
  /** whether pins may give */
  hasLimits = false;
  /** in the last frame, see `GpbdStepOptions` */
  private inertia = 1;

  constructor(
    private readonly context: GpuContext,
    particleCount: number,
    private readonly buffers: Readonly<Record<"pins" | "pinLimits", GPUBuffer>>,
  ) {
    this.places = new Float32Array(4 * particleCount);
    this.limits = new Float32Array(particleCount);
  }

  /** @returns whether rigid bodies carry some */
  write(masses: ArrayLike<number>, pins: PinTable, colliders: ColliderSet, inertia = 1): boolean {
    const carries = pins.proxies?.some((proxy) => proxy !== undefined) === true;
    if (!pins.changed && !carries && inertia === this.inertia) return false;
    pins.changed = false;
    this.inertia = inertia;
    const { places, limits, buffers } = this;
    const { queue } = this.context.device;
    for (let p = 0; p < masses.length; p++) {
      for (let c = 0; c < 3; c++) places[4 * p + c] = pins.targets[3 * p + c];
      const isFree = !pinHolds(pins, p) && masses[p] > 0;
      places[4 * p + 3] = isFree ? 1 / (inertia * masses[p]) : 0;
      const owner = carries ? carrierOf(pins, colliders, p) : -1;
      if (owner < 0) continue;
      for (let c = 0; c < 3; c++) places[4 * p + c] = pins.arms![3 * p + c] + pins.ways![3 * p + c];
      places[4 * p + 3] = -1 - owner;
    }
    this.version++;
    queue.writeBuffer(buffers.pins, 0, places);
    if (!pins.limits && !this.hasLimits) return carries;
    this.hasLimits = pins.limits !== undefined;
    limits.forEach((_, p) => (limits[p] = pinLimit(pins, p)));
    queue.writeBuffer(buffers.pinLimits, 0, limits);
    return carries;
  }
}
