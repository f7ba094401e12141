/** The part of the motion of particles that is the motion of one rigid body. */
import { type Matrix3, solve3 } from "../../math/matrix3";
import type { Vec3 } from "../../math/types";

/** Masses [kg], positions [m] and velocities [m/s] of some particles. */
export type Particles = readonly [Float64Array, Float64Array, Float64Array];

interface RigidMotion {
  /** centre of mass [m] */
  readonly middle: Vec3;
  /** velocity of it [m/s] */
  readonly mean: Vec3;
  /** [rad/s], not finite where all particles are on a line */
  readonly spin: Vec3;
}

/** The motion of a rigid body that has the momentum and angular momentum of particles. */
export function rigidMotion(all: readonly Particles[]): RigidMotion {
  const [middle, mean, moment] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  let mass = 0;
  for (const [masses, x, v] of all)
    masses.forEach((m, p) => {
      mass += m;
      for (let c = 0; c < 3; c++) {
        middle[c] += m * x[3 * p + c];
        mean[c] += m * v[3 * p + c];
      }
    });
  for (let c = 0; c < 3; c++) {
    middle[c] /= mass;
    mean[c] /= mass;
  }
  const inertia = new Float64Array(9);
  for (const [masses, x, v] of all)
    masses.forEach((m, p) => {
      const i = 3 * p;
      const [a, b, c] = [x[i] - middle[0], x[i + 1] - middle[1], x[i + 2] - middle[2]];
      moment[0] += m * (b * v[i + 2] - c * v[i + 1]);
      moment[1] += m * (c * v[i] - a * v[i + 2]);
      moment[2] += m * (a * v[i + 1] - b * v[i]);
      const r = [a, b, c];
      for (let e = 0; e < 9; e++) {
        const [row, column] = [Math.floor(e / 3), e % 3];
        inertia[e] += m * ((row === column ? a * a + b * b + c * c : 0) - r[row] * r[column]);
      }
    });
  const spin = solve3(inertia as unknown as Matrix3, moment as unknown as Vec3);
  return { middle: middle as unknown as Vec3, mean: mean as unknown as Vec3, spin };
}
