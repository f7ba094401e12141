import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { shaders, structs as records } from "../../../src/generated/shaders";
import { ballTetrahedra, gridMesh, solidModel } from "../../../src/index";
import { localGlobalSheet } from "../../../src/models/local-global/local-global-cloth";
import type { GpuContext } from "../../../src/gpu/device";
import { StructWriter } from "../../../src/gpu/struct";
import { principalDerivatives } from "../../../src/materials/principal-density";
import { principalModels } from "../../../src/materials/solid-material";
import { determinant } from "../../../src/math/determinant";
import { BodySystem } from "../../../src/solvers/local-global/body/body-system";
import { firstVertices, sparseTables } from "../../../src/solvers/local-global/gpu/tables";
import type { HyperelasticMaterial } from "../../../src/solvers/local-global/model";
import { proximalStretches } from "../../../src/solvers/local-global/body/proximal";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { testContext } from "../../gpu/context";
import { type KernelData, runKernel } from "../../gpu/run-kernel";
import { testShader } from "../../gpu/test-shader";
import { randomGradient, randomRotation } from "../../materials/solid-strains";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

const { module, structs } = testShader(path.join(import.meta.dirname, "local-step.wgsl"));
const random = new RandomGeometry(53);

/** Matrices by rows: random ones, rotations and reflections, rank-deficient ones, inverted ones, of all sizes. */
function matrices(): number[][] {
  const found: number[][] = [
    [1, 0, 0, 0, 1, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 1, 0, 1, 0, 1, 0, 0],
    [1, 2, 3, 2, 4, 6, 3, 6, 9],
    [1, 1, 1, 1, 1, 1, 1, 1, 1],
    [0, 0, 0, 0, 0, 0, 0, 0, 1],
    [1, 0, 0, 0, 1, 0, 0, 0, 0],
  ];
  while (found.length < 1234) {
    const size = 10 ** random.between(-8, 8);
    const kind = found.length % 5;
    if (kind === 0) found.push(Array.from({ length: 9 }, () => size * random.between(-1, 1)));
    else if (kind === 1) found.push(randomRotation(random));
    else if (kind === 2) found.push(randomGradient(random, [1.5, 0.9, -random.between(0, 0.9)]));
    // two equal singular values, and one that is zero
    else if (kind === 3) found.push(randomGradient(random, [size, size, 0]));
    // like that of a membrane: two columns
    else found.push(Array.from({ length: 9 }, (_, i) => (i % 3 === 2 ? 0 : random.between(-1, 1))));
  }
  return found;
}

describe("singular values in WGSL", () => {
  it("put matrices of all kinds together again, to 1e-6", async () => {
    const all = matrices();
    const data = new Float32Array(12 * all.length);
    all.forEach((m, i) => m.forEach((value, k) => (data[12 * i + 4 * (k % 3) + Math.floor(k / 3)] = value)));
    const read = await runKernel(
      context,
      "test/local-step",
      module,
      "takeApart",
      { matrices: data, parts: 112 * all.length },
      all.length,
      ["parts"],
    );
    const parts = new Float32Array(read.parts);
    let [product, orthogonality, handedness, order] = [0, 0, 0, 0];
    all.forEach((_, i) => {
      const u = (r: number, c: number): number => parts[28 * i + 4 * c + r];
      const v = (r: number, c: number): number => parts[28 * i + 16 + 4 * c + r];
      const sigma = parts.subarray(28 * i + 12, 28 * i + 15);
      const size = Math.max(...data.subarray(12 * i, 12 * i + 12).map(Math.abs), 1e-30);
      const nine = [...Array(9).keys()];
      for (const k of nine) {
        const [r, c] = [Math.floor(k / 3), k % 3];
        let [sum, uu, vv] = [0, 0, 0];
        for (let j = 0; j < 3; j++) {
          sum += u(r, j) * sigma[j] * v(c, j);
          uu += u(j, r) * u(j, c);
          vv += v(j, r) * v(j, c);
        }
        product = Math.max(product, Math.abs(sum - data[12 * i + 4 * c + r]) / size);
        const unit = r === c ? 1 : 0;
        orthogonality = Math.max(orthogonality, Math.abs(uu - unit), Math.abs(vv - unit));
      }
      for (const m of [u, v])
        handedness = Math.max(handedness, Math.abs(determinant(nine.map((k) => m(Math.floor(k / 3), k % 3))) - 1));
      order = Math.max(order, (sigma[1] - sigma[0]) / size, (Math.abs(sigma[2]) - sigma[1]) / size, -sigma[1] / size);
    });
    expectWithin("U Σ Vᵀ less the matrix, part of its largest entry", product, 2e-6);
    expectWithin("UᵀU and VᵀV less the unit matrix", orthogonality, 2e-6);
    expectWithin("determinants of U and V less 1", handedness, 2e-6);
    expectWithin("how far singular values are out of order", order, 1e-6);
  });
});

