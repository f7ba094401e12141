import { beforeAll, describe, expect, it } from "vitest";
import { halfCheetah, halfCheetahGround } from "../../../samples/mechanisms/half-cheetah";
import { humanoid, humanoidGround } from "../../../samples/mechanisms/humanoid";
import { BatchSimulation } from "../../../src/articulated/batch/batch-simulation";
import type { ActuatorDescription } from "../../../src/articulated/actuators/description";
import type { LinkShape, MechanismDescription } from "../../../src/articulated/description";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import type { Vec3 } from "../../../src/math/types";
import type { GpuContext } from "../../../src/gpu/device";
import { testContext, withoutGpuErrors } from "../../gpu/context";
import { copyStates, expectSame } from "./compare";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

/** A free box, a little within the ground. */
function block(half: Vec3, mass: number): MechanismDescription {
  const [x, y, z] = half;
  const third = mass / 3;
  return {
    name: "block",
    links: [
      {
        name: "block",
        mass,
        inertia: [third * (y * y + z * z), third * (x * x + z * z), third * (x * x + y * y), 0, 0, 0],
        joint: { type: "free", initialPosition: [0, 0, 0, 0, 0.9999 * y, 0] },
        shapes: [{ shape: { type: "box", halfExtents: half } }],
      },
    ],
  };
}

/** A box whose top is the plane. */
function slab(size: number): LinkShape[] {
  return [{ shape: { type: "box", halfExtents: [size, size / 10, size] }, position: [0, -size / 10, 0] }];
}

/** Servos that hold a mechanism in its initial pose. */
function holding(mechanism: MechanismDescription, gain: number): ActuatorDescription[] {
  return mechanism.links
    .filter(({ joint }) => joint.type === "revolute")
    .map(({ name }) => ({
      name,
      joints: [{ joint: name, coefficient: 1 }],
      gain,
      bias: [0, -gain, -gain / 20],
    }));
}

