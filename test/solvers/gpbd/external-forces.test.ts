import { describe, expect, it } from "vitest";
import { faceAirAcceleration, writeAir } from "../../../src/solvers/face-air";
import { airInterval } from "../../../src/solvers/gpbd/external-forces";
import { defaultOptions, type GpbdOptions } from "../../../src/solvers/gpbd/options";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";

interface Face {
  readonly x: Float64Array;
  readonly v: Float64Array;
  readonly options: GpbdOptions;
  readonly arealMass: number;
  readonly interval: number;
}

function randomFace(random: RandomGeometry, partial: Partial<GpbdOptions> = {}): Face {
  const options = {
    ...defaultOptions,
    airDensity: random.between(0.1, 3),
    drag: random.between(0, 2),
    lift: random.between(0, 1),
    wind: random.vector(10),
    ...partial,
  };
  return {
    x: Float64Array.from({ length: 9 }, () => random.between(-1, 1)),
    v: Float64Array.from({ length: 9 }, () => random.between(-3, 3)),
    options,
    arealMass: random.between(0.02, 2),
    interval: random.between(0, 0.02),
  };
}

function acceleration({ x, v, options, arealMass, interval }: Face, order = [0, 3, 6]): number[] {
  const out = new Float64Array(3);
  const air = new Float64Array(8);
  writeAir(options, arealMass, interval, air);
  faceAirAcceleration(x, v, order[0], order[1], order[2], air, out, 0);
  return [...out];
}

function windOf({ v, options }: Face): number[] {
  return [0, 1, 2].map((c) => options.wind[c] - (v[c] + v[3 + c] + v[6 + c]) / 3);
}

function normalOf({ x }: Face): number[] {
  const e = [0, 1, 2].map((c) => x[3 + c] - x[c]);
  const f = [0, 1, 2].map((c) => x[6 + c] - x[c]);
  const n = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
  return n.map((value) => value / Math.hypot(...n));
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, c) => sum + value * b[c], 0);
const samples = 1234;

describe("air on a face", () => {
  it("is drag along the wind and lift across it, by the formula, for short steps", () => {
    const random = new RandomGeometry(141);
    let worst = 0;
    for (let i = 0; i < samples; i++) {
      const face = { ...randomFace(random), interval: 0 };
      const { airDensity, drag, lift } = face.options;
      const wind = windOf(face);
      const speed = Math.hypot(...wind);
      let n = normalOf(face);
      if (dot(n, wind) < 0) n = n.map((value) => -value);
      const incidence = dot(n, wind);
      const along = wind.map((value) => value / speed);
      const across = n.map((value, c) => value - dot(n, along) * along[c]);
      // ½ ρ A |v·n| (C_D v + C_L |v| (n − (n·v̂) v̂)) over the mass σ A
      const expected = wind.map(
        (value, c) => ((0.5 * airDensity * incidence) / face.arealMass) * (drag * value + lift * speed * across[c]),
      );
      const found = acceleration(face);
      for (let c = 0; c < 3; c++)
        worst = Math.max(worst, Math.abs(found[c] - expected[c]) / Math.max(1e-9, Math.hypot(...expected)));
    }
    expectWithin("acceleration, relative", worst, 1e-9);
  });

  it("does not depend on how the face is wound or which corner is first", () => {
    const random = new RandomGeometry(142);
    for (let i = 0; i < 200; i++) {
      const face = randomFace(random);
      const found = acceleration(face);
      for (const order of [
        [3, 6, 0],
        [0, 6, 3],
      ])
        acceleration(face, order).forEach((value, c) => expect(value).toBeCloseTo(found[c], 9));
    }
  });

  it("never gives energy to what moves in still air, nor turns its velocity round in a step", () => {
    const random = new RandomGeometry(143);
    for (let i = 0; i < samples; i++) {
      const face = randomFace(random, { wind: [0, 0, 0] });
      const velocity = windOf(face).map((value) => -value);
      const found = acceleration(face);
      expect(dot(found, velocity)).toBeLessThanOrEqual(1e-12);
      const after = velocity.map((value, c) => value + face.interval * found[c]);
      expect(dot(after, velocity)).toBeGreaterThanOrEqual(0);
    }
  });

  it("is nothing for a face without area, or one that moves with the wind", () => {
    const random = new RandomGeometry(144);
    const flat = randomFace(random);
    flat.x.copyWithin(6, 3, 6);
    expect(acceleration(flat)).toEqual([0, 0, 0]);
    const drifting = randomFace(random, { wind: [1, 2, 3] });
    for (let c = 0; c < 9; c++) drifting.v[c] = drifting.options.wind[c % 3];
    expect(acceleration(drifting)).toEqual([0, 0, 0]);
  });
});

describe("the interval of evaluations", () => {
  it.each([1, 2, 3, 4, 5, 7, 24, 100])("covers %i substeps in four evaluations at most", (substeps) => {
    const interval = airInterval(substeps);
    expect(interval).toBeGreaterThanOrEqual(1);
    expect(Math.ceil(substeps / interval)).toBeLessThanOrEqual(4);
  });
});
