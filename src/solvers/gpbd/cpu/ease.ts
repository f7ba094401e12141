/** A substep whose corrections become velocity for a part only: see `FrameInput.pace`. */
export interface EasedStep {
  /** length of the substep, Δt [s] */
  readonly h: number;
  /** the part, below 1 */
  readonly share: number;
  /** 1 / (1 + Δt damping) */
  readonly decay: number;
  /** by gravity [m/s²] */
  readonly fall: readonly number[];
  /** 1 for what rigid bodies carry */
  readonly isCarried: ArrayLike<number> | undefined;
}

/**
 * v = ṽ + s ((x − x⁻)/Δt − ṽ) with the velocity ṽ that a particle comes with and falls with, and the share s; twin of velocityAfter in
 * shaders/gpbd/stages/finish.wgsl. Particles that are led have v = (x − x⁻)/Δt (2).
 *
 * @param v n × 3 [m/s], changed
 * @param x n × 3 [m], at the end of the substep, and `start` at its beginning
 * @param w 0 for pinned ones
 */
export function ease(
  v: Float64Array,
  x: Float64Array,
  start: Float64Array,
  w: Float64Array,
  { h, share, decay, fall, isCarried }: EasedStep,
): void {
  for (let p = 0; p < w.length; p++) {
    const part = w[p] === 0 || isCarried?.[p] === 1 ? 1 : share;
    for (let c = 0; c < 3; c++) {
      const i = 3 * p + c;
      const before = decay * (v[i] + h * fall[c]);
      v[i] = before + part * ((x[i] - start[i]) / h - before);
    }
  }
}
