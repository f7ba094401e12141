import { recoveryIn } from "../../../src/solvers/gpbd/guard/recovery";
import { ColliderBuffers } from "../../../src/collision/obstacles/collider-buffers";
import type { GpuContext } from "../../../src/gpu/device";
import { PassRecorder } from "../../../src/gpu/pass-recorder";
import { readBuffer } from "../../../src/gpu/readback";
import { solidShader } from "../../../src/solvers/gpbd/elements/solids/solid-shader";
import { GpuGpbdSolver } from "../../../src/solvers/gpbd/gpu/gpu-solver";
import { fromVec4 } from "../../../src/solvers/gpbd/gpu/vec4";
import type { GpbdModel } from "../../../src/solvers/gpbd/model";
import type { GpbdOptions } from "../../../src/solvers/gpbd/options";
import type { FrameInput, PinTable } from "../../../src/solvers/deformable";
import { withoutGpuErrors } from "../../gpu/context";

/** A GPU solver without a world around it. */
export class GpuRun {
  readonly solver: GpuGpbdSolver;
  private readonly colliders: ColliderBuffers;

  constructor(
    private readonly context: GpuContext,
    readonly model: GpbdModel,
  ) {
    this.colliders = new ColliderBuffers(context);
    this.solver = new GpuGpbdSolver(context, model, this.colliders, undefined, undefined, {
      shaderOf: solidShader,
      guardOf: () => undefined,
      flowOf: () => undefined,
      recoveryIn,
    });
  }

  /** One frame, done when the promise resolves. */
  async step(frame: FrameInput, options: GpbdOptions, pins: PinTable): Promise<void> {
    await withoutGpuErrors(this.context, () => {
      const { device } = this.context;
      this.colliders.update(frame.colliders);
      const encoder = device.createCommandEncoder();
      const recorder = new PassRecorder(encoder, undefined);
      this.solver.step({ ...frame, recorder }, options, pins);
      recorder.end();
      device.queue.submit([encoder.finish()]);
    });
  }

  /** n × 3 numbers of a buffer of vec4f. */
  async vectors(buffer: GPUBuffer, count: number): Promise<Float32Array> {
    return fromVec4(await readBuffer(this.context, buffer), count);
  }

  dispose(): void {
    this.solver.dispose();
    this.colliders.dispose();
  }
}
