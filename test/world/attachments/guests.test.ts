/** Bodies of the Newton solver that are attached to each other, and to local-global ones. */
import { describe, expect, it } from "vitest";
import {
  addAttachment,
  boxTetrahedra,
  type DeformableBody,
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
