/** Part of the way that an element comes back in a second, when it was flat or inside out before and nothing guards the body [1/s] */
const RECOVERY = 5;

/**
 * Part of the way that it comes back in a time step. A guarded body takes the whole way: slower than gravity takes it back, what was
 * crushed flat would never stand up.
 *
 * @param h time step [s]
 * @param isGuarded whether a guard knows the body's energy: of one that began inside out nobody does
 */
export function recoveryIn(h: number, isGuarded = false): number {
  return isGuarded ? 1 : Math.min(1, RECOVERY * h);
}
