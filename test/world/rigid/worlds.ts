import { RigidWorld, type RigidWorldOptions } from "../../../src/world/rigid/rigid-world";
import type { RigidBody } from "../../../src/world/rigid/rigid-body";
import { spinMomentum } from "../../../samples/rigid";

/** A world with a wide floor at height 0. */
export function floorWorld(options: RigidWorldOptions = {}, floor: { friction?: number; restitution?: number } = {}) {
  const world = new RigidWorld(options);
  world.addBody({
    motion: "static",
    shape: { type: "box", halfExtents: [50, 1, 50] },
    position: [0, -1, 0],
    ...floor,
  });
  return world;
}

export function run(world: RigidWorld, seconds: number, dt = 1 / 60, each?: () => void): void {
  const frames = Math.round(seconds / dt);
  for (let k = 0; k < frames; k++) {
    world.step(dt);
    each?.();
  }
}

/** Sum of m v, and of angular momenta about the origin, of dynamic bodies. */
export function momenta(bodies: readonly RigidBody[]): { linear: number[]; angular: number[] } {
  const linear = [0, 0, 0];
  const angular = [0, 0, 0];
  for (const body of bodies) {
    const m = body.mass;
    const v = body.linearVelocity;
    const x = body.centerOfMass;
    const spin = spinMomentum(body);
    for (let i = 0; i < 3; i++) {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      linear[i] += m * v[i];
      angular[i] += m * (x[j] * v[k] - x[k] * v[j]) + spin[i];
    }
  }
  return { linear, angular };
}

/** Kinetic energy of rotation. */
export function spinEnergy(body: RigidBody): number {
  const l = spinMomentum(body);
  return 0.5 * l.reduce((sum, value, i) => sum + value * body.angularVelocity[i], 0);
}
