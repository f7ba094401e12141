// Light, floor, camera and materials of the examples. Nothing here is
// physics: your own scene replaces this file.

import {
  ArcRotateCamera,
  Color3,
  Color4,
  Constants,
  CubeMapToSphericalPolynomialTools,
  DirectionalLight,
  DynamicTexture,
  Engine,
  ImageProcessingConfiguration,
  Layer,
  MeshBuilder,
  PBRMaterial,
  RawCubeTexture,
  Scene,
  ShadowGenerator,
  Texture,
  ToHalfFloat,
  Vector3,
  WebGPUEngine,
  type AbstractEngine,
  type AbstractMesh,
} from "@babylonjs/core";

export interface StudioOptions {
  /** an engine that draws already; default: a new one for the page's canvas */
  engine?: AbstractEngine;
  /** color of the floor and of the wall behind it */
  floor?: string;
  wall?: string;
  /** light in the middle of the wall */
  glow?: string;
  /** height of the floor, m; default 0 */
  ground?: number;
  /** view of the camera: point that it looks at, distance, two angles */
  target?: Vector3;
  radius?: number;
  alpha?: number;
  beta?: number;
  /** where the sun stands, from the camera's side, rad; default at the left, behind the camera */
  sun?: number;
  /** width of the subject over its height: a narrow page shows all of it */
  aspect?: number;
}

export interface Studio {
  engine: AbstractEngine;
  scene: Scene;
  camera: ArcRotateCamera;
  /** A matte or glossy material. */
  paint(color: string, options?: Partial<Look>): PBRMaterial;
  /** A material of cloth, seen from both sides, plain or painted. */
  weave(color: string, draw?: Draw): PBRMaterial;
  /** Gives meshes a material, and lets them cast and receive shadows. */
  show(material: PBRMaterial, ...meshes: AbstractMesh[]): void;
}

interface Look {
  roughness: number;
  metallic: number;
  alpha: number;
}

/** Draws a texture of 1024 × 1024 pixels. */
type Draw = (context: CanvasRenderingContext2D) => void;

export async function createStudio(
  options: StudioOptions = {},
): Promise<Studio> {
  const engine = options.engine ?? (await createEngine());
  const scene = new Scene(engine);
  const { floor = "#d9a679", wall = "#f3dcc3" } = options;
  const { glow = "rgba(255,255,255,0.55)" } = options;
  const { target = new Vector3(0, 0.5, 0), radius = 3 } = options;
  const { alpha = -1.2, beta = 1.25, aspect = 0.8 } = options;
  const { sun: side = -0.9, ground = 0 } = options;

  const camera = new ArcRotateCamera(
    "camera",
    alpha,
    beta,
    radius,
    target,
    scene,
  );
  scene.onBeforeRenderObservable.add(() => {
    const narrow = Math.max(1, aspect / engine.getAspectRatio(camera));
    camera.fov = 2 * Math.atan(Math.tan(0.3) * narrow);
  });
  camera.minZ = 0.05;
  camera.lowerRadiusLimit = radius / 3;
  camera.upperRadiusLimit = radius * 2;
  camera.upperBetaLimit = 1.55;
  camera.wheelDeltaPercentage = 0.01;
  camera.attachControl(true);

  scene.environmentTexture = softboxes(scene, alpha - 0.9);
  scene.environmentIntensity = 0.65;
  const processing = scene.imageProcessingConfiguration;
  processing.toneMappingEnabled = true;
  processing.toneMappingType = ImageProcessingConfiguration.TONEMAPPING_ACES;
  processing.exposure = 1.2;

  const turn = alpha + side;
  const sun = new DirectionalLight(
    "sun",
    new Vector3(-Math.cos(turn), -1.5, -Math.sin(turn)).normalize(),
    scene,
  );
  sun.position = target.subtract(sun.direction.scale(3 * radius));
  sun.intensity = 2.6;
  sun.diffuse = Color3.FromHexString("#fff1de");
  sun.autoUpdateExtends = false;
  sun.orthoLeft = sun.orthoBottom = -0.8 * radius;
  sun.orthoRight = sun.orthoTop = 0.8 * radius;
  sun.shadowMinZ = 0.1;
  sun.shadowMaxZ = 6 * radius;
  const shadows = new ShadowGenerator(2048, sun);
  shadows.usePercentageCloserFiltering = true;
  shadows.bias = 0.003;
  shadows.normalBias = 0.01;
  const contacts = underneath(scene, target, ground, radius);

  const paint = (color: string, look: Partial<Look> = {}): PBRMaterial => {
    const material = new PBRMaterial(color, scene);
    material.albedoColor = Color3.FromHexString(color).toLinearSpace();
    material.roughness = look.roughness ?? 0.5;
    material.metallic = look.metallic ?? 0;
    material.alpha = look.alpha ?? 1;
    return material;
  };

  addWall(scene, wall, glow);
  const disc = MeshBuilder.CreateDisc(
    "floor",
    { radius: 5 * radius, tessellation: 96 },
    scene,
  );
  disc.rotation.x = Math.PI / 2;
  disc.position.set(target.x, ground - 0.001, target.z);
  disc.receiveShadows = true;
  disc.isPickable = false;
  const material = paint(floor, { roughness: 0.9 });
  material.metallicF0Factor = 0.2;
  material.opacityTexture = fade(scene);
  disc.material = material;

  return {
    engine,
    scene,
    camera,
    paint,
    weave(color, draw) {
      const woven = paint(draw ? "#ffffff" : color, { roughness: 0.85 });
      woven.backFaceCulling = false;
      woven.twoSidedLighting = true;
      woven.sheen.isEnabled = true;
      woven.sheen.color = Color3.FromHexString(color).toLinearSpace();
      woven.sheen.intensity = 0.35;
      if (draw) {
        const texture = new DynamicTexture("print", 1024, scene, true);
        draw(texture.getContext() as CanvasRenderingContext2D);
        texture.update(true);
        texture.anisotropicFilteringLevel = 8;
        woven.albedoTexture = texture;
      }
      return woven;
    },
    show(look, ...meshes) {
      for (const mesh of meshes) {
        mesh.material = look;
        mesh.receiveShadows = true;
        shadows.addShadowCaster(mesh);
        contacts.addShadowCaster(mesh);
      }
    },
  };
}

