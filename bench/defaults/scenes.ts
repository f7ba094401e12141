// Scenes of aggregates with default options, one line of user code each where that is possible.

import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateCapsule } from "@babylonjs/core/Meshes/Builders/capsuleBuilder";
import { CreateCylinder } from "@babylonjs/core/Meshes/Builders/cylinderBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateIcoSphere } from "@babylonjs/core/Meshes/Builders/icoSphereBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { ClothAggregate, type PliantPlugin, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import { SkinnedFigure } from "../../samples/gallery/figures";
import { dancePoses, dancer } from "../../samples/figure";
import { standingBunny } from "../../samples/meshes";
import { vestMesh } from "../../samples/vest-pattern";

/** The work of a scene before a frame. */
type BeforeFrame = (frame: number) => void;

export interface DefaultScene {
  readonly name: string;
  build(scene: Scene, plugin: PliantPlugin): Promise<BeforeFrame | undefined> | BeforeFrame | undefined;
}

const FRAME = 1 / 60;

export const defaultScenes: readonly DefaultScene[] = [
  ...[32, 64].flatMap((segments) => [pinned(segments), onBall(segments)]),
  ...["mesh", "hull", "box", "capsule", "cylinder", "ground"].map(onTable),
  softBody("cube", (scene) => CreateBox("cube", { size: 0.5, updatable: true }, scene)),
  softBody("ball", (scene) => CreateIcoSphere("ball", { radius: 0.25, subdivisions: 3, updatable: true }, scene)),
  softBody("bunny", (scene) => meshOf("bunny", standingBunny(0.5), scene)),
  { name: "rope", build: rope },
  { name: "balloon", build: balloon },
  { name: "vest", build: vest },
  { name: "three balls in a shaken box", build: (scene) => shaken(scene, 0.15) },
  { name: "three balls in a box at rest", build: (scene) => shaken(scene, 0) },
];

function floor(scene: Scene): void {
  const ground = CreateBox("floor", { width: 20, depth: 20, height: 1 }, scene);
  ground.position.y = -0.5;
  new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0 }, scene);
}

function sheet(segments: number, size: number, height: number, scene: Scene): Mesh {
  const mesh = CreateGround("cloth", { width: size, height: size, subdivisions: segments, updatable: true }, scene);
  mesh.position.y = height;
  return mesh;
}

function pinned(segments: number): DefaultScene {
  return {
    name: `cloth ${segments}² pinned`,
    build(scene) {
      new ClothAggregate(sheet(segments, 1, 1.5, scene), { pins: [0, segments] }, scene);
      return undefined;
    },
  };
}

function onBall(segments: number): DefaultScene {
  return {
    name: `cloth ${segments}² on a ball`,
    build(scene) {
      floor(scene);
      const ball = CreateSphere("ball", { diameter: 0.6 }, scene);
      ball.position.y = 0.6;
      new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 0 }, scene);
      new ClothAggregate(sheet(segments, 1, 1, scene), {}, scene);
      return undefined;
    },
  };
}

/** A cloth of 961 vertices that falls on a table, or on what else has some shape. */
function onTable(shape: string): DefaultScene {
  return {
    name: `tablecloth on ${shape}`,
    build(scene) {
      floor(scene);
      const things: Record<string, () => [Mesh, PhysicsShapeType]> = {
        mesh: () => [table(scene), PhysicsShapeType.MESH],
        hull: () => [tableTop(scene), PhysicsShapeType.CONVEX_HULL],
        box: () => [tableTop(scene), PhysicsShapeType.BOX],
        capsule: () => [
          at(0.6, CreateCapsule("log", { radius: 0.15, height: 1, orientation: Vector3.Right() }, scene)),
          PhysicsShapeType.CAPSULE,
        ],
        cylinder: () => [
          at(0.7, CreateCylinder("round", { diameter: 0.8, height: 0.06 }, scene)),
          PhysicsShapeType.CYLINDER,
        ],
        ground: () => [hills(scene), PhysicsShapeType.MESH],
      };
      const [thing, type] = things[shape]();
      new PhysicsAggregate(thing, type, { mass: 0 }, scene);
      const cloth = CreateGround("cloth", { width: 1.5, height: 1.2, subdivisions: 30, updatable: true }, scene);
      new ClothAggregate(at(0.9, cloth), {}, scene);
      return undefined;
    },
  };
}

function at(height: number, mesh: Mesh): Mesh {
  mesh.position.y = height;
  return mesh;
}

function tableTop(scene: Scene): Mesh {
  return at(0.72, CreateBox("top", { width: 1, depth: 0.6, height: 0.04 }, scene));
}

