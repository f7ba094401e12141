/** Bodies that hang on a node or a body that is put elsewhere go along, or come slowly. */
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, expect, it } from "vitest";
import { RopeAggregate } from "../../plugin/index";
import { expectWithin } from "../figures";
import { testScene } from "./fixtures";

let dispose = (): void => undefined;
afterEach(() => dispose());

const LENGTH = 1;
const path = [new Vector3(0, 2, 0), new Vector3(0, 2 - LENGTH, 0)];
/** of a fall over the rope [m/s] */
const FALL = Math.sqrt(2 * 9.81 * LENGTH);

function hook(scene: Scene): TransformNode {
  const node = new TransformNode("hook", scene);
  node.position.y = 2;
  return node;
}

/** A node of a body of a kind, in place of which the scene's code puts it. */
const carriers = {
  "a node": (scene: Scene) => hook(scene),
  "a static body": (scene: Scene) => crate(scene, 0),
  "a light body that hovers": (scene: Scene) => crate(scene, 1),
  "a heavy body that hovers": (scene: Scene) => crate(scene, 100),
} as const;

function crate(scene: Scene, mass: number): TransformNode {
  const mesh = CreateBox("crate", { size: 0.1 }, scene);
  mesh.position.y = 2.05;
  const { body } = new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass }, scene);
  body.disablePreStep = false;
  body.setGravityFactor(0);
  return mesh;
}

async function fastest(rope: RopeAggregate, run: (frames: number) => void, frames: number): Promise<number> {
  let most = 0;
  for (let i = 0; i < frames; i++) {
    run(1);
    const v = await rope.readVelocities();
    for (let k = 0; k < v.length; k += 3) most = Math.max(most, Math.hypot(v[k], v[k + 1], v[k + 2]));
  }
  return most;
}

it.each(Object.keys(carriers) as (keyof typeof carriers)[])("a rope on %s alone jumps with it", async (kind) => {
  const { scene, run, dispose: end } = await testScene();
  dispose = end;
  const node = carriers[kind](scene);
  const rope = new RopeAggregate({ path }, { segments: 8, attach: { node, at: "start" } }, scene);
  run(5);
  node.position.set(-7, 3, 4);
  expectWithin("speed / that of a fall over its length", (await fastest(rope, run, 5)) / FALL, 0.2);
  const x = await rope.readPositions();
  expectWithin("end - its place [m]", Math.hypot(x[24] + 7, x[26] - 4), 0.05);
  expect(Math.abs(x[1] - x[25])).toBeGreaterThan(0.9 * LENGTH);
});

it("a rope on a runner who turns round at once leaps once, and then follows", async () => {
  const { scene, run, dispose: end } = await testScene();
  dispose = end;
  const node = hook(scene);
  const rope = new RopeAggregate({ path }, { segments: 8, attach: { node, at: "start" } }, scene);
  for (let i = 0; i < 70; i++) {
    node.position.x += i < 60 ? Math.min(1, i / 50) / 6 : -1 / 6;
    run(1);
  }
  const v = await rope.readVelocities();
  // The point below those that the node carries has the speed of the runner. It had none, as the rope leapt in each frame.
  expectWithin("its speed - that of the runner [m/s]", Math.abs(v[6] + 10), 5);
});

it.each([0.1, 1, 10])("a post that leaps does not hit the rope on it, which leaps ahead: size %d", async (size) => {
  const { scene, run, dispose: end } = await testScene();
  dispose = end;
  const post = CreateBox("post", { width: 0.2 * size, height: 2 * size, depth: 0.2 * size }, scene);
  const { body } = new PhysicsAggregate(post, PhysicsShapeType.BOX, { mass: 0 }, scene);
  body.setMotionType(PhysicsMotionType.ANIMATED);
  body.disablePreStep = false;
  const places = [new Vector3(0.2, 0.8, 0), new Vector3(0.2, -0.2, 0)].map((place) => place.scale(size));
  const options = { segments: 8, attach: { node: post, at: "start" } } as const;
  const rope = new RopeAggregate({ path: places, radius: 0.01 * size }, options, scene);
  run(5);
  for (const [x, z] of [
    [7, 0],
    [7, 5],
    [-9, 1],
  ]) {
    post.position.set(x * size, 0, z * size);
    // In the direction of the rope, beside it, and away from it.
    const speed = await fastest(rope, run, 5);
    expectWithin("speed / that of a fall over its length", speed / Math.sqrt(2 * 9.81 * size), 0.2);
    expect(Vector3.Distance(body.getObjectCenterWorld(), post.position)).toBeLessThan(1e-5 * size);
  }
});

const slack = [path[0], new Vector3(1, 1, 0), new Vector3(2, 2, 0)];

it.each(["a node", "a static body"] as const)("one that something else holds goes with %s at once", async (kind) => {
  const { scene, run, dispose: end } = await testScene();
  dispose = end;
  const node = carriers[kind](scene);
  const rope = new RopeAggregate({ path: slack }, { segments: 16, pins: [16], attach: { node, at: "start" } }, scene);
  run(5);
  node.position.x = 1.5;
  run(1);
  expect((await rope.readPositions())[0]).toBeCloseTo(1.5, 5);
});
