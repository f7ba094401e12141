import { ArcRotateCamera } from "@babylonjs/core/Cameras/arcRotateCamera";
import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import { Layer } from "@babylonjs/core/Layers/layer";
import { DirectionalLight } from "@babylonjs/core/Lights/directionalLight";
import { HemisphericLight } from "@babylonjs/core/Lights/hemisphericLight";
import { ShadowGenerator } from "@babylonjs/core/Lights/Shadows/shadowGenerator";
import { ImageProcessingConfiguration } from "@babylonjs/core/Materials/imageProcessingConfiguration";
import { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial";
import { DynamicTexture } from "@babylonjs/core/Materials/Textures/dynamicTexture";
import { Color3, Color4 } from "@babylonjs/core/Maths/math.color";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { Scene } from "@babylonjs/core/scene";
import type { SceneView } from "../scene";
import { studioEnvironment } from "./environment";

/** Light, ground, backdrop and camera: everything that is drawn besides the scene itself. */
export interface Stage {
  readonly scene: Scene;
  readonly camera: ArcRotateCamera;
  readonly shadows: ShadowGenerator;
}

export interface StageOptions {
  readonly view: SceneView;
  /** m */
  readonly groundHeight: number;
  /** texels along a side of the shadow map */
  readonly shadowSize: number;
}

/** The key light stands to the left of the first camera view, radians about the vertical axis. */
const KEY_LIGHT = -0.95;

function sunDirection({ alpha }: SceneView): Vector3 {
  const azimuth = alpha + KEY_LIGHT;
  return new Vector3(-0.72 * Math.cos(azimuth), -1, -0.72 * Math.sin(azimuth)).normalize();
}

export function createStage(engine: AbstractEngine, options: StageOptions): Stage {
  const scene = new Scene(engine);
  scene.clearColor = new Color4(0.72, 0.74, 0.76, 1);
  scene.environmentTexture = studioEnvironment(scene, options.view.alpha + KEY_LIGHT);
  scene.environmentIntensity = 0.7;
  const processing = scene.imageProcessingConfiguration;
  processing.toneMappingEnabled = true;
  processing.toneMappingType = ImageProcessingConfiguration.TONEMAPPING_ACES;
  processing.exposure = 1.12;
  processing.contrast = 1.1;

  const camera = addCamera(scene, options);
  const sky = new HemisphericLight("sky", new Vector3(0, 1, 0), scene);
  sky.intensity = 0.22;
  sky.groundColor = new Color3(0.35, 0.32, 0.3);
  const sun = new DirectionalLight("sun", sunDirection(options.view), scene);
  sun.intensity = 3;
  sun.diffuse = new Color3(1, 0.96, 0.9);
  const shadows = addShadows(sun, options);
  addBackdrop(scene);
  addGround(scene, options);
  return { scene, camera, shadows };
}

function addCamera(scene: Scene, { view, groundHeight }: StageOptions): ArcRotateCamera {
  const camera = new ArcRotateCamera("camera", view.alpha, view.beta, view.radius, new Vector3(...view.target), scene);
  camera.fov = 0.72;
  camera.minZ = 0.05;
  camera.maxZ = Math.max(60, 4 * view.radius);
  camera.lowerRadiusLimit = 0.4;
  camera.upperRadiusLimit = Math.max(12, 1.5 * view.radius);
  camera.wheelDeltaPercentage = 0.01;
  camera.pinchDeltaPercentage = 0.01;
  camera.panningSensibility = 1500;
  // The camera never goes below the ground.
  const height = Math.max(-0.95, Math.min(0.95, (view.target[1] - groundHeight) / view.radius));
  camera.upperBetaLimit = Math.min(Math.PI * 0.65, Math.PI / 2 + Math.asin(height) * 0.8);
  camera.attachControl(true);
  return camera;
}

/** Shadows of everything near the target; the box is fixed, so that edges of shadows do not swim. */
function addShadows(sun: DirectionalLight, { view, shadowSize }: StageOptions): ShadowGenerator {
  const reach = 0.75 * view.radius;
  sun.position = new Vector3(...view.target).subtract(sun.direction.scale(3 * reach));
  sun.autoUpdateExtends = false;
  [sun.orthoLeft, sun.orthoRight, sun.orthoBottom, sun.orthoTop] = [-reach, reach, -reach, reach];
  sun.shadowMinZ = 0.1;
  sun.shadowMaxZ = 6 * reach;
  const shadows = new ShadowGenerator(shadowSize, sun);
  shadows.usePercentageCloserFiltering = true;
  shadows.filteringQuality = ShadowGenerator.QUALITY_HIGH;
  // In parts of the depth range, which grows with the scene.
  shadows.bias = 0.004;
  shadows.normalBias = 0.01;
  shadows.darkness = 0.05;
  return shadows;
}

/** A large disc that melts into the backdrop towards its rim. */
function addGround(scene: Scene, { groundHeight, view }: StageOptions): void {
  const ground = MeshBuilder.CreateDisc("ground", { radius: 6 * view.radius, tessellation: 96 }, scene);
  ground.rotation.x = Math.PI / 2;
  ground.position.set(view.target[0], groundHeight, view.target[2]);
  ground.receiveShadows = true;
  ground.isPickable = false;
  const material = new PBRMaterial("ground", scene);
  material.albedoColor = new Color3(0.36, 0.358, 0.355);
  material.metallic = 0;
  material.roughness = 1;
  // No mirror image of the lamps on a studio floor.
  material.metallicF0Factor = 0;
  const fade = new DynamicTexture("ground fade", 512, scene, true);
  const painter = fade.getContext();
  const gradient = painter.createRadialGradient(256, 256, 0, 256, 256, 256);
  for (const [stop, alpha] of [
    [0, 1],
    [0.25, 0.95],
    [0.55, 0.45],
    [0.85, 0.06],
    [1, 0],
  ])
    gradient.addColorStop(stop, `rgba(255,255,255,${alpha})`);
  painter.fillStyle = gradient;
  painter.fillRect(0, 0, 512, 512);
  fade.hasAlpha = true;
  fade.update(true);
  material.opacityTexture = fade;
  ground.material = material;
}

/** A vertical gradient behind everything. */
function addBackdrop(scene: Scene): void {
  const texture = new DynamicTexture("backdrop", { width: 4, height: 256 }, scene, false);
  const painter = texture.getContext();
  const gradient = painter.createLinearGradient(0, 0, 0, 256);
  gradient.addColorStop(0, "#8b9aa9");
  gradient.addColorStop(0.5, "#c3c5c5");
  gradient.addColorStop(1, "#b4b4b3");
  painter.fillStyle = gradient;
  painter.fillRect(0, 0, 4, 256);
  texture.update(true);
  const layer = new Layer("backdrop", null, scene, true);
  layer.texture = texture;
}
