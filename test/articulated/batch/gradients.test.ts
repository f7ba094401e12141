import { beforeAll, describe, expect, it } from "vitest";
import { cartpole } from "../../../samples/mechanisms/cartpole";
import { halfCheetah, halfCheetahGround } from "../../../samples/mechanisms/half-cheetah";
import { BatchSimulation } from "../../../src/articulated/batch/batch-simulation";
import type { BatchOptions } from "../../../src/articulated/batch/batch-options";
import type { JointType, MechanismDescription } from "../../../src/articulated/description";
import { RowClass } from "../../../src/articulated/lcp/problem";
import type { SimulationOptions } from "../../../src/articulated/step/options";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import type { GpuContext } from "../../../src/gpu/device";
import { RandomGeometry } from "../../collision/random";
import { testContext, withoutGpuErrors } from "../../gpu/context";
import { jointTypes, randomLink } from "../random-mechanism";
import { copyStates, hangingArm, roundState } from "./compare";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

/** A tree of all joints: rotation vectors at the root, in the middle and at the tips. */
function allJoints(): MechanismDescription {
  const random = new RandomGeometry(12);
  const parents = [undefined, "link 0", "link 1", "link 1", "link 3", undefined, "link 5", "link 6"];
  return {
    name: "all joints",
    links: jointTypes.map((type, i) => randomLink(random, type, `link ${i}`, parents[i % parents.length])),
  };
}

/** Bodies that nothing else holds, which turn freely. */
function alone(types: readonly JointType[], seed: number): MechanismDescription {
  const random = new RandomGeometry(seed);
  return { name: "alone", links: types.map((type, i) => randomLink(random, type, `link ${i}`, undefined, false)) };
}

/** A stool of three round feet, a little within the ground: on three slides and three hinges, or free. */
function stool(isFree: boolean): MechanismDescription {
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ] as const;
  const shapes = [0, 1, 2].map((i) => {
    const position = [0.3 * Math.cos(2 * i), -0.2, 0.25 * Math.sin(2 * i)] as const;
    return { shape: { type: "sphere", radius: 0.1 } as const, position };
  });
  const seat = { mass: 3, inertia: [0.05, 0.08, 0.06, 0, 0, 0] as const, shapes };
  if (isFree)
    return {
      name: "stool",
      links: [{ ...seat, name: "seat", joint: { type: "free", initialPosition: [0, 0, 0, 0, 0.2999, 0] } }],
    };
  const joints = [
    ...axes.map((axis) => ["prismatic", axis] as const),
    ...axes.map((axis) => ["revolute", axis] as const),
  ];
  return {
    name: "stool",
    links: joints.map(([type, axis], i) => ({
      mass: 0.05,
      inertia: [0.001, 0.001, 0.001, 0, 0, 0],
      ...(i === 5 ? seat : {}),
      name: `link ${i}`,
      ...(i > 0 ? { parent: `link ${i - 1}` } : {}),
      joint: { type, axis, ...(i === 1 ? { initialPosition: 0.2999 } : {}) },
    })),
  };
}

/**
 * Takes steps, pulls a gradient back through all of them, and compares it with that of the CPU.
 *
 * @returns largest differences, as parts of the largest number of each kind
 */
