import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  conjugate,
  product,
  quaternionOfAxes,
  quaternionOfMatrix,
  rotationVector,
  turn,
  unitQuaternion,
} from "../../src/math/quaternions";
import type { Quat, Vec3 } from "../../src/math/types";
import { cross, distance, dot, norm, normalised } from "../../src/math/vectors";

const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
const vectors: fc.Arbitrary<Vec3> = fc.tuple(coordinate, coordinate, coordinate);
/** Includes rotations near half turns, for which the trace of the matrix says little. */
const rotations: fc.Arbitrary<Quat> = fc
  .tuple(coordinate, coordinate, coordinate, fc.oneof(coordinate, fc.constantFrom(0, 1e-9, -1e-12)))
  .filter((q) => Math.hypot(...q) > 1e-3)
  .map(unitQuaternion);

const axes: readonly Vec3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

describe("quaternions", () => {
  it("turn without stretching, one after the other, and back", () => {
    fc.assert(
      fc.property(rotations, rotations, vectors, vectors, (p, q, a, b) => {
        expect(distance(turn(product(p, q), a), turn(p, turn(q, a)))).toBeLessThan(1e-14);
        expect(distance(turn(conjugate(q), turn(q, a)), a)).toBeLessThan(1e-14);
        expect(dot(turn(q, a), turn(q, b))).toBeCloseTo(dot(a, b), 13);
        expect(distance(turn(q, cross(a, b)), cross(turn(q, a), turn(q, b)))).toBeLessThan(1e-14);
      }),
    );
  });

  it("come from matrices and from axes as they went there, up to their sign", () => {
    fc.assert(
      fc.property(rotations, (q) => {
        const [x, y, z] = [turn(q, axes[0]), turn(q, axes[1]), turn(q, axes[2])];
        const same = quaternionOfAxes(x, y, z).reduce((sum, value, i) => sum + value * q[i], 0);
        expect(Math.abs(same)).toBeCloseTo(1, 14);
        const matrix = [7, x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]];
        expect(quaternionOfMatrix(matrix, 1)).toEqual(quaternionOfAxes(x, y, z));
      }),
    );
  });

  it("are turns about the axis of their rotation vector, by its length", () => {
    fc.assert(
      fc.property(rotations, (q) => {
        const phi = rotationVector(q);
        expect(norm(phi)).toBeLessThanOrEqual(Math.PI + 1e-12);
        const axis = normalised(phi);
        if (norm(phi) > 1e-6) expect(distance(turn(q, axis), axis)).toBeLessThan(1e-9);
        expect(Math.cos(norm(phi) / 2)).toBeCloseTo(Math.abs(q[3]), 12);
      }),
    );
  });
});
