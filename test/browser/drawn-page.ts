// A hanging sheet, and a jelly made from a box, seen from the side; the page draws only on request of the test.

import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import { Engine } from "@babylonjs/core/Engines/engine";
import { WebGPUEngine } from "@babylonjs/core/Engines/webgpuEngine";
import { HemisphericLight } from "@babylonjs/core/Lights/hemisphericLight";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import { FragmentOutputBlock } from "@babylonjs/core/Materials/Node/Blocks/Fragment/fragmentOutputBlock";
import { InputBlock } from "@babylonjs/core/Materials/Node/Blocks/Input/inputBlock";
import { TransformBlock } from "@babylonjs/core/Materials/Node/Blocks/transformBlock";
import { VertexOutputBlock } from "@babylonjs/core/Materials/Node/Blocks/Vertex/vertexOutputBlock";
import { NodeMaterialSystemValues } from "@babylonjs/core/Materials/Node/Enums/nodeMaterialSystemValues";
import { NodeMaterial } from "@babylonjs/core/Materials/Node/nodeMaterial";
import { Color3, Color4 } from "@babylonjs/core/Maths/math.color";
import { ShaderLanguage } from "@babylonjs/core/Materials/shaderLanguage";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import { Scene } from "@babylonjs/core/scene";
import {
  ClothAggregate,
  PliantPlugin,
  SmoothMesh,
  SoftBodyAggregate,
  type SmoothMeshOptions,
} from "../../plugin/index";
import type { SolverName } from "../../src/index";
import { pictureOf } from "./picture-of";

export interface DrawnOptions {
  engine: "webgpu" | "webgl";
  /** place of everything along x [m] */
  far: number;
  /** number of frames before the picture */
  frames: number;
  /** draws the sheet with finer triangles */
  smooth?: SmoothMeshOptions;
}

function paint(mesh: Mesh, red: number, green: number, scene: Scene): void {
  const material = new StandardMaterial(mesh.name, scene);
  material.emissiveColor = new Color3(red, green, 0);
  material.disableLighting = true;
  material.backFaceCulling = false;
  mesh.material = material;
}

interface Stage {
  readonly scene: Scene;
  readonly engine: AbstractEngine;
  readonly plugin: PliantPlugin;
}

async function stage(kind: DrawnOptions["engine"], far: number): Promise<Stage> {
  const canvas = document.querySelector("canvas")!;
  const options = { antialias: false, useLargeWorldRendering: true };
  const engine =
    kind === "webgl"
      ? new Engine(canvas, false, { ...options, preserveDrawingBuffer: true })
      : new WebGPUEngine(canvas, options);
  if (engine instanceof WebGPUEngine) await engine.initAsync();
  const scene = new Scene(engine);
  scene.useConstantAnimationDeltaTime = true;
  scene.clearColor.set(0, 0, 0.3, 1);
  const camera = new FreeCamera("camera", new Vector3(far, 0, -3), scene);
  camera.setTarget(new Vector3(far, 0, 0));
  camera.minZ = 0.1;
  const plugin = await PliantPlugin.CreateAsync(engine, { backend: kind === "webgpu" ? "webgpu" : "cpu" });
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  return { scene, engine, plugin };
}

async function run({ scene, engine, plugin }: Stage, frames: number): Promise<void> {
  // Loading the code of a body takes an unknown number of frames.
  await plugin.whenReadyAsync();
  for (let frame = 0; frame < frames; frame++) {
    await new Promise(requestAnimationFrame);
    engine.beginFrame();
    scene.render();
    engine.endFrame();
    await plugin.world.settled();
  }
}

/** Freezes the picture. */
function stand({ scene, engine }: Stage): void {
  scene.physicsEnabled = false;
  globalThis.drawnPicture = () => pictureOf(engine, scene);
}

