import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { GLTFExporter } from "@babylonjs/serializers/glTF/2.0/glTFExporter";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { registerGltfPhysics, registerGltfPhysicsExport } from "../../../plugin/gltf/index";
import { ClothAggregate, ClothRange, RopeAggregate, SoftBodyAggregate } from "../../../plugin/index";
import { testScene, type TestScene } from "../fixtures";
import { loaded, nodeNamed, written } from "./files";

const scenes: TestScene[] = [];
beforeAll(() => {
  registerGltfPhysics();
  registerGltfPhysicsExport(GLTFExporter);
});
afterEach(() => scenes.splice(0).forEach((t) => t.dispose()));

/** A sheet on a rail in the wind, a cube of jelly in free fall, and a rope on a pin. */
async function build(isRightHanded: boolean): Promise<TestScene> {
  const t = await testScene();
  scenes.push(t);
  const { scene } = t;
  scene.useRightHandedSystem = isRightHanded;
  const rail = CreateBox("rail", { width: 1, height: 0.05, depth: 0.05 }, scene);
  rail.position.set(1, 2, -0.5);
  const sheet = CreateGround("sheet", { width: 1, height: 1, subdivisions: 6 }, scene);
  sheet.position.set(1, 2, 0);
  sheet.rotationQuaternion = Quaternion.RotationYawPitchRoll(0, 0.2, 0.1);
  const cloth = new ClothAggregate(sheet, { pins: [48], substeps: 8, fabric: "silk" }, scene);
  cloth.setWind(new Vector3(2, 0, 1));
  void cloth.attach([0, 1, 2], rail);
  const box = CreateBox("jelly", { width: 0.3, height: 0.4, depth: 0.5 }, scene);
  box.position.set(-1, 2, 0.4);
  new SoftBodyAggregate(box, { youngsModulus: 2e4, resolution: 3, substeps: 8, subdivide: 0.06 }, scene);
  const path = [new Vector3(-2, 2, -1), new Vector3(-1.5, 2.1, -0.7), new Vector3(-1, 2, -0.6)];
  new RopeAggregate({ path, name: "rope" }, { segments: 8, pins: [0], radius: 0.01, substeps: 8 }, scene);
  return t;
}

/** Vertices of a body in the frame of the file. */
async function places({ plugin, scene }: TestScene, name: string): Promise<number[]> {
  const positions = await plugin.deformableAggregates.find(({ mesh }) => mesh.name === name)!.readPositions();
  const sign = scene.useRightHandedSystem ? 1 : -1;
  return Array.from(positions, (value, i) => (i % 3 === 0 ? sign * value : value));
}

it.each([
  ["left", "left", 0],
  ["left", "left", 8],
  ["left", "right", 8],
  ["right", "left", 8],
])("deformable bodies of a %s-handed scene go on in a %s-handed one after %s frames", async (from, to, before) => {
  const first = await build(from === "right");
  first.run(before);
  const second = await loaded(await written(first), to === "right", new Vector3(0, -10, 0));
  scenes.push(second);
  expect(second.plugin.deformableAggregates.map(({ kind }) => kind).sort()).toEqual(["cloth", "rope", "soft-body"]);
  for (const frames of [0, 6]) {
    for (const t of [first, second]) {
      // The rail carries its vertices.
      for (let k = 0; k < frames; k++) {
        nodeNamed(t, "rail").position.y += 0.01;
        t.run(1);
      }
    }
    for (const name of ["sheet", "jelly", "rope"]) {
      const [a, b] = [await places(first, name), await places(second, name)];
      expect(b.length).toBe(a.length);
      const off = Math.max(...a.map((value, i) => Math.abs(value - b[i])));
      expect(off, `${name} after ${frames} frames`).toBeLessThan(1e-4);
    }
  }
});

it("leaves out what a file cannot hold, with a warning", async () => {
  const t = await testScene();
  scenes.push(t);
  const rail = CreateBox("rail", {}, t.scene);
  const sheet = CreateGround("sheet", { width: 1, height: 1, subdivisions: 3 }, t.scene);
  const range = new ClothRange({ node: rail, maxDistance: 0.1 });
  new ClothAggregate(sheet, { range, layer: 2, lod: () => false }, t.scene);
  CreateSphere("other", { segments: 2 }, t.scene);
  const warned = vi.spyOn(Logger, "Warn").mockImplementation(() => undefined);
  const { nodes, extensionsUsed } = JSON.parse(await written(t)) as {
    nodes: { name: string; extensions?: Record<string, unknown> }[];
    extensionsUsed: string[];
  };
  const messages = warned.mock.calls.map(([message]) => String(message));
  warned.mockRestore();
  for (const option of ["range", "lod"]) expect(messages.some((text) => text.includes(`option ${option} `))).toBe(true);
  expect(nodes.find(({ name }) => name === "sheet")!.extensions).toEqual({
    PLIANT_deformables: { cloth: { layer: 2 } },
  });
  expect(nodes.find(({ name }) => name === "other")!.extensions).toBeUndefined();
  expect(extensionsUsed).toContain("PLIANT_deformables");
});