async function createEngine(): Promise<AbstractEngine> {
  const canvas = document.querySelector("canvas")!;
  let engine: AbstractEngine;
  if (await WebGPUEngine.IsSupportedAsync) {
    const webgpu = new WebGPUEngine(canvas, {
      antialias: true,
      adaptToDeviceRatio: true,
    });
    await webgpu.initAsync();
    engine = webgpu;
  } else engine = new Engine(canvas, true, { adaptToDeviceRatio: true });
  addEventListener("resize", () => engine.resize());
  return engine;
}

/** Light from above: its soft shadows show where things touch the floor. */
function underneath(
  scene: Scene,
  target: Vector3,
  ground: number,
  radius: number,
): ShadowGenerator {
  const light = new DirectionalLight("above", Vector3.Down(), scene);
  light.intensity = 0.7;
  light.specular = Color3.Black();
  light.position.set(target.x, ground + 2 * radius, target.z);
  light.autoUpdateExtends = false;
  light.orthoLeft = light.orthoBottom = -radius;
  light.orthoRight = light.orthoTop = radius;
  light.shadowMinZ = 0.1;
  light.shadowMaxZ = 2.1 * radius;
  const shadows = new ShadowGenerator(256, light);
  shadows.usePercentageCloserFiltering = true;
  shadows.bias = 0.01;
  return shadows;
}

/** A wall that is lighter in the middle. */
function addWall(scene: Scene, color: string, light: string): void {
  scene.clearColor = Color4.FromHexString(color);
  const size = { width: 512, height: 512 };
  const texture = new DynamicTexture("wall", size, scene, false);
  const context = texture.getContext();
  context.fillStyle = color;
  context.fillRect(0, 0, 512, 512);
  const shade = (inner: number, from: string, outer: number, to: string) => {
    const gradient = context.createRadialGradient(
      256,
      230,
      inner,
      256,
      230,
      outer,
    );
    gradient.addColorStop(0, from);
    gradient.addColorStop(1, to);
    context.fillStyle = gradient;
    context.fillRect(0, 0, 512, 512);
  };
  shade(10, light, 300, light.replace(/[\d.]+\)$/, "0)"));
  shade(150, "rgba(20,10,30,0)", 420, "rgba(20,10,30,0.14)");
  texture.update(true);
  new Layer("wall", null, scene, true).texture = texture;
}

