import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { GpuContext } from "../../../src/gpu/device";
import { solveCholesky } from "../../../src/math/dense";
import { dihedral } from "../../../src/solvers/gpbd/strains/dihedral";
import { greenTriangle } from "../../../src/solvers/gpbd/strains/green-triangle";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { testContext } from "../../gpu/context";
import { runKernel } from "../../gpu/run-kernel";
import { testShader } from "../../gpu/test-shader";
import { relativeError } from "../../math/differences";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

const count = 1234;
const { module } = testShader(path.join(import.meta.dirname, "strains.wgsl"));

async function run(entryPoint: string, input: [string, Float32Array<ArrayBuffer>], output: [string, number]) {
  const data = { [input[0]]: input[1], [output[0]]: output[1] };
  const read = await runKernel(context, "test/strains", module, entryPoint, data, count, [output[0]]);
  return new Float32Array(read[output[0]]);
}

describe("dihedral angle in WGSL", () => {
  /** Hinges folded by any angle with wings of any shape; `flat` ones are folded by 1e-6 to 1e-2. */
  function hinges(seed: number, flat: boolean): Float32Array<ArrayBuffer> {
    const random = new RandomGeometry(seed);
    const out = new Float32Array(16 * count);
    for (let i = 0; i < count; i++) {
      const fold = flat ? random.between(-1, 1) * 10 ** random.between(-6, -2) : random.between(-3, 3);
      const [width, depth] = [random.between(0.2, 1), random.between(0.2, 1)];
      const x = [
        [0, 0, 0],
        [random.between(0.2, 1), 0, 0],
        [random.between(-0.5, 1), 0, width],
        [random.between(-0.5, 1), depth * Math.sin(fold), -depth * Math.cos(fold)],
      ];
      x.forEach((corner, p) => out.set(corner, 16 * i + 4 * p));
      out[16 * i + 3] = flat ? 0 : random.between(-2, 2);
    }
    return out;
  }

  it.each([
    ["folded by any angle", false],
    ["nearly flat", true],
  ])("is the reference to 1e-4 for hinges %s: angle and gradient", async (what, flat) => {
    const input = hinges(flat ? 62 : 61, flat);
    const found = await run("dihedralAngles", ["hinges", input], ["angles", 64 * count]);
    const s = new Float64Array(1);
    const jacobian = new Float64Array(12);
    const worst = { angle: 0, gradient: 0 };
    for (let i = 0; i < count; i++) {
      const x = Float64Array.from({ length: 12 }, (_, c) => input[16 * i + 4 * Math.floor(c / 3) + (c % 3)]);
      const rest = Float64Array.of(input[16 * i + 3]);
      dihedral.strain(x, rest, 0, s);
      dihedral.jacobian(x, rest, 0, jacobian);
      // half a turn from rest is the same angle from either side
      const difference = Math.abs(found[16 * i + 3] - s[0]);
      const folded = Math.min(difference, Math.abs(difference - 2 * Math.PI));
      worst.angle = Math.max(worst.angle, folded / (flat ? Math.max(Math.abs(s[0]), 1e-4) : 1));
      const gradient = Array.from({ length: 12 }, (_, c) => found[16 * i + 4 * Math.floor(c / 3) + (c % 3)]);
      worst.gradient = Math.max(worst.gradient, relativeError(gradient, jacobian));
    }
    expectWithin(`angle of hinges ${what}`, worst.angle, 1e-4);
    expectWithin(`gradient of hinges ${what}, relative`, worst.gradient, 1e-4);
  });

  it("is zero for hinges that are exactly flat, whichever way they lie", async () => {
    const random = new RandomGeometry(66);
    const input = new Float32Array(16 * count);
    for (let i = 0; i < count; i++) {
      // in a plane of equal y, x or z, seen from either side, with numbers that leave zeros of both signs
      const height = random.between(-1, 1);
      const side = i % 2 === 0 ? 1 : -1;
      const axis = i % 3;
      const corners = [
        [0, 0],
        [0.0625, 0],
        [random.between(-0.1, 0.1), 0.0625],
        [random.between(-0.1, 0.1), -0.0625],
      ];
      corners.forEach(([a, b], p) => {
        const point = [a, height, side * b];
        for (let c = 0; c < 3; c++) input[16 * i + 4 * p + ((c + axis) % 3)] = point[c];
      });
    }
    const found = await run("dihedralAngles", ["hinges", input], ["angles", 64 * count]);
    for (let i = 0; i < count; i++) expect(Math.abs(found[16 * i + 3])).toBe(0);
  });

  it("is nothing where a face has no area, as in the reference", async () => {
    const input = new Float32Array(16 * count);
    for (let i = 0; i < count; i++) input.set([0, 0, 0, 0.3, 1, 0, 0, 0, i / count, 0, 0, 0, 0.5, 0, 1, 0], 16 * i);
    const found = await run("dihedralAngles", ["hinges", input], ["angles", 64 * count]);
    expect(found.every((value) => value === 0)).toBe(true);
  });
});

