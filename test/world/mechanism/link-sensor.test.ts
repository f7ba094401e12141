import { describe, expect, it } from "vitest";
import { mechanismModel, World, type MechanismDescription, type Vec3 } from "../../../src/index";
import { gripper } from "../../../samples/mechanisms/gripper";

const G = 9.81;
const FRAME = 1 / 60;
const inertia = [0.01, 0.01, 0.01, 0, 0, 0] as const;
const length = ([x, y, z]: Vec3): number => Math.hypot(x, y, z);
const expectNear = (found: Vec3, expected: Vec3, tolerance: number): void =>
  expected.forEach((value, c) => expect(Math.abs(found[c] - value), `${found}`).toBeLessThan(tolerance));

/** Two rods in a row that hang from a hinge about z; the joint between them is welded. */
const pendulum: MechanismDescription = {
  name: "pendulum",
  links: [
    { name: "rod", mass: 2, inertia, centerOfMass: [0, -0.5, 0], joint: { type: "revolute" } },
    {
      name: "bob",
      parent: "rod",
      mass: 3,
      inertia,
      centerOfMass: [0, -0.1, 0],
      joint: { type: "weld", parentFrame: { position: [0, -1, 0] } },
    },
  ],
};

describe("a sensor on a link", () => {
  it("tells weights at rest, in its own axes", async () => {
    const world = await World.create({ backend: "cpu" });
    const hanging = world.addMechanism(mechanismModel(pendulum));
    const whole = hanging.addSensor("rod");
    // turned by a right angle about z: its x axis points up
    const part = hanging.addSensor("bob", { position: [0.2, 0, 0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] });
    for (let k = 0; k < 3; k++) world.step(FRAME);
    expectNear(whole.force, [0, 5 * G, 0], 1e-6);
    expectNear(part.force, [3 * G, 0, 0], 1e-6);
    expectNear(part.acceleration, [G, 0, 0], 1e-6);
    // the weight pulls 0.2 m beside the sensor
    expectNear(part.torque, [0, 0, -0.2 * 3 * G], 1e-6);
    expectNear(part.angularVelocity, [0, 0, 0], 1e-9);
    world.dispose();
  });

  it("tells spin, centripetal acceleration and the pull of a swing", async () => {
    const world = await World.create({ backend: "cpu", gravity: [0, 0, 0] });
    const swing = world.addMechanism(mechanismModel(pendulum, { maxTimeStep: 1 / 960 }));
    const sensor = swing.addSensor("bob", { position: [0, -0.1, 0] });
    const hinge = swing.addSensor("rod");
    const spin = 2;
    swing.simulation.qd[0] = spin;
    swing.place();
    for (let k = 0; k < 5; k++) world.step(FRAME);
    expectNear(sensor.angularVelocity, [0, 0, spin], 0.01);
    expectNear(sensor.velocity, [1.1 * spin, 0, 0], 0.02);
    // Towards the hinge; mean and axes are half a frame apart.
    expect(length(sensor.acceleration)).toBeCloseTo(1.1 * spin ** 2, 1);
    expect(sensor.acceleration[1]).toBeGreaterThan(0.99 * 1.1 * spin ** 2);
    expect(length(sensor.force) / (3 * 1.1 * spin ** 2)).toBeCloseTo(1, 2);
    expect(length(hinge.force) / ((3 * 1.1 + 2 * 0.5) * spin ** 2)).toBeCloseTo(1, 2);
    world.dispose();
  });

  it("falls without a reading, and feels pushes from outside", async () => {
    const world = await World.create({ backend: "cpu" });
    const body = world.addMechanism(
      mechanismModel({ name: "body", links: [{ name: "body", mass: 2, inertia, joint: { type: "free" } }] }),
    );
    const sensor = body.addSensor("body", { position: [0.1, 0, 0] });
    for (let k = 0; k < 5; k++) world.step(FRAME);
    expectNear(sensor.acceleration, [0, 0, 0], 1e-9);
    expectNear(sensor.force, [0, 0, 0], 1e-9);
    body.applyForce("body", [0, 0, 6], body.poseOf("body").position);
    world.step(FRAME);
    expectNear(sensor.acceleration, [0, 0, 3], 1e-6);
    // nothing holds it: a push is no load of its joint
    expectNear(sensor.force, [0, 0, 0], 1e-6);
    world.dispose();
  });

  it("weighs a gripped box", async () => {
    const world = await World.create({ backend: "cpu" });
    world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [1, 0.5, 1] }, position: [0, -0.5, 0] });
    const mass = 0.2;
    const shape = { type: "box", halfExtents: [0.03, 0.03, 0.03] } as const;
    world.addRigidBody({ shape, position: [0, 0.03, 0], mass, friction: 1 });
    const hand = world.addMechanism(mechanismModel(gripper(0.4, 0.08)));
    const { simulation } = hand;
    const palm = hand.addSensor("hand");
    simulation.q[1] = 0.06;
    hand.place();
    for (let frame = 0; frame < 150; frame++) {
      const height = 0.06 + 0.05 * Math.min(1, Math.max(0, (frame - 40) / 60));
      const lift = (frame < 40 ? 1.8 : 1.8 + mass) * G + 800 * (height - simulation.q[1]) - 80 * simulation.qd[1];
      simulation.control.set([-200 * simulation.q[0] - 30 * simulation.qd[0], lift, 10, 10]);
      world.step(FRAME);
      if (frame === 30) expect(palm.force[1] / (1.8 * G)).toBeCloseTo(1, 2);
    }
    expect(palm.force[1] / ((1.8 + mass) * G)).toBeCloseTo(1, 2);
    world.dispose();
  });

  it("is taken off, and refuses what it cannot read", async () => {
    const world = await World.create({ backend: "cpu" });
    const hanging = world.addMechanism(mechanismModel(pendulum));
    expect(() => hanging.addSensor("tail")).toThrow("tail");
    expect(() => hanging.addSensor("rod", { position: [NaN, 0, 0] })).toThrow("addSensor.position");
    const [one, other] = [hanging.addSensor("rod"), hanging.addSensor("bob")];
    world.step(FRAME);
    one.dispose();
    world.step(FRAME);
    world.step(FRAME);
    expect(other.force[1]).toBeCloseTo(3 * G, 6);
    other.dispose();
    world.step(FRAME);
    world.dispose();
  });
});