/** Opacity that ends at the rim of a disc. */
function fade(scene: Scene): DynamicTexture {
  const texture = new DynamicTexture("fade", 512, scene, true);
  const context = texture.getContext();
  const gradient = context.createRadialGradient(256, 256, 0, 256, 256, 256);
  gradient.addColorStop(0, "rgba(255,255,255,1)");
  gradient.addColorStop(0.25, "rgba(255,255,255,0.85)");
  gradient.addColorStop(0.6, "rgba(255,255,255,0.3)");
  gradient.addColorStop(1, "rgba(255,255,255,0)");
  context.fillStyle = gradient;
  context.fillRect(0, 0, 512, 512);
  texture.hasAlpha = true;
  texture.update(true);
  return texture;
}

/** Light that comes from a direction: a bright ceiling, a warm floor, and three lamps, the first at an angle. */
export function softLight(direction: Vector3, azimuth: number): number[] {
  const lamps = [
    { turn: 0, height: 1.2, color: [5.2, 4.8, 4.2], sharpness: 20 },
    { turn: 2, height: 0.5, color: [1.2, 1.4, 1.8], sharpness: 9 },
    { turn: 3.6, height: 0.6, color: [2.2, 1.9, 1.6], sharpness: 12 },
  ];
  const up = 0.5 + 0.5 * Math.tanh(2.2 * direction.y);
  const [above, below] = [
    [0.8, 0.86, 0.95],
    [0.42, 0.36, 0.32],
  ];
  return lamps.reduce(
    (light, { turn, height, color, sharpness }) => {
      const [x, z] = [Math.cos(azimuth + turn), Math.sin(azimuth + turn)];
      const lamp = new Vector3(x, height, z).normalize();
      const part = Math.exp(sharpness * (Vector3.Dot(direction, lamp) - 1));
      return light.map((value, c) => value + part * color[c]);
    },
    below.map((floor, c) => floor * (1 - up) + above[c] * up),
  );
}

/** An environment made in code, so that the page loads nothing. */
export function softboxes(scene: Scene, azimuth: number): RawCubeTexture {
  const size = 64;
  // +X −X +Y −Y +Z −Z
  const faces: ((u: number, v: number) => Vector3)[] = [
    (u, v) => new Vector3(1, -v, -u),
    (u, v) => new Vector3(-1, -v, u),
    (u, v) => new Vector3(u, 1, v),
    (u, v) => new Vector3(u, -1, -v),
    (u, v) => new Vector3(u, -v, 1),
    (u, v) => new Vector3(-u, -v, -1),
  ];
  const texels = faces.map((direction) => {
    const face = new Float32Array(4 * size * size).fill(1);
    for (let i = 0; i < size * size; i++) {
      const u = (2 * (i % size) + 1) / size - 1;
      const v = (2 * Math.floor(i / size) + 1) / size - 1;
      face.set(softLight(direction(u, v).normalize(), azimuth), 4 * i);
    }
    return face;
  });
  const { TEXTUREFORMAT_RGBA, TEXTURETYPE_HALF_FLOAT, TEXTURETYPE_FLOAT } =
    Constants;
  const texture = new RawCubeTexture(
    scene,
    texels.map((face) => Uint16Array.from(face, ToHalfFloat)),
    size,
    TEXTUREFORMAT_RGBA,
    TEXTURETYPE_HALF_FLOAT,
    true,
    false,
    Texture.TRILINEAR_SAMPLINGMODE,
  );
  texture.gammaSpace = false;
  const [right, left, up, down, front, back] = texels;
  texture.sphericalPolynomial =
    CubeMapToSphericalPolynomialTools.ConvertCubeMapToSphericalPolynomial({
      ...{ size, right, left, up, down, front, back },
      ...{
        format: TEXTUREFORMAT_RGBA,
        type: TEXTURETYPE_FLOAT,
        gammaSpace: false,
      },
    });
  return texture;
}
