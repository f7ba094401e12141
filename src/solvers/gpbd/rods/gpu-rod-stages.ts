import type { GpuContext } from "../../../gpu/device";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { GpuRodAir } from "./gpu-rod-air";
import { GpuRodStretch } from "./gpu-rod-stretch";
import { GpuRods } from "./gpu-rods";
import type { SharedBuffers } from "../elements/gpu-term";
import type { GpbdModel } from "../model";
import type { GpbdOptions } from "../options";
import type { RodSet } from "./rod-set";
import { stretchTerm } from "./rod-stretch";

type AirBuffers = Parameters<GpuRodAir["configure"]>[0];

/** Stages of rods on the GPU: frames, air and stretch. A page without ropes does not load them. */
export class GpuRodStages {
  readonly frames: GpuRods;
  readonly air: GpuRodAir;
  private stretch: GpuRodStretch | undefined;
  /** index of the term that is solved as a whole */
  private stretchAt: number | undefined;

  constructor(
    private readonly context: GpuContext,
    model: GpbdModel,
    rods: RodSet,
  ) {
    const { name, particleCount } = model;
    this.frames = new GpuRods(context, name, particleCount, rods);
    this.air = new GpuRodAir(context, name, particleCount, rods);
    this.replaceModel(model);
  }

  /** Whether these stages sweep a term. */
  solves(term: number): boolean {
    return term === this.stretchAt;
  }

  configure(shared: SharedBuffers & AirBuffers, options: Readonly<GpbdOptions>): void {
    const { start, displacement, guard, step } = shared;
    this.frames.configure({ start, displacement, guard, step }, options);
    this.stretch?.configure({ start, displacement, guard, step });
    this.air.configure(shared);
  }

  sweep(recorder: PassRecorder, substep: number, iteration: number): void {
    this.frames.sweep(recorder.stage("rods"), substep, iteration);
    this.stretch?.sweep(recorder.stage("rods"), substep, iteration);
  }

  /** Takes over lengths and compliances of a model with the same rods. */
  replaceModel(model: GpbdModel): void {
    this.stretch?.dispose();
    this.stretchAt = stretchTerm(model);
    this.stretch =
      this.stretchAt === undefined
        ? undefined
        : new GpuRodStretch(this.context, model.name, model.rods!, model.terms[this.stretchAt]);
  }

  dispose(): void {
    this.frames.dispose();
    this.stretch?.dispose();
    this.air.dispose();
  }
}
