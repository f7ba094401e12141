import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import {
  BallAndSocketConstraint,
  HingeConstraint,
  LockConstraint,
  type PhysicsConstraint,
} from "@babylonjs/core/Physics/v2/physicsConstraint";
import {
  PhysicsShapeBox,
  PhysicsShapeContainer,
  PhysicsShapeConvexHull,
  PhysicsShapeSphere,
} from "@babylonjs/core/Physics/v2/physicsShape";
import { afterEach, beforeEach, expect, it } from "vitest";
import { random } from "../../samples/rigid";
import {
  ClothAggregate,
  ClothDragBehavior,
  DeformableViewer,
  RopeAggregate,
  SceneWind,
  SmoothMesh,
  SoftBodyAggregate,
} from "../../plugin/index";
import { leftBehind } from "../heap";
import { makeBody, makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

const next = random(11);
const zero = Vector3.Zero();
const up = Vector3.Up();

/** Bodies, shapes and constraints are made, take a step or two, and are removed in any order, or only with others. */
function comeAndGo(): object[] {
  const { scene } = t;
  const mesh = CreateBox("hull", { size: 0.3 }, scene);
  const box = new PhysicsShapeBox(zero, Quaternion.Identity(), new Vector3(0.3, 0.2 + 0.1 * next(), 0.3), scene);
  const container = new PhysicsShapeContainer(scene);
  const ball = new PhysicsShapeSphere(zero, 0.1, scene);
  container.addChild(ball, new Vector3(0.1, 0, 0));
  container.addChild(box);
  const shapes = [box, container, new PhysicsShapeConvexHull(mesh, scene)];
  const bodies = shapes.map((shape, k) =>
    makeBody(scene, PhysicsMotionType.DYNAMIC, shape, new Vector3(0.5 * k, 1, 0)),
  );
  for (const body of bodies) {
    body.setCollisionCallbackEnabled(true);
    body.getCollisionObservable().add(() => undefined);
  }
  const constraints: PhysicsConstraint[] = [
    new BallAndSocketConstraint(zero, new Vector3(-0.5, 0, 0), up, up, scene),
    new HingeConstraint(zero, new Vector3(-0.5, 0, 0), up, up, scene),
    new LockConstraint(zero, new Vector3(-1, 0, 0), up, up, scene),
  ];
  bodies[0].addConstraint(bodies[1], constraints[0]);
  bodies[1].addConstraint(bodies[2], constraints[1]);
  bodies[0].addConstraint(bodies[2], constraints[2]);
  const aggregate = new PhysicsAggregate(
    CreateBox("crate", { size: 0.2 }, scene),
    PhysicsShapeType.BOX,
    { mass: 1 },
    scene,
  );
  const node = aggregate.transformNode;
  // Constraints are removed with their bodies, unless they are removed before.
  const handles: { dispose(): void }[] = [...bodies, ...shapes, ball, mesh, aggregate];
  for (const constraint of constraints) if (next() < 0.5) handles.push(constraint);
  t.physics.raycast(new Vector3(0, 5, 0), new Vector3(0, -5, 0));
  for (let left = handles.length; left > 0; left--) {
    if (next() < 0.15) t.run(1);
    handles.splice(Math.floor(next() * left), 1)[0].dispose();
  }
  for (const body of bodies) body.transformNode.dispose();
  node.dispose();
  return [...bodies, ...shapes, ball, ...constraints, aggregate];
}

function addFloor(): void {
  const floor = new PhysicsShapeBox(zero, Quaternion.Identity(), new Vector3(10, 1, 10), t.scene);
  makeBody(t.scene, PhysicsMotionType.STATIC, floor, new Vector3(0, -0.5, 0));
}

it("1500 bodies, their shapes and constraints that come and go leave nothing behind", async () => {
  addFloor();
  const left = await leftBehind(500, comeAndGo);
  t.run(1);
  const { rigid } = t.plugin.world;
  expect([rigid.bodies.length, rigid.joints.length]).toEqual([1, 0]);
  expect(left.objects).toBeLessThan(25);
  expect(left.bytes).toBeLessThan(8000);
});

it("bodies that come and go leave no colliders behind, which they have while something deformable meets them", async () => {
  addFloor();
  const far = makeSheet(t.scene, 0.1, 1, 50);
  new ClothAggregate(far, { substeps: 1, gravityFactor: 0, bodyCollision: false }, t.scene);
  const left = await leftBehind(40, comeAndGo);
  t.run(1);
  const { rigid, colliders, colliderSet } = t.plugin.world;
  expect([rigid.bodies.length, colliders.length, colliderSet.primitiveCount]).toEqual([1, 1, 1]);
  expect(colliderSet.proxies).toHaveLength(0);
  expect(left.objects).toBeLessThan(25);
});

it("cloth that comes and goes, with its mesh or before it, leaves nothing behind", async () => {
  const left = await leftBehind(40, (k) => {
    const mesh = makeSheet(t.scene, 1, 3);
    const cloth = new ClothAggregate(mesh, { substeps: 1 }, t.scene);
    if (k % 10 === 0) t.run(1);
    if (k % 2 === 0) cloth.dispose();
    mesh.dispose();
    return [cloth, cloth.body];
  });
  expect(t.plugin.world.bodies).toHaveLength(0);
  expect(left.objects).toBeLessThan(25);
});

/** A scene with each kind of thing takes a few steps, and goes with its engine. */
async function wholeScene(): Promise<object[]> {
  const one = await testScene();
  const { scene, plugin } = one;
  const floor = new PhysicsShapeBox(zero, Quaternion.Identity(), new Vector3(10, 1, 10), scene);
  makeBody(scene, PhysicsMotionType.STATIC, floor, new Vector3(0, -0.5, 0));
  const crate = CreateBox("crate", { size: 0.2 }, scene);
  crate.position.set(3, 1, 0);
  const rigid = new PhysicsAggregate(crate, PhysicsShapeType.BOX, { mass: 1 }, scene);
  const cloth = new ClothAggregate(makeSheet(scene, 0.5, 3), { substeps: 1, selfCollision: true }, scene);
  const cube = CreateBox("jelly", { size: 0.3 }, scene);
  cube.position.set(-2, 1, 0);
  const jelly = new SoftBodyAggregate(cube, { resolution: 2, substeps: 1 }, scene);
  const path = [new Vector3(3, 2, 0), new Vector3(3, 1.1, 0)];
  const rope = new RopeAggregate({ path, radius: 0.01 }, { segments: 4, attach: { node: crate, at: "end" } }, scene);
  scene.activeCamera!.addBehavior(new ClothDragBehavior());
  const parts = [new SmoothMesh(cloth), new SceneWind({}, scene), new DeformableViewer(scene)];
  (parts[2] as DeformableViewer).show(cloth);
  await plugin.whenReadyAsync();
  one.run(3);
  await plugin.world.settled();
  one.dispose();
  return [scene, plugin, plugin.world, rigid, cloth, cloth.body, jelly, jelly.body, rope, rope.body, ...parts];
}

it("scenes that are made and disposed of fifty times leave nothing behind", async () => {
  const left = await leftBehind(50, wholeScene);
  expect(left.objects).toBeLessThan(30);
  expect(left.bytes).toBeLessThan(40_000);
});
