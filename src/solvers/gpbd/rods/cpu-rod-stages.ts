import { CpuRods, type JointSweep } from "./cpu-rods";
import type { CpuScratch } from "../cpu/cpu-state";
import { FreeSpin } from "../cpu/free-spin";
import type { GpbdModel } from "../model";
import type { GpbdOptions } from "../options";
import { RodAir } from "./cpu-rod-air";
import type { RodSet } from "./rod-set";
import { CpuRodStretch, stretchTerm } from "./rod-stretch";

/** Frames, air drag and stretch of the rods of a body on the CPU. A page without ropes does not load this module. */
export class CpuRodStages {
  readonly frames: CpuRods;
  readonly air = new RodAir(this.rods.edges, this.model.particleCount);
  readonly spin = new FreeSpin();
  private stretch: CpuRodStretch | undefined;
  /** index of the term that is solved as a whole */
  private stretchAt: number | undefined;

  constructor(
    private model: GpbdModel,
    private readonly rods: RodSet,
    kernel?: JointSweep,
  ) {
    this.frames = new CpuRods(rods, kernel);
    this.replaceModel(model);
  }

  /** Whether these stages sweep a term. */
  solves(term: number): boolean {
    return term === this.stretchAt;
  }

  sweep(
    positions: Float64Array,
    { start, w, tracked }: CpuScratch,
    h: number,
    { newtonIterations, relaxation }: Readonly<GpbdOptions>,
    isFirst: boolean,
  ): void {
    this.frames.sweep(positions, start, w, h, newtonIterations, relaxation);
    const at = this.stretchAt;
    if (at !== undefined) this.stretch!.sweep(this.model.terms[at], positions, w, tracked[at], isFirst);
  }

  /** @param model with the same rods */
  replaceModel(model: GpbdModel): void {
    this.model = model;
    this.stretchAt = stretchTerm(model);
    this.stretch = this.stretchAt === undefined ? undefined : new CpuRodStretch(this.rods, model.terms[this.stretchAt]);
  }
}
