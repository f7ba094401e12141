import { describe, expect, it } from "vitest";
import { closedSurface } from "../../../src/geometry/triangles/closed-surface";
import { expectRefused } from "../../refusal";
import { box, frame, inverted, sphere, together, torus, volumeOf, type Surface } from "../tetrahedra/surfaces";

const closed = ({ positions, indices }: Surface) => closedSurface("body", positions, indices);

/** Every triangle with its own vertices, like flat-shaded meshes. */
function apart({ positions, indices }: Surface): Surface {
  return {
    positions: indices.flatMap((i) => positions.slice(3 * i, 3 * i + 3)),
    indices: indices.map((_, i) => i),
  };
}

describe("closedSurface", () => {
  it.each([
    ["sphere", sphere(0.4), 1],
    ["torus", torus(0.5, 0.2), 1],
    ["box", box([1, 2, 3]), 1],
    ["frame", frame(0.3), 1],
    ["two boxes", together(box([1, 1, 1]), box([1, 1, 1], [3, 0, 0])), 2],
  ])("keeps a %s that is right", (_name, surface, pieces) => {
    const result = closed(surface);
    expect(volumeOf(surface)).toBeGreaterThan(0);
    expect(volumeOf(result)).toBeCloseTo(volumeOf(surface), 12);
    expect(result.volume).toBeCloseTo(volumeOf(surface), 12);
    expect(result.pieceCount).toBe(pieces);
  });

  it("does not mind how triangles are wound and whether they share vertices", () => {
    const surface = frame(0.3);
    const turned = { ...surface, indices: [...surface.indices] };
    for (let f = 0; f < turned.indices.length; f += 9)
      [turned.indices[f], turned.indices[f + 1]] = [turned.indices[f + 1], turned.indices[f]];
    for (const other of [inverted(surface), turned, apart(surface), apart(turned)])
      expect(closed(other).volume).toBeCloseTo(volumeOf(surface), 12);
  });

  it("drops copies of triangles, and walls between rooms", () => {
    const surface = box([1, 1, 1]);
    expect(closed({ ...surface, indices: [...surface.indices, ...surface.indices.slice(0, 6)] }).volume).toBeCloseTo(1);
    const rooms = closed(together(surface, box([1, 1, 1], [1, 0, 0])));
    expect(rooms.volume).toBeCloseTo(2, 12);
    expect(rooms.pieceCount).toBe(1);
    expect(rooms.indices.length).toBe(3 * 20);
  });

  it("takes pieces inside others as cavities, whichever way they are wound", () => {
    for (const inner of [box([1, 1, 1]), inverted(box([1, 1, 1]))])
      expect(closed(together(box([2, 2, 2]), inner, box([0.5, 0.5, 0.5]))).volume).toBeCloseTo(8 - 1 + 0.125, 12);
  });

  it("takes pieces that are only partly inside others for no cavities", () => {
    for (const away of [0.1, 0.5, 0.9])
      for (const inner of [box([1, 1, 1], [away, away, away]), inverted(box([1, 1, 1], [away, away, away]))])
        for (const pair of [together(box([1, 1, 1]), inner), together(inner, box([1, 1, 1]))])
          expect(closed(pair).volume).toBeCloseTo(2, 12);
  });

  it("closes a small hole", () => {
    const surface = sphere(1, 16);
    const holed = { ...surface, indices: surface.indices.filter((_, i) => i < 3 * 300 || i >= 3 * 303) };
    expect(closed(holed).volume).toBeCloseTo(volumeOf(surface), 2);
    const half = { ...surface, indices: surface.indices.slice(0, surface.indices.length / 2) };
    expectRefused(
      () => closed(half),
      "degenerate-geometry",
      /^body: must be closed, and it has a hole of \d+ edges, got "edge/,
    );
  });

  it("refuses what has no inside", () => {
    const strip: Surface = { positions: [], indices: [] };
    for (let i = 0; i < 12; i++) {
      const [a, b] = [(2 * Math.PI * i) / 12, (Math.PI * i) / 12];
      for (const s of [-0.2, 0.2])
        strip.positions.push((1 + s * Math.cos(b)) * Math.cos(a), s * Math.sin(b), (1 + s * Math.cos(b)) * Math.sin(a));
      const [p, q] = [2 * i, 2 * i + 1];
      const [r, t] = i === 11 ? [1, 0] : [p + 2, q + 2];
      strip.indices.push(p, q, r, q, t, r);
    }
    expectRefused(
      () => closed(strip),
      "degenerate-geometry",
      /^body: must have an inside: it is one-sided, got "triangle/,
    );
    const walls = box([1, 1, 1]);
    expectRefused(
      () => closed({ positions: [...walls.positions, 0, 5, 0], indices: [...walls.indices, 0, 1, 8] }),
      "degenerate-geometry",
      /^body: must be/,
    );
    const twoSided = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2, 0, 2, 1] };
    expectRefused(() => closed(twoSided), "degenerate-geometry", /^body: must be closed, and it has a hole of 3 edges/);
    const point = { positions: [0, 0, 0, 0, 0, 0, 0, 0, 0], indices: [0, 1, 2] };
    expectRefused(() => closed(point), "degenerate-geometry", /^body: must have an area/);
    expectRefused(() => closed({ positions: [0, 0, NaN], indices: [0, 0, 0] }), "non-finite", /^body vertex 0/);
    expectRefused(() => closed({ positions: [0, 0, 0], indices: [0, 1, 0] }), "index-out-of-range", /^body triangle 0/);
  });

  it("takes edges that two bodies share", () => {
    const pair = closed(together(box([1, 1, 1]), box([1, 1, 1], [1, 1, 0])));
    expect(pair.volume).toBeCloseTo(2, 12);
  });
});
