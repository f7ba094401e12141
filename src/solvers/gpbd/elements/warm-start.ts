/**
 * Warm start of solids: dᵢ begins a substep with a part of what it was at the end of the last one, and x̃ moves along, so that
 * x = x̃ + Σ dᵢ holds from the start. A resting body is then solved before the first sweep, except for 1 − share of its load;
 * from a cold start, a sweep leaves the fraction of the load that waves travel through an element in Δt. A share of 1 would keep
 * for ever the part of dᵢ that points out of the row space of S when elements turn; nothing removes that part (see (18)).
 */
import { isSolid, type GpbdModel } from "../model";

/**
 * @param tracked dᵢ of each term, see `CpuScratch`: changed
 * @param w Δt²/m of each particle, 0 when pinned [s²/kg]
 * @param positions x̃, n × 3 [m]: changed
 * @param factor share times (Δt/Δt⁻)², as d goes with Δt²
 */
export function warmStart(
  model: GpbdModel,
  tracked: readonly Float64Array[],
  w: Float64Array,
  positions: Float64Array,
  factor: number,
): void {
  for (let index = 0; index < tracked.length; index++) {
    const term = model.terms[index];
    const d = tracked[index];
    if (factor === 0 || !isSolid(term.kind)) {
      d.fill(0);
      continue;
    }
    for (let corner = 0; corner < term.indices.length; corner++) {
      const p = term.indices[corner];
      const share = w[p] > 0 ? factor : 0;
      const at = 3 * corner;
      d[at] *= share;
      d[at + 1] *= share;
      d[at + 2] *= share;
      positions[3 * p] += d[at];
      positions[3 * p + 1] += d[at + 1];
      positions[3 * p + 2] += d[at + 2];
    }
  }
}
