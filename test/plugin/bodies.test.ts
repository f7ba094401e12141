import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import {
  PhysicsMotionType,
  PhysicsPrestepType,
  PhysicsShapeType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { PhysicsShapeBox, PhysicsShapeContainer, PhysicsShapeSphere } from "@babylonjs/core/Physics/v2/physicsShape";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate } from "../../plugin/index";
import type { Collider } from "../../src/index";
import { makeBody, makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

const ball = (): PhysicsShapeSphere => new PhysicsShapeSphere(Vector3.Zero(), 0.5, t.scene);
const brick = (): PhysicsShapeBox =>
  new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(1, 2, 3), t.scene);

function expectVector(actual: Vector3, x: number, y: number, z: number, digits = 6): void {
  [x, y, z].forEach((value, i) => expect(actual.asArray()[i]).toBeCloseTo(value, digits));
}

describe("dynamic bodies", () => {
  it("fall by the closed form, and their node with them", () => {
    const body = makeBody(t.scene, PhysicsMotionType.DYNAMIC, ball(), new Vector3(0, 100, 0));
    body.setLinearVelocity(new Vector3(3, 0, 0));
    t.run(60);
    expectVector(body.transformNode.position, 3, 95, 0, 9);
    expectVector(body.getLinearVelocity(), 3, -10, 0, 9);
  });

  it("fall as their gravity factor says; damping slows them as implicit Euler has it", () => {
    const light = makeBody(t.scene, PhysicsMotionType.DYNAMIC, ball());
    light.setGravityFactor(0.5);
    const damped = makeBody(t.scene, PhysicsMotionType.DYNAMIC, ball(), new Vector3(0, 10, 0));
    damped.setGravityFactor(0);
    damped.setLinearDamping(2);
    damped.setLinearVelocity(new Vector3(1, 0, 0));
    damped.setAngularDamping(3);
    damped.setAngularVelocity(new Vector3(0, 1, 0));
    t.run(60);
    expect(light.transformNode.position.y).toBeCloseTo(-2.5, 9);
    expect(light.getGravityFactor()).toBe(0.5);
    expect(damped.getLinearVelocity().x).toBeCloseTo((1 + 2 / 60) ** -60, 9);
    expect(damped.getAngularVelocity().y).toBeCloseTo((1 + 3 / 60) ** -60, 9);
  });

  it("answer an impulse off centre with the right spin", () => {
    const body = makeBody(t.scene, PhysicsMotionType.DYNAMIC, brick(), new Vector3(1, 1, 1));
    body.setMassProperties({ mass: 2 });
    body.applyImpulse(new Vector3(0, 0, 6), new Vector3(1.5, 1, 1));
    expectVector(body.getLinearVelocity(), 0, 0, 3);
    // torque (0.5, 0, 0) × (0, 0, 6) = (0, −3, 0); I_y = 2 · 10/12
    expectVector(body.getAngularVelocity(), 0, -3 / (20 / 12), 0);
    body.applyAngularImpulse(new Vector3(0, 3, 0));
    expectVector(body.getAngularVelocity(), 0, 0, 0);
  });

  it("of infinite mass do not move by themselves", () => {
    const body = makeBody(t.scene, PhysicsMotionType.DYNAMIC, ball());
    body.setMassProperties({ mass: 0 });
    body.applyImpulse(new Vector3(5, 5, 5), Vector3.One());
    t.run(10);
    expectVector(body.transformNode.position, 0, 0, 0);
  });

  it("take a force for a frame, whatever the number of steps in it", () => {
    for (const rate of [60, 120]) {
      t.physics.setTimeStep(1 / rate);
      const body = makeBody(t.scene, PhysicsMotionType.DYNAMIC, ball());
      body.setGravityFactor(0);
      body.setMassProperties({ mass: 2, inertia: Vector3.One() });
      body.setAngularDamping(0);
      body.applyForce(new Vector3(12, 0, 0), body.transformNode.position);
      body.applyTorque(new Vector3(0, 0, 12));
      t.run(1);
      expect(body.getLinearVelocity().x).toBeCloseTo(0.1, 9);
      expect(body.getAngularVelocity().z).toBeCloseTo(0.1, 9);
      t.run(1);
      expect(body.getLinearVelocity().x).toBeCloseTo(0.1, 9);
      body.dispose();
    }
  });

  it("tumble without losing angular momentum or much energy", () => {
    const body = makeBody(t.scene, PhysicsMotionType.DYNAMIC, brick());
    body.setMassProperties({ mass: 1 });
    body.setAngularDamping(0);
    body.setGravityFactor(0);
    body.setAngularVelocity(new Vector3(0.1, 4, 0.1));
    const inertia = body.getMassProperties().inertia!;
    const momentum = (): { l: Vector3; energy: number } => {
      const q = body.transformNode.rotationQuaternion!;
      const w = body.getAngularVelocity().applyRotationQuaternion(Quaternion.Inverse(q));
      const l = w.multiply(inertia);
      return { energy: Vector3.Dot(w, l) / 2, l: l.applyRotationQuaternion(q) };
    };
    const before = momentum();
    let flipped = false;
    for (let i = 0; i < 600; i++) {
      t.run(1);
      flipped ||=
        body.getAngularVelocity().applyRotationQuaternion(Quaternion.Inverse(body.transformNode.rotationQuaternion!))
          .y < -3;
    }
    const after = momentum();
    expect(flipped).toBe(true);
    expect(after.l.subtract(before.l).length() / before.l.length()).toBeLessThan(1e-9);
    expect(Math.abs(after.energy / before.energy - 1)).toBeLessThan(0.02);
  });

  it("fly about their centre of mass", () => {
    const body = makeBody(t.scene, PhysicsMotionType.DYNAMIC, ball());
    body.setMassProperties({ mass: 1, centerOfMass: new Vector3(1, 0, 0) });
    body.setGravityFactor(0);
    body.setAngularDamping(0);
    body.setAngularVelocity(new Vector3(0, 0, Math.PI));
    t.run(60);
    expectVector(body.transformNode.position, 2, 0, 0, 5);
  });

  it("keep to the velocity limits", () => {
    t.physics.setVelocityLimits(5, 2);
    const body = makeBody(t.scene, PhysicsMotionType.DYNAMIC, ball());
    body.setLinearVelocity(new Vector3(30, 0, 40));
    expectVector(body.getLinearVelocity(), 3, 0, 4);
    body.setAngularVelocity(new Vector3(0, 9, 0));
    t.run(120);
    expect(body.getLinearVelocity().length()).toBeLessThan(5 + 1e-9);
    expect(body.getAngularVelocity().length()).toBeLessThan(2 + 1e-9);
  });

  it("lead a node below a moved, turned and scaled parent", () => {
    const parent = new TransformNode("parent", t.scene);
    parent.position.set(0, 5, 0);
    parent.rotation.set(0, 0, Math.PI / 2);
    parent.scaling.setAll(2);
    const node = new TransformNode("child", t.scene);
    node.parent = parent;
    node.position.set(1, 0, 0);
    const body = new PhysicsBody(node, PhysicsMotionType.DYNAMIC, false, t.scene);
    body.shape = ball();
    t.run(60);
    expectVector(node.getAbsolutePosition(), 0, 2, 0, 4);
    expectVector(node.scaling, 1, 1, 1);
  });

  it("follow their node where the prestep type says so", () => {
    const teleported = makeBody(t.scene, PhysicsMotionType.DYNAMIC, ball());
    teleported.setGravityFactor(0);
    teleported.disablePreStep = false;
    t.run(1);
    teleported.transformNode.position.set(4, 0, 0);
    t.run(1);
    expectVector(teleported.getBoundingBox().centerWorld, 4, 0, 0);
    expectVector(teleported.getLinearVelocity(), 0, 0, 0);
    const aimed = makeBody(t.scene, PhysicsMotionType.DYNAMIC, ball());
    aimed.setGravityFactor(0);
    aimed.setPrestepType(PhysicsPrestepType.ACTION);
    t.run(1);
    aimed.transformNode.position.set(0.1, 0, 0);
    t.run(1);
    expect(aimed.getLinearVelocity().x).toBeCloseTo(6, 5);
    expectVector(aimed.transformNode.position, 0.1, 0, 0);
  });

  it("leave their node alone where sync is disabled", () => {
    const body = makeBody(t.scene, PhysicsMotionType.DYNAMIC, ball());
    body.disableSync = true;
    t.run(10);
    expectVector(body.transformNode.position, 0, 0, 0);
    const other = new TransformNode("other", t.scene);
    t.plugin.syncTransform(body, other);
    expect(other.position.y).toBeLessThan(-0.1);
  });
});

