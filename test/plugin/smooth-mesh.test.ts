import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateCylinder } from "@babylonjs/core/Meshes/Builders/cylinderBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { SubMesh } from "@babylonjs/core/Meshes/subMesh";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import { ClothAggregate, SmoothMesh, SoftBodyAggregate } from "../../plugin/index";
import { shaders } from "../../src/generated/shaders/drawing";
import { curveMiddles } from "../../src/geometry/triangles/curved-middles";
import { placeShell, sheetShell } from "../../src/geometry/triangles/sheet-shell";
import { spreadToParts, subdivide } from "../../src/geometry/triangles/subdivide";
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

it("lets the simulated mesh show its strain", () => {
  const { scene, run } = t;
  const sheet = makeSheet(scene);
  const cloth = new ClothAggregate(sheet, { pins: [0] }, scene);
  const smooth = new SmoothMesh(cloth);
  for (const visible of [true, false]) {
    cloth.showStrain(visible);
    run(2);
    scene.render();
    expect([sheet.visibility, smooth.mesh.isVisible]).toEqual([visible ? 1 : 0, !visible]);
  }
});

/** Volume within the triangles of a mesh, with the sign of the side from which Babylon shows them. */
const volumeOf = (mesh: Mesh): number =>
  facesOf(mesh).reduce((sum, [p, q, r]) => sum - Vector3.Dot(p, Vector3.Cross(q, r)) / 6, 0);

const areaOf = (mesh: Mesh): number =>
  facesOf(mesh).reduce((sum, [p, q, r]) => sum + Vector3.Cross(q.subtract(p), r.subtract(p)).length() / 2, 0);

/** Edges of triangles by the places of their ends, each with how often it is run through forward less backward. */
function openEdges(mesh: Mesh): number {
  const name = (p: Vector3): string => p.asArray().join();
  const sums = new Map<string, number>();
  for (const face of facesOf(mesh))
    face.forEach((p, k) => {
      const [from, to] = [name(p), name(face[(k + 1) % 3])];
      const [key, step] = from < to ? [`${from}/${to}`, 1] : [`${to}/${from}`, -1];
      sums.set(key, (sums.get(key) ?? 0) + step);
    });
  return [...sums.values()].filter((sum) => sum !== 0).length;
}

it.each([
  [1, 0.02, 1],
  [0.1, 0.001, 1],
  [10, 0.3, 2],
])("a sheet of %f m that is %f m thick, at scale %f, is closed and has its volume", (size, thickness, scale) => {
  const sheet = CreateGround("sheet", { width: size / scale, height: size / scale, subdivisions: 6 }, t.scene);
  sheet.scaling.setAll(scale);
  const cloth = new ClothAggregate(sheet, still, t.scene);
  const { mesh } = new SmoothMesh(cloth, { thickness });
  draw();
  expect(openEdges(mesh)).toBe(0);
  expect(volumeOf(mesh) * scale ** 3).toBeCloseTo(size * size * thickness, 6 + (size < 1 ? 3 : 0) - (size > 1 ? 2 : 0));
  expect(areaOf(mesh) * scale ** 2).toBeCloseTo(2 * size * size + 4 * size * thickness, 4);
  // the rim looks outward, the sides up and down
  const [places, normals] = [points(mesh), mesh.getVerticesData(NormalKind)!];
  const kinds = places.map((p, v) => {
    const normal = vertexAt(normals, v);
    expect(normal.length()).toBeCloseTo(1, 5);
    if (Math.abs(normal.y) < 1e-5) return Vector3.Dot(normal, p) > 0.4 * (size / scale) ? "rim" : "wrong";
    return normal.y * p.y > 0 && Math.abs(normal.y) > 1 - 1e-5 ? "side" : "wrong";
  });
  expect(kinds).not.toContain("wrong");
  expect(kinds.filter((kind) => kind === "rim").length).toBe(2 * 4 * 12);
  const uvs = mesh.getVerticesData(UVKind)!;
  places.forEach((p, v) => expect(uvs[2 * v]).toBeCloseTo((p.x * scale) / size + 0.5, 4));
});

it("a thick ball has no rim at the seam of its texture, and a hole of a tube has one", () => {
  const ball = CreateSphere("ball", { segments: 4 }, t.scene);
  const tube = CreateCylinder("tube", { cap: Mesh.NO_CAP, tessellation: 12, subdivisions: 4 }, t.scene);
  const [round, open] = [ball, tube].map((mesh) => {
    const cloth = new ClothAggregate(mesh, still, t.scene);
    return new SmoothMesh(cloth, { thickness: 0.01 }).mesh;
  });
  draw();
  expect([round, open].map(openEdges)).toEqual([0, 0]);
  expect(volumeOf(round)).toBeCloseTo(0.01 * Math.PI, 2);
  expect(facesOf(round).length).toBe(2 * 4 * facesOf(ball).length);
  expect(facesOf(open).length).toBe(2 * 4 * facesOf(tube).length + 2 * 2 * 24);
});

