import type { GpbdModel } from "../../src/solvers/gpbd/model";
import { derivative } from "../math/differences";
import { termEnergy } from "../models/energies";

/**
 * Largest remaining force of energies and weight on a free particle, as a fraction of its weight: the distance of
 * positions from a state of rest, by the energies alone.
 *
 * @param x positions, restored afterwards
 */
export function unbalancedForce(model: GpbdModel, pins: readonly number[], x: Float64Array): number {
  const energy = (): number =>
    model.terms.reduce((sum, term) => sum + termEnergy(term, x), 0) +
    model.masses.reduce((sum, m, p) => sum + 9.81 * m * x[3 * p + 1], 0);
  const held = new Set(pins);
  let worst = 0;
  for (let p = 0; p < model.particleCount; p++)
    for (let c = 0; c < 3 && !held.has(p); c++) {
      const at = x[3 * p + c];
      const force = derivative((t) => {
        x[3 * p + c] = at + t;
        return energy();
      }, 1e-6);
      x[3 * p + c] = at;
      worst = Math.max(worst, Math.abs(force) / (9.81 * model.masses[p]));
    }
  return worst;
}
