import type { GpuContext } from "../../../gpu/device";
import { norm } from "../../../math/vectors";
import type { FrameInput, PinTable } from "../../deformable";
import type { GpbdModel } from "../model";
import { findHeld, recedingSpeed } from "../overlap";

/** Distances that particles near pins within obstacles keep less on a GPU, see `findHeld`: it lets them get them back, as finish.wgsl. */
export class GpuHeld {
  /** those of the frame, and what the particles have at least [m] */
  private readonly depths: Float64Array;
  private readonly least: Float64Array;

  constructor(particleCount: number) {
    this.depths = new Float64Array(particleCount);
    this.least = new Float64Array(particleCount);
  }

  /**
   * Call at the start of a frame.
   *
   * @param start places of particles, whose w is the distance that is missing
   * @param thickness distance to keep [m]
   */
  look(
    { device }: GpuContext,
    start: GPUBuffer,
    { colliders, gravity, dt }: FrameInput,
    pins: PinTable,
    thickness: number,
    model: GpbdModel,
  ): void {
    const { depths, least } = this;
    findHeld(colliders, pins.targets, pins, thickness, model, depths);
    const receding = recedingSpeed(norm(gravity)) * dt;
    for (let p = 0; p < depths.length; p++) {
      least[p] = Math.max(0, least[p] - receding);
      if (depths[p] === 0 || depths[p] < least[p]) continue;
      least[p] = depths[p];
      device.queue.writeBuffer(start, 16 * p + 12, Float32Array.of(depths[p]));
    }
  }
}
