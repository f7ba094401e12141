import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Logger } from "@babylonjs/core/Misc/logger";
import {
  PhysicsConstraintAxis,
  PhysicsMotionType,
  PhysicsPrestepType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { LockConstraint, Physics6DoFConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint";
import { PhysicsShapeBox, PhysicsShapeContainer } from "@babylonjs/core/Physics/v2/physicsShape";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ClothAggregate, type PhysicsProblem } from "../../plugin/index";
import { makeBody, makeSheet, testScene, type TestScene } from "./fixtures";

const { STATIC, ANIMATED, DYNAMIC } = PhysicsMotionType;

let t: TestScene;
let problems: PhysicsProblem[];
let warn: ReturnType<typeof vi.spyOn>;
beforeEach(async () => {
  warn = vi.spyOn(Logger, "Warn").mockImplementation(() => undefined);
  t = await testScene();
  problems = [];
  t.plugin.onProblemObservable.add((problem) => problems.push(problem));
});
afterEach(() => {
  warn.mockRestore();
  t.dispose();
});

const box = (): PhysicsShapeBox =>
  new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(1, 1, 1), t.scene);

/** A ground with a crate that must stay undisturbed, and the body that gets the problem. */
function scene(motionType: PhysicsMotionType): { crate: PhysicsBody; body: PhysicsBody } {
  const ground = new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(20, 1, 20), t.scene);
  makeBody(t.scene, STATIC, ground, new Vector3(0, -0.5, 0));
  const crate = makeBody(t.scene, DYNAMIC, box(), new Vector3(0, 0.5, 0));
  const body = makeBody(t.scene, motionType, box(), new Vector3(4, 0.5, 0));
  t.run(2);
  return { crate, body };
}

function expectOne(subject: unknown, ...parts: string[]): void {
  expect(problems).toHaveLength(1);
  expect(problems[0].subject === subject).toBe(true);
  for (const part of parts) expect(problems[0].error.message).toContain(part);
  expect(warn).toHaveBeenCalledTimes(1);
}

