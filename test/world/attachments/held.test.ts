/** Vertices that are attached to each other, and pinned on one side or on both. */
import { describe, expect, it } from "vitest";
import {
  addAttachment,
  boxTetrahedra,
  clothModel,
  type DeformableBody,
  gridMesh,
  ropeModel,
  solidModel,
  type SolverName,
  type World,
} from "../../../src/index";
import { RandomGeometry } from "../../collision/random";
import { inWorld, run } from "../worlds";

const kinds = [
  ["rope", "gpbd"],
  ["cloth", "gpbd"],
  ["solid", "gpbd"],
  ["rope", "newton"],
  ["cloth", "newton"],
  ["solid", "newton"],
  ["cloth", "local-global"],
  ["solid", "local-global"],
] as const;

function add(world: World, [thing, solver]: readonly [string, SolverName], x: number, pins: number[]): DeformableBody {
  const model = (): Parameters<World["addBody"]>[0] => {
    if (thing === "cloth")
      return clothModel({ ...gridMesh({ width: 0.8, height: 0.8, columns: 4, rows: 4, center: [x, 1, 0] }), solver });
    const material = { youngsModulus: 1e5, poissonRatio: 0.3, density: 500 };
    if (thing === "solid")
      return solidModel({
        ...boxTetrahedra({ size: [0.4, 0.4, 0.4], cells: [2, 2, 2], center: [x, 1, 0] }),
        solver,
        material,
      });
    const positions = Array.from({ length: 5 }, (_, i) => [x + 0.2 * i, 1, 0]).flat();
    return ropeModel({ positions, radius: 0.01, density: 800, solver: solver as "gpbd" | "newton" });
  };
  return world.addBody(model(), { pins });
}

/** Far below the speeds of an explosion, though light ropes that are pulled straight are fast. */
async function expectSlow(bodies: readonly DeformableBody[], seconds: number): Promise<void> {
  for (const body of bodies)
    for (const speed of (await body.readState()).velocities)
      expect(Math.abs(speed)).toBeLessThan(30 + 2 * 9.81 * seconds);
}

const random = new RandomGeometry(17);
const pairs = kinds.flatMap((a) => kinds.map((b) => [a, b] as const)).filter(() => random.between(0, 1) < 0.35);

describe("vertices that are attached and pinned stay slow", () => {
  it.each(pairs)("%s to %s", async (a, b) => {
    for (const [pinsOfA, pinsOfB] of [
      [
        [0, 1],
        [0, 1],
      ],
      [[0], []],
      [[], [1]],
    ])
      await inWorld("cpu", { gravity: [0, -9.81, 0] }, async (world) => {
        const [one, other] = [add(world, a, 0, pinsOfA), add(world, b, 1, pinsOfB)];
        addAttachment(world, { body: one, vertices: [0, 1], to: { body: other, vertices: [0, 1] } });
        run(world, 8);
        await world.settled();
        await expectSlow([one, other], 8 / 60);
      });
  });

  it.each(kinds)("a %s of %s to a body that stands", (...kind) =>
    inWorld("cpu", { gravity: [0, -9.81, 0] }, async (world) => {
      const body = add(world, kind, 0, [0]);
      const post = world.addRigidBody({
        motion: "static",
        shape: { type: "sphere", radius: 0.05 },
        position: [2, 2, 0],
      });
      addAttachment(world, { body, vertices: [0], to: { rigid: post, points: [[0, 0, 0]] } });
      run(world, 8);
      await world.settled();
      await expectSlow([body], 8 / 60);
    }),
  );

  it("are attached as soon as one side is free", () =>
    inWorld("cpu", { gravity: [0, -9.81, 0] }, async (world) => {
      const [one, other] = [add(world, ["cloth", "newton"], 0, [0]), add(world, ["rope", "gpbd"], -0.4, [0])];
      const place = (body: DeformableBody): Promise<number[]> =>
        body.readPositions().then((x) => [...x.subarray(0, 3)]);
      addAttachment(world, { body: one, vertices: [0], to: { body: other, vertices: [0] } });
      run(world, 5);
      expect(await place(one)).not.toEqual(await place(other));
      other.unpin([0]);
      run(world, 90);
      const [x, y] = [await place(one), await place(other)];
      x.forEach((value, c) => expect(value).toBeCloseTo(y[c], 3));
    }));

  it("stay attached to a rigid body while all pins are let go", () =>
    inWorld("cpu", { gravity: [0, -9.81, 0] }, async (world) => {
      const body = add(world, ["rope", "gpbd"], 0, [4]);
      const post = world.addRigidBody({
        motion: "static",
        shape: { type: "sphere", radius: 0.05 },
        position: [0, 1, 0],
      });
      addAttachment(world, { body, vertices: [0], to: { rigid: post } });
      run(world, 2);
      body.unpin();
      run(world, 30);
      const x = await body.readPositions();
      expect([x[0], x[1], x[2]]).toEqual([0, 1, 0]);
      expect(x[13]).toBeLessThan(0.9);
    }));
});
