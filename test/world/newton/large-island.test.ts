import { describe, expect, it } from "vitest";
import { type RigidBody, World } from "../../../src/index";
import type { NewtonOptions } from "../../../src/solvers/newton/options";
import { addFloor, ballAt, contactForces, frameTime, gravity, massOf } from "./worlds";

/** A soft ball on stacks of two boxes, and a joint in every other stack. */
async function ballOnBoxes(stacks: number, mass: number, options?: Partial<NewtonOptions>) {
  const world = await World.create({ backend: "cpu" });
  if (options) world.rigid.configure(options);
  addFloor(world);
  const side = Math.round(Math.sqrt(stacks));
  const shape = { type: "box", halfExtents: [0.02, 0.02, 0.02] } as const;
  const boxes: RigidBody[] = [];
  for (let k = 0; k < stacks; k++) {
    const [x, z] = [k % side, Math.floor(k / side)].map((i) => 0.042 * (i - (side - 1) / 2));
    const [lower, upper] = [0.02, 0.06].map((y) => world.addRigidBody({ shape, mass, position: [x, y, z] }));
    boxes.push(lower, upper);
    if (k % 2 === 0)
      world.addJoint({ type: "hinge", bodyA: lower, bodyB: upper, pivotA: [0, 0.02, 0], pivotB: [0, -0.02, 0] });
  }
  const ball = world.addBody(ballAt([0, 0.182, 0]));
  return { world, ball, boxes };
}

describe("a soft ball among many rigid bodies", () => {
  it.each([
    ["with the matrix written out", { linearMethod: "direct" }, 0.01, 1e-5, 12],
    ["with the matrix written out", { linearMethod: "direct" }, 0.1, 1e-5, 12],
    ["with the matrix written out", { linearMethod: "direct" }, 5, 1e-5, 12],
    // After 9 frames light boxes lose touch, at a moment that the residual of a small island (1e-4 m/s) decides.
    ["in a small island", { directLimit: 5000 }, 0.1, 1e-4, 9],
    ["in a small island", { directLimit: 5000 }, 5, 1e-4, 12],
  ] as const)("moves as %s, by %o, boxes of %f kg", async (_, options, mass, bound, frames) => {
    const places = await Promise.all(
      [{ directLimit: 0 }, { directLimit: 0, ...options }].map(async (each) => {
        const { world, ball } = await ballOnBoxes(4, mass, each);
        for (let frame = 0; frame < frames; frame++) world.step(frameTime);
        const { positions } = await ball.readState();
        const all = [...positions, ...world.rigid.poses.subarray(0, 7 * world.rigid.bodies.length)];
        world.dispose();
        return all;
      }),
    );
    const worst = Math.max(...places[0].map((value, i) => Math.abs(value - places[1][i])));
    expect(worst).toBeLessThan(bound);
  });

  it("lies on 18 boxes, and they bear its weight", async () => {
    const { world, ball, boxes } = await ballOnBoxes(9, 0.1);
    const before = boxes.map(({ position }) => position[1]);
    for (let frame = 0; frame < 50; frame++) world.step(frameTime);
    const forces = [...contactForces(world).values()];
    const up = forces.reduce((sum, force) => sum + force[1], 0);
    expect(up / (massOf(ball) * gravity)).toBeCloseTo(1, 1);
    boxes.forEach(({ position }, k) => expect(Math.abs(position[1] - before[k])).toBeLessThan(1e-3));
    const { positions } = await ball.readState();
    const heights = positions.filter((_: number, i: number) => i % 3 === 1) as Float64Array;
    expect(Math.min(...heights)).toBeGreaterThan(0.078);
    world.dispose();
  });
});
