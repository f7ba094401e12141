import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { GLTF2Export } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
import { afterEach, describe, expect, it } from "vitest";
import type { DeformableAggregate } from "../../plugin/deformable/deformable-aggregate";
import { ClothAggregate, SoftBodyAggregate } from "../../plugin/index";
import { makeSheet, testScene, type TestScene } from "./fixtures";

interface Gltf {
  readonly nodes: readonly { readonly name: string; readonly mesh?: number }[];
  readonly meshes: readonly { readonly primitives: readonly { readonly attributes: Record<string, number> }[] }[];
  readonly accessors: readonly { readonly bufferView: number; readonly byteOffset?: number; readonly count: number }[];
  readonly bufferViews: readonly { readonly byteOffset?: number; readonly byteStride?: number }[];
}

let t: TestScene;
afterEach(() => t.dispose());

/** Positions of the vertices of a mesh in a GLB file, in the frame of the mesh. */
async function exported(mesh: Mesh): Promise<number[]> {
  const { files } = await GLTF2Export.GLBAsync(t.scene, "scene");
  const bytes = await (files["scene.glb"] as Blob).arrayBuffer();
  const view = new DataView(bytes);
  expect(view.getUint32(0, true)).toBe(0x46546c67);
  const jsonLength = view.getUint32(12, true);
  const gltf = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 20, jsonLength))) as Gltf;
  const node = gltf.nodes.find(({ name }) => name === mesh.name)!;
  const {
    bufferView,
    byteOffset = 0,
    count,
  } = gltf.accessors[gltf.meshes[node.mesh!].primitives[0].attributes.POSITION];
  const { byteOffset: start = 0, byteStride = 12 } = gltf.bufferViews[bufferView];
  const first = 20 + jsonLength + 8 + start + byteOffset;
  return Array.from({ length: 3 * count }, (_, i) =>
    view.getFloat32(first + byteStride * Math.floor(i / 3) + 4 * (i % 3), true),
  );
}

const things: Readonly<Record<string, () => { mesh: Mesh; make: () => DeformableAggregate }>> = {
  cloth: () => {
    const mesh = makeSheet(t.scene);
    return { mesh, make: () => new ClothAggregate(mesh, { pins: [0, 8] }, t.scene) };
  },
  "a soft body": () => {
    const mesh = CreateSphere("jelly", { diameter: 0.5, segments: 4 }, t.scene);
    return { mesh, make: () => new SoftBodyAggregate(mesh, { youngsModulus: 1e4, resolution: 4 }, t.scene) };
  },
};

describe.each(Object.keys(things))("a GLB file of %s", (name) => {
  it.each([true, false])(
    "has the vertices as they are, in motion, baked, disposed and restored; right-handed: %s",
    async (right) => {
      t = await testScene();
      t.scene.useRightHandedSystem = right;
      const { mesh, make } = things[name]();
      mesh.position.set(1, 2, 3);
      const onCpu = (): number[] => [...mesh.getVerticesData(VertexBuffer.PositionKind)!];
      // glTF is right-handed: left-handed data are mirrored
      const inFile = (positions: readonly number[]): number[] =>
        positions.map((value, i) => (right || i % 3 > 0 ? value : -value));
      const rest = onCpu();
      const body = make();
      const check = async (wanted: readonly number[]): Promise<void> => {
        const found = await exported(mesh);
        expect(found).toHaveLength(wanted.length);
        inFile(wanted).forEach((value, i) => expect(Math.abs(found[i] - value)).toBeLessThan(1e-6));
      };
      await check(rest);
      t.run(20);
      const world = await body.readPositions();
      const current = Array.from(world, (value, i) => value - [1, 2, 3][i % 3]);
      const fallen = Math.max(...current.map((value, i) => Math.abs(value - rest[i])));
      expect(fallen).toBeGreaterThan(0.1);
      await check(current);
      await body.bakeToMesh();
      await check(current);
      body.dispose();
      await check(current);
      const again = make();
      t.run(5);
      expect(onCpu()).not.toEqual(current);
      again.dispose({ restore: true });
      await check(current);
    },
  );
});
