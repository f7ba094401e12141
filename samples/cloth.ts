import { clothModel, fabrics, type DeformableBody, type Fabric, type World } from "../src/index";
import { maxStretchPercent, uniqueEdges } from "./metrics";
import { choiceOf, commonParameters, numberOf, solverOptions } from "./parameters";
import type { ClothDescription, ClothFactory, Parameter, ParameterValues, SurfaceMaterial } from "./scene";

/** Names of the fabrics that a scene can choose from. */
export const fabricNames = Object.keys(fabrics) as (keyof typeof fabrics)[];

const membraneModels = ["stvk", "neo-hookean", "springs"] as const;
const bendingModels = ["dihedral", "isometric"] as const;

/**
 * Common parameters of a scene with cloth. The stretch that remains after a sweep grows with the number of elements
 * along a force, so finer cloth gets more substeps, like `recommendedSubsteps` of the engine, unless they are set.
 */
export function clothStepping(defaults: { resolution: number; substeps: number; iterations: number }): Parameter[] {
  const { resolution, substeps, iterations } = defaults;
  return commonParameters({
    substeps,
    iterations,
    followSubsteps: (values) => {
      const grown = Math.round(substeps * (numberOf(values, "resolution") / resolution) ** 1.9);
      return Math.min(MOST_SUBSTEPS, Math.max(FEWEST_SUBSTEPS, grown));
    },
  });
}

const FEWEST_SUBSTEPS = 8;
const MOST_SUBSTEPS = 200;

/** `resolution`, `fabric`, `membrane` and `bending` of the scenes with cloth. */
export function clothParameters(defaults: {
  resolution: number;
  highest?: number;
  fabric: (typeof fabricNames)[number];
}): Parameter[] {
  return [
    {
      name: "resolution",
      default: defaults.resolution,
      unit: "",
      range: [8, defaults.highest ?? 512],
      integer: true,
      description: "segments along the longer side of the cloth",
    },
    { name: "fabric", default: defaults.fabric, unit: "", choices: fabricNames, description: "material of the cloth" },
    {
      name: "membrane",
      default: "stvk",
      unit: "",
      choices: membraneModels,
      description: "energy of stretching and shearing",
    },
    {
      name: "bending",
      default: "isometric",
      unit: "",
      choices: bendingModels,
      description: "energy of bending: by the angle of hinges, or quadratic in the positions",
    },
  ];
}

export interface ClothMesh {
  /** n × 3, m */
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  /** n × 2, in [0, 1] */
  readonly uvs: Float64Array;
}

export interface ClothSettings {
  readonly name: string;
  readonly mesh: ClothMesh;
  /** width and height of the mesh, m */
  readonly size: readonly [number, number];
  /** kg/m², instead of the fabric's own */
  readonly areaDensity?: number;
  readonly options?: ClothDescription["options"];
  readonly pins?: readonly number[];
  /** its look, instead of the fabric's own */
  readonly material?: SurfaceMaterial;
}

/** A cloth with the data that the metrics need. */
export interface Cloth {
  readonly body: DeformableBody;
  readonly restPositions: Float64Array;
  readonly masses: Float64Array;
  /** triangles, three particles each */
  readonly faces: Uint32Array;
  /** largest edge elongation relative to the mesh, percent */
  stretchPercent(positions: ArrayLike<number>): number;
}

/** Makes a cloth with the scene's `fabric`, `membrane`, `bending` and solver parameters. */
export function addCloth(makeCloth: ClothFactory, values: ParameterValues, settings: ClothSettings): Cloth {
  const fabricName = choiceOf(values, "fabric", fabricNames);
  const fabric = fabrics[fabricName];
  const body = makeCloth({
    name: settings.name,
    positions: settings.mesh.positions,
    indices: settings.mesh.indices,
    uvs: settings.mesh.uvs.map((value, i) => value * settings.size[i % 2]),
    fabric: settings.areaDensity === undefined ? fabric : { ...fabric, areaDensity: settings.areaDensity },
    // The table decides the energy of stretching, whatever the parameter is.
    membrane: fabric.table ? "hylc" : choiceOf(values, "membrane", membraneModels),
    bending: choiceOf(values, "bending", bendingModels),
    options: { ...solverOptions(values), ...settings.options },
    pins: settings.pins ?? [],
    material: settings.material ?? surfaceMaterials[fabricName],
  });
  const { positions: restPositions, masses, faces } = body.model;
  const edges = uniqueEdges(faces);
  return {
    body,
    restPositions,
    masses,
    faces,
    stretchPercent: (positions) => maxStretchPercent(positions, restPositions, edges),
  };
}

/** Cloth without a picture. */
export function clothInWorld(world: World): ClothFactory {
  return ({ name, positions, indices, uvs, fabric, membrane, bending, options, pins }) => {
    const model = clothModel({ positions, indices, uvs, fabric, membrane, bending, name });
    return world.addBody(model, { ...options, name, pins });
  };
}

const surfaceMaterials: Readonly<Record<keyof typeof fabrics, SurfaceMaterial>> = {
  cotton: "cotton",
  silk: "silk",
  denim: "denim",
  canvas: "linen",
  "rubber-sheet": "rubber",
  satin: "silk",
  basket: "linen",
  honeycomb: "cotton",
  rib: "cotton",
  stockinette: "linen",
};

/** Rotation about the z axis by an angle in radians, as a quaternion. */
export function rotationAboutZ(angle: number): readonly [number, number, number, number] {
  return [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
}

/** Segments along both sides of a cloth: `resolution` along the longer one, about square quads. */
export function segmentsOf(values: ParameterValues, sizeX: number, sizeZ: number): [number, number] {
  const resolution = numberOf(values, "resolution");
  const longer = Math.max(sizeX, sizeZ);
  return [
    Math.max(1, Math.round((resolution * sizeX) / longer)),
    Math.max(1, Math.round((resolution * sizeZ) / longer)),
  ];
}

/** Fabric chosen in the scene's parameters. */
export function fabricOf(values: ParameterValues): Fabric {
  return fabrics[choiceOf(values, "fabric", fabricNames)];
}
