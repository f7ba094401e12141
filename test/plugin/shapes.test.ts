import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateCapsule } from "@babylonjs/core/Meshes/Builders/capsuleBuilder";
import { CreateCylinder } from "@babylonjs/core/Meshes/Builders/cylinderBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateIcoSphere } from "@babylonjs/core/Meshes/Builders/icoSphereBuilder";
import { CreatePlane } from "@babylonjs/core/Meshes/Builders/planeBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import {
  PhysicsShape,
  PhysicsShapeBox,
  PhysicsShapeContainer,
  PhysicsShapeMesh,
  PhysicsShapeSphere,
} from "@babylonjs/core/Physics/v2/physicsShape";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate } from "../../plugin/index";
import { makeBody, makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

const THICKNESS = 0.004;

/** Lowest and highest point of a small sheet that fell from 3 cm above a height. */
async function drop(top: number, x = 0, z = 0): Promise<{ low: number; high: number }> {
  const sheet = makeSheet(t.scene, 0.1, 4, top + 0.03);
  sheet.position.x = x;
  sheet.position.z = z;
  const cloth = new ClothAggregate(sheet, { fabric: "denim", thickness: THICKNESS, friction: 1 }, t.scene);
  t.run(30);
  const positions = await cloth.readPositions();
  const heights = positions.filter((_, i) => i % 3 === 1);
  cloth.dispose();
  sheet.dispose();
  return { low: Math.min(...heights), high: Math.max(...heights) };
}

type Case = [name: string, type: PhysicsShapeType, make: (scene: Scene) => Mesh, top: number];

/** Meshes with a flat or nearly flat top that Babylon turns into shapes by itself. */
const cases: Case[] = [
  ["box", PhysicsShapeType.BOX, (s) => CreateBox("box", { width: 1, height: 0.5, depth: 1 }, s), 0.25],
  ["sphere", PhysicsShapeType.SPHERE, (s) => CreateSphere("ball", { diameter: 4 }, s), 2],
  ["capsule", PhysicsShapeType.CAPSULE, (s) => CreateCapsule("capsule", { radius: 1, height: 4 }, s), 2],
  ["cylinder", PhysicsShapeType.CYLINDER, (s) => CreateCylinder("can", { height: 1, diameter: 1 }, s), 0.5],
  ["hull", PhysicsShapeType.CONVEX_HULL, (s) => CreateCylinder("hull", { height: 1, diameter: 1 }, s), 0.5],
  ["mesh", PhysicsShapeType.MESH, (s) => CreateBox("mesh", { size: 1 }, s), 0.5],
  [
    "heightfield",
    PhysicsShapeType.HEIGHTFIELD,
    (s) => CreateGround("ground", { width: 1, height: 1, subdivisions: 4 }, s),
    0,
  ],
];

describe("cloth lands on", () => {
  it.each(cases)("a %s, standing, turned and scaled", async (_, type, make, top) => {
    const mesh = make(t.scene);
    mesh.position.set(0.3, 1, -0.2);
    mesh.rotation.y = 0.7;
    mesh.scaling.setAll(1.5);
    new PhysicsAggregate(mesh, type, { mass: 0, friction: 1 }, t.scene);
    const surface = 1 + 1.5 * top;
    const { low, high } = await drop(surface, 0.3, -0.2);
    // the surface of a ball descends by 1 mm over the half width of the sheet
    expect(low).toBeGreaterThan(surface + THICKNESS - 0.003);
    expect(high).toBeLessThan(surface + THICKNESS + 0.006);
  });

  it("a container of shapes, each where it was put", async () => {
    const container = new PhysicsShapeContainer(t.scene);
    const cube = new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), Vector3.One(), t.scene);
    const turn = Quaternion.RotationAxis(new Vector3(0, 0, 1), Math.PI / 2);
    container.addChild(cube, new Vector3(2, 0, 0));
    container.addChild(cube, new Vector3(-2, 0, 0), turn, new Vector3(1.4, 1, 1));
    const inner = new PhysicsShapeContainer(t.scene);
    inner.addChild(new PhysicsShapeSphere(Vector3.Zero(), 1, t.scene), new Vector3(0, 0.1, 0));
    container.addChild(inner, new Vector3(0, -0.8, 0));
    makeBody(t.scene, PhysicsMotionType.STATIC, container, new Vector3(0, 1, 0));
    expect((await drop(1.5, 2)).low).toBeCloseTo(1.5 + THICKNESS, 2);
    expect((await drop(1.7, -2)).low).toBeCloseTo(1.7 + THICKNESS, 2);
    expect((await drop(1.3, 0)).high).toBeCloseTo(1.3 + THICKNESS, 2);
  });

  it("a ground mesh that is open below, from either handedness of the scene", async () => {
    for (const rightHanded of [false, true]) {
      t.scene.useRightHandedSystem = rightHanded;
      const ground = CreateGround("ground", { width: 1, height: 1, subdivisions: 3 }, t.scene);
      const aggregate = new PhysicsAggregate(ground, PhysicsShapeType.MESH, { mass: 0 }, t.scene);
      expect((await drop(0)).low).toBeGreaterThan(THICKNESS - 0.002);
      aggregate.dispose();
      ground.dispose();
    }
  });

  it("a ground and a plane that Babylon makes flat boxes of", async () => {
    const ground = CreateGround("ground", { width: 2, height: 2 }, t.scene);
    ground.position.y = 0.5;
    const flat = new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0, friction: 1 }, t.scene);
    expect(flat.body.getBoundingBox().maximumWorld.y).toBeCloseTo(0.5, 5);
    const { low, high } = await drop(0.5);
    expect(low).toBeGreaterThan(0.5 + THICKNESS - 0.001);
    expect(high).toBeLessThan(0.5 + THICKNESS + 0.004);
    flat.dispose();
    const plane = CreatePlane("plane", { size: 2 }, t.scene);
    plane.rotation.x = Math.PI / 2;
    const aggregate = new PhysicsAggregate(plane, PhysicsShapeType.BOX, { mass: 0, friction: 1 }, t.scene);
    expect(aggregate.body.getBoundingBox().maximumWorld.y).toBeCloseTo(0, 5);
    expect((await drop(0)).low).toBeGreaterThan(THICKNESS - 0.001);
  });

  it("a mirrored mesh and the children below it", async () => {
    const root = new TransformNode("root", t.scene);
    root.scaling.set(1, 1, -1);
    const mesh = CreateBox("box", { size: 0.2 }, t.scene);
    mesh.parent = root;
    const child = CreateIcoSphere("ball", { radius: 0.5, subdivisions: 2 }, t.scene);
    child.parent = mesh;
    child.position.set(0, 0, 1.5);
    const shape = new PhysicsShapeMesh(mesh, t.scene);
    expect(shape.getBoundingBox().maximum.z).toBeCloseTo(0.1, 5);
    const whole = new PhysicsShape(
      { type: PhysicsShapeType.MESH, parameters: { mesh, includeChildMeshes: true } },
      t.scene,
    );
    const aggregate = new PhysicsAggregate(mesh, whole, { mass: 0 }, t.scene);
    const { minimumWorld, maximumWorld } = aggregate.body.getBoundingBox();
    // the mirror puts the child on the other side
    expect(minimumWorld.z).toBeCloseTo(-2, 1);
    expect(maximumWorld.z).toBeCloseTo(0.1, 5);
    expect((await drop(0.5, 0, -1.5)).high).toBeGreaterThan(0.48);
  });
});

