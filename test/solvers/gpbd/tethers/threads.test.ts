import { beforeAll, describe, expect, it } from "vitest";
import { random } from "../../../../samples/rigid";
import { gpbdCloth, type ClothModel } from "../../../../src/models/gpbd/cloth";
import { type ClothMemory, loadClothMemory, RECORD } from "../../../../src/solvers/gpbd/simd/cloth-memory";
import { SimdThreads } from "../../../../src/solvers/gpbd/tethers/simd-threads";
import { rowsOf } from "../../../../src/solvers/gpbd/tethers/thread-rows";
import { Threads } from "../../../../src/solvers/gpbd/tethers/threads";
import { gridCloth } from "../../../world/cloths";

const SLACK = 0.002;
const H = 1 / 1440;

/** Places, and where a substep has moved them to [m]. */
interface Moved {
  readonly start: Float64Array;
  readonly positions: Float64Array;
  readonly w: Float64Array;
}

/** A sheet that is drawn out by `stretch` along x, with places and ways at random. */
function drawn(model: ClothModel, stretch: number, noise: number, seed = 1): Moved {
  const next = random(seed);
  const start = model.positions.map((x, i) => (i % 3 === 0 ? stretch : 1) * x + noise * (next() - 0.5));
  const positions = start.map((x) => x + noise * (next() - 0.5));
  const w = Float64Array.from(model.masses, (mass, p) => (p % 29 === 0 ? 0 : (H * H) / mass));
  return { start, positions, w };
}

let memory: ClothMemory;
beforeAll(async () => {
  memory = (await loadClothMemory())!;
});

/** Positions after the kernel [m]. */
function byKernel(model: ClothModel, threads: Threads, { start, positions, w }: Moved): Float64Array {
  const count = model.particleCount;
  const body = RECORD * (count + 1);
  const kernel = new SimdThreads(memory, threads.rows, RECORD * count);
  memory.owner = undefined;
  memory.reserve(body);
  memory.u8.fill(0, 0, body);
  kernel.load(body);
  const { f32 } = memory;
  for (let p = 0; p < count; p++) {
    f32[8 * p + 3] = w[p]!;
    for (let c = 0; c < 3; c++) {
      f32[8 * p + c] = start[3 * p + c];
      f32[8 * p + 4 + c] = positions[3 * p + c] - start[3 * p + c];
    }
  }
  kernel.hold(SLACK, threads.rest(H));
  return positions.map((_, i) => start[i] + f32[8 * Math.floor(i / 3) + 4 + (i % 3)]);
}

