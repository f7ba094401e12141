/**
 * Angular momentum of bodies that push one another. Impulses of a substep act where the particles are, which have moved since its start: an
 * implicit step changes the angular momentum by h Σ m Δv × v, and so do displacements that are shortened and impulses that are scaled. In a
 * blow Δv is as large as v, and bodies of millimeters move by a part of their size in h: 2 to 4 % were gone.
 *
 * So at the end of a frame the velocities get the rotation ω = I⁻¹ Σ (L̃ − L) about the common center c, with L̃ = Σ m x⁻ × ṽ of each substep.
 * If that adds energy, the velocities beside the rigid motion of all, which has all momentum, are scaled: so energy stays what it was.
 *
 * Substeps in which something else pushes have the torque of that, and do not count. It shows in the momentum.
 */
import { solveCholesky } from "../../../math/dense";

/** A body of the group. */
interface Turning {
  readonly state: { readonly positions: Float64Array; readonly velocities?: Float64Array };
  readonly scratch: { readonly start: Float64Array; readonly w: Float64Array };
}

/** Masses [kg], positions [m] and velocities [m/s]. */
export interface Particles {
  readonly masses: ArrayLike<number>;
  readonly x: Float64Array;
  readonly v: Float64Array;
}

/** Change of momentum that is rounding, as a part of Σ m |v|. */
export const ROUNDING = 1e-9;

export class Spin {
  private readonly bodies: Particles[] = [];
  private readonly momentum = new Float64Array(3);
  private readonly angular = new Float64Array(3);
  private readonly missing = new Float64Array(3);
  private isFree = false;

  /** @param h substep [s] */
  constructor(
    private readonly solvers: readonly (Turning & { readonly model: { readonly masses?: ArrayLike<number> } })[],
    private readonly h: number,
  ) {
    for (const { state, model } of solvers)
      if (state.velocities && model.masses)
        this.bodies.push({ masses: model.masses, x: state.positions, v: state.velocities });
  }

  /** After the prediction. */
  begin(): void {
    const { momentum, angular, solvers, bodies, h } = this;
    momentum.fill(0);
    angular.fill(0);
    this.isFree = bodies.length === solvers.length;
    for (let k = 0; k < bodies.length && this.isFree; k++) {
      const { masses, x } = bodies[k];
      const { start, w } = solvers[k].scratch;
      for (let p = 0; p < masses.length; p++) {
        if (w[p] === 0) this.isFree = false;
        const [i, m] = [3 * p, masses[p] / h];
        add(momentum, angular, m, start, i, x[i] - start[i], x[i + 1] - start[i + 1], x[i + 2] - start[i + 2]);
      }
    }
  }

  /**
   * When the velocities of a substep are known.
   *
   * @param isLast whether it is the last one of the frame: then all that is missing is given back
   */
  finish(isLast: boolean): void {
    if (this.isFree) this.compare();
    if (isLast && this.missing.some((value) => value !== 0)) giveBack(this.bodies, this.missing);
  }

  /** Adds what the substep lost, unless something else pushed. */
  private compare(): void {
    const { bodies, momentum, angular, missing } = this;
    const scale = sumMotion(bodies, now, turned);
    for (let c = 0; c < 3; c++) if (!(Math.abs(now[c] - momentum[c]) <= ROUNDING * scale)) return;
    for (let c = 0; c < 3; c++) missing[c] += angular[c] - turned[c];
  }
}

/** The world's origin [m]. */
const ORIGIN: ArrayLike<number> = [0, 0, 0];

/**
 * Sums momentum and angular momentum about a point.
 *
 * @returns Σ m |v|, by coordinates
 */
export function sumMotion(
  bodies: readonly Particles[],
  momentum: Float64Array,
  angular: Float64Array,
  about = ORIGIN,
): number {
  momentum.fill(0);
  angular.fill(0);
  let scale = 0;
  for (const { masses, x, v } of bodies)
    for (let p = 0, i = 0; p < masses.length; p++, i += 3) {
      add(momentum, angular, masses[p], x, i, v[i], v[i + 1], v[i + 2], about);
      for (let c = 0; c < 3; c++) scale += masses[p] * Math.abs(v[i + c]);
    }
  return scale;
}

/** Finds the center of mass. @returns the mass [kg] */
export function findCenter(bodies: readonly Omit<Particles, "v">[], found: Float64Array): number {
  found.fill(0);
  let mass = 0;
  for (const { masses, x } of bodies)
    for (let p = 0, i = 0; p < masses.length; p++, i += 3) {
      for (let c = 0; c < 3; c++) found[c] += masses[p] * x[i + c];
      mass += masses[p];
    }
  for (let c = 0; c < 3; c++) found[c] /= mass;
  return mass;
}

