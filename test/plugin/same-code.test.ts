import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateCylinder } from "@babylonjs/core/Meshes/Builders/cylinderBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateTorus } from "@babylonjs/core/Meshes/Builders/torusBuilder";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import {
  PhysicsConstraintAxis,
  PhysicsConstraintMotorType,
  PhysicsMotionType,
  PhysicsPrestepType,
  PhysicsShapeType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import {
  DistanceConstraint,
  Physics6DoFConstraint,
  SpringConstraint,
} from "@babylonjs/core/Physics/v2/physicsConstraint";
import type { PhysicsMaterialCombineMode } from "@babylonjs/core/Physics/v2/physicsMaterial";
import {
  PhysicsShapeBox,
  PhysicsShapeCapsule,
  PhysicsShapeContainer,
  PhysicsShapeCylinder,
  PhysicsShapeSphere,
} from "@babylonjs/core/Physics/v2/physicsShape";
import { describe, expect, it } from "vitest";
import type { HavokPlugin } from "@babylonjs/core/Physics/v2/Plugins/havokPlugin";
import type { PliantPlugin } from "../../plugin/index";
import { expectSame, type PluginScene } from "./both-plugins";
import { makeBody } from "./fixtures";

const { STATIC, ANIMATED, DYNAMIC } = PhysicsMotionType;
const axes = [0, 1, 2, 3, 4, 5] as PhysicsConstraintAxis[];
const zero = Vector3.Zero();

const ball = (t: PluginScene, radius = 0.5): PhysicsShapeSphere =>
  new PhysicsShapeSphere(Vector3.Zero(), radius, t.scene);
const cube = (t: PluginScene, size = 0.4): PhysicsShapeBox =>
  new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(size, size, size), t.scene);

/** A body without gravity, which only its constraints and the test move. */
function floating(t: PluginScene, at = Vector3.Zero()): PhysicsBody {
  const body = makeBody(t.scene, DYNAMIC, cube(t), at);
  body.setMassProperties({ mass: 1 });
  body.setGravityFactor(0);
  body.setAngularDamping(0);
  return body;
}

const poseOf = ({ transformNode }: PhysicsBody): number[] => [
  ...transformNode.position.asArray(),
  ...transformNode.rotationQuaternion!.asArray(),
];
const motionOf = (body: PhysicsBody): number[] => [
  ...body.getLinearVelocity().asArray(),
  ...body.getAngularVelocity().asArray(),
];

/** A body, attached to another one and free along one axis only. */
function freeAlong(
  t: PluginScene,
  axis: PhysicsConstraintAxis,
): { body: PhysicsBody; base: PhysicsBody; joint: Physics6DoFConstraint } {
  const locked = axes.filter((other) => other !== axis).map((other) => ({ axis: other, minLimit: 0, maxLimit: 0 }));
  const joint = new Physics6DoFConstraint({}, locked, t.scene);
  const body = floating(t);
  const base = makeBody(t.scene, STATIC, cube(t));
  base.addConstraint(body, joint);
  return { body, base, joint };
}