describe("threads of cloth", () => {
  it.each([
    { columns: 7, rows: 5, stretch: 1, noise: 0.002 },
    { columns: 30, rows: 13, stretch: 1.05, noise: 0.001 },
    { columns: 9, rows: 40, stretch: 0.8, noise: 0.01 },
  ])("are held in f32 as in f64: %o", ({ columns, rows, stretch, noise }) => {
    const model = gridCloth({ width: 0.02 * columns, height: 0.02 * rows, columns, rows });
    const threads = Threads.of(model)!;
    const moved = drawn(model, stretch, noise);
    const fast = byKernel(model, threads, moved);
    const before = moved.positions.slice();
    threads.project(moved.positions, moved.start, moved.w, SLACK, H);
    const apart = moved.positions.map((x, i) => Math.abs(x - fast[i]));
    const way = Math.max(...moved.positions.map((x, i) => Math.abs(x - before[i])));
    expect(way).toBeGreaterThan(1e-4);
    // An edge that is as long as it may be acts in one of both, and not in the other.
    expect(Math.max(...apart)).toBeLessThan(1e-3 * way);
    moved.w.forEach((w, p) => {
      for (let i = 3 * p; w === 0 && i < 3 * p + 3; i++) expect(Math.abs(fast[i] - before[i])).toBeLessThan(1e-8);
    });
  });

  it("solve a row at once, keep momentum, and pull alone", () => {
    const columns = 100;
    const model = gridCloth({ width: 1, height: 0.02, columns, rows: 2 });
    const threads = Threads.of(model)!;
    const start = model.positions;
    const w = Float64Array.from(model.masses, (mass) => (H * H) / mass);
    const lengthOf = (x: Float64Array): number => x[3 * columns] - x[0];
    // Drawn out and pushed together evenly, in a substep.
    for (const factor of [1.01, 0.99]) {
      const positions = start.map((x, i) => (i % 3 === 0 ? factor * x + 0.1 : x));
      const center = (x: Float64Array): number => model.masses.reduce((sum, mass, p) => sum + mass * x[3 * p], 0);
      const [length, middle] = [lengthOf(positions), center(positions)];
      threads.project(positions, start, w, SLACK, H);
      expect(Math.abs(lengthOf(positions) / (factor > 1 ? 1 + SLACK : length) - 1)).toBeLessThan(1e-9);
      expect(center(positions)).toBeCloseTo(middle, 12);
    }
  });

  it("do not throw what was drawn out before", () => {
    const model = gridCloth({ width: 1, height: 1, columns: 12, rows: 12 });
    const { start, w } = drawn(model, 1.5, 0);
    const positions = start.slice();
    Threads.of(model)!.project(positions, start, w, SLACK, H);
    const way = Math.max(...positions.map((x, i) => Math.abs(x - start[i])));
    expect(way).toBeGreaterThan(0.001);
    expect(way).toBeLessThan(0.5 * 200 * H);
  });

  it("are rows along warp and weft, on grids of any size and place", () => {
    for (const scale of [0.001, 1, 1000])
      for (const angle of [0, 0.7]) {
        const model = gridCloth({ width: scale, height: 2 * scale, columns: 10, rows: 20 });
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        const { positions: x, faces } = model;
        const uvs = Array.from({ length: 2 * model.particleCount }, (_, i) => x[3 * Math.floor(i / 2) + 2 * (i % 2)]);
        const positions = x.map((value, i) =>
          i % 3 === 0 ? c * value - s * x[i + 2] : i % 3 === 2 ? s * x[i - 2] + c * value : value,
        );
        const rows = rowsOf(gpbdCloth({ positions, indices: faces, uvs }))!;
        expect(rows.offsets.length - 1).toBe(11 + 21);
        expect(rows.lengths.filter((length) => length < Infinity).length).toBe(10 * 21 + 11 * 20);
        expect(
          Math.max(...rows.lengths.map((length) => (length < Infinity ? Math.abs(length / (0.1 * scale) - 1) : 0))),
        ).toBeLessThan(1e-5);
      }
  });

  it("end where a tube closes, and are not there on triangles in all directions, on springs, or along the bias", () => {
    const around = 24;
    const grid = gridCloth({ width: 1, height: 1, columns: around, rows: 24 });
    const angle = (p: number): number => (2 * Math.PI * (p % (around + 1))) / around;
    const tube = grid.positions.map((x, i) =>
      i % 3 === 1 ? x : (i % 3 === 0 ? Math.cos : Math.sin)(angle(Math.floor(i / 3))) / (2 * Math.PI),
    );
    grid.positions.forEach((x, i) => i % 3 === 2 && (tube[i - 1] = x));
    const uvs = (list: Float64Array): number[] => Array.from(list).filter((_, i) => i % 3 !== 1);
    const rows = rowsOf(gpbdCloth({ positions: tube, indices: grid.faces, uvs: uvs(grid.positions) }))!;
    expect(rows.lengths.filter((length) => length < Infinity).length).toBe(23 * 25 + 24 * 24);
    expect(rowsOf(gridCloth({ width: 1, height: 1, columns: 9, rows: 9 }, { membrane: "springs" }))).toBeUndefined();
    const { positions: x, faces: indices } = gridCloth({ width: 1, height: 1, columns: 9, rows: 9 });
    const leaning = x.map((value, i) => (i % 3 === 0 ? value + x[i + 2] / 2 : value));
    const bias = x.map((value, i) => (i % 3 === 0 ? value - x[i + 2] : value + x[Math.max(0, i - 2)]));
    expect(rowsOf(gpbdCloth({ positions: leaning, indices, uvs: uvs(leaning) }))).toBeUndefined();
    expect(rowsOf(gpbdCloth({ positions: x, indices, uvs: uvs(bias) }))).toBeUndefined();
  });
});
