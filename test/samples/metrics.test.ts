import { distance, norm } from "../../src/math/vectors";
import { describe, expect, it } from "vitest";
import {
  angularMomentum,
  centerOfMass,
  kineticEnergy,
  linearMomentum,
  maxPenetration,
  maxStretchPercent,
  rmsSpeed,
  uniqueEdges,
} from "../../samples/metrics";

/** A unit square of two triangles in the plane y = 0. */
const square = {
  positions: [0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1],
  faces: [0, 1, 2, 0, 2, 3],
};

describe("edges", () => {
  it("are counted once, the smaller index first", () => {
    const edges = uniqueEdges(square.faces);
    const pairs = Array.from({ length: edges.length / 2 }, (_, i) => [edges[2 * i], edges[2 * i + 1]].join());
    expect(pairs.sort()).toEqual(["0,1", "0,2", "0,3", "1,2", "2,3"]);
  });
});

describe("stretch", () => {
  it("is the largest elongation in per cent", () => {
    const stretched = square.positions.map((value, i) => (i === 3 || i === 6 ? 1.1 * value : value));
    const edges = uniqueEdges(square.faces);
    expect(maxStretchPercent(stretched, square.positions, edges)).toBeCloseTo(10, 10);
  });

  it("is 0 for a compressed surface", () => {
    const compressed = square.positions.map((value) => 0.9 * value);
    expect(maxStretchPercent(compressed, square.positions, uniqueEdges(square.faces))).toBe(0);
  });
});

describe("penetration", () => {
  const ball =
    (cx: number, cy: number, cz: number, radius: number) =>
    (x: number, y: number, z: number): number =>
      Math.hypot(x - cx, y - cy, z - cz) - radius;

  it("is 0 away from obstacles", () => {
    expect(maxPenetration(square.positions, square.faces, [ball(0, 2, 0, 1)])).toBe(0);
  });

  it("is found at particles", () => {
    expect(maxPenetration(square.positions, square.faces, [ball(1, -0.05, 0, 0.1)])).toBeCloseTo(0.05, 12);
  });

  it("is found at the middle of an edge, where no particle is", () => {
    expect(maxPenetration(square.positions, square.faces, [ball(0.5, -0.08, 0, 0.1)])).toBeCloseTo(0.02, 12);
  });

  it("is found at the centroid of a face", () => {
    expect(maxPenetration(square.positions, square.faces, [ball(2 / 3, 0, 1 / 3, 0.03)])).toBeCloseTo(0.03, 12);
  });

  it("takes the deepest of all obstacles", () => {
    const obstacles = [ball(0, -0.09, 0, 0.1), ball(1, -0.06, 1, 0.1)];
    expect(maxPenetration(square.positions, square.faces, obstacles)).toBeCloseTo(0.04, 12);
  });
});

describe("mechanics", () => {
  const masses = [1, 3];
  const positions = [0, 0, 0, 4, 0, 0];
  const velocities = [0, 2, 0, 0, -2, 0];

  it("sums mass, momentum and energy", () => {
    expect(centerOfMass(positions, masses)).toEqual([3, 0, 0]);
    expect(linearMomentum(velocities, masses)).toEqual([0, -4, 0]);
    expect(kineticEnergy(velocities, masses)).toBe(8);
    expect(rmsSpeed(velocities, masses)).toBe(2);
  });

  it("takes the angular momentum about the centre of mass", () => {
    // Σ m (x − c) v_y: 1 · (−3) · 2 + 3 · 1 · (−2)
    expect(angularMomentum(positions, velocities, masses)).toEqual([0, 0, -12]);
    const moved = positions.map((value) => value + 10);
    expect(angularMomentum(moved, velocities, masses)[2]).toBeCloseTo(-12, 10);
  });

  it("measures vectors", () => {
    expect(norm([2, 3, 6])).toBe(7);
    expect(distance([3, 3, 7], [1, 0, 1])).toBe(7);
  });
});
