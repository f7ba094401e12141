import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PliantError } from "../../src/errors";
import {
  addCable,
  boxTetrahedra,
  clothModel,
  gridMesh,
  packSnapshot,
  ropeModel,
  type Snapshot,
  solidModel,
  type SolverName,
  unpackSnapshot,
  type World,
} from "../../src/index";
import { expectRefused } from "../refusal";
import { createWorld, inWorld, run } from "./worlds";

const solvers: readonly SolverName[] = ["gpbd", "local-global", "newton"];
const material = { youngsModulus: 2e4, poissonRatio: 0.35, density: 400, model: "stable-neo-hookean" } as const;

/** A sheet and a cube that touch, on a moving obstacle and on joined boxes; also a rope if the solver has ropes. */
function build(world: World, solver: SolverName): void {
  world.addRigidBody({ shape: { type: "box", halfExtents: [3, 0.5, 3] }, motion: "static", position: [0, -0.5, 0] });
  const [a, b] = [0, 1].map((k) =>
    world.addRigidBody({ shape: { type: "box", halfExtents: [0.2, 0.1, 0.2] }, mass: 2, position: [0.5 * k, 0.25, 0] }),
  );
  world.addJoint({ type: "ball", bodyA: a, bodyB: b, pivotA: [0.25, 0, 0] });
  const cube = boxTetrahedra({ size: [0.3, 0.3, 0.3], cells: [2, 2, 2], center: [0.05, 0.52, 0.02] });
  const soft = world.addBody(solidModel({ ...cube, material, solver }));
  const grid = gridMesh({ width: 0.6, height: 0.6, columns: 5, rows: 5, center: [0.02, 0.8, 0] });
  const sheet = world.addBody(clothModel({ ...grid, fabric: "denim", solver }));
  sheet.pin([0], solver === "gpbd" ? {} : { compliance: 1e-3 });
  if (solver === "local-global") addCable(world, { points: [[0, 1.2, 0.1], { body: soft, vertex: 20 }] });
  if (solver !== "local-global")
    world.addBody(ropeModel({ positions: [1, 1, 0, 1.2, 1, 0, 1.4, 1.1, 0], radius: 0.02, density: 500, solver }));
  if (solver !== "newton") addObstacle(world);
}

function addObstacle(world: World): void {
  const ball = world.addCollider({ type: "sphere", radius: 0.2 }, { position: [-0.3, 0.7, 0] });
  ball.setPose([-0.25, 0.72, 0.01]);
}

async function stateOf(world: World): Promise<unknown> {
  const bodies = await Promise.all(world.bodies.map((body) => body.readState()));
  return { bodies, rigid: world.rigid.snapshot(), time: world.time };
}

const ways: Readonly<Record<string, (snapshot: Snapshot) => Snapshot>> = {
  "as it is": (snapshot) => snapshot,
  "as a structured clone": (snapshot) => structuredClone(snapshot),
  "as bytes": (snapshot) => unpackSnapshot(packSnapshot(snapshot)),
  "as bytes in a part of others": (snapshot) => {
    const bytes = packSnapshot(snapshot);
    const odd = new Uint8Array(bytes.length + 3);
    odd.set(bytes, 3);
    return unpackSnapshot(odd.subarray(3));
  },
};

describe.each(solvers)("a snapshot of a world of %s", (solver) => {
  // the transport of the snapshot is independent of the solver
  const some = solver === "newton" ? Object.keys(ways) : ["as bytes"];

  it.each(some)("goes on in another world with the same bits: %s", async (way) => {
    await inWorld("cpu", {}, async (world) => {
      build(world, solver);
      run(world, 20);
      const snapshot = ways[way](await world.snapshot());
      run(world, 15);
      const other = await createWorld("cpu");
      build(other, solver);
      run(other, 3);
      other.restore(snapshot);
      run(other, 15);
      expect(await stateOf(other)).toEqual(await stateOf(world));
      other.dispose();
    });
  });

  it("knows obstacles by their own count, whenever bodies came to be obstacles", async () => {
    await inWorld("cpu", {}, async (world) => {
      build(world, solver);
      run(world, 3);
      const late = world.addCollider({ type: "sphere", radius: 0.1 }, { position: [2, 3, 0] });
      run(world, 3);
      const snapshot = await world.snapshot();
      const other = await createWorld("cpu");
      build(other, solver);
      const early = other.addCollider({ type: "sphere", radius: 0.1 }, { position: [-2, 3, 0] });
      run(other, 1);
      other.restore(snapshot);
      expect(early.id).toBe(late.id);
      run(world, 5);
      run(other, 5);
      expect(await stateOf(other)).toEqual(await stateOf(world));
      expect(early._save()).toEqual(late._save());
      other.dispose();
    });
  });

  it("is the same bytes for the same state, and nothing else is taken for it", async () => {
    await inWorld("cpu", {}, async (world) => {
      build(world, solver);
      run(world, 10);
      const bytes = packSnapshot(await world.snapshot());
      expect(packSnapshot(await world.snapshot())).toEqual(bytes);
      expect(packSnapshot(unpackSnapshot(bytes))).toEqual(bytes);
      const damaged = bytes.slice();
      damaged[20] = 0;
      for (const wrong of [new Uint8Array(4), new Uint8Array(64), bytes.slice(0, 40), bytes.slice(0, -64), damaged])
        expectRefused(() => unpackSnapshot(wrong), "invalid-argument", /unpackSnapshot: must be those of a snapshot/);
    });
  });

  it("is refused, if anything, where any of its bytes is another one", async () => {
    await inWorld("cpu", {}, async (world) => {
      build(world, solver);
      const bytes = packSnapshot(await world.snapshot());
      const change = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }));
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
          const damaged = bytes.slice();
          for (const [at, by] of changes) damaged[at] ^= by;
          try {
            unpackSnapshot(damaged);
          } catch (error) {
            expect(error).toBeInstanceOf(PliantError);
          }
        }),
      );
    });
  });

  it("changes nothing where a body of it is another one", async () => {
    await inWorld("cpu", {}, async (world) => {
      build(world, solver);
      run(world, 5);
      const snapshot = await world.snapshot();
      const other = await createWorld("cpu");
      build(other, solver);
      run(other, 2);
      const before = await stateOf(other);
      const [, sheet] = snapshot.bodies;
      const bodies = [snapshot.bodies[0], { ...sheet, positions: sheet.positions.slice(3) }];
      expectRefused(() => other.restore({ ...snapshot, bodies }), "invalid-argument", /positions: must be \d+ numbers/);
      expect(await stateOf(other)).toEqual(before);
      other.dispose();
    });
  });
});
