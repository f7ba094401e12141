// The page of the plugin's browser tests: a ball, a cloth above it, a light with shadows, and handles for the test.

import { ArcRotateCamera } from "@babylonjs/core/Cameras/arcRotateCamera";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Ray } from "@babylonjs/core/Culling/ray";
import { Engine } from "@babylonjs/core/Engines/engine";
import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import { WebGPUEngine } from "@babylonjs/core/Engines/webgpuEngine";
import { DirectionalLight } from "@babylonjs/core/Lights/directionalLight";
import { HemisphericLight } from "@babylonjs/core/Lights/hemisphericLight";
import { ShadowGenerator } from "@babylonjs/core/Lights/Shadows/shadowGenerator";
import "@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import { Color3 } from "@babylonjs/core/Maths/math.color";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import { Scene } from "@babylonjs/core/scene";
import {
  ClothAggregate,
  ClothDragBehavior,
  PliantPlugin,
  SkeletonAggregate,
  SoftBodyAggregate,
  type ClothOptions,
} from "../../plugin/index";
import { makeArm, type Arm } from "../plugin/skinned-arm";

/** Calls of WebGPU that must not happen in a frame. */
const WATCHED = {
  mapAsync: [GPUBuffer.prototype, "mapAsync"],
  createBuffer: [GPUDevice.prototype, "createBuffer"],
  createComputePipeline: [GPUDevice.prototype, "createComputePipeline"],
  createRenderPipeline: [GPUDevice.prototype, "createRenderPipeline"],
  createBindGroup: [GPUDevice.prototype, "createBindGroup"],
  createShaderModule: [GPUDevice.prototype, "createShaderModule"],
} as const;

type Counts = Record<keyof typeof WATCHED, number>;

const counts = Object.fromEntries(Object.keys(WATCHED).map((key) => [key, 0])) as Counts;

for (const [key, [prototype, name]] of Object.entries(WATCHED)) {
  const methods = prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const original = methods[name];
  methods[name] = function (this: unknown, ...args: unknown[]) {
    counts[key as keyof Counts]++;
    return original.apply(this, args);
  };
}

export interface StartOptions {
  engine: "webgpu" | "webgl";
  backend?: "cpu" | "webgpu" | "auto";
  cloth?: Omit<ClothOptions, "attach">;
  /** mirrors and turns the mesh of the cloth */
  mirrored?: boolean;
  withoutBall?: boolean;
}

/** A scene after its start. */
class PluginPage {
  private constructor(
    readonly engine: AbstractEngine,
    readonly scene: Scene,
    readonly plugin: PliantPlugin,
    readonly camera: ArcRotateCamera,
    readonly light: DirectionalLight,
    readonly mesh: Mesh,
    readonly cloth: ClothAggregate,
    readonly drag: ClothDragBehavior,
  ) {}

