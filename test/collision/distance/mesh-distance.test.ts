import bunny from "bunny";
import teapot from "teapot";
import { describe, expect, it } from "vitest";
import { buildTriangleTree, closestTriangle } from "../../../src/geometry/triangles/bvh";
import { type DistanceGrid, meshDistanceGrid } from "../../../src/collision/distance/mesh-distance";
import { compileShape, type Primitive } from "../../../src/collision/distance/primitives";
import { signedDistance } from "../../../src/collision/distance/signed-distance";
import { heightfieldTriangles } from "../../../src/collision/shape/tessellation";
import { RandomGeometry } from "../random";
import { ballMesh, HILLS } from "../samples";

interface Mesh {
  positions: number[];
  indices: number[];
}
const flat = (mesh: { positions: number[][]; cells: number[][] }): Mesh => ({
  positions: mesh.positions.flat(),
  indices: mesh.cells.flat(),
});

/** Every sample of a grid with its place. */
function* samplesOf({ samples, cell, center, values }: DistanceGrid): Generator<[number, number, number, number]> {
  for (let k = 0, n = 0; k < samples[2]; k++)
    for (let j = 0; j < samples[1]; j++)
      for (let i = 0; i < samples[0]; i++, n++) {
        const place = [i, j, k].map((index, axis) => center[axis] + (index - (samples[axis] - 1) / 2) * cell);
        yield [place[0], place[1], place[2], values[n]];
      }
}

const scratch = new Float64Array(3);
/** Distance in the frame of the mesh. */
const distance = (primitive: Primitive, x: number, y: number, z: number): number => {
  const [px, py, pz] = primitive.position;
  return signedDistance(primitive, x - px, y - py, z - pz, scratch);
};

/** A square in the plane y = 0, seen from above. */
const square = (half: number): Mesh => ({
  positions: [-half, 0, -half, half, 0, -half, half, 0, half, -half, 0, half],
  indices: [0, 2, 1, 0, 3, 2],
});

/** A box with separate corners for each side, as renderers need it. */
function boxMesh(half: readonly number[]): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let axis = 0; axis < 3; axis++)
    for (const side of [1, -1]) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      const first = positions.length / 3;
      for (const [a, b] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ]) {
        const p = [0, 0, 0];
        p[axis] = side * half[axis];
        p[u] = a * half[u];
        p[v] = b * half[v];
        positions.push(...p);
      }
      const quad = [0, 1, 2, 0, 2, 3].map((corner) => first + corner);
      indices.push(...(side > 0 ? quad : quad.reverse()));
    }
  return { positions, indices };
}

describe("meshDistanceGrid of a ball", () => {
  const mesh = ballMesh(0.5, 5);
  const grid = meshDistanceGrid(mesh.positions, mesh.indices, 24);

  it("is the distance to the ball near the surface, and nowhere more", () => {
    // Depth to which the facets, 6° across at most, cut into the ball.
    const coarse = 0.5 * (1 - Math.cos((3 * Math.PI) / 180));
    for (const [x, y, z, value] of samplesOf(grid)) {
      const exact = Math.hypot(x, y, z) - 0.5;
      expect(Math.abs(value)).toBeLessThanOrEqual(Math.abs(exact) + coarse);
      if (Math.abs(exact) < 3 * grid.cell) expect(Math.abs(value - exact)).toBeLessThan(coarse);
      if (Math.abs(exact) > coarse) expect(Math.sign(value)).toBe(Math.sign(exact));
    }
  });

  it("winds either way", () => {
    const reversed = meshDistanceGrid(mesh.positions, [...mesh.indices].reverse(), 24);
    expect(reversed.values).toEqual(grid.values);
  });

  it("keeps an inside with a tenth of the triangles gone, and values that change no faster than place", () => {
    const holed = mesh.indices.filter((_, i) => Math.floor(i / 3) % 10 !== 0);
    const result = meshDistanceGrid(mesh.positions, holed, 24);
    let wrong = 0;
    for (const [x, y, z, value] of samplesOf(result)) {
      const exact = Math.hypot(x, y, z) - 0.5;
      if (Math.abs(exact) > 0.03 && Math.sign(value) !== Math.sign(exact)) wrong++;
    }
    expect(wrong).toBe(0);
    expect(steepest(result)).toBeLessThan(1.0001);
  });
});

/**
 * Largest change between neighbors along an axis, over the distance between them; further away the values are bounds.
 */
function steepest({ samples, cell, values }: DistanceGrid): number {
  const strides = [1, samples[0], samples[0] * samples[1]];
  let most = 0;
  for (let n = 0; n < values.length; n++)
    for (let axis = 0; axis < 3; axis++) {
      if (Math.floor(n / strides[axis]) % samples[axis] === samples[axis] - 1) continue;
      if (Math.min(Math.abs(values[n]), Math.abs(values[n + strides[axis]])) > 2 * cell) continue;
      most = Math.max(most, Math.abs(values[n + strides[axis]] - values[n]) / cell);
    }
  return most;
}

