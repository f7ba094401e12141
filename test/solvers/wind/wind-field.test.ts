import { describe, expect, it } from "vitest";
import { cross, dot, norm, scaled, subtract } from "../../../src/math/vectors";
import type { Vec3 } from "../../../src/math/types";
import { WindField } from "../../../src/solvers/wind/wind-field";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { expectRefused } from "../../refusal";

const random = new RandomGeometry(77);
const place = (size: number): Vec3 => random.vector(size) as unknown as Vec3;

describe("turbulence", () => {
  it.each([
    { speed: 2, size: 3, seed: 1 },
    { speed: 0.2, size: 0.3, seed: 5 },
    { speed: 20, size: 30, seed: -9 },
  ])(
    "of $speed m/s and $size m has that speed in the mean, no divergence, and no more than its bound",
    (turbulence) => {
      const { speed, size } = turbulence;
      const field = new WindField({ velocity: [3 * speed, 0, -speed], turbulence });
      const mean = field.velocity;
      const step = 1e-5 * size;
      let [squares, divergence, gradients] = [0, 0, 0];
      const count = 1500;
      for (let i = 0; i < count; i++) {
        field.begin(random.between(0, (50 * size) / speed));
        const x = place(40 * size);
        const u = subtract(field.velocityAt(x), mean);
        expect(norm(u)).toBeLessThanOrEqual(field.topSpeed);
        squares += dot(u, u) / count;
        let sum = 0;
        for (let c = 0; c < 3; c++) {
          const beside = x.map((value, i) => value + (i === c ? step : 0)) as unknown as Vec3;
          const change = subtract(field.velocityAt(beside), field.velocityAt(x));
          sum += change[c];
          gradients += (change[c] / step) ** 2 / count;
        }
        divergence += (sum / step) ** 2 / count;
      }
      expectWithin("root mean square, relative", Math.abs(Math.sqrt(squares) / speed - 1), 0.07);
      expectWithin("divergence, relative to the gradients", Math.sqrt(divergence / gradients), 1e-3);
    },
  );

  it("is smooth: places that are near have nearly the same wind", () => {
    const field = new WindField({ turbulence: { speed: 1, size: 1 } });
    for (let i = 0; i < 500; i++) {
      const x = place(10);
      const y = x.map((value) => value + 1e-3) as unknown as Vec3;
      expect(norm(subtract(field.velocityAt(x), field.velocityAt(y)))).toBeLessThan(0.1);
    }
  });

  it("is the same for the same seed, another for another, and grows with its size", () => {
    const at = (seed: number, size: number, x: Vec3): Vec3 => {
      const field = new WindField({ velocity: [size, 0, 0], turbulence: { speed: size, size, seed } });
      field.begin(7);
      return field.velocityAt(x);
    };
    const x = place(3);
    expect(at(4, 1, x)).toEqual(at(4, 1, x));
    expect(norm(subtract(at(4, 1, x), at(5, 1, x)))).toBeGreaterThan(1e-3);
    expectWithin("ten times as large", norm(subtract(scaled(at(4, 1, x), 10), at(4, 10, scaled(x, 10)))), 1e-9);
  });

  it("goes along with the mean wind, and goes on from where it is if that changes", () => {
    const field = new WindField({ velocity: [5, 1, 0], turbulence: { speed: 1e-3, size: 2 } });
    const x = place(5);
    const before = subtract(field.velocityAt(x), field.velocity);
    field.begin(2);
    const along = x.map((value, c) => value + 2 * field.velocity[c]) as unknown as Vec3;
    const after = subtract(field.velocityAt(along), field.velocity);
    expectWithin("change on the way", norm(subtract(after, before)) / 1e-3, 0.05);
    const now = field.velocityAt(x);
    field.setOptions({ velocity: [-3, 8, 1] });
    const then = subtract(field.velocityAt(x), [-3, 8, 1]);
    expectWithin("jump", norm(subtract(then, subtract(now, [5, 1, 0]))), 1e-12);
  });
});

