import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import { makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

function box(name: string, size: number, place: Vector3, mass: number): PhysicsAggregate {
  const mesh = CreateBox(name, { size }, t.scene);
  mesh.position.copyFrom(place);
  return new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass, friction: 0.5, restitution: 0 }, t.scene);
}

/** Runs until all of these sleep. @returns whether they do */
function settle(all: readonly { readonly isAsleep: boolean }[]): boolean {
  for (let k = 0; k < 30 && !all.every(({ isAsleep }) => isAsleep); k++) t.run(10);
  return all.every(({ isAsleep }) => isAsleep);
}

describe("aggregates on the CPU", () => {
  it("sleep on the ground under what lies on them, show where, and wake as nodes move", async () => {
    const ground = box("ground", 4, new Vector3(0, -2, 0), 0);
    const mesh = CreateBox("cube", { size: 0.4 }, t.scene);
    mesh.position.y = 0.21;
    const cube = new SoftBodyAggregate(mesh, { resolution: 2, damping: 3 }, t.scene);
    const load = box("load", 0.2, new Vector3(0, 0.53, 0), 4);
    const flat = makeSheet(t.scene, 0.5, 3, 0.02);
    flat.position.x = 1.2;
    const [cloth, other] = [new ClothAggregate(flat, {}, t.scene), makeSheet(t.scene, 0.5, 3, 0.02)];
    other.position.x = -1.2;
    const sleepless = new ClothAggregate(other, { canSleep: false }, t.scene);
    expect(settle([cube, cloth])).toBe(true);
    expect(sleepless.isAsleep).toBe(false);
    const shown = Array.from(mesh.getVerticesData(VertexBuffer.PositionKind)!);
    const place = load.transformNode.position.clone();
    t.run(20);
    expect(Array.from(mesh.getVerticesData(VertexBuffer.PositionKind)!)).toEqual(shown);
    expect(load.transformNode.position.asArray()).toEqual(place.asArray());
    cube.wake();
    expect([cube.isAsleep, cloth.isAsleep]).toEqual([false, true]);
    t.run(3);
    expect(Vector3.Distance(load.transformNode.position, place)).toBeLessThan(3e-4);
    expect(settle([cube, cloth])).toBe(true);
    load.body.applyImpulse(new Vector3(4, 0, 0), load.transformNode.position);
    t.run(1);
    expect([cube.isAsleep, cloth.isAsleep]).toEqual([false, true]);
    ground.body.setMotionType(PhysicsMotionType.ANIMATED);
    ground.body.disablePreStep = false;
    ground.transformNode.position.y -= 0.5;
    t.run(2);
    expect(cloth.isAsleep).toBe(false);
    cloth.body.canSleep = false;
    t.run(30);
    expect((await cloth.readPositions())[1]).toBeLessThan(-0.2);
  });

  it("sleep with the body that hangs on them", async () => {
    const weight = box("weight", 0.2, new Vector3(0, 1, 0), 2);
    weight.body.setLinearDamping(4);
    weight.body.setAngularDamping(4);
    const path = [new Vector3(0, 1.6, 0), new Vector3(0, 1.1, 0)];
    const rope = new RopeAggregate(
      { path, radius: 0.01 },
      { segments: 6, damping: 3, pins: [0], attach: { at: "end", node: weight.transformNode } },
      t.scene,
    );
    expect(settle([rope])).toBe(true);
    const place = weight.transformNode.position.clone();
    t.run(30);
    expect(rope.isAsleep).toBe(true);
    expect(weight.transformNode.position.asArray()).toEqual(place.asArray());
    expect(weight.body.getLinearVelocity().length()).toBe(0);
    rope.wake();
    t.run(5);
    expect(Vector3.Distance(weight.transformNode.position, place)).toBeLessThan(1e-4);
    rope.setPinPosition(0, new Vector3(0, 2, 0));
    t.run(1);
    expect(rope.isAsleep).toBe(false);
    t.run(20);
    expect(weight.transformNode.position.y).toBeGreaterThan(place.y + 0.2);
    expect((await rope.readPositions())[1]).toBeCloseTo(2, 6);
  });
});