describe("animated bodies", () => {
  it("move to where their node was put, with the velocity that takes", () => {
    for (const type of [PhysicsPrestepType.DISABLED, PhysicsPrestepType.TELEPORT, PhysicsPrestepType.ACTION]) {
      const body = makeBody(t.scene, PhysicsMotionType.ANIMATED, ball(), new Vector3(1, 0, 0));
      body.setPrestepType(type);
      t.run(1);
      expectVector(body.getLinearVelocity(), 0, 0, 0);
      body.transformNode.position.x = 1.1;
      body.transformNode.rotationQuaternion = Quaternion.RotationAxis(Vector3.Up(), 0.05);
      t.run(1);
      expect(body.getLinearVelocity().x).toBeCloseTo(6, 4);
      expect(body.getAngularVelocity().y).toBeCloseTo(3, 3);
      expect(body.transformNode.position.x).toBe(1.1);
      t.run(1);
      expectVector(body.getLinearVelocity(), 0, 0, 0);
    }
  });

  it("go to a target in one frame and stay there", () => {
    const body = makeBody(t.scene, PhysicsMotionType.ANIMATED, ball());
    const turn = Quaternion.RotationAxis(new Vector3(1, 0, 0), 0.3);
    body.setTargetTransform(new Vector3(0, 1, 0), turn);
    t.run(1);
    expectVector(body.transformNode.position, 0, 1, 0);
    expect(body.getLinearVelocity().y).toBeCloseTo(60, 6);
    expect(body.getAngularVelocity().x).toBeCloseTo(18, 6);
    t.run(3);
    expectVector(body.transformNode.position, 0, 1, 0);
    expectVector(body.getLinearVelocity(), 0, 0, 0);
  });

  it("spread the way over the steps of a frame", () => {
    t.physics.setTimeStep(1 / 120);
    const body = makeBody(t.scene, PhysicsMotionType.ANIMATED, ball());
    const way: number[] = [];
    t.plugin.onAfterStepObservable.add(() => way.push(body.getBoundingBox().centerWorld.x));
    t.run(1);
    body.transformNode.position.x = 1;
    t.run(1);
    expect(way.map((x) => Math.round(1000 * x) / 1000)).toEqual([0, 0, 0.5, 1]);
  });

  it("coast with the velocity they were given, and take no gravity", () => {
    const body = makeBody(t.scene, PhysicsMotionType.ANIMATED, ball());
    body.setLinearVelocity(new Vector3(1, 0, 0));
    body.setAngularVelocity(new Vector3(0, Math.PI / 2, 0));
    body.applyImpulse(new Vector3(0, 100, 0), Vector3.Zero());
    t.run(60);
    expectVector(body.transformNode.position, 1, 0, 0);
    expectVector(Vector3.Right().applyRotationQuaternion(body.transformNode.rotationQuaternion!), 0, 0, -1, 5);
  });

  it("follow a parent", () => {
    const parent = new TransformNode("parent", t.scene);
    const body = makeBody(t.scene, PhysicsMotionType.ANIMATED, ball());
    body.transformNode.parent = parent;
    t.run(1);
    parent.position.y = 0.5;
    t.run(1);
    expect(body.getLinearVelocity().y).toBeCloseTo(30, 4);
    expectVector(body.transformNode.position, 0, 0, 0);
  });
});