describe("many copies on the ground", () => {
  it.each([
    ["half-cheetah", halfCheetah(), halfCheetahGround(0.6), 0.6, 0.002, []],
    ["humanoid", humanoid(), humanoidGround(), 1, 0.005, holding(humanoid(), 3000)],
  ] as const)("stay where they have come to rest: %s", async (_, mechanism, slabs, friction, timeStep, actuators) => {
    const common = { timeStep, limits: true, actuators };
    const one = new ArticulatedSimulation(mechanism, { ...common, ground: slabs });
    for (let n = 0; n < 300; n++) one.step();
    expect(one.contacts.count).toBeGreaterThan(1);
    const options = { ...common, worlds: 2, ground: [{ friction }], device: context.device };
    const batch = await BatchSimulation.create(mechanism, options);
    copyStates(batch, [one, one]);
    for (let n = 0; n < 100; n++) one.step();
    await withoutGpuErrors(context, async () => {
      batch.step(100);
      await expectSame(batch, [one, one], 1e-3);
    });
    batch.dispose();
  });

  it("fall, run into limits and slide as on the CPU", async () => {
    // A step in parts differs from a whole one by more than rounding where one of the lanes touches a step earlier.
    const common = { timeStep: 0.002, limits: true, fastMotion: "whole" } as const;
    const one = new ArticulatedSimulation(halfCheetah(), { ...common, ground: halfCheetahGround(0.4) });
    const options = { ...common, worlds: 1, ground: [{ friction: 0.4 }], device: context.device };
    const batch = await BatchSimulation.create(halfCheetah(), options);
    one.qd[0] = 2;
    one.control.set([0, 0, 0, 4, -3, 2, -4, 3, -2]);
    copyStates(batch, [one]);
    let most = 0;
    for (let n = 0; n < 400; n++) {
      one.step();
      most = Math.max(most, one.contacts.count);
    }
    batch.step(400);
    expect(most).toBeGreaterThan(1);
    await expectSame(batch, [one], 1e-3);
    batch.dispose();
  });

  it.each([0.1, 1, 10])("slide and rest with friction of their own world, at %f times the size", async (size) => {
    const mechanism = block([0.2 * size, 0.1 * size, 0.3 * size], 5 * size ** 3);
    const gravity = [3, -9, 1] as const;
    const timeStep = 0.005;
    const ones = [0.1, 0.2, 0.5].map(
      (friction) => new ArticulatedSimulation(mechanism, { timeStep, gravity, friction, ground: slab(50 * size) }),
    );
    const options = { worlds: 3, timeStep, gravity, friction: 0.2, ground: [{}], device: context.device };
    const batch = await BatchSimulation.create(mechanism, options);
    batch.setParameters({ frictionScale: [0.5, 1, 2.5] });
    copyStates(batch, ones);
    for (const one of ones) for (let n = 0; n < 100; n++) one.step();
    batch.step(100);
    expect(ones[0].q[3]).toBeGreaterThan(0.1);
    expect(Math.abs(ones[2].qd[3])).toBeLessThan(1e-6);
    await expectSame(batch, ones, 1e-4);
    batch.dispose();
  });

  it("bounce and come out of the ground as on the CPU, on a plane that leans", async () => {
    // The plane through (0, 1, 0) with the normal (3, 4, 0) / 5: the slab is turned by half of that angle twice.
    const common = { timeStep: 0.004, restitution: 0.6, penetrationCorrection: 0.2, friction: 0.3 };
    const turn = [0, 0, -Math.sqrt((1 - 0.8) / 2), Math.sqrt((1 + 0.8) / 2)] as const;
    const shape = { type: "box", halfExtents: [50, 1, 50] } as const;
    const ground = [{ shape, position: [-0.6, 1 - 0.8, 0], rotation: turn }] as const;
    const ball = {
      name: "balls",
      links: [
        {
          name: "balls",
          mass: 3,
          inertia: [0.05, 0.05, 0.08, 0, 0, 0],
          joint: { type: "free", initialPosition: [0.4, 0.2, 0, 0, 1.8, 0], initialVelocity: [1, 2, 0, 1, 0, 0.5] },
          shapes: [
            { shape: { type: "sphere", radius: 0.2 } },
            { shape: { type: "capsule", pointA: [0.3, 0, 0], pointB: [0.3, 0.2, 0], radius: 0.1 }, friction: 0.1 },
          ],
        },
      ],
    } as const;
    const one = new ArticulatedSimulation(ball, { ...common, ground });
    const planes = [{ normal: [30, 40, 0], height: 0.8 }] as const;
    const batch = await BatchSimulation.create(ball, { ...common, worlds: 1, ground: planes, device: context.device });
    copyStates(batch, [one]);
    let touched = 0;
    for (let n = 0; n < 300; n++) {
      one.step();
      touched += Math.min(1, one.contacts.count);
    }
    batch.step(300);
    expect(touched).toBeGreaterThan(2);
    await expectSame(batch, [one], 1e-3);
    batch.dispose();
  });

  it("fall through ground that is not for them", async () => {
    const one = block([0.2, 0.1, 0.3], 5);
    const [link] = one.links;
    const shapes = link.shapes!.map((shape) => ({ ...shape, category: 2, meets: 2 }));
    for (const [mechanism, speed] of [
      [one, 0],
      [{ ...one, exclusions: [["block", "world"]] } as const, -0.1],
      [{ ...one, links: [{ ...link, shapes }] }, -0.1],
    ] as const) {
      const options = { worlds: 1, timeStep: 0.01, gravity: [0, -10, 0], ground: [{}] } as const;
      const batch = await BatchSimulation.create(mechanism, { ...options, device: context.device });
      batch.step();
      expect((await batch.readState()).qd[4]).toBeCloseTo(speed, 5);
      batch.dispose();
    }
  });

  it("refuses what it cannot do", async () => {
    const shapes = [
      { shape: { type: "heightfield", sizeX: 1, sizeZ: 1, samplesX: 2, samplesZ: 2, heights: [0, 0, 0, 0] } },
    ] as const;
    const links = [0, 1].map((i) => ({ ...block([1, 1, 1], 1).links[0], name: `drum ${i}`, shapes }));
    const two = { name: "two", links };
    const create = (mechanism: MechanismDescription, options: object): Promise<BatchSimulation> =>
      BatchSimulation.create(mechanism, { worlds: 1, timeStep: 0.01, device: context.device, ...options });
    await expect(create(two, { ground: [{}] })).rejects.toMatchObject({ code: "unsupported" });
    const one = block([1, 1, 1], 1);
    await expect(create(one, { ground: [{ normal: [0, 0, 0] }] })).rejects.toThrow(/ground\[0\]\.normal/);
    await expect(create(one, { ground: [{ heigth: 1 }] })).rejects.toThrow(/heigth/);
    await expect(create(one, { ground: {} })).rejects.toThrow(/must be a list/);
    await expect(create(one, { sweeps: 0 })).rejects.toThrow(/sweeps/);
    await expect(create(one, { friction: -1 })).rejects.toThrow(/BatchSimulation\.friction/);
  });
});