globalThis.drawn = async ({ engine: kind, far, frames, smooth }) => {
  const set = await stage(kind, far);
  const { scene } = set;
  const sheet = CreateGround("sheet", { width: 1, height: 1, subdivisions: 16 }, scene);
  sheet.rotation.x = -Math.PI / 2;
  sheet.position.set(far - 0.7, 0, 0);
  paint(sheet, 1, 0, scene);
  const cloth = new ClothAggregate(sheet, { airDensity: 0 }, scene);
  await cloth.pinEdge("top");
  if (smooth) new SmoothMesh(cloth, smooth);
  const box = CreateBox("jelly", { size: 0.8 }, scene);
  box.position.set(far + 0.7, 0, 0);
  paint(box, 0, 1, scene);
  const soft = { youngsModulus: 3000, density: 500, resolution: 4, airDensity: 0 };
  const jelly = new SoftBodyAggregate(box, soft, scene);
  await jelly.pinNear(new Vector3(far + 0.3, 0.4, 0), 0.25);
  await scene.whenReadyAsync();
  await run(set, frames);
  stand(set);
};

/** Two balloons lit from the camera, the lower one with an inside-out mesh, and a hanging sheet that gets another fabric. */
globalThis.tried = async (kind) => {
  const set = await stage(kind, 0);
  const { scene } = set;
  const light = new HemisphericLight("lamp", new Vector3(0, 0, -1), scene);
  light.groundColor = Color3.Black();
  const skin = new StandardMaterial("skin", scene);
  skin.diffuseColor = new Color3(1, 0, 0);
  skin.specularColor = Color3.Black();
  for (const flipNormals of [false, true]) {
    const sideOrientation = flipNormals ? Mesh.BACKSIDE : Mesh.FRONTSIDE;
    const sphere = CreateSphere("balloon", { diameter: 0.8, segments: 8, sideOrientation }, scene);
    sphere.position.set(-0.7, flipNormals ? -0.5 : 0.5, 0);
    sphere.material = skin;
    new ClothAggregate(sphere, { fabric: "rubber-sheet", pressure: 100, gravityFactor: 0, flipNormals }, scene);
  }
  const sheet = CreateGround("sheet", { width: 0.8, height: 0.8, subdivisions: 8 }, scene);
  sheet.position.set(0.8, 0.4, 0);
  paint(sheet, 0, 1, scene);
  const cloth = new ClothAggregate(sheet, { airDensity: 0 }, scene);
  await cloth.pinEdge("top");
  await scene.whenReadyAsync();
  await run(set, 6);
  const before = await cloth.readPositions();
  cloth.setFabric("denim");
  const after = await cloth.readPositions();
  await run(set, 6);
  const later = await cloth.readPositions();
  const onCpu = (mesh: Mesh): number[] => [...(mesh.getVerticesData(VertexBuffer.PositionKind) ?? [])];
  const copy = sheet.clone("copy");
  const read = { moving: onCpu(sheet).length, cloned: onCpu(copy).length };
  const { geometries } = SceneSerializer.SerializeMesh(sheet) as {
    geometries: { vertexData: { positions: number[] }[] };
  };
  copy.dispose();
  const merged = Mesh.MergeMeshes([sheet], false)!;
  const mergedLength = onCpu(merged).length;
  merged.dispose();
  await cloth.bakeToMesh();
  const lies = onCpu(sheet);
  cloth.dispose();
  await run(set, 1);
  const left = onCpu(sheet);
  // The mesh becomes cloth once more, from its present place: it gets its own normals, is restored, moves again, and is as before.
  const again = new ClothAggregate(sheet, { airDensity: 0 }, scene);
  const start = await again.readPositions();
  await run(set, 4);
  sheet.createNormals(false);
  again.reset();
  const reset = furthest(start, await again.readPositions());
  await run(set, 4);
  await again.bakeToMesh();
  const moved = furthest(left, onCpu(sheet));
  again.dispose({ restore: true });
  await run(set, 1);
  const restored = furthest(left, onCpu(sheet));
  stand(set);
  return {
    ...read,
    merged: mergedLength,
    serialized: geometries.vertexData[0].positions.length,
    vertices: 3 * sheet.getTotalVertices(),
    jump: furthest(before, after),
    fall: lowest(before) - lowest(later),
    left: furthest(lies, left),
    reset,
    moved,
    restored,
  };
};

