import { massOf } from "../../mass";
import type { FrameInput } from "../../deformable";
import { FreeSpin } from "../cpu/free-spin";
import type { GpbdModel } from "../model";
import type { GpbdStepOptions } from "../options";
import { type MovingParticles, membraneOf, stiffening } from "./swing";
import { between, massOn, pull, type SheetPlace, Tethers, TETHERS } from "./tethers";
import { Threads } from "./threads";

/** Tethers of a sheet on the CPU, with threads and the spin of one that nothing holds. */
export class CpuTethers extends Tethers {
  /** of the model beside it */
  threads: Threads | undefined;
  private threadedModel: GpbdModel | undefined;
  readonly spin = new FreeSpin();

  /** Without pins: with threads, where they hold. */
  protected override unpinned(
    model: GpbdModel,
    frame: FrameInput,
    options: Readonly<GpbdStepOptions>,
    { arealMass, box, load }: SheetPlace,
  ): Readonly<GpbdStepOptions> {
    const isWanted = (options.tethers ?? options.isFree) && !options.selfCollision;
    if (!isWanted || options.relaxation < 1 || !model.sheet || load + massOn(frame.colliders, box) > 0) return options;
    if (this.threadedModel !== model) this.threads = Threads.of(model);
    this.threadedModel = model;
    if (!this.threads) return options;
    return Threads.adapt(model, options, pull(massOf(model), arealMass, frame.gravity, options, 0));
  }

  /** Factor of the stiffness of the sheet at the start of a substep, by what damps the swing of a load. */
  stiffening(model: GpbdModel, { swingDamping }: Readonly<GpbdStepOptions>, particles: MovingParticles): number {
    const term = swingDamping && membraneOf(model);
    return term ? stiffening(term, model.sheet!, swingDamping, particles) : 1;
  }

  /**
   * Takes particles back within reach, nearest anchor first.
   *
   * @param positions x, particleCount × 3 [m]
   * @param start x⁻
   * @param w of each particle; 0 where it is held
   * @param slack part of its length that a tether gives
   * @param h time of the substep [s]
   */
  project(positions: Float64Array, start: Float64Array, w: Float64Array, slack: number, h: number): void {
    const { anchors, lengths } = this;
    const rest = this.rest(h);
    for (let p = 0; p < w.length; p++) {
      if (w[p] === 0) continue;
      const first = TETHERS * p;
      const last = first + TETHERS;
      const give = (1 + slack) * this.spread(positions, first);
      for (let i = first; i < last && anchors[i] >= 0; i++) {
        const a = anchors[i];
        const reach = give * lengths[i];
        const ux = positions[3 * a] - positions[3 * p];
        const uy = positions[3 * a + 1] - positions[3 * p + 1];
        const uz = positions[3 * a + 2] - positions[3 * p + 2];
        const squared = ux * ux + uy * uy + uz * uz;
        // Most are slack.
        if (!(squared > reach * reach)) continue;
        const far = Math.sqrt(squared);
        const most = reach + rest * Math.max(0, between(start, start, p, a) - reach);
        const scale = most / far;
        if (!(scale < 1)) continue;
        for (let c = 0; c < 3; c++) {
          const origin = positions[3 * a + c];
          positions[3 * p + c] = origin + scale * (positions[3 * p + c] - origin);
        }
      }
    }
  }
}
