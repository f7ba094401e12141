import { describe, expect, it } from "vitest";
import { ballTetrahedra } from "../../../src/geometry/tetrahedra/ball";
import {
  embeddedNormals,
  embeddedPositions,
  embedNormals,
  embedSurface,
} from "../../../src/geometry/tetrahedra/embedding";
import { latticeCage } from "../../../src/geometry/tetrahedra/lattice-cage";
import {
  boundaryTriangles,
  meshVolume,
  validateTetMesh,
  type TetMesh,
} from "../../../src/geometry/tetrahedra/tet-mesh";
import { closedSurface } from "../../../src/geometry/triangles/closed-surface";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { expectRefused } from "../../refusal";
import { box, bunny, frame, inverted, moved, sphere, together, torus, volumeOf, type Surface } from "./surfaces";

const random = new RandomGeometry(4);
const awkward = (surface: Surface): Surface => moved(surface, random.rotation(), random.vector(3));

/** [surface, cubes along its longest side, least part of the volume, part of the size that a vertex may be outside] */
const cases: Record<string, [Surface, number, number, number]> = {
  sphere: [sphere(0.4), 8, 0.97, 0.02],
  "turned sphere": [awkward(sphere(0.4)), 11, 0.98, 0.02],
  torus: [torus(0.5, 0.2), 14, 0.94, 0.02],
  "turned torus": [awkward(torus(0.5, 0.2)), 14, 0.94, 0.02],
  box: [box([1, 0.7, 0.4]), 8, 0.93, 0.09],
  "turned box": [awkward(box([1, 0.7, 0.4])), 10, 0.93, 0.09],
  frame: [frame(0.3), 12, 0.93, 0.06],
  "turned frame": [awkward(frame(0.3)), 13, 0.9, 0.06],
  shell: [together(sphere(0.5), inverted(sphere(0.3))), 14, 0.95, 0.03],
  "two balls": [together(sphere(0.3), moved(sphere(0.2), [0, 0, 0, 1], [1, 0, 0])), 20, 0.94, 0.03],
  bunny: [bunny(0.3), 20, 0.96, 0.15],
};

const sizeOf = ({ positions }: { positions: ArrayLike<number> }): number => {
  const values = (c: number): number[] => Array.from(positions).filter((_, i) => i % 3 === c);
  return Math.max(...[0, 1, 2].map((c) => Math.max(...values(c)) - Math.min(...values(c))));
};

/** Smallest and largest angle between faces of a tetrahedron [degrees]. */
function dihedralAngles({ positions, tetrahedra }: TetMesh): [number, number] {
  let [low, high] = [180, 0];
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const at = (k: number): number[] => [...positions.subarray(3 * tetrahedra[t + k], 3 * tetrahedra[t + k] + 3)];
    for (const [i, j, k, l] of [
      [0, 1, 2, 3],
      [0, 2, 1, 3],
      [0, 3, 1, 2],
      [1, 2, 0, 3],
      [1, 3, 0, 2],
      [2, 3, 0, 1],
    ]) {
      const edge = minus(at(j), at(i));
      const [a, b] = [cross(edge, minus(at(k), at(i))), cross(edge, minus(at(l), at(i)))];
      const angle = (180 / Math.PI) * Math.acos(dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)));
      [low, high] = [Math.min(low, angle), Math.max(high, angle)];
    }
  }
  return [low, high];
}
const minus = (a: number[], b: number[]): number[] => a.map((value, i) => value - b[i]);
const dot = (a: number[], b: number[]): number => a.reduce((sum, value, i) => sum + value * b[i], 0);
const cross = (a: number[], b: number[]): number[] =>
  [0, 1, 2].map((c) => a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3]);

