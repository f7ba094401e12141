import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import {
  PhysicsConstraintAxis,
  PhysicsConstraintAxisLimitMode,
  PhysicsConstraintMotorType,
  PhysicsConstraintType,
  PhysicsMotionType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import {
  BallAndSocketConstraint,
  DistanceConstraint,
  HingeConstraint,
  LockConstraint,
  Physics6DoFConstraint,
  PhysicsConstraint,
  PrismaticConstraint,
  SliderConstraint,
} from "@babylonjs/core/Physics/v2/physicsConstraint";
import { PhysicsShapeBox } from "@babylonjs/core/Physics/v2/physicsShape";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeBody, refusal, testScene, type TestScene } from "./fixtures";

let t: TestScene;
let base: PhysicsBody;
beforeEach(async () => {
  t = await testScene({}, new Vector3(0, -9.81, 0));
  base = brick(Vector3.Zero(), PhysicsMotionType.STATIC);
});
afterEach(() => t.dispose());

function brick(position: Vector3, type = PhysicsMotionType.DYNAMIC): PhysicsBody {
  const shape = new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(0.4, 0.4, 0.4), t.scene);
  const body = makeBody(t.scene, type, shape, position);
  body.setMassProperties({ mass: 2 });
  body.setAngularDamping(0);
  return body;
}

const zero = Vector3.Zero();
const right = Vector3.Right();
const at = (body: PhysicsBody): Vector3 => body.transformNode.position;
/** World position of a point of the body. */
const point = (body: PhysicsBody, local: Vector3): Vector3 =>
  local.applyRotationQuaternion(body.transformNode.rotationQuaternion!).add(at(body));

