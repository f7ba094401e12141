import { beforeAll, describe, expect, it } from "vitest";
import { cartpole } from "../../../samples/mechanisms/cartpole";
import { halfCheetah } from "../../../samples/mechanisms/half-cheetah";
import { humanoid } from "../../../samples/mechanisms/humanoid";
import { jumpWorm } from "../../../samples/mechanisms/jump-worm";
import { BatchSimulation } from "../../../src/articulated/batch/batch-simulation";
import type { MechanismDescription } from "../../../src/articulated/description";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import { PliantError } from "../../../src/errors";
import type { GpuContext } from "../../../src/gpu/device";
import { RandomGeometry } from "../../collision/random";
import { testContext, withoutGpuErrors } from "../../gpu/context";
import { jointTypes, randomLink } from "../random-mechanism";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

/** A tree with every kind of joint. */
function everyJoint(): MechanismDescription {
  const random = new RandomGeometry(7);
  const parents = [
    undefined,
    "link 0",
    "link 1",
    "link 1",
    "link 3",
    "link 0",
    undefined,
    "link 6",
    "link 7",
    "link 8",
  ];
  return {
    name: "every joint",
    links: jointTypes.map((type, i) => randomLink(random, type, `link ${i}`, parents[i % parents.length])),
  };
}

/** Free bodies without springs and dampers. */
function freeBodies(): MechanismDescription {
  const random = new RandomGeometry(8);
  return {
    name: "free bodies",
    links: (["free", "ball"] as const).map((type) => randomLink(random, type, type, undefined, false)),
  };
}

const mechanisms: readonly [MechanismDescription, number][] = [
  [cartpole(), 0.001],
  [jumpWorm(), 0.001],
  [halfCheetah(), 0.001],
  [humanoid(), 0.001],
  [everyJoint(), 0.001],
  [freeBodies(), 0.01],
];

