import { describe, expect, it } from "vitest";
import { type MechanismDescription, mechanismModel, World } from "../../../src/index";

const GRAVITY = 9.81;

/** A ball on a slide along y over a plate on another one, which a spring holds: two trees of one mechanism. */
function ballOverPlate(size: number, ball: number, plate: number): MechanismDescription {
  const slide = { type: "prismatic", axis: [0, 1, 0] } as const;
  const stiffness = (1000 * (ball + plate) * GRAVITY) / size;
  const damping = 0.5 * Math.sqrt(stiffness * (ball + plate));
  return {
    name: "pair",
    links: [
      {
        name: "plate",
        mass: plate,
        joint: { ...slide, stiffness, damping },
        shapes: [{ shape: { type: "box", halfExtents: [size, size / 10, size] } }],
      },
      {
        name: "ball",
        mass: ball,
        joint: { ...slide, parentFrame: { position: [0, 0.6 * size, 0] } },
        shapes: [{ shape: { type: "sphere", radius: size / 2 } }],
      },
    ],
  };
}

describe("separate trees of one mechanism in a world", () => {
  for (const [size, mass, meets] of [
    [1, 2, "all"],
    [0.1, 0.02, "all"],
    [10, 300, "none"],
  ] as const)
    it(`touch each other, and their forces count: ${size} m, ${mass} kg, meets ${meets}`, async () => {
      const world = await World.create({ backend: "cpu", gravity: [0, -GRAVITY, 0] });
      const mechanism = world.addMechanism(mechanismModel(ballOverPlate(size, mass, 3 * mass), { meets }));
      const sensor = mechanism.addSensor("ball");
      const rate = Math.sqrt(GRAVITY / size);
      for (let frame = 0; frame < 90; frame++) world.step(0.05 / rate);
      const { q } = mechanism.simulation;
      expect(Math.abs(q[1] - q[0])).toBeLessThan(2e-3 * size);
      const weight = mass * GRAVITY;
      const [onBall, onPlate] = ["ball", "plate"].map((link) => mechanism.contactForceOf(link));
      expect(onBall[1] / weight).toBeCloseTo(1, 3);
      expect(onPlate[1] / weight).toBeCloseTo(-1, 3);
      // The contact carries the ball, so that the joint bears nothing.
      for (const force of sensor.force) expect(Math.abs(force)).toBeLessThan(1e-3 * weight);
      world.dispose();
    });
});
