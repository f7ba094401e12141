import { beforeAll, describe, expect, it } from "vitest";
import { gpbdRod } from "../../../../src/models/gpbd/rod";
import { CpuRods, type JointSweep } from "../../../../src/solvers/gpbd/rods/cpu-rods";
import { RodKernel, RodMemory } from "../../../../src/solvers/gpbd/rods/rod-kernel";
import type { RodSet } from "../../../../src/solvers/gpbd/rods/rod-set";
import { RandomGeometry } from "../../../collision/random";
import { largestDifference } from "../../../world/cloths";

const h = 1 / 2400;

/** A rope somewhere in its motion, far from the origin. */
class Subject {
  readonly x: Float64Array;
  private readonly w: Float64Array;
  private readonly rods: CpuRods;
  private readonly random = new RandomGeometry(91);
  private readonly edge: number;
  /** joints that the kernel left over, of all */
  left = 0;
  all = 0;

  constructor(points: number, damping: number, closed: boolean, scale: number, memory?: RodMemory) {
    const positions = Array.from({ length: points }, (_, p) => {
      const angle = (6.2 * p) / points;
      return [Math.cos(angle), Math.sin(angle), closed ? 0.1 * Math.sin(3 * angle) : 0.1 * angle].map(
        (c) => 50 + scale * c,
      );
    }).flat();
    const model = gpbdRod({ positions, closed, radius: 0.01 * scale, density: 1100, damping, twist: 3 });
    this.edge = (6.2 * scale) / points;
    this.x = Float64Array.from(model.positions);
    this.w = Float64Array.from(model.masses, (mass) => (this.random.between(0, 1) < 0.1 ? 0 : (h * h) / mass));
    const kernel = memory && this.counted(memory, model.rods!, points);
    this.rods = new CpuRods(model.rods!, kernel);
  }

  private counted(memory: RodMemory, rods: RodSet, points: number): JointSweep {
    const kernel = new RodKernel(memory, rods, points);
    return {
      sweep: (values, time, share, left) => {
        this.all += rods.jointCount;
        kernel.sweep(values, time, share, (own, joint) => {
          this.left++;
          left(own, joint);
        });
      },
    };
  }

  /** @param noise that positions are moved by in a substep, in edges */
  step(noise: number, relaxation = 1): void {
    const start = this.x.slice();
    for (let i = 0; i < this.x.length; i++) this.x[i] += noise * this.edge * this.random.between(-1, 1);
    this.rods.predict(this.x, this.w, h, 1, 0.9);
    this.rods.sweep(this.x, start, this.w, h, 1, relaxation);
    this.rods.finish(this.x, h);
  }

  /** Turns every third edge by an angle in the next substep [rad]. */
  spin(angle: number): void {
    for (let e = 0; e < this.rods.rates.length; e += 3) this.rods.rates[e] = angle / h;
  }

  /** Largest difference of positions, in edges, and of frames and their speeds. */
  apart(other: Subject): number {
    const [a, b] = [this.rods.read(), other.rods.read()];
    const turns = a.map((value, i) => (i % 5 === 4 ? h * (value - b[i]) : value - b[i]));
    return Math.max(
      largestDifference(this.x, other.x) / this.edge,
      largestDifference(
        turns,
        turns.map(() => 0),
      ),
    );
  }
}

describe("a sweep over rods by the kernel and by the reference", () => {
  let memory: RodMemory;
  beforeAll(async () => {
    memory = (await RodMemory.load())!;
  });
  const pair = (points: number, damping: number, closed: boolean, scale: number): Subject[] =>
    [undefined, memory].map((own) => new Subject(points, damping, closed, scale, own));

  it.each([
    { points: 3, damping: 0.01, closed: false, scale: 0.1 },
    { points: 40, damping: 0, closed: false, scale: 10 },
    { points: 57, damping: 0.01, closed: false, scale: 1 },
    { points: 44, damping: 0.1, closed: true, scale: 1 },
  ])(
    "is the same for $points points, damping $damping s, closed $closed, $scale m",
    ({ points, damping, closed, scale }) => {
      for (const noise of [0.001, 0.03]) {
        const [exact, fast] = pair(points, damping, closed, scale);
        for (let k = 0; k < 20; k++) for (const subject of [exact, fast]) subject.step(noise, 0.9);
        expect(fast.apart(exact)).toBeLessThan(1e-6);
        expect(fast.all).toBeGreaterThan(0);
        expect(fast.left).toBeLessThan(0.2 * fast.all);
      }
    },
  );

  it("leaves wild joints to the reference", () => {
    const [exact, fast] = pair(57, 0.01, false, 1);
    for (const subject of [exact, fast]) {
      subject.spin(4);
      subject.step(2);
    }
    expect(fast.left).toBeGreaterThan(5);
    expect(fast.apart(exact)).toBeLessThan(1e-6);
  });

  it("serves ropes in turns, and larger ones than before", () => {
    const pairs = [5, 3000, 57].map((points) => pair(points, 0.01, false, 1));
    for (let turn = 0; turn < 3; turn++) for (const both of pairs) for (const subject of both) subject.step(0.01);
    for (const [exact, fast] of pairs) expect(fast.apart(exact)).toBeLessThan(1e-8);
  });
});