describe("the same code on Pliant and Havok: constraints", () => {
  it("motors turn and push the same way along every axis", () =>
    expectSame((t) => {
      const out: number[] = [];
      for (const axis of axes)
        for (const type of [PhysicsConstraintMotorType.VELOCITY, PhysicsConstraintMotorType.POSITION]) {
          const { body, base, joint } = freeAlong(t, axis);
          joint.setAxisMotorType(axis, type);
          joint.setAxisMotorTarget(axis, 0.7);
          t.run(2);
          // no force yet
          out.push(...motionOf(body));
          joint.setAxisMotorMaxForce(axis, 1000);
          t.run(type === PhysicsConstraintMotorType.VELOCITY ? 20 : 120);
          out.push(...(type === PhysicsConstraintMotorType.VELOCITY ? motionOf(body) : poseOf(body)));
          body.dispose();
          base.dispose();
        }
      return out;
    }, 2e-3));

  it("limits stop on the same side of every axis", () =>
    expectSame((t) => {
      const out: number[] = [];
      for (const axis of axes)
        for (const sign of [1, -1]) {
          const { body, base, joint } = freeAlong(t, axis);
          joint.setAxisMode(axis, 1);
          joint.setAxisMinLimit(axis, -0.2);
          joint.setAxisMaxLimit(axis, 0.5);
          const push = [0, 0, 0];
          push[axis % 3] = sign;
          for (let frame = 0; frame < 60; frame++) {
            const along = Vector3.FromArray(push);
            if (axis < 3) body.applyForce(along.scale(5), body.transformNode.position);
            else body.applyAngularImpulse(along.scale(0.005));
            t.run(1);
          }
          out.push(...poseOf(body));
          body.dispose();
          base.dispose();
        }
      return out;
    }, 2e-3));

  it("hang at the same place: distance, spring, frames of one's own, friction along an axis", () =>
    expectSame((t) => {
      const base = makeBody(t.scene, STATIC, cube(t));
      const hang = (): PhysicsBody => {
        const body = makeBody(t.scene, DYNAMIC, cube(t), new Vector3(0, -1, 0));
        body.shape!.filterCollideMask = 0;
        body.setMassProperties({ mass: 2 });
        return body;
      };
      const [onRope, onSpring, onHinge] = [hang(), hang(), hang()];
      base.addConstraint(onRope, new DistanceConstraint(2, t.scene));
      const right = Vector3.Right();
      base.addConstraint(onSpring, new SpringConstraint(zero, zero, right, right, 0.5, 1, 300, 30, t.scene));
      onHinge.transformNode.position.set(1, 0, 0);
      onHinge.disablePreStep = false;
      const frames = { axis: new Vector3(0, 0, 1), across: new Vector3(1, 0, 0) };
      base.addConstraint(
        onHinge,
        new Physics6DoFConstraint(
          {
            pivotA: zero,
            pivotB: new Vector3(-1, 0, 0),
            axisA: frames.axis,
            axisB: frames.axis,
            perpAxisA: frames.across,
            perpAxisB: frames.across,
          },
          [
            ...[0, 1, 2, 4, 5].map((axis) => ({ axis, minLimit: 0, maxLimit: 0 })),
            { axis: 3, minLimit: -0.5, maxLimit: 0.3 },
          ],
          t.scene,
        ),
      );
      base.shape!.filterCollideMask = 0;
      const { body: rubbed, joint } = freeAlong(t, PhysicsConstraintAxis.LINEAR_X);
      joint.setAxisFriction(PhysicsConstraintAxis.LINEAR_X, 2);
      rubbed.setLinearVelocity(new Vector3(3, 0, 0));
      t.run(30);
      const slowed = motionOf(rubbed);
      t.run(210);
      return [...slowed, ...poseOf(onRope), ...poseOf(onSpring), ...poseOf(onHinge)];
    }, 1.2e-2));
});

