import { shaders } from "../../../generated/shaders/tethers";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { StructWriter } from "../../../gpu/struct";
import type { BodyPlace, FrameInput, PinTable } from "../../deformable";
import { meets } from "../held/free";
import type { GpbdModel } from "../model";
import type { GpbdStepOptions } from "../options";
import type { GpuTerm } from "../elements/gpu-term";
import { airInterval } from "../external-forces";
import { GpuSwing } from "./gpu-swing";
import { type SheetPlace, TETHERS, Tethers } from "./tethers";

interface BodyBuffers {
  readonly start: GPUBuffer;
  readonly displacement: GPUBuffer;
  readonly velocity: GPUBuffer;
}

/** Of a frame: `Tether` of each particle, see hold.wgsl; `version` changes when these do. */
export interface PackedTethers {
  readonly bytes: ArrayBuffer;
  readonly version: number;
  readonly slack: number;
  readonly rest: number;
}

interface GpuSheetPlace extends SheetPlace {
  readonly body: BodyPlace;
  /** whether obstacles do */
  readonly moves: boolean;
}

/** Frames from one look at a held body beside obstacles that rest to the next. */
const LOOKS = 16;

const NO_OFFSETS = new Uint32Array();

/** Tethers of a body on the GPU. */
export class GpuTethers extends Tethers {
  private readonly buffer: GPUBuffer;
  private readonly uniform: GPUBuffer;
  private readonly writer = new StructWriter(structs.Tether, TETHERS * this.particleCount);
  private readonly parameters = new StructWriter(structs.TetherParameters, 1);
  private readonly swing: GpuSwing;
  private kernel: Kernel | undefined;
  private written = 0;
  /** in the frame; undefined while they do not hold */
  private given: { readonly slack: number; readonly rest: number } | undefined;

  constructor(
    private readonly context: GpuContext,
    name: string,
    private readonly particleCount: number,
  ) {
    super();
    this.buffer = context.createBuffer(`${name} tethers`, this.writer.bytes.byteLength);
    this.uniform = context.createUniformBuffer(`${name} tether parameters`, structs.TetherParameters.size);
    this.swing = new GpuSwing(context, name);
  }

  /** As on the CPU. Tethers give way to what draws the sheet out, and hear of it a frame or two later. */
  override adapt(
    model: GpbdModel,
    frame: FrameInput,
    options: Readonly<GpbdStepOptions>,
    pins: PinTable,
    place: GpuSheetPlace,
  ): Readonly<GpbdStepOptions> {
    const { body, box, moves } = place;
    const isNear = pins.pinned.includes(1) && meets(frame.colliders, box, options.thickness);
    if (isNear && (moves || frame.frame % LOOKS === 0)) body.look();
    return super.adapt(model, frame, options, pins, { ...place, positions: isNear ? body.seen : undefined });
  }

  /**
   * @param h time of a substep [s]
   * @param terms those of the model
   */
  beginFrame(
    body: BodyBuffers,
    { tetherSlack: slack, swingDamping }: Readonly<GpbdStepOptions>,
    h: number,
    model: GpbdModel,
    terms: readonly GpuTerm[],
  ): void {
    this.swing.beginFrame(body, model, terms, swingDamping);
    const { start, displacement } = body;
    const { context, buffer: tethers, uniform: parameters, particleCount } = this;
    const { queue } = context.device;
    this.given = slack === undefined ? undefined : { slack, rest: this.rest(h) };
    if (!this.given) return;
    this.kernel ??= Kernel.create(context, "tethers/tethers", shaders["tethers/tethers"], "holdTethers", {
      start,
      displacement,
      tethers,
      parameters,
    });
    this.parameters.put(0, { ...this.given, particleCount });
    queue.writeBuffer(parameters, 0, this.parameters.bytes);
    if (this.version === this.written) return;
    this.written = this.version;
    this.anchors.forEach((anchor, i) => {
      this.writer.put(i, { anchor, reach: Math.min(this.lengths[i], 1e30) });
    });
    queue.writeBuffer(tethers, 0, this.writer.bytes);
  }

  /** The data of the kernel in the frame, for another kernel; undefined while they do not hold. */
  get packed(): PackedTethers | undefined {
    return this.given && { ...this.given, bytes: this.writer.bytes, version: this.version };
  }

  /** Before the prediction of a substep, as often as the air is evaluated. */
  predict(recorder: PassRecorder, substep: number, substeps: number): void {
    if (substep % airInterval(substeps) === 0) this.swing.dispatch(recorder);
  }

  dispatch(recorder: PassRecorder): void {
    if (this.given) this.kernel!.dispatch(recorder.stage("tethers"), this.particleCount, NO_OFFSETS);
  }

  dispose(): void {
    this.buffer.destroy();
    this.uniform.destroy();
    this.swing.dispose();
  }
}