describe("static bodies", () => {
  it("stand where their node stands, and have no velocity", () => {
    const body = makeBody(t.scene, PhysicsMotionType.STATIC, ball());
    t.run(1);
    body.transformNode.position.set(3, 0, 0);
    t.run(1);
    expectVector(body.getBoundingBox().centerWorld, 3, 0, 0);
    expectVector(body.getLinearVelocity(), 0, 0, 0);
    body.setLinearVelocity(new Vector3(1, 0, 0));
    t.run(1);
    expectVector(body.transformNode.position, 3, 0, 0);
  });

  it("become dynamic and back", () => {
    const body = makeBody(t.scene, PhysicsMotionType.STATIC, ball());
    expect(body.getMotionType()).toBe(PhysicsMotionType.STATIC);
    body.setMotionType(PhysicsMotionType.DYNAMIC);
    t.run(30);
    const { y } = body.transformNode.position;
    expect(y).toBeLessThan(-1);
    body.setMotionType(PhysicsMotionType.STATIC);
    t.run(30);
    expect(body.transformNode.position.y).toBe(y);
  });
});

describe("thin instances", () => {
  it("are bodies of their own", () => {
    const mesh = CreateBox("boxes", { size: 1 }, t.scene);
    mesh.thinInstanceAdd([Matrix.Translation(0, 0, 0), Matrix.Translation(5, 1, 0)]);
    const body = new PhysicsBody(mesh, PhysicsMotionType.DYNAMIC, false, t.scene);
    body.shape = brick();
    expect(body.numInstances).toBe(2);
    body.setGravityFactor(0, 0);
    body.setLinearVelocity(new Vector3(0, 0, 1), 1);
    t.run(60);
    const m = mesh._thinInstanceDataStorage.matrixData!;
    expect(m[13]).toBeCloseTo(0, 5);
    expect([m[16 + 12], m[16 + 13], m[16 + 14]].map((v) => Math.round(1e4 * v) / 1e4)).toEqual([5, -4, 1]);
    expect(body.getLinearVelocity(1).y).toBeCloseTo(-10, 6);
    expect(t.plugin.rigid.bodies).toHaveLength(2);
  });

  it("may be scaled and stand below a moved mesh", () => {
    const mesh = CreateBox("boxes", { size: 1 }, t.scene);
    mesh.position.set(0, 10, 0);
    mesh.thinInstanceAdd(Matrix.Scaling(2, 2, 2).multiply(Matrix.Translation(1, 0, 0)));
    const body = new PhysicsBody(mesh, PhysicsMotionType.DYNAMIC, false, t.scene);
    body.shape = new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), Vector3.One(), t.scene);
    const box = body.getBoundingBox();
    expectVector(box.minimum, 0, 9, -1, 5);
    expectVector(box.maximum, 2, 11, 1, 5);
    t.run(60);
    const m = mesh._thinInstanceDataStorage.matrixData!;
    expect(m[0]).toBeCloseTo(2, 5);
    expect(m[13]).toBeCloseTo(-5, 4);
  });

  it("come and go", () => {
    const mesh = CreateBox("boxes", { size: 1 }, t.scene);
    mesh.thinInstanceAdd(Matrix.Translation(0, 0, 0));
    const body = new PhysicsBody(mesh, PhysicsMotionType.ANIMATED, false, t.scene);
    body.shape = ball();
    mesh.thinInstanceAdd([Matrix.Translation(1, 0, 0), Matrix.Translation(2, 0, 0)]);
    body.updateBodyInstances();
    expect(body.numInstances).toBe(3);
    t.run(1);
    expect(t.plugin.rigid.bodies).toHaveLength(3);
    mesh.thinInstanceSetMatrixAt(2, Matrix.Translation(2, 0.1, 0));
    t.run(1);
    expect(body.getLinearVelocity(2).y).toBeCloseTo(6, 3);
    expect(body.getLinearVelocity(1).y).toBe(0);
    mesh.thinInstanceCount = 1;
    body.updateBodyInstances();
    expect(body.numInstances).toBe(1);
    expect(t.plugin.rigid.bodies).toHaveLength(1);
    body.dispose();
    expect(t.plugin.rigid.bodies).toHaveLength(0);
  });
});