describe("the local problem in WGSL", () => {
  it.each(principalModels)("has the minimum of the reference: %s", async (model) => {
    const count = 1234;
    const stretches = new Float32Array(4 * count);
    const writer = new StructWriter(structs.LocalGlobalMaterial, count);
    const materials: HyperelasticMaterial[] = [];
    for (let i = 0; i < count; i++) {
      const mu = random.between(0.05, 0.5);
      const material = {
        model,
        mu,
        lambda: 1 - 2 * mu,
        weight: 1,
        limits: i % 7 === 0 ? ([0.9, 1.1] as const) : undefined,
      };
      materials.push(material);
      writer.set(i, "mu", material.mu);
      writer.set(i, "lambda", material.lambda);
      writer.set(i, "least", material.limits?.[0] ?? -1e30);
      writer.set(i, "greatest", material.limits?.[1] ?? 1e30);
      writer.set(i, "model", principalModels.indexOf(model));
      const n = 2 + (i % 2);
      // near rest, far from it, and inside out
      const far = i % 3 === 0 ? 1e-3 : 0.7;
      const sigma = [0, 1, 2].map(() => 1 + far * random.between(-1, 1.5)).sort((a, b) => b - a);
      if (n === 3 && i % 11 === 0) sigma[2] = -random.between(0, sigma[1]);
      stretches.set([...sigma, n], 4 * i);
    }
    const data = { stretches, materials: new Uint8Array(writer.bytes), projected: 16 * count };
    const read = await runKernel(context, "test/local-step", module, "projectStretches", data, count, ["projected"]);
    const found = new Float32Array(read.projected);
    let [apart, slope] = [0, 0];
    for (let i = 0; i < count; i++) {
      const n = stretches[4 * i + 3];
      const reference = Float64Array.from(stretches.subarray(4 * i, 4 * i + 3));
      const sigma = reference.slice();
      proximalStretches(materials[i], reference, n);
      const own = found.subarray(4 * i, 4 * i + n);
      const isInside = stretches[4 * i + n - 1] > 0;
      // An inside-out element may have more than one minimum.
      if (isInside) for (let k = 0; k < n; k++) apart = Math.max(apart, Math.abs(own[k] - reference[k]));
      if (materials[i].limits || model === "arap") continue;
      const [g, h] = [new Float64Array(3), new Float64Array(9)];
      principalDerivatives(model, own, n, materials[i].mu, materials[i].lambda, g, h);
      for (let k = 0; k < n; k++)
        slope = Math.max(slope, Math.abs(g[k] + own[k] - sigma[k]) / Math.max(1, Math.abs(h[k * n + k])));
    }
    expectWithin("stretches", apart, 5e-6);
    expectWithin("gradient over curvature", slope, 1e-5);
  });
});

