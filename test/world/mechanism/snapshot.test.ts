import { expect, it } from "vitest";
import { boxTetrahedra, mechanismModel, packSnapshot, solidModel, unpackSnapshot, World } from "../../../src/index";
import { gripper } from "../../../samples/mechanisms/gripper";

async function handWith(solver: "gpbd" | "local-global" | "newton" | undefined): Promise<World> {
  const world = await World.create({ backend: "cpu" });
  world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [1, 0.5, 1] }, position: [0, -0.5, 0] });
  const mesh = boxTetrahedra({ size: [0.06, 0.06, 0.06], cells: [2, 2, 2], center: [0, 0.035, 0] });
  const material = { model: "corotational", youngsModulus: 1e5, poissonRatio: 0.3, density: 300 } as const;
  if (solver) world.addBody(solidModel({ ...mesh, solver, material }));
  else
    world.addRigidBody({ shape: { type: "box", halfExtents: [0.03, 0.03, 0.03] }, position: [0, 0.03, 0], mass: 0.2 });
  const hand = world.addMechanism(mechanismModel(gripper(0.4, 0.08)));
  hand.simulation.q[1] = 0.06;
  hand.place();
  hand.simulation.control.set([0, 2 * 9.81, 8, 8]);
  return world;
}

it.each([undefined, "gpbd", "local-global", "newton"] as const)(
  "a hand goes on from a snapshot in another world with the same bits, holding a cube by %s",
  async (solver) => {
    const [one, other] = await Promise.all([handWith(solver), handWith(solver)]);
    for (let frame = 0; frame < 15; frame++) one.step(1 / 60);
    for (let frame = 0; frame < 3; frame++) other.step(1 / 60);
    other.restore(unpackSnapshot(packSnapshot(await one.snapshot())));
    for (let frame = 0; frame < 10; frame++) for (const world of [one, other]) world.step(1 / 60);
    const [mine, theirs] = [one, other].map(({ mechanisms: [{ simulation }] }) => [...simulation.q, ...simulation.qd]);
    expect(theirs).toEqual(mine);
    expect([...other.rigid.poses]).toEqual([...one.rigid.poses]);
    expect(() => other.restore({ time: 0, frame: 0, bodies: [], mechanisms: [] })).toThrow("mechanisms");
    for (const world of [one, other]) world.dispose();
  },
);
