import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boxTetrahedra, type DeformableBody, solidModel, PliantError, World } from "../../../src/index";
import type { LocalGlobalModel } from "../../../src/solvers/local-global/model";
import { SparseInverse } from "../../../src/math/sparse/sparse-inverse";
import { systemMatrix } from "../../../src/solvers/local-global/body/system-matrix";
import { factorTasks } from "../../../src/solvers/local-global/factor/background";
import { Factorization } from "../../../src/solvers/local-global/factor/factorization";
import { surplus } from "../../../src/solvers/local-global/factor/surplus";
import { packInverse, unpackInverse } from "../../../src/solvers/local-global/factor/packed";
import { clearFactorStore } from "../../../src/solvers/local-global/factor/store";
import { isInverse, runFactorTask, type FactorTask } from "../../../src/solvers/local-global/factor/task";
import { BackgroundTasks } from "../../../src/tasks/background";
import { expectRefused, expectRejected } from "../../refusal";

/** The folder of factors, separate from the user's. */
let folder: string;
const before = process.env.XDG_CACHE_HOME;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-factors-"));
  process.env.XDG_CACHE_HOME = folder;
});
afterAll(() => {
  if (before === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = before;
  fs.rmSync(folder, { recursive: true, force: true });
});

const files = (): string[] => {
  const kept = path.join(folder, "babylon-pliant");
  return fs.existsSync(kept) ? fs.readdirSync(kept).map((name) => path.join(kept, name)) : [];
};

function bar(cells: number, youngsModulus = 1e6, length = 1): LocalGlobalModel {
  const mesh = boxTetrahedra({ size: [length, 0.25, 0.25], cells: [4 * cells, cells, cells] });
  return solidModel({
    solver: "local-global",
    ...mesh,
    elements: "linear",
    material: { youngsModulus, poissonRatio: 0.3, density: 1000 },
  });
}

function taskOf(model: LocalGlobalModel, isKept: boolean): FactorTask {
  return { name: 'body "bar"', matrix: systemMatrix(model, 1 / 60), coordinates: model.restPositions, isKept };
}

describe("factors in a worker", () => {
  it("are what they are here, to the last bit, and are told on the way", async () => {
    const task = taskOf(bar(3), false);
    const shares: number[] = [];
    const { inverse, isFromStore } = await factorTasks.run(task, { onProgress: (share) => shares.push(share) });
    expect(isFromStore).toBe(false);
    expect(inverse.values).toEqual(SparseInverse.of(task.matrix, { coordinates: task.coordinates }).values);
    expect(shares.length).toBeGreaterThan(5);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(files()).toEqual([]);
  });

  it("are kept for the next start, by what they are made of", async () => {
    await clearFactorStore();
    const task = taskOf(bar(2), true);
    const first = await factorTasks.run(task);
    const second = await factorTasks.run(task);
    expect([first.isFromStore, second.isFromStore]).toEqual([false, true]);
    expect(second.inverse).toEqual(first.inverse);
    // another mesh, material or time step gives another matrix: nothing of the first is reused
    const others = [
      taskOf(bar(2, 1e6, 1.01), true),
      taskOf(bar(2, 2e6), true),
      { ...task, matrix: systemMatrix(bar(2), 1 / 120) },
    ];
    for (const other of others) {
      const { inverse, isFromStore } = await factorTasks.run(other);
      expect(isFromStore).toBe(false);
      expect(isInverse(other.matrix, inverse)).toBe(true);
      expect(isInverse(task.matrix, inverse)).toBe(false);
    }
    expect(files()).toHaveLength(4);
    await clearFactorStore();
    expect(files()).toEqual([]);
  });

  it.each([
    ["cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ["of another format", (bytes: Buffer) => Buffer.from(bytes).fill(0, 8, 30)],
    ["damaged in one byte", (bytes: Buffer) => Buffer.from(bytes).fill(64, bytes.length - 80, bytes.length - 79)],
    ["empty", () => Buffer.alloc(0)],
  ])("are made anew where what was kept is %s", async (_, spoil) => {
    await clearFactorStore();
    const task = taskOf(bar(1), true);
    const { inverse } = await runFactorTask(task);
    const [file] = files();
    const sound = fs.readFileSync(file);
    fs.writeFileSync(file, spoil(sound));
    const again = await runFactorTask(task);
    expect(again).toEqual({ inverse, isFromStore: false });
    expect(fs.readFileSync(file).equals(sound)).toBe(true);
  });

  it("can be canceled on the way and before, with the reason that was given", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const { signal } = controller;
    const task = taskOf(bar(5), false);
    await expect(factorTasks.run(task, { signal, onProgress: () => controller.abort(reason) })).rejects.toBe(reason);
    await expect(factorTasks.run(task, { signal })).rejects.toBe(reason);
  });

  it("are refused where the body is solved somewhere that does not hold them; then it stands", async () => {
    const world = await World.create({ backend: "cpu" });
    const body = world.addBody(bar(1), { factorization: "worker" });
    const factorization = body.factorization as Factorization;
    factorization.check = ({ size }) => {
      throw new PliantError("device-limit", 'body "bar"', size, "must not need more than 1");
    };
    await expectRejected(factorization.whenReadyAsync(), "device-limit", /more than 1, got \d+/);
    expect(factorization.state).toBe("failed");
    world.step(1 / 60);
    expect(await body.readPositions()).toEqual(Float32Array.from(body.model.positions));
    world.dispose();
    // a factor made on this thread is known when the body is added
    const sound = bar(1);
    const large = new Factorization(sound);
    large.check = factorization.check;
    expectRefused(() => large.plan(), "device-limit", /more than 1/);
  });

  it("are refused with a typed error", async () => {
    const task = taskOf(bar(1), false);
    const matrix = { ...task.matrix, values: task.matrix.values.map((value) => -value) };
    await expectRejected(factorTasks.run({ ...task, matrix }), "degenerate-geometry", /body "bar".*pivot/);
  });

  it("are made on this thread where no worker can start", async () => {
    const task = taskOf(bar(1), false);
    const tasks = new BackgroundTasks("throw new Error('no')", runFactorTask);
    expect((await tasks.run(task)).inverse).toEqual((await runFactorTask(task)).inverse);
  });
});

describe("a body whose factor is made in the worker", () => {
  const inWorker = { factorization: "worker", factorCache: false } as const;
  const height = async (body: DeformableBody): Promise<number> => (await body.readPositions())[1];

  it("stands still till then, and falls as any other from there", async () => {
    const world = await World.create({ backend: "cpu" });
    const body = world.addBody(bar(3), inWorker);
    const start = await height(body);
    expect(body.factorization!.state).toBe("none");
    for (let k = 0; k < 3; k++) world.step(1 / 60);
    expect([await height(body), body.factorization!.state]).toEqual([start, "pending"]);
    const shares: number[] = [];
    await body.factorization!.whenReadyAsync({ onProgress: (share) => shares.push(share) });
    expect(shares.length).toBeGreaterThan(5);
    expect([body.factorization!.state, body.factorization!.progress]).toEqual(["ready", 1]);
    for (let k = 0; k < 6; k++) world.step(1 / 60);
    // h² g (1 + 2 + … + 6)
    expect(start - (await height(body))).toBeCloseTo((9.81 / 60 ** 2) * 21, 6);
    world.dispose();
  });

  it("can have it made before the first step", async () => {
    const world = await World.create({ backend: "cpu" });
    const body = world.addBody(bar(2), { ...inWorker, substeps: 2 });
    await body.factorization!.whenReadyAsync({ timeStep: 1 / 120 });
    const start = await height(body);
    world.step(1 / 60);
    expect(await height(body)).toBeLessThan(start);
    world.dispose();
  });

  it("goes on with the old one when the time step changes, in shorter steps where it has to", async () => {
    const world = await World.create({ backend: "cpu" });
    const body = world.addBody(bar(3), { ...inWorker, substeps: 2 });
    await body.factorization!.whenReadyAsync({ timeStep: 1 / 120 });
    world.step(1 / 60);
    for (const substeps of [5, 1]) {
      body.setOptions({ substeps });
      const [before, { velocities }] = [await height(body), await body.readState()];
      const speed = velocities[1];
      world.step(1 / 60);
      expect(body.factorization!.state).toBe("pending");
      expect(before - (await height(body))).toBeGreaterThan(-speed / 60);
      expect((await body.readState()).velocities[1]).toBeCloseTo(speed - 9.81 / 60, 8);
      await body.factorization!.whenReadyAsync();
      world.step(1 / 60);
      expect((await body.readState()).velocities[1]).toBeCloseTo(speed - 9.81 / 30, 8);
    }
    world.dispose();
  });

  it("changes its material when the factor for it is there", async () => {
    const model = bar(2);
    const held = [...model.masses.keys()].filter((v) => model.positions[3 * v] < -0.49);
    const sag = async (body: DeformableBody): Promise<number> =>
      Math.min(...(await body.readPositions()).filter((_, i) => i % 3 === 1));
    const world = await World.create({ backend: "cpu" });
    const place = { pins: held, bodyCollision: false, damping: 20 };
    const body = world.addBody(model, { ...place, ...inWorker });
    const unchanged = world.addBody(model, place);
    const other = world.addBody(bar(2, 4e6), place);
    await body.factorization!.whenReadyAsync();
    for (let k = 0; k < 5; k++) world.step(1 / 60);
    body.replaceModel(bar(2, 4e6));
    for (let k = 0; k < 3; k++) world.step(1 / 60);
    expect(body.factorization!.state).toBe("pending");
    expect(await body.readPositions()).toEqual(await unchanged.readPositions());
    await body.factorization!.whenReadyAsync();
    for (let k = 0; k < 60; k++) world.step(1 / 60);
    expect(await sag(body)).toBeCloseTo(await sag(other), 6);
    expect(await sag(unchanged)).toBeLessThan((await sag(other)) - 0.001);
    expect(() => body.replaceModel(bar(3))).toThrow(/same solver, particles and elements/);
    world.dispose();
  });

  it("stands still where it is given up, until it is asked for again", async () => {
    const world = await World.create({ backend: "cpu" });
    const body = world.addBody(bar(2), inWorker);
    const controller = new AbortController();
    world.step(1 / 60);
    const waiting = body.factorization!.whenReadyAsync({ signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    world.step(1 / 60);
    expect(body.factorization!.state).toBe("failed");
    expect(await height(body)).toBeCloseTo(-0.125, 12);
    await body.factorization!.whenReadyAsync();
    world.step(1 / 60);
    expect(await height(body)).toBeLessThan(-0.125);
    world.dispose();
  });

  it("freezes where there is no factor, and the world goes on", async () => {
    const world = await World.create({ backend: "cpu" });
    const model = bar(1);
    const masses = model.masses.map((mass) => -mass);
    const body = world.addBody({ ...model, masses }, inWorker);
    const frozen: DeformableBody[] = [];
    world.onBodyFrozen.add(({ body: stopped }) => frozen.push(stopped));
    world.step(1 / 60);
    await expectRejected(body.factorization!.whenReadyAsync(), "degenerate-geometry", /pivot/);
    world.step(1 / 60);
    await world.frozenBodies();
    expect(frozen).toEqual([body]);
    world.dispose();
  });
});

describe("what has no factor is refused before there is a body", () => {
  const material = { youngsModulus: 1e6, poissonRatio: 0.3, density: 1000 };
  const tetrahedron = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
  const apart = [...tetrahedron, ...tetrahedron.map((value) => value + 5)];
  it.each([
    ["parts that nothing connects", apart, [0, 1, 2, 3, 4, 5, 6, 7], "degenerate-geometry", /2 parts/],
    ["a vertex of no element", [...tetrahedron, 9, 9, 9], [0, 1, 2, 3], "degenerate-geometry", /vertex 4.*mass/],
    ["an element without volume", tetrahedron.map((v) => v * 1e-120), [0, 1, 2, 3], "degenerate-geometry", /volume/],
    ["a flat element", [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], [0, 1, 2, 3], "degenerate-geometry", /volume/],
    ["a place that is not finite", [...tetrahedron.slice(0, 11), NaN], [0, 1, 2, 3], "non-finite", /NaN/],
    ["no elements", [], [], "degenerate-geometry", /empty/],
  ] as const)("%s", (_, positions, tetrahedra, code, message) => {
    const mesh = { positions: Float64Array.from(positions), tetrahedra: Uint32Array.from(tetrahedra) };
    expectRefused(() => solidModel({ solver: "local-global", ...mesh, material, name: "lump" }), code, message);
  });
});

describe("the store", () => {
  it("packs and unpacks", async () => {
    const { inverse } = await runFactorTask(taskOf(bar(1), false));
    expect(unpackInverse(packInverse(inverse))).toEqual(inverse);
    // a view into a larger buffer, which Node uses for small files
    const bytes = packInverse(inverse);
    const larger = new Uint8Array(bytes.length + 7);
    larger.set(bytes, 3);
    expect(unpackInverse(larger.subarray(3, 3 + bytes.length))).toEqual(inverse);
  });

  it("lets go what was not used for longest", () => {
    const entries = [
      { key: "a", size: 4, used: 3 },
      { key: "b", size: 4, used: 1 },
      { key: "c", size: 4, used: 2 },
    ];
    expect(surplus(entries, 12)).toEqual([]);
    expect(surplus(entries, 8)).toEqual(["b"]);
    expect(surplus(entries, 3)).toEqual(["b", "c", "a"]);
  });
});