const now = new Float64Array(3);
const turned = new Float64Array(3);
const center = new Float64Array(3);
const inertia = new Float64Array(9);
const factor = new Float64Array(9);
const spin = new Float64Array(3);

/** Writes the center of mass and the inertia about it, 3 × 3 [kg m²], of all together; returns their mass [kg]. */
export function findInertia(
  bodies: readonly Omit<Particles, "v">[],
  center: Float64Array,
  inertia: Float64Array,
): number {
  const mass = findCenter(bodies, center);
  inertia.fill(0);
  for (const { masses, x } of bodies)
    for (let p = 0, i = 0; p < masses.length; p++, i += 3) {
      const [a, b, c] = [x[i] - center[0], x[i + 1] - center[1], x[i + 2] - center[2]];
      const m = masses[p];
      inertia[0] += m * (b * b + c * c);
      inertia[4] += m * (a * a + c * c);
      inertia[8] += m * (a * a + b * b);
      inertia[3] -= m * a * b;
      inertia[6] -= m * a * c;
      inertia[7] -= m * b * c;
    }
  inertia[1] = inertia[3];
  inertia[2] = inertia[6];
  inertia[5] = inertia[7];
  return mass;
}

/**
 * Gives particles angular momentum that they miss, as one rigid body, which is changed.
 *
 * @param allowed energy that they may gain by that [J]; where it takes more in spite of all that they have beside the rotation, they get it
 * @param isBound whether they get nothing then
 * @returns the energy that they have gained [J]
 */
export function giveBack(bodies: readonly Particles[], missing: Float64Array, allowed = 0, isBound = false): number {
  sumMotion(bodies, now, turned);
  const mass = findInertia(bodies, center, inertia);
  for (let c = 0; c < 3; c++) now[c] /= mass;
  // the rotation of all as one, with the angular momentum that there has to be
  for (let c = 0; c < 3; c++) {
    const [i, j] = [(c + 1) % 3, (c + 2) % 3];
    spin[c] = turned[c] + missing[c] - mass * (center[i] * now[j] - center[j] * now[i]);
  }
  factor.set(inertia);
  if (!solveCholesky(factor, spin, 3)) return 0;
  factor.set(inertia);
  return solveCholesky(factor, missing, 3) ? turn(bodies, missing, allowed, isBound) : 0;
}

function turn(bodies: readonly Particles[], missing: Float64Array, allowed: number, isBound: boolean): number {
  let [beside, gained] = [0, 0];
  for (const { masses, x, v } of bodies)
    for (let p = 0; p < masses.length; p++) {
      const i = 3 * p;
      for (let c = 0; c < 3; c++) {
        const extra = turnOf(missing, x, i, center, c);
        const rest = v[i + c] + extra - now[c] - turnOf(spin, x, i, center, c);
        gained += 0.5 * masses[p] * extra * (2 * v[i + c] + extra);
        beside += 0.5 * masses[p] * rest * rest;
      }
    }
  if (isBound && gained - allowed > beside) return 0;
  const less = gained > allowed ? 1 - Math.sqrt(Math.max(0, 1 - (gained - allowed) / beside)) : 0;
  for (const { masses, x, v } of bodies)
    for (let i = 0; i < 3 * masses.length; i += 3)
      for (let c = 0; c < 3; c++) {
        v[i + c] += turnOf(missing, x, i, center, c);
        if (less > 0) v[i + c] -= less * (v[i + c] - now[c] - turnOf(spin, x, i, center, c));
      }
  return gained - (1 - (1 - less) ** 2) * beside;
}

/** Adds m v and m (x − about) × v. */
function add(
  momentum: Float64Array,
  angular: Float64Array,
  m: number,
  x: Float64Array,
  i: number,
  u: number,
  v: number,
  w: number,
  about = ORIGIN,
): void {
  const [a, b, c] = [x[i] - about[0], x[i + 1] - about[1], x[i + 2] - about[2]];
  momentum[0] += m * u;
  momentum[1] += m * v;
  momentum[2] += m * w;
  angular[0] += m * (b * w - c * v);
  angular[1] += m * (c * u - a * w);
  angular[2] += m * (a * v - b * u);
}

/** Coordinate c of ω × (x − center). */
export function turnOf(omega: Float64Array, x: Float64Array, i: number, center: Float64Array, c: number): number {
  const [a, b] = [(c + 1) % 3, (c + 2) % 3];
  return omega[a] * (x[i + b] - center[b]) - omega[b] * (x[i + a] - center[a]);
}
