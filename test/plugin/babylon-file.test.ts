import { AppendSceneAsync } from "@babylonjs/core/Loading/sceneLoader";
import "@babylonjs/core/Loading/Plugins/babylonFileLoader";
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import "@babylonjs/core/Materials/colorCurves";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Logger } from "@babylonjs/core/Misc/logger";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import {
  PhysicsConstraintAxis,
  PhysicsConstraintMotorType,
  PhysicsMotionType,
  PhysicsShapeType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { HingeConstraint, Physics6DoFConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint";
import { PhysicsShapeBox, PhysicsShapeCapsule, PhysicsShapeContainer } from "@babylonjs/core/Physics/v2/physicsShape";
import { afterEach, expect, it, vi } from "vitest";
import { ClothAggregate, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import { registerScenePhysics } from "../../plugin/saved/index";
import { expectRefusal, testScene, type TestScene } from "./fixtures";

const scenes: TestScene[] = [];
afterEach(() => scenes.splice(0).forEach((t) => t.dispose()));

async function emptyScene(isRightHanded = false): Promise<TestScene> {
  const t = await testScene();
  scenes.push(t);
  t.scene.useRightHandedSystem = isRightHanded;
  registerScenePhysics(t.scene);
  return t;
}

const written = ({ scene }: TestScene): string => JSON.stringify(SceneSerializer.Serialize(scene));

async function loaded(file: string): Promise<TestScene> {
  const t = await emptyScene();
  t.physics.setGravity(Vector3.Zero());
  await AppendSceneAsync(`data:${file}`, t.scene, { pluginExtension: ".babylon" });
  return t;
}

/** Bodies of many kinds: under a parent, of thin instances and instances, of several shapes, with constraints. */
function addRigid({ scene }: TestScene): void {
  const ground = CreateGround("ground", { width: 8, height: 8 }, scene);
  new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0, friction: 0.3 }, scene);
  const parent = new TransformNode("parent", scene);
  parent.position.set(0.5, 0.2, 0);
  parent.rotationQuaternion = Quaternion.RotationYawPitchRoll(0.4, 0, 0.1);
  const box = CreateBox("crate", { width: 0.4, height: 0.6, depth: 0.8 }, scene);
  box.parent = parent;
  box.position.set(1, 2, 1);
  const crate = new PhysicsAggregate(box, PhysicsShapeType.BOX, { mass: 3, friction: 0.3, restitution: 0.6 }, scene);
  crate.body.setLinearVelocity(new Vector3(1, 2, -1));
  crate.body.setAngularDamping(0.7);
  crate.body.setGravityFactor(0.5);
  const ball = CreateSphere("ball", { diameter: 0.5, segments: 6 }, scene);
  ball.position.set(-2, 1, 1);
  new PhysicsAggregate(ball, PhysicsShapeType.CONVEX_HULL, { mass: 2 }, scene);
  const other = ball.createInstance("ball");
  other.position.set(-2, 2, 1.1);
  new PhysicsAggregate(other, PhysicsShapeType.SPHERE, { mass: 1 }, scene);
  const hammer = new TransformNode("hammer", scene);
  hammer.position.set(-1, 3, -2);
  const shape = new PhysicsShapeContainer(scene);
  shape.addChild(new PhysicsShapeCapsule(new Vector3(0.1, 0, 0), new Vector3(0.7, 0.2, 0.1), 0.05, scene));
  const head = new PhysicsShapeBox(Vector3.Zero(), Quaternion.RotationYawPitchRoll(0.2, 0, 0), Vector3.One(), scene);
  head.density = 3000;
  shape.addChild(head, new Vector3(0.8, 0.2, 0), Quaternion.Identity(), new Vector3(0.2, 0.4, 0.2));
  const body = new PhysicsBody(hammer, PhysicsMotionType.DYNAMIC, false, scene);
  body.shape = shape;
  const many = CreateBox("many", { size: 0.2 }, scene);
  many.thinInstanceAdd([0, 1, 2].map((k) => Matrix.Translation(k, 1 + k, -1)));
  const swarm = new PhysicsAggregate(many, PhysicsShapeType.BOX, { mass: 0.5 }, scene);
  swarm.body.setLinearVelocity(new Vector3(0, 1, 0), 1);
  swarm.body.setMassProperties({ mass: 2 }, 2);
  const frame = CreateBox("frame", { size: 0.2 }, scene);
  frame.position.set(2, 2, 2);
  const door = CreateBox("door", { width: 0.8, height: 0.4, depth: 0.1 }, scene);
  door.position.set(2.5, 2, 2);
  const [post, wing] = [frame, door].map((mesh) => {
    const mass = mesh === frame ? 0 : 1;
    return new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass }, scene).body;
  });
  const pivots = [new Vector3(0.1, 0, 0), new Vector3(-0.4, 0, 0)] as const;
  post.addConstraint(wing, new HingeConstraint(...pivots, new Vector3(0, 0, 1), new Vector3(0, 0, 1), scene));
  const slide = { pivotA: new Vector3(0, 0, 1), pivotB: Vector3.Zero(), collision: false };
  const limits = [0, 1, 2, 4, 5].map((axis) => ({
    axis,
    minLimit: axis === 1 ? -0.3 : 0,
    maxLimit: axis === 1 ? 0.2 : 0,
  }));
  const joint = new Physics6DoFConstraint(slide, limits, scene);
  const weight = CreateBox("weight", { size: 0.2 }, scene);
  weight.position.set(2, 2, 3);
  post.addConstraint(new PhysicsAggregate(weight, PhysicsShapeType.BOX, { mass: 1 }, scene).body, joint);
  joint.setAxisMotorType(PhysicsConstraintAxis.ANGULAR_X, PhysicsConstraintMotorType.VELOCITY);
  joint.setAxisMotorTarget(PhysicsConstraintAxis.ANGULAR_X, 3);
  joint.setAxisMotorMaxForce(PhysicsConstraintAxis.ANGULAR_X, Infinity);
}