describe("the same code on Pliant and Havok: bodies", () => {
  it("have the same mass properties, defaults, and material", () =>
    expectSame((t) => {
      const turn = Quaternion.RotationAxis(new Vector3(1, 1, 0).normalize(), 0.5);
      const shapes = [
        new PhysicsShapeBox(new Vector3(0.1, 0.2, 0), turn, new Vector3(1, 2, 3), t.scene),
        new PhysicsShapeCapsule(zero, new Vector3(0, 2, 0), 0.5, t.scene),
        new PhysicsShapeCylinder(zero, new Vector3(0, 2, 0), 0.5, t.scene),
        ball(t),
      ];
      const out = shapes.flatMap((shape) => {
        const body = makeBody(t.scene, DYNAMIC, shape);
        const { mass, centerOfMass, inertia } = body.getMassProperties();
        return [mass! / 1e4, ...centerOfMass!.asArray(), ...inertia!.asArray().sort((a, b) => a - b)];
      });
      const body = makeBody(t.scene, DYNAMIC, cube(t));
      out.push(body.getLinearDamping(), body.getAngularDamping(), body.getGravityFactor(), body.getEventMask());
      const { friction, staticFriction, restitution, frictionCombine, restitutionCombine } = t.plugin.getMaterial(
        ball(t),
      );
      out.push(friction!, staticFriction!, restitution!, frictionCombine!, restitutionCombine!);
      out.push(ball(t).filterCollideMask, ball(t).filterMembershipMask, ball(t).density);
      return [...out, t.physics.getMaxLinearVelocity(), t.physics.getMaxAngularVelocity()];
    }, 1e-3));

  it("combine friction by the same rule, and hold with static friction", () =>
    expectSame((t) => {
      const floor = makeBody(
        t.scene,
        STATIC,
        new PhysicsShapeBox(zero, Quaternion.Identity(), new Vector3(99, 1, 99), t.scene),
        new Vector3(0, -0.5, 0),
      );
      const brick = (): PhysicsBody => {
        const body = makeBody(t.scene, DYNAMIC, cube(t, 1), new Vector3(0, 0.5, 0));
        // it does not tilt
        body.setMassProperties({ mass: 1, inertia: new Vector3(100, 100, 100) });
        return body;
      };
      const out: number[] = [];
      for (const a of [0, 1, 2, 3, 4] as PhysicsMaterialCombineMode[])
        for (const b of [0, 1, 2, 3, 4] as PhysicsMaterialCombineMode[]) {
          floor.shape!.material = { friction: 0.8, restitution: 0, frictionCombine: a };
          const body = brick();
          body.shape!.material = { friction: 0.2, restitution: 0, frictionCombine: b };
          t.run(2);
          body.setLinearVelocity(new Vector3(5, 0, 0));
          t.run(6);
          const before = body.getLinearVelocity().x;
          t.run(6);
          out.push(before - body.getLinearVelocity().x);
          body.dispose();
        }
      floor.shape!.material = { friction: 0.2, staticFriction: 0.9, restitution: 0 };
      const held = brick();
      held.shape!.material = { friction: 0.2, staticFriction: 0.9, restitution: 0 };
      t.run(2);
      for (let frame = 0; frame < 30; frame++) {
        held.applyForce(new Vector3(5, 0, 0), held.transformNode.position);
        t.run(1);
      }
      return [...out, held.transformNode.position.x];
    }, 1.5e-2));

  it("change their shape and how they move while they run, and start asleep", () =>
    expectSame((t) => {
      const out: number[] = [];
      const body = floating(t);
      body.setLinearVelocity(new Vector3(1, 0, 0));
      for (const type of [ANIMATED, DYNAMIC, STATIC, DYNAMIC]) {
        t.run(10);
        body.setMotionType(type);
        out.push(body.getMotionType());
      }
      t.run(10);
      out.push(...poseOf(body), ...motionOf(body));
      const other = makeBody(t.scene, DYNAMIC, cube(t, 1), new Vector3(0, 0, 50));
      out.push(other.getMassProperties().mass!);
      other.shape = cube(t, 2);
      out.push(other.getMassProperties().mass!);
      other.setMassProperties({ mass: 3 });
      other.shape = cube(t, 1);
      out.push(
        other.getMassProperties().mass!,
        other.getMassProperties().inertia!.x,
        other.computeMassProperties().mass!,
      );
      const mesh = CreateBox("sleeper", { size: 1 }, t.scene);
      mesh.position.set(0, 20, 90);
      const sleeper = new PhysicsBody(mesh, DYNAMIC, true, t.scene);
      sleeper.shape = cube(t, 1);
      t.run(30);
      out.push(mesh.position.y);
      sleeper.applyImpulse(new Vector3(0, 1, 0), mesh.position);
      t.run(30);
      return [...out, mesh.position.y];
    }, 0.02));

  it("decide by the parts of containers: materials, filters and triggers", () =>
    expectSame((t) => {
      let entered = 0;
      t.plugin.onTriggerCollisionObservable.add(() => entered++);
      const drop = (change: (part: PhysicsShapeSphere, other: PhysicsShapeSphere) => void): number[] => {
        const container = new PhysicsShapeContainer(t.scene);
        const part = ball(t);
        container.addChild(part, zero);
        const base = makeBody(t.scene, STATIC, container);
        const other = ball(t, 0.3);
        change(part, other);
        const body = makeBody(t.scene, DYNAMIC, other, new Vector3(0, 1, 0));
        t.run(20);
        const stays = body.transformNode.position.y > 0.5 ? 1 : 0;
        const { hasHit } = t.physics.raycast(new Vector3(-9, 0, 0), new Vector3(0, 0, 0));
        t.run(20);
        body.dispose();
        base.dispose();
        return [stays, hasHit ? 1 : 0];
      };
      return [
        ...drop(() => undefined),
        ...drop((part) => (part.isTrigger = true)),
        ...drop((part) => (part.filterCollideMask = 0)),
        ...drop((part, other) => {
          part.filterMembershipMask = 2;
          other.filterCollideMask = 1;
        }),
        ...drop((part, other) => {
          part.filterMembershipMask = 3;
          other.filterCollideMask = 1;
        }),
        entered,
      ];
    }, 0));
});

