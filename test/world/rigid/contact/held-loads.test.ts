import { describe, expect, it } from "vitest";
import { World } from "../../../../src/index";
import type { RigidBody } from "../../../../src/index";

const DT = 1 / 60;
const MASS = 1e-3;

/** A light box, on the ground or in the air, that bears an impulse [N s] which came along with a speed [m/s]. */
async function loaded(isOnGround: boolean, impulse: number, speed: number): Promise<{ box: RigidBody; world: World }> {
  const world = await World.create({ backend: "cpu" });
  const half = 0.05;
  world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [5, 1, 5] }, position: [0, -1, 0] });
  const box = world.addRigidBody({
    shape: { type: "box", halfExtents: [half, half, half] },
    mass: MASS,
    position: [0, isOnGround ? half : 3, 0],
  });
  await world.whenReadyAsync();
  world.step(DT);
  box.linearVelocity = [0, 0, 0];
  box.applyForce([0, -impulse / DT, 0]);
  box.record.held = Float64Array.of(0, -impulse, 0, 0, 0, 0, impulse * speed);
  return { box, world };
}

describe("what rigid bodies bear of soft ones", () => {
  it.each([0.01, 1, 100])("takes a body that gives way along no faster than these came: %f N s", async (impulse) => {
    const { box, world } = await loaded(false, impulse, 2);
    world.step(DT);
    expect(impulse / MASS).toBeGreaterThan(5);
    const [x, y, z] = box.linearVelocity;
    // and what gravity gives it
    expect(-y).toBeLessThan(2 + 2 * 9.81 * DT);
    expect(-y).toBeGreaterThan(1);
    expect(Math.hypot(x, z)).toBeLessThan(1e-9);
    expect(world.rigid.stepsRepeated).toBeGreaterThan(0);
    // Nothing is left of it in the next step.
    const before = box.linearVelocity[1];
    world.step(DT);
    expect(Math.abs(box.linearVelocity[1] - before + 9.81 * DT)).toBeLessThan(1e-9);
    world.dispose();
  });

  it.each([0.01, 1, 100])("goes to the ground whole where that holds it: %f N s", async (impulse) => {
    const { box, world } = await loaded(true, impulse, 2);
    const repeated = world.rigid.stepsRepeated;
    world.step(DT);
    const wrench = new Float64Array(6);
    box.contactWrenchToRef(wrench);
    expect(wrench[1]).toBeCloseTo(impulse + MASS * 9.81 * DT, 6);
    expect(world.rigid.stepsRepeated).toBe(repeated);
    world.dispose();
  });
});
