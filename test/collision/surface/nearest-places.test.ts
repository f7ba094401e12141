import { describe, expect, it } from "vitest";
import { NearestPlaces } from "../../../src/collision/surface/nearest-places";
import { SurfaceContact } from "../../../src/collision/surface/surface-contact";
import { joinSurfaces } from "../../../src/collision/surface/surface-mesh";
import { gridMesh } from "../../../src/geometry/grid";

const THICKNESS = 0.01;

describe("surfaces whose vertices lie almost on one another", () => {
  /** The upper one gets pushes: their sum across over that along the normal, and how many of its vertices they move. */
  function push(size: number, aside: number, isGuest: boolean, bend: (x: number) => number = () => 0) {
    const sheet = gridMesh({ width: size, height: size, columns: 4, rows: 4 });
    const bent = Float64Array.from(sheet.positions, (value, i) =>
      i % 3 === 1 ? size * bend(sheet.positions[i - 1] / size) : value,
    );
    const thickness = THICKNESS * size;
    const above = bent.map((value, i) => value + [aside, 0.9, 0.3 * aside][i % 3] * thickness);
    const part = { restPositions: bent, faces: sheet.indices, selfCollision: false, bodyCollision: true };
    const mesh = joinSurfaces([part, { ...part, restPositions: above }]);
    const contact = new SurfaceContact(mesh, new NearestPlaces(mesh, [false, isGuest]));
    const start = mesh.restPositions.slice();
    const x = start.slice();
    const settings = { thickness, friction: [0, 0], partingSpeed: 1 };
    contact.find(start, new Float64Array(x.length), thickness);
    contact.begin(start, true);
    contact.resolve(x, start, new Float64Array(mesh.particleCount).fill(1), 1, settings);
    const sum = [0, 0, 0];
    let moved = 0;
    for (let i = bent.length; i < x.length; i++) {
      sum[i % 3] += x[i] - start[i];
      if (i % 3 === 1 && x[i] > start[i]) moved++;
    }
    return { lean: Math.sqrt(sum[0] ** 2 + sum[2] ** 2) / sum[1], moved };
  }

  it.each([0.1, 1, 10])("push a guest along the normal alone, at size %f", (size) => {
    for (const aside of [-0.3, 0.2, 0.4]) {
      expect(push(size, aside, true).lean).toBeLessThan(1e-3);
      expect(push(size, aside, false).lean).toBeGreaterThan(0.02);
    }
  });

  it("push all vertices at ridges and in valleys, too", () => {
    for (const height of [0.3, -0.3])
      for (const aside of [-0.3, 0.4]) expect(push(1, aside, true, (x) => height * Math.abs(x)).moved).toBe(25);
  });
});