async function miss(
  mechanism: MechanismDescription,
  common: Pick<BatchOptions & SimulationOptions, "timeStep" | "limits" | "penetrationCorrection" | "actuators">,
  begin: (one: ArticulatedSimulation, random: RandomGeometry) => void,
  steps: number,
): Promise<{ errors: number[]; rows: number }> {
  const worlds = 3;
  const options = { ...common, fastMotion: "whole" } as const;
  const ones = Array.from({ length: worlds }, () => new ArticulatedSimulation(mechanism, options));
  const batch = await BatchSimulation.create(mechanism, {
    ...options,
    worlds,
    device: context.device,
  });
  const { nv } = batch;
  const random = new RandomGeometry(21);
  const numbers = (): Float64Array => Float64Array.from({ length: nv }, () => Math.fround(random.between(-1, 1)));
  ones.forEach((one) => begin(one, random));
  copyStates(batch, ones);
  batch.setInputs(ones.flatMap(({ actuators }) => [...actuators.input]));
  const [position, velocity] = [ones.map(numbers), ones.map(numbers)];
  let rows = 0;
  const expected = ones.map((one, world) => {
    const states = Array.from({ length: steps }, () => {
      const state = [one.q.slice(), one.qd.slice()] as const;
      one.step();
      rows += one.contactStep.rows.count;
      return state;
    });
    const gradient = one.makeGradient();
    gradient.position.set(position[world]);
    gradient.velocity.set(velocity[world]);
    for (const [q, qd] of states.toReversed()) {
      one.advance(q, qd, one.control, one.q, one.qd);
      one.vjp(gradient.position, gradient.velocity, gradient);
    }
    const inputs = one.actuators.compiled.map((_, i) => one.actuators.alongInput(i, gradient.control, 0));
    return { ...gradient, input: Float64Array.from(inputs) };
  });
  const tape = batch.makeTape(steps);
  await withoutGpuErrors(context, () => {
    for (let n = 0; n < steps; n++) tape.step();
    tape.setGradient(
      position.flatMap((x) => [...x]),
      velocity.flatMap((x) => [...x]),
    );
    for (let n = 0; n < steps; n++) tape.pullBack();
  });
  const got = await tape.readGradient();
  tape.dispose();
  batch.dispose();
  const errors = (["position", "velocity", "control", "input"] as const).map((kind) => {
    const all = expected.flatMap((gradient) => [...gradient[kind]]);
    const size = Math.max(1e-30, ...all.map(Math.abs));
    return Math.max(0, ...all.map((value, i) => Math.abs(value - got[kind][i]) / size));
  });
  return { errors, rows };
}

const toss = (one: ArticulatedSimulation, random: RandomGeometry): void => {
  one.q.forEach((_, k) => (one.q[k] += random.between(-0.3, 0.3)));
  one.qd.forEach((_, k) => (one.qd[k] = random.between(-2, 2)));
  one.control.forEach((_, k) => (one.control[k] = random.between(-3, 3)));
};

