import { expect, it } from "vitest";
import { gripper } from "../../../samples/mechanisms/gripper";
import { mechanismModel, type RigidBody, World } from "../../../src/index";

const [RADIUS, LENGTH, MASS, STIFFNESS, GRAVITY] = [0.006, 0.025, 0.003, 250, 9.81];

/** Sag of a chain of bodies with springs that is held at its first two: each joint bends by its moment over its stiffness. */
function sag(count: number): number {
  let sum = 0;
  for (let joint = 2; joint < count; joint++) {
    const beyond = count - joint;
    const moment = (beyond * MASS * GRAVITY * beyond * LENGTH) / 2;
    sum += (moment / STIFFNESS) * (beyond - 0.5) * LENGTH;
  }
  return sum;
}

it.each([6, 12])(
  "solves a chain of %i light bodies with stiff springs in a moving hand in every step",
  async (count) => {
    const world = await World.create({ backend: "cpu", gravity: [0, -GRAVITY, 0] });
    const spring = { mode: "limited", min: 0, max: 0, stiffness: STIFFNESS } as const;
    const links: RigidBody[] = [];
    for (let k = 0; k < count; k++) {
      const [pointA, pointB] = [[0, 0, -LENGTH / 2] as const, [0, 0, LENGTH / 2] as const];
      const shape = { type: "capsule", pointA, pointB, radius: RADIUS } as const;
      links.push(
        world.addRigidBody({ shape, mass: MASS, friction: 0.8, position: [0, 0, k * LENGTH], canSleep: false }),
      );
      if (k > 0)
        world.addJoint({
          type: "ball",
          bodyA: links[k - 1],
          bodyB: links[k],
          pivotA: pointB,
          pivotB: pointA,
          axes: { angularX: spring, angularY: spring, angularZ: spring },
        });
    }
    const hand = world.addMechanism(mechanismModel(gripper(0.4, 2 * RADIUS + 0.002)));
    const { q, qd, control } = hand.simulation;
    const { dynamics } = world.rigid;
    const reports = (dynamics.reports = []) as NonNullable<typeof dynamics.reports>;
    let [worst, sparse] = [0, 0];
    for (let frame = 0; frame < 45; frame++) {
      const height = frame < 25 ? 0.05 * Math.sin(frame / 6) : q[1];
      control[0] = 2.8 * (400 * -q[0] - 30 * qd[0]);
      control[1] = 1.8 * (400 * (height - q[1]) - 60 * qd[1]) + (1.8 + count * MASS) * GRAVITY;
      control[2] = control[3] = 30;
      world.step(1 / 60);
      for (const { residuals, factors } of frame > 5 ? reports : []) {
        worst = Math.max(worst, residuals.at(-1)!);
        sparse += factors;
      }
    }
    expect(worst).toBeLessThan(1e-8);
    // A dense factor took up to eight times as long: it knows nothing of the chain.
    expect(sparse).toBeGreaterThan(0);
    expect(hand.contactForceOf("right")[0]).toBeCloseTo(30, 1);
    expect((links[0].position[1] - links[count - 1].position[1]) / sag(count)).toBeCloseTo(1, 0);
    world.dispose();
  },
);
