import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene({}, new Vector3(0, -9.81, 0));
});
afterEach(() => t.dispose());

const ground = (): PhysicsAggregate =>
  new PhysicsAggregate(
    CreateGround("ground", { width: 20, height: 20 }, t.scene),
    PhysicsShapeType.BOX,
    { mass: 0 },
    t.scene,
  );

function box(name: string, height: number, mass = 1, z = 0): Mesh {
  const mesh = CreateBox(name, { size: 1 }, t.scene);
  mesh.position.set(0, height, z);
  new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass, restitution: 0 }, t.scene);
  return mesh;
}

describe("dynamic bodies", () => {
  it("stand on each other, heavy on light", () => {
    ground();
    const boxes = [1, 10, 100].map((mass, i) => box(`box ${i}`, 0.5 + 1.02 * i, mass));
    t.run(180);
    boxes.forEach((mesh, i) => {
      expect(Math.abs(mesh.position.y - (0.5 + i))).toBeLessThan(2e-3);
      expect(Math.hypot(mesh.position.x, mesh.position.z)).toBeLessThan(5e-3);
    });
  });

  it("bounce as high as their restitution says", () => {
    const floor = ground();
    floor.shape.material = { friction: 0.5, restitution: 0 };
    const mesh = CreateSphere("ball", { diameter: 0.2 }, t.scene);
    mesh.position.y = 1.1;
    new PhysicsAggregate(mesh, PhysicsShapeType.SPHERE, { mass: 1, restitution: 0.8 }, t.scene);
    t.physics.setTimeStep(1 / 240);
    let [highest, wasUp] = [0, false];
    for (let frame = 0; frame < 75; frame++) {
      t.run(1);
      wasUp ||= (mesh.physicsBody?.getLinearVelocity().y ?? 0) > 0;
      if (wasUp) highest = Math.max(highest, mesh.position.y - 0.1);
    }
    // e² h
    expect(Math.abs(highest - 0.64)).toBeLessThan(0.03);
  });

  it("slide on a slope as Coulomb says", () => {
    const angle = 0.3;
    const slope = CreateBox("slope", { width: 20, height: 1, depth: 20 }, t.scene);
    slope.rotation.z = angle;
    new PhysicsAggregate(slope, PhysicsShapeType.BOX, { mass: 0, friction: 1 }, t.scene);
    const slide = (friction: number): number => {
      const mesh = CreateBox("brick", { width: 1, height: 0.5, depth: 1 }, t.scene);
      const up = new Vector3(-Math.sin(angle), Math.cos(angle), 0);
      mesh.position = up.scale(0.7501);
      mesh.rotation.z = angle;
      // the smaller coefficient counts
      const aggregate = new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass: 2, restitution: 0 }, t.scene);
      aggregate.shape.material = { friction, restitution: 0 };
      const start = mesh.position.clone();
      t.run(60);
      const distance = mesh.position.subtract(start).length();
      aggregate.dispose();
      mesh.dispose();
      return distance;
    };
    expect(slide(Math.tan(angle) + 0.02)).toBeLessThan(2e-3);
    const friction = 0.15;
    const expected = 0.5 * 9.81 * (Math.sin(angle) - friction * Math.cos(angle));
    expect(Math.abs(slide(friction) / expected - 1)).toBeLessThan(0.03);
  });

  it("are pushed by animated ones, and not by those that filters keep away", () => {
    ground();
    const pusher = CreateBox("pusher", { size: 1 }, t.scene);
    pusher.position.set(-2, 0.5, 0);
    const aggregate = new PhysicsAggregate(pusher, PhysicsShapeType.BOX, { mass: 0 }, t.scene);
    aggregate.body.setMotionType(PhysicsMotionType.ANIMATED);
    const pushed = box("pushed", 0.5, 1, 0.6);
    const ghost = box("ghost", 0.5, 1, -0.6);
    ghost.physicsBody!.shape!.filterMembershipMask = 2;
    ghost.physicsBody!.shape!.filterCollideMask = 0xffff;
    aggregate.shape.filterMembershipMask = 1;
    aggregate.shape.filterCollideMask = 1;
    for (let frame = 0; frame < 60; frame++) {
      pusher.position.x = -2 + frame / 30;
      t.run(1);
    }
    expect(pushed.position.x).toBeGreaterThan(0.9);
    expect(Math.abs(ghost.position.x)).toBeLessThan(1e-2);
  });

  it("come and go without leaving anything behind", () => {
    ground();
    for (let round = 0; round < 5; round++) {
      const mesh = box("box", 0.6);
      t.run(3);
      mesh.physicsBody!.dispose();
      mesh.dispose();
      t.run(1);
      expect(t.plugin.rigid.bodies).toHaveLength(1);
    }
  });
});
