import { describe, expect, it } from "vitest";
import {
  combined,
  massless,
  meshMass,
  rotateInertia,
  solidMass,
  transformed,
} from "../../../src/articulated/loaders/mass-properties";
import { eulerRotation, matrixOf } from "../../../src/articulated/loaders/transform";
import { expectClose } from "./forward";

const boxIndices = [
  0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5,
];
const boxMesh = (a: number, b: number, c: number, at: readonly number[]): number[] =>
  [
    [-1, -1, -1],
    [1, -1, -1],
    [1, 1, -1],
    [-1, 1, -1],
    [-1, -1, 1],
    [1, -1, 1],
    [1, 1, 1],
    [-1, 1, 1],
  ].flatMap(([x, y, z]) => [a * x + at[0], b * y + at[1], c * z + at[2]]);

/** Sums over small cells of space: independent of every formula. */
function integrated(inside: (x: number, y: number, z: number) => boolean, reach: number, cells: number): number[] {
  const step = (2 * reach) / cells;
  const sums = new Array<number>(7).fill(0);
  for (let i = 0; i < cells ** 3; i++) {
    const [x, y, z] = [i % cells, Math.floor(i / cells) % cells, Math.floor(i / cells ** 2)].map(
      (k) => -reach + (k + 0.5) * step,
    );
    if (!inside(x, y, z)) continue;
    sums[0] += 1;
    sums[1] += y * y + z * z;
    sums[2] += x * x + z * z;
    sums[3] += x * x + y * y;
  }
  return sums.slice(0, 4).map((sum) => sum * step ** 3);
}

describe("mass properties", () => {
  it("of a capsule and a cylinder agree with sums over space", () => {
    const [r, half] = [0.3, 0.5];
    const round = (y: number, z: number): boolean => y * y + z * z < r * r;
    const capsule = (x: number, y: number, z: number): boolean =>
      Math.abs(x) < half ? round(y, z) : (Math.abs(x) - half) ** 2 + y * y + z * z < r * r;
    for (const [type, inside] of [
      ["capsule", capsule],
      ["cylinder", (x: number, y: number, z: number): boolean => Math.abs(x) < half && round(y, z)],
    ] as const) {
      const body = solidMass({ type, pointA: [-half, 0, 0], pointB: [half, 0, 0], radius: r }, 1)!;
      const sums = integrated(inside, 0.8, 96);
      const found = [body.mass, body.inertia[0], body.inertia[4], body.inertia[8]];
      found.forEach((value, i) => expect(value / sums[i]).toBeCloseTo(1, 2));
    }
  });

  it("of a box and of its triangles agree, wherever it is and whichever way it winds", () => {
    const at = [0.3, -0.7, 1.1] as const;
    const solid = solidMass({ type: "box", halfExtents: [0.2, 0.5, 0.9], center: at }, 700)!;
    const positions = boxMesh(0.2, 0.5, 0.9, at);
    for (const indices of [boxIndices, [...boxIndices].reverse()]) {
      const mesh = meshMass(positions, indices, 700)!;
      expect(mesh.mass).toBeCloseTo(solid.mass, 9);
      expectClose(mesh.centre, solid.centre);
      expectClose(mesh.inertia, solid.inertia);
    }
    expect(meshMass(positions, [0, 1, 2], 0)?.mass).toBe(0);
    expect(meshMass([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2], 1)).toBeUndefined();
  });

  it("of halves add up to those of the whole", () => {
    const whole = solidMass({ type: "box", halfExtents: [1, 0.4, 0.3] }, 3)!;
    const half = (x: number) => solidMass({ type: "box", halfExtents: [0.5, 0.4, 0.3], center: [x, 0, 0] }, 3)!;
    const sum = combined([half(-0.5), half(0.5), massless]);
    expect(sum.mass).toBeCloseTo(whole.mass, 12);
    expectClose(sum.inertia, whole.inertia);
    expect(combined([])).toEqual(massless);
  });

  it("turn with the body", () => {
    const turn = { position: [1, 2, 3], rotation: eulerRotation([0.3, -0.8, 1.2], "xyz") } as const;
    const box = solidMass({ type: "box", halfExtents: [0.2, 0.5, 0.9] }, 10)!;
    const corners = boxMesh(0.2, 0.5, 0.9, [0, 0, 0]);
    const r = matrixOf(turn.rotation);
    const moved = corners.map((_, i) => {
      const v = 3 * Math.floor(i / 3);
      const row = 3 * (i % 3);
      return r[row] * corners[v] + r[row + 1] * corners[v + 1] + r[row + 2] * corners[v + 2] + turn.position[i % 3];
    });
    const mesh = meshMass(moved, boxIndices, 10)!;
    const turned = transformed(box, turn);
    expectClose(turned.centre, mesh.centre);
    expectClose(turned.inertia, mesh.inertia);
    expectClose(rotateInertia(turned.inertia, matrixOf(eulerRotation([-0.3, 0.8, -1.2], "XYZ"))), box.inertia);
  });

  it("are unknown for a heightfield", () => {
    const heights = new Array<number>(4).fill(0);
    expect(
      solidMass({ type: "heightfield", sizeX: 1, sizeZ: 1, samplesX: 2, samplesZ: 2, heights }, 1),
    ).toBeUndefined();
  });
});
