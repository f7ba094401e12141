import { describe, expect, it } from "vitest";
import { elasticEnergy } from "../../../bench/stress/elastic";
import { Judge } from "../../../bench/stress/judge";
import type { Reading } from "../../../bench/stress/reading";
import { drawScene, play, replayOf } from "../../../bench/stress/run";
import type { Family, SceneData } from "../../../bench/stress/scene";
import { families } from "../../../bench/stress/families/index";
import { ground } from "../../../bench/stress/draw";
import { ropeModel } from "../../../src/index";
import { untwistedFrames } from "../../../src/solvers/gpbd/rods/rod-set";

const limits = { size: 1, gravity: [0, -10, 0], timeStep: 0.01, floor: true } as const;

/** A resting thing of 2 kg at a height of 1 m. */
const start: Reading = {
  kinetic: 0,
  potential: 20,
  input: 0,
  stored: 0,
  momentum: [0, 0, 0],
  momentumScale: 0,
  angular: [0, 0, 0],
  angularScale: 0,
  parts: [{ name: "thing", mass: 2, travel: 0, height: 1, speed: 0 }],
  joints: [],
  depth: 0,
};

/** The same thing at another height with some speed. */
function at(height: number, speed: number, more: Partial<Reading> = {}): Reading {
  const parts = [{ name: "thing", mass: 2, travel: Math.abs(1 - height), height, speed }];
  return { ...start, kinetic: speed ** 2, potential: 20 * height, parts, ...more };
}

describe("the judge", () => {
  it("lets fall what falls, and bounce what loses by it", () => {
    const judge = new Judge(limits, start);
    expect(judge.look(at(0.2, 4), 0.4)).toBeUndefined();
    expect(judge.look(at(0.5, 3), 0.5)).toBeUndefined();
    expect(judge.atEnd(at(0.5, 3, { depth: 0.5 }))).toBeUndefined();
    expect(judge.look(at(0, 0), 2)).toBeUndefined();
    expect(judge.atEnd(at(0, 0, { depth: 0.01 }))).toBeUndefined();
  });

  it.each<[string, Reading, RegExp]>([
    ["energy that was not there", at(0.2, 4.3), /kinetic energy 18\.5 J, 16\.8 J is there/],
    ["energy that comes with height", at(2, 1), /kinetic energy/],
    ["a place out of reach", at(0.99, 0, { parts: [{ ...start.parts[0], travel: 9 }] }), /thing went 9\.00 m/],
    ["a fall through the ground", at(-0.2, 4), /thing is 0\.200 m below the ground/],
    ["an open joint", at(0.9, 1, { joints: [{ name: "hinge", gap: 0.06 }] }), /hinge is 0\.0600 m open/],
    ["a joint that is open at rest", at(1, 0, { joints: [{ name: "hinge", gap: 0.01 }] }), /at rest/],
    ["a place that is none", at(1, 0, { parts: [{ ...start.parts[0], travel: NaN }] }), /thing is not finite/],
    ["a joint that is nowhere", at(1, 0, { joints: [{ name: "hinge", gap: NaN }] }), /hinge is NaN m open/],
    ["an energy that is none", at(1, 0, { kinetic: NaN }), /energy is not finite/],
  ])("finds %s", (_what, reading, words) => {
    expect(new Judge(limits, start).look(reading, 0.4)).toMatch(words);
  });

  it("counts the work of motors", () => {
    const judge = new Judge(limits, start);
    expect(judge.look(at(0.2, 4.3, { input: 3 }), 0.4)).toBeUndefined();
  });

  it("finds energy that a frame has from nothing, though more was dissipated before", () => {
    const judge = new Judge(limits, start);
    expect(judge.look(at(0.1, 0.1), 0.5)).toBeUndefined();
    expect(judge.look(at(0.1, 2), 0.6)).toMatch(
      /kinetic energy from 0\.01.* to 4\.00 J in a frame, 0\.03.* J is there/,
    );
  });

  it("lets motion come back from springs, as far as it went into them", () => {
    const judge = new Judge(limits, start);
    expect(judge.look(at(0.1, 4), 0.4)).toBeUndefined();
    expect(judge.look(at(0, 0.1, { stored: 12 }), 0.5)).toBeUndefined();
    expect(judge.look(at(0.1, 3, { stored: 0 }), 0.6)).toBeUndefined();
    const other = new Judge(limits, start);
    expect(other.look(at(0.1, 0.1), 0.4)).toBeUndefined();
    expect(other.look(at(0.1, 0.1, { stored: 100 }), 0.5)).toBeUndefined();
    expect(other.look(at(0.1, 3), 0.6)).toMatch(/in a frame/);
  });

  it("finds things at rest in each other", () => {
    expect(new Judge(limits, start).atEnd(at(0, 0, { depth: 0.03 }))).toMatch(/0\.0300 m in each other/);
  });

  it("finds momentum that changes where nothing holds", () => {
    const free = { ...limits, gravity: [0, 0, 0], floor: false, isFree: true } as const;
    const moving = { ...at(1, 3), potential: 0, momentum: [6, 0, 0], momentumScale: 6, angularScale: 6 } as const;
    const judge = new Judge(free, moving);
    expect(judge.look({ ...moving, momentum: [5.97, 0, 0] }, 1)).toBeUndefined();
    expect(judge.look({ ...moving, momentum: [5.9, 0, 0] }, 1)).toMatch(/^momentum is off by 1\.67 %/);
    expect(judge.look({ ...moving, angular: [0, 0.2, 0] }, 1)).toMatch(/angular momentum is off by 3\.33 %/);
  });
});