describe("Green strain in WGSL", () => {
  it("is the reference to 1e-4, and so are the products S W Sᵀ without a loop over corners", async () => {
    const random = new RandomGeometry(63);
    const input = new Float32Array(8 * count);
    for (let i = 0; i < count; i++) {
      input.set(random.vector(1.5), 8 * i);
      input.set(random.vector(1.5), 8 * i + 4);
    }
    const found = await run("greenStrains", ["gradients", input], ["strains", 64 * count]);
    const s = new Float64Array(3);
    let worst = 0;
    let worstGram = 0;
    for (let i = 0; i < count; i++) {
      const fu = Array.from(input.subarray(8 * i, 8 * i + 3));
      const fv = Array.from(input.subarray(8 * i + 4, 8 * i + 7));
      // Dm = identity: the edges are the columns of F
      greenTriangle.strain(Float64Array.of(0, 0, 0, ...fu, ...fv), Float64Array.of(1, 0, 0, 1), 0, s);
      worst = Math.max(worst, relativeError(found.subarray(16 * i, 16 * i + 3), s, 1));
      const gram = Array.from({ length: 9 }, (_, j) => found[16 * i + 4 + 4 * Math.floor(j / 3) + (j % 3)]);
      worstGram = Math.max(worstGram, relativeError(gram, gramByCorners(fu, fv), 1));
    }
    expectWithin("Green strain, relative", worst, 1e-4);
    expectWithin("S W Sᵀ, relative", worstGram, 1e-4);
  });

  /** Columns of S(fu, fv) W S(fv, fu)ᵀ by corners whose hat gradients and weights add up to M = (1, 0.4, 3). */
  function gramByCorners(fu: number[], fv: number[]): number[] {
    // Two corners with gradients (1, 0.4) and (0, 1), weights 1 and 3 − 0.16: Σ w g gᵀ = [[1, 0.4], [0.4, 3]].
    const corners = [
      { g: [1, 0.4], w: 1 },
      { g: [0, 1], w: 3 - 0.16 },
    ];
    const rows = (u: number[], v: number[], [gu, gv]: number[]): number[][] => [
      u.map((value) => gu * value),
      u.map((value, c) => 0.5 * (gu * v[c] + gv * value)),
      v.map((value) => gv * value),
    ];
    const gram = new Array<number>(9).fill(0);
    for (const { g, w } of corners) {
      const [s, moved] = [rows(fu, fv, g), rows(fv, fu, g)];
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++) gram[3 * j + i] += w * s[i].reduce((sum, value, c) => sum + value * moved[j][c], 0);
    }
    return gram;
  }
});

describe("3 × 3 systems in WGSL", () => {
  function systems(seed: number, shift: number): Float32Array<ArrayBuffer> {
    const random = new RandomGeometry(seed);
    const out = new Float32Array(12 * count);
    for (let i = 0; i < count; i++) {
      const columns = [random.vector(1), random.vector(1), random.vector(1)];
      const scale = 10 ** random.between(-4, 4);
      for (let a = 0; a < 3; a++)
        for (let b = 0; b < 3; b++) {
          const dot = columns.reduce((sum, column) => sum + column[a] * column[b], 0);
          out[12 * i + 4 * a + b] = scale * (dot + (a === b ? shift : 0));
        }
      random.vector(1).forEach((value, a) => (out[12 * i + 4 * a + 3] = value));
    }
    return out;
  }
  const matrixOf = (input: Float32Array, i: number): Float64Array =>
    Float64Array.from({ length: 9 }, (_, j) => input[12 * i + 4 * Math.floor(j / 3) + (j % 3)]);

  it("are solved to 1e-4 where they are positive definite", async () => {
    const input = systems(64, 0.3);
    const found = await run("solveSystems", ["systems", input], ["solutions", 32 * count]);
    let worst = 0;
    for (let i = 0; i < count; i++) {
      const b = Float64Array.of(input[12 * i + 3], input[12 * i + 7], input[12 * i + 11]);
      expect(solveCholesky(matrixOf(input, i), b, 3)).toBe(true);
      expect(found[8 * i + 3]).toBe(1);
      worst = Math.max(worst, relativeError(found.subarray(8 * i, 8 * i + 3), b));
    }
    expectWithin("solution of 3 × 3 systems, relative", worst, 1e-4);
  });

  it("are refused where they are not, and the bound of the eigenvalues is one", async () => {
    const input = systems(65, -0.8);
    const found = await run("solveSystems", ["systems", input], ["solutions", 32 * count]);
    let refused = 0;
    for (let i = 0; i < count; i++) {
      const a = matrixOf(input, i);
      const definite = solveCholesky(a.slice(), new Float64Array(3), 3);
      const size = Math.max(...a.map(Math.abs));
      // rounding decides where a pivot nearly vanishes
      const nearly = Math.abs(determinant(a)) < 1e-4 * size ** 3;
      if (!nearly) expect(found[8 * i + 3] === 1).toBe(definite);
      if (!definite) refused++;
      // The Gershgorin bound (23): after a shift by it no eigenvalue is negative.
      const shifted = a.slice();
      for (const j of [0, 4, 8]) shifted[j] += -found[8 * i + 4] + 1e-5 * size;
      expect(solveCholesky(shifted, new Float64Array(3), 3)).toBe(true);
    }
    expect(refused).toBeGreaterThan(count / 2);
  });

  function determinant(a: Float64Array): number {
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) + a[2] * (a[3] * a[7] - a[4] * a[6]);
  }
});
