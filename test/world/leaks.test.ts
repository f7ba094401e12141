import { afterAll, describe, expect, it } from "vitest";
import { random } from "../../samples/rigid";
import type { ColliderShape, World } from "../../src/index";
import { lockedAxes } from "../../src/world/rigid/rigid-joint";
import type { JointOptions } from "../../src/world/rigid/rigid-joint";
import { ballMesh } from "../collision/samples";
import { countObjects } from "../gpu/counting";
import { leftBehind } from "../heap";
import { gridCloth } from "./cloths";
import { createWorld, sharedDevice } from "./worlds";

const next = random(3);
const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)];

const shapes: readonly (() => ColliderShape)[] = [
  () => ({ type: "sphere", radius: 0.2 + 0.1 * next() }),
  () => ({ type: "box", halfExtents: [0.2, 0.1 + 0.1 * next(), 0.2] }),
  () => ({ type: "capsule", pointA: [0, -0.2, 0], pointB: [0, 0.2, 0], radius: 0.1 }),
  () => ({ type: "convex-hull", positions: [0, 0, 0, 0.3, 0, 0, 0, 0.3, 0, 0, 0, 0.3 + 0.1 * next()] }),
  () => ({
    type: "container",
    children: [0, 1].map((k) => ({ shape: { type: "sphere", radius: 0.1 }, position: [0.2 * k, 0, 0] as const })),
  }),
];
const jointTypes = Object.keys(lockedAxes) as JointOptions["type"][];

/** Bodies, joints and colliders are made, take a step or two, and are removed in any order. */
function comeAndGo(world: World): object[] {
  const bodies = Array.from({ length: 2 + Math.floor(3 * next()) }, (_, k) =>
    world.addRigidBody({
      shape: pick(shapes)(),
      position: [0.3 * k, 0.2 + 0.2 * next(), 0],
      motion: next() < 0.2 ? "kinematic" : "dynamic",
    }),
  );
  const joints = Array.from({ length: 2 }, (_, k) =>
    world.addJoint({ type: pick(jointTypes), bodyA: bodies[k], bodyB: bodies[(k + 1) % bodies.length] }),
  );
  const obstacle = world.addCollider(pick(shapes)(), { position: [0, 5, 0] });
  const handles: { dispose(): void }[] = [...bodies, ...joints, obstacle];
  for (let left = handles.length; left > 0; left--) {
    const at = Math.floor(next() * left);
    if (next() < 0.2) world.step(1 / 60);
    handles.splice(at, 1)[0].dispose();
  }
  return [...bodies, ...joints, obstacle, ...bodies.map(({ shape }) => shape!), ...joints.map(({ data }) => data)];
}

function expectOnlyFloor(world: World): void {
  const { rigid, colliders, bodies } = world;
  expect([bodies, colliders, rigid.joints].map((list) => list.length)).toEqual([0, 0, 0]);
  expect(rigid.bodies.map(({ name }) => name)).toEqual(["floor"]);
}

describe("coming and going again and again", () => {
  it.each([
    ["of rigid bodies, joints and colliders", false],
    ["of the same beside a cloth", true],
  ])("%s leaves nothing behind", async (_what, hasCloth) => {
    const world = await createWorld("cpu");
    const floor = { shape: { type: "box", halfExtents: [5, 1, 5] }, position: [0, -1, 0] } as const;
    world.addRigidBody({ name: "floor", motion: "static", ...floor });
    const sheet = gridCloth({ width: 0.5, height: 0.5, columns: 4, rows: 4 });
    const left = await leftBehind(hasCloth ? 60 : 900, () => {
      const cloth = hasCloth ? world.addBody(sheet, { substeps: 1 }) : undefined;
      const made = comeAndGo(world);
      cloth?.dispose();
      return cloth ? [...made, cloth] : made;
    });
    world.step(1 / 60);
    expectOnlyFloor(world);
    expect(left.objects).toBeLessThan(40);
    expect(left.bytes).toBeLessThan(hasCloth ? 20_000 : 2500);
    world.dispose();
  });

  it("leaves as many GPU buffers as there were, 300 times", async () => {
    const device = await sharedDevice();
    const { alive } = countObjects(device);
    const world = await createWorld("webgpu", { device });
    world.addRigidBody({
      name: "floor",
      motion: "static",
      shape: { type: "box", halfExtents: [5, 1, 5] },
      position: [0, -1, 0],
    });
    const sheet = gridCloth({ width: 0.5, height: 0.5, columns: 4, rows: 4 });
    const mesh: ColliderShape = { type: "mesh", ...ballMesh(0.3, 1) };
    const cycle = async (k: number): Promise<void> => {
      const cloth = k % 50 === 0 ? world.addBody(sheet, { substeps: 1 }) : undefined;
      const collider = world.addCollider(k % 100 === 1 ? mesh : pick(shapes)(), { position: [0, 3, 0] });
      const body = world.addRigidBody({ shape: pick(shapes)(), position: [0, 1, 0] });
      const list = k % 100 === 0 ? [cloth, collider, body] : [body, collider, cloth];
      for (const handle of list.splice(0, k % 3)) handle?.dispose();
      // Kernels are compiled for the present kinds of obstacles: here the floor alone.
      if (k % 100 === 50) {
        for (const handle of [collider, body]) handle.dispose();
        world.step(1 / 60);
        await world.settled();
      }
      for (const handle of list) handle?.dispose();
    };
    for (let k = 0; k < 100; k++) await cycle(k);
    world.step(1 / 60);
    await world.settled();
    const before = alive().sort();
    for (let k = 100; k < 300; k++) await cycle(k);
    world.step(1 / 60);
    await world.settled();
    expect(alive().sort()).toEqual(before);
    expectOnlyFloor(world);
    world.dispose();
    expect(alive()).toEqual([]);
  });
});

afterAll(async () => (await sharedDevice()).destroy());
