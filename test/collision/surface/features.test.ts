import { describe, expect, it } from "vitest";
import { gridMesh } from "../../../src/index";
import {
  counts,
  countsAt,
  FIRST_OF_FACES,
  ownFeatures,
  SECOND_OF_FACES,
} from "../../../src/collision/surface/features";
import { SurfaceContact } from "../../../src/collision/surface/surface-contact";
import { closestPair, EDGE_EDGE, VERTEX_FACE } from "../../../src/collision/surface/pair-geometry";
import { dot } from "../../../src/math/vectors";
import { joinSurfaces, type SurfaceMesh } from "../../../src/collision/surface/surface-mesh";
import { RandomGeometry } from "../random";

const random = new RandomGeometry(9);

/** Two bumpy sheets above each other, the upper one turned about the vertical and moved by chance. */
function twoSheets(columns: number, rows: number, turn: number, shift: number): { mesh: SurfaceMesh; x: Float64Array } {
  const { positions, indices } = gridMesh({ width: 1, height: 1, columns, rows });
  const part = { restPositions: positions, faces: indices, selfCollision: false, bodyCollision: true };
  const mesh = joinSurfaces([part, part]);
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const [dx, dz] = [shift * random.vector(1)[0]!, shift * random.vector(1)[1]!];
  const x = Float64Array.from(mesh.restPositions);
  for (let p = positions.length / 3; p < mesh.particleCount; p++) {
    const [px, pz] = [x[3 * p]!, x[3 * p + 2]!];
    x[3 * p] = c * px - s * pz + dx;
    x[3 * p + 1] = 0.05;
    x[3 * p + 2] = s * px + c * pz + dz;
  }
  if (shift > 0) for (let i = 1; i < x.length; i += 3) x[i]! += 0.03 * random.vector(1)[0]!;
  return { mesh, x };
}

interface Pair {
  readonly kind: number;
  readonly squared: number;
  readonly isCounted: boolean;
  readonly weights: readonly number[];
  readonly vertices: readonly number[];
}

/** All pairs between the two. */
function pairsOf({ faces, edges, own, partOf, vertices }: SurfaceMesh, x: Float64Array): Pair[] {
  const found: Pair[] = [];
  const weights = new Float64Array(4);
  const add = (kind: number, four: readonly number[], bits: number): void => {
    const apart = new Float64Array(3);
    closestPair(kind, x, Uint32Array.from(four), 0, weights, 0, apart, 0);
    const squared = dot(apart, apart);
    found.push({
      kind,
      squared,
      isCounted: countsAt(kind, bits, weights, x, four, 0),
      weights: [...weights],
      vertices: four,
    });
  };
  for (const v of vertices)
    for (let f = 0; f < own.length; f++) {
      const corners = [...faces.subarray(3 * f, 3 * f + 3)];
      if (partOf[v] !== partOf[corners[0]!]) add(VERTEX_FACE, [v, ...corners], own[f]!);
    }
  for (let e = 0; e < edges.length; e += 2)
    for (let g = e + 2; g < edges.length; g += 2) {
      const four = [...edges.subarray(e, e + 2), ...edges.subarray(g, g + 2)];
      if (partOf[four[0]!] !== partOf[four[2]!]) add(EDGE_EDGE, four, FIRST_OF_FACES | SECOND_OF_FACES);
    }
  return found;
}

describe("pairs that count", () => {
  it.each([
    ["lie on one another", 0, 0],
    ["lie askew", 0.4, 0.1],
    ["lie anywhere", 2.1, 0.7],
  ])("reach as near as all pairs, for sheets that %s", (_how, turn, shift) => {
    for (const [columns, rows] of [
      [1, 1],
      [3, 2],
      [5, 6],
    ] as const) {
      const { mesh, x } = twoSheets(columns, rows, turn, shift);
      const pairs = pairsOf(mesh, x);
      const nearest = (some: readonly Pair[]): number => Math.sqrt(Math.min(...some.map(({ squared }) => squared)));
      expect(nearest(pairs.filter(({ isCounted }) => isCounted))).toBeLessThan(nearest(pairs) * (1 + 1e-4));
      // Also of each vertex by itself.
      for (const v of mesh.vertices) {
        const own = pairs.filter(({ kind, vertices }) => kind === VERTEX_FACE && vertices[0] === v);
        expect(nearest(own.filter(({ isCounted }) => isCounted))).toBeLessThan(nearest(own) * (1 + 1e-3));
      }
    }
  });

  it("hold a vertex once that lies on a corner or an edge, and edges where they cross", () => {
    const { mesh, x } = twoSheets(4, 4, 0, 0);
    const counted = pairsOf(mesh, x).filter(({ squared, isCounted }) => isCounted && squared < 0.05 ** 2 * (1 + 1e-9));
    const ofVertices = counted.filter(({ kind }) => kind === VERTEX_FACE);
    expect(ofVertices).toHaveLength(mesh.vertices.length);
    // Edges that lie along each other have no place where they cross.
    expect(counted.length).toBe(ofVertices.length);
  });

  it("leave none of the contacts of an edge that no triangle has", () => {
    const weights = Float64Array.of(1, 0, -0.5, -0.5);
    expect(counts(EDGE_EDGE, FIRST_OF_FACES | SECOND_OF_FACES, weights, 0)).toBe(false);
    // The end of the first one, a rope's, meets the triangles of the second one.
    expect(counts(EDGE_EDGE, SECOND_OF_FACES, weights, 0)).toBe(false);
    // An end of a triangle's edge meets no triangle of a rope.
    expect(counts(EDGE_EDGE, FIRST_OF_FACES, weights, 0)).toBe(true);
    expect(counts(EDGE_EDGE, 0, weights, 0)).toBe(true);
  });

  it.each([
    ["side by side", 0],
    ["side by side, moved along", 0.3],
    ["end to end", 1],
  ])("hold strands of one rope apart that lie %s", (_how, along) => {
    // two edges of one rope far from each other at rest, and nearer than the distance that it keeps
    const restPositions = [0, 0, 0, 1, 0, 0, 2, 5, 0, 1, 9, 0, 0, 9, 0];
    const mesh = joinSurfaces([{ restPositions, faces: [], edges: [0, 1, 1, 2, 2, 3, 3, 4], selfCollision: true }]);
    const start = Float64Array.of(0, 0, 0, 1, 0, 0, 2, 5, 0, 1 + along, 0.08, 0, along, 0.08, 0);
    const x = start.slice();
    const contact = new SurfaceContact(mesh);
    contact.find(x, new Float64Array(x.length), 0.1);
    contact.begin(start, true);
    contact.resolve(x, start, new Float64Array(5).fill(1), 0.01, { thickness: 0.1, friction: [0], partingSpeed: 10 });
    expect(contact.activeCount).toBeGreaterThan(0);
    expect(x[10] - x[1]).toBeGreaterThan(0.08);
  });

  it("have each corner and edge once", () => {
    const own = ownFeatures(gridMesh({ width: 1, height: 1, columns: 7, rows: 3 }).indices);
    const bits = (mask: number): number =>
      [...own].reduce((sum, of) => sum + [...Array(6).keys()].filter((b) => ((of & mask) >> b) & 1).length, 0);
    expect(bits(7)).toBe(8 * 4);
    expect(bits(56)).toBe(7 * 4 + 8 * 3 + 7 * 3);
  });
});