/** Cloth on a rail and on a bone, a soft body, a twisted rope on a box that falls, and a balloon. */
function addDeformable({ scene }: TestScene): void {
  const rail = CreateBox("rail", { width: 1, height: 0.05, depth: 0.05 }, scene);
  rail.position.set(1, 2, -2.5);
  const sheet = CreateGround("sheet", { width: 1, height: 1, subdivisions: 6 }, scene);
  sheet.position.set(1, 2, -2);
  sheet.rotationQuaternion = Quaternion.RotationYawPitchRoll(0, 0.2, 0.1);
  const cloth = new ClothAggregate(sheet, { pins: [48], fabric: "silk", selfCollision: true }, scene);
  cloth.setWind(new Vector3(2, 0, 1));
  void cloth.attach([0, 1, 2], rail);
  const jelly = CreateBox("jelly", { width: 0.3, height: 0.4, depth: 0.5 }, scene);
  jelly.position.set(-1, 2, 2.4);
  new SoftBodyAggregate(jelly, { youngsModulus: 2e4, resolution: 3, subdivide: 0.06 }, scene);
  const load = CreateBox("load", { size: 0.15 }, scene);
  load.position.set(-2, 2, -0.6);
  new PhysicsAggregate(load, PhysicsShapeType.BOX, { mass: 0.3 }, scene);
  const path = [new Vector3(-3, 2, -1), new Vector3(-2.5, 2.1, -0.7), new Vector3(-2, 2, -0.6)];
  const rope = new RopeAggregate({ path, name: "rope" }, { segments: 8, pins: [0, 1], radius: 0.01, twist: 4 }, scene);
  void rope.attach([8], load);
  const balloon = CreateSphere("balloon", { diameter: 0.4, segments: 6 }, scene);
  balloon.position.set(-3, 2, 2);
  new ClothAggregate(balloon, { pressure: 40, substeps: 12 }, scene);
  const skeleton = new Skeleton("figure", "figure", scene);
  const bone = new Bone("hand", skeleton, null, Matrix.Translation(0, 2, 3));
  const skin = CreateBox("skin", { size: 0.1 }, scene);
  skin.skeleton = skeleton;
  skin.setVerticesData("matricesIndices", new Float32Array(96));
  skin.setVerticesData(
    "matricesWeights",
    Float32Array.from({ length: 96 }, (_, k) => (k % 4 === 0 ? 1 : 0)),
  );
  const scarf = CreateGround("scarf", { width: 0.4, height: 0.4, subdivisions: 4 }, scene);
  scarf.position.set(0, 2, 3);
  void new ClothAggregate(scarf, {}, scene).attach([0, 1], bone, skin);
}

const DEFORMABLE = ["sheet", "jelly", "rope", "balloon", "scarf"];

async function placesOf({ scene, plugin }: TestScene): Promise<Map<string, number[]>> {
  const places = new Map<string, number[]>();
  for (const { physicsBody, name } of [...scene.transformNodes, ...scene.meshes])
    if (physicsBody)
      for (const [k, { position, rotation }] of statesIn(physicsBody))
        places.set(`${name} ${k} ${places.size}`, [...position.asArray(), ...rotation.asArray()]);
  for (const name of DEFORMABLE) {
    const found = plugin.deformableAggregates.find(({ mesh }) => mesh.name === name);
    if (found) places.set(name, [...(await found.readPositions())]);
  }
  return places;
}

type State = { position: Vector3; rotation: Quaternion };
const statesIn = (body: PhysicsBody): [number, State][] =>
  (body.numInstances > 0 ? body._pluginDataInstances : [body._pluginData]).map((state, k) => [k, state as State]);