describe.each(Object.entries(cases))("cage of a %s", (name, [surface, resolution, leastVolume, mostOutside]) => {
  const closed = closedSurface(name, surface.positions, surface.indices);
  const cage = latticeCage(name, closed, { resolution });
  const embedding = embedSurface(cage, surface.positions);

  it("is made of positive tetrahedra that meet at whole faces, none of them a sliver", () => {
    validateTetMesh(name, cage);
    const faces = boundaryTriangles(cage.tetrahedra);
    // A closed surface of the same volume: nothing overlaps and nothing is left open inside.
    expect(-volumeOf({ positions: cage.positions, indices: faces })).toBeCloseTo(
      meshVolume(cage.positions, cage.tetrahedra),
      10,
    );
    const [low, high] = dihedralAngles(cage);
    expectWithin("smallest angle", -low, -9);
    expectWithin("largest angle", high, 166);
  });

  it("has nearly the surface's volume", () => {
    const ratio = meshVolume(cage.positions, cage.tetrahedra) / volumeOf(surface);
    expectWithin("volume lost", 1 - ratio, 1 - leastVolume);
    expectWithin("volume won", ratio - 1, 0.01);
  });

  it("holds every vertex of the surface, or is near it", () => {
    expectWithin("distance outside, of the size", Math.max(...embedding.outside) / sizeOf(surface), mostOutside);
    const restored = embeddedPositions(embedding, cage.positions, new Float64Array(surface.positions.length));
    const error = restored.map((value, i) => Math.abs(value - surface.positions[i]));
    expectWithin("rest positions", Math.max(...error) / sizeOf(surface), 1e-12);
  });

  it("carries vertices and normals through any linear map exactly", () => {
    const map = Array.from({ length: 3 }, () => random.vector(1));
    const determinant = dot(map[0], cross(map[1], map[2]));
    if (determinant < 0) map[0] = [-map[0][0], -map[0][1], -map[0][2]];
    const shift = random.vector(2);
    const apply = (x: ArrayLike<number>): Float64Array =>
      Float64Array.from({ length: x.length }, (_, i) => {
        const p = i - (i % 3);
        return dot(map[i % 3], [x[p], x[p + 1], x[p + 2]]) + shift[i % 3];
      });
    const deformed = apply(cage.positions);
    const positions = embeddedPositions(embedding, deformed, new Float64Array(surface.positions.length));
    const expected = apply(surface.positions);
    expectWithin("positions", Math.max(...positions.map((value, i) => Math.abs(value - expected[i]))), 1e-11);

    const normals = Array.from({ length: embedding.count }, () => random.direction()).flat();
    const carried = embeddedNormals(
      embedding,
      embedNormals(cage, embedding, normals),
      deformed,
      new Float64Array(normals.length),
    );
    // F⁻ᵀ n by cofactors; the determinant is positive
    const cofactors = [cross(map[1], map[2]), cross(map[2], map[0]), cross(map[0], map[1])];
    let worst = 0;
    for (let i = 0; i < normals.length; i += 3) {
      const n = cofactors.map((row) => dot(row, normals.slice(i, i + 3)));
      const size = Math.hypot(...n);
      worst = Math.max(worst, ...n.map((value, c) => Math.abs(value / size - carried[i + c])));
    }
    expectWithin("normals", worst, 1e-9);
  });
});

