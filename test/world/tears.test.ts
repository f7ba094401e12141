import { describe, expect, it } from "vitest";
import { gridMesh } from "../../src/geometry/grid";
import { NO_VERTEX } from "../../src/geometry/surface/incidence";
import { icosphereMesh } from "../../src/geometry/icosphere";
import { fabrics } from "../../src/materials/fabric";
import { gpbdCloth } from "../../src/models/gpbd/cloth";
import { type GpbdModel, termLayout } from "../../src/solvers/gpbd/model";
import type { Tear } from "../../src/solvers/deformable";
import { Tearing } from "../../src/solvers/gpbd/tearing/tearing";
import type { DeformableBody } from "../../src/world/body";
import type { World } from "../../src/world/world";
import { verticesWhere } from "./cloths";
import { backends, frameTime, inWorld, type BackendName } from "./worlds";

const mesh = gridMesh({ width: 0.6, height: 0.3, columns: 8, rows: 4 });
const sheet = (): GpbdModel =>
  gpbdCloth({ ...mesh, fabric: { ...fabrics.cotton, stretchWarp: 200, stretchWeft: 200 } });
const ends = verticesWhere(sheet().positions, (x) => Math.abs(x) > 0.29);
const options = { airDensity: 0, substeps: 6, pins: ends };

/** Runs frames; in each the pins move to `by` times their distance from the middle. */
async function pull(world: World, body: DeformableBody, frames: number, by: number): Promise<void> {
  for (let frame = 0; frame < frames; frame++) {
    for (const p of ends) {
      const [x, y, z] = body.pinTarget(p);
      body.setPinTarget(p, x * by, y, z);
    }
    world.step(frameTime);
    await world.settled();
  }
}

async function torn(backend: BackendName) {
  return inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
    const body = world.addBody(sheet(), { ...options, tearing: { strain: 0.2 } });
    const tears: Tear[] = [];
    body.onTear!.add((tear) => tears.push(tear));
    await pull(world, body, 26, 1.014);
    const model = body.model as GpbdModel;
    return { tears, model, state: await body.readState(), pieces: piecesOf(model.faces) };
  });
}

/** Number of sets of triangles that are connected at vertices. */
function piecesOf(faces: ArrayLike<number>): number {
  const root = new Map<number, number>();
  const find = (v: number): number => {
    const up = root.get(v) ?? v;
    return up === v ? v : find(up);
  };
  for (let f = 0; f < faces.length; f += 3) for (const c of [1, 2]) root.set(find(faces[f + c]), find(faces[f]));
  return new Set(Array.from(faces, find)).size;
}

const runs = new Map<BackendName, ReturnType<typeof torn>>();

/** One run for several tests. */
function firstRun(backend: BackendName): ReturnType<typeof torn> {
  const run = runs.get(backend) ?? torn(backend);
  runs.set(backend, run);
  return run;
}

const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((all, value) => all + value, 0);

describe.each(backends)("tearing on %s", (backend) => {
  it("parts a sheet that is pulled, keeps its mass, and the colours of its elements", { timeout: 60_000 }, async () => {
    const { tears, model, pieces, state } = await firstRun(backend);
    expect(tears.length).toBeGreaterThan(0);
    expect(pieces).toBeGreaterThan(1);
    expect(sum(model.masses)).toBeCloseTo(sum(sheet().masses), 14);
    expect(model.masses.slice(0, state.inUse).every((m) => m > 0)).toBe(true);
    expect(model.masses.slice(state.inUse).every((m) => m === 0)).toBe(true);
    for (const term of model.terms) expect(clashes(term)).toBe(0);
    // the halves are no longer stretched
    expect(largestStretch(model, state.positions)).toBeLessThan(0.2);
  });

  it("leaves alone what is stretched less", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const body = world.addBody(sheet(), { ...options, tearing: { strain: 0.2 } });
      await pull(world, body, 12, 1.01);
      await pull(world, body, 12, 1);
      expect((await body.readState()).inUse).toBe(sheet().particleCount);
    });
  });

  it("is the same in every run", { timeout: 60_000 }, async () => {
    const [first, second] = [await firstRun(backend), await torn(backend)];
    expect(second.tears).toEqual(first.tears);
    expect(second.state.positions).toEqual(first.state.positions);
  });
});

