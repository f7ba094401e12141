/** Bodies of the Newton solver that are attached to each other, and to local-global ones. */
import { describe, expect, it } from "vitest";
import {
  addAttachment,
  boxTetrahedra,
  type DeformableBody,
  ropeModel,
  solidModel,
  type SolverName,
  type World,
} from "../../../src/index";
import { expectWithin } from "../../figures";
import { inWorld, run } from "../worlds";
import { GRAVITY, massOf, momentumOf } from "./hanging";

const SIDE = 0.2;
const gravity = [0, -GRAVITY, 0] as const;

function bar(world: World, solver: SolverName, y: number, density: number): DeformableBody {
  const mesh = boxTetrahedra({ size: [SIDE, 2 * SIDE, SIDE], cells: [1, 3, 1], center: [0, y, 0] });
  const material = { youngsModulus: 1e6, poissonRatio: 0.3, density };
  return world.addBody(solidModel({ solver, ...mesh, material, elements: "linear" }), { damping: 1 });
}

const at = ({ model }: DeformableBody, y: number): number[] =>
  [...model.masses.keys()].filter((v) => Math.abs(model.positions[3 * v + 1] - y) < 1e-9);

const pairs: readonly (readonly [SolverName, SolverName])[] = [
  ["newton", "newton"],
  ["newton", "local-global"],
  ["local-global", "newton"],
];

describe.each(pairs)("a bar of %s on one of %s", (lower, upper) => {
  it.each([0.01, 1, 100])("hangs by its weight: %f times as heavy", (ratio) =>
    inWorld("cpu", { gravity }, async (world) => {
      const top = bar(world, upper, SIDE, 100);
      const low = bar(world, lower, -SIDE, 100 * ratio);
      top.pin(at(top, 2 * SIDE));
      const to = { body: top, vertices: at(top, 0) };
      const attachment = addAttachment(world, { body: low, vertices: at(low, 0), to, breakingForce: 1e9 });
      run(world, 150);
      const [x, y] = [await top.readPositions(), await low.readPositions()];
      const gap = at(low, 0).map((v, k) =>
        Math.hypot(...[0, 1, 2].map((c) => y[3 * v + c] - x[3 * to.vertices[k] + c])),
      );
      expectWithin("gap [m]", Math.max(...gap), 1e-6);
      const stretch = (2 * SIDE * GRAVITY * (massOf(low) + massOf(top) / 2)) / (1e6 * SIDE * SIDE);
      const mean = at(low, 0).reduce((sum, v) => sum + y[3 * v + 1] / 4, 0);
      expectWithin("height - expected [m]", Math.abs(mean + stretch), 0.004 + 0.1 * stretch);
      expect(attachment.force).toBeGreaterThan((massOf(low) * GRAVITY) / 5);
    }),
  );

  it("keeps momentum in flight, and continues from a snapshot with equal bits", () =>
    inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
      const bodies = [bar(world, upper, SIDE, 100), bar(world, lower, -SIDE, 300)];
      for (const body of bodies) body.setOptions({ damping: 0 });
      const [top, low] = bodies;
      addAttachment(world, { body: low, vertices: at(low, 0), to: { body: top, vertices: at(top, 0) } });
      low.writeState({
        positions: low.model.positions,
        velocities: low.model.positions.map((x, i) => 0.3 * Math.sin(i) + x),
      });
      const before = await momentumOf(bodies);
      run(world, 20);
      const snapshot = await world.snapshot();
      run(world, 20);
      const after = await momentumOf(bodies);
      const off = Math.hypot(...before.linear.map((value, k) => value - after.linear[k])) / before.size;
      expectWithin("linear momentum, off", off, 1e-9);
      const first = (await low.readState()).positions;
      world.restore(snapshot);
      run(world, 20);
      expect((await low.readState()).positions).toEqual(first);
    }));
});

describe("a rope of newton on a wall", () => {
  it.each([
    { size: 0.01, ratio: 10, dt: 1 / 60 },
    { size: 1, ratio: 0.1, dt: 1 / 60 },
    { size: 1, ratio: 10, dt: 1 / 240 },
    { size: 100, ratio: 10, dt: 1 / 60 },
  ])("does not come off it as it carries another: size $size, mass $ratio, step $dt", ({ size, ratio, dt }) =>
    inWorld("cpu", { gravity }, async (world) => {
      const shape = { type: "sphere", radius: 0.1 * size } as const;
      const rigid = world.addRigidBody({ motion: "static", shape, position: [0, 0.1 * size, 0] });
      const line = (from: number, to: number): number[] =>
        Array.from({ length: 6 }, (_, i) => [0, size * (from + ((to - from) * i) / 5), 0]).flat();
      const common = { radius: 0.01 * size, solver: "newton", youngsModulus: 1e8 * size } as const;
      const upper = world.addBody(ropeModel({ ...common, positions: line(0, -1), density: 1000 }));
      const lower = world.addBody(ropeModel({ ...common, positions: line(-1, -1.5), density: 2000 * ratio }));
      addAttachment(world, { body: upper, vertices: [0], to: { rigid } });
      addAttachment(world, { body: lower, vertices: [0], to: { body: upper, vertices: [5] } });
      await world.whenReadyAsync();
      for (let frame = 0; frame < 30; frame++) {
        world.step(dt);
        const [x, y] = [await upper.readPositions(), await lower.readPositions()];
        expectWithin("way from the wall over size", Math.hypot(x[0], x[1], x[2]) / size, 1e-6);
        const gap = Math.hypot(x[15] - y[0], x[16] - y[1], x[17] - y[2]);
        expectWithin("gap between ropes over size", gap / size, 1e-6);
      }
    }),
  );
});
