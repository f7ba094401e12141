import { expect, it } from "vitest";
import { gripper } from "../../../samples/mechanisms/gripper";
import { mechanismModel, World } from "../../../src/index";
import { expectWithin } from "../../figures";

const FORCE = 16;
const MASS = 0.2;

it("coupled fingers of which one is driven grip a box with equal forces", async () => {
  const world = await World.create({ backend: "cpu" });
  world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [1, 0.5, 1] }, position: [0, -0.5, 0] });
  // off the middle: the first finger pushes it until the other one is there
  const box = world.addRigidBody({
    shape: { type: "box", halfExtents: [0.03, 0.03, 0.03] },
    position: [0.004, 0.03, 0],
    mass: MASS,
  });
  const couplings = [{ joint: "right", driver: "left", coefficients: [0, 1] }];
  const hand = world.addMechanism(mechanismModel({ ...gripper(0.4, 0.08), couplings }));
  const { simulation } = hand;
  simulation.q[1] = 0.03;
  hand.place();
  // The hand is held up by a drive of its own weight.
  simulation.control.set([0, 1.8 * 9.81, FORCE, 0]);
  for (let frame = 0; frame < 60; frame++) {
    simulation.control[1] = 1.8 * 9.81 + 200 * (0.03 - simulation.q[1]) - 30 * simulation.qd[1];
    simulation.control[0] = -200 * simulation.q[0] - 30 * simulation.qd[0];
    world.step(1 / 60);
  }
  expectWithin("error of the coupling [m]", Math.abs(simulation.q[3] - simulation.q[2]), 1e-6);
  const [left, right] = ["left", "right"].map((name) => Math.abs(hand.contactForceOf(name)[0]));
  // 16 N move two fingers: 8 N each.
  expectWithin("error of the left force", Math.abs(left / (FORCE / 2) - 1), 0.02);
  expectWithin("error of the right force", Math.abs(right / (FORCE / 2) - 1), 0.02);
  expect(Math.abs(box.position[0])).toBeLessThan(1e-3);
  world.dispose();
});

it.each([
  ["holds a box", 0.3, 8, 0],
  ["gives way under a box, by its weight beyond the friction", 1.5, 8, (1.5 * 9.81 - 8) / 2.5],
])("dry friction of a slide %s", async (_, mass, frictionLoss, acceleration) => {
  const world = await World.create({ backend: "cpu" });
  const shape = { type: "box", halfExtents: [0.1, 0.01, 0.1] } as const;
  const table = world.addMechanism(
    mechanismModel({
      name: "table",
      links: [
        {
          name: "plate",
          mass: 1,
          gravityCompensation: 1,
          joint: { type: "prismatic", axis: [0, 1, 0], frictionLoss },
          shapes: [{ shape }],
        },
      ],
    }),
  );
  const box = world.addRigidBody({
    shape: { ...shape, halfExtents: [0.03, 0.03, 0.03] },
    position: [0, 0.04, 0],
    mass,
  });
  const time = 0.4;
  for (let frame = 0; frame < 60 * time; frame++) world.step(1 / 60);
  const fall = (acceleration * time ** 2) / 2;
  expectWithin("way of the plate beyond the expected [m]", Math.abs(table.simulation.q[0] + fall), 1e-6 + 0.05 * fall);
  expectWithin(
    "way of the box beyond that of the plate [m]",
    Math.abs(box.position[1] - 0.04 - table.simulation.q[0]),
    1e-3,
  );
  world.dispose();
});

it.each([0.1, 1, 10])(
  "dry friction of a slide lets go of a box with the plate below it, in a size of %d",
  async (size) => {
    const world = await World.create({ backend: "cpu" });
    const [mass, force, frictionLoss] = [size ** 3, 4 * size ** 3, 2 * size ** 3];
    const half = { type: "box", halfExtents: [0.3 * size, 0.01 * size, 0.1 * size] } as const;
    const joint = { type: "prismatic", axis: [1, 0, 0], frictionLoss, lower: 0, upper: 1 } as const;
    const sledge = world.addMechanism(
      mechanismModel({
        name: "sledge",
        links: [{ name: "plate", mass, joint, shapes: [{ shape: half, friction: 0.8 }] }],
      }),
    );
    const side = 0.05 * size;
    const box = world.addRigidBody({
      shape: { type: "box", halfExtents: [side, side, side] },
      position: [0, side + 0.01 * size, 0],
      mass,
      friction: 0.8,
    });
    const [rest, time] = [10, 30];
    for (let frame = 0; frame < rest + time; frame++) {
      if (frame >= rest) box.applyForce([force, 0, 0]);
      world.step(1 / 60);
    }
    const way = (((force - frictionLoss) / (2 * mass)) * (time / 60) ** 2) / 2;
    const { q } = sledge.simulation;
    expectWithin("way of the plate beyond the expected, of it", Math.abs(q[0] / way - 1), 0.04);
    expectWithin("way of the box on the plate, of its size", Math.abs(box.position[0] - q[0]) / side, 1e-6);
    world.dispose();
  },
);
