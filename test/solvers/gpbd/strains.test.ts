import { describe, expect, it } from "vitest";
import { dihedral } from "../../../src/solvers/gpbd/strains/dihedral";
import { distance } from "../../../src/solvers/gpbd/strains/distance";
import { elementKinds } from "./kinds";
import { greenTriangle } from "../../../src/solvers/gpbd/strains/green-triangle";
import { RandomGeometry, rotationAround } from "../../collision/random";
import { expectWithin } from "../../figures";
import { jacobianByDifferences, relativeError } from "../../math/differences";
import { allKinds, randomElement } from "./elements";

describe.each(allKinds)("strain of %s", (kind) => {
  const { strain } = elementKinds[kind];
  const { arity, dimension } = strain;

  it("has the Jacobian that its values have, to 1e-6", () => {
    const random = new RandomGeometry(21);
    const jacobian = new Float64Array(dimension * 3 * arity);
    let worst = 0;
    for (let sample = 0; sample < 1234; sample++) {
      const { element, rest } = randomElement(kind, random, 0.5);
      const x = element.x.slice(0, 3 * arity);
      strain.jacobian(x, rest, 0, jacobian);
      const differences = jacobianByDifferences((y, s) => strain.strain(y, rest, 0, s), x, dimension, 1e-4);
      worst = Math.max(worst, relativeError(differences, jacobian));
    }
    expectWithin(`Jacobian of ${kind}, relative`, worst, 1e-6);
  });

  it("does not change when the element is moved", () => {
    const random = new RandomGeometry(22);
    const [before, after] = [new Float64Array(dimension), new Float64Array(dimension)];
    for (let sample = 0; sample < 123; sample++) {
      const { element, rest } = randomElement(kind, random, 0.5);
      const shift = random.vector(2);
      strain.strain(element.x, rest, 0, before);
      strain.strain(
        element.x.map((value, i) => value + shift[i % 3]),
        rest,
        0,
        after,
      );
      expect(relativeError(after, before, 1)).toBeLessThan(1e-11);
    }
  });

  // The curvature vectors of a sheet turn with it; all other strains are scalars of the shape.
  it("does not change when the element is turned", () => {
    const random = new RandomGeometry(23);
    const [before, after] = [new Float64Array(dimension), new Float64Array(dimension)];
    for (let sample = 0; sample < 123; sample++) {
      const { element, rest } = randomElement(kind, random, 0.5);
      const turn = rotationAround(random.direction(), random.between(0, 6));
      strain.strain(element.x, rest, 0, before);
      strain.strain(rotated(element.x, turn), rest, 0, after);
      if (dimension === 9) {
        for (let i = 0; i < 9; i += 3)
          expect(Math.hypot(...after.slice(i, i + 3))).toBeCloseTo(Math.hypot(...before.slice(i, i + 3)), 11);
      } else expect(relativeError(after, before, 1)).toBeLessThan(1e-11);
    }
  });
});

describe("Green strain", () => {
  it("is that of a known stretch and shear", () => {
    // Dm = identity: warp along x, weft along z; F = [[1.2, 0.1], [0, 0], [0, 0.9]]
    const s = new Float64Array(3);
    greenTriangle.strain(Float64Array.of(0, 0, 0, 1.2, 0, 0, 0.1, 0, 0.9), Float64Array.of(1, 0, 0, 1), 0, s);
    expect(s[0]).toBeCloseTo(0.5 * (1.44 - 1), 14);
    expect(s[1]).toBeCloseTo(0.5 * 1.2 * 0.1, 14);
    expect(s[2]).toBeCloseTo(0.5 * (0.01 + 0.81 - 1), 14);
  });
});

describe("dihedral angle", () => {
  const angleOf = (x: ArrayLike<number>, rest = 0): number => {
    const s = new Float64Array(1);
    dihedral.strain(Float64Array.from(x), Float64Array.of(rest), 0, s);
    return s[0];
  };
  /** A hinge around the x axis folded by an angle: for positive angles the second wing points down. */
  const folded = (angle: number): number[] => [
    ...[0, 0, 0],
    ...[1, 0, 0],
    ...[0.3, 0, 0.8],
    ...[0.4, Math.sin(angle), -Math.cos(angle)],
  ];

  it("is the angle between the faces, with one sign for each side", () => {
    const sign = Math.sign(angleOf(folded(0.5)));
    for (const angle of [-3, -1.7, -0.5, -1e-6, 0, 1e-6, 0.5, 1.7, 3])
      expect(angleOf(folded(angle))).toBeCloseTo(sign * angle, 13);
  });

  it("is folded into half a turn about the rest angle", () => {
    const sign = Math.sign(angleOf(folded(0.5)));
    expect(angleOf(folded(3 * sign), -3)).toBeCloseTo(6 - 2 * Math.PI, 12);
    expect(angleOf(folded(-3 * sign), 3)).toBeCloseTo(2 * Math.PI - 6, 12);
  });

  it("has no direction where a face has no area", () => {
    const flat = [...[0, 0, 0], ...[1, 0, 0], ...[0.5, 0, 0], ...[0.4, 0, -1]];
    const jacobian = new Float64Array(12).fill(NaN);
    dihedral.jacobian(Float64Array.from(flat), Float64Array.of(0), 0, jacobian);
    expect(Array.from(jacobian)).toEqual(new Array(12).fill(0));
  });
});

describe("distance", () => {
  it("has a direction even where both ends meet", () => {
    const jacobian = new Float64Array(6);
    distance.jacobian(new Float64Array(6), Float64Array.of(1), 0, jacobian);
    expect(Math.hypot(...jacobian.slice(0, 3))).toBe(1);
    expect(Math.hypot(...jacobian.slice(3))).toBe(1);
  });
});

function rotated(x: Float64Array, q: readonly number[]): Float64Array {
  const out = new Float64Array(x.length);
  for (let i = 0; i < x.length; i += 3) {
    const [a, b, c] = [x[i], x[i + 1], x[i + 2]];
    // v + 2 q_v × (q_v × v + w v)
    const [tx, ty, tz] = [
      q[1] * c - q[2] * b + q[3] * a,
      q[2] * a - q[0] * c + q[3] * b,
      q[0] * b - q[1] * a + q[3] * c,
    ];
    out[i] = a + 2 * (q[1] * tz - q[2] * ty);
    out[i + 1] = b + 2 * (q[2] * tx - q[0] * tz);
    out[i + 2] = c + 2 * (q[0] * ty - q[1] * tx);
  }
  return out;
}
