import { beforeAll, describe, expect, it } from "vitest";
import { allegroHand } from "../../../samples/mechanisms/allegro-hand";
import { cartpole } from "../../../samples/mechanisms/cartpole";
import { halfCheetah, halfCheetahGround } from "../../../samples/mechanisms/half-cheetah";
import { humanoid, humanoidGround } from "../../../samples/mechanisms/humanoid";
import type { ActuatorDescription } from "../../../src/articulated/actuators/description";
import type { BatchOptions } from "../../../src/articulated/batch/batch-options";
import { BatchSimulation } from "../../../src/articulated/batch/batch-simulation";
import type { MechanismDescription } from "../../../src/articulated/description";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import type { GpuContext } from "../../../src/gpu/device";
import { RandomGeometry } from "../../collision/random";
import { testContext, withoutGpuErrors } from "../../gpu/context";
import { jointTypes, randomLink } from "../random-mechanism";
import { copyStates, expectSame } from "./compare";
import { boxHeap, heap, hullHeap } from "./heap";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

type Options = Partial<BatchOptions>;
const timeStep = 0.002;
const create = (mechanism: MechanismDescription, worlds: number, options: Options): Promise<BatchSimulation> =>
  BatchSimulation.create(mechanism, { worlds, timeStep, device: context.device, ...options });

/** Two trees with all joints, and branches. */
function forest(): MechanismDescription {
  const random = new RandomGeometry(5);
  const parentOf = (i: number): string | undefined =>
    i === 0 || i === 4 ? undefined : `link ${i < 4 ? 0 : 4 + Math.floor((i - 5) / 2)}`;
  return { name: "forest", links: jointTypes.map((type, i) => randomLink(random, type, `link ${i}`, parentOf(i))) };
}

/** A hand of 16 joints whose weight nothing carries. */
function hand(): MechanismDescription {
  const { links, ...rest } = allegroHand(0.8);
  return { ...rest, links: links.map(({ gravityCompensation: _, ...link }) => link) };
}

/** Servos that hold hinges in their initial pose. */
function servos({ links }: MechanismDescription, gain: number, most = Infinity): ActuatorDescription[] {
  return links
    .filter(({ joint }) => joint.type === "revolute")
    .map(({ name, joint }) => ({
      name,
      joints: [{ joint: joint.name ?? name, coefficient: 1 }],
      gain,
      bias: [0, -gain, -gain / 20],
      forceRange: [-most, most],
    }));
}

const { mechanism: rods, obstacles: pit } = heap(1);
const { mechanism: boxes, obstacles: boxPit } = boxHeap(1);
const { mechanism: hulls, obstacles: hullPit } = hullHeap(1);
const cases: readonly (readonly [string, number, number, MechanismDescription, Options])[] = [
  ["a cart-pole", 33, 1, cartpole(), {}],
  ["trees of all joints", 3, 0.3, forest(), { limits: true }],
  ["trees of all joints that turn fast", 3, 20, forest(), {}],
  ["a half-cheetah on the ground", 33, 1, halfCheetah(), { limits: "ahead", ground: [{}] }],
  ["a humanoid in the air", 1, 1, humanoid(), { limits: true }],
  ["a humanoid with weak servos", 3, 1, humanoid(), { ground: [{}], actuators: servos(humanoid(), 300, 20) }],
  ["a hand", 1, 1, hand(), { limits: true, actuators: servos(hand(), 3, 0.7) }],
  ["rods and balls", 3, 0.1, rods, { obstacles: pit, friction: 0.6 }],
  ["boxes, some worlds without friction", 3, 0.1, boxes, { obstacles: boxPit, friction: 0.6 }],
  ["hulls with a round cone", 1, 0.1, hulls, { obstacles: hullPit, frictionCone: "round" }],
];

