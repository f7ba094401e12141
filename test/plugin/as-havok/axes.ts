import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import {
  PhysicsConstraintAxis,
  PhysicsConstraintAxisLimitMode,
  PhysicsConstraintMotorType,
  PhysicsMotionType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import {
  Physics6DoFConstraint,
  type Physics6DoFLimit,
  SpringConstraint,
} from "@babylonjs/core/Physics/v2/physicsConstraint";
import type { PluginScene } from "../both-plugins";
import { makeBody } from "../fixtures";
import { block, boxShape, velocityOf } from "./parts";
import type { TwinScene } from "./twin-scene";

const { STATIC, DYNAMIC } = PhysicsMotionType;
const AXES = [0, 1, 2, 3, 4, 5] as PhysicsConstraintAxis[];

/** A block, attached to another one and free along one axis only. */
function freeAlong(
  t: PluginScene,
  axis: PhysicsConstraintAxis,
  at: Vector3,
  limit: Partial<Physics6DoFLimit> = {},
): { body: PhysicsBody; joint: Physics6DoFConstraint } {
  const locked = AXES.filter((other) => other !== axis).map((other) => ({ axis: other, minLimit: 0, maxLimit: 0 }));
  const joint = new Physics6DoFConstraint({}, [...locked, { axis, ...limit }], t.scene);
  const body = block(t, DYNAMIC, at);
  body.setGravityFactor(0);
  block(t, STATIC, at).addConstraint(body, joint);
  return { body, joint };
}

/** Travel of a body along or about each axis, from its initial place. */
function wayOf(body: PhysicsBody, from: Vector3): number[] {
  const q = body.transformNode.rotationQuaternion!;
  const turn = 2 * Math.atan2(Math.hypot(q.x, q.y, q.z), q.w);
  const sine = Math.max(1e-9, Math.hypot(q.x, q.y, q.z));
  return [...body.transformNode.position.subtract(from).asArray(), ...[q.x, q.y, q.z].map((v) => (turn * v) / sine)];
}

const limits: TwinScene = {
  name: "limits stop a body on either side of every axis",
  play: (t) => {
    const made = AXES.flatMap((axis) =>
      [1, -1].map((sign) => {
        const at = new Vector3(4 * axis, 0, 5 * sign);
        const { body, joint } = freeAlong(t, axis, at, { minLimit: -0.4, maxLimit: 0.6 });
        const push = Vector3.FromArray([0, 1, 2].map((i) => (i === axis % 3 ? 2 * sign : 0)));
        if (axis < 3) body.setLinearVelocity(push);
        else body.setAngularVelocity(push);
        return { body, joint, at, axis };
      }),
    );
    t.run(60);
    return {
      limits: made.flatMap(({ joint, axis }) => [joint.getAxisMinLimit(axis)!, joint.getAxisMaxLimit(axis)!]),
      modes: made.map(({ joint, axis }) => joint.getAxisMode(axis)!),
      ways: made.flatMap(({ body, at }) => wayOf(body, at)),
    };
  },
  tolerance: { limits: 1e-6, ways: 2.5e-5 },
};

/** The result of a call, or the name of its error. */
function attempt(act: () => unknown): string {
  try {
    return String(act());
  } catch (error) {
    return (error as Error).name;
  }
}

const motors: TwinScene = {
  name: "motors turn and push at a speed or to a place, as strong as they may be, along every axis",
  play: (t) => {
    const made = AXES.flatMap((axis) =>
      [
        { type: PhysicsConstraintMotorType.VELOCITY, target: 0.8, force: 50 },
        { type: PhysicsConstraintMotorType.VELOCITY, target: 0.8, force: Infinity },
        { type: PhysicsConstraintMotorType.POSITION, target: 0.5, force: 100 },
        { type: PhysicsConstraintMotorType.NONE, target: 0.5, force: 100 },
      ].map(({ type, target, force }, k) => {
        const at = new Vector3(4 * axis, 0, 4 * k);
        const { body, joint } = freeAlong(t, axis, at);
        joint.setAxisMotorType(axis, type);
        joint.setAxisMotorTarget(axis, target);
        joint.setAxisMotorMaxForce(axis, force);
        return { body, joint, at, axis };
      }),
    );
    t.run(60);
    return {
      settings: made.flatMap(({ joint, axis }) => [
        joint.getAxisMotorType(axis)!,
        Math.min(1e9, joint.getAxisMotorMaxForce(axis)!),
      ]),
      target: attempt(() => made[0].joint.getAxisMotorTarget(made[0].axis)),
      ways: made.flatMap(({ body, at }) => wayOf(body, at)),
    };
  },
  tolerance: { ways: 0.0075 },
  differs: {
    target: {
      why: "HavokPlugin asks for the target of a list of joints, and throws",
      pliant: "0.8",
      havok: "TypeError",
    },
  },
};

const weakMotors: TwinScene = {
  name: "a motor that is too weak for its speed pushes as hard as it may",
  play: (t) => {
    const force = 0.3;
    const { body, joint } = freeAlong(t, PhysicsConstraintAxis.LINEAR_X, Vector3.Zero());
    joint.setAxisMotorType(PhysicsConstraintAxis.LINEAR_X, PhysicsConstraintMotorType.VELOCITY);
    joint.setAxisMotorTarget(PhysicsConstraintAxis.LINEAR_X, 50);
    joint.setAxisMotorMaxForce(PhysicsConstraintAxis.LINEAR_X, force);
    t.run(60);
    return { speed: body.getLinearVelocity().x };
  },
  tolerance: { speed: 1e-3 },
  differs: { speed: { why: "F t / m; Havok lets a body that starts so slowly sleep", pliant: 0.3, havok: 0 } },
};

const runningLimits: TwinScene = {
  name: "limits, modes and collisions of a constraint are changed while it holds",
  play: (t) => {
    const Y = PhysicsConstraintAxis.LINEAR_Y;
    const [base, body] = [STATIC, DYNAMIC].map((type, k) =>
      makeBody(t.scene, type, boxShape(t, 0.5), new Vector3(0, 2 * k, 0)),
    );
    body.setMassProperties({ mass: 1 });
    const locked = AXES.filter((axis) => axis !== Y).map((axis) => ({ axis, minLimit: 0, maxLimit: 0 }));
    const joint = new Physics6DoFConstraint({ collision: true }, locked, t.scene);
    t.plugin.initConstraint(joint, base, body);
    const heights: number[] = [];
    const wait = (): void => {
      t.run(90);
      heights.push(body.transformNode.position.y);
      body.applyImpulse(new Vector3(0, 0.01, 0), body.transformNode.position);
    };
    joint.setAxisMode(Y, PhysicsConstraintAxisLimitMode.LIMITED);
    joint.setAxisMinLimit(Y, 1);
    joint.setAxisMaxLimit(Y, 3);
    wait();
    joint.setAxisMinLimit(Y, -2);
    wait();
    joint.isCollisionsEnabled = false;
    wait();
    joint.setAxisMode(Y, PhysicsConstraintAxisLimitMode.FREE);
    t.run(10);
    const mode = joint.getAxisMode(Y)!;
    return { heights, mode, falls: String(body.transformNode.position.y < heights[2]) };
  },
  tolerance: { heights: 2e-5 },
};

const friction: TwinScene = {
  name: "friction of an axis slows a body down and holds it",
  play: (t) => {
    const made = AXES.map((axis) => {
      const at = new Vector3(4 * axis, 0, 0);
      const { body, joint } = freeAlong(t, axis, at);
      const strength = axis < 3 ? 1.5 : 0.04;
      joint.setAxisFriction(axis, strength);
      const push = Vector3.FromArray([0, 1, 2].map((i) => (i === axis % 3 ? 1 : 0)));
      if (axis < 3) body.setLinearVelocity(push);
      else body.setAngularVelocity(push);
      return { body, joint, at, axis };
    });
    t.run(60);
    return {
      set: made.map(({ joint, axis }) => joint.getAxisFriction(axis)!),
      ways: made.flatMap(({ body, at }) => wayOf(body, at)),
      speeds: made.flatMap(({ body }) => velocityOf(body)),
    };
  },
  tolerance: { set: 1e-6, ways: 0.015, speeds: 2e-5 },
};

const springs: TwinScene = {
  name: "a soft limit is a spring: a weight hangs below it by its weight over the stiffness",
  play: (t) => {
    const Y = PhysicsConstraintAxis.LINEAR_Y;
    const hung = [50, 200].map((stiffness, i) => {
      const { body } = freeAlong(t, Y, new Vector3(3 * i, 0, 0), {
        minLimit: -0.1,
        maxLimit: 0.1,
        stiffness,
        damping: 15,
      });
      body.setGravityFactor(1);
      return body;
    });
    const spring = new SpringConstraint(
      Vector3.Zero(),
      Vector3.Zero(),
      Vector3.Right(),
      Vector3.Right(),
      1,
      1,
      100,
      10,
      t.scene,
    );
    const bob = block(t, DYNAMIC, new Vector3(9, -1, 0));
    block(t, STATIC, new Vector3(9, 0, 0)).addConstraint(bob, spring);
    t.run(240);
    return { heights: [...hung, bob].map(({ transformNode }) => transformNode.position.y) };
  },
  tolerance: { heights: 1e-3 },
  differs: {
    heights: {
      why: "10 N over 50, 200 and 100 N/m; Havok's springs are stiffer by 2 to 10 %",
      pliant: [-0.3, -0.15, -1.1],
    },
  },
};

export const axisScenes: readonly TwinScene[] = [limits, motors, weakMotors, runningLimits, friction, springs];
