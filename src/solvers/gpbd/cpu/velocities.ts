import type { FrameInput } from "../../deformable";
import type { Carried } from "../carried";
import type { GpbdOptions } from "../options";
import type { CpuScratch, CpuState } from "./cpu-state";

/** A substep of length h [s]. */
interface Substep {
  readonly frame: FrameInput;
  readonly options: Readonly<GpbdOptions>;
  readonly h: number;
  readonly carried: Carried | undefined;
}

/**
 * v = (x − x⁻)/h (2). If only a share s of the impulses counts (`FrameInput.pace`), v = ṽ + s ((x − x⁻)/h − ṽ) with the velocity ṽ that a free
 * particle comes with and falls with; twin of velocityAfter in shaders/gpbd/stages/finish.wgsl.
 *
 * @param share undefined where velocities are there already
 * @returns false, with the body at x⁻ and at rest, where a place is no longer finite in f32, in which it is drawn
 */
export function finishVelocities(
  { positions: x, velocities: v }: CpuState,
  { start, w }: CpuScratch,
  { frame, options, h, carried }: Substep,
  share: number | undefined,
): boolean {
  const decay = 1 / (1 + h * options.damping);
  for (let i = 0; i < x.length; i++) {
    if (!Number.isFinite(Math.fround(x[i]))) {
      x.set(start);
      v.fill(0);
      return false;
    }
    if (share === undefined) continue;
    const after = (x[i] - start[i]) / h;
    const p = Math.floor(i / 3);
    if (share === 1 || w[p] === 0 || carried?.isCarried[p] === 1) v[i] = after;
    else {
      const before = decay * (v[i] + h * options.gravityFactor * frame.gravity[i - 3 * p]);
      v[i] = before + share * (after - before);
    }
  }
  return true;
}
