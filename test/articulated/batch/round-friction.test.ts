import { beforeAll, describe, expect, it } from "vitest";
import { halfCheetah, halfCheetahGround } from "../../../samples/mechanisms/half-cheetah";
import { BatchSimulation } from "../../../src/articulated/batch/batch-simulation";
import type { MechanismDescription } from "../../../src/articulated/description";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import type { GpuContext } from "../../../src/gpu/device";
import { testContext, withoutGpuErrors } from "../../gpu/context";
import { copyStates, expectSame } from "./compare";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

/** A thing on three round feet, a little within the ground. Four would share its weight in many ways. */
function stool(size: number): MechanismDescription {
  const mass = 5 * size ** 3;
  const moment = 0.05 * mass * size ** 2;
  const shapes = [0, 2, 4].map((angle) => ({
    shape: { type: "sphere", radius: 0.1 * size } as const,
    position: [0.3 * size * Math.cos(angle), 0, 0.3 * size * Math.sin(angle)] as const,
  }));
  const joint = { type: "free", initialPosition: [0, 0, 0, 0, 0.09999 * size, 0] } as const;
  return {
    name: "stool",
    links: [{ name: "stool", mass, inertia: [moment, 2 * moment, moment, 0, 0, 0], joint, shapes }],
  };
}

const cone = { frictionCone: "round", fastMotion: "whole" } as const;

describe("round friction of many copies", () => {
  it.each([0.1, 10])("is that of the CPU, straight in every direction: stools of %f times the size", async (size) => {
    const mechanism = stool(size);
    const common = { ...cone, timeStep: 0.004 * Math.sqrt(size), friction: 0.4 };
    const slab = { type: "box", halfExtents: [50 * size, size, 50 * size] } as const;
    const ground = [{ shape: slab, position: [0, -size, 0] }] as const;
    const speed = 2 * Math.sqrt(size);
    const ones = [0, 0.2, 0.4, 0.6, Math.PI / 4, 2, 4].map((angle) => {
      const one = new ArticulatedSimulation(mechanism, { ...common, ground });
      [one.qd[3], one.qd[5]] = [speed * Math.cos(angle), speed * Math.sin(angle)];
      return one;
    });
    const spin = new ArticulatedSimulation(mechanism, { ...common, ground });
    [spin.qd[1], spin.qd[3]] = [4 / Math.sqrt(size), speed];
    const all = [...ones, spin];
    const options = { ...common, worlds: all.length, ground: [{}], sweeps: 200, device: context.device };
    const batch = await BatchSimulation.create(mechanism, options);
    copyStates(batch, all);
    for (const one of all) for (let n = 0; n < 100; n++) one.step();
    await withoutGpuErrors(context, async () => {
      batch.step(100);
      await expectSame(batch, all, 1e-3);
    });
    const { q } = await batch.readState();
    const ways = ones.map((_, world) => Math.sqrt(q[6 * world + 3] ** 2 + q[6 * world + 5] ** 2));
    expect(Math.max(...ways) / Math.min(...ways)).toBeLessThan(1.001);
    expect(() => batch.makeTape(1)).toThrow(/pyramid/);
    batch.dispose();
  });

  it("holds and slips as on the CPU where links move in a plane", async () => {
    const common = { ...cone, timeStep: 0.002, limits: true } as const;
    const one = new ArticulatedSimulation(halfCheetah(), { ...common, ground: halfCheetahGround(0.4) });
    one.qd[0] = 2;
    one.control.set([0, 0, 0, 4, -3, 2, -4, 3, -2]);
    const options = { ...common, worlds: 1, ground: [{ friction: 0.4 }], device: context.device };
    const batch = await BatchSimulation.create(halfCheetah(), options);
    copyStates(batch, [one]);
    for (let n = 0; n < 400; n++) one.step();
    batch.step(400);
    expect(one.contacts.count).toBeGreaterThan(0);
    await expectSame(batch, [one], 1e-3);
    batch.dispose();
  });
});