describe.each([
  ["bunny", flat(bunny), [0, 4, 0], [0, 9.7, -4]],
  ["teapot", flat(teapot), [0, 0, 0], [0, 7.8, 9]],
] as [string, Mesh, number[], number[]][])("meshDistanceGrid of the %s", (_name, mesh, inside, outside) => {
  const grid = meshDistanceGrid(mesh.positions, mesh.indices);
  const [primitive] = compileShape({ type: "mesh", ...mesh });
  const corners = Float64Array.from(mesh.indices.flatMap((v) => mesh.positions.slice(3 * v, 3 * v + 3)));
  const tree = buildTriangleTree(corners);
  const out = new Float64Array(6);

  it("never tells more than the distance to the surface", () => {
    for (const [x, y, z, value] of samplesOf(grid)) {
      if ((x + 7 * y + 13 * z) % 1 > 0.1) continue;
      closestTriangle(tree, x, y, z, Infinity, -1, out);
      const exact = Math.hypot(x - out[0], y - out[1], z - out[2]);
      expect(Math.abs(value)).toBeLessThanOrEqual(exact * (1 + 1e-6));
    }
  });

  it("knows inside from outside", () => {
    expect(distance(primitive, inside[0], inside[1], inside[2])).toBeLessThan(-1);
    expect(distance(primitive, outside[0], outside[1], outside[2])).toBeGreaterThan(0.5);
    // Nothing outside the box of the mesh is inside, and the whole border is outside.
    for (const [x, y, z, value] of samplesOf(grid)) {
      const box = tree.boxes;
      const isBeyond = x < box[0] || y < box[1] || z < box[2] || x > box[3] || y > box[4] || z > box[5];
      if (isBeyond) expect(value).toBeGreaterThanOrEqual(0);
    }
  });

  it("changes sign at the surface: points a little in front and behind differ", () => {
    let crossed = 0;
    let all = 0;
    for (let t = 0; t < corners.length / 9; t += 3) {
      const p = [0, 1, 2].map((k) => (corners[9 * t + k] + corners[9 * t + 3 + k] + corners[9 * t + 6 + k]) / 3);
      const u = [0, 1, 2].map((k) => corners[9 * t + 3 + k] - corners[9 * t + k]);
      const v = [0, 1, 2].map((k) => corners[9 * t + 6 + k] - corners[9 * t + k]);
      const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      const step = (0.75 * grid.cell) / Math.hypot(...n);
      const at = (side: number): number =>
        distance(primitive, p[0] + side * step * n[0], p[1] + side * step * n[1], p[2] + side * step * n[2]);
      all++;
      if (at(1) > 0 && at(-1) < 0) crossed++;
    }
    // The rest are thin parts, and the teapot's spout and handle inside its body.
    expect(crossed / all).toBeGreaterThan(0.9);
  });

  it("changes no faster than place", () => expect(steepest(grid)).toBeLessThan(1.0001));
});

describe("meshDistanceGrid of flat and open meshes", () => {
  it("makes a square solid behind its front, and nothing past its rim", () => {
    const [primitive] = compileShape({ type: "mesh", ...square(1) });
    const geometry = new RandomGeometry(1);
    for (let n = 0; n < 500; n++) {
      const [x, y, z] = geometry.vector(0.85);
      const height = 0.05 * y;
      expect(distance(primitive, x, height, z)).toBeCloseTo(height, 6);
      expect(scratch[1]).toBeCloseTo(1, 3);
    }
    expect(distance(primitive, 0.3, 2, 0.1)).toBeGreaterThan(1.9);
    expect(distance(primitive, 0.3, 2, 0.1)).toBeLessThanOrEqual(2);
    expect(distance(primitive, 1.05, -0.01, 0)).toBeGreaterThan(0);
    expect(distance(primitive, 0, -1, 0)).toBeGreaterThan(0);
  });

  it("faces the other way where it winds the other way", () => {
    const { positions, indices } = square(1);
    const [primitive] = compileShape({ type: "mesh", positions, indices: [...indices].reverse() });
    expect(distance(primitive, 0.3, 0.02, 0.1)).toBeCloseTo(-0.02, 6);
    expect(distance(primitive, 0.3, -0.02, 0.1)).toBeCloseTo(0.02, 6);
  });

  it("agrees with the heightfield of the same terrain", () => {
    const [field] = compileShape(HILLS);
    const { positions, indices } = heightfieldTriangles(HILLS);
    const [mesh] = compileShape({ type: "mesh", positions, indices, resolution: 96 });
    const geometry = new RandomGeometry(2);
    let compared = 0;
    for (let n = 0; n < 3000; n++) {
      const [x, y, z] = [geometry.between(-1.1, 1.1), geometry.between(-0.3, 0.7), geometry.between(-0.9, 0.9)];
      const exact = distance(field, x, y, z);
      if (Math.abs(exact) > 0.03) continue;
      compared++;
      expect(distance(mesh, x, y, z)).toBeCloseTo(exact, 1);
      expect(Math.abs(distance(mesh, x, y, z) - exact)).toBeLessThan(0.012);
    }
    expect(compared).toBeGreaterThan(100);
  });
});

describe("meshDistanceGrid of boxes", () => {
  it("is solid, though each side has corners of its own", () => {
    const [primitive] = compileShape({ type: "mesh", ...boxMesh([0.5, 0.3, 0.4]) });
    const [box] = compileShape({ type: "box", halfExtents: [0.5, 0.3, 0.4] });
    const geometry = new RandomGeometry(3);
    for (let n = 0; n < 1000; n++) {
      const [x, y, z] = geometry.vector(0.55);
      const exact = distance(box, x, y, z);
      if (Math.abs(exact) > 0.05) continue;
      expect(Math.abs(distance(primitive, x, y, z) - exact)).toBeLessThan(0.012);
    }
  });

  it("takes finer cells for a board that would fall between them", () => {
    const half = [1, 0.015, 0.5];
    const [primitive] = compileShape({ type: "mesh", ...boxMesh(half) });
    for (const x of [-0.9, -0.3, 0.123, 0.77]) {
      expect(distance(primitive, x, 0, 0.2)).toBeLessThan(-0.01);
      expect(distance(primitive, x, 0.02, 0.2)).toBeCloseTo(0.005, 3);
      expect(distance(primitive, x, -0.02, 0.2)).toBeCloseTo(0.005, 3);
    }
  });
});