/** A sheet of a node material, and one of two thin instances, which swing down from their upper edges. */
globalThis.varied = async (kind, frames) => {
  const set = await stage(kind, 0);
  const { scene } = set;
  for (const [name, x] of [
    ["node", -0.8],
    ["thin", 0],
  ] as const) {
    const sheet = CreateGround(name, { width: 0.4, height: 0.4, subdivisions: 6 }, scene);
    sheet.position.set(x, 0.2, 0);
    if (name === "node") sheet.material = redNodeMaterial(scene);
    else paint(sheet, 0, 1, scene);
    await new ClothAggregate(sheet, { airDensity: 0 }, scene).pinEdge("top");
    if (name === "thin") sheet.thinInstanceAdd([Matrix.Identity(), Matrix.Translation(0.8, 0, 0)]);
  }
  await scene.whenReadyAsync();
  await run(set, frames);
  stand(set);
};

function redNodeMaterial(scene: Scene): NodeMaterial {
  // A compiler of GLSL for WebGPU would come from the network.
  const shaderLanguage = scene.getEngine().isWebGPU ? ShaderLanguage.WGSL : ShaderLanguage.GLSL;
  const material = new NodeMaterial("graph", scene, { shaderLanguage });
  material.backFaceCulling = false;
  const input = (name: string): InputBlock => new InputBlock(name);
  const [position, world, viewProjection, color] = ["position", "world", "viewProjection", "color"].map(input);
  position.setAsAttribute("position");
  world.setAsSystemValue(NodeMaterialSystemValues.World);
  viewProjection.setAsSystemValue(NodeMaterialSystemValues.ViewProjection);
  color.value = new Color4(1, 0, 0, 1);
  const [toWorld, toScreen] = [new TransformBlock("to world"), new TransformBlock("to screen")];
  const [vertex, fragment] = [new VertexOutputBlock("vertex"), new FragmentOutputBlock("fragment")];
  position.output.connectTo(toWorld.vector);
  world.output.connectTo(toWorld.transform);
  toWorld.output.connectTo(toScreen.vector);
  viewProjection.output.connectTo(toScreen.transform);
  toScreen.output.connectTo(vertex.vector);
  color.output.connectTo(fragment.rgba);
  material.addOutputNode(vertex);
  material.addOutputNode(fragment);
  material.build();
  return material;
}

/** A sheet of a solver, which gets another fabric while it hangs by its upper edge. */
globalThis.refitted = async (kind, solver) => {
  const set = await stage(kind, 0);
  const { scene } = set;
  const sheet = CreateGround("sheet", { width: 1, height: 1, subdivisions: 6 }, scene);
  sheet.position.y = 0.5;
  paint(sheet, 0, 1, scene);
  const cloth = new ClothAggregate(sheet, { solver }, scene);
  await cloth.pinEdge("top");
  await scene.whenReadyAsync();
  const heights: number[] = [];
  let jump = 0;
  for (const fabric of ["denim", "silk", "rubber-sheet"] as const) {
    await run(set, 4);
    const before = await cloth.readPositions();
    cloth.setFabric(fabric);
    jump = Math.max(jump, furthest(before, await cloth.readPositions()));
    heights.push(lowest(before));
  }
  await run(set, 4);
  heights.push(lowest(await cloth.readPositions()));
  stand(set);
  return { backend: set.plugin.world.backend, jump, heights };
};

const lowest = (positions: Float32Array): number => Math.min(...positions.filter((_, i) => i % 3 === 1));
const furthest = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), 0);

export interface Tried {
  /** length of the public positions of the sheet */
  moving: number;
  cloned: number;
  merged: number;
  serialized: number;
  vertices: number;
  /** travel of a vertex when the fabric changes, its later fall, and the difference of its end from the mesh that is left [m] */
  jump: number;
  fall: number;
  left: number;
  /** distances of a second cloth: from its start after `reset`, from its mesh after moving, and after restoring [m] */
  reset: number;
  moved: number;
  restored: number;
}

declare global {
  var varied: (engine: DrawnOptions["engine"], frames: number) => Promise<void>;
  var drawn: (options: DrawnOptions) => Promise<void>;
  var tried: (engine: DrawnOptions["engine"]) => Promise<Tried>;
  var refitted: (
    engine: DrawnOptions["engine"],
    solver: SolverName,
  ) => Promise<{ backend: string; jump: number; heights: number[] }>;
}
