import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mat4 } from "gl-matrix";
import type { GpuContext } from "../../../src/gpu/device";
import { readBuffer } from "../../../src/gpu/readback";
import type { RenderOutput } from "../../../src/world/output/render-output";
import type { World } from "../../../src/world/world";
import { expectWithin } from "../../figures";
import { testContext, withoutGpuErrors } from "../../gpu/context";
import { tube } from "../../geometry/meshes";
import { gpbdCloth } from "../../../src/models/gpbd/cloth";
import { gpbdSolid } from "../../../src/models/gpbd/soft-body";
import { solidMesh } from "../../../src/models/solid-mesh";
import { embeddedNormals, embeddedPositions, embedNormals } from "../../../src/geometry/tetrahedra/embedding";
import { torus } from "../../geometry/tetrahedra/surfaces";
import { expectRefused } from "../../refusal";
import { createWorld, inWorld, run } from "../worlds";

let context: GpuContext;
let world: World;
beforeAll(async () => {
  context = await testContext();
  world = await createWorld("webgpu", { device: context.device });
});
afterAll(() => world.dispose());

const mesh = tube(13, 7);
const model = gpbdCloth(mesh);
const vertexCount = mesh.positions.length / 3;

function outputBuffers(): { buffer: GPUBuffer; strainBuffer: GPUBuffer } {
  return {
    buffer: context.createBuffer("vertices", 24 * vertexCount, GPUBufferUsage.VERTEX),
    strainBuffer: context.createBuffer("strain", 16 * vertexCount, GPUBufferUsage.VERTEX),
  };
}

/** Normals of the particles as sums of their faces' area vectors, f64. */
function normalsOf(x: ArrayLike<number>): Float64Array {
  const normals = new Float64Array(x.length);
  for (let f = 0; f < model.faces.length; f += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * model.faces[f + k]);
    const e = [0, 1, 2].map((k) => x[b + k] - x[a + k]);
    const g = [0, 1, 2].map((k) => x[c + k] - x[a + k]);
    const n = [e[1] * g[2] - e[2] * g[1], e[2] * g[0] - e[0] * g[2], e[0] * g[1] - e[1] * g[0]];
    for (const corner of [a, b, c]) for (let k = 0; k < 3; k++) normals[corner + k] += n[k];
  }
  return normals;
}