describe("colliders in the engine", () => {
  /** They exist while there is a deformable body, from the next step on. */
  const collidersAfterStep = (): readonly Collider[] => {
    t.run(1);
    return t.plugin.world.colliders;
  };
  beforeEach(() => {
    new ClothAggregate(makeSheet(t.scene, 0.1, 1, 50), { bodyCollision: false, gravityFactor: 0 }, t.scene);
  });

  it("are one for a body, and one for each friction in a container", () => {
    const container = new PhysicsShapeContainer(t.scene);
    container.addChild(ball(), new Vector3(1, 0, 0));
    container.addChild(brick(), new Vector3(-1, 0, 0));
    const body = makeBody(t.scene, PhysicsMotionType.STATIC, container);
    expect(collidersAfterStep()).toHaveLength(1);
    const ice = ball();
    ice.material = { friction: 0 };
    container.addChild(ice);
    expect(collidersAfterStep()).toHaveLength(2);
    ice.isTrigger = true;
    expect(collidersAfterStep()).toHaveLength(1);
    container.filterCollideMask = 0;
    expect(collidersAfterStep()).toHaveLength(0);
    expect(body.getBoundingBox().maximum.x).toBeCloseTo(1.5, 9);
  });

  it("are kept when only the material changes, and shared shapes change for all bodies", () => {
    const shape = ball();
    makeBody(t.scene, PhysicsMotionType.STATIC, shape);
    makeBody(t.scene, PhysicsMotionType.STATIC, shape, new Vector3(5, 0, 0));
    const [first, second] = collidersAfterStep();
    shape.material = { friction: 0.9, frictionCombine: 0 };
    expect(collidersAfterStep()).toEqual([first, second]);
    expect([first.friction, second.friction]).toEqual([0.9, 0.9]);
  });

  it("go when the shape is taken away, and with the node", () => {
    const body = makeBody(t.scene, PhysicsMotionType.STATIC, ball());
    expect(collidersAfterStep()).toHaveLength(1);
    body.shape = null;
    expect(collidersAfterStep()).toHaveLength(0);
    body.shape = ball();
    expect(collidersAfterStep()).toHaveLength(1);
    body.transformNode.dispose();
    expect(collidersAfterStep()).toHaveLength(0);
    expect(t.physics.getBodies()).toHaveLength(0);
  });

  it("come with an aggregate, and a clone of a body, and go with the last that is deformable", () => {
    const mesh = CreateBox("box", { size: 2 }, t.scene);
    const aggregate = new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass: 4, friction: 0.3 }, t.scene);
    expect(aggregate.body.getMassProperties().mass).toBe(4);
    const clone = aggregate.body.clone(new TransformNode("clone", t.scene));
    expect(clone.getMassProperties().mass).toBe(4);
    expect(collidersAfterStep()).toHaveLength(2);
    aggregate.dispose();
    expect(collidersAfterStep()).toHaveLength(1);
    t.plugin.clothAggregates[0].dispose();
    expect(collidersAfterStep()).toHaveLength(0);
  });

  it("show viewers their triangles", () => {
    const body = makeBody(t.scene, PhysicsMotionType.STATIC, brick());
    const { positions, indices } = body.getGeometry() as { positions: Float32Array; indices: Uint32Array };
    expect(indices).toHaveLength(36);
    expect(Math.max(...positions)).toBe(1.5);
  });
});
