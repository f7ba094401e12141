import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import {
  PhysicsShape,
  PhysicsShapeBox,
  PhysicsShapeContainer,
  PhysicsShapeSphere,
} from "@babylonjs/core/Physics/v2/physicsShape";
import { Quaternion } from "@babylonjs/core/Maths/math.vector";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectRefusal, makeBody, testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

const ball = (radius = 0.5): PhysicsShapeSphere => new PhysicsShapeSphere(Vector3.Zero(), radius, t.scene);

describe("bad input", () => {
  it("is refused where a shape is made", () => {
    expectRefusal(() => ball(-1), "invalid-argument", "SPHERE", "radius", "-1");
    expectRefusal(() => ball(NaN), "non-finite", "radius");
    expectRefusal(
      () => new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(1, -2, 1), t.scene),
      "invalid-argument",
      "halfExtents",
    );
    expectRefusal(
      () => new PhysicsShape({ type: PhysicsShapeType.HEIGHTFIELD, parameters: {} }, t.scene),
      "invalid-argument",
      "heightFieldSizeX",
    );
    expectRefusal(
      () => new PhysicsShape({ type: PhysicsShapeType.MESH, parameters: {} }, t.scene),
      "invalid-argument",
      "mesh",
    );
    expectRefusal(
      () => new PhysicsShape({ type: 99 as PhysicsShapeType, parameters: {} }, t.scene),
      "invalid-argument",
      "99",
    );
  });

  it("is refused at a shape, which stays as it was", () => {
    const shape = ball();
    expectRefusal(() => (shape.density = 0), "invalid-argument", "density");
    expectRefusal(() => (shape.material = { friction: -1 }), "invalid-argument", "friction", "-1");
    expect(shape.density).toBe(1000);
    expect(t.plugin.getMaterial(shape).friction).toBe(0.5);
    expectRefusal(() => shape.addChild(ball()), "invalid-argument", "container");
    const container = new PhysicsShapeContainer(t.scene);
    expectRefusal(() => container.addChild(container), "invalid-argument", "must not contain");
    expectRefusal(() => container.addChild(ball(), new Vector3(0, NaN, 0)), "non-finite", "translation");
    expectRefusal(() => container.addChild(ball(), undefined, undefined, new Vector3(1, 0, 1)), "invalid-argument");
    expectRefusal(() => container.removeChild(0), "index-out-of-range");
    expect(container.getNumChildren()).toBe(0);
    shape.dispose();
    expectRefusal(() => container.addChild(shape), "disposed");
  });

  it("is refused at a body, which stays as it was", () => {
    const body = makeBody(t.scene, PhysicsMotionType.DYNAMIC, ball());
    const nan = new Vector3(0, NaN, 0);
    const name = 'PhysicsBody "node"';
    expectRefusal(() => body.setLinearVelocity(nan), "non-finite", name, "linear velocity");
    expectRefusal(() => body.setAngularVelocity(nan), "non-finite", name);
    expectRefusal(() => body.applyImpulse(nan, Vector3.Zero()), "non-finite", name);
    expectRefusal(() => body.applyForce(Vector3.Zero(), nan), "non-finite", name);
    expectRefusal(() => body.applyTorque(nan), "non-finite", name);
    expectRefusal(() => body.setLinearDamping(-1), "invalid-argument", name);
    expectRefusal(() => body.setMassProperties({ mass: -2 }), "invalid-argument", name, "-2");
    expectRefusal(() => body.setGravityFactor(Infinity), "non-finite", name);
    expectRefusal(() => body.setTargetTransform(nan, Quaternion.Identity()), "non-finite", name);
    expectRefusal(() => body.setTargetTransform(Vector3.Zero(), new Quaternion(0, 0, 0, 0)), "invalid-argument");
    expectRefusal(() => body.getLinearVelocity(3), "index-out-of-range", name, "3");
    expect(body.getLinearVelocity().length()).toBe(0);
    expect(body.getLinearDamping()).toBe(0);
    body.dispose();
    expectRefusal(() => body.getLinearVelocity(), "disposed", name);
  });
});
