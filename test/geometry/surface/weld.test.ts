import { describe, expect, it } from "vitest";
import { sidesOfEdges } from "../../../src/geometry/surface/twin-sides";
import { weldVertices } from "../../../src/geometry/surface/weld";
import { weldSurface } from "../../../src/geometry/surface/weld-surface";
import { RandomGeometry } from "../../collision/random";
import { expectRefused } from "../../refusal";
import { randomPositions, triangleSoup, tube } from "../meshes";

/** Number of edges of one triangle only. */
const rimLength = (indices: ArrayLike<number>): number =>
  [...sidesOfEdges(indices).values()].filter(({ length }) => length === 1).length;

describe("welding", () => {
  it("closes the seam of a tube: no edge along it is a boundary", () => {
    const mesh = tube(37, 53);
    const welded = weldVertices(mesh.positions, mesh.indices);
    expect(welded.positions.length / 3).toBe(37 * 54);
    expect(rimLength(mesh.indices)).toBe(2 * 37 + 2 * 53);
    expect(rimLength(welded.indices)).toBe(2 * 37);
    for (let j = 0; j <= 53; j++) expect(welded.vertexToParticle[38 * j]).toBe(welded.vertexToParticle[38 * j + 37]);
  });

  it("closes it too where the two copies differ by f32 rounding", () => {
    for (const seed of [1, 2, 3]) {
      const mesh = tube(64, 128, 1e-7, seed);
      const positions = Float32Array.from(mesh.positions);
      const welded = weldVertices(positions, mesh.indices);
      expect(welded.positions.length / 3).toBe(64 * 129);
      expect(rimLength(welded.indices)).toBe(2 * 64);
    }
  });

  it("keeps vertices apart that are further from one another than the tolerance", () => {
    const positions = randomPositions(3, 1234);
    // a twin of each, ten times the tolerance away
    const twins = positions.map((value, i) => (i % 3 === 1 ? value + 2e-5 : value));
    const indices = triangleSoup(4, 2468, 4000);
    const used = new Set(indices).size;
    const welded = weldVertices(Float64Array.from([...positions, ...twins]), indices);
    expect(welded.positions.length / 3).toBe(used);
  });

  it("maps every vertex to a particle at its place, and triangles with them", () => {
    const random = new RandomGeometry(5);
    const places = randomPositions(6, 300);
    const positions = Float64Array.from({ length: 3 * 1234 }, () => 0);
    for (let v = 0; v < 1234; v++) {
      const place = Math.floor(random.between(0, 300));
      positions.set(places.subarray(3 * place, 3 * place + 3), 3 * v);
    }
    const indices = triangleSoup(7, 1234, 2000);
    const welded = weldVertices(positions, indices);
    expect(welded.positions.length / 3).toBeLessThanOrEqual(300);
    expect(welded.vertexToParticle).toHaveLength(1234);
    for (const v of new Set(indices)) {
      const p = welded.vertexToParticle[v];
      for (let c = 0; c < 3; c++) expect(welded.positions[3 * p + c]).toBe(positions[3 * v + c]);
    }
    indices.forEach((v, i) => expect(welded.indices[i]).toBe(welded.vertexToParticle[v]));
    // particles are distinct
    const keys = new Set<string>();
    for (let p = 0; p < welded.positions.length; p += 3) keys.add(welded.positions.subarray(p, p + 3).join());
    expect(keys.size).toBe(welded.positions.length / 3);
  });

  it("leaves out vertices that no triangle uses, and maps them to a particle that exists", () => {
    const positions = [9, 9, 9, 0, 0, 0, 5, 5, 5, 1, 0, 0, 0, 1, 0, 7, 7, 7];
    const welded = weldVertices(positions, [1, 3, 4]);
    expect(Array.from(welded.positions)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect(Array.from(welded.indices)).toEqual([0, 1, 2]);
    for (const p of welded.vertexToParticle) expect(p).toBeLessThan(3);
  });

  it("does not depend on where the mesh is or how large it is", () => {
    for (const [scale, offset] of [
      [1, 0],
      [1e-3, 0],
      [1e3, 0],
      [1, 40],
    ]) {
      const mesh = tube(24, 12);
      const positions = mesh.positions.map((value) => scale * value + offset);
      expect(weldVertices(positions, mesh.indices).positions.length / 3).toBe(24 * 13);
    }
  });
});

describe("a surface of a mesh", () => {
  // a fan of four triangles with the middle at the origin, where there are two vertices
  const positions = [0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, -1, 0, 0, 0, 5, 5, 5];
  const fan = [0, 1, 2, 5, 2, 3, 0, 3, 4, 5, 4, 1];

  it("leaves out triangles with corners at one place and copies, and says which of the mesh are left", () => {
    const indices = [0, 5, 2, ...fan.slice(0, 6), 2, 1, 5, ...fan.slice(6), 0, 6, 5];
    const surface = weldSurface("fan", positions, indices);
    expect(Array.from(surface.triangleFaces)).toEqual([-1, 0, 1, 0, 2, 3, -1]);
    expect(Array.from(surface.faceTriangles)).toEqual([1, 2, 4, 5]);
    // vertex 6, which has no face, is no particle: it follows another corner
    expect(surface.positions.length / 3).toBe(5);
    expect(surface.vertexToParticle[6]).toBe(surface.vertexToParticle[0]);
    expect(Array.from(surface.indices)).toEqual(Array.from(fan, (v) => surface.vertexToParticle[v]));
    expect(rimLength(surface.indices)).toBe(4);
  });

  it("knows the vertices of its back", () => {
    const back = fan.map((v) => v + 7);
    for (let i = 0; i < back.length; i += 3) [back[i], back[i + 1]] = [back[i + 1], back[i]];
    const surface = weldSurface("sheet", [...positions, ...positions], [...fan, ...back]);
    expect(surface.indices).toHaveLength(fan.length);
    expect(Array.from(surface.reversed)).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0]);
  });

  it("is refused where three corners are in a line, or nothing is left", () => {
    const name = "fan";
    expectRefused(() => weldSurface(name, positions, [0, 0, 1, ...fan, 1, 0, 3]), "degenerate-geometry", /triangle 5/);
    expectRefused(() => weldSurface(name, positions, [0, 5, 1]), "degenerate-geometry", /no triangles/);
  });
});
