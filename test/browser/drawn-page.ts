// A sheet that hangs and a jelly from a box, seen from the side; nothing is drawn but what the test asks for.

import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { Engine } from "@babylonjs/core/Engines/engine";
import { WebGPUEngine } from "@babylonjs/core/Engines/webgpuEngine";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import { Color3 } from "@babylonjs/core/Maths/math.color";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Scene } from "@babylonjs/core/scene";
import { ClothAggregate, PliantPlugin, SoftBodyAggregate } from "../../plugin/index";

export interface DrawnOptions {
  engine: "webgpu" | "webgl";
  /** place of all along x [m] */
  far: number;
  /** number of frames before the picture */
  frames: number;
}

function paint(mesh: Mesh, red: number, green: number, scene: Scene): void {
  const material = new StandardMaterial(mesh.name, scene);
  material.emissiveColor = new Color3(red, green, 0);
  material.disableLighting = true;
  material.backFaceCulling = false;
  mesh.material = material;
}

globalThis.drawn = async ({ engine: kind, far, frames }) => {
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

  const sheet = CreateGround("sheet", { width: 1, height: 1, subdivisions: 16 }, scene);
  sheet.rotation.x = -Math.PI / 2;
  sheet.position.set(far - 0.7, 0, 0);
  paint(sheet, 1, 0, scene);
  const cloth = new ClothAggregate(sheet, { airDensity: 0 }, scene);
  await cloth.pinEdge("top");
  const box = CreateBox("jelly", { size: 0.8 }, scene);
  box.position.set(far + 0.7, 0, 0);
  paint(box, 0, 1, scene);
  const soft = { youngsModulus: 3000, density: 500, resolution: 4, airDensity: 0 };
  const jelly = new SoftBodyAggregate(box, soft, scene);
  await jelly.pinNear(new Vector3(far + 0.3, 0.4, 0), 0.25);
  await scene.whenReadyAsync();
  for (let frame = 0; frame < frames; frame++) {
    await new Promise(requestAnimationFrame);
    engine.beginFrame();
    scene.render();
    engine.endFrame();
    await plugin.world.settled();
  }
  scene.physicsEnabled = false;
  engine.runRenderLoop(() => scene.render());
};

declare global {
  var drawn: (options: DrawnOptions) => Promise<void>;
}
