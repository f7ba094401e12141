import { describe, expect, it } from "vitest";
import { fabrics, gridMesh, clothModel } from "../../../../src/index";
import {
  addBendingStress,
  bendingEnergy,
  bendingSprings,
  type BendingSet,
  ropeBending,
} from "../../../../src/solvers/newton/deformable/bending-set";

const straight = Float64Array.from({ length: 15 }, (_, i) => (i % 3 === 0 ? i / 3 + (i > 6 ? 0.2 : 0) : 0));
const sheet = clothModel({
  solver: "newton",
  ...gridMesh({ width: 1, height: 1, columns: 3, rows: 3 }),
  fabric: { ...fabrics.denim, bendingWarp: 2, bendingWeft: 3 },
});
const sets: readonly [string, BendingSet, Float64Array][] = [
  ["a rope", ropeBending(straight, 2), straight],
  ["cloth", sheet.bending![0], sheet.positions],
];

describe.each(sets)("bending of %s", (_name, set, rest) => {
  const bent = rest.map((value, i) => value + 0.1 * Math.sin(7 * i));
  const stressAt = (x: Float64Array): Float64Array => {
    const out = new Float64Array(x.length);
    addBendingStress(bendingSprings(set), x, out);
    return out;
  };

  it("has the differences of its energy as stress", () => {
    const stress = stressAt(bent);
    const h = 1e-5;
    for (let i = 0; i < rest.length; i++) {
      const [up, down] = [bent.slice(), bent.slice()];
      up[i] += h;
      down[i] -= h;
      expect((bendingEnergy(set, up) - bendingEnergy(set, down)) / (2 * h)).toBeCloseTo(stress[i], 6);
    }
  });

  it("is none where it is straight, and turns along", () => {
    expect(bendingEnergy(set, rest)).toBeLessThan(1e-20);
    const turned = bent.map((_, i) => (i % 3 === 0 ? -bent[i + 1] : i % 3 === 1 ? bent[i - 1] : bent[i] + 3));
    expect(bendingEnergy(set, turned)).toBeCloseTo(bendingEnergy(set, bent), 9);
  });
});

it("a rope that is bent to a circle has ½ B κ² over its length", () => {
  const [count, radius, stiffness] = [60, 0.7, 5];
  const step = 0.02;
  const rest = Float64Array.from({ length: 3 * count }, (_, i) => (i % 3 === 0 ? (i / 3) * step : 0));
  const chord = 2 * Math.asin(step / (2 * radius));
  const circle = rest.map((_, i) => {
    const angle = Math.floor(i / 3) * chord;
    return [radius * Math.cos(angle), radius * Math.sin(angle), 0][i % 3];
  });
  const expected = ((stiffness / 2) * step * (count - 2)) / radius ** 2;
  expect(bendingEnergy(ropeBending(rest, stiffness), circle) / expected).toBeCloseTo(1, 3);
});