describe("a body that cannot be simulated", () => {
  it.each([
    ["static", STATIC, PhysicsPrestepType.DISABLED],
    ["animated", ANIMATED, PhysicsPrestepType.DISABLED],
    ["dynamic, teleported", DYNAMIC, PhysicsPrestepType.TELEPORT],
    ["dynamic, aimed", DYNAMIC, PhysicsPrestepType.ACTION],
  ])("is left out while its node is nowhere: %s", (_, motionType, prestep) => {
    const { crate, body } = scene(motionType);
    body.setPrestepType(prestep);
    for (const nowhere of [new Vector3(NaN, 0, 0), new Vector3(0, Infinity, 0)]) {
      problems = [];
      warn.mockClear();
      body.transformNode.position.copyFrom(nowhere);
      t.run(20);
      expectOne(body, "node");
      expect(t.physics.raycast(new Vector3(4, 5, 0), new Vector3(4, 0.1, 0)).hasHit).toBe(false);
      // and returns with it
      body.transformNode.position.set(4, 0.5, 0);
      t.run(10);
      expect(t.physics.raycast(new Vector3(4, 5, 0), new Vector3(4, 0.1, 0)).hitPoint.y).toBeCloseTo(1, 2);
      expect(problems).toHaveLength(1);
    }
    expect(crate.transformNode.position.y).toBeCloseTo(0.5, 2);
  });

  it("does not mind what is done to the node of a body that leads it", () => {
    const { body } = scene(DYNAMIC);
    body.transformNode.position.set(NaN, NaN, NaN);
    body.applyImpulse(new Vector3(0, 50, 0), new Vector3(4, 0.5, 0));
    t.run(1);
    expect(body.transformNode.position.x).toBeCloseTo(4, 3);
    // with a parent of size zero the node cannot follow; it does once the parent has a size
    const parent = new TransformNode("parent", t.scene);
    body.transformNode.parent = parent;
    for (const scale of [0, NaN]) {
      parent.scaling.setAll(scale);
      body.setLinearVelocity(new Vector3(1, 5, 0));
      t.run(2);
      parent.scaling.setAll(2);
      t.run(1);
      const { transformNode } = body;
      transformNode.computeWorldMatrix(true);
      expect(transformNode.absolutePosition.x).toBeGreaterThan(4.01);
      expect(Number.isFinite(transformNode.absolutePosition.y)).toBe(true);
    }
    expect(problems).toHaveLength(0);
  });

  it("keeps its orientation while its node is hidden by its scaling", () => {
    const turn = Quaternion.RotationAxis(Vector3.Forward(), Math.PI / 4);
    const body = makeBody(t.scene, STATIC, box(), new Vector3(4, 0, 0), turn);
    t.run(1);
    const top = (): number => t.physics.raycast(new Vector3(4, 5, 0.1), new Vector3(4, -5, 0.1)).hitPoint.y;
    for (const scale of [0, 1]) {
      body.transformNode.scaling.setAll(scale);
      t.run(2);
      expect(top()).toBeCloseTo(Math.SQRT1_2, 3);
    }
    expect(problems).toHaveLength(0);
  });

  it("is left out while its shape cannot be, and comes back with another", () => {
    const { crate, body } = scene(DYNAMIC);
    const container = new PhysicsShapeContainer(t.scene);
    container.addChild(box(), Vector3.Zero(), Quaternion.Identity(), new Vector3(1, 1, 1));
    body.shape = container;
    t.run(2);
    container.addChild(box(), new Vector3(1e200, 0, 0), Quaternion.Identity(), new Vector3(1e200, 1, 1));
    t.run(20);
    expectOne(body, "node");
    expect(crate.transformNode.position.y).toBeCloseTo(0.5, 2);
    body.shape = box();
    t.run(20);
    expect(problems).toHaveLength(1);
    expect(body.transformNode.position.y).toBeCloseTo(0.5, 2);
  });

  it("is left out where a solver has lost it, with those that it took along", () => {
    const { crate, body } = scene(DYNAMIC);
    const other = makeBody(t.scene, DYNAMIC, box(), new Vector3(4, 1.5, 0));
    t.run(5);
    const { pose } = t.plugin.rigid.dynamics.bodies.state;
    const lost = t.plugin.rigid.bodies.find((b) => b.motion === "dynamic" && b.position[0] > 3 && b.position[1] > 1)!;
    pose[7 * lost.record.slot] = NaN;
    t.run(20);
    expect(problems.some(({ subject }) => subject === other)).toBe(true);
    for (const { transformNode } of [crate, body, other])
      expect(transformNode.position.asArray().every(Number.isFinite)).toBe(true);
    expect(crate.transformNode.position.y).toBeCloseTo(0.5, 2);
    other.setLinearVelocity(new Vector3(0, 3, 0));
    const height = other.transformNode.position.y;
    t.run(5);
    expect(other.transformNode.position.y).toBeGreaterThan(height + 0.1);
  });

  it("is one instance of many, such as one that is hidden by its scaling", () => {
    const mesh = CreateBox("many", { size: 1 }, t.scene);
    const at = (x: number, scale: number): Matrix =>
      Matrix.Compose(new Vector3(scale, scale, scale), Quaternion.Identity(), new Vector3(x, 0, 0));
    const matrices = [at(0, 1), at(3, 0), at(6, 1), at(9, NaN)];
    mesh.thinInstanceSetBuffer("matrix", Float32Array.from(matrices.flatMap((m) => [...m.asArray()])), 16, false);
    const body = new PhysicsBody(mesh, STATIC, false, t.scene);
    body.shape = box();
    t.run(3);
    const hits = (): boolean[] =>
      [0, 3, 6, 9].map((x) => t.physics.raycast(new Vector3(x, 5, 0), new Vector3(x, -5, 0)).hasHit);
    expect(hits()).toEqual([true, false, true, false]);
    expect(problems.map(({ index }) => index)).toEqual([1, 3]);
    mesh.thinInstanceSetMatrixAt(1, at(3, 1));
    t.run(1);
    expect(hits()).toEqual([true, true, true, false]);
  });
});