describe("products with the sparse inverse in WGSL", () => {
  const material = { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000 };
  const ball = solidModel({ solver: "local-global", ...ballTetrahedra({ radius: 0.1, resolution: 8 }), material });
  const sheet = localGlobalSheet({
    ...gridMesh({ width: 1, height: 1, columns: 13, rows: 11 }),
    thickness: 0.002,
    material,
  });
  const bodies = [ball, sheet, ball].map((model) => ({ model, system: new BodySystem(model, 1 / 60) }));

  it.each([
    ["one buffer", 1],
    ["several", 0.4],
  ])("are those of the reference, with its values in %s", async (_, share) => {
    const [whole] = sparseTables(bodies, Infinity).chunks;
    const tables = sparseTables(bodies, share * whole.values.byteLength);
    const { columns, quads, chunks, vertices, forward: forwardPieces, backward: backwardPieces } = tables;
    expect(chunks.length).toBe(share === 1 ? 1 : 3);
    expect(forwardPieces.list.length).toBeGreaterThan(2 * tables.quadCount);
    expect(backwardPieces.list.length).toBeGreaterThan(2 * tables.quadCount);
    const n = vertices.length / 2;
    const b = Float64Array.from({ length: 3 * n }, () => random.between(-1, 1));
    const [y, x] = [new Float64Array(3 * n), new Float64Array(3 * n)];
    const rhs = new Float32Array(16 * tables.quadCount);
    const first = firstVertices(bodies);
    for (const [k, { model, system }] of bodies.entries()) {
      const [from, to] = [3 * first[k], 3 * (first[k] + model.particleCount)];
      system.inverse.forward(b.subarray(from, to), y.subarray(from, to));
      system.inverse.backward(y.subarray(from, to), x.subarray(from, to));
    }
    for (let v = 0; v < n; v++) for (let c = 0; c < 3; c++) rhs[4 * vertices[2 * v] + c] = b[3 * v + c];
    const range = new StructWriter(records.ValueRange, chunks.length);
    chunks.forEach(({ values: _values, ...chunk }, k) => {
      const known = { ...chunk, columnCount: n, backwardPieces: backwardPieces.list.length / 2 };
      for (const [key, value] of Object.entries(known)) range.set(k, key as keyof typeof known, value);
    });
    const rangeOf = (k: number) => new Uint8Array(range.bytes.slice(range.stride * k, range.stride * (k + 1)));
    const product = async (
      name: "forward" | "backward",
      { list: pieces, starts: pieceStarts }: typeof forwardPieces,
      data: KernelData,
      result: Float32Array<ArrayBuffer>,
    ): Promise<Float32Array<ArrayBuffer>> => {
      const kernel = `local-global/global/${name}` as const;
      const all = {
        columns: new Uint8Array(columns),
        quads: new Uint8Array(quads),
        pieces,
        pieceStarts,
        ...data,
        result,
      };
      let pieceSums = new Uint8Array(32 * pieces.length);
      for (const [k, { values: quadValues }] of chunks.entries()) {
        const own = { ...all, quadValues, range: rangeOf(k), pieceSums };
        const count = pieces.length / 2;
        const read = await runKernel(context, kernel, shaders[kernel], `${name}Pieces`, own, count, ["pieceSums"]);
        pieceSums = new Uint8Array(read.pieceSums);
      }
      const entry = name === "forward" ? "forwardSums" : "backwardAdd";
      const sums = { ...all, range: rangeOf(0), pieceSums };
      return new Float32Array((await runKernel(context, kernel, shaders[kernel], entry, sums, n, ["result"])).result);
    };
    const forward = await product("forward", forwardPieces, { rhs }, new Float32Array(rhs.length));
    const before = Float32Array.from({ length: rhs.length }, () => random.between(-1, 1));
    const after = await product("backward", backwardPieces, { y: forward }, before);
    const backward = after.map((value, i) => value - before[i]);
    const difference = (found: Float32Array, expected: Float64Array): number => {
      let [most, size] = [0, 0];
      for (let i = 0; i < n; i++)
        for (let c = 0; c < 3; c++) {
          most = Math.max(most, Math.abs(found[4 * i + c] - expected[3 * i + c]));
          size = Math.max(size, Math.abs(expected[3 * i + c]));
        }
      return most / size;
    };
    expectWithin("S b, part of its largest entry", difference(forward, y), 2e-6);
    expectWithin("Sᵀ (S b), part of its largest entry", difference(backward, x), 2e-6);
  });
});
