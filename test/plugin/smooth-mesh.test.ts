import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import { ClothAggregate, SmoothMesh, SoftBodyAggregate } from "../../plugin/index";
import { shaders } from "../../src/generated/shaders/drawing";
import { curveMiddles } from "../../src/geometry/triangles/curved-middles";
import { subdivide } from "../../src/geometry/triangles/subdivide";
import { type GpuContext, requestContext } from "../../src/gpu/device";
import { Kernel } from "../../src/gpu/kernel";
import { readBuffer } from "../../src/gpu/readback";
import { expectRefusal, makeSheet, testScene, vertexAt, type TestScene } from "./fixtures";

const { PositionKind, NormalKind, UVKind } = VertexBuffer;
const still = { gravityFactor: 0, airDensity: 0, substeps: 1 } as const;

let context: GpuContext;
beforeAll(async () => void (context = await requestContext((await loadWebGpu()).gpu)));
afterAll(() => context.device.destroy());

let t: TestScene;
beforeEach(async () => void (t = await testScene()));
afterEach(() => t.dispose());

const draw = (): void => t.scene.render();
const points = (mesh: Mesh): Vector3[] => {
  const data = mesh.getVerticesData(PositionKind)!;
  return Array.from({ length: data.length / 3 }, (_, v) => vertexAt(data, v));
};

/** Triangles with an area. */
const facesOf = (mesh: Mesh): Vector3[][] => {
  const [places, indices] = [points(mesh), Array.from(mesh.getIndices()!)];
  const faces = indices.flatMap((_, i) => (i % 3 === 0 ? [indices.slice(i, i + 3).map((v) => places[v])] : []));
  return faces.filter(([p, q, r]) => Vector3.Cross(q.subtract(p), r.subtract(p)).length() > 1e-6 * q.lengthSquared());
};

it.each([
  [1, 1],
  [1, 0.1],
  [2, 10],
])("%i levels round a ball of diameter %f", (levels, diameter) => {
  const ball = CreateSphere("ball", { diameter, segments: 6 }, t.scene);
  const cloth = new ClothAggregate(ball, still, t.scene);
  const { mesh } = new SmoothMesh(cloth, { levels });
  draw();
  const off = (p: Vector3): number => Math.abs(p.length() / (diameter / 2) - 1);
  const [coarse, fine] = [points(ball), points(mesh)];
  // triangles at the poles have no area
  expect(facesOf(mesh).length).toBe(4 ** levels * facesOf(ball).length);
  // it passes through the simulated vertices
  coarse.forEach((place, v) => expect(Vector3.Distance(place, fine[v])).toBeLessThan(1e-6 * diameter));
  const indices = ball.getIndices()!;
  let flat = 0;
  for (let i = 0; i < indices.length; i += 3)
    flat = Math.max(flat, off(coarse[indices[i]].add(coarse[indices[i + 1]]).scale(0.5)));
  expect(flat).toBeGreaterThan(0.03);
  expect(Math.max(...fine.map(off))).toBeLessThan(0.25 * flat);
  const normals = mesh.getVerticesData(NormalKind)!;
  fine.forEach((p, v) => expect(Vector3.Dot(vertexAt(normals, v), p.normalizeToNew())).toBeGreaterThan(0.98));
  // vertices at one place on the two sides of a seam stay at one place
  const uvs = mesh.getVerticesData(UVKind)!;
  const seam = fine.map((p, v) => [p, uvs[2 * v]] as const).filter(([p]) => Math.abs(p.z) < 1e-3 * diameter && p.x > 0);
  const [left, right] = [0, 1].map((u) => seam.filter(([, at]) => Math.abs(at - u) < 1e-6).map(([p]) => p));
  expect(left.length).toBeGreaterThan(2);
  for (const p of left) expect(Math.min(...right.map((q) => Vector3.Distance(p, q)))).toBeLessThan(1e-6 * diameter);
});

it("follows the cloth and its node, gives the drawing back, and ends with the cloth", () => {
  const sheet = makeSheet(t.scene);
  const cloth = new ClothAggregate(sheet, { pins: [0] }, t.scene);
  const smooth = new SmoothMesh(cloth);
  expect([sheet.visibility, smooth.mesh.isPickable, sheet.isPickable]).toEqual([0, false, true]);
  t.run(10);
  sheet.position.x += 3;
  draw();
  const [coarse, fine] = [points(sheet), points(smooth.mesh)];
  coarse.forEach((place, v) => expect(Vector3.Distance(place, fine[v])).toBeLessThan(1e-6));
  expect(smooth.mesh.getBoundingInfo()).toBe(sheet.getBoundingInfo());
  smooth.dispose();
  expect([sheet.visibility, smooth.mesh.isDisposed(), sheet.isDisposed()]).toEqual([1, true, false]);
  const again = new SmoothMesh(cloth);
  cloth.dispose();
  expect([again.mesh.isDisposed(), sheet.visibility]).toEqual([true, 1]);
});

it("refuses what it cannot draw", () => {
  const cloth = new ClothAggregate(makeSheet(t.scene), {}, t.scene);
  for (const levels of [0, 1.5, 4, NaN, "2" as unknown as number])
    expectRefusal(() => new SmoothMesh(cloth, { levels }), "invalid-argument", "levels");
  const torn = new ClothAggregate(makeSheet(t.scene), { tearing: { strain: 0.2 } }, t.scene);
  expectRefusal(() => new SmoothMesh(torn), "unsupported", "tear");
  const ball = new SoftBodyAggregate(CreateSphere("soft", {}, t.scene), { resolution: 3 }, t.scene);
  for (const wrong of [ball, null, undefined])
    expectRefusal(() => new SmoothMesh(wrong as unknown as ClothAggregate), "invalid-argument", "ClothAggregate");
  expect([cloth, torn].map(({ mesh }) => mesh.visibility)).toEqual([1, 1]);
});

it("is the same on the GPU", async () => {
  const ground = CreateGround("ground", { width: 1, height: 1, subdivisions: 7 }, t.scene);
  const places = Float32Array.from(ground.getVerticesData(PositionKind)!, (x, i) => x + 0.1 * Math.sin(7 * i));
  const cut = subdivide(places, ground.getIndices()!, 0, 1e5, 2)!;
  const expected = new Float32Array(6 * cut.vertexCount);
  for (let v = 0; v < cut.oldCount; v++) {
    const normal = new Vector3(Math.sin(3 * v), 2, Math.cos(5 * v)).normalize();
    expected.set([...places.subarray(3 * v, 3 * v + 3), ...normal.asArray()], 6 * v);
  }
  const coarse = context.createBuffer("coarse", expected.slice(0, 6 * cut.oldCount));
  curveMiddles(cut, expected);
  const fine = context.createBuffer("fine", 4 * expected.length);
  const parents = context.createBuffer("parents", cut.parents);
  const starts = [0, cut.oldCount, ...cut.counts];
  for (let k = 1; k < starts.length; k++) {
    const range = context.createBuffer("range", Uint32Array.of(cut.oldCount, starts[k - 1], starts[k]));
    const bindings = { coarse, fine, parents, range };
    const kernel = Kernel.create(context, "smooth", shaders["drawing/smooth"], "smoothVertices", bindings);
    const encoder = context.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    kernel.dispatch(pass, starts[k] - starts[k - 1], new Uint32Array());
    pass.end();
    context.device.queue.submit([encoder.finish()]);
  }
  const found = new Float32Array(await readBuffer(context, fine));
  expect(Math.max(...found.map((value, i) => Math.abs(value - expected[i])))).toBeLessThan(2e-6);
});