describe("zones", () => {
  const half = Math.SQRT1_2;

  it("blow along their direction, which turns with them, and end at their border", () => {
    const field = new WindField();
    const center: Vec3 = [1, 2, 3];
    const zone = field.addZone({ shape: "box", center, halfExtents: [3, 1, 2], direction: [0, 5, 0], speed: 4 });
    expect(field.velocityAt(center)).toEqual([0, 4, 0]);
    expect(field.velocityAt([3.9, 2.5, 3])[1]).toBeGreaterThan(0);
    expect(field.velocityAt([4.1, 2.5, 3])).toEqual([0, 0, 0]);
    expect(field.velocityAt([1, 3.1, 3])).toEqual([0, 0, 0]);
    // a quarter turn about z: its second axis is −x
    zone.setOptions({ rotation: [0, 0, half, half] });
    expectWithin("along −x", norm(subtract(field.velocityAt(center), [-4, 0, 0])), 1e-12);
    expect(norm(field.velocityAt([1, 4.9, 3]))).toBeGreaterThan(0);
    expect(field.velocityAt([2.1, 2, 3])).toEqual([0, 0, 0]);
    zone.dispose();
    expect(field.velocityAt(center)).toEqual([0, 0, 0]);
  });

  it("rise smoothly from their border", () => {
    const field = new WindField();
    field.addZone({ halfExtents: [2, 2, 2], falloff: 0.5, speed: 1 });
    const speeds = Array.from({ length: 41 }, (_, i) => norm(field.velocityAt([0.05 * i, 0, 0])));
    expect(speeds[20]).toBe(1);
    expect(speeds[40]).toBe(0);
    for (let i = 1; i < speeds.length; i++) {
      expect(speeds[i]).toBeLessThanOrEqual(speeds[i - 1]);
      expect(speeds[i - 1] - speeds[i]).toBeLessThan(0.08);
    }
  });

  it("blow away from their center, or around their direction", () => {
    const [out, round] = [new WindField(), new WindField()];
    out.addZone({ kind: "radial", halfExtents: [4, 4, 4], speed: -3, falloff: 0 });
    const axis: Vec3 = [1, 2, -1];
    round.addZone({ kind: "vortex", shape: "cylinder", halfExtents: [3, 3, 3], direction: axis, speed: 6, falloff: 0 });
    for (let i = 0; i < 50; i++) {
      const x = scaled(place(1), 0.9);
      expectWithin("across the way to the center", norm(cross(out.velocityAt(x), x)), 1e-12);
      expect(dot(out.velocityAt(x), x)).toBeLessThan(0);
      const expected = scaled(cross(axis, x), 6 / 3 / norm(axis));
      expectWithin("rotation", norm(subtract(round.velocityAt(x), expected)), 1e-12);
    }
  });
});

describe("shelters", () => {
  it.each([0.1, 1, 10])("of %s m have a wake behind them, and nothing before and beside them", (size) => {
    const velocity: Vec3 = [8, 0, 0];
    const field = new WindField({ velocity, turbulence: { speed: 1, size } });
    const open = new WindField({ velocity, turbulence: { speed: 1, size } });
    field.addShelter({ center: [0, size, 0], halfExtents: [size / 4, size, 3 * size], strength: 0.8 });
    const share = (x: number, y: number, z: number): number => {
      const at: Vec3 = [x * size, y * size, z * size];
      return norm(field.velocityAt(at)) / norm(open.velocityAt(at));
    };
    for (const z of [-2, 0, 2]) {
      // half of its middle half extent behind its center
      expectWithin("close behind", Math.abs(share(0.5, 1, z) - (1 - 0.8 / 1.05 ** 2)), 1e-9);
      expectWithin("before it", Math.abs(share(-0.3, 1, z) - 1), 1e-12);
    }
    expectWithin("beside it", Math.abs(share(0.5, 1, 5) - 1), 1e-12);
    expectWithin("above it", Math.abs(share(0.5, 3, 0) - 1), 1e-12);
    const wake = [1, 2, 4, 8, 16, 64].map((x) => share(x, 1, 0));
    for (let i = 1; i < wake.length; i++) expect(wake[i]).toBeGreaterThan(wake[i - 1]);
    expect(wake[5]).toBeGreaterThan(0.95);
  });

  it("turn their wake with the wind of a body", () => {
    const field = new WindField();
    field.addShelter({ strength: 0.5, spread: 0 });
    expectWithin("with it", Math.abs(norm(field.velocityAt([0, 0, 2], [0, 0, 3])) - 1.5), 1e-12);
    expectWithin("against it", Math.abs(norm(field.velocityAt([0, 0, 2], [0, 0, -3])) - 3), 1e-12);
  });
});

describe("a wind field refuses", () => {
  it.each([
    [() => new WindField({ velocity: [1, NaN, 0] }), /velocity/],
    [() => new WindField({ turbulance: { speed: 1 } } as object), /turbulence/],
    [() => new WindField({ turbulence: {} as never }), /speed/],
    [() => new WindField({ turbulence: { speed: -1 } }), /speed/],
    [() => new WindField({ turbulence: { speed: 1, size: 0 } }), /size/],
    [() => new WindField({ turbulence: { speed: 1, seed: 0.5 } }), /seed/],
    [() => new WindField().addZone({ halfExtents: [1, 0, 1] }), /halfExtents/],
    [() => new WindField().addZone({ direction: [0, 0, 0] }), /direction/],
    [() => new WindField().addZone({ rotation: [0, 0, 0, 2] }), /rotation/],
    [() => new WindField().addZone({ shape: "cone" as never }), /shape/],
    [() => new WindField().addShelter({ strength: 1.5 }), /strength/],
  ])("%s", (call, message) => expectRefused(call, "invalid-argument", message));

  it("changes that are out of range, and stays as it is; also more zones than a GPU takes", () => {
    const field = new WindField({ velocity: [1, 0, 0] });
    const zone = field.addZone({ speed: 2 });
    const { version } = field;
    expectRefused(() => zone.setOptions({ speed: 3, falloff: 2 }), "invalid-argument", /falloff/);
    expectRefused(() => field.setOptions({ velocity: [2, 0, Infinity] }), "invalid-argument", /velocity/);
    expect(field.version).toBe(version);
    expect(field.velocityAt([0, 0, 0])).toEqual([1, 2, 0]);
    for (let i = 1; i < 16; i++) field.addZone({});
    expectRefused(() => field.addZone({}), "invalid-argument", /at most 16/);
  });
});
