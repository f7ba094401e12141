import { describe, expect, it } from "vitest";
import { clothOnSphere } from "../../samples/scenes/cloth-on-sphere";
import { resolveParameters } from "../../samples/parameters";
import { addCable, boxTetrahedra, type DeformableBody, gridMesh, solidModel, type Vec3 } from "../../src/index";
import { localGlobalGroup } from "../../src/world/lanes/local-global-cpu";
import { localGlobalSheet } from "../../src/models/local-global/local-global-cloth";
import type { World } from "../../src/world/world";
import { gridCloth, verticesWhere } from "./cloths";
import { backends, createWorld, frameTime, inWorld, run } from "./worlds";

const upright = gridCloth({ width: 0.6, height: 0.4, columns: 7, rows: 5, plane: "xy" });
const mast = verticesWhere(upright.positions, (x) => x < -0.29);

/** The wind and a fall of 24 frames give less [m/s]. */
const FASTEST = 15;

async function build(world: World): Promise<void> {
  await clothOnSphere.build(world, resolveParameters(clothOnSphere, { resolution: 9, substeps: 5 }));
  world.addBody(upright, { pins: mast, substeps: 5, wind: [3, 0, 5], name: "flag" });
}

describe.each(backends)("snapshots on %s", (backend) => {
  it("put a world back, and it goes on exactly as it did", async () => {
    await inWorld(backend, {}, async (world) => {
      await build(world);
      run(world, 12);
      const snapshot = await world.snapshot();
      expect([snapshot.frame, snapshot.time]).toEqual([12, world.time]);
      run(world, 12);
      const first = await Promise.all(world.bodies.map((body) => body.readState()));
      world.restore(snapshot);
      expect([world.frame, world.time]).toEqual([12, snapshot.time]);
      const restored = await Promise.all(world.bodies.map((body) => body.readState()));
      restored.forEach((state, i) => expect(snapshot.bodies[i]).toMatchObject(state));
      run(world, 12);
      const second = await Promise.all(world.bodies.map((body) => body.readState()));
      expect(second).toEqual(first);
      // a flag that blew up would reproduce the same bits as well
      for (const { velocities } of first) for (const speed of velocities) expect(Math.abs(speed)).toBeLessThan(FASTEST);
    });
  });

  it("do not change when the world goes on", async () => {
    await inWorld(backend, {}, async (world) => {
      world.addBody(upright, { substeps: 2 });
      const snapshot = await world.snapshot();
      const before = Array.from(snapshot.bodies[0].positions);
      run(world, 5);
      expect(Array.from(snapshot.bodies[0].positions)).toEqual(before);
    });
  });

  it("leave bodies alone that came later, and those that are gone", async () => {
    await inWorld(backend, {}, async (world) => {
      const gone = world.addBody(upright, { substeps: 2 });
      const kept = world.addBody(upright, { substeps: 2 });
      const snapshot = await world.snapshot();
      run(world, 4);
      const late = world.addBody(upright, { substeps: 2 });
      run(world, 4);
      gone.dispose();
      const before = await late.readPositions();
      world.restore(snapshot);
      expect(await late.readPositions()).toEqual(before);
      expect(await kept.readPositions()).toEqual(Float32Array.from(upright.positions));
      expect(world.bodies).toEqual([kept, late]);
    });
  });
});