it("tears alike on both backends", { timeout: 60_000 }, async () => {
  const [reference, found] = [await firstRun("cpu"), await firstRun("webgpu")];
  expect(found.tears[0].splits).toEqual(reference.tears[0].splits);
});

it("keeps the momentum of a free sheet that flies apart", async () => {
  await inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
    const body = world.addBody(sheet(), { airDensity: 0, substeps: 10, tearing: { strain: 0.15 } });
    const { positions } = body.model;
    const used = sheet().positions.length;
    // one half goes to the left, the other one to the right
    const velocities = positions.map((x, i) => (i < used && i % 3 === 0 ? 12 * Math.sign(x) + 1 : 0));
    body.writeState({ positions, velocities });
    const momentum = (v: ArrayLike<number>): number => sum(body.model.masses.map((m, p) => m * v[3 * p]));
    const before = momentum(velocities);
    for (let frame = 0; frame < 12; frame++) world.step(frameTime);
    const state = await body.readState();
    expect(state.inUse).toBeGreaterThan(sheet().particleCount);
    expect(momentum(state.velocities)).toBeCloseTo(before, 12);
    // an earlier state has the new particles at the places of their origins
    body.writeState({ positions, velocities, inUse: used / 3 });
    const back = (await body.readState()).positions;
    expect(largestStretch(body.model as GpbdModel, back)).toBeLessThan(1e-12);
  });
});

it("loses its pressure where a closed surface tears", async () => {
  await inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
    const { positions, indices } = icosphereMesh({ radius: 0.2, subdivisions: 2 });
    const model = gpbdCloth({ positions, indices, fabric: "rubber-sheet" });
    const body = world.addBody(model, { airDensity: 0, pressure: 12_000, tearing: { strain: 0.15 } });
    for (let frame = 0; frame < 10; frame++) world.step(frameTime);
    expect((await body.readState()).inUse).toBeGreaterThan(model.particleCount);
    expect(body.pressure).toBe(0);
    expect(() => (body.pressure = 10)).toThrow(/edge .* has to be closed/);
  });
});

describe("a look at a sheet of 64 × 64 segments", () => {
  const large = gridMesh({ width: 1, height: 1, columns: 64, rows: 64 });
  const model = gpbdCloth({ ...large, fabric: "cotton" });
  /** The sheet, stretched along x at |x| below a limit. */
  const pulled = (by: number, within: number): Float64Array =>
    model.positions.map((x, i) => (i % 3 === 0 ? x + by * Math.max(-within, Math.min(within, x)) : x));
  const spread = (positions: Float64Array, tearing: Tearing): Float64Array => {
    const all = new Float64Array(3 * tearing.model.particleCount);
    all.set(positions);
    return all;
  };

  it("takes no more work the more of it is torn, and comes to all of it", () => {
    const tearing = new Tearing("sheet", model, { strain: 0.1, most: 3000 });
    const held = new Uint8Array(tearing.model.particleCount);
    const positions = spread(pulled(0.2, 1), tearing);
    let torn = 0;
    for (let look = 0; look < 40; look++) {
      const before = tearing.particleCount;
      const tear = tearing.tear(positions, held);
      for (const { from, to } of tear?.splits ?? []) positions.copyWithin(3 * to, 3 * from, 3 * from + 3);
      const { triangles, closely } = tearing.work;
      expect(triangles).toBe(8192);
      // 192 vertices, most with six triangles
      expect(closely).toBeLessThanOrEqual(8 * 192);
      expect(tearing.work.torn).toBeLessThanOrEqual(24);
      // a vertex splits in two, and so may both ends of its cuts
      expect(tearing.particleCount - before).toBeLessThanOrEqual(3 * 24);
      for (const elements of tear?.elements ?? []) expect(elements.length).toBeLessThanOrEqual(24 * 24);
      torn += tearing.work.torn;
    }
    expect(torn).toBeGreaterThan(300);
  });

  it("looks closely only where it is stretched", () => {
    const tearing = new Tearing("sheet", model, { strain: 0.1 });
    const held = new Uint8Array(tearing.model.particleCount);
    tearing.tear(spread(pulled(0.09, 1), tearing), held);
    expect(tearing.work).toEqual({ triangles: 8192, closely: 0, torn: 0 });
    tearing.tear(spread(pulled(0.2, 0.02), tearing), held);
    // a column or two of vertices
    expect(tearing.work.closely).toBeLessThanOrEqual(3 * 65 * 8);
    expect(tearing.work.closely).toBeGreaterThan(0);
  });

  it("is rehearsed without a trace", () => {
    const before = model.terms.map(({ indices, rest }) => [indices.slice(), rest.slice()]);
    Tearing.rehearse("sheet", model, { strain: 0.1 });
    expect(model.terms.map(({ indices, rest }) => [indices, rest])).toEqual(before);
  });
});

