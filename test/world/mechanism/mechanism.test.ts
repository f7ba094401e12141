import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Mechanism, type MechanismDescription, mechanismModel, World } from "../../../src/index";
import { expectRefused } from "../../refusal";

const GRAVITY = 10;

/** A plate of 2 kg on a spring, on a fixed post. */
const scale: MechanismDescription = {
  name: "scale",
  links: [
    {
      name: "post",
      mass: 1,
      joint: { type: "weld" },
      shapes: [{ shape: { type: "box", halfExtents: [0.02, 0.4, 0.02] } }],
    },
    {
      name: "plate",
      parent: "post",
      mass: 2,
      joint: {
        type: "prismatic",
        axis: [0, 1, 0],
        stiffness: 2000,
        damping: 100,
        lower: -0.05,
        upper: 0.05,
        parentFrame: { position: [0, 0.6, 0] },
      },
      shapes: [{ shape: { type: "box", halfExtents: [0.3, 0.02, 0.3] } }],
    },
  ],
};

let world: World;
let mechanism: Mechanism;
beforeEach(async () => {
  world = await World.create({ backend: "cpu", gravity: [0, -GRAVITY, 0] });
  mechanism = world.addMechanism(mechanismModel(scale));
});
afterEach(() => world.dispose());

const run = (frames: number): void => {
  for (let frame = 0; frame < frames; frame++) world.step(1 / 60);
};

describe("a mechanism in a world", () => {
  it("bears what lies on it, and tells how much that is", () => {
    const box = world.addRigidBody({
      shape: { type: "box", halfExtents: [0.1, 0.1, 0.1] },
      mass: 3,
      position: [0.1, 0.74, 0.05],
    });
    run(150);
    expect(mechanism.simulation.q[0]).toBeCloseTo((-5 * GRAVITY) / 2000, 6);
    expect(mechanism.contactForceOf("plate")[1]).toBeCloseTo(-3 * GRAVITY, 4);
    expect(box.isAsleep).toBe(false);
    const { position } = mechanism.poseOf("plate");
    expect(box.position[1] - position[1]).toBeCloseTo(0.12, 4);
    box.dispose();
    run(120);
    expect(mechanism.simulation.q[0]).toBeCloseTo((-2 * GRAVITY) / 2000, 6);
    expect(mechanism.contactForceOf("plate")).toEqual([0, 0, 0]);
  });

  it("stops at its limits under more than its spring bears", () => {
    const shape = { type: "box", halfExtents: [0.1, 0.1, 0.1] } as const;
    const box = world.addRigidBody({ shape, mass: 100, position: [0, 0.73, 0] });
    run(150);
    expect(mechanism.simulation.q[0]).toBeCloseTo(-0.05, 3);
    expect(mechanism.contactForceOf("plate")[1]).toBeCloseTo(-100 * GRAVITY, 0);
    expect(box.linearVelocity[1]).toBeCloseTo(0, 4);
  });

  it("wakes what sleeps where it comes, and is taken out again", () => {
    world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [5, 1, 5] }, position: [0, -1, 0] });
    const shape = { type: "box", halfExtents: [0.1, 0.1, 0.1] } as const;
    const box = world.addRigidBody({ shape, mass: 1, position: [0.15, 0.1, 0.15] });
    run(60);
    expect(box.isAsleep).toBe(true);
    mechanism.simulation.control[0] = -1200;
    run(30);
    expect(mechanism.simulation.q[0]).toBeCloseTo(-0.05, 3);
    const count = world.rigid.bodies.length;
    mechanism.dispose();
    expect(world.rigid.bodies.length).toBe(count - 2);
    expect(world.mechanisms).toEqual([]);
    run(2);
  });

  it("stands where it was once its state is no longer finite, whatever hits it", () => {
    const shape = { type: "box", halfExtents: [0.1, 0.1, 0.1] } as const;
    const box = world.addRigidBody({ shape, mass: 50, position: [0, 1.2, 0] });
    let told = 0;
    mechanism.onFrozen.add(() => told++);
    run(5);
    const [q] = mechanism.simulation.q;
    const plate = mechanism.bodyOf("plate")!;
    mechanism.simulation.control[0] = 1e308;
    run(1);
    const { position } = plate;
    expect([told, mechanism.isFrozen]).toEqual([1, true]);
    run(60);
    expect(mechanism.simulation.q[0]).toBe(q);
    expect(plate.position).toEqual(position);
    expect(plate.linearVelocity).toEqual([0, 0, 0]);
    expect(box.position[1]).toBeCloseTo(position[1] + 0.12, 2);
  });

  it("refuses what it has not, and changes nothing", () => {
    expectRefused(() => mechanism.poseOf("handle"), "invalid-argument", /handle/);
    expectRefused(() => mechanism.contactForceOf(2), "index-out-of-range", /has 2 links/);
    expectRefused(() => mechanism.applyForce("plate", [NaN, 0, 0], [0, 0, 0]), "non-finite", /applyForce/);
    expectRefused(() => mechanismModel(scale, { maxTimeStep: 0 }), "invalid-argument", /maxTimeStep/);
    expect(mechanism.bodyOf("plate")!.motion).toBe("kinematic");
  });
});
