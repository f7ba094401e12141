import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import {
  PhysicsConstraintAxis,
  PhysicsConstraintMotorType,
  PhysicsMotionType,
  PhysicsShapeType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import {
  BallAndSocketConstraint,
  DistanceConstraint,
  HingeConstraint,
  Physics6DoFConstraint,
  type PhysicsConstraint,
} from "@babylonjs/core/Physics/v2/physicsConstraint";
import { PhysicsShapeBox, PhysicsShapeCapsule, PhysicsShapeContainer } from "@babylonjs/core/Physics/v2/physicsShape";
import { GLTFExporter } from "@babylonjs/serializers/glTF/2.0/glTFExporter";
import { afterEach, beforeAll, expect, it } from "vitest";
import { registerGltfPhysics, registerGltfPhysicsExport } from "../../../plugin/gltf/index";
import { poseOfMatrix } from "../../../plugin/rigid/node-pose";
import { testScene, type TestScene } from "../fixtures";
import { loaded, nodeNamed, written } from "./files";

const scenes: TestScene[] = [];
beforeAll(() => {
  registerGltfPhysics();
  registerGltfPhysicsExport(GLTFExporter);
});
afterEach(() => scenes.splice(0).forEach((t) => t.dispose()));

/** Bodies of many kinds in the air, turned, scaled, offset. */
async function build(isRightHanded: boolean): Promise<TestScene> {
  const t = await testScene();
  scenes.push(t);
  const { scene } = t;
  scene.useRightHandedSystem = isRightHanded;
  const box = CreateBox("crate", { width: 0.4, height: 0.6, depth: 0.8 }, scene);
  box.position.set(1, 2, 3);
  box.rotationQuaternion = Quaternion.RotationYawPitchRoll(0.3, 0.5, 0.7);
  box.scaling.set(1.5, 1, 0.5);
  const crate = new PhysicsAggregate(box, PhysicsShapeType.BOX, { mass: 3, friction: 0.3, restitution: 0.6 }, scene);
  crate.body.setLinearVelocity(new Vector3(1, 2, -3));
  crate.body.setAngularVelocity(new Vector3(0.5, -1, 2));
  const ball = CreateSphere("ball", { diameter: 0.5, segments: 6 }, scene);
  ball.position.set(-2, 1, 1);
  new PhysicsAggregate(ball, PhysicsShapeType.CONVEX_HULL, { mass: 2 }, scene);
  const hammer = new TransformNode("hammer", scene);
  hammer.position.set(-1, 3, -2);
  hammer.rotationQuaternion = Quaternion.RotationYawPitchRoll(1, 0.2, -0.4);
  const shape = new PhysicsShapeContainer(scene);
  shape.addChild(new PhysicsShapeCapsule(new Vector3(0.1, 0, 0), new Vector3(0.7, 0.2, 0.1), 0.05, scene));
  const head = new PhysicsShapeBox(Vector3.Zero(), Quaternion.RotationYawPitchRoll(0.2, 0, 0), Vector3.One(), scene);
  shape.addChild(head, new Vector3(0.8, 0.2, 0), Quaternion.Identity(), new Vector3(0.2, 0.4, 0.2));
  const body = new PhysicsBody(hammer, PhysicsMotionType.DYNAMIC, false, scene);
  body.shape = shape;
  body.setMassProperties({ mass: 1.5 });
  return t;
}

it.each([
  ["left", "left"],
  ["left", "right"],
  ["right", "left"],
  ["right", "right"],
])("a %s-handed scene moves on as it did in a %s-handed one that reads it", async (from, to) => {
  const first = await build(from === "right");
  const second = await loaded(await written(first), to === "right", new Vector3(0, -10, 0));
  scenes.push(second);
  const names = ["crate", "ball", "hammer"];
  // Babylon mirrors x between left-handed scenes and files.
  const inFile = (t: TestScene, v: Vector3): Vector3 =>
    t.scene.useRightHandedSystem ? v : new Vector3(-v.x, v.y, v.z);
  for (const frames of [0, 30]) {
    for (const t of [first, second]) t.run(frames);
    for (const name of names) {
      const seen = [first, second].map((t) => {
        const node = nodeNamed(t, name);
        const world = node.computeWorldMatrix(true);
        const { position, rotation } = poseOfMatrix(world);
        const { centerOfMass } = node.physicsBody!.getMassProperties();
        const pose = Matrix.Compose(Vector3.One(), rotation, position);
        const up = Vector3.TransformNormal(Vector3.Up(), world).normalize();
        return [inFile(t, Vector3.TransformCoordinates(centerOfMass!, pose)), inFile(t, position), inFile(t, up)];
      });
      seen[0].forEach((wanted, k) =>
        expect(Vector3.Distance(wanted, seen[1][k]), `${name} after ${frames} frames, ${k}`).toBeLessThan(2e-3),
      );
    }
    expect(nodeNamed(second, "crate").physicsBody!.getMassProperties().mass).toBeCloseTo(3, 5);
  }
});

/** Pairs of bodies in the air, joined in many ways, and in motion. */
async function buildJoined(isRightHanded: boolean): Promise<TestScene> {
  const t = await testScene();
  scenes.push(t);
  const { scene } = t;
  scene.useRightHandedSystem = isRightHanded;
  const body = (name: string, x: number, y: number, type: PhysicsMotionType): PhysicsBody => {
    const mesh = CreateBox(name, { width: 0.3, height: 0.2, depth: 0.4 }, scene);
    mesh.position.set(x, y, 0.2 * x);
    mesh.rotationQuaternion = Quaternion.RotationYawPitchRoll(0.3 * x, 0.2, 0.1);
    mesh.scaling.set(1, 1.5, 0.8);
    const made = new PhysicsBody(mesh, type, false, scene);
    made.shape = new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(0.3, 0.3, 0.32), scene);
    if (type === PhysicsMotionType.DYNAMIC) made.setMassProperties({ mass: 2 });
    return made;
  };
  const frames = {
    pivotA: new Vector3(0.1, -0.3, 0.05),
    pivotB: new Vector3(-0.2, 0.3, 0.1),
    axisA: new Vector3(1, 0.2, 0.3),
    perpAxisA: new Vector3(-0.2, 1, 0),
    axisB: new Vector3(0.9, 0, 0.4),
    perpAxisB: new Vector3(0, 1, 0),
  };
  const angular = { axis: PhysicsConstraintAxis.ANGULAR_X, minLimit: -0.3, maxLimit: 0.7 };
  const sixDof = new Physics6DoFConstraint(
    { ...frames, collision: true },
    [
      ...[PhysicsConstraintAxis.LINEAR_X, PhysicsConstraintAxis.LINEAR_Y].map((axis) => ({
        axis,
        minLimit: 0,
        maxLimit: 0,
      })),
      { axis: PhysicsConstraintAxis.LINEAR_Z, minLimit: -0.05, maxLimit: 0.3 },
      angular,
      { axis: PhysicsConstraintAxis.ANGULAR_Y, minLimit: 0.1, maxLimit: 0.5, stiffness: 30, damping: 1 },
    ],
    scene,
  );
  const hinge = new HingeConstraint(frames.pivotA, frames.pivotB, frames.axisA, frames.axisB, scene);
  const made: [string, PhysicsConstraint, PhysicsMotionType][] = [
    ["hinge", hinge, PhysicsMotionType.STATIC],
    ["six", sixDof, PhysicsMotionType.DYNAMIC],
    [
      "ball",
      new BallAndSocketConstraint(frames.pivotA, frames.pivotB, frames.axisA, frames.axisB, scene),
      PhysicsMotionType.ANIMATED,
    ],
    ["rod", new DistanceConstraint(0.9, scene), PhysicsMotionType.STATIC],
  ];
  made.forEach(([name, constraint, type], k) => {
    const [first, second] = [
      body(`${name} 1`, 2 * k - 3, 3, type),
      body(name, 2 * k - 3.2, 2.2, PhysicsMotionType.DYNAMIC),
    ];
    first.addConstraint(second, constraint);
    second.setAngularVelocity(new Vector3(1, -2, 3));
  });
  sixDof.setAxisMotorType(PhysicsConstraintAxis.ANGULAR_Z, PhysicsConstraintMotorType.VELOCITY);
  sixDof.setAxisMotorTarget(PhysicsConstraintAxis.ANGULAR_Z, 4);
  sixDof.setAxisMotorMaxForce(PhysicsConstraintAxis.ANGULAR_Z, 50);
  return t;
}