  static async start(options: StartOptions): Promise<PluginPage> {
    const engine = kept ?? (await makeEngine(options.engine, document.querySelector("canvas")!));
    const scene = new Scene(engine);
    scene.useConstantAnimationDeltaTime = true;
    scene.clearColor.set(0.1, 0.1, 0.3, 1);
    const camera = new ArcRotateCamera("camera", -1.2, 1.1, 2.6, new Vector3(0, 0.2, 0), scene);
    camera.attachControl();
    new HemisphericLight("sky", Vector3.Up(), scene).intensity = 0.4;
    const light = new DirectionalLight("sun", new Vector3(-0.4, -1, 0.3), scene);
    light.position.set(2, 5, -2);
    const shadows = new ShadowGenerator(512, light);
    const plugin = await PliantPlugin.CreateAsync(engine, { backend: options.backend });
    scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

    const floor = CreateGround("floor", { width: 4, height: 4 }, scene);
    floor.position.y = -0.35;
    floor.receiveShadows = true;
    if (!options.withoutBall) {
      const ball = CreateSphere("ball", { diameter: 0.6 }, scene);
      new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 0 }, scene);
      shadows.addShadowCaster(ball);
    }
    const mesh = CreateGround("sheet", { width: 1, height: 1, subdivisions: 16 }, scene);
    mesh.position.y = 0.4;
    if (options.mirrored) {
      mesh.scaling.x = -1.5;
      mesh.rotation.y = 0.3;
    }
    const material = new StandardMaterial("cloth", scene);
    material.diffuseColor = new Color3(0.9, 0.3, 0.1);
    material.backFaceCulling = false;
    material.twoSidedLighting = true;
    mesh.material = material;
    shadows.addShadowCaster(mesh);
    mesh.receiveShadows = true;
    const cloth = new ClothAggregate(mesh, { fabric: "cotton", ...options.cloth }, scene);
    const drag = new ClothDragBehavior();
    camera.addBehavior(drag);
    await scene.whenReadyAsync();
    engine.runRenderLoop(() => scene.render());
    return new PluginPage(engine, scene, plugin, camera, light, mesh, cloth, drag);
  }

  /** Waits for this many more drawn frames; a lost device draws none. */
  async frames(count: number): Promise<void> {
    await new Promise<void>((resolve) => {
      let left = count;
      const observer = this.scene.onAfterRenderObservable.add(() => {
        if (--left > 0) return;
        this.scene.onAfterRenderObservable.remove(observer);
        resolve();
      });
    });
  }

  /** A green soft ball that falls beside the cloth; resolves to the number of its vertices. */
  async addSoftBall(): Promise<number> {
    const mesh = CreateSphere("jelly", { diameter: 0.5, segments: 12 }, this.scene);
    mesh.position.set(-0.6, 0.75, -0.4);
    const material = new StandardMaterial("jelly", this.scene);
    material.diffuseColor = new Color3(0.1, 0.9, 0.2);
    mesh.material = material;
    const options = { youngsModulus: 2e4, density: 300, resolution: 4, airDensity: 0 };
    this.jelly = new SoftBodyAggregate(mesh, options, this.scene);
    await this.scene.whenReadyAsync();
    return mesh.getTotalVertices();
  }

  /** A skinned arm in the middle, with colliders; its lower bone carries the vertices. */
  async wearOn(vertices: number[]): Promise<void> {
    this.arm = makeArm(this.scene);
    new SkeletonAggregate(this.arm.mesh, {}, this.scene);
    await this.cloth.attach(vertices, this.arm.lower);
  }

  arm: Arm | undefined;

  jelly: SoftBodyAggregate | undefined;

  /** A stiff ball whose factor is made in the worker: returns its progress, and its fall in the frames after. */
  async factorInWorker(radius: number): Promise<{ shares: number[]; fallen: number; workers: number }> {
    const started = Worker;
    let workers = 0;
    globalThis.Worker = class extends started {
      constructor(url: string | URL) {
        super(url);
        workers++;
      }
    };
    const mesh = CreateSphere("stiff", { diameter: 2 * radius, segments: 8 }, this.scene);
    mesh.position.y = 5;
    const material = { youngsModulus: 1e6, density: 300 };
    const options = { ...material, solver: "local-global", factorization: "worker", resolution: 6 } as const;
    const ball = new SoftBodyAggregate(mesh, options, this.scene);
    const start = (await ball.readPositions())[1];
    const shares: number[] = [];
    await ball.body.factorization!.whenReadyAsync({
      timeStep: this.plugin.getTimeStep(),
      onProgress: (share) => shares.push(share),
    });
    // Code for contact between bodies comes with the second one.
    await this.plugin.world.whenReadyAsync();
    await this.frames(5);
    const fallen = start - (await ball.readPositions())[1];
    globalThis.Worker = started;
    mesh.dispose();
    return { shares, fallen, workers };
  }

  /** Calls of WebGPU while this many frames are drawn. */
  async callsDuring(frames: number): Promise<Counts> {
    for (const key of Object.keys(counts) as (keyof Counts)[]) counts[key] = 0;
    await this.frames(frames);
    return { ...counts };
  }

  async positions(): Promise<number[]> {
    return Array.from(await this.cloth.readPositions());
  }

  /** Vertices as the GPU draws them: position and normal, in the world. */
  async drawn(): Promise<{ positions: number[]; normals: number[] }> {
    // positions of the frame that is read, not of a later one
    const world = this.mesh.getWorldMatrix().clone();
    const buffer = this.mesh.getVertexBuffer(VertexBuffer.PositionKind)!.getBuffer()!;
    const bytes = await (this.engine as WebGPUEngine).readFromStorageBuffer(
      buffer,
      undefined,
      undefined,
      undefined,
      true,
    );
    const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    const inverseTransposed = Matrix.Transpose(Matrix.Invert(world));
    const positions: number[] = [];
    const normals: number[] = [];
    for (let i = 0; i < values.length; i += 6) {
      const position = new Vector3(values[i], values[i + 1], values[i + 2]);
      const normal = new Vector3(values[i + 3], values[i + 4], values[i + 5]);
      positions.push(...Vector3.TransformCoordinates(position, world).asArray());
      normals.push(...Vector3.TransformNormal(normal, inverseTransposed).normalize().asArray());
    }
    return { positions, normals };
  }

  /** Vertices of Babylon's CPU copy, in the frame of the mesh. */
  onCpu(): number[] {
    return Array.from(this.mesh.getVerticesData(VertexBuffer.PositionKind)!);
  }

  /** The first hit of a ray down the middle. */
  pickDown(): { mesh: string; y: number } {
    const info = this.scene.pickWithRay(new Ray(new Vector3(0.01, 3, 0.02), Vector3.Down(), 10));
    return { mesh: info?.pickedMesh?.name ?? "", y: info?.pickedPoint?.y ?? NaN };
  }

  /** Length of the public positions of the moving mesh. */
  whatOthersRead(): Record<string, number> {
    const { mesh } = this;
    const { geometries } = SceneSerializer.SerializeMesh(mesh) as {
      geometries: { vertexData: { positions: number[] }[] };
    };
    const merged = Mesh.MergeMeshes([mesh], false)!;
    const clone = mesh.clone("clone");
    const read = {
      extracted: VertexData.ExtractFromMesh(mesh).positions!.length,
      serialized: geometries.vertexData[0].positions.length,
      merged: merged.getVerticesData(VertexBuffer.PositionKind)!.length,
      cloned: clone.getVerticesData(VertexBuffer.PositionKind)!.length,
    };
    clone.dispose();
    merged.dispose();
    return read;
  }

  makeCloth(): ClothAggregate {
    return new ClothAggregate(this.mesh, {}, this.scene);
  }

  /** Number of buffers for positions and normals: one while the simulation draws into it. */
  buffersOfMesh(): number {
    const kinds = [VertexBuffer.PositionKind, VertexBuffer.NormalKind];
    return new Set(kinds.map((kind) => this.mesh.getVertexBuffer(kind)!.getBuffer())).size;
  }

  box(): { min: number[]; max: number[] } {
    const { minimumWorld, maximumWorld } = this.mesh.getBoundingInfo().boundingBox;
    return { min: minimumWorld.asArray(), max: maximumWorld.asArray() };
  }

  /** Place of a vertex on the canvas, in CSS pixels. */
  async onCanvas(vertex: number): Promise<{ x: number; y: number }> {
    const p = await this.positions();
    const point = Vector3.FromArray(p, 3 * vertex);
    const width = this.engine.getRenderWidth();
    const height = this.engine.getRenderHeight();
    const viewport = this.camera.viewport.toGlobal(width, height);
    const { x, y } = Vector3.Project(point, Matrix.Identity(), this.scene.getTransformMatrix(), viewport);
    return { x, y };
  }

  /** Makes the device lost; resolves when Babylon has another one. */
  async loseDevice(): Promise<void> {
    const restored = new Promise((resolve) => this.engine.onContextRestoredObservable.addOnce(resolve));
    (this.engine as WebGPUEngine)._device.destroy();
    await restored;
  }

  node(name: string): TransformNode {
    return new TransformNode(name, this.scene);
  }

  stop(): void {
    this.engine.stopRenderLoop();
    this.scene.dispose();
    this.engine.dispose();
  }

  /** Keeps the engine for the next scene, if it is of the kind that it wants and still goes. */
  leave(kind: "webgpu" | "webgl"): boolean {
    if (this.engine.isDisposed || this.engine.isWebGPU !== (kind === "webgpu")) return false;
    this.engine.stopRenderLoop();
    this.scene.dispose();
    kept = this.engine;
    return true;
  }
}

let kept: AbstractEngine | undefined;

async function makeEngine(kind: "webgpu" | "webgl", canvas: HTMLCanvasElement): Promise<AbstractEngine> {
  if (kind === "webgl") return new Engine(canvas, false);
  const engine = new WebGPUEngine(canvas, { antialias: false });
  await engine.initAsync();
  return engine;
}

export type { PluginPage };

declare global {
  var startPage: (options: StartOptions) => Promise<PluginPage>;
  var current: PluginPage;
}

globalThis.startPage = (options) => PluginPage.start(options);
