import { beforeAll, describe, expect, it } from "vitest";
import { humanoid } from "../../../samples/mechanisms/humanoid";
import type { ActuatorDescription } from "../../../src/articulated/actuators/description";
import { BatchSimulation } from "../../../src/articulated/batch/batch-simulation";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import type { GpuContext } from "../../../src/gpu/device";
import { RandomGeometry } from "../../collision/random";
import { testContext, withoutGpuErrors } from "../../gpu/context";
import { copyStates, expectSame, hangingArm } from "./compare";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

const hinges = ["link 0", "link 1", "link 2"];

function servos(gain: number, most?: number): ActuatorDescription[] {
  return hinges.map((joint, i) => ({
    name: `servo of ${joint}`,
    // the second one by a gear that turns the other way
    joints: [{ joint, coefficient: i === 1 ? -2 : 1 }],
    gain,
    bias: [0, -gain, -gain / 20],
    ...(most === undefined ? {} : { forceRange: [-most, 0.7 * most] as const, controlRange: [-1, 0.3] as const }),
  }));
}

describe("joints of many copies", () => {
  it.each([
    [{ limits: true }, 300],
    // After some hundred steps of bounces off the limits, rounding has grown.
    [{ limits: true, penetrationCorrection: 0.5 }, 150],
    [{ limits: "ahead" }, 300],
  ] as const)("stop at their limits as on the CPU: %j", async (settings, steps) => {
    const options = { timeStep: 0.002, ...settings };
    const random = new RandomGeometry(5);
    const ones = [0, 1, 2].map(() => {
      const one = new ArticulatedSimulation(hangingArm(), options);
      one.q.set([0.1, 0.2, 0.35]);
      one.qd.forEach((_, k) => (one.qd[k] = random.between(-4, 4)));
      return one;
    });
    const batch = await BatchSimulation.create(hangingArm(), { ...options, worlds: 3, device: context.device });
    copyStates(batch, ones);
    let reached = 0;
    for (let n = 0; n < steps; n++)
      for (const one of ones) {
        one.step();
        reached += one.contactStep.rows.count;
      }
    batch.step(steps);
    expect(reached).toBeGreaterThan(20);
    await expectSame(batch, ones, 1e-3);
    batch.dispose();
  });

  it("stop where many limits of a large tree are reached at once", async () => {
    // Divided and whole steps differ by more than rounding where one of the lanes meets a limit a step earlier.
    const options = { timeStep: 0.001, limits: true, gravity: [0, 0, 0], fastMotion: "whole" } as const;
    const one = new ArticulatedSimulation(humanoid(), options);
    const random = new RandomGeometry(6);
    one.qd.forEach((_, k) => (one.qd[k] = random.between(-3, 3)));
    one.control.forEach((_, k) => (one.control[k] = random.between(-30, 30)));
    const batch = await BatchSimulation.create(humanoid(), { ...options, worlds: 1, device: context.device });
    copyStates(batch, [one]);
    for (let n = 0; n < 100; n++) one.step();
    batch.step(100);
    expect(one.contactStep.rows.count).toBeGreaterThan(5);
    await expectSame(batch, [one], 1e-3);
    batch.dispose();
  });

  it.each([
    [50, undefined],
    [1e6, undefined],
    [200, 8],
    [1e6, 8],
  ])("are held by servos as on the CPU: gain %f, at most %f N m", async (gain, most) => {
    const options = { timeStep: 0.005, limits: true, actuators: servos(gain, most) };
    const inputs = [0.5, -0.4, 0.2];
    const one = new ArticulatedSimulation(hangingArm(), options);
    one.q.set([0.1, 0.2, 0.35]);
    one.qd.set([2, -1, 1.5]);
    one.actuators.input.set(inputs);
    const batch = await BatchSimulation.create(hangingArm(), { ...options, worlds: 1, device: context.device });
    batch.setInputs(inputs);
    copyStates(batch, [one]);
    let bounded = 0;
    for (let n = 0; n < 100; n++) {
      one.step();
      bounded += one.actuators.compiled.filter(({ isBounded }) => isBounded).length;
    }
    batch.step(100);
    expect(bounded > 10).toBe(most !== undefined);
    await expectSame(batch, [one], 1e-4);
    batch.dispose();
  });

  it("may have other numbers in each world", async () => {
    const worlds = 3;
    const timeStep = 0.002;
    const random = new RandomGeometry(9);
    const numbers = (count: number, least: number, most: number): Float32Array =>
      Float32Array.from({ length: worlds * count }, () => random.between(least, most));
    const [gravity, massScale] = [numbers(3, -9, 9), numbers(3, 0.2, 5)];
    const [damping, armature, gainScale] = [numbers(3, 0, 1), numbers(3, 0, 0.3), numbers(1, 0.1, 3)];
    const actuators = servos(60, 30);
    const ones = Array.from({ length: worlds }, (_, w) => {
      const own = (values: Float32Array, i: number): number => values[3 * w + i];
      const scaled = actuators.map(({ gain, bias: [a, b, c], ...rest }) => ({
        ...rest,
        gain: gainScale[w] * gain,
        bias: [gainScale[w] * a, gainScale[w] * b, gainScale[w] * c] as const,
      }));
      const description = hangingArm();
      const links = description.links.map((link, i) => ({
        ...link,
        mass: own(massScale, i) * link.mass,
        inertia: link.inertia!.map((x) => own(massScale, i) * x) as unknown as typeof link.inertia,
        joint: { ...link.joint, damping: own(damping, i), armature: own(armature, i) },
      }));
      const g = [own(gravity, 0), own(gravity, 1), own(gravity, 2)] as const;
      return new ArticulatedSimulation({ ...description, links } as typeof description, {
        timeStep,
        gravity: g,
        actuators: scaled,
      });
    });
    const batch = await BatchSimulation.create(hangingArm(), { worlds, timeStep, actuators, device: context.device });
    await withoutGpuErrors(context, async () => {
      // Kinds that come later leave the earlier ones as they are.
      batch.setParameters({ massScale, gravity: new Float32Array(3 * worlds) });
      batch.setParameters({ damping, armature, gainScale });
      batch.setParameters({ gravity });
      ones.forEach(({ actuators: { input } }) => input.set([0.3, 0.2, -0.1]));
      batch.setInputs([0.3, 0.2, -0.1]);
      for (const one of ones) for (let n = 0; n < 100; n++) one.step();
      batch.step(100);
      await expectSame(batch, ones, 1e-4);
    });
    batch.dispose();
  });

  it("have free bodies whose mass may differ", async () => {
    const mechanism = {
      name: "body",
      links: [
        {
          name: "body",
          mass: 2,
          centerOfMass: [0.1, 0.2, 0],
          inertia: [0.1, 0.2, 0.25, 0.01, 0, 0.02],
          joint: { type: "free", initialVelocity: [3, 1, 2, 0, 0, 0] },
        },
      ],
    } as const;
    const batch = await BatchSimulation.create(mechanism, { worlds: 2, timeStep: 0.01, device: context.device });
    batch.setParameters({ massScale: [1, 20] });
    const one = new ArticulatedSimulation(mechanism, { timeStep: 0.01 });
    for (let n = 0; n < 50; n++) one.step();
    batch.step(50);
    await expectSame(batch, [one, one], 1e-4);
    expect(() => batch.setParameters({ armature: new Float32Array(12).fill(0.1) })).toThrow(/nothing else holds/);
    batch.dispose();
  });

  it("refuse parameters that are not valid, and change nothing", async () => {
    const batch = await BatchSimulation.create(hangingArm(), {
      worlds: 2,
      timeStep: 0.002,
      actuators: servos(50),
      device: context.device,
    });
    expect(() => batch.setParameters({ massScale: [1, 0] })).toThrow(/massScale\[1\].*positive/);
    expect(() => batch.setParameters({ damping: [1, 2] })).toThrow(/length must be 6/);
    expect(() => batch.setParameters({ gainScale: [1, -1] })).toThrow(/negative/);
    expect(() => batch.setParameters({ damping: new Float32Array(6).fill(3), gravity: [0, NaN, 0, 0, 0, 0] })).toThrow(
      /finite/,
    );
    expect(() => batch.setInputs([1])).toThrow(/length must be 3 or 6/);
    const one = new ArticulatedSimulation(hangingArm(), { timeStep: 0.002, actuators: servos(50) });
    one.q.set([0.3, 0.3, 0.3]);
    copyStates(batch, [one, one]);
    for (let n = 0; n < 20; n++) one.step();
    batch.step(20);
    await expectSame(batch, [one, one], 1e-4);
    batch.dispose();
    const pair = [
      { joint: "link 0", coefficient: 1 },
      { joint: "link 1", coefficient: 1 },
    ];
    const actuators = [{ name: "tendon", joints: pair, gain: 1, bias: [0, 0, 0] as const }];
    await expect(
      BatchSimulation.create(hangingArm(), { worlds: 1, timeStep: 0.01, actuators, device: context.device }),
    ).rejects.toMatchObject({ code: "unsupported" });
  });
});
