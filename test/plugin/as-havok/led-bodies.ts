import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsMotionType, PhysicsPrestepType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { HavokPlugin } from "@babylonjs/core/Physics/v2/Plugins/havokPlugin";
import { makeBody } from "../fixtures";
import { ballShape, block, boxShape, floor, placeOf, poseOf, velocityOf } from "./parts";
import type { TwinScene } from "./twin-scene";

const { STATIC, ANIMATED, DYNAMIC } = PhysicsMotionType;

const motionTypes: TwinScene = {
  name: "a body becomes static, animated and dynamic while it falls",
  play: (t) => {
    const body = block(t, DYNAMIC, Vector3.Zero());
    const types: number[] = [];
    const heights: number[] = [];
    for (const type of [STATIC, DYNAMIC, ANIMATED, DYNAMIC]) {
      t.run(10);
      heights.push(body.transformNode.position.y);
      body.setMotionType(type);
      types.push(body.getMotionType());
    }
    t.run(10);
    return { types, heights: [...heights, body.transformNode.position.y] };
  },
  tolerance: { heights: 0.02 },
};

const targets: TwinScene = {
  name: "an animated body goes to targets, and takes a box on it along",
  play: (t) => {
    const platform = makeBody(t.scene, ANIMATED, boxShape(t, 4, 0.5, 4), new Vector3(0, -0.25, 0));
    const rider = makeBody(t.scene, DYNAMIC, boxShape(t, 0.5), new Vector3(0, 0.25, 0));
    platform.shape!.material = { friction: 1 };
    rider.shape!.material = { friction: 1 };
    t.run(10);
    const turn = Quaternion.RotationAxis(Vector3.Up(), 0.01);
    const at = new Vector3(0, -0.25, 0);
    let total = Quaternion.Identity();
    const speeds: number[] = [];
    for (let i = 0; i < 40; i++) {
      at.x += 0.01;
      at.y += 0.005;
      total = turn.multiply(total);
      platform.setTargetTransform(at, total);
      t.run(1);
      speeds.push(...velocityOf(platform));
    }
    return { platform: poseOf(platform), rider: poseOf(rider), speed: speeds.slice(-6) };
  },
  tolerance: { platform: 1e-5, rider: 0.015, speed: 1e-5 },
};

const prestep: TwinScene = {
  name: "a dynamic body is taken to its node, aimed at it, or leads it, as its prestep type says",
  play: (t) => {
    const types = [PhysicsPrestepType.DISABLED, PhysicsPrestepType.TELEPORT, PhysicsPrestepType.ACTION];
    const bodies = types.map((type, i) => {
      const body = block(t, DYNAMIC, new Vector3(3 * i, 0, 0));
      body.setGravityFactor(0);
      body.setPrestepType(type);
      return body;
    });
    t.run(2);
    for (const { transformNode } of bodies) {
      transformNode.position.y = 0.3;
      transformNode.computeWorldMatrix(true);
    }
    t.run(1);
    const moved = bodies.flatMap(placeOf);
    bodies.forEach((body) => body.setPrestepType(PhysicsPrestepType.DISABLED));
    t.run(1);
    return { moved, after: bodies.flatMap(placeOf), speeds: bodies.map((body) => body.getLinearVelocity().y) };
  },
  tolerance: { moved: 1e-5, after: 1e-5, speeds: 1e-5 },
};

const followers: TwinScene = {
  name: "a body is put at another node, and another node at a body",
  play: (t) => {
    const body = block(t, DYNAMIC, Vector3.Zero());
    body.setGravityFactor(0);
    const place = new TransformNode("place", t.scene);
    place.position.set(1, 2, 3);
    place.rotationQuaternion = Quaternion.RotationAxis(Vector3.Up(), 0.5);
    place.computeWorldMatrix(true);
    t.run(1);
    body.setPrestepType(PhysicsPrestepType.TELEPORT);
    (t.plugin as HavokPlugin).setPhysicsBodyTransformation(body, place);
    body.setPrestepType(PhysicsPrestepType.DISABLED);
    t.plugin.sync(body);
    const own = poseOf(body);
    t.run(1);
    const follower = new TransformNode("follower", t.scene);
    follower.rotationQuaternion = Quaternion.Identity();
    t.plugin.syncTransform(body, follower);
    return { own, after: poseOf(body), follower: [...follower.position.asArray()] };
  },
  tolerance: { own: 1e-5, after: 1e-5 },
};