describe("a constraint that cannot hold", () => {
  it("goes with the instance, or the body, that it holds, and waits for one that is left out", () => {
    const { crate } = scene(STATIC);
    const mesh = CreateBox("many", { size: 0.5 }, t.scene);
    const at = [-3, -2].map((x) => Matrix.Translation(x, 2, 0));
    mesh.thinInstanceAdd(at);
    const many = new PhysicsBody(mesh, DYNAMIC, false, t.scene);
    many.shape = box();
    const base = makeBody(t.scene, ANIMATED, undefined, new Vector3(-3, 2, 0));
    const lock = (): LockConstraint =>
      new LockConstraint(Vector3.Zero(), Vector3.Zero(), Vector3.Right(), Vector3.Right(), t.scene);
    many.shape.filterCollideMask = 0;
    base.addConstraint(many, lock(), 0, 1);
    t.run(2);
    mesh.thinInstanceCount = 1;
    many.updateBodyInstances();
    t.run(2);
    expect(t.plugin.rigid.joints).toHaveLength(0);
    base.addConstraint(crate, lock());
    t.run(2);
    base.transformNode.position.x = NaN;
    t.run(5);
    expectOne(base, "node");
    expect(t.plugin.rigid.joints).toHaveLength(0);
    base.transformNode.position.x = -3;
    t.run(60);
    expect(t.plugin.rigid.joints).toHaveLength(1);
    expect(Vector3.Distance(crate.transformNode.position, new Vector3(-3, 2, 0))).toBeLessThan(0.01);
    base.dispose();
    t.run(2);
    expect(t.plugin.rigid.joints).toHaveLength(0);
    expect(problems).toHaveLength(1);
  });
});

describe("what deforms", () => {
  it("stays where it was carried while the node that carries it is nowhere", async () => {
    const sheet = makeSheet(t.scene, 1, 4);
    const node = new TransformNode("hand", t.scene);
    const other = new TransformNode("other hand", t.scene);
    const cloth = new ClothAggregate(sheet, {}, t.scene);
    void cloth.attach([0], node);
    void cloth.attach([4], other);
    t.run(2);
    node.position.y = NaN;
    other.position.y = 0.1;
    t.run(20);
    expectOne(cloth, "hand");
    const height = async (vertex: number): Promise<number> => (await cloth.readPositions())[3 * vertex + 1];
    expect(await height(0)).toBeCloseTo(1, 4);
    expect(await height(4)).toBeCloseTo(1.1, 4);
    node.position.y = 0.2;
    t.run(1);
    expect(await height(0)).toBeCloseTo(1.2, 4);
    expect(problems).toHaveLength(1);
  });
});

describe("a frame", () => {
  it("is drawn whatever is wrong in it", () => {
    const { crate, body } = scene(ANIMATED);
    const options = { perpAxisA: Vector3.Right(), perpAxisB: Vector3.Right() };
    const limits = [{ axis: PhysicsConstraintAxis.LINEAR_DISTANCE, minLimit: 1, maxLimit: 2 }];
    body.addConstraint(crate, new Physics6DoFConstraint(options, limits, t.scene));
    for (const timeStep of [1 / 60, 0, 1 / 120]) {
      t.physics.setTimeStep(timeStep);
      for (const x of [4, NaN, 5]) {
        body.transformNode.position.x = x;
        for (let i = 0; i < 3; i++) t.scene.render();
      }
    }
    expect(problems.every(({ subject }) => subject === body)).toBe(true);
    expect(crate.transformNode.position.asArray().every(Number.isFinite)).toBe(true);
  });

  it("ends in peace when an observer disposes of bodies, or of the plugin, in the middle", () => {
    const { crate, body } = scene(DYNAMIC);
    crate.setCollisionCallbackEnabled(true);
    t.plugin.onCollisionObservable.addOnce(() => crate.dispose());
    t.run(3);
    expect(crate.isDisposed).toBe(true);
    t.plugin.onBeforeStepObservable.addOnce(() => body.dispose());
    t.run(3);
    t.plugin.onAfterStepObservable.addOnce(() => t.plugin.dispose());
    t.run(3);
    expect(problems).toHaveLength(0);
  });

  it("hands on what an observer of the user throws", () => {
    scene(DYNAMIC).body.setCollisionCallbackEnabled(true);
    t.plugin.onCollisionObservable.addOnce(() => {
      throw new Error("of the user");
    });
    expect(() => t.run(5)).toThrow("of the user");
    t.run(5);
    expect(problems).toHaveLength(0);
  });
});
