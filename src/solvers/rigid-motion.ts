/** The part of the motion of particles that is the motion of one rigid body. */
import { type Matrix3, solve3 } from "../math/matrix3";
import type { Vec3 } from "../math/types";

/** Masses [kg], positions [m] and velocities [m/s] of some particles. */
export type Particles = readonly [Float64Array, Float32Array | Float64Array, Float32Array | Float64Array];

interface RigidMotion {
  /** centre of mass [m] */
  readonly middle: Vec3;
  /** velocity of it [m/s] */
  readonly mean: Vec3;
  /** [rad/s], not finite where all particles are on a line */
  readonly spin: Vec3;
}

/** Part of the inertia that an axis without inertia gets. */
const SINGULAR = 1e-10;

const middle = new Float64Array(3);
const mean = new Float64Array(3);
const moment = new Float64Array(3);
const inertia = new Float64Array(9);

/** The motion of a rigid body that has the momentum and angular momentum of particles. */
export function rigidMotion(all: readonly Particles[]): RigidMotion {
  const mass = sumMotion(all);
  for (let c = 0; c < 3; c++) {
    middle[c] /= mass;
    mean[c] /= mass;
  }
  sumTurning(all);
  const spin = solve3(inertia as unknown as Matrix3, moment as unknown as Vec3);
  return { middle: [middle[0], middle[1], middle[2]], mean: [mean[0], mean[1], mean[2]], spin };
}

/**
 * The angular velocity [rad/s] that an angular impulse about the center of mass [N m s] gives particles; without one, the angular velocity
 * that they have. Of particles on a line, that across it.
 */
export function turnOf(all: readonly Particles[], impulse?: Vec3): Vec3 {
  rigidMotion(all);
  const least = SINGULAR * (inertia[0] + inertia[4] + inertia[8]);
  if (!(least > 0)) return [0, 0, 0];
  for (let c = 0; c < 3; c++) inertia[4 * c] += least;
  return solve3(inertia as unknown as Matrix3, impulse ?? (moment as unknown as Vec3));
}

/** Sums of m x and m v, and the mass; without an allocation for a particle, as all that follows. */
function sumMotion(all: readonly Particles[]): number {
  middle.fill(0);
  mean.fill(0);
  let mass = 0;
  for (const [masses, x, v] of all)
    for (let p = 0; p < masses.length; p++) {
      const m = masses[p];
      mass += m;
      for (let c = 0; c < 3; c++) {
        middle[c] += m * x[3 * p + c];
        mean[c] += m * v[3 * p + c];
      }
    }
  return mass;
}

function sumTurning(all: readonly Particles[]): void {
  moment.fill(0);
  inertia.fill(0);
  for (const [masses, x, v] of all)
    for (let p = 0, i = 0; p < masses.length; p++, i += 3) {
      const m = masses[p];
      const a = x[i] - middle[0];
      const b = x[i + 1] - middle[1];
      const c = x[i + 2] - middle[2];
      moment[0] += m * (b * v[i + 2] - c * v[i + 1]);
      moment[1] += m * (c * v[i] - a * v[i + 2]);
      moment[2] += m * (a * v[i + 1] - b * v[i]);
      const squares = a * a + b * b + c * c;
      inertia[0] += m * (squares - a * a);
      inertia[4] += m * (squares - b * b);
      inertia[8] += m * (squares - c * c);
      inertia[1] -= m * (a * b);
      inertia[2] -= m * (a * c);
      inertia[5] -= m * (b * c);
    }
  inertia[3] = inertia[1];
  inertia[6] = inertia[2];
  inertia[7] = inertia[5];
}