describe("a workgroup a world", () => {
  it.each(cases)("moves as one lane does: %s, %i worlds", async (_, worlds, speed, mechanism, options) => {
    const states: { q: Float32Array; qd: Float32Array }[] = [];
    await withoutGpuErrors(context, async () => {
      for (const lanes of [1, 32] as const) {
        const batch = await create(mechanism, worlds, { ...options, lanes });
        expect(batch.lanes).toBe(lanes);
        const { nv } = batch;
        const random = new RandomGeometry(3);
        const numbers = (count: number, least: number, most: number): Float32Array =>
          Float32Array.from({ length: count }, () => random.between(least, most));
        const { q } = await batch.readState();
        batch.setState(q, numbers(worlds * nv, -speed, speed));
        batch.setControl(numbers(worlds * nv, -0.5, 0.5));
        batch.setParameters({
          gravity: numbers(3 * worlds, -9, 1),
          massScale: numbers(worlds, 0.5, 2),
          frictionScale: numbers(worlds, 0.5, 2).fill(0, 0, worlds > 1 ? 1 : 0),
          damping: numbers(worlds * nv, 0, 0.5),
        });
        batch.step(30);
        // Back to the start, with what they had before for the others.
        batch.reset([worlds - 1]);
        batch.step(20);
        states.push(await batch.readState());
        batch.dispose();
      }
    });
    const [one, many] = states;
    for (const key of ["q", "qd"] as const)
      one[key].forEach((value, i) => {
        expect(Number.isFinite(value), `${key} ${i}`).toBe(true);
        expect(Math.abs(many[key][i] - value), `${key} ${i}`).toBeLessThanOrEqual(1e-5 * (1 + Math.abs(value)));
      });
  });

  it.each([
    ["half-cheetah", halfCheetah(), halfCheetahGround(0.6), [{ friction: 0.6 }], []],
    ["humanoid", humanoid(), humanoidGround(), [{ friction: 1 }], servos(humanoid(), 3000)],
    ["hand", hand(), [], [], servos(hand(), 3)],
  ] as const)("stays where it has come to rest as on the CPU: %s", async (_, mechanism, slabs, ground, actuators) => {
    const common = { limits: true, actuators } as const;
    const one = new ArticulatedSimulation(mechanism, { ...common, timeStep: 0.004, ground: slabs });
    for (let n = 0; n < 300; n++) one.step();
    const batch = await create(mechanism, 3, { ...common, timeStep: 0.004, ground, lanes: 32 });
    copyStates(batch, [one, one, one]);
    for (let n = 0; n < 100; n++) one.step();
    await withoutGpuErrors(context, async () => {
      batch.step(100);
      await expectSame(batch, [one, one, one], 1e-3);
    });
    batch.dispose();
  });

  it("has the gradients of one lane", async () => {
    const gradients: Float32Array[] = [];
    for (const lanes of [1, 32] as const) {
      const batch = await create(halfCheetah(), 3, { limits: true, ground: [{}], fastMotion: "whole", lanes });
      const tape = batch.makeTape(2);
      for (let n = 0; n < 2; n++) tape.step();
      const ones = new Float32Array(3 * batch.nv).fill(1);
      tape.setGradient(ones, ones);
      for (let n = 0; n < 2; n++) tape.pullBack();
      gradients.push((await tape.readGradient()).velocity);
      tape.dispose();
      batch.dispose();
    }
    const most = Math.max(...gradients[0].map(Math.abs));
    expect(most).toBeGreaterThan(0.1);
    gradients[0].forEach((value, i) => expect(Math.abs(gradients[1][i] - value)).toBeLessThanOrEqual(1e-5 * most));
  });

  it("is chosen for large mechanisms on a GPU, and refused in other sizes", async () => {
    const software = (await create(humanoid(), 1, {})).lanes;
    expect(software).toBe(/swiftshader|llvmpipe/i.test(context.adapterName) ? 1 : 32);
    expect((await create(cartpole(), 1, {})).lanes).toBe(1);
    await expect(create(cartpole(), 1, { lanes: 16 as 32 })).rejects.toThrow(/lanes/);
  });
});