function table(scene: Scene): Mesh {
  const legs = [-1, 1].flatMap((x) =>
    [-1, 1].map((z) => {
      const leg = CreateCylinder("leg", { height: 0.7, diameter: 0.05 }, scene);
      leg.position.set(0.45 * x, 0.35, 0.25 * z);
      return leg;
    }),
  );
  return Mesh.MergeMeshes([tableTop(scene), ...legs], true)!;
}

/** Ground with hills, which is a height field of many triangles. */
function hills(scene: Scene): Mesh {
  const ground = CreateGround("hills", { width: 3, height: 3, subdivisions: 60, updatable: true }, scene);
  const positions = ground.getVerticesData("position")!;
  for (let i = 0; i < positions.length; i += 3)
    positions[i + 1] = 0.6 + 0.12 * Math.sin(6 * positions[i]) * Math.cos(5 * positions[i + 2]);
  ground.updateVerticesData("position", positions);
  return ground;
}

function softBody(name: string, make: (scene: Scene) => Mesh): DefaultScene {
  return {
    name: `soft ${name}`,
    build(scene) {
      floor(scene);
      const mesh = make(scene);
      mesh.position.y += 0.6;
      new SoftBodyAggregate(mesh, {}, scene);
      return undefined;
    },
  };
}

function meshOf(
  name: string,
  { positions, indices }: { positions: ArrayLike<number>; indices: ArrayLike<number> },
  scene: Scene,
): Mesh {
  const data = new VertexData();
  data.positions = Float32Array.from(positions);
  data.indices = Uint32Array.from(indices);
  data.normals = new Float32Array(positions.length);
  VertexData.ComputeNormals(data.positions, data.indices, data.normals);
  const mesh = new Mesh(name, scene);
  data.applyToMesh(mesh, true);
  return mesh;
}

function rope(scene: Scene): undefined {
  floor(scene);
  const box = CreateBox("load", { size: 0.2 }, scene);
  box.position.set(1, 1.4, 0);
  new PhysicsAggregate(box, PhysicsShapeType.BOX, { mass: 1 }, scene);
  const path = [new Vector3(0, 2, 0), new Vector3(1, 1.5, 0)];
  const hook = CreateBox("hook", { size: 0.1 }, scene);
  hook.position.set(0, 2.05, 0);
  new PhysicsAggregate(hook, PhysicsShapeType.BOX, { mass: 0 }, scene);
  new RopeAggregate(
    { path, radius: 0.01 },
    {
      attach: [
        { node: hook, at: "start" },
        { node: box, at: "end" },
      ],
    },
    scene,
  );
  return undefined;
}

function balloon(scene: Scene): undefined {
  floor(scene);
  const ball = CreateIcoSphere("balloon", { radius: 0.25, subdivisions: 6, updatable: true }, scene);
  new ClothAggregate(at(0.6, ball), { fabric: "rubber-sheet", pressure: 500 }, scene);
  return undefined;
}

function vest(scene: Scene, plugin: PliantPlugin): BeforeFrame {
  const figure = new SkinnedFigure(dancer(0.4), scene, plugin);
  const { mesh: panels, shoulders } = vestMesh(20);
  const mesh = meshOf("vest", panels, scene);
  const chest = figure.mesh.skeleton!.bones.find(({ name }) => name === "chest")!;
  new ClothAggregate(mesh, { attach: { bone: chest, skinnedMesh: figure.mesh, vertices: shoulders } }, scene);
  return (frame) => figure.moveTo(dancePoses(frame * FRAME, 0.8, 1));
}

/** @param amplitude of the box [m] */
function shaken(scene: Scene, amplitude: number): BeforeFrame {
  const walls = [
    [0, 0, 0, 1, 0.1, 1],
    [0.5, 0.5, 0, 0.1, 1, 1],
    [-0.5, 0.5, 0, 0.1, 1, 1],
    [0, 0.5, 0.5, 1, 1, 0.1],
    [0, 0.5, -0.5, 1, 1, 0.1],
    [0, 1, 0, 1, 0.1, 1],
  ].map(([x, y, z, width, height, depth]) => {
    const wall = CreateBox("wall", { width, height, depth }, scene);
    wall.position.set(x, y, z);
    const { body } = new PhysicsAggregate(wall, PhysicsShapeType.BOX, { mass: 0 }, scene);
    body.setMotionType(PhysicsMotionType.ANIMATED);
    body.disablePreStep = false;
    return { wall, x };
  });
  for (let k = 0; k < 3; k++) {
    const ball = CreateIcoSphere("ball", { radius: 0.13, subdivisions: 3, updatable: true }, scene);
    ball.position.set(0.15 * (k - 1), 0.3 + 0.2 * k, 0);
    new SoftBodyAggregate(ball, { youngsModulus: 2e4 }, scene);
  }
  return (frame) => {
    for (const { wall, x } of walls) wall.position.x = x + amplitude * Math.sin(0.35 * frame);
  };
}
