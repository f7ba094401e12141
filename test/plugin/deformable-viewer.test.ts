import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { UtilityLayerRenderer } from "@babylonjs/core/Rendering/utilityLayerRenderer";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, expect, it, vi } from "vitest";
import { ClothAggregate, DeformableViewer, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import { expectRefusal, makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
afterEach(() => t.dispose());

/** A viewer, and the scene of its layer. */
function viewed(): { viewer: DeformableViewer; layer: Scene } {
  const viewer = new DeformableViewer(t.scene);
  return { viewer, layer: viewer.utilityLayer.utilityLayerScene };
}

function draw(): void {
  t.scene.onBeforeRenderObservable.notifyObservers(t.scene);
}

it.each([1, 100])("follows the particles of cloth in a scene of %s units a meter, and colors pins", async (units) => {
  t = await testScene({ worldScale: units });
  const cloth = new ClothAggregate(makeSheet(t.scene, units, 8, units), { pins: [0, 8] }, t.scene);
  const { viewer, layer } = viewed();
  viewer.show(cloth);
  t.run(20);
  await cloth.readPositions();
  draw();
  const balls = layer.getMeshByName("particles of sheet") as Mesh;
  const matrix = balls._thinInstanceDataStorage.matrixData!;
  const color = balls._userThinInstanceBuffersStorage.data[VertexBuffer.ColorInstanceKind];
  const places = await cloth.readPositions();
  for (let p = 0; p < cloth.body.particleCount; p++) {
    for (let c = 0; c < 3; c++) expect(matrix[16 * p + 12 + c]).toBeCloseTo(places[3 * p + c], 4);
    expect(color[4 * p + 1] < 0.5).toBe(p === 0 || p === 8);
  }
  expect(matrix[0]).toBeCloseTo(2 * units * cloth.body.options.thickness, 6);
});

it("colors edges by their strain", async () => {
  t = await testScene();
  const cloth = new ClothAggregate(makeSheet(t.scene), {}, t.scene);
  const { viewer, layer } = viewed();
  const { positions } = cloth.body.model;
  const stretched = positions.map((x, i) => (i % 3 === 0 ? 1.1 * x : i % 3 === 2 ? 0.9 * x : x));
  cloth.body.writeState({ positions: stretched });
  viewer.show(cloth, { strain: 0.2, particles: false });
  draw();
  expect(layer.meshes).toHaveLength(1);
  const [line] = layer.meshes;
  const [ends, colors] = [line.getVerticesData("position")!, line.getVerticesData("color")!];
  const seen = { long: 0, short: 0 };
  for (let k = 0; k < ends.length / 6; k++) {
    const [x, z] = [0, 2].map((c) => Math.abs(ends[6 * k + c] - ends[6 * k + 3 + c]));
    const found = [0, 1, 2].map((c) => colors[8 * k + c]);
    // half of the strain at which an edge is all red, or all blue
    if (z < 1e-6) found.forEach((value, c) => expect(value).toBeCloseTo([1, 0.5, 0.5][c], 2));
    if (x < 1e-6) found.forEach((value, c) => expect(value).toBeCloseTo([0.5, 0.5, 1][c], 2));
    if (z < 1e-6) seen.long++;
    if (x < 1e-6) seen.short++;
  }
  expect(seen).toEqual({ long: 72, short: 72 });
});

it("shows soft bodies and ropes, and leaves nothing", async () => {
  t = await testScene();
  const { viewer, layer } = viewed();
  const soft = new SoftBodyAggregate(CreateBox("box", {}, t.scene), { resolution: 2 }, t.scene);
  const rope = new RopeAggregate({ path: [Vector3.Zero(), Vector3.Right()] }, {}, t.scene);
  viewer.show(soft);
  viewer.show(rope);
  draw();
  expect(layer.meshes.map(({ name }) => name.split(" ")[0])).toEqual(["particles", "edges", "particles", "edges"]);
  // inner edges, too
  const lines = layer.getMeshByName("edges of box")!;
  expect(lines.getTotalVertices() / 2).toBeGreaterThan(soft.body.model.faces.length / 2);
  soft.dispose();
  expect(layer.meshes).toHaveLength(2);
  expectRefusal(() => viewer.show(soft), "disposed", "soft-body");
  expectRefusal(() => viewer.show(rope, { strain: 0 }), "invalid-argument", "strain");
  const disposal = vi.spyOn(UtilityLayerRenderer.prototype, "dispose");
  viewer.dispose();
  expect(disposal).toHaveBeenCalledOnce();
  expect(layer.meshes).toHaveLength(0);
  draw();
});
