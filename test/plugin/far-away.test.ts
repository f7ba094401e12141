import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateIcoSphere } from "@babylonjs/core/Meshes/Builders/icoSphereBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsShapeSphere } from "@babylonjs/core/Physics/v2/physicsShape";
import { Logger } from "@babylonjs/core/Misc/logger";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ClothAggregate, RopeAggregate, SoftBodyAggregate, type PliantPluginOptions } from "../../plugin/index";
import { lentGpu } from "../gpu/context";
import { makeBody, testScene, vertexAt, type TestScene } from "./fixtures";

let gpu: GPU;
beforeAll(async () => void (gpu = await lentGpu()));
afterEach(() => vi.restoreAllMocks());

const { STATIC, DYNAMIC } = PhysicsMotionType;

/** Places that matrices in single precision hold exactly: their spacing is 1/16 m at 1000 km. */
const placeAt = (far: number): Vector3 => new Vector3(far, far / 8, -far);

/** Vertices as drawn: numbers in single precision, in the frame of the node. */
const drawn = (mesh: Mesh): number[] => [...mesh.getVerticesData(VertexBuffer.PositionKind)!];

/** Runs frames, and lets readbacks from a GPU arrive. */
async function run(t: TestScene, frames: number): Promise<void> {
  t.run(frames);
  for (let i = 0; i < 2; i++) {
    await t.plugin.world.settled();
    await new Promise((resolve) => setTimeout(resolve, 20));
    t.plugin.deformableAggregates.forEach((aggregate) => aggregate._afterFrame(false));
  }
  for (const aggregate of t.plugin.deformableAggregates) await aggregate.bakeToMesh();
}

type Told = Readonly<Record<string, readonly number[]>>;

/** Cloth on a ball that was there before it, a soft ball, and a rope on a moving node, all near a place. */
async function play(options: PliantPluginOptions, place: Vector3): Promise<Told> {
  const t = await testScene(options);
  const { scene } = t;
  const at = (x: number, y: number, z: number): Vector3 => place.add(new Vector3(x, y, z));
  makeBody(scene, STATIC, new PhysicsShapeSphere(Vector3.Zero(), 0.25, scene), at(0, 0, 0));
  const tossed = makeBody(scene, DYNAMIC, new PhysicsShapeSphere(Vector3.Zero(), 0.25, scene), at(0, 2, 0));
  tossed.setLinearVelocity(new Vector3(0.5, 2, 0));
  t.run(3);
  const sheet = CreateGround("sheet", { width: 1, height: 1, subdivisions: 6, updatable: true }, scene);
  sheet.position.copyFrom(at(0, 0.3125, 0));
  const cloth = new ClothAggregate(sheet, { fabric: "denim", damping: 5, substeps: 10 }, scene);
  const ball = CreateIcoSphere("ball", { radius: 0.25, subdivisions: 1, updatable: true }, scene);
  ball.position.copyFrom(at(2, 0, 0));
  new SoftBodyAggregate(ball, { youngsModulus: 2e4, resolution: 3, substeps: 10, pins: [0], subdivide: false }, scene);
  const hand = new TransformNode("hand", scene);
  hand.position.copyFrom(at(-1, 0.5, 0));
  const path = [at(-2, 0.5, 0), at(-1, 0.5, 0)];
  const attach = { node: hand, at: "end" } as const;
  // made of rubber: it is stretched
  const held = { segments: 8, youngsModulus: 1e6, pins: [0, 1], attach, substeps: 10 };
  const rope = new RopeAggregate({ path, radius: 0.0625 }, held, scene);
  for (let frame = 0; frame < 10; frame++) {
    // towards the other end: fibers do not stretch
    hand.position.addInPlaceFromFloats(frame % 2 === 0 ? -1 / 16 : 0, frame % 2 === 0 ? 0 : 1 / 16, 0);
    t.run(1);
  }
  await run(t, 1);
  const near = (positions: Float32Array): number[] => vertexAt(positions, 0).subtractInPlace(place).asArray();
  const told = {
    cloth: drawn(sheet),
    soft: drawn(ball),
    rope: drawn(rope.mesh).map((x, i) => x + rope.mesh.position.asArray()[i % 3] - place.asArray()[i % 3]),
    box: [...sheet.getBoundingInfo().boundingBox.minimum.asArray()],
    tossed: tossed.transformNode.position.subtract(place).asArray(),
    read: near(await cloth.readPositions()),
  };
  t.dispose();
  return told;
}

/** Largest difference of the results of two scenes. */
function apart(a: Told, b: Told): Record<string, number> {
  return Object.fromEntries(
    Object.entries(a).map(([what, values]) => {
      expect(b[what].length, what).toBe(values.length);
      return [what, Math.max(...values.map((value, i) => Math.abs(value - b[what][i])))];
    }),
  );
}

