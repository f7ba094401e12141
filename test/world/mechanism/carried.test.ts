import { describe, expect, it } from "vitest";
import { mechanismModel, type MechanismDescription, type Vec3, World } from "../../../src/index";
import { conjugate, turn } from "../../../src/math/quaternions";
import { distance, subtract } from "../../../src/math/vectors";

const GRAVITY = 9.81;

/** An arm that turns about y with a tray at its end, on a wrist that may turn back. */
function arm(reach: number): MechanismDescription {
  const [mass, axis] = [2, [0, 1, 0]] as const;
  const inertia = [reach ** 2, reach ** 2, reach ** 2, 0, 0, 0] as const;
  const tray = { type: "box", halfExtents: [0.1 * reach, 0.02 * reach, 0.1 * reach] } as const;
  return {
    name: "arm",
    links: [
      { name: "upper arm", mass, inertia, joint: { type: "revolute", axis } },
      {
        name: "tray",
        parent: "upper arm",
        mass,
        inertia,
        joint: { type: "revolute", axis, parentFrame: { position: [reach, 0, 0] } },
        shapes: [{ shape: tray, friction: 1 }],
      },
    ],
  };
}

/** Way of a box on a tray that goes around for a time, in the axes of the tray [m]. */
async function wayOnTray(reach: number, rate: number, wrist: number, stepsPerSecond: number): Promise<number> {
  const world = await World.create({ backend: "cpu", gravity: [0, -GRAVITY, 0] });
  world.rigid.substeps = stepsPerSecond / 60;
  const servo = (joint: string) =>
    ({ name: joint, joints: [{ joint, coefficient: 1 }], gain: 1e6, bias: [0, 0, -1e6] }) as const;
  const mechanism = world.addMechanism(
    mechanismModel(arm(reach), { maxTimeStep: 1 / stepsPerSecond, actuators: [servo("upper arm"), servo("tray")] }),
  );
  const { qd, actuators } = mechanism.simulation;
  qd.set([rate, wrist]);
  actuators.input.set([rate, wrist]);
  const half = 0.05 * reach;
  const body = world.addRigidBody({
    shape: { type: "box", halfExtents: [half, half, half] },
    mass: 0.5,
    friction: 1,
    position: [reach, 0.02 * reach + half, 0],
    linearVelocity: [0, 0, -rate * reach],
    angularVelocity: [0, rate + wrist, 0],
    canSleep: false,
  });
  const onTray = (): Vec3 => {
    const { position, rotation } = mechanism.poseOf("tray");
    return turn(conjugate(rotation), subtract(body.centerOfMass, position));
  };
  for (let frame = 0; frame < 10; frame++) world.step(1 / 60);
  const start = onTray();
  for (let frame = 0; frame < 60; frame++) world.step(1 / 60);
  const way = distance(onTray(), start);
  world.dispose();
  return way;
}

describe("a box on a tray that an arm carries around", () => {
  for (const [reach, rate, wrist, steps] of [
    [0.7, 1.3, 0, 120],
    [0.7, 1.3, -1.3, 60],
    [0.7, -2, 2.5, 240],
    [7, 0.4, -0.4, 120],
    [0.07, 4, -4, 120],
  ])
    it(`stays there: ${reach} m, ${rate} and ${wrist} rad/s, ${steps} steps a second`, async () => {
      // If the box went along the tangents of steps of h, the way would be h ω² r / 2 in a second.
      expect(await wayOnTray(reach, rate, wrist, steps)).toBeLessThan((0.04 * (rate ** 2 * reach)) / 2 / steps);
    });
});
