import { describe, expect, it } from "vitest";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import type { Vec3 } from "../../src/math/types";
import type { GpbdOptions } from "../../src/solvers/gpbd/options";
import type { GpbdModel } from "../../src/solvers/gpbd/model";
import type { DeformableBody } from "../../src/world/body";
import { World } from "../../src/world/world";
import { expectRefused, expectRejected } from "../refusal";
import { gridCloth } from "./cloths";
import { backends, createWorld, frameTime, inWorld, run } from "./worlds";

const model = gridCloth({ width: 0.6, height: 0.4, columns: 4, rows: 3 }, { name: "sail" });

const badOptions: [keyof GpbdOptions, unknown, RegExp][] = [
  ["method", "sor", /body "sail"\.method.*one of.*"sor"/],
  ["iterations", 0, /iterations.*from 1/],
  ["iterations", 1.5, /iterations.*whole number/],
  ["substeps", 0, /substeps/],
  ["substeps", NaN, /substeps.*finite/],
  ["substeps", 1e9, /substeps/],
  ["newtonIterations", -1, /newtonIterations/],
  ["relaxation", 0, /relaxation/],
  ["relaxation", 2, /relaxation/],
  ["gravityFactor", Infinity, /gravityFactor.*finite/],
  ["damping", -1, /damping.*from 0/],
  ["airDensity", -1, /airDensity/],
  ["drag", -0.1, /drag/],
  ["lift", NaN, /lift/],
  ["wind", [0, NaN, 0], /wind.*three finite numbers/],
  ["wind", [0, 0], /wind.*three finite numbers/],
  ["thickness", 0, /thickness/],
  ["friction", -1, /friction/],
  ["friction", "rough", /friction.*finite number/],
];

describe.each(backends)("a world on %s refuses", (backend) => {
  it.each(badOptions)("a body with %s of %j, and stays as it was", async (key, value, message) => {
    await inWorld(backend, {}, async (world) => {
      expectRefused(() => world.addBody(model, { [key]: value }), "invalid-argument", message);
      expect(world.bodies).toHaveLength(0);
      const body = world.addBody(model);
      const before = { ...body.options };
      const change = { damping: 3, [key]: value } as Partial<GpbdOptions>;
      expectRefused(() => body.setOptions(change), "invalid-argument", message);
      expect(body.options).toEqual(before);
    });
  });

  it("pins that are out of range, and stays as it was", async () => {
    await inWorld(backend, {}, async (world) => {
      const n = model.particleCount;
      for (const bad of [n, -1, 0.5, NaN]) {
        const rule = new RegExp(`body "sail" pins?.*below ${n}, got ${bad}`);
        expectRefused(() => world.addBody(model, { pins: [0, bad] }), "index-out-of-range", rule);
        expect(world.bodies).toHaveLength(0);
      }
      const body = world.addBody(model, { pins: [1] });
      for (const bad of [n, -1, 0.5, NaN]) {
        expectRefused(() => body.pin([2, bad]), "index-out-of-range", /body "sail" pin/);
        expect(body.isPinned(2)).toBe(false);
        expectRefused(() => body.unpin([1, bad]), "index-out-of-range", /body "sail" unpin/);
        expect(body.isPinned(1)).toBe(true);
        expectRefused(() => body.setPinTarget(bad, 0, 0, 0), "index-out-of-range", /body "sail"/);
      }
      expectRefused(() => body.setPinTarget(2, 0, 0, 0), "invalid-argument", /particle.*pinned.*got 2/);
      for (const bad of [NaN, Infinity])
        expectRefused(() => body.setPinTarget(1, 0, bad, 0), "non-finite", /pin target.*finite/);
      // two infinities of opposite signs must not cancel
      expectRefused(() => body.setPinTarget(1, Infinity, -Infinity, 0), "non-finite", /pin target/);
      run(world, 1);
      const positions = await body.readPositions();
      for (let c = 0; c < 3; c++) expect(positions[3 + c]).toBe(Math.fround(model.positions[3 + c]));
    });
  });

  it("states that do not fit the body or are not finite", async () => {
    await inWorld(backend, {}, async (world) => {
      const body = world.addBody(model);
      const right = Float64Array.from(model.positions);
      const wrong = right.map((x, i) => (i === 7 ? NaN : x));
      expectRefused(() => body.writeState({ positions: right.subarray(3) }), "invalid-argument", /"sail" positions/);
      expectRefused(() => body.writeState({ positions: wrong }), "non-finite", /"sail" positions 7.*NaN/);
      expectRefused(
        () => body.writeState({ positions: right.map((x) => x + 1), velocities: wrong }),
        "non-finite",
        /"sail" velocities 7/,
      );
      expectRefused(() => body.writeState({ positions: right, velocities: [1] }), "invalid-argument", /velocities/);
      expect(await body.readPositions()).toEqual(Float32Array.from(model.positions));
    });
  });

  it("time steps and gravity that are none", async () => {
    await inWorld(backend, {}, async (world) => {
      const body = world.addBody(model, { substeps: 1 });
      for (const dt of [0, -1, NaN, Infinity]) {
        expectRefused(() => world.step(dt), "invalid-argument", /World\.step.*positive/);
        expect([world.frame, world.time]).toEqual([0, 0]);
      }
      for (const gravity of [
        [0, NaN, 0],
        [0, 0],
        [Infinity, 0, 0],
      ] as unknown as Vec3[]) {
        expectRefused(() => (world.gravity = gravity), "invalid-argument", /World\.gravity.*three finite numbers/);
        expect(world.gravity).toEqual([0, -9.81, 0]);
      }
      expect(await body.readPositions()).toEqual(Float32Array.from(model.positions));
    });
    await expectRejected(
      createWorld(backend, { gravity: [0, NaN, 0] }),
      "invalid-argument",
      /World\.gravity.*three finite numbers/,
    );
  });

  it("colliders without a shape or place", async () => {
    await inWorld(backend, {}, async (world) => {
      expectRefused(() => world.addCollider({ type: "sphere", radius: -1 }), "invalid-argument", /radius/);
      expectRefused(
        () => world.addCollider({ type: "sphere", radius: 1 }, { position: [NaN, 0, 0], name: "ball" }),
        "non-finite",
        /ball.*finite/,
      );
      expectRefused(
        () => world.addCollider({ type: "sphere", radius: 1 }, { friction: -1 }),
        "invalid-argument",
        /friction/,
      );
      expect(world.colliders).toHaveLength(0);
      world.addBody(model, { substeps: 2 });
      run(world, 2);
      expect((await world.frozenBodies()).size).toBe(0);
    });
  });

  it("calls to what was disposed of", async () => {
    const world = await createWorld(backend);
    const body = world.addBody(model, { substeps: 1 });
    const kept = world.addBody(model, { substeps: 1, name: "kept" });
    const collider = world.addCollider({ type: "sphere", radius: 0.1 }, { name: "ball" });
    body.dispose();
    collider.dispose();
    expect(world.bodies).toEqual([kept]);
    expect(world.colliders).toEqual([]);
    const calls: (() => unknown)[] = [
      () => body.setOptions({ damping: 1 }),
      () => body.setWind(1, 0, 0),
      () => body.pin([0]),
      () => body.unpin(),
      () => body.setPinTarget(0, 0, 0, 0),
      () => body.writeState({ positions: model.positions }),
      () => body.requestReadback(),
      () => body.setRenderOutput(undefined),
    ];
    for (const call of calls) expectRefused(call, "disposed", /body "sail".*disposed/);
    await expectRejected(body.readPositions(), "disposed", /body "sail"/);
    await expectRejected(body.pick([0, 0, 0], [0, 1, 0]), "disposed", /body "sail"/);
    expectRefused(() => collider.setPose([0, 0, 0]), "disposed", /collider "ball"/);
    expectRefused(() => collider.teleport([0, 0, 0]), "disposed", /collider "ball"/);
    expectRefused(() => (collider.enabled = false), "disposed", /collider "ball"/);
    expectRefused(() => (collider.friction = 1), "disposed", /collider "ball"/);
    // a second time does no harm, and the rest continues
    body.dispose();
    collider.dispose();
    run(world, 2);
    await kept.readPositions();
    world.dispose();
    world.dispose();
    expect(kept.isDisposed).toBe(true);
    expectRefused(() => world.step(frameTime), "disposed", /World.*disposed/);
    expectRefused(() => world.addBody(model), "disposed", /World/);
    expectRefused(() => world.addCollider({ type: "sphere", radius: 1 }), "disposed", /World/);
    expectRefused(() => kept.setWind(0, 0, 0), "disposed", /body "kept"/);
    await expectRejected(world.snapshot(), "disposed", /World/);
  });
});

