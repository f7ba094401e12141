/**
 * The rigid motion of a body that has all of its momentum and angular momentum, V + ω × (x − c). If only velocities beside it are scaled, the
 * body keeps every impulse that it got. It is linear in the velocities, so it is that of ṽ, before a substep's impulses, and that of v − ṽ.
 */
import { dotProduct, solveCholesky } from "../../../math/dense";
import type { Balance } from "./energy-guard";
import { findInertia, sumMotion, turnOf } from "./spin";

export class RigidPart {
  private readonly center = new Float64Array(3);
  private readonly inertia = new Float64Array(9);
  private readonly factor = new Float64Array(9);
  /** V of ṽ, ω, and those of v − ṽ */
  private readonly motions = [0, 1].map(() => [new Float64Array(3), new Float64Array(3)] as const);

  /**
   * Finds it, and adds its kinetic energy, as it depends on β.
   *
   * @param x places at the end of the substep, n × 3 [m]
   * @param velocities ṽ and v − ṽ, n × 3 each [m/s]
   */
  find(masses: ArrayLike<number>, x: Float64Array, velocities: readonly Float64Array[], balance: Balance): void {
    const { center, inertia, factor, motions } = this;
    const mass = findInertia([{ masses, x }], center, inertia);
    const momenta = velocities.map((v, k) => {
      const [along, around] = motions[k];
      sumMotion([{ masses, x, v }], along, around);
      for (let c = 0; c < 3; c++) {
        const [i, j] = [(c + 1) % 3, (c + 2) % 3];
        around[c] -= center[i] * along[j] - center[j] * along[i];
      }
      const momentum = [along.slice(), around.slice()] as const;
      for (let c = 0; c < 3; c++) along[c] /= mass;
      factor.set(inertia);
      // Particles in a line have no such rotation.
      if (!solveCholesky(factor, around, 3)) around.fill(0);
      return momentum;
    });
    const both = (k: number, l: number): number =>
      dotProduct(momenta[k][0], motions[l][0], 3) + dotProduct(momenta[k][1], motions[l][1], 3);
    balance.e += 0.5 * both(0, 0);
    balance.a += both(0, 1);
    balance.c += 0.5 * both(1, 1);
  }

  /** Writes its velocity with a share of the impulses, at a particle [m/s]. */
  at(share: number, x: Float64Array, p: number, velocity: Float64Array): void {
    const [[along, around], [more, turn]] = this.motions;
    for (let c = 0; c < 3; c++)
      velocity[c] =
        along[c] +
        share * more[c] +
        turnOf(around, x, 3 * p, this.center, c) +
        share * turnOf(turn, x, 3 * p, this.center, c);
  }
}
