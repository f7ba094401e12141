import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PhysicsRaycastResult } from "@babylonjs/core/Physics/physicsRaycastResult";
import {
  PhysicsConstraintAxis,
  PhysicsMotionType,
  PhysicsShapeType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { BallAndSocketConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint";
import { PhysicsShapeSphere } from "@babylonjs/core/Physics/v2/physicsShape";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeBody, refusal } from "./fixtures";
import { things, type Things } from "./things";

const { STATIC, DYNAMIC } = PhysicsMotionType;
const { SPHERE } = PhysicsShapeType;
const zero = Vector3.Zero();
const one = Vector3.One();
const right = Vector3.Right();
const X = PhysicsConstraintAxis.LINEAR_X;

describe("after dispose everything is refused", () => {
  let t: Things;
  beforeEach(async () => {
    t = await things();
  });
  afterEach(() => t.dispose());

  const expectDisposed = (calls: Record<string, () => unknown>): void => {
    const failed: string[] = [];
    for (const [name, call] of Object.entries(calls)) {
      try {
        expect(refusal(call).code).toBe("disposed");
      } catch (error) {
        failed.push(`${name}: ${(error as Error).message}`);
      }
    }
    expect(failed).toEqual([]);
  };

  it("of a body", () => {
    const { ball, hung, scene, physics } = t;
    const count = physics.getBodies().length;
    ball.dispose();
    ball.dispose();
    expectDisposed({
      velocity: () => ball.getLinearVelocity(),
      setVelocity: () => ball.setLinearVelocity(one),
      impulse: () => ball.applyImpulse(one, zero),
      force: () => ball.applyForce(one, zero),
      mass: () => ball.getMassProperties(),
      setMass: () => ball.setMassProperties({ mass: 1 }),
      motionType: () => ball.setMotionType(STATIC),
      shape: () => (ball.shape = new PhysicsShapeSphere(zero, 1, scene)),
      target: () => ball.setTargetTransform(zero, Quaternion.Identity()),
      events: () => ball.setCollisionCallbackEnabled(true),
      joint: () => hung.addConstraint(ball, new BallAndSocketConstraint(zero, zero, right, right, scene)),
    });
    t.run(2);
    expect(physics.getBodies()).toHaveLength(count - 1);
  });

  it("of a shape", () => {
    const { sphere, container, scene } = t;
    sphere.dispose();
    expectDisposed({
      material: () => (sphere.material = { friction: 1 }),
      density: () => (sphere.density = 1),
      box: () => sphere.getBoundingBox(),
      mask: () => (sphere.filterCollideMask = 1),
      trigger: () => (sphere.isTrigger = true),
      child: () => container.addChild(sphere),
      body: () => makeBody(scene, DYNAMIC, sphere),
    });
    t.run(2);
  });

  it("of a constraint", () => {
    const { joint, ball, hung } = t;
    joint.dispose();
    joint.dispose();
    expectDisposed({
      enabled: () => (joint.isEnabled = true),
      isEnabled: () => joint.isEnabled,
      collisions: () => (joint.isCollisionsEnabled = true),
      friction: () => joint.setAxisFriction(X, 1),
      limit: () => joint.setAxisMinLimit(X, 1),
      motor: () => joint.setAxisMotorTarget(X, 1),
      read: () => joint.getAxisFriction(X),
      join: () => ball.addConstraint(hung, joint),
    });
    t.run(2);
    expect(t.plugin.rigid.joints).toHaveLength(0);
  });

  it("of the plugin", () => {
    const { plugin, scene, ball, sphere, joint, hung } = t;
    scene.disablePhysicsEngine();
    plugin.dispose();
    expectDisposed({
      ray: () => plugin.raycast(zero, one, new PhysicsRaycastResult()),
      gravity: () => plugin.setGravity(one),
      limits: () => plugin.setVelocityLimits(1, 1),
      timeStep: () => plugin.setTimeStep(1),
      body: () => plugin.initBody(ball, DYNAMIC, zero, Quaternion.Identity()),
      velocity: () => plugin.setLinearVelocity(ball, one),
      shape: () => plugin.initShape(sphere, SPHERE, { radius: 1 }),
      join: () => plugin.addConstraint(ball, hung, joint),
    });
  });
});
