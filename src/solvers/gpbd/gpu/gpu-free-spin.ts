import { shaders } from "../../../generated/shaders/spin";
import { FreeSpin } from "../../../generated/shaders/structs-spin";
import type { GpuContext } from "../../../gpu/device";
import { type Kernel, KernelMaker } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import type { Box } from "../../../geometry/box";
import type { FrameInput, PinTable } from "../../deformable";
import { isFree } from "../held/free";
import type { GpbdModel } from "../model";
import type { GpbdStepOptions } from "../options";
import type { BuffersOf } from "../../../words";

type Buffers = BuffersOf<"start velocity pins particleAir frozenAt guard step">;

/** A body that is stepped by itself. */
interface FreeBody {
  readonly model: GpbdModel;
  /** of a solid */
  readonly guard: object | undefined;
  /** a box that holds it to the end of the frame */
  span(frame: FrameInput): Box;
}

/** Angular momentum of a body on a GPU in frames in which nothing holds or touches it: see cpu/free-spin.ts. */
export class GpuFreeSpin {
  private readonly spin: GPUBuffer;
  private step: GPUBuffer | undefined;
  private isBound = false;
  private kernels: Readonly<Record<"noteSpin" | "returnSpin", Kernel>> | undefined;

  constructor(private readonly context: GpuContext) {
    this.spin = context.createBuffer("free spin", FreeSpin.size);
  }

  /**
   * @param feels whether its guard knows the pushes of rigid bodies
   * @returns undefined where anything else may hold or touch the body in the frame
   */
  begin(
    body: FreeBody,
    frame: FrameInput,
    { thickness }: Readonly<GpbdStepOptions>,
    pins: PinTable,
    feels: boolean,
  ): this | undefined {
    const { masses, rods, sheet } = body.model;
    const isMeant = (rods ?? sheet ?? body.guard) !== undefined;
    this.isBound = body.guard !== undefined;
    return isMeant && !masses.includes(0) && isFree(frame, pins, () => body.span(frame), thickness, feels)
      ? this
      : undefined;
  }

  /**
   * At the start of a frame, and after each evaluation of the air.
   *
   * @param slot of the substep that begins
   */
  note(recorder: PassRecorder, buffers: Buffers, slot: Uint32Array): void {
    if (this.step !== buffers.step) {
      this.step = buffers.step;
      const all = { ...buffers, spin: this.spin };
      this.kernels = new KernelMaker(this.context, shaders).some("spin/spin", ["noteSpin", "returnSpin"], all, {
        isBound: Number(this.isBound),
      });
    }
    this.kernels!.noteSpin.dispatchWorkgroups(recorder.stage("spin"), 1, slot);
  }

  /** At the end of the frame, whose steps have these parameters. */
  giveBack(recorder: PassRecorder, slot: Uint32Array): void {
    this.kernels!.returnSpin.dispatchWorkgroups(recorder.stage("spin"), 1, slot);
  }

  dispose(): void {
    this.spin.destroy();
  }
}