it("refuses what cannot tear", async () => {
  await inWorld("cpu", {}, async (world) => {
    const springs = gpbdCloth({ ...mesh, membrane: "springs" });
    expect(() => world.addBody(springs, { tearing: { strain: 0.3 } })).toThrow(/is not for such cloth/);
    expect(() => world.addBody(sheet(), { tearing: { strain: 0 } })).toThrow(/tearing.strain: must be a positive/);
    expect(() => world.addBody(sheet(), { tearing: { strain: 1, most: 0.5 } })).toThrow(/tearing.most/);
    expect(() => world.addBody(sheet(), { selfCollision: true, tearing: { strain: 1 } })).toThrow(/touches itself/);
    expect(() => world.addBody(sheet(), { bodyCollision: true, tearing: { strain: 1 } })).toThrow(/other surfaces/);
    expect(world.bodies.length).toBe(0);
    // by default it ignores others
    const torn = world.addBody(sheet(), { tearing: { strain: 1 } });
    expect(torn.options.bodyCollision).toBe(false);
    expect(() => torn.setOptions({ bodyCollision: true })).toThrow(/other surfaces/);
  });
});

/** Pairs of elements of one color with a vertex in common; limp ones do nothing, whatever they share. */
function clashes({ kind, indices, rest, colours }: GpbdModel["terms"][number]): number {
  const { arity, rest: stride } = termLayout[kind];
  let count = 0;
  for (let colour = 1; colour < colours.length; colour++) {
    const seen = new Set<number>();
    for (let e = colours[colour - 1]; e < colours[colour]; e++) {
      if (kind.endsWith("-bending") && rest.subarray(e * stride, (e + 1) * stride).every((x) => x === 0)) continue;
      for (const vertex of indices.subarray(e * arity, (e + 1) * arity)) {
        if (vertex !== NO_VERTEX && seen.has(vertex)) count++;
        seen.add(vertex);
      }
    }
  }
  return count;
}

function largestStretch({ faces, positions: rest }: GpbdModel, x: ArrayLike<number>): number {
  const length = (of: ArrayLike<number>, a: number, b: number): number =>
    Math.hypot(...[0, 1, 2].map((c) => of[3 * a + c] - of[3 * b + c]));
  let most = 0;
  for (let i = 0; i < faces.length; i++) {
    const [a, b] = [faces[i], faces[i % 3 === 2 ? i - 2 : i + 1]];
    most = Math.max(most, length(x, a, b) / length(rest, a, b) - 1);
  }
  return most;
}
