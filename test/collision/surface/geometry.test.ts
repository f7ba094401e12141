import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ImplicitTree } from "../../../src/collision/surface/implicit-tree";
import { surfaceIntersections } from "../../../src/collision/surface/intersections";
import { closestPair, EDGE_EDGE, VERTEX_FACE } from "../../../src/collision/surface/pair-geometry";
import { SurfaceBounds } from "../../../src/collision/surface/surface-bounds";
import { SurfaceContact } from "../../../src/collision/surface/surface-contact";
import { dot } from "../../../src/math/vectors";
import { joinSurfaces } from "../../../src/collision/surface/surface-mesh";
import { gridMesh } from "../../../src/geometry/grid";

/** Sizes down to a millionth, so that primitives sometimes collapse. */
const coordinate = fc.integer({ min: -1e6, max: 1e6 }).map((value) => value / 1e6);
const points = (count: number): fc.Arbitrary<number[]> =>
  fc.array(coordinate, { minLength: 3 * count, maxLength: 3 * count });

describe("closest points of two primitives", () => {
  it.each([VERTEX_FACE, EDGE_EDGE])("are nearer than others: kind %i", (kind) => {
    fc.assert(
      fc.property(points(4), fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (x, stream) => {
        const w = new Float64Array(4);
        const r = new Float64Array(3);
        closestPair(kind, Float64Array.from(x), Uint32Array.of(0, 1, 2, 3), 0, w, 0, r, 0);
        const nearest = dot(r, r);
        expect(w.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 12);
        const next = (): number => stream.next().value as number;
        for (let k = 0; k < 50; k++) {
          const [s, t] = [next(), next()];
          const other = kind === EDGE_EDGE ? [1 - s, s, t - 1, -t] : [1, s - 1, -s * (1 - t), -s * t];
          let squared = 0;
          for (let c = 0; c < 3; c++) squared += other.reduce((sum, weight, k) => sum + weight * x[3 * k + c], 0) ** 2;
          expect(nearest).toBeLessThanOrEqual(squared + 1e-5);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("the tree", () => {
  it("finds what a search through all boxes finds, in one order", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer(), (count, seed) => {
        let state = seed >>> 0;
        const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
        const centres = Float64Array.from({ length: 3 * count }, random);
        const tree = new ImplicitTree(centres, new Uint8Array(count));
        for (let leaf = 0; leaf < count; leaf++)
          for (let i = 0; i < 3; i++) {
            tree.boxes[6 * leaf + i] = centres[3 * tree.order[leaf] + i] - 0.05;
            tree.boxes[6 * leaf + 3 + i] = centres[3 * tree.order[leaf] + i] + 0.05;
          }
        tree.refit();
        const low = [random(), random(), random()];
        tree.query([...low, ...low.map((value) => value + 0.3)], 0);
        const expected: number[] = [];
        for (let leaf = 0; leaf < count; leaf++) {
          const b = tree.boxes.subarray(6 * leaf, 6 * leaf + 6);
          if ([0, 1, 2].every((i) => b[i] <= low[i] + 0.3 && b[3 + i] >= low[i])) expected.push(leaf);
        }
        expect([...tree.found.subarray(0, tree.foundCount)]).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

describe("bounds of displacements", () => {
  const sheet = gridMesh({ width: 1, height: 1, columns: 5, rows: 5 });
  const part = { restPositions: sheet.positions, faces: sheet.indices, selfCollision: true, bodyCollision: true };
  const above = sheet.positions.map((value, i) => (i % 3 === 1 ? value + 0.01 : value + 0.003));
  const mesh = joinSurfaces([part, { ...part, restPositions: above }]);

  /** Runs substeps with random displacements and a search every other one; returns the number of vertices held back. */
  function move(displace: (k: number, i: number) => number, isBounded: boolean): { x: Float64Array; held: number } {
    const contact = new SurfaceContact(mesh);
    const bounds = new SurfaceBounds(contact.pairs);
    const x = mesh.restPositions.slice();
    let held = 0;
    for (let k = 0; k < 6; k++) {
      const start = x.slice();
      for (let i = 0; i < x.length; i++) x[i] += displace(k, i);
      if (k % 2 === 0) {
        // The search expects no motion; the actual displacements are unrelated.
        contact.find(start, new Float64Array(x.length), 0.005, 0.0025);
        bounds.begin();
      }
      contact.begin(start, k % 2 === 0);
      if (isBounded) held += bounds.limit(x, start);
    }
    return { x, held };
  }

  it("keep surfaces free of each other whatever moves them", () => {
    const seeded = (k: number, i: number): number =>
      Math.sin(12.9898 * (997 * k + i) + 1) * 0.02 - (i > 108 ? 0.002 : 0);
    expect(surfaceIntersections(mesh, move(seeded, false).x).length).toBeGreaterThan(20);
    const { x, held } = move(seeded, true);
    expect(surfaceIntersections(mesh, x)).toEqual([]);
    expect(held).toBeGreaterThan(50);
  });

  it("do not hold up what moves all alike, nor what parts slowly", () => {
    const { x, held } = move((_, i) => (i % 3) + (i > 108 && i % 3 === 1 ? 0.001 : 0), true);
    expect(held).toBe(0);
    expect(x[0]).toBe(mesh.restPositions[0]);
    expect(x[1]).toBe(mesh.restPositions[1] + 6);
  });
});

describe("intersections of surfaces", () => {
  const sheet = gridMesh({ width: 1, height: 1, columns: 5, rows: 5 });
  const part = { restPositions: sheet.positions, faces: sheet.indices, selfCollision: true, bodyCollision: true };

  it("are none in a flat sheet, and none between two sheets one above the other", () => {
    const above = sheet.positions.map((value, i) => (i % 3 === 1 ? value + 0.01 : value));
    const mesh = joinSurfaces([part, { ...part, restPositions: above }]);
    expect(surfaceIntersections(mesh, mesh.restPositions)).toEqual([]);
  });

  it("are none in a flat sheet that was turned and rounded to f32", () => {
    const mesh = joinSurfaces([part]);
    const x = new Float32Array(mesh.restPositions.length);
    for (let i = 0; i < x.length; i += 3) {
      const [u, v] = [mesh.restPositions[i], mesh.restPositions[i + 2]];
      x.set([0.6 * u + 0.8 * v + 3, 0.28 * u - 0.1 * v, 0.5 * v], i);
    }
    expect(surfaceIntersections(mesh, x)).toEqual([]);
  });

  it("are found where two sheets cross", () => {
    const upright = gridMesh({ width: 1, height: 1, columns: 5, rows: 5, plane: "xy", center: [0.03, 0.01, 0.02] });
    const mesh = joinSurfaces([
      part,
      { restPositions: upright.positions, faces: upright.indices, selfCollision: true, bodyCollision: true },
    ]);
    const found = surfaceIntersections(mesh, mesh.restPositions);
    expect(found.length).toBeGreaterThanOrEqual(10);
    for (const { edge, face } of found) {
      const first = mesh.edges[2 * edge] < 36 ? 0 : 1;
      expect(mesh.faces[3 * face] < 36 ? 0 : 1).toBe(1 - first);
    }
  });
});