describe("latticeCage", () => {
  it("finds a resolution of its own", () => {
    const surface = torus(0.5, 0.06);
    const closed = closedSurface("ring", surface.positions, surface.indices);
    const cage = latticeCage("ring", closed);
    expect(meshVolume(cage.positions, cage.tetrahedra) / closed.volume).toBeGreaterThan(0.9);
  });

  it.each<[string, Surface]>([
    ["ring", torus(0.5, 0.04)],
    ["turned ring", awkward(torus(0.5, 0.06))],
    ["frame", frame(0.1)],
    ["plate", box([1, 0.02, 1])],
  ])("fills a thin %s by few tetrahedra, without gaps and cut parts", (name, surface) => {
    const closed = closedSurface(name, surface.positions, surface.indices);
    const cage = latticeCage(name, closed);
    validateTetMesh(name, cage);
    expectWithin("tetrahedra", cage.tetrahedra.length / 4, 4000);
    expectWithin("volume lost", 1 - meshVolume(cage.positions, cage.tetrahedra) / closed.volume, 0.081);
    const bends = (faces: ArrayLike<number>): number => new Set(Array.from(faces)).size - faces.length / 6;
    expect(bends(boundaryTriangles(cage.tetrahedra))).toBe(bends(closed.indices));
    const { outside } = embedSurface(cage, surface.positions);
    expectWithin("distance outside, of the size", Math.max(...outside) / sizeOf(surface), 0.05);
    const [low, high] = dihedralAngles(cage);
    expectWithin("smallest angle", -low, -9);
    expectWithin("largest angle", high, 166);
  });

  it("swells round tubes and not flat faces", () => {
    const plate = box([1, 0.02, 1]);
    const { positions } = latticeCage("plate", closedSurface("plate", plate.positions, plate.indices));
    for (let v = 0; v < positions.length; v += 3)
      if (Math.abs(positions[v]) < 0.3 && Math.abs(positions[v + 2]) < 0.3)
        expect(Math.abs(positions[v + 1])).toBeLessThan(0.0101);
  });

  it.each([2, 3, 5, 8, 11])(
    "is the mirror image of itself in a cube of %i cells, and keeps its volume",
    (resolution) => {
      const center = random.vector(3);
      const surface = box([0.5, 0.5, 0.5], center);
      const { positions, tetrahedra } = latticeCage("cube", closedSurface("cube", surface.positions, surface.indices), {
        resolution,
      });
      expect(meshVolume(positions, tetrahedra) / 0.125).toBeGreaterThan(0.98);
      // The lattice is a thousandth of a cell aside, and what moves onto the surface a fiftieth.
      const near = 0.05 * (0.5 / resolution);
      for (const axis of [0, 1, 2]) {
        const lonely = [...Array(positions.length / 3).keys()].filter((v) => {
          const image = [0, 1, 2].map((c) =>
            c === axis ? 2 * center[c] - positions[3 * v + c] : positions[3 * v + c],
          );
          for (let w = 0; w < positions.length; w += 3)
            if (Math.hypot(...image.map((x, c) => x - positions[w + c])) < near) return false;
          return true;
        });
        expect(lonely).toEqual([]);
      }
    },
  );

  it.each([
    [1, 0.02, 1],
    [2, 0.05, 0.05],
    [0.3, 1, 0.02],
  ] as const)("fills plates and bars of %f × %f × %f m by default, with cells of two or three shapes", (...size) => {
    const surface = box([...size]);
    const cage = latticeCage("plate", closedSurface("plate", surface.positions, surface.indices));
    validateTetMesh("plate", cage);
    expect(meshVolume(cage.positions, cage.tetrahedra) / (size[0] * size[1] * size[2])).toBeGreaterThan(0.92);
    expect(cage.tetrahedra.length / 4).toBeLessThan(5000);
    const [low, high] = dihedralAngles(cage);
    expectWithin("smallest angle", -low, -9);
    expectWithin("largest angle", high, 166);
  });

  it("leaves out what came loose", () => {
    // dumb-bells without their bar, as seen by a lattice too coarse for the bar
    const balls = together(box([0.4, 0.4, 0.4]), box([0.3, 0.3, 0.3], [1, 0, 0]));
    const surface = closedSurface("dumb-bells", balls.positions, balls.indices);
    const cage = latticeCage("dumb-bells", { ...surface, pieceCount: 1 }, { resolution: 10 });
    expect(Math.max(...cage.positions.filter((_, i) => i % 3 === 0))).toBeLessThan(0.3);
  });

  it("refuses resolutions that lose the body", () => {
    const plate = box([1, 0.01, 1]);
    const closed = closedSurface("plate", plate.positions, plate.indices);
    expectRefused(
      () => latticeCage("plate", closed, { resolution: 5 }),
      "degenerate-geometry",
      /^plate.resolution: must be finer/,
    );
    expectRefused(
      () => latticeCage("plate", closed, { resolution: NaN }),
      "invalid-argument",
      /^plate.resolution: must be from 2/,
    );
    expectRefused(() => latticeCage("plate", closed, { resolution: 1e6 }), "invalid-argument", /^plate.resolution/);
  });
});

describe("ballTetrahedra", () => {
  it.each([2, 3, 4, 7, 12])("is round with %i cubes across", (resolution) => {
    const ball = ballTetrahedra({ radius: 0.5, resolution, center: [1, 2, 3] });
    validateTetMesh("ball", ball);
    const surface = new Set(boundaryTriangles(ball.tetrahedra));
    for (const v of surface) {
      const [x, y, z] = ball.positions.subarray(3 * v, 3 * v + 3);
      expect(Math.hypot(x - 1, y - 2, z - 3)).toBeCloseTo(0.5, 10);
    }
    const [low, high] = dihedralAngles(ball);
    expect(low).toBeGreaterThan(18);
    expect(high).toBeLessThan(140);
    const lost = 1 - meshVolume(ball.positions, ball.tetrahedra) / ((4 / 3) * Math.PI * 0.125);
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(1.5 / resolution ** 2);
  });

  it("refuses what is not a ball", () => {
    expectRefused(() => ballTetrahedra({ radius: 0, resolution: 4 }), "invalid-argument", /^ball.radius/);
    expectRefused(() => ballTetrahedra({ radius: 1, resolution: 1 }), "invalid-argument", /^ball.resolution/);
    expectRefused(
      () => ballTetrahedra({ radius: 1, resolution: 4, center: [0, NaN, 0] }),
      "non-finite",
      /^ball.center/,
    );
  });
});