describe("options", () => {
  it("that are undefined leave what was", async () => {
    await inWorld("cpu", {}, async (world) => {
      const body = world.addBody(model, { damping: undefined, substeps: 7, wind: undefined });
      const before = { ...body.options };
      expect(before.damping).toBe(0);
      body.setOptions({ damping: undefined, wind: undefined, friction: undefined });
      expect(body.options).toEqual(before);
      body.setOptions({ damping: 2 });
      expect(body.options).toEqual({ ...before, damping: 2 });
    });
  });
});

describe("an adapter", () => {
  const none = { requestAdapter: async () => null } as unknown as GPU;

  it("that is not there is refused for webgpu", async () => {
    await expectRejected(World.create({ backend: "webgpu", gpu: none }), "no-adapter", /WebGPU.*needs an adapter/);
    await expectRejected(World.create({ backend: "webgpu" }), "no-adapter", /WebGPU.*needs an adapter/);
  });

  it("that is not there makes auto the CPU, and one that is makes it WebGPU", async () => {
    const world = await World.create({ gpu: none });
    expect([world.backend, world.adapter, world.device]).toEqual(["cpu", "cpu", undefined]);
    world.dispose();
    const { gpu, adapterInfo } = await loadWebGpu();
    const other = await World.create({ gpu });
    expect(other.backend).toBe("webgpu");
    expect(other.adapter).toContain(adapterInfo.description);
    other.dispose();
  });

  it("of another kind is refused by name", async () => {
    await expectRejected(World.create({ backend: "cuda" as "cpu" }), "invalid-argument", /World\.backend.*"cuda"/);
  });
});

describe("a body that the device cannot hold", () => {
  it("is refused, names its size and the limit, and the world goes on", async () => {
    await inWorld("webgpu", {}, async (world) => {
      const first: DeformableBody = world.addBody(model, { substeps: 2 });
      const most = world.device!.limits.maxComputeWorkgroupsPerDimension * 64;
      // Only the count matters: it is refused before anything is made of it.
      const giant: GpbdModel = { ...model, name: "giant", particleCount: most + 1 };
      expectRefused(
        () => world.addBody(giant),
        "device-limit",
        new RegExp(`giant.*more than ${most}.*got ${most + 1}`),
      );
      expect(world.bodies).toEqual([first]);
      run(world, 2);
      expect((await first.readPositions())[1]).toBeLessThan(0);
    });
  });
});