describe("gradients of steps of many copies", () => {
  it.each([
    ["cartpole", cartpole(), 0.01, 10],
    ["half-cheetah", halfCheetah(), 0.002, 10],
    ["all joints", allJoints(), 0.004, 10],
    ["free bodies", alone(["ball", "free", "free"], 3), 0.004, 10],
    // by more than a radian each
    ["free bodies in long steps", alone(["free", "ball"], 4), 0.2, 3],
  ] as const)("are those of the CPU in free motion: %s", async (_, mechanism, timeStep, steps) => {
    const { errors } = await miss(mechanism, { timeStep }, toss, steps);
    expect(Math.max(...errors)).toBeLessThan(1e-3);
  });

  it.each([0.001, 9])("go through turns of more than half a circle, at %f rad/s", async (speed) => {
    const spin = (one: ArticulatedSimulation, random: RandomGeometry): void => {
      toss(one, random);
      for (const k of [0, 1, 2]) {
        one.q[k] = [2.2, -1.9, 2.4][k];
        one.qd[k] = speed * one.q[k];
      }
    };
    for (const mechanism of [alone(["free", "ball"], 5), allJoints()]) {
      const { errors } = await miss(mechanism, { timeStep: 0.01 }, spin, 6);
      expect(Math.max(...errors), mechanism.name).toBeLessThan(1e-3);
    }
  });

  it("go through limits and servos", async () => {
    const actuators = [0, 1, 2].map((i) => ({
      name: `servo ${i}`,
      joints: [{ joint: `link ${i}`, coefficient: i === 1 ? -2 : 1 }],
      gain: 80,
      bias: [0, -80, -4] as const,
      forceRange: [-9, 9] as const,
    }));
    const begin = (one: ArticulatedSimulation, random: RandomGeometry): void => {
      toss(one, random);
      one.actuators.input.set([0.1, random.between(-0.5, 0.5), -0.4]);
    };
    for (const [limits, penetrationCorrection] of [
      [true, 0.3],
      ["ahead", 0],
    ] as const) {
      const common = { timeStep: 0.004, limits, penetrationCorrection, actuators };
      const { errors, rows } = await miss(hangingArm(), common, begin, 20);
      expect(rows).toBeGreaterThan(0);
      expect(Math.max(...errors), String(limits)).toBeLessThan(1e-3);
    }
  });

  it.each([
    ["half-cheetah", 0.05, halfCheetah(), 300, 20],
    ["half-cheetah", 0.4, halfCheetah(), 300, 20],
    ["half-cheetah", 1, halfCheetah(), 300, 20],
    ["stool", 0.2, stool(false), 0, 1],
    ["stool", 1, stool(false), 0, 1],
    ["free stool", 0.2, stool(true), 0, 1],
    ["free stool", 1, stool(true), 0, 1],
  ] as const)("go through contact that sticks and slips: %s, friction %f", async (...given) => {
    const [, friction, mechanism, settling, torque] = given;
    // Each world has a state of one way over the ground: along it, rounding would let feet touch a step earlier or later.
    const worlds = 40;
    const common = { timeStep: 0.002, limits: true, penetrationCorrection: 0.1, fastMotion: "whole" } as const;
    const one = new ArticulatedSimulation(mechanism, { ...common, ground: halfCheetahGround(friction) });
    const options = { ...common, worlds, sweeps: 500, ground: [{ friction }], device: context.device };
    const batch = await BatchSimulation.create(mechanism, options);
    const { nv } = one;
    const random = new RandomGeometry(22);
    const numbers = (size: number): Float64Array =>
      Float64Array.from({ length: nv }, () => Math.fround(random.between(-size, size)));
    for (let n = 0; n < settling; n++) one.step();
    const names = ["q", "qd", "control", "position", "velocity"] as const;
    const sent = { q: [], qd: [], control: [], position: [], velocity: [] } as Record<(typeof names)[number], number[]>;
    const expected: ReturnType<ArticulatedSimulation["vjp"]>[] = [];
    const after: Float64Array[] = [];
    const held = { sticking: 0, slipping: 0 };
    for (let world = 0; world < worlds; world++) {
      // pushed down and along now and then
      if (world % 8 === 0) {
        numbers(0.3).forEach((x, k) => (one.qd[k] += x));
        one.qd[1] -= 0.3;
        one.control.set(numbers(torque).fill(0, 0, 3));
      }
      roundState(one);
      const [position, velocity] = [numbers(1), numbers(1)];
      const before = { q: one.q.slice(), qd: one.qd.slice(), control: one.control, position, velocity };
      for (const name of names) sent[name].push(...before[name]);
      one.step();
      after.push(one.qd.slice());
      expected.push(one.vjp(position, velocity));
      const { rows, lcp } = one.contactStep;
      for (let r = 0; r < rows.count; r++)
        if (rows.normalRow[r] !== r) {
          if (lcp.classes[r] === RowClass.Clamping) held.sticking++;
          else if (lcp.classes[r] !== RowClass.Separating) held.slipping++;
        }
    }
    expect(held.slipping).toBeGreaterThan(5);
    if (friction === 1) expect(held.sticking).toBeGreaterThan(10);
    batch.setState(sent.q, sent.qd);
    batch.setControl(sent.control);
    const tape = batch.makeTape(1);
    tape.step();
    tape.setGradient(sent.position, sent.velocity);
    tape.pullBack();
    const got = await tape.readGradient();
    const { qd } = await batch.readState();
    // Contact problems with friction may have several solutions: then the lanes need not find the same one.
    const isSame = after.map((own, world) =>
      own.every((v, k) => Math.abs(v - qd[world * nv + k]) < 1e-4 * (1 + Math.abs(v))),
    );
    expect(isSame.filter((same) => same).length).toBeGreaterThan(0.9 * worlds);
    for (const kind of ["position", "velocity", "control"] as const) {
      const sizes = expected.map((gradient) => Math.max(...gradient[kind].map(Math.abs)));
      // Nothing moves where all sticks: there the gradient is rounding.
      const least = 1e-2 * Math.max(...sizes);
      expected.forEach((gradient, world) =>
        gradient[kind].forEach((value, k) => {
          const bound = isSame[world] ? 1e-3 * Math.max(sizes[world], least) : Infinity;
          expect(Math.abs(got[kind][world * nv + k] - value), `${kind} ${k} of world ${world}`).toBeLessThan(bound);
        }),
      );
    }
    tape.dispose();
    batch.dispose();
  });

  it("are the differences of steps with other states and controls", async () => {
    const mechanism = allJoints();
    const one = new ArticulatedSimulation(mechanism);
    const { nv } = one;
    const [step, random] = [2 ** -7, new RandomGeometry(5)];
    toss(one, random);
    roundState(one);
    const weights = Float64Array.from({ length: 2 * nv }, () => Math.fround(random.between(-1, 1)));
    const base = [...one.q, ...one.qd, ...one.control];
    // Worlds with each number more and less, and one as it is.
    const worlds = 2 * base.length + 1;
    const all = Array.from({ length: worlds }, (_, world) =>
      base.map(
        (x, i) => x + (Math.floor(world / 2) === i && world + 1 < worlds ? (world % 2 === 0 ? step : -step) : 0),
      ),
    );
    const options = { worlds, timeStep: 0.01, fastMotion: "whole", device: context.device } as const;
    const batch = await BatchSimulation.create(mechanism, options);
    const part = (n: number): number[] => all.flatMap((x) => x.slice(n * nv, (n + 1) * nv));
    batch.setState(part(0), part(1));
    batch.setControl(part(2));
    const tape = batch.makeTape(1);
    tape.step();
    tape.setGradient(weights.subarray(0, nv), weights.subarray(nv));
    tape.pullBack();
    const { q, qd } = await batch.readState();
    const got = await tape.readGradient();
    const lossOf = (world: number): number =>
      one.q.reduce((sum, _, k) => sum + weights[k] * q[world * nv + k] + weights[nv + k] * qd[world * nv + k], 0);
    const last = (x: Float32Array): number[] => [...x.subarray((worlds - 1) * nv)];
    const gradient = [...last(got.position), ...last(got.velocity), ...last(got.control)];
    const size = Math.max(...gradient.map(Math.abs));
    gradient.forEach((value, i) => {
      const difference = (lossOf(2 * i) - lossOf(2 * i + 1)) / (2 * step);
      expect(Math.abs(value - difference), `number ${i}`).toBeLessThan(1e-3 * size);
    });
    tape.dispose();
    batch.dispose();
  });

  it("are refused where they are not known", async () => {
    const create = (mechanism: MechanismDescription, options: object): Promise<BatchSimulation> =>
      BatchSimulation.create(mechanism, { worlds: 1, timeStep: 0.01, device: context.device, ...options });
    const parts = await create(cartpole(), {});
    expect(() => parts.makeTape(1)).toThrow(/whole/);
    const batch = await create(cartpole(), { fastMotion: "whole" });
    expect(() => batch.makeTape(0)).toThrow(/whole number/);
    const tape = batch.makeTape(1);
    expect(() => tape.pullBack()).toThrow(/remembered/);
    tape.step();
    expect(() => tape.step()).toThrow(/capacity/);
    tape.clear();
    tape.step();
    expect(() => tape.setGradient([1], [1, 2])).toThrow(/length must be 2/);
    tape.dispose();
    expect(() => tape.step()).toThrow(/disposed/);
    const late = batch.makeTape(1);
    for (const each of [parts, batch]) each.dispose();
    expect(() => late.step()).toThrow(/disposed/);
    late.dispose();
  });
});
