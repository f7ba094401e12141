import { Matrix, type Vector3 } from "@babylonjs/core/Maths/math.vector";
import { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { GLTF2Export } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
import "@babylonjs/loaders/glTF/2.0/glTFLoader";
import "@babylonjs/loaders/glTF/glTFFileLoader";
import { testScene, type TestScene } from "../fixtures";

export type Json = Record<string, unknown>;

export interface MeshData {
  readonly positions: readonly number[];
  readonly indices: readonly number[];
}

export const rigid = (extension: Json): Json => ({ extensions: { KHR_physics_rigid_bodies: extension } });
export const deformable = (extension: Json): Json => ({ extensions: { PLIANT_deformables: extension } });

/** A glTF file as text. */
export function file(
  nodes: readonly Json[],
  shapes: readonly Json[] = [],
  physics: Json = {},
  meshes: readonly MeshData[] = [],
): string {
  const isChild = new Set(nodes.flatMap(({ children = [] }) => children as number[]));
  return JSON.stringify({
    asset: { version: "2.0" },
    extensionsUsed: ["KHR_physics_rigid_bodies", "KHR_implicit_shapes", "PLIANT_deformables"],
    extensions: { KHR_implicit_shapes: { shapes }, KHR_physics_rigid_bodies: physics },
    scene: 0,
    scenes: [{ nodes: nodes.flatMap((_, k) => (isChild.has(k) ? [] : [k])) }],
    nodes,
    ...geometryOf(meshes),
  });
}

function geometryOf(meshes: readonly MeshData[]): Json {
  if (meshes.length === 0) return {};
  const [bufferViews, accessors]: [Json[], Json[]] = [[], []];
  const pieces: Buffer[] = [];
  let length = 0;
  const add = (values: Float32Array | Uint32Array, accessor: Json): number => {
    const piece = Buffer.from(values.buffer);
    bufferViews.push({ buffer: 0, byteOffset: length, byteLength: piece.length });
    accessors.push({ bufferView: bufferViews.length - 1, ...accessor });
    pieces.push(piece);
    length += piece.length;
    return accessors.length - 1;
  };
  const made = meshes.map(({ positions, indices }) => {
    const bound = (pick: (...values: number[]) => number): number[] =>
      [0, 1, 2].map((axis) => pick(...positions.filter((_, k) => k % 3 === axis)));
    const [min, max] = [bound(Math.min), bound(Math.max)];
    const count = positions.length / 3;
    const POSITION = add(Float32Array.from(positions), { componentType: 5126, count, type: "VEC3", min, max });
    const at = add(Uint32Array.from(indices), { componentType: 5125, count: indices.length, type: "SCALAR" });
    return { primitives: [{ attributes: { POSITION }, indices: at }] };
  });
  const uri = `data:application/octet-stream;base64,${Buffer.concat(pieces).toString("base64")}`;
  return { meshes: made, bufferViews, accessors, buffers: [{ byteLength: length, uri }] };
}

/** Sides of a cube of 1 m, turned outward, each with four vertices. */
export function boxMesh(sides: readonly string[] = ["x", "-x", "y", "-y", "z", "-z"]): MeshData {
  const [positions, indices]: [number[], number[]] = [[], []];
  for (const side of sides) {
    const sign = side.startsWith("-") ? -1 : 1;
    const axis = "xyz".indexOf(side.at(-1)!);
    const first = positions.length / 3;
    for (const [u, v] of [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ]) {
      const point = [0, 0, 0];
      point[axis] = sign / 2;
      point[(axis + 1) % 3] = (sign * u) / 2;
      point[(axis + 2) % 3] = v / 2;
      positions.push(...point);
    }
    indices.push(...[0, 1, 2, 0, 2, 3].map((k) => first + k));
  }
  return { positions, indices };
}

/** A level sheet of 1 m with a number of cells along its sides, about its middle. */
export function sheetMesh(cells: number): MeshData {
  const [positions, indices]: [number[], number[]] = [[], []];
  for (let j = 0; j <= cells; j++) for (let i = 0; i <= cells; i++) positions.push(i / cells - 0.5, 0, j / cells - 0.5);
  for (let j = 0; j < cells; j++)
    for (let i = 0; i < cells; i++) {
      const a = j * (cells + 1) + i;
      indices.push(a, a + cells + 1, a + 1, a + 1, a + cells + 1, a + cells + 2);
    }
  return { positions, indices };
}

/** The scene as one text. */
export async function written({ scene }: TestScene): Promise<string> {
  const { files } = await GLTF2Export.GLTFAsync(scene, "scene");
  const json = JSON.parse(files["scene.gltf"] as string) as { buffers?: { uri: string }[] };
  const binary = Buffer.from(await (files["scene.bin"] as Blob).arrayBuffer());
  for (const buffer of json.buffers ?? [])
    buffer.uri = `data:application/octet-stream;base64,${binary.toString("base64")}`;
  return JSON.stringify(json);
}

export async function loaded(json: string, isRightHanded: boolean, gravity?: Vector3): Promise<TestScene> {
  const t = await testScene({}, gravity);
  t.scene.useRightHandedSystem = isRightHanded;
  try {
    await ImportMeshAsync(`data:${json}`, t.scene, { pluginExtension: ".gltf" });
  } catch (error) {
    t.dispose();
    throw error;
  }
  return t;
}

export function nodeNamed({ scene }: TestScene, name: string): TransformNode {
  return scene.getTransformNodeByName(name) ?? scene.getMeshByName(name)!;
}

/** From the frame of a node to that of the file. */
export function placeInFile(t: TestScene, name: string): number[] {
  return [...nodeNamed(t, name).computeWorldMatrix(true).multiply(toFile(t)).asArray()];
}

/** From the scene to the file. */
export function toFile({ scene }: TestScene): Matrix {
  const root = scene.getNodeByName("__root__") as TransformNode | null;
  return root ? Matrix.Invert(root.computeWorldMatrix(true)) : Matrix.Identity();
}
