// The light of the studio, seen from its middle in many directions.

import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { Viewport } from "@babylonjs/core/Maths/math.viewport";
import { Engine } from "@babylonjs/core/Engines/engine";
import { WebGPUEngine } from "@babylonjs/core/Engines/webgpuEngine";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import { Texture } from "@babylonjs/core/Materials/Textures/texture";
import { Color3 } from "@babylonjs/core/Maths/math.color";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { Scene } from "@babylonjs/core/scene";
import { softboxes } from "../../site/examples/studio";
import { pictureOf } from "./picture-of";

globalThis.sky = async (kind, azimuth, directions) => {
  const canvas = document.querySelector("canvas")!;
  const engine =
    kind === "webgl"
      ? new Engine(canvas, false, { preserveDrawingBuffer: true })
      : new WebGPUEngine(canvas, { antialias: false });
  if (engine instanceof WebGPUEngine) await engine.initAsync();
  const scene = new Scene(engine);
  const texture = softboxes(scene, azimuth);
  texture.coordinatesMode = Texture.SKYBOX_MODE;
  const material = new StandardMaterial("sky", scene);
  material.reflectionTexture = texture;
  material.disableLighting = true;
  material.backFaceCulling = false;
  material.diffuseColor = material.specularColor = Color3.Black();
  CreateSphere("sky", { diameter: 100, segments: 8 }, scene).material = material;
  const rows = Math.ceil(directions.length / COLUMNS);
  // one camera per direction, in a part of the canvas
  scene.activeCameras = directions.map(([x, y, z], i) => {
    const camera = new FreeCamera(`camera ${i}`, Vector3.Zero(), scene);
    camera.fov = 0.02;
    camera.rotation.set(-Math.atan2(y, Math.hypot(x, z)), Math.atan2(x, z), 0);
    const row = Math.floor(i / COLUMNS);
    camera.viewport = new Viewport((i % COLUMNS) / COLUMNS, 1 - (row + 1) / rows, 1 / COLUMNS, 1 / rows);
    return camera;
  });
  await scene.whenReadyAsync();
  globalThis.drawnPicture = () => pictureOf(engine, scene);
  return { columns: COLUMNS, rows };
};

const COLUMNS = 7;

declare global {
  /** Makes a scene that fills the canvas with a grid of the views in all directions. */
  var sky: (
    engine: "webgpu" | "webgl",
    azimuth: number,
    directions: (readonly [number, number, number])[],
  ) => Promise<{ columns: number; rows: number }>;
}
