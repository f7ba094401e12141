import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { PhysicsMaterialCombineMode } from "@babylonjs/core/Physics/v2/physicsMaterial";
import { PhysicsShapeBox } from "@babylonjs/core/Physics/v2/physicsShape";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate } from "../../plugin/index";
import { makeBody, makeSheet, mean, testScene, type TestScene, vertexAt } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

describe("friction", () => {
  /** Travel of cloth on a moving plate in half a second at 0.4 m/s. */
  async function carried(friction: number, move: (node: TransformNode, time: number) => void): Promise<number> {
    const plate = new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(4, 0.2, 4), t.scene);
    plate.material = { friction, frictionCombine: PhysicsMaterialCombineMode.MINIMUM };
    const body = makeBody(t.scene, PhysicsMotionType.ANIMATED, plate, new Vector3(0, -0.1, 0));
    const sheet = makeSheet(t.scene, 0.3, 4, 0.005);
    const cloth = new ClothAggregate(sheet, { fabric: "denim", friction: 0.8, airDensity: 0 }, t.scene);
    t.run(10);
    const before = mean(await cloth.readPositions());
    for (let i = 1; i <= 30; i++) {
      move(body.transformNode, i / 60);
      t.run(1);
    }
    const way = mean(await cloth.readPositions()).x - before.x;
    cloth.dispose();
    body.transformNode.dispose();
    return way;
  }

  it("carries cloth along with an animated body, when it is moved", async () => {
    expect(await carried(0.8, (node, time) => (node.position.x = 0.4 * time))).toBeGreaterThan(0.17);
    expect(await carried(0, (node, time) => (node.position.x = 0.4 * time))).toBeLessThan(0.01);
  });

  it("carries it with the velocity of a body, and with targets", async () => {
    const coast = await carried(0.8, (node) => node.physicsBody!.setLinearVelocity(new Vector3(0.4, 0, 0)));
    expect(coast).toBeGreaterThan(0.17);
    const target = await carried(0.8, (node, time) =>
      node.physicsBody!.setTargetTransform(new Vector3(0.4 * time, -0.1, 0), Quaternion.Identity()),
    );
    expect(target).toBeGreaterThan(0.17);
  });

  it("turns cloth on a turntable", async () => {
    const plate = new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(4, 0.2, 4), t.scene);
    plate.material = { friction: 1 };
    const body = makeBody(t.scene, PhysicsMotionType.ANIMATED, plate, new Vector3(0, -0.1, 0));
    const sheet = makeSheet(t.scene, 0.3, 4, 0.005);
    const cloth = new ClothAggregate(sheet, { fabric: "denim", friction: 1, airDensity: 0 }, t.scene);
    t.run(10);
    body.setAngularVelocity(new Vector3(0, 1, 0));
    t.run(30);
    const corner = vertexAt(await cloth.readPositions(), 0);
    const turned = Math.atan2(-corner.z, corner.x) - Math.atan2(-0.15, -0.15);
    expect(turned).toBeGreaterThan(0.4);
    expect(turned).toBeLessThan(0.55);
  });

  it("is combined as the material says, with each cloth by itself", async () => {
    const shape = new PhysicsShapeBox(new Vector3(0, -0.1, 0), Quaternion.Identity(), new Vector3(9, 0.2, 9), t.scene);
    shape.material = { friction: 0.1, frictionCombine: PhysicsMaterialCombineMode.MAXIMUM };
    makeBody(t.scene, PhysicsMotionType.STATIC, shape);
    t.scene.getPhysicsEngine()!.setGravity(new Vector3(4, -10, 0));
    const cloths = [0.2, 0.6].map((friction) => {
      const sheet = makeSheet(t.scene, 0.3, 3, 0.005);
      sheet.position.z = 4 * friction;
      return new ClothAggregate(sheet, { fabric: "denim", friction, airDensity: 0 }, t.scene);
    });
    /** gain in speed of each in a fifth of a second, relative to the gain by gravity along the ground */
    const gained = async (): Promise<number[]> => {
      const speeds = async (): Promise<number[]> =>
        Promise.all(cloths.map(async ({ body }) => mean(Float32Array.from((await body.readState()).velocities)).x));
      const before = await speeds();
      t.run(12);
      return (await speeds()).map((speed, k) => (speed - before[k]) / (12 / 60) / 4);
    };
    t.run(10);
    const [collider] = t.plugin.world.colliders;
    let [smooth, rough] = await gained();
    expect(smooth).toBeCloseTo((4 - 10 * 0.2) / 4, 1);
    expect(rough).toBeCloseTo(0, 1);
    shape.material = { friction: 0.1, frictionCombine: PhysicsMaterialCombineMode.MULTIPLY };
    [smooth, rough] = await gained();
    expect(smooth).toBeCloseTo((4 - 10 * 0.02) / 4, 1);
    expect(rough).toBeCloseTo((4 - 10 * 0.06) / 4, 1);
    expect(t.plugin.world.colliders[0]).toBe(collider);
    expect(shape.material.friction).toBe(0.1);
  });
});

describe("a dynamic body", () => {
  it("falls on cloth, which gives way and catches it", async () => {
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 10, 0), { pins: [0, 10, 110, 120] }, t.scene);
    const ball = CreateSphere("ball", { diameter: 0.3 }, t.scene);
    ball.position.y = 0.4;
    const { body } = new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 1 }, t.scene);
    t.run(24);
    const falling = 0.4 - 5 * 0.16;
    expect(ball.position.y).toBeGreaterThan(falling + 0.05);
    const positions = await cloth.readPositions();
    expect(vertexAt(positions, 60).y).toBeLessThan(-0.3);
    // it bounces in the sheet, to less than its initial height
    let [lowest, fastest] = [Infinity, 0];
    for (let frame = 0; frame < 60; frame++) {
      t.run(1);
      expect(ball.position.y).toBeLessThan(0.4);
      lowest = Math.min(lowest, ball.position.y);
      fastest = Math.max(fastest, body.getLinearVelocity().y);
    }
    expect(lowest).toBeGreaterThan(-0.8);
    expect(fastest).toBeGreaterThan(0.5);
  });

  it.each([5, 100])("is held by cloth of 0.15 kg, with %f kg", async (mass) => {
    const pins = [...Array(121).keys()].filter((p) => p % 11 === 0 || p % 11 === 10);
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 10, 0), { pins }, t.scene);
    const ball = CreateSphere("ball", { diameter: 0.3 }, t.scene);
    ball.position.set(0.02, 0.4, 0.01);
    new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass }, t.scene);
    let highest = 0;
    for (let frame = 0; frame < 45; frame++) {
      t.run(1);
      if (frame > 15) highest = Math.max(highest, ball.position.y);
      const positions = await cloth.readPositions();
      const lowest = Math.min(...[...Array(121).keys()].map((p) => vertexAt(positions, p).y));
      expect(ball.position.y - lowest).toBeGreaterThan(0.1);
    }
    expect(highest).toBeLessThan(0.4);
  });
});
