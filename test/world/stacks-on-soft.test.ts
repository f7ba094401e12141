/** Rigid bodies that lie on one another, and on a body of GPBD. */
import { describe, expect, it } from "vitest";
import {
  boxTetrahedra,
  clothModel,
  type DeformableBody,
  gridMesh,
  type RigidBody,
  solidModel,
  type World,
} from "../../src/index";
import { expectWithin } from "../figures";
import { mulberry } from "../../samples/random";
import { inWorld, run } from "./worlds";

const gravity = [0, -9.81, 0] as const;

/** A square of denim that its rim holds. */
function trampoline(world: World): void {
  const model = clothModel({
    ...gridMesh({ width: 1, height: 1, columns: 12, rows: 12, plane: "xz" }),
    fabric: "denim",
  });
  const body = world.addBody(model);
  const { positions: x } = model;
  body.pin([...model.masses.keys()].filter((v) => Math.max(Math.abs(x[3 * v]), Math.abs(x[3 * v + 2])) > 0.499));
}

/** A soft block on the ground. */
function cushion(world: World): void {
  const mesh = boxTetrahedra({ size: [0.5, 0.3, 0.5], cells: [5, 3, 5], center: [0, -0.155, 0] });
  world.addBody(solidModel({ ...mesh, material: { youngsModulus: 1e6, poissonRatio: 0.3, density: 500 } }));
  world.addCollider({ type: "box", halfExtents: [5, 0.5, 5] }, { position: [0, -0.81, 0] });
}

/** A stack from a height of 1 cm on, from the lowest box to the highest; half extents across it are of 15 to 10 cm. */
function stack(world: World, masses: readonly number[], halfHeight = 0.05): readonly RigidBody[] {
  return masses.map((mass, k) => {
    const half = 0.15 - (0.05 * k) / masses.length;
    return world.addRigidBody({
      shape: { type: "box", halfExtents: [half, halfHeight, half] },
      mass,
      position: [0, 0.01 + (2 * k + 1) * halfHeight, 0],
      friction: 0.8,
    });
  });
}

/** Depth of the deepest contact of neighbors [m], and their greatest speed in the last frame [m/s]. */
function figures(boxes: readonly RigidBody[], halfHeight = 0.05): { depth: number; speed: number } {
  const ways = boxes.slice(1).map((box, k) => box.position[1] - boxes[k].position[1] - 2 * halfHeight);
  return { depth: -Math.min(...ways), speed: Math.max(...boxes.map((box) => Math.hypot(...box.linearVelocity))) };
}

describe.each([
  ["trampoline", trampoline, "cpu"],
  ["cushion", cushion, "cpu"],
  ["cushion", cushion, "webgpu"],
] as const)("a stack on a %s", (_, make, backend) => {
  const stacks: [string, number[]][] = [
    ["ten times as heavy below", [5, 0.5]],
    ["of random boxes", Array.from({ length: 4 }, mulberry(7)).map((x) => 0.5 * 10 ** x)],
  ];
  // The first push of a GPU, before the CPU takes over, moves a light box aside.
  if (backend === "cpu") stacks.push(["ten times as heavy above", [0.5, 5]]);
  it.each(stacks)(`%s does not fall apart on ${backend}`, (__, masses) =>
    inWorld(backend, { gravity }, async (world) => {
      make(world);
      const boxes = stack(world, masses);
      let [fastest, deepest] = [0, 0];
      for (let frame = 0; frame < 60; frame++) {
        await world.whenReadyAsync();
        run(world, 1);
        await world.settled();
        const { depth, speed } = figures(boxes);
        fastest = Math.max(fastest, speed);
        deepest = Math.max(deepest, depth);
      }
      // Denim gives way by a tenth of a meter and more, and throws back.
      expectWithin("speed [m/s]", fastest, 2);
      expectWithin("depth [m]", deepest, 0.015);
      for (const [k, box] of boxes.entries())
        expect(Math.hypot(box.position[0], box.position[2]), `box ${k}`).toBeLessThan(0.05);
    }),
  );
});

// Each solid gave the box between them a whole frame of pushes before the other one: it sank by a quarter of its size. Those of other solvers
// fell through it, and boxes lighter than a twentieth of the solids were thrown.
it.each([
  ["cpu", "gpbd", "a quarter", 1 / 4, 0.2],
  ["cpu", "gpbd", "a sixteenth", 1 / 16, 2],
  ["cpu", "gpbd", "a four hundredth", 1 / 400, 0.2],
  ["webgpu", "gpbd", "an eightieth", 1 / 80, 0.2],
  ["cpu", "local-global", "a quarter", 1 / 4, 0.2],
  ["cpu", "local-global", "an eightieth", 1 / 80, 0.2],
  ["cpu", "newton", "a quarter", 1 / 4, 2],
  ["cpu", "newton", "an eightieth", 1 / 80, 0.2],
] as const)(
  "on %s between a gpbd solid and one of %s a box of %s of their mass stays",
  (backend, solver, _, ratio, side) =>
    inWorld(backend, { gravity }, async (world) => {
      const half = side / 2;
      world.addCollider({ type: "box", halfExtents: [5, half, 5] }, { position: [0, -half, 0] });
      const material = { youngsModulus: 5e5 * side, poissonRatio: 0.4, density: 1000 };
      const [low, high] = [half, 5 * half].map((y, k) => {
        const mesh = boxTetrahedra({ size: [side, side, side], cells: [3, 3, 3], center: [0, 1.01 * y, 0] });
        return world.addBody(solidModel({ ...mesh, material, solver: k === 0 ? "gpbd" : solver }));
      });
      const mass = ratio * 1000 * side ** 3;
      const shape = { type: "box", halfExtents: [half, half, half] } as const;
      const box = world.addRigidBody({ shape, mass, position: [0, 3.03 * half, 0] });
      for (let frame = 0; frame < 40; frame++) {
        await world.whenReadyAsync();
        run(world, 1);
      }
      const heights = [await meanHeight(low), box.position[1], await meanHeight(high)];
      heights.forEach((height, k) => expectWithin(`place of body ${k}`, Math.abs(height / side - 0.5 - k), 0.05));
      expectWithin("way across", Math.hypot(box.position[0], box.position[2]) / side, 0.05);
    }),
);

async function meanHeight(body: DeformableBody): Promise<number> {
  const x = await body.readPositions();
  return (3 * x.reduce((sum, value, i) => sum + (i % 3 === 1 ? value : 0), 0)) / x.length;
}
