import { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial";
import { Color3 } from "@babylonjs/core/Maths/math.color";
import type { Scene } from "@babylonjs/core/scene";
import type { PropMaterial, SurfaceMaterial } from "../scene";
import { banner, checked, grained, paintPattern, plain, striped, type Pattern } from "./patterns";
import { threadsPerTile, weaveNormals, type Weave } from "./weave";

interface ClothLook {
  readonly pattern: Pattern;
  readonly weave: Weave;
  /** width of a drawn thread, m: coarser than real yarn, which no screen resolves */
  readonly thread: number;
  /** strength of the weave's relief */
  readonly relief: number;
  readonly roughness: number;
  /** color, strength and roughness of the fuzz that glows at grazing angles */
  readonly sheen?: { readonly colour: string; readonly intensity: number; readonly roughness: number };
  /** part of the light that shines through */
  readonly translucency?: number;
}

const clothLooks: Readonly<Record<SurfaceMaterial, ClothLook>> = {
  cotton: {
    pattern: striped(
      "#2f5d73",
      "#e9e2d0",
      0.25,
      [
        [0.1, 0.05],
        [0.2, 0.012],
        [0.04, 0.012],
      ],
      0.045,
    ),
    weave: "plain",
    thread: 0.001,
    relief: 0.7,
    roughness: 0.9,
    sheen: { colour: "#cfe0e6", intensity: 0.08, roughness: 0.7 },
  },
  silk: {
    pattern: plain("#8d1530", 0.03),
    weave: "satin",
    thread: 0.0008,
    relief: 0.12,
    roughness: 0.42,
    sheen: { colour: "#ff9d8a", intensity: 0.22, roughness: 0.35 },
  },
  denim: {
    pattern: plain("#27406b", 0.1),
    weave: "twill",
    thread: 0.0012,
    relief: 0.9,
    roughness: 0.95,
    sheen: { colour: "#9db4d8", intensity: 0.06, roughness: 0.6 },
  },
  linen: {
    pattern: striped("#b9853f", "#e7d3a8", 0.2, [[0.45, 0.02]], 0.06),
    weave: "plain",
    thread: 0.0013,
    relief: 0.7,
    roughness: 0.92,
    sheen: { colour: "#ffe9c0", intensity: 0.08, roughness: 0.6 },
    translucency: 0.35,
  },
  gingham: {
    pattern: checked("#f4efe6", "#9a1226", 0.1, 0.045),
    weave: "plain",
    thread: 0.001,
    relief: 0.7,
    roughness: 0.88,
    sheen: { colour: "#ffe6e0", intensity: 0.06, roughness: 0.7 },
  },
  nylon: {
    pattern: banner(["#0f6d78", "#f2ead8", "#d9543c"], "#f0b43c"),
    weave: "plain",
    thread: 0.0009,
    relief: 0.3,
    roughness: 0.6,
    sheen: { colour: "#ffffff", intensity: 0.05, roughness: 0.4 },
    translucency: 0.3,
  },
  rubber: { pattern: plain("#3a3d42", 0.01), weave: "satin", thread: 0.002, relief: 0.05, roughness: 0.55 },
};

/** Physically based material of a cloth, for texture coordinates in meters; both sides are drawn. */
export function clothMaterial(name: SurfaceMaterial, scene: Scene): PBRMaterial {
  const look = clothLooks[name];
  const material = new PBRMaterial(name, scene);
  material.metallic = 0;
  material.roughness = look.roughness;
  material.albedoTexture = paintPattern(`${name} pattern`, look.pattern, scene);
  const normals = weaveNormals(look.weave, look.relief, scene);
  const tile = threadsPerTile * look.thread;
  normals.uScale = 1 / tile;
  normals.vScale = 1 / tile;
  material.bumpTexture = normals;
  material.backFaceCulling = false;
  material.twoSidedLighting = true;
  if (look.sheen !== undefined) {
    material.sheen.isEnabled = true;
    material.sheen.color = linear(look.sheen.colour);
    material.sheen.intensity = look.sheen.intensity;
    material.sheen.roughness = look.sheen.roughness;
  }
  if (look.translucency !== undefined) {
    material.subSurface.isTranslucencyEnabled = true;
    material.subSurface.translucencyIntensity = look.translucency;
  }
  return material;
}

interface PropLook {
  readonly colour: string;
  readonly roughness: number;
  readonly metallic: number;
  readonly clearCoat?: number;
  readonly alpha?: number;
  /** strength of the grain of wood */
  readonly grain?: number;
}

const propLooks: Readonly<Record<PropMaterial, PropLook>> = {
  porcelain: { colour: "#f4f0e8", roughness: 0.3, metallic: 0, clearCoat: 0.6 },
  clay: { colour: "#b9785a", roughness: 0.75, metallic: 0 },
  wood: { colour: "#a5764c", roughness: 0.5, metallic: 0, clearCoat: 0.2, grain: 0.5 },
  steel: { colour: "#b4b8bd", roughness: 0.3, metallic: 1 },
  plaster: { colour: "#d8d4cc", roughness: 0.85, metallic: 0 },
  stone: { colour: "#8b8a86", roughness: 0.9, metallic: 0 },
  glass: { colour: "#a9c6cf", roughness: 0.1, metallic: 0, alpha: 0.45, clearCoat: 1 },
  pane: { colour: "#dcebee", roughness: 0.05, metallic: 0, alpha: 0.2, clearCoat: 1 },
  rubber: { colour: "#b03a2e", roughness: 0.55, metallic: 0 },
  amber: { colour: "#c9832b", roughness: 0.35, metallic: 0, clearCoat: 0.5 },
  ghost: { colour: "#a9c4e2", roughness: 0.9, metallic: 0, alpha: 0.26 },
};

/** Physically based material of an obstacle. */
export function propMaterial(name: PropMaterial, scene: Scene): PBRMaterial {
  const look = propLooks[name];
  const material = new PBRMaterial(name, scene);
  if (look.grain === undefined) material.albedoColor = linear(look.colour);
  else material.albedoTexture = paintPattern(`${name} grain`, grained(look.colour, look.grain), scene);
  material.metallic = look.metallic;
  material.roughness = look.roughness;
  if (look.clearCoat !== undefined) {
    material.clearCoat.isEnabled = true;
    material.clearCoat.intensity = look.clearCoat;
    material.clearCoat.roughness = 0.1;
  }
  if (look.alpha !== undefined) material.alpha = look.alpha;
  return material;
}

function linear(hex: string): Color3 {
  return Color3.FromHexString(hex).toLinearSpace();
}

/** Matte white for vertex colors. */
export function strainMaterial(scene: Scene): PBRMaterial {
  const material = new PBRMaterial("strain", scene);
  material.metallic = 0;
  material.roughness = 0.8;
  material.backFaceCulling = false;
  material.twoSidedLighting = true;
  return material;
}