describe("local-global bodies on cpu", () => {
  /** A soft block on the ground with a rigid box on it, one that hangs on a cable, and a pinned sheet on a ball. */
  function buildSoft(world: World): void {
    world.addRigidBody({ shape: { type: "box", halfExtents: [5, 0.5, 5] }, motion: "static", position: [0, -0.5, 0] });
    world.addRigidBody({
      shape: { type: "box", halfExtents: [0.09, 0.05, 0.08] },
      mass: 2,
      position: [0.01, 0.262, 0],
    });
    world.addCollider({ type: "sphere", radius: 0.2, center: [1, 0.2, 0] });
    const material = { youngsModulus: 5e4, poissonRatio: 0.4, density: 1000 };
    const block = (center: Vec3): DeformableBody =>
      world.addBody(
        solidModel({
          solver: "local-global",
          ...boxTetrahedra({ size: [0.2, 0.2, 0.2], cells: [1, 1, 1], center }),
          material,
        }),
        { damping: 1 },
      );
    block([0, 0.103, 0]);
    const hung = block([0.02, 0.52, 0.01]);
    hung.pin([0], { compliance: 1e-3 });
    addCable(world, { points: [[0, 1.2, 0], { body: hung, vertex: 7 }] });
    const mesh = gridMesh({ width: 0.5, height: 0.5, columns: 3, rows: 3, center: [1, 0.405, 0] });
    const sheet = world.addBody(localGlobalSheet({ ...mesh, thickness: 0.002, material }), { selfCollision: true });
    sheet.pin([0]);
    sheet.setPinTarget(0, 0.7, 0.37, -0.24);
  }

  async function stateOf(world: World): Promise<unknown> {
    const soft = await Promise.all(world.bodies.map((body) => body.readState()));
    return { soft, rigid: world.rigid.snapshot(), residuals: { ...localGlobalGroup(world).residuals } };
  }

  it("go on from a snapshot with the same bits, together with the rigid bodies that they touch", async () => {
    await inWorld("cpu", {}, async (world) => {
      buildSoft(world);
      run(world, 7);
      const snapshot = await world.snapshot();
      run(world, 6);
      const onwards = await stateOf(world);
      expect(localGlobalGroup(world).residuals.contacts).toBeGreaterThan(8);
      world.restore(snapshot);
      run(world, 6);
      expect(await stateOf(world)).toEqual(onwards);
      // a single frame is not mistaken for one that was stepped already
      const ends: unknown[] = [];
      for (let k = 0; k < 2; k++) {
        world.restore(snapshot);
        const before = await stateOf(world);
        run(world, 1);
        ends.push(await stateOf(world));
        expect(ends[k]).not.toEqual(before);
      }
      expect(ends[1]).toEqual(ends[0]);
    });
  });
});

describe("automatic snapshots on webgpu", () => {
  it("are taken in the interval that was asked for", async () => {
    const world = await createWorld("webgpu", { snapshotInterval: 0.1 });
    world.addBody(upright, { pins: mast, substeps: 2 });
    expect(world.lastSnapshot).toBeUndefined();
    for (let frame = 1; frame <= 15; frame++) {
      world.step(frameTime);
      await world.settled();
      const due = 6 * Math.floor(frame / 6);
      await expect.poll(() => world.lastSnapshot?.frame ?? 0, { interval: 5, timeout: 20_000 }).toBe(due);
    }
    expect(world.lastSnapshot!.time).toBeCloseTo(0.2, 9);
    expect(world.lastSnapshot!.bodies[0].positions).not.toEqual(Float32Array.from(upright.positions));
    world.dispose();
  });

  it("are not taken with an interval of 0", async () => {
    const world = await createWorld("webgpu", { snapshotInterval: 0 });
    world.addBody(upright, { pins: mast, substeps: 1 });
    world.bodies[0].conservativeBounds();
    run(world, 100);
    await world.settled();
    expect(world.lastSnapshot).toBeUndefined();
    world.dispose();
  });
});

describe("cloth among moving rigid bodies", () => {
  const model = gridCloth({ width: 0.8, height: 0.8, columns: 13, rows: 13, center: [0, 0.45, 0] });
  function fill(world: World): { places(): Promise<number[]> } {
    const ground = { type: "box", halfExtents: [3, 1, 3] } as const;
    world.addRigidBody({ motion: "static", shape: ground, position: [0, -1, 0] });
    const boxes = [-0.1, 0.15].map((x, k) =>
      world.addRigidBody({
        shape: { type: "box", halfExtents: [0.08, 0.08, 0.08] },
        mass: 0.3,
        position: [x, 0.1 + 0.5 * k, 0.02],
        linearVelocity: [0.3, -k, 0.1],
      }),
    );
    const body = world.addBody(model);
    return {
      async places() {
        const { positions, velocities } = await body.readState();
        return [
          ...positions,
          ...velocities,
          ...boxes.flatMap(({ position, linearVelocity }) => [...position, ...linearVelocity]),
        ];
      },
    };
  }

  it.each(["cpu", "reference"] as const)(
    "goes on with the same bits on %s, in this world and in a new one",
    (backend) =>
      inWorld(backend, {}, (first) =>
        inWorld(backend, {}, async (second) => {
          const [a, b] = [fill(first), fill(second)];
          run(first, 16);
          const snapshot = structuredClone(await first.snapshot());
          run(first, 8);
          const wanted = await a.places();
          second.restore(snapshot);
          run(second, 8);
          expect(await b.places()).toEqual(wanted);
          first.restore(snapshot);
          run(first, 8);
          expect(await a.places()).toEqual(wanted);
        }),
      ),
  );
});