/** A ball falls on the ground and bounces. */
const ball = (restitution: number): Family => ({
  name: "ball",
  hasGpu: false,
  draw: (): SceneData => ({
    ...limits,
    frames: 150,
    bodies: [
      ground({ ...limits, frames: 150, speed: 0 }),
      { name: "ball", shape: { type: "sphere", radius: 0.5 }, position: [0, 1.5, 0], restitution },
    ],
  }),
});

describe("elastic energy", () => {
  const line = (count: number, step: number): number[] =>
    Array.from({ length: count }, (_, i) => [0, -i * step, 0]).flat();

  it.each(["gpbd", "newton"] as const)("of a rope of %s is what a load stretches it by", (solver) => {
    const youngsModulus = 1e6;
    const radius = 0.01;
    const model = ropeModel({ positions: line(5, 0.1), radius, density: 1000, youngsModulus, solver });
    const positions = Float64Array.from(line(5, 0.101));
    const area = Math.PI * radius ** 2;
    const frames = Float64Array.from({ length: 20 }, (_, i) => [Math.SQRT1_2, 0, 0, Math.SQRT1_2, 0][i % 5]);
    const expected = 0.5 * youngsModulus * area * 0.01 ** 2 * 0.4;
    expect(elasticEnergy(model, { positions, velocities: positions, frames }) / expected).toBeCloseTo(1, 1);
    const rest = Float64Array.from(line(5, 0.1));
    expect(elasticEnergy(model, { positions: rest, velocities: rest, frames })).toBeLessThan(1e-9 * expected);
  });

  it("is more where a rope is bent", () => {
    const model = ropeModel({ positions: line(3, 0.1), radius: 0.01, density: 1000, youngsModulus: 1e6 });
    const bent = Float64Array.of(0, 0, 0, 0, -0.1, 0, 0.1, -0.1, 0);
    const straight = untwistedFrames(bent, [0, 1, 1, 2]);
    const frames = Float64Array.from({ length: 10 }, (_, i) =>
      i % 5 < 4 ? straight[4 * Math.floor(i / 5) + (i % 5)] : 0,
    );
    // ½ E I κ² l with κ = 2 tan(β/2) / l
    const expected = (0.5 * 1e6 * (Math.PI / 4) * 0.01 ** 4 * 4) / 0.1;
    expect(elasticEnergy(model, { positions: bent, velocities: bent, frames }) / expected).toBeCloseTo(1, 1);
  });
});

describe("a scene that is played", () => {
  it("is broken where its ball comes back faster than it came", async () => {
    expect(await play(ball(0.9), 1)).toMatchObject({ broken: undefined, frames: 150, isCut: false });
    const { broken, frames } = await play(ball(1.3), 1);
    expect(broken).toMatch(/^frame \d+: kinetic energy/);
    // at the first bounce
    expect(frames).toBeGreaterThan(40);
    expect(frames).toBeLessThan(60);
  });

  it("is broken where something is thrown", async () => {
    const broken: Family = {
      name: "none",
      hasGpu: false,
      draw: () => ({ ...limits, frames: 1, bodies: [{ mass: -1 }] }),
    };
    expect((await play(broken, 1)).broken).toMatch(/throws PliantError.*mass/);
  });

  it("is told by the command that plays it again", async () => {
    expect(replayOf(await play(ball(1.3), 7))).toBe("npm run stress -- --family ball --seed 7");
  });
});

describe.each(families)("the scenes of $name", (family) => {
  it("are the same for a seed, others for another", () => {
    expect(drawScene(family, 3)).toEqual(drawScene(family, 3));
    expect(drawScene(family, 3)).not.toEqual(drawScene(family, 4));
  });
});