describe("constraints", () => {
  it("ball and socket: swings about its pivot", () => {
    const bob = brick(new Vector3(1, 0, 0));
    base.addConstraint(bob, new BallAndSocketConstraint(zero, new Vector3(-1, 0, 0), right, right, t.scene));
    let lowest = 0;
    t.run(1);
    for (let i = 0; i < 120; i++) {
      t.run(1);
      expect(point(bob, new Vector3(-1, 0, 0)).length()).toBeLessThan(1e-3);
      lowest = Math.min(lowest, at(bob).y);
    }
    expect(lowest).toBeLessThan(-0.95);
  });

  it("distance: keeps it", () => {
    const bob = brick(new Vector3(1, 0, 0));
    base.addConstraint(bob, new DistanceConstraint(1, t.scene));
    let lowest = 0;
    for (let i = 0; i < 60; i++) {
      t.run(1);
      expect(Math.abs(at(bob).length() - 1)).toBeLessThan(1e-3);
      lowest = Math.min(lowest, at(bob).y);
    }
    expect(lowest).toBeLessThan(-0.95);
  });

  it("hinge: turns about its axis only, and falls as a pendulum does", () => {
    const bob = brick(new Vector3(0.6, 0, 0));
    const axis = new Vector3(0, 0, 1);
    base.addConstraint(bob, new HingeConstraint(zero, new Vector3(-0.6, 0, 0), axis, axis, t.scene));
    bob.applyImpulse(new Vector3(0, 0, 3), at(bob));
    t.run(10);
    // about the pivot: I = m (s²/6 + l²), so that initially α = g l / (s²/6 + l²)
    const alpha = (9.81 * 0.6) / (0.16 / 6 + 0.36);
    expect(Math.abs(bob.getAngularVelocity().z + (alpha * 10) / 60)).toBeLessThan(0.03 * alpha);
    t.run(50);
    expect(Math.abs(at(bob).z)).toBeLessThan(1e-3);
    const up = axis.applyRotationQuaternion(bob.transformNode.rotationQuaternion!);
    expect(up.z).toBeGreaterThan(1 - 1e-5);
  });

  it("slider, prismatic and lock: hold what they must", () => {
    const pull = new Vector3(1, 2, 3);
    const make = (constraint: (a: Vector3) => SliderConstraint | PrismaticConstraint | LockConstraint): PhysicsBody => {
      const body = brick(new Vector3(0, 1, 0));
      base.addConstraint(body, constraint(new Vector3(0, 1, 0)));
      body.setGravityFactor(0);
      body.applyImpulse(pull, at(body));
      body.applyAngularImpulse(new Vector3(0.2, 0.2, 0.2));
      return body;
    };
    const slider = make((p) => new SliderConstraint(p, zero, right, right, t.scene));
    const prismatic = make((p) => new PrismaticConstraint(p, zero, right, right, t.scene));
    const lock = make((p) => new LockConstraint(p, zero, right, right, t.scene));
    // they overlap
    for (const body of [slider, prismatic, lock]) body.shape!.filterCollideMask = 0;
    t.run(30);
    expect(at(slider).x).toBeGreaterThan(0.1);
    expect(Math.hypot(at(slider).y - 1, at(slider).z)).toBeLessThan(1e-3);
    expect(slider.getAngularVelocity().x).toBeGreaterThan(0.5);
    expect(at(prismatic).x).toBeGreaterThan(0.1);
    expect(Math.hypot(at(prismatic).y - 1, at(prismatic).z)).toBeLessThan(1e-3);
    expect(prismatic.getAngularVelocity().length()).toBeLessThan(1e-3);
    expect(
      at(lock)
        .subtract(new Vector3(0, 1, 0))
        .length(),
    ).toBeLessThan(1e-3);
    expect(lock.getAngularVelocity().length()).toBeLessThan(1e-3);
  });

  it("six degrees of freedom: limits, springs and motors", () => {
    const hanging = brick(new Vector3(0, -1, 0));
    const spring = new Physics6DoFConstraint(
      {},
      [
        { axis: PhysicsConstraintAxis.LINEAR_X, minLimit: 0, maxLimit: 0 },
        { axis: PhysicsConstraintAxis.LINEAR_Z, minLimit: 0, maxLimit: 0 },
        { axis: PhysicsConstraintAxis.LINEAR_Y, minLimit: -1, maxLimit: 1, stiffness: 200, damping: 40 },
      ],
      t.scene,
    );
    base.addConstraint(hanging, spring);
    t.run(240);
    // beyond its limit by m g / k
    expect(Math.abs(at(hanging).y + 1 + (2 * 9.81) / 200)).toBeLessThan(2e-3);

    const wheel = brick(new Vector3(0, 2, 0));
    const axis = new Physics6DoFConstraint(
      { pivotA: new Vector3(0, 2, 0) },
      [0, 1, 2, 4, 5].map((locked) => ({ axis: locked, minLimit: 0, maxLimit: 0 })),
      t.scene,
    );
    axis.setAxisMotorType(PhysicsConstraintAxis.ANGULAR_X, PhysicsConstraintMotorType.VELOCITY);
    base.addConstraint(wheel, axis);
    axis.setAxisMotorTarget(PhysicsConstraintAxis.ANGULAR_X, 5);
    axis.setAxisMotorMaxForce(PhysicsConstraintAxis.ANGULAR_X, 100);
    t.run(60);
    expect(wheel.getAngularVelocity().x).toBeCloseTo(5, 2);
    expect(axis.getAxisMotorTarget(PhysicsConstraintAxis.ANGULAR_X)).toBe(5);
    axis.setAxisMotorType(PhysicsConstraintAxis.ANGULAR_X, PhysicsConstraintMotorType.NONE);
    axis.setAxisMode(PhysicsConstraintAxis.ANGULAR_X, PhysicsConstraintAxisLimitMode.LOCKED);
    t.run(30);
    expect(wheel.getAngularVelocity().length()).toBeLessThan(1e-2);
  });

  it("can be switched off and on, list their bodies, and outlive what a body is made of", () => {
    const bob = brick(new Vector3(0, -1, 0));
    const lock = new LockConstraint(new Vector3(0, -1, 0), zero, right, right, t.scene);
    base.addConstraint(bob, lock);
    t.run(5);
    expect(lock.getBodiesUsingConstraint()).toHaveLength(1);
    bob.setMassProperties({ mass: 7 });
    t.run(20);
    expect(at(bob).y).toBeCloseTo(-1, 3);
    lock.isEnabled = false;
    t.run(10);
    expect(at(bob).y).toBeLessThan(-1.05);
    lock.isEnabled = true;
    t.run(60);
    expect(at(bob).y).toBeCloseTo(-1, 2);
    lock.dispose();
    t.run(10);
    expect(at(bob).y).toBeLessThan(-1.05);
    expect(t.plugin.rigid.joints).toHaveLength(0);
    const second = new LockConstraint(zero, zero, right, right, t.scene);
    base.addConstraint(bob, second);
    t.run(1);
    bob.dispose();
    t.run(1);
    expect(t.plugin.rigid.joints).toHaveLength(0);
    expect(second.getBodiesUsingConstraint()).toHaveLength(0);
  });

  it("take axes that are lacking, of no length or along each other: what is given holds", () => {
    const axes = [undefined, zero, new Vector3(0, 0, 3), new Vector3(-1, 2, 0.5)];
    const kinds = axes.flatMap((axis) => {
      const along = (axis ?? right).scale(-2);
      return [undefined, zero, along, new Vector3(0, 1, 0.2)].map((across) => ({ axis, across }));
    });
    const joined = kinds.flatMap((a, i) =>
      // each kind on one side with every third on the other
      kinds
        .filter((_, k) => (i + k) % 3 === 0)
        .map((b) => {
          const bob = brick(new Vector3(0.1, -0.3, 0.2));
          bob.shape!.filterCollideMask = 0;
          const pivotB = new Vector3(0, 0.5, 0);
          const options = { pivotB, axisA: a.axis, perpAxisA: a.across, axisB: b.axis, perpAxisB: b.across };
          const hinge = new PhysicsConstraint(PhysicsConstraintType.HINGE, options, t.scene);
          base.addConstraint(bob, hinge);
          return { a, b, bob, pivotB };
        }),
    );
    t.run(60);
    for (const { a, b, bob, pivotB } of joined) {
      expect(point(bob, pivotB).length()).toBeLessThan(0.01);
      if (a.axis === zero || b.axis === zero) continue;
      const axisB = (b.axis ?? right).applyRotationQuaternion(bob.transformNode.rotationQuaternion!).normalize();
      expect(Vector3.Dot(axisB, (a.axis ?? right).normalizeToNew())).toBeGreaterThan(0.999);
    }
  });

  it("hold an axis halfway between limits that cross, also where their bodies are made anew", () => {
    const X = PhysicsConstraintAxis.LINEAR_X;
    const locked = [1, 2, 3, 4, 5].map((axis) => ({ axis, minLimit: 0, maxLimit: 0 }));
    const crossed = new Physics6DoFConstraint({}, [{ axis: X, minLimit: 0.7, maxLimit: 0.3 }, ...locked], t.scene);
    const body = brick(new Vector3(0.5, 0, 0));
    body.shape!.filterCollideMask = 0;
    base.addConstraint(body, crossed);
    t.run(2);
    crossed.setAxisMinLimit(X, 0.9);
    body.setMassProperties({ mass: 3 });
    t.run(60);
    expect(at(body).x).toBeCloseTo(0.6, 3);
    crossed.setAxisMaxLimit(X, 1);
    body.setLinearVelocity(new Vector3(3, 0, 0));
    t.run(60);
    expect(at(body).x).toBeCloseTo(1, 2);
    expect(refusal(() => crossed.setAxisMinLimit(X, Infinity)).code).toBe("non-finite");
    expect(crossed.getAxisMinLimit(X)).toBe(0.9);
  });

  it("go on with the frames they were made with", () => {
    const pivot = new Vector3(0, -0.5, 0);
    const bob = brick(new Vector3(0, -1, 0));
    base.addConstraint(bob, new BallAndSocketConstraint(pivot, pivot.negate(), right, right, t.scene));
    t.run(1);
    pivot.set(NaN, 0, 0);
    bob.setMassProperties({ mass: 5 });
    t.run(30);
    expect(Vector3.Distance(at(bob), new Vector3(0, -1, 0))).toBeLessThan(1e-3);
  });

  it("are refused where they cannot be", () => {
    const lock = new LockConstraint(zero, zero, right, right, t.scene);
    expect(refusal(() => base.addConstraint(base, lock)).code).toBe("invalid-argument");
    const bad = new LockConstraint(new Vector3(NaN, 0, 0), zero, right, right, t.scene);
    const other = brick(new Vector3(0, 1, 0));
    expect(refusal(() => base.addConstraint(other, bad)).message).toContain("pivotA");
    other.dispose();
    expect(refusal(() => base.addConstraint(other, lock)).code).toBe("disposed");
  });
});