describe("vertices for drawing", () => {
  it("are the particles at the places of the mesh, seams twice, in mesh space, with unit normals", async () => {
    await withoutGpuErrors(context, async () => {
      const body = world.addBody(model, { substeps: 4 });
      const { buffer, strainBuffer } = outputBuffers();
      // a mesh that is rotated, unevenly scaled and moved: positions by the matrix, normals by its cofactors
      const worldToLocal = mat4.create();
      mat4.translate(worldToLocal, worldToLocal, [1, 2, 3]);
      mat4.rotateX(worldToLocal, worldToLocal, 0.7);
      mat4.scale(worldToLocal, worldToLocal, [2, 0.5, 1]);
      body.setRenderOutput({ buffer, vertexToParticle: model.vertexToParticle, worldToLocal, strainBuffer });
      run(world, 6);
      const x = await body.readPositions();
      const vertices = new Float32Array(await readBuffer(context, buffer));
      const normals = normalsOf(x);
      const inverse = mat4.invert(mat4.create(), worldToLocal)!;
      let [position, normal] = [0, 0];
      for (let v = 0; v < vertexCount; v++) {
        const p = 3 * model.vertexToParticle[v];
        const n = [0, 1, 2].map((row) => [0, 1, 2].reduce((sum, k) => sum + inverse[4 * row + k] * normals[p + k], 0));
        const length = Math.hypot(...n);
        for (let c = 0; c < 3; c++) {
          const moved = [0, 1, 2].reduce((sum, k) => sum + worldToLocal[4 * k + c] * x[p + k], worldToLocal[12 + c]);
          position = Math.max(position, Math.abs(vertices[6 * v + c] - moved));
          normal = Math.max(normal, Math.abs(vertices[6 * v + 3 + c] - n[c] / length));
        }
      }
      expectWithin("position of a vertex [m]", position, 1e-5);
      expectWithin("normal of a vertex", normal, 1e-4);
      body.dispose();
    });
  });

  it("have the opposite normals on the back", async () => {
    const body = world.addBody(model);
    const { buffer } = outputBuffers();
    const reversed = Uint8Array.from({ length: vertexCount }, (_, v) => v % 2);
    body.setRenderOutput({ buffer, vertexToParticle: model.vertexToParticle, reversed });
    run(world, 1);
    const x = await body.readPositions();
    const vertices = new Float32Array(await readBuffer(context, buffer));
    const normals = normalsOf(x);
    for (let v = 0; v < vertexCount; v++) {
      const n = normals.subarray(3 * model.vertexToParticle[v], 3 * model.vertexToParticle[v] + 3);
      const along = [0, 1, 2].reduce((sum, c) => sum + n[c] * vertices[6 * v + 3 + c], 0) / Math.hypot(...n);
      expect(along).toBeCloseTo(v % 2 ? -1 : 1, 4);
      expect(vertices[6 * v]).toBeCloseTo(x[3 * model.vertexToParticle[v]], 5);
    }
    body.dispose();
  });

  it("are there before the first step, and follow another transform without another buffer", async () => {
    const body = world.addBody(model);
    const { buffer } = outputBuffers();
    const { vertexToParticle } = model;
    body.setRenderOutput({ buffer, vertexToParticle });
    const first = async (): Promise<number> => new Float32Array(await readBuffer(context, buffer))[1];
    expect(await first()).toBeCloseTo(model.positions[1], 6);
    body.setRenderOutput({ buffer, vertexToParticle, worldToLocal: mat4.fromTranslation(mat4.create(), [0, 5, 0]) });
    expect(await first()).toBeCloseTo(model.positions[1] + 5, 5);
    body.setRenderOutput(undefined);
    run(world, 3);
    expect(await first()).toBeCloseTo(model.positions[1] + 5, 5);
    body.dispose();
  });

  it("are coloured by strain: white at rest, red stretched, blue compressed", async () => {
    const body = world.addBody(model, { substeps: 2 });
    const { buffer, strainBuffer } = outputBuffers();
    const { vertexToParticle } = model;
    const colour = async (scale: number): Promise<number[]> => {
      body.writeState({ positions: model.positions.map((value) => scale * value) });
      body.setRenderOutput(undefined);
      body.setRenderOutput({ buffer, vertexToParticle, strainBuffer, strainScale: 0.1 });
      const colours = new Float32Array(await readBuffer(context, strainBuffer));
      // the same everywhere, as the strain is
      for (let i = 0; i < colours.length; i++) expect(colours[i]).toBeCloseTo(colours[i % 4], 3);
      return [...colours.subarray(0, 4)];
    };
    const [rest, stretched, compressed, half] = [
      await colour(1),
      await colour(1.1),
      await colour(0.9),
      await colour(1.05),
    ];
    expect(rest[0]).toBeCloseTo(rest[2], 3);
    expect(stretched[0]).toBeGreaterThan(3 * stretched[2]);
    expect(compressed[2]).toBeGreaterThan(3 * compressed[0]);
    expect(half[2]).toBeCloseTo((rest[2] + stretched[2]) / 2, 2);
    for (const { 3: alpha } of [rest, stretched, compressed]) expect(alpha).toBe(1);
    body.dispose();
  });

  it("follow the tetrahedra that carry them", async () => {
    await withoutGpuErrors(context, async () => {
      const surface = torus(0.4, 0.15, 16);
      const mesh = solidMesh({ ...surface, resolution: 8, name: "ring" });
      const material = { youngsModulus: 1e4, poissonRatio: 0.3, density: 1000 };
      const soft = world.addBody(gpbdSolid({ ...mesh, material, name: "ring" }));
      const { vertices, weights, count } = mesh.embedding;
      // the values of the normals do not matter, as long as they are carried along
      const rest = surface.positions.map((value, i) => value + Math.sin(i));
      const normals = embedNormals(mesh, mesh.embedding, rest);
      const buffer = context.createBuffer("carried", 24 * count, GPUBufferUsage.VERTEX);
      const bent = mesh.positions.map((value, i) => value + 0.1 * Math.sin(5 * mesh.positions[i - (i % 3)] + i));
      soft.writeState({ positions: bent });
      soft.setRenderOutput({ buffer, embedding: { vertices, weights, normals } });
      const drawn = new Float32Array(await readBuffer(context, buffer));
      const x = embeddedPositions(mesh.embedding, bent, new Float64Array(3 * count));
      const n = embeddedNormals(mesh.embedding, normals, bent, new Float64Array(3 * count));
      let [position, normal] = [0, 0];
      for (let i = 0; i < 3 * count; i++) {
        const at = 6 * Math.floor(i / 3) + (i % 3);
        position = Math.max(position, Math.abs(drawn[at] - x[i]));
        normal = Math.max(normal, Math.abs(drawn[at + 3] - n[i]));
      }
      expectWithin("position of a carried vertex [m]", position, 1e-6);
      expectWithin("normal of a carried vertex", normal, 1e-4);
      const both = { vertexToParticle: vertices, embedding: { vertices, weights, normals } };
      expectRefused(() => soft.setRenderOutput({ buffer, ...both }), "invalid-argument", /either vertexToParticle/);
      expectRefused(() => soft.setRenderOutput({ buffer }), "invalid-argument", /either vertexToParticle/);
      soft.dispose();
    });
  });

  it("are refused where they do not fit, and what was drawn goes on", async () => {
    const body = world.addBody(model, { substeps: 2 });
    const { buffer, strainBuffer } = outputBuffers();
    const { vertexToParticle } = model;
    const good: RenderOutput = { buffer, vertexToParticle };
    body.setRenderOutput(good);
    const small = context.createBuffer("small", 16);
    const beyond = vertexToParticle.map((p, v) => (v === 3 ? model.particleCount : p));
    const bad: [RenderOutput, Parameters<typeof expectRefused>[1], RegExp][] = [
      [{ ...good, buffer: small }, "invalid-argument", /buffer.*24 bytes for each of \d+ vertices, got 16/],
      [{ ...good, strainBuffer: small }, "invalid-argument", /strainBuffer.*16 bytes/],
      [{ buffer, strainBuffer, vertexToParticle: beyond }, "index-out-of-range", /vertexToParticle.*below/],
    ];
    for (const [output, code, message] of bad) expectRefused(() => body.setRenderOutput(output), code, message);
    await withoutGpuErrors(context, async () => {
      run(world, 4);
      const vertices = new Float32Array(await readBuffer(context, buffer));
      expect(vertices[1]).toBeLessThan(model.positions[1] - 1e-3);
    });
    body.dispose();
  });

  it("need the webgpu backend", async () => {
    await inWorld("cpu", {}, async (other) => {
      const body = other.addBody(model);
      const output = { buffer: outputBuffers().buffer, vertexToParticle: model.vertexToParticle };
      expectRefused(() => body.setRenderOutput(output), "unsupported", /webgpu/);
    });
  });
});