it("keeps the submeshes of thick cloth", () => {
  const sheet = makeSheet(t.scene);
  const half = sheet.getTotalIndices() / 2;
  sheet.releaseSubMeshes();
  for (const part of [0, 1]) new SubMesh(part, 0, sheet.getTotalVertices(), part * half, half, sheet);
  const { mesh } = new SmoothMesh(new ClothAggregate(sheet, still, t.scene), { thickness: 0.01 });
  expect(mesh.subMeshes.map(({ materialIndex }) => materialIndex)).toEqual([0, 1]);
  const [first, second] = mesh.subMeshes;
  expect([first.indexStart, second.indexStart]).toEqual([0, first.indexCount]);
  expect(first.indexCount + second.indexCount).toBe(mesh.getTotalIndices());
});

it("refuses what it cannot draw", () => {
  const cloth = new ClothAggregate(makeSheet(t.scene), {}, t.scene);
  for (const thickness of [-1, NaN, Infinity, "2" as unknown as number])
    expectRefusal(() => new SmoothMesh(cloth, { thickness }), "invalid-argument", "thickness");
  for (const levels of [0, 1.5, 4, NaN, "2" as unknown as number])
    expectRefusal(() => new SmoothMesh(cloth, { levels }), "invalid-argument", "levels");
  const torn = new ClothAggregate(makeSheet(t.scene), { tearing: { strain: 0.2 } }, t.scene);
  expectRefusal(() => new SmoothMesh(torn), "unsupported", "tear");
  const ball = new SoftBodyAggregate(CreateSphere("soft", {}, t.scene), { resolution: 3 }, t.scene);
  for (const wrong of [ball, null, undefined])
    expectRefusal(() => new SmoothMesh(wrong as unknown as ClothAggregate), "invalid-argument", "ClothAggregate");
  expect([cloth, torn].map(({ mesh }) => mesh.visibility)).toEqual([1, 1]);
});

it("normals of new vertices lie between those at the ends of their edge, however uneven these are", () => {
  const cut = subdivide([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], [0, 1, 2, 1, 3, 2], 0, 1e5, 3)!;
  const vertices = new Float32Array(6 * cut.vertexCount);
  for (let seed = 1; seed < 20; seed++) {
    for (let v = 0; v < cut.oldCount; v++) {
      const normal = new Vector3(Math.sin(seed * (7 * v + 1)), Math.cos(seed * (5 * v + 2)), 1).normalize();
      vertices.set([v % 2, v >> 1, 0, ...normal.asArray()], 6 * v);
    }
    curveMiddles(cut, vertices);
    const normal = (v: number): Vector3 => Vector3.FromArray(vertices, 6 * v + 3);
    for (let v = cut.oldCount; v < cut.vertexCount; v++) {
      const [a, b] = [0, 1].map((k) => normal(cut.parents[2 * (v - cut.oldCount) + k]));
      for (const end of [a, b]) expect(Vector3.Dot(normal(v), end)).toBeGreaterThan(Vector3.Dot(a, b) - 1e-6);
    }
  }
});

function runOnGpu(kernel: Kernel, count: number): void {
  const encoder = context.device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  kernel.dispatch(pass, count, new Uint32Array());
  pass.end();
  context.device.queue.submit([encoder.finish()]);
}

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
    runOnGpu(kernel, starts[k] - starts[k - 1]);
  }
  const found = new Float32Array(await readBuffer(context, fine));
  expect(Math.max(...found.map((value, i) => Math.abs(value - expected[i])))).toBeLessThan(2e-6);

  const thick = sheetShell(spreadToParts(cut, places, 3), cut.indices);
  const half = Float32Array.of(0.05, 1, 0.25, 4);
  const drawn = [0, 1].map(() => new Float32Array(3 * thick.vertexCount));
  placeShell(thick, expected, half, drawn[0], drawn[1]);
  const shell = context.createBuffer("shell", 24 * thick.vertexCount);
  const corners = context.createBuffer("corners", thick.corners);
  const bindings = { sheet: fine, shell, corners, half: context.createBuffer("half", half) };
  runOnGpu(Kernel.create(context, "shell", shaders["drawing/shell"], "placeShell", bindings), thick.vertexCount);
  const shells = new Float32Array(await readBuffer(context, shell));
  expect(thick.vertexCount).toBeGreaterThan(2 * cut.vertexCount + 100);
  const off = shells.map((value, i) => value - drawn[i % 6 < 3 ? 0 : 1][3 * Math.floor(i / 6) + (i % 3)]);
  expect(Math.max(...off.map(Math.abs))).toBeLessThan(2e-5);
});