describe("many copies on a GPU", () => {
  it.each(mechanisms)("move as one does on the CPU: $name", async (mechanism, timeStep) => {
    // not a multiple of a workgroup
    const worlds = 66;
    const steps = 100;
    const batch = await BatchSimulation.create(mechanism, { worlds, timeStep, device: context.device });
    const { nv } = batch;
    const random = new RandomGeometry(3);
    const numbers = (size: number): Float32Array =>
      Float32Array.from({ length: worlds * nv }, () => random.between(-size, size));
    const [q, qd, tau] = [numbers(0.5), numbers(1), numbers(1)];
    await withoutGpuErrors(context, async () => {
      batch.setState(q, qd);
      batch.setControl(tau);
      batch.step(60);
      for (let n = 0; n < 4; n++) batch.step(10);
      const state = await batch.readState();
      for (const world of [0, 63, 64, 65]) {
        const one = new ArticulatedSimulation(mechanism, { timeStep });
        const own = (values: Float32Array): Float32Array => values.subarray(world * nv, (world + 1) * nv);
        one.q.set(own(q));
        one.qd.set(own(qd));
        one.control.set(own(tau));
        for (let n = 0; n < steps; n++) one.step();
        for (let k = 0; k < nv; k++) {
          const at = `world ${world}, coordinate ${k}`;
          expect(Math.abs(state.q[world * nv + k] - one.q[k]), at).toBeLessThan(1e-3 * (1 + Math.abs(one.q[k])));
          expect(Math.abs(state.qd[world * nv + k] - one.qd[k]), at).toBeLessThan(1e-3 * (1 + Math.abs(one.qd[k])));
        }
      }
    });
    batch.dispose();
  });

  it.each([
    [1.5, 1, 20],
    [10, 1, 20],
    [150, 2, 4],
  ])("take fast steps in the parts of the CPU: %f rad/s", async (speed, least, steps) => {
    const mechanism = everyJoint();
    const timeStep = 0.001;
    const batch = await BatchSimulation.create(mechanism, { worlds: 3, timeStep, device: context.device });
    const { nv } = batch;
    const random = new RandomGeometry(11);
    const numbers = (size: number): Float32Array =>
      Float32Array.from({ length: nv }, () => random.between(-size, size));
    const [q, qd] = [numbers(0.5), numbers(speed)];
    batch.setState(q, qd);
    batch.step(steps);
    const state = await batch.readState();
    const miss = (fastMotion: "parts" | "whole"): number => {
      const one = new ArticulatedSimulation(mechanism, { timeStep, fastMotion });
      one.q.set(q);
      one.qd.set(qd);
      for (let n = 0; n < steps; n++) one.step();
      if (fastMotion === "parts") expect(one.partCount).toBeGreaterThanOrEqual(least);
      return Math.max(
        ...one.q.map((value, k) => Math.abs(state.q[k] - value) / (1 + Math.abs(value))),
        ...one.qd.map((value, k) => Math.abs(state.qd[k] - value) / (1 + Math.abs(value))),
      );
    };
    expect(miss("parts")).toBeLessThan(1e-4);
    expect(miss("parts")).toBeLessThan(0.1 * miss("whole"));
    batch.dispose();
  });

  it("are as exact far away from the origin", async () => {
    const steps = 100;
    const timeStep = 0.001;
    for (const [mechanism, x, y] of [
      [halfCheetah(), 0, 1],
      [humanoid(), 3, 4],
    ] as const) {
      const batch = await BatchSimulation.create(mechanism, { worlds: 1, timeStep, device: context.device });
      const one = new ArticulatedSimulation(mechanism, { timeStep });
      const random = new RandomGeometry(4);
      one.qd.forEach((_, k) => (one.qd[k] = Math.fround(random.between(-1, 1))));
      one.control.forEach((_, k) => (one.control[k] = Math.fround(random.between(-1, 1))));
      one.q[x] = 500;
      one.q[y] = -200;
      batch.setState(one.q, one.qd);
      batch.setControl(one.control);
      batch.step(steps);
      for (let n = 0; n < steps; n++) one.step();
      const { qd } = await batch.readState();
      qd.forEach((value, k) =>
        expect(Math.abs(value - one.qd[k]), `${mechanism.name} ${k}`).toBeLessThan(1e-3 * (1 + Math.abs(one.qd[k]))),
      );
      batch.dispose();
    }
  });

  it("takes rotation vectors past half a turn as the CPU does", async () => {
    const random = new RandomGeometry(5);
    const mechanism = { name: "spinner", links: [randomLink(random, "ball", "spinner", undefined, false)] };
    const batch = await BatchSimulation.create(mechanism, {
      worlds: 1,
      timeStep: 0.005,
      device: context.device,
      gravity: [0, 0, 0],
    });
    const one = new ArticulatedSimulation(mechanism, { timeStep: 0.005, gravity: [0, 0, 0] });
    one.q.set([3.2, 0.3, -0.2]);
    one.qd.set([6, 1, 0.5]);
    batch.setState(one.q, one.qd);
    let longest = 0;
    for (let n = 0; n < 100; n++) {
      one.step();
      longest = Math.max(longest, Math.hypot(...one.q));
    }
    batch.step(100);
    const { q } = await batch.readState();
    expect(longest).toBeGreaterThan(3.8);
    expect(Math.hypot(...one.q)).toBeLessThan(longest);
    for (let k = 0; k < 3; k++) expect(q[k]).toBeCloseTo(one.q[k], 2);
    batch.dispose();
  });

  it("works in rounds where the device does not hold the scratch memory of all", async () => {
    // The shared device, which has compiled the steps, as if it were small.
    const limits = {
      maxStorageBufferBindingSize: 1 << 17,
      maxBufferSize: 1 << 17,
      maxComputeWorkgroupsPerDimension: 65535,
    };
    const { device } = context;
    const own = device.limits;
    const worlds = 300;
    const setLimits = (value: object): unknown =>
      Object.defineProperty(device, "limits", { value, configurable: true });
    setLimits(limits);
    const batch = await BatchSimulation.create(cartpole(), { worlds, timeStep: 0.002, device }).finally(() =>
      setLimits(own),
    );
    batch.step(20);
    const { q } = await batch.readState();
    const one = new ArticulatedSimulation(cartpole(), { timeStep: 0.002 });
    for (let n = 0; n < 20; n++) one.step();
    for (let world = 0; world < worlds; world++)
      for (let k = 0; k < 2; k++) expect(q[2 * world + k]).toBeCloseTo(one.q[k], 4);
    batch.dispose();
  });

  it("shows NaN for a world that goes astray, and keeps the others", async () => {
    const batch = await BatchSimulation.create(cartpole(), { worlds: 3, timeStep: 1, device: context.device });
    batch.setState([0, 1, 0, 1, 0, 1], [0, 0, 0, 3e38, 0, 0]);
    batch.step(2);
    const { q } = await batch.readState();
    expect([...q].map(Number.isFinite)).toEqual([true, true, false, false, true, true]);
    expect([q[4], q[5]]).toEqual([q[0], q[1]]);
    batch.dispose();
  });

  it("refuses what it cannot do", async () => {
    const create = (options: { worlds?: number; timeStep?: number }): Promise<BatchSimulation> =>
      BatchSimulation.create(cartpole(), { worlds: 2, timeStep: 0.001, device: context.device, ...options });
    await expect(create({ worlds: 1.5 })).rejects.toThrow(PliantError);
    await expect(create({ timeStep: 0 })).rejects.toThrow(/timeStep/);
    await expect(create({ worlds: 1e9 })).rejects.toMatchObject({ code: "device-limit" });
    const batch = await create({});
    expect(() => batch.setState([0, 0, 0], [0, 0])).toThrow(/length must be 2 or 4/);
    expect(() => batch.setControl([0, NaN])).toThrow(/finite/);
    expect(() => batch.step(0)).toThrow(PliantError);
    batch.dispose();
    expect(() => batch.step()).toThrow(/disposed/);
  });
});