function largestDifference(a: Map<string, number[]>, b: Map<string, number[]>): [string, number] {
  expect([...b.keys()].sort()).toEqual([...a.keys()].sort());
  return [...a].reduce<[string, number]>(
    (most, [name, values]) => {
      expect(b.get(name)!.length, name).toBe(values.length);
      const off = Math.max(...values.map((value, i) => Math.abs(value - b.get(name)![i])));
      return off > most[1] ? [name, off] : most;
    },
    ["", 0],
  );
}

it.each([
  ["left", 0],
  ["left", 12],
  ["right", 12],
])("all bodies of a %s-handed scene that is saved after %s frames go on when it is loaded", async (hand, before) => {
  const first = await emptyScene(hand === "right");
  addRigid(first);
  addDeformable(first);
  first.run(before);
  const second = await loaded(written(first));
  expect(second.physics.gravity.asArray()).toEqual([0, -10, 0]);
  expect(second.plugin.deformableAggregates.map(({ kind }) => kind)).toEqual([
    "cloth",
    "soft-body",
    "rope",
    "cloth",
    "cloth",
  ]);
  for (const frames of [0, 6]) {
    for (const t of [first, second])
      for (let k = 0; k < frames; k++) {
        // The rail and the bone carry vertices.
        t.scene.getMeshByName("rail")!.position.y += 0.01;
        const bone = t.scene.skeletons[0].bones[0];
        bone.setPosition(bone.getPosition().add(new Vector3(0, 0.01, 0)));
        t.scene.skeletons[0].computeAbsoluteMatrices(true);
        t.run(1);
      }
    const [name, off] = largestDifference(await placesOf(first), await placesOf(second));
    expect(off, `${name} after ${frames} frames`).toBeLessThan(1e-4);
  }
});

it("keeps options, settings and shared shapes, and writes the same file again", async () => {
  const first = await emptyScene();
  addRigid(first);
  addDeformable(first);
  first.run(3);
  const file = written(first);
  const second = await loaded(file);
  const physicsOf = (text: string): Record<string, unknown[]> => {
    const { pliantPhysics } = JSON.parse(text) as { pliantPhysics: Record<string, unknown[]> };
    return pliantPhysics;
  };
  const [a, b] = [physicsOf(file), physicsOf(written(second))];
  expect(b.shapes).toEqual(a.shapes);
  expect(b.constraints.length).toBe(2);
  for (const key of ["limits", "axes", "options", "type", "enabled", "collision"])
    expect(b.constraints.map((one) => (one as Record<string, unknown>)[key])).toEqual(
      a.constraints.map((one) => (one as Record<string, unknown>)[key]),
    );
  const balloon = second.plugin.clothAggregates.find(({ mesh }) => mesh.name === "balloon")!;
  expect(balloon.pressure).toBe(40);
  expect(second.scene.meshes.filter(({ name }) => name === "rope").length).toBe(1);
});

it("waits for the state of a scene on a GPU, and refuses a file without it", async () => {
  const { gpu } = await loadWebGpu();
  const t = await testScene({ backend: "webgpu", gpu });
  scenes.push(t);
  registerScenePhysics(t.scene);
  const sheet = CreateGround("sheet", { width: 0.4, height: 0.4, subdivisions: 4 }, t.scene);
  const cloth = new ClothAggregate(sheet, { pins: [0] }, t.scene);
  t.run(5);
  const complete = await loaded(JSON.stringify(await SceneSerializer.SerializeAsync(t.scene)));
  const there = await complete.plugin.clothAggregates[0].readPositions();
  expect([...there]).toEqual([...(await cloth.readPositions())].map((value) => expect.closeTo(value, 6)));
  const logged = vi.spyOn(Logger, "Error").mockImplementation(() => undefined);
  await loaded(written(t));
  expect(logged.mock.calls.map(([message]) => String(message))).toEqual([expect.stringContaining("SerializeAsync")]);
  logged.mockRestore();
});

it("leaves a scene without registration alone, and refuses to load into one without physics", async () => {
  const first = await emptyScene();
  addRigid(first);
  const file = written(first);
  const plain = await testScene();
  scenes.push(plain);
  await AppendSceneAsync(`data:${file}`, plain.scene, { pluginExtension: ".babylon" });
  expect(plain.physics.getBodies().length).toBe(0);
  const damaged = JSON.parse(file) as { pliantPhysics: { bodies: { node: number }[] } };
  damaged.pliantPhysics.bodies[0].node = 99;
  const logged = vi.spyOn(Logger, "Error").mockImplementation(() => undefined);
  await loaded(JSON.stringify(damaged));
  expect(logged.mock.calls.map(([message]) => String(message))).toEqual([
    expect.stringContaining("PliantPhysics node"),
  ]);
  logged.mockRestore();
  plain.scene.disablePhysicsEngine();
  registerScenePhysics(plain.scene);
  expectRefusal(() => SceneSerializer.Serialize(plain.scene), "invalid-argument", "enablePhysics");
});