describe("the same code on Pliant and Havok: what is made of parts", () => {
  it("containers rub and bounce with the material of the part that is touched", () =>
    expectSame((t) => {
      const slab = (friction: number, restitution: number, mode: PhysicsMaterialCombineMode): PhysicsShapeBox => {
        const shape = new PhysicsShapeBox(zero, Quaternion.Identity(), new Vector3(20, 1, 4), t.scene);
        shape.material = { friction, restitution, frictionCombine: mode, restitutionCombine: mode };
        return shape;
      };
      const multiply = 4 as PhysicsMaterialCombineMode;
      const floor = new PhysicsShapeContainer(t.scene);
      [slab(0.1, 0, multiply), slab(0.6, 0, multiply), slab(0.3, 0.8, multiply)].forEach((part, k) =>
        floor.addChild(part, new Vector3(0, -0.5, 5 * k)),
      );
      makeBody(t.scene, STATIC, floor);
      const bricks = [0, 1, 2].map((k) => {
        const body = makeBody(t.scene, DYNAMIC, cube(t, 1), new Vector3(-4, k === 2 ? 1.5 : 0.5, 5 * k));
        body.setMassProperties({ mass: 1, inertia: new Vector3(100, 100, 100) });
        body.shape!.material = { friction: 1, restitution: 1, frictionCombine: multiply, restitutionCombine: multiply };
        return body;
      });
      t.run(2);
      for (const body of bricks.slice(0, 2)) body.setLinearVelocity(new Vector3(5, 0, 0));
      t.run(24);
      let highest = 0;
      const speeds = bricks.slice(0, 2).map((body) => body.getLinearVelocity().x);
      for (let frame = 0; frame < 40; frame++) {
        t.run(1);
        if (bricks[2].getLinearVelocity().y > 0) highest = Math.max(highest, bricks[2].transformNode.position.y);
      }
      return [...speeds, highest];
    }, 0.06));

  it("a ring that falls over a post stays about it", () =>
    expectSame((t) => {
      const ground = CreateGround("ground", { width: 20, height: 20 }, t.scene);
      new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0, friction: 0.5 }, t.scene);
      const post = CreateCylinder("post", { height: 2, diameter: 0.4 }, t.scene);
      post.position.y = 1;
      new PhysicsAggregate(post, PhysicsShapeType.CYLINDER, { mass: 0, friction: 0.5 }, t.scene);
      const ring = CreateTorus("ring", { diameter: 1.4, thickness: 0.3, tessellation: 16 }, t.scene);
      ring.position.set(0.1, 2.5, 0);
      ring.rotation.x = 0.2;
      const { body } = new PhysicsAggregate(ring, PhysicsShapeType.MESH, { mass: 2, friction: 0.5 }, t.scene);
      t.run(150);
      const { x, y, z } = ring.position;
      return [y, Math.hypot(x, z) < 0.5 ? 1 : 0, body.getLinearVelocity().length() < 0.05 ? 1 : 0];
    }, 0.03));
});

describe("the same code on Pliant and Havok: beyond the interface", () => {
  it("bodies are counted, and taken to a node as their prestep type says", () =>
    expectSame((t) => {
      const plugin = t.plugin as PliantPlugin | HavokPlugin;
      const place = new TransformNode("place", t.scene);
      place.rotationQuaternion = Quaternion.RotationAxis(Vector3.Up(), 0.5);
      place.position.set(3, 1, 0);
      place.computeWorldMatrix(true);
      const out: number[] = [];
      for (const prestep of [PhysicsPrestepType.TELEPORT, PhysicsPrestepType.ACTION]) {
        const body = floating(t);
        body.setLinearVelocity(new Vector3(0, 0.6, 0));
        body.setPrestepType(prestep);
        plugin.setPhysicsBodyTransformation(body, place);
        body.setPrestepType(PhysicsPrestepType.DISABLED);
        t.run(1);
        out.push(...poseOf(body), body.getLinearVelocity().y);
        body.dispose();
      }
      const mesh = CreateBox("many", { size: 1 }, t.scene);
      mesh.thinInstanceAdd([Matrix.Translation(0, 2, 0), Matrix.Translation(3, 3, 0)]);
      new PhysicsBody(mesh, DYNAMIC, false, t.scene);
      return [...out, plugin.numBodies];
    }, 5e-3));
});