describe("heights", () => {
  /** A ground that rises with x and falls with z, not square. */
  const height = (x: number, z: number): number => 0.3 * x - 0.2 * z + 0.05 * x * z;

  it("of a ground mesh lie where the mesh is drawn", () => {
    const ground = CreateGround("ground", { width: 4, height: 2, subdivisionsX: 8, subdivisionsY: 4 }, t.scene);
    ground.updateMeshPositions((positions) => {
      for (let i = 0; i < positions.length; i += 3) positions[i + 1] = height(positions[i], positions[i + 2]);
    });
    ground.position.set(1, 2, 3);
    ground.scaling.set(1, 2, 1);
    new PhysicsAggregate(ground, PhysicsShapeType.HEIGHTFIELD, { mass: 0 }, t.scene);
    for (const [x, z] of [
      [-1.5, 0.5],
      [1.5, 0.5],
      [0.5, -1],
      [-2, -0.5],
    ]) {
      const hit = t.physics.raycast(new Vector3(1 + x, 10, 3 + z), new Vector3(1 + x, -10, 3 + z));
      expect(hit.hasHit).toBe(true);
      expect(hit.hitPointWorld.y).toBeCloseTo(2 + 2 * height(x, z), 3);
      expect(hit.hitNormalWorld.y).toBeGreaterThan(0);
    }
  });

  it("given as numbers run along x, from the largest z to the smallest", () => {
    const [columns, rows] = [9, 5];
    const heightFieldData = Float32Array.from({ length: columns * rows }, (_, i) =>
      height(-2 + (4 * (i % columns)) / (columns - 1), 1 - (2 * Math.floor(i / columns)) / (rows - 1)),
    );
    const parameters = {
      heightFieldSizeX: 4,
      heightFieldSizeZ: 2,
      numHeightFieldSamplesX: columns,
      numHeightFieldSamplesZ: rows,
      heightFieldData,
    };
    const node = new TransformNode("field", t.scene);
    const aggregate = new PhysicsAggregate(node, PhysicsShapeType.BOX, { mass: 0 }, t.scene);
    aggregate.body.shape = new PhysicsShapeMesh(CreateBox("small", { size: 0.01 }, t.scene), t.scene);
    t.plugin.initShape(aggregate.body.shape, PhysicsShapeType.HEIGHTFIELD, parameters);
    for (const [x, z] of [
      [-1.5, 0.5],
      [1.5, -0.5],
    ])
      expect(t.physics.raycast(new Vector3(x, 9, z), new Vector3(x, -9, z)).hitPointWorld.y).toBeCloseTo(
        height(x, z),
        3,
      );
  });
});