describe.each([
  { backend: "cpu", near: 1e3, further: [1e5, 1e6] },
  { backend: "webgpu", near: 1e5, further: [] },
] as const)("far away from the origin: $backend", ({ backend, near, further }) => {
  it("what is deformable moves, and is drawn, as it is near it", async () => {
    const options = (): PliantPluginOptions => (backend === "cpu" ? { backend } : { backend, gpu });
    const home = await play(options(), placeAt(0));
    const first = await play(options(), placeAt(near));
    // Different numbers are rounded there, because the origin is another integer in meters of the scene: cloth on a ball amplifies that.
    const { read, ...others } = apart(home, first);
    for (const [what, difference] of Object.entries(others)) expect(difference, what).toBeLessThan(1e-3);
    // the public numbers of the world are in single precision
    expect(read).toBeLessThan(0.01);
    for (const far of further) {
      const { read: told, tossed, ...drawn } = apart(first, await play(options(), placeAt(far)));
      for (const [what, difference] of Object.entries(drawn)) expect(difference, `${what} at ${far}`).toBe(0);
      expect(tossed, `${far}`).toBeLessThan(1e-8);
      expect(told, `${far}`).toBeLessThanOrEqual(1 / 16);
    }
  });
});

describe("the engine's origin", () => {
  it("stays where the scene's is for what is near it", async () => {
    const t = await testScene();
    const sheet = CreateGround("sheet", { width: 1, height: 1, subdivisions: 2 }, t.scene);
    sheet.position.x = 900;
    const { body } = new ClothAggregate(sheet, {}, t.scene);
    expect(t.plugin.frame.origin.asArray()).toEqual([0, 0, 0]);
    expect(body.model.positions[0]).toBeCloseTo(899.5, 6);
    t.dispose();
  });

  it("goes with the first deformable body, takes rigid ones along, and stays for a second", async () => {
    const t = await testScene();
    const floor = makeBody(t.scene, STATIC, new PhysicsShapeSphere(Vector3.Zero(), 1, t.scene), new Vector3(2e5, 0, 0));
    const stays = makeBody(
      t.scene,
      DYNAMIC,
      new PhysicsShapeSphere(Vector3.Zero(), 1, t.scene),
      new Vector3(2e5, 2, 0),
    );
    t.run(30);
    const before = stays.transformNode.position.clone();
    const sheet = CreateGround("sheet", { width: 1, height: 1, subdivisions: 2 }, t.scene);
    sheet.position.set(2e5 + 3, 0, 0);
    new ClothAggregate(sheet, { pins: [0, 2] }, t.scene);
    expect(t.plugin.frame.origin.x).toBeGreaterThan(199_990);
    t.run(1);
    expect(Vector3.Distance(stays.transformNode.position, before)).toBeLessThan(1e-3);
    expect(floor.transformNode.position.x).toBe(2e5);
    const { origin } = t.plugin.frame;
    const another = CreateGround("another", { width: 1, height: 1, subdivisions: 2 }, t.scene);
    const second = new ClothAggregate(another, { pins: [0, 2] }, t.scene);
    expect(t.plugin.frame.origin).toBe(origin);
    expect(origin.x).toBeGreaterThan(199_990);
    t.run(5);
    expect((await second.readPositions())[0]).toBeCloseTo(-0.5, 4);
    t.dispose();
  });

  it("stays, and says so on a GPU, where somebody has put an obstacle into the engine's world", async () => {
    const warn = vi.spyOn(Logger, "Warn").mockImplementation(() => undefined);
    const t = await testScene({ backend: "webgpu", gpu });
    t.plugin.world.addCollider({ type: "sphere", radius: 1 });
    const sheet = CreateGround("sheet", { width: 1, height: 1, subdivisions: 2 }, t.scene);
    sheet.position.x = 1e5;
    new ClothAggregate(sheet, {}, t.scene);
    expect(t.plugin.frame.origin.x).toBe(0);
    expect(warn.mock.calls.flat().join()).toContain("100 km");
    t.dispose();
  });

  it("is also that of nodes that are turned, and hold what is pinned", async () => {
    const t = await testScene();
    const parent = new TransformNode("parent", t.scene);
    parent.position.set(1e5, 0, 2e5);
    parent.rotationQuaternion = Quaternion.RotationAxis(new Vector3(1, 2, 3).normalize(), 0.7);
    const sheet = CreateGround("sheet", { width: 1, height: 1, subdivisions: 4, updatable: true }, t.scene);
    sheet.parent = parent;
    const rest = drawn(sheet);
    const cloth = new ClothAggregate(sheet, { pins: Array.from({ length: 25 }, (_, i) => i) }, t.scene);
    t.run(5);
    drawn(sheet).forEach((value, i) => expect(Math.abs(value - rest[i])).toBeLessThan(1e-6));
    const to = sheet.getAbsolutePosition().add(new Vector3(0, 0.25, 0));
    cloth.setPinPosition(12, to);
    t.run(1);
    const { positions } = await cloth.body.readState();
    const place = t.plugin.frame.pointInScene(positions, 36);
    expect(Vector3.Distance(place, to)).toBeLessThan(1e-6);
    t.dispose();
  });
});