describe("the same code on Pliant and Havok: thin instances", () => {
  it("move, report and are hit one by one", () =>
    expectSame((t) => {
      const mesh = CreateBox("boxes", { size: 1 }, t.scene);
      mesh.thinInstanceAdd([Matrix.Translation(0, 2, 0), Matrix.Translation(3, 3, 0)]);
      const body = new PhysicsBody(mesh, DYNAMIC, false, t.scene);
      body.shape = cube(t, 1);
      body.setMassProperties({ mass: 2 });
      const ground = new PhysicsAggregate(
        CreateGround("ground", { width: 20, height: 20 }, t.scene),
        PhysicsShapeType.BOX,
        { mass: 0 },
        t.scene,
      );
      body.setCollisionCallbackEnabled(true);
      const events: number[] = [];
      body.getCollisionObservable(1).add((event) => {
        if (event.type !== "COLLISION_STARTED") return;
        events.push(event.colliderIndex, event.collidedAgainstIndex, event.collidedAgainst === ground.body ? 1 : 0);
      });
      t.run(90);
      const hit = t.physics.raycast(new Vector3(3, 5, 0), new Vector3(3, -1, 0));
      body.setLinearVelocity(new Vector3(1, 0, 0), 1);
      const at = mesh._thinInstanceDataStorage.matrixData!;
      return [
        ...events.slice(0, 3),
        at[13],
        at[29],
        hit.bodyIndex!,
        hit.body === body ? 1 : 0,
        body.getLinearVelocity(0).x,
        body.getLinearVelocity(1).x,
        ...body.getObjectCenterWorld(1).asArray(),
        body.getMassProperties(1).mass!,
      ];
    }, 0.02));
});

describe("the same code on Pliant and Havok: events", () => {
  it("tell the same of a ball that lands and leaves", () =>
    expectSame((t) => {
      const box = new PhysicsShapeBox(zero, Quaternion.Identity(), new Vector3(10, 1, 10), t.scene);
      const ground = makeBody(t.scene, STATIC, box, new Vector3(0, -0.5, 0));
      const body = makeBody(t.scene, DYNAMIC, ball(t), new Vector3(0, 0.6, 0));
      body.setCollisionCallbackEnabled(true);
      body.setCollisionEndedCallbackEnabled(true);
      const seen: string[] = [];
      const own: number[] = [];
      const grounds: number[] = [];
      body.getCollisionObservable().add(({ type, collider, normal, point, impulse }) => {
        seen.push(`own ${type}`);
        own.push(collider === body ? 1 : 0, ...normal!.asArray(), point!.x, point!.z, impulse >= 0 ? 1 : 0);
      });
      ground.getCollisionObservable().add(({ type, collider, normal }) => {
        seen.push(`ground ${type}`);
        grounds.push(collider === ground ? 1 : 0, ...normal!.asArray());
      });
      t.plugin.onCollisionObservable.add(({ type, collider }) => seen.push(`${type} ${collider === body}`));
      t.plugin.onCollisionEndedObservable.add(({ type, collider }) => seen.push(`${type} ${collider === body}`));
      body.getCollisionEndedObservable().add(({ type }) => seen.push(`own ${type}`));
      t.run(20);
      body.setLinearVelocity(new Vector3(0, 5, 0));
      t.run(10);
      expect(new Set(seen)).toEqual(
        new Set([
          "COLLISION_STARTED true",
          "own COLLISION_STARTED",
          "ground COLLISION_STARTED",
          "COLLISION_CONTINUED true",
          "own COLLISION_CONTINUED",
          "ground COLLISION_CONTINUED",
          "COLLISION_FINISHED true",
          "own COLLISION_FINISHED",
        ]),
      );
      return [...own.slice(0, 7), ...grounds.slice(0, 4)];
    }, 1e-3));
});