const manyTargets: TwinScene = {
  name: "targets of one instance, of a dynamic body, and of a bat that hits a ball",
  play: (t) => {
    const mesh = CreateBox("many", { size: 0.4 }, t.scene);
    mesh.thinInstanceAdd([0, 2, 4].map((x) => Matrix.Translation(x, 0, 0)));
    const many = new PhysicsBody(mesh, ANIMATED, false, t.scene);
    many.shape = boxShape(t, 0.4);
    const aimed = block(t, DYNAMIC, new Vector3(8, 0, 0));
    aimed.setGravityFactor(0);
    const bat = makeBody(t.scene, ANIMATED, boxShape(t, 0.2, 1, 1), new Vector3(12, 0, 0));
    const hit = makeBody(t.scene, DYNAMIC, ballShape(t, 0.2), new Vector3(12.5, 0, 0));
    for (const shape of [bat.shape!, hit.shape!]) shape.material = { friction: 0, restitution: 0 };
    hit.setGravityFactor(0);
    hit.setLinearDamping(0);
    const turn = Quaternion.RotationAxis(new Vector3(0, 0.6, 0.8), 0.2);
    for (let i = 1; i <= 30; i++) {
      many.setTargetTransform(
        new Vector3(2 + 0.01 * i, 0.02 * i, 0),
        Quaternion.Slerp(Quaternion.Identity(), turn, i / 30),
        1,
      );
      if (i <= 10) aimed.setTargetTransform(new Vector3(8, 0.03 * i, 0), Quaternion.Identity());
      bat.setTargetTransform(new Vector3(12 + 0.02 * i, 0, 0), Quaternion.Identity());
      t.run(1);
    }
    return {
      many: [0, 1, 2].flatMap((i) => [...many.getObjectCenterWorld(i).asArray()]),
      speeds: [0, 1].flatMap((i) => velocityOf(many, i)),
      // after ten steps with a target, it moves as before
      aimed: placeOf(aimed),
      hit: [hit.transformNode.position.x, hit.getLinearVelocity().x],
    };
  },
  tolerance: { many: 1e-5, speeds: 1e-5, aimed: 1e-5, hit: 3.5e-5 },
};

const ledByNodes: TwinScene = {
  name: "static and animated bodies follow their nodes, and push what is in the way, by every prestep type",
  play: (t) => {
    floor(t);
    const { DISABLED, TELEPORT, ACTION } = PhysicsPrestepType;
    const make = (motion: PhysicsMotionType, type: PhysicsPrestepType, z: number) => {
      const leader = makeBody(t.scene, motion, boxShape(t, 0.4), new Vector3(0, 0.2, z));
      leader.setPrestepType(type);
      const crate = makeBody(t.scene, DYNAMIC, boxShape(t, 0.4), new Vector3(0.6, 0.2, z));
      crate.setMassProperties({ mass: 1 });
      return { leader, crate };
    };
    const aimed = [make(ANIMATED, ACTION, 0)];
    const put = [make(STATIC, TELEPORT, 3), make(ANIMATED, TELEPORT, 6)];
    const left = [make(STATIC, DISABLED, -3), make(STATIC, ACTION, -6), make(ANIMATED, DISABLED, -9)];
    t.run(5);
    for (let frame = 0; frame < 20; frame++) {
      for (const { leader } of [...aimed, ...put, ...left]) {
        leader.transformNode.position.x += 0.02;
        leader.transformNode.computeWorldMatrix(true);
      }
      t.run(1);
    }
    const read = (lanes: typeof aimed): { leaders: number[]; crates: number[] } => ({
      leaders: lanes.map(({ leader }) => leader.transformNode.position.x),
      crates: lanes.map(({ crate }) => crate.transformNode.position.x),
    });
    return {
      aimed: read(aimed).leaders,
      pushedByAimed: read(aimed).crates,
      put: read(put).leaders,
      pushedByPut: read(put).crates,
      left: read(left).leaders,
      pushedByLeft: read(left).crates,
    };
  },
  tolerance: { aimed: 1e-6, pushedByAimed: 2e-4, put: 1e-6, pushedByPut: 1e-3, left: 1e-6, pushedByLeft: 1e-3 },
  differs: {
    pushedByPut: {
      why: "side by side, 0.4 m further; Havok pushes out what a jump brought into a crate by and by",
      pliant: [0.8, 0.8],
    },
    left: {
      why: "a node that somebody moves takes its static or animated body along; Havok takes an animated node back",
      pliant: [0.4, 0.4, 0.4],
      havok: [0.4, 0.4, 0],
    },
    pushedByLeft: {
      why: "these bodies are where their nodes are; Havok leaves a static body behind its node",
      pliant: [0.8, 0.8, 0.8],
      havok: [0.6, 0.6, 0.6],
    },
  },
};

/** Scenes of bodies that are led: by targets, nodes and motion types. */
export const ledBodyScenes: readonly TwinScene[] = [motionTypes, targets, manyTargets, prestep, ledByNodes, followers];
