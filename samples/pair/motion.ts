import type { DeformableBody, Mechanism, RigidBody, Vec3 } from "../../src/index";
import { kineticEnergy as kineticEnergyOf, totalMomentum } from "../../src/index";
import { updateKinematics } from "../../src/articulated/dynamics/kinematics";
import { ArticulatedScratch } from "../../src/articulated/scratch";
import { add } from "../../src/math/matrix3";
import { cross, dot, scaled } from "../../src/math/vectors";
import { angularMomentum, centerOfMass, kineticEnergy, linearMomentum } from "../metrics";
import { spinMomentum } from "../rigid";

/** Momentum [kg m/s], angular momentum about the origin [kg m²/s] and kinetic energy [J]. */
export interface Motion {
  readonly linear: Vec3;
  readonly angular: Vec3;
  readonly kinetic: number;
}

export function rigidMotion(body: RigidBody): Motion {
  const { mass, centerOfMass, linearVelocity: v, angularVelocity } = body;
  const linear = scaled(v, mass);
  const spin = spinMomentum(body);
  return {
    linear,
    angular: add(spin, cross(centerOfMass, linear)),
    kinetic: 0.5 * (mass * dot(v, v) + dot(spin, angularVelocity)),
  };
}

export function mechanismMotion({ simulation }: Mechanism): Motion {
  const scratch = new ArticulatedScratch(simulation.model);
  updateKinematics(scratch, simulation.q, simulation.qd);
  const sum = new Float64Array(6);
  totalMomentum(scratch, sum);
  return { angular: [sum[0], sum[1], sum[2]], linear: [sum[3], sum[4], sum[5]], kinetic: kineticEnergyOf(scratch) };
}

export async function softMotion(body: DeformableBody): Promise<Motion> {
  const { positions, velocities } = await body.readState();
  const { masses } = body.model;
  const linear = linearMomentum(velocities, masses);
  const spin = angularMomentum(positions, velocities, masses);
  return {
    linear,
    angular: add(spin, cross(centerOfMass(positions, masses), linear)),
    kinetic: kineticEnergy(velocities, masses),
  };
}

export function sumOf(motions: readonly Motion[]): Motion {
  return motions.reduce((sum, { linear, angular, kinetic }) => ({
    linear: add(sum.linear, linear),
    angular: add(sum.angular, angular),
    kinetic: sum.kinetic + kinetic,
  }));
}
