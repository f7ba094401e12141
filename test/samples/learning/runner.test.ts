import { beforeAll, describe, expect, it } from "vitest";
import { correctionsOf, CorrectedGait } from "../../../samples/learning/runner/corrected-gait";
import { RunnerEnvironment, type RunnerOptions } from "../../../samples/learning/runner/environment";
import { Pushes } from "../../../samples/learning/runner/pushes";
import { Network } from "../../../samples/learning/policy";
import learned from "../../../samples/learning/policies/humanoid-run.json";
import { evaluate } from "../../../samples/learning/rollout";
import { personMjcf, servoNames } from "../../../samples/mechanisms/person";
import { mulberry } from "../../../samples/random";
import { RunningGait, running, startRunning } from "../../../samples/running-gait";
import type { LoadedMechanism } from "../../../src/articulated/loaders/loaded";
import { loadMjcf } from "../../../src/articulated/loaders/mjcf/mjcf";
import { ArticulatedModel } from "../../../src/articulated/model";

let person: LoadedMechanism;
let model: ArticulatedModel;
beforeAll(async () => {
  person = await loadMjcf(personMjcf);
  model = new ArticulatedModel(person.mechanism);
});

/** The name of the joint on the other side. */
const other = (name: string): string => name.replace(/left|right/, (side) => (side === "left" ? "right" : "left"));

/** The same state in a mirror that stands along the way. */
function mirrored(values: Float64Array): Float64Array {
  const out = new Float64Array(values.length);
  [-1, 1, -1, 1, -1, 1].forEach((sign, k) => (out[k] = sign * values[k]));
  for (const name of servoNames)
    out[model.jointDof(other(name))] = (/yaw|roll/.test(name) ? -1 : 1) * values[model.jointDof(name)];
  return out;
}

function randomState(seed: number): { q: Float64Array; qd: Float64Array } {
  const random = mulberry(seed);
  const [q, qd] = [new Float64Array(model.nv), new Float64Array(model.nv)];
  startRunning(model, q, qd, random);
  q.forEach((_, k) => (q[k] += 0.3 * (random() - 0.5)));
  qd.forEach((_, k) => (qd[k] += 4 * (random() - 0.5)));
  return { q, qd };
}

describe("a corrected gait", () => {
  it.each([1, 2, 3])("does in a mirror what it does, state %d", (seed) => {
    const { q, qd } = randomState(seed);
    const network = new Network(learned);
    const time = 0.07 * seed;
    const targets = [0, 1].map((step) => {
      const gait = new CorrectedGait(model);
      gait.time = time + step * running.period;
      const [at, rates] = step === 0 ? [q, qd] : [mirrored(q), mirrored(qd)];
      gait.observe(at, rates, network.input);
      const input = new Float64Array(servoNames.length);
      gait.decide(at, rates, correctionsOf(network.run()), 1 / 60, input);
      return { observed: network.input.slice(), input, time: gait.time - step * running.period };
    });
    targets[0].observed.forEach((value, k) => expect(targets[1].observed[k]).toBeCloseTo(value, 10));
    expect(targets[1].time).toBeCloseTo(targets[0].time, 10);
    servoNames.forEach((name, k) => {
      const sign = /yaw|roll/.test(name) ? -1 : 1;
      expect(targets[1].input[servoNames.indexOf(other(name))], name).toBeCloseTo(sign * targets[0].input[k], 10);
    });
  });

  it("is the gait without corrections, however long it ran with them", () => {
    const { q, qd } = randomState(4);
    const [corrected, gait] = [new CorrectedGait(model), new RunningGait(model, running)];
    const [input, expected] = [0, 1].map(() => new Float64Array(servoNames.length));
    const action = Float64Array.from({ length: corrected.actionSize }, (_, k) => Math.sin(k));
    for (let n = 0; n < 30; n++) corrected.decide(q, qd, action, 1 / 60, input);
    const { time } = corrected;
    gait.decide(q, qd, time, expected);
    expect(input).not.toEqual(expected);
    corrected.decide(q, qd, new Float64Array(corrected.actionSize), 1 / 60, input);
    expect(input).toEqual(expected);
    expect(corrected.time - time).toBeCloseTo(1 / 60, 12);
  });
});

it.each([1 / 60, 1 / 120])("pushes have their size, and come from all sides, decisions of %d s", (period) => {
  const pushes = new Pushes(mulberry(1), 80, period);
  const all: { ahead: number; left: number }[] = [];
  let lasts = false;
  for (let n = 0; n < 340 / period; n++) {
    const [ahead, left] = pushes.next();
    const isOn = ahead !== 0 || left !== 0;
    if (isOn && !lasts) all.push({ ahead: 0, left: 0 });
    if (isOn) {
      all.at(-1)!.ahead += ahead * period;
      all.at(-1)!.left += left * period;
    }
    lasts = isOn;
  }
  all.pop();
  for (const { ahead, left } of all) expect(Math.sqrt(ahead ** 2 + left ** 2)).toBeCloseTo(80, 9);
  expect(all.length).toBeGreaterThan(200);
  const mean = (pick: (push: (typeof all)[number]) => number): number =>
    all.reduce((sum, push) => sum + pick(push), 0) / all.length;
  expect(Math.abs(mean(({ ahead }) => ahead))).toBeLessThan(12);
  expect(Math.abs(mean(({ left }) => left))).toBeLessThan(12);
});

describe("the learned runner", () => {
  /** Mean time to the fall [s] and way [m] of episodes of ten seconds, and how many of them had no fall. */
  function judged(
    options: RunnerOptions,
    actor: Network,
    episodes: number,
  ): { stood: number; time: number; way: number } {
    let [stood, time, way] = [0, 0, 0];
    const environment = new RunnerEnvironment(person, options);
    evaluate(environment, actor, episodes, mulberry(77), (_, decisions) => {
      if (decisions === environment.horizon) stood++;
      time += decisions / 60 / episodes;
      way += environment.way / episodes;
    });
    return { stood, time, way };
  }
  /** No corrections: the gait alone. */
  const still = (): Network => {
    const { sizes } = new Network(learned);
    const [from, to] = [sizes[0], sizes.at(-1)!];
    return new Network({ sizes: [from, to], layers: [new Float64Array((from + 1) * to)] });
  };

  it.each<[string, RunnerOptions]>([
    ["pushes of 80 N s", { push: 80 }],
    ["a tenth more mass", { push: 60, mass: 1.1 }],
    ["a tenth less mass", { push: 60, mass: 0.9 }],
    ["a rise of 3 %", { push: 60, slope: 0.03 }],
    ["a fall of 3 %", { push: 60, slope: -0.03 }],
  ])("keeps running where the gait falls: %s", (name, options) => {
    const [policy, gait] = [new Network(learned), still()].map((actor) => judged(options, actor, 20));
    console.info(name, JSON.stringify({ policy, gait }));
    expect(policy.stood).toBeGreaterThanOrEqual(Math.max(12, gait.stood + 4));
    expect(policy.time).toBeGreaterThan(1.1 * gait.time);
    expect(policy.way).toBeGreaterThan(1.15 * gait.way);
  });
});