it.each([
  ["left", "left"],
  ["left", "right"],
  ["right", "left"],
  ["right", "right"],
])("joints of a %s-handed scene do the same in a %s-handed one", async (from, to) => {
  const first = await buildJoined(from === "right");
  const second = await loaded(await written(first), to === "right", new Vector3(0, -10, 0));
  scenes.push(second);
  const inFile = (t: TestScene, v: Vector3): Vector3 =>
    t.scene.useRightHandedSystem ? v : new Vector3(-v.x, v.y, v.z);
  for (const frames of [0, 20]) {
    for (const t of [first, second]) t.run(frames);
    for (const name of ["hinge", "six", "ball", "rod", "six 1"]) {
      const seen = [first, second].map((t) => {
        const world = nodeNamed(t, name).computeWorldMatrix(true);
        const up = Vector3.TransformNormal(Vector3.Up(), world).normalize();
        return [world.getTranslation(), up].map((v) => inFile(t, v));
      });
      seen[0].forEach((wanted, k) =>
        expect(Vector3.Distance(wanted, seen[1][k]), `${name} after ${frames} frames, ${k}`).toBeLessThan(2e-3),
      );
    }
  }
});

it("keeps which bodies may meet", async () => {
  const t = await testScene();
  scenes.push(t);
  const { scene } = t;
  /** membership and collide masks; the floor has the first */
  const masks: readonly (readonly [number, number] | undefined)[] = [
    [0b1, 0b110],
    [0b10, 0b1],
    [0b110, 0b10],
    undefined,
    [0, ~0],
    [0b100, 0b11],
  ];
  masks.forEach((pair, k) => {
    const isFloor = k === 0;
    const size = isFloor ? 30 : 1;
    const mesh = CreateBox(`thing ${k}`, { width: size, height: 1, depth: size }, scene);
    mesh.position.set(isFloor ? 0 : 2 * k, isFloor ? -0.5 : 0.6, 0);
    const { shape } = new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass: isFloor ? 0 : 1 }, scene);
    if (pair) [shape.filterMembershipMask, shape.filterCollideMask] = pair;
  });
  const second = await loaded(await written(t), false, new Vector3(0, -10, 0));
  scenes.push(second);
  const heights = [t, second].map((one) => {
    one.run(45);
    return masks.map((_, k) => (nodeNamed(one, `thing ${k}`).getAbsolutePosition().y > 0 ? "held" : "gone"));
  });
  expect(heights[1]).toEqual(heights[0]);
  expect(new Set(heights[0].slice(1)).size).toBe(2);
});
