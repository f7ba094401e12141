import { describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel, World } from "../../../../src/index";
import type { RigidBody } from "../../../../src/index";
import { localGlobalSolid } from "../../../../src/models/local-global/local-global";

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

  it("gives a ball that a push beside its middle rolls no more, though its spin has a bound", async () => {
    const world = await World.create({ backend: "cpu" });
    world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [500, 1, 500] }, position: [0, -1, 0] });
    const radius = 0.05;
    const ball = world.addRigidBody({
      shape: { type: "sphere", radius },
      mass: MASS,
      position: [0, radius, 0],
      friction: 1,
    });
    await world.whenReadyAsync();
    world.step(DT);
    const [impulse, speed] = [1, 20];
    ball.applyForce([0, -impulse / DT, 0]);
    ball.applyTorque([0, 0, (impulse * radius) / DT]);
    ball.record.held = Float64Array.of(0, -impulse, 0, 0, 0, impulse * radius, impulse * speed);
    world.step(DT);
    expect(Math.hypot(...ball.linearVelocity)).toBeLessThan(1.05 * speed);
    expect(Math.abs(ball.linearVelocity[0])).toBeGreaterThan(1);
    world.dispose();
  });

  // Pushed from a little beside its top, it left by 40 of its radii in a frame, though the impulse did no more than it may.
  it.each([0.005, 0.05, 0.5])("pushes a ball of %f m that rolls away no further than by its size", async (radius) => {
    const world = await World.create({ backend: "cpu", gravity: [0, 0, 0] });
    const half = 1000 * radius;
    world.addRigidBody({
      motion: "static",
      shape: { type: "box", halfExtents: [half, radius, half] },
      position: [0, -radius, 0],
    });
    const ball = world.addRigidBody({
      shape: { type: "sphere", radius },
      mass: MASS,
      position: [0, radius, 0],
      friction: 1,
    });
    await world.whenReadyAsync();
    const impulse = (500 * MASS * radius) / DT;
    const arm = 0.15 * radius;
    ball.applyForce([0, -impulse / DT, 0]);
    ball.applyTorque([0, 0, (impulse * arm) / DT]);
    ball.record.held = Float64Array.of(0, -impulse, 0, 0, 0, impulse * arm, (1e6 * impulse * radius) / DT);
    world.step(DT);
    const way = 0.5 * DT * -ball.linearVelocity[0];
    expect(way).toBeLessThan(4 * radius);
    expect(way).toBeGreaterThan(radius);
    world.dispose();
  });

  // Beside bodies of the Newton solver no step is repeated: the box left at 32 times the speed.
  it.each([0.05, 0.5])(
    "throws no box of %f m / 5 from under a solid, beside one of the Newton solver",
    async (side) => {
      const world = await World.create({ backend: "cpu", gravity: [0, -9.81, 0] });
      const half = 20 * side;
      world.addRigidBody({
        motion: "static",
        shape: { type: "box", halfExtents: [half, side, half] },
        position: [0, -side, 0],
      });
      const speed = 6.7 * Math.sqrt(side);
      const material = { youngsModulus: 2e6 * side, poissonRatio: 0.3, density: 1000 };
      const cube = (cells: number, x: number, y: number) =>
        boxTetrahedra({ size: [side, side, side], cells: [cells, cells, cells], center: [x * side, y * side, 0] });
      const soft = world.addBody(localGlobalSolid({ ...cube(2, 0.2, 1.1), material }));
      const { positions } = soft.model;
      soft.writeState({ positions, velocities: Float64Array.from(positions, (_, i) => (i % 3 === 1 ? -speed : 0)) });
      world.addBody(solidModel({ ...cube(1, 10, 0.51), material, solver: "newton" }));
      const box = world.addRigidBody({
        shape: { type: "box", halfExtents: [0.2 * side, 0.2 * side, 0.2 * side] },
        mass: 16 * side ** 3,
        position: [-0.3 * side, 0.3 * side, 0],
        rotation: [0, 0, 0.38, 0.925],
      });
      for (let frame = 0; frame < 12; frame++) {
        world.step(DT);
        expect(Math.hypot(...box.linearVelocity), `frame ${frame}`).toBeLessThan(2 * speed);
      }
      world.dispose();
    },
  );
});
