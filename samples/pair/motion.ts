import type { DeformableBody, Mechanism, RigidBody, Vec3 } from "../../src/index";
import { kineticEnergy, totalMomentum } from "../../src/index";
import { updateKinematics } from "../../src/articulated/dynamics/kinematics";
import { ArticulatedScratch } from "../../src/articulated/scratch";
import { conjugate, product, turn } from "../../src/math/quaternions";
import { cross, dot } from "../../src/math/vectors";

/** Momentum [kg m/s], angular momentum about the origin [kg m²/s] and kinetic energy [J]. */
export interface Motion {
  readonly linear: Vec3;
  readonly angular: Vec3;
  readonly kinetic: number;
}

export function rigidMotion(body: RigidBody): Motion {
  const { mass, massProperties, centerOfMass, linearVelocity, angularVelocity, rotation } = body;
  const { inertia, inertiaRotation } = massProperties;
  const frame = product(rotation, inertiaRotation);
  const local = turn(conjugate(frame), angularVelocity);
  const spin = turn(frame, [inertia[0] * local[0], inertia[1] * local[1], inertia[2] * local[2]]);
  const orbit = cross(centerOfMass, linearVelocity);
  return {
    linear: [mass * linearVelocity[0], mass * linearVelocity[1], mass * linearVelocity[2]],
    angular: [spin[0] + mass * orbit[0], spin[1] + mass * orbit[1], spin[2] + mass * orbit[2]],
    kinetic: 0.5 * (mass * dot(linearVelocity, linearVelocity) + dot(spin, angularVelocity)),
  };
}

export function mechanismMotion({ simulation }: Mechanism): Motion {
  const scratch = new ArticulatedScratch(simulation.model);
  updateKinematics(scratch, simulation.q, simulation.qd);
  const sum = new Float64Array(6);
  totalMomentum(scratch, sum);
  return { angular: [sum[0], sum[1], sum[2]], linear: [sum[3], sum[4], sum[5]], kinetic: kineticEnergy(scratch) };
}

export async function softMotion(body: DeformableBody): Promise<Motion> {
  const { positions, velocities } = await body.readState();
  const sum = { linear: [0, 0, 0], angular: [0, 0, 0], kinetic: 0 };
  body.model.masses.forEach((mass, p) => {
    const at = (of: ArrayLike<number>): Vec3 => [of[3 * p], of[3 * p + 1], of[3 * p + 2]];
    const v = at(velocities);
    const orbit = cross(at(positions), v);
    for (let c = 0; c < 3; c++) {
      sum.linear[c] += mass * v[c];
      sum.angular[c] += mass * orbit[c];
    }
    sum.kinetic += 0.5 * mass * dot(v, v);
  });
  return sum as unknown as Motion;
}

export function sumOf(motions: readonly Motion[]): Motion {
  const total = (of: (motion: Motion) => number): number => motions.reduce((sum, motion) => sum + of(motion), 0);
  const vector = (of: (motion: Motion) => Vec3): Vec3 => [
    total((motion) => of(motion)[0]),
    total((motion) => of(motion)[1]),
    total((motion) => of(motion)[2]),
  ];
  return {
    linear: vector(({ linear }) => linear),
    angular: vector(({ angular }) => angular),
    kinetic: total(({ kinetic }) => kinetic),
  };
}
