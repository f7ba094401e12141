import { describe, expect, it } from "vitest";
import type { Vec3 } from "../../../src/math/types";
import { nearestToRay } from "../../../src/world/output/pick";
import { chainModel } from "../../../samples/chain";
import { RandomGeometry } from "../../collision/random";
import { randomPositions, triangleSoup } from "../../geometry/meshes";
import { gridCloth } from "../cloths";
import { backends, inWorld, run } from "../worlds";

const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

describe("a ray", () => {
  it("meets the first of many triangles, and names its nearest corner", () => {
    const random = new RandomGeometry(121);
    const positions = randomPositions(122, 90);
    const faces = triangleSoup(123, 90, 20);
    const at = (p: number): Vec3 => [positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]];
    let hits = 0;
    for (let i = 0; i < 200; i++) {
      // aims from outside at a point inside a triangle
      const f = 3 * Math.floor(random.between(0, faces.length / 3));
      const [u, v] = [random.between(0.1, 0.4), random.between(0.1, 0.4)];
      const corners = [at(faces[f]), at(faces[f + 1]), at(faces[f + 2])];
      const target = [0, 1, 2].map((c) => (1 - u - v) * corners[0][c] + u * corners[1][c] + v * corners[2][c]);
      const origin = random.direction().map((value) => 4 * value) as unknown as Vec3;
      const direction = sub(target as unknown as Vec3, origin).map((value) => 3 * value) as unknown as Vec3;
      const hit = nearestToRay(positions, faces, origin, direction)!;
      const distance = Math.hypot(...sub(target as unknown as Vec3, origin));
      expect(hit.distance).toBeLessThanOrEqual(distance + 1e-9);
      if (hit.distance < distance - 1e-9) continue;
      hits++;
      hit.point.forEach((value, c) => expect(value).toBeCloseTo(target[c], 9));
      const separations = [0, 1, 2].map((k) => Math.hypot(...sub(corners[k], target as unknown as Vec3)));
      expect(hit.particle).toBe(faces[f + separations.indexOf(Math.min(...separations))]);
    }
    expect(hits).toBeGreaterThan(20);
  });

  it("does not look behind itself", () => {
    const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0];
    expect(nearestToRay(positions, [0, 1, 2], [0.2, 0.2, 1], [0, 0, 1])).toBeUndefined();
    expect(nearestToRay(positions, [0, 1, 2], [0.2, 0.2, 1], [0, 0, -1])?.distance).toBeCloseTo(1, 12);
  });

  it("takes a particle within a radius where it meets no triangle", () => {
    const positions = [0, 0, 0, 1, 0, 0, 2, 0, 0];
    const ray = [
      [1.01, 5, 0],
      [0, -2, 0],
    ] as const;
    expect(nearestToRay(positions, [], ...ray)).toMatchObject({ particle: 1, distance: 5 });
    expect(nearestToRay(positions, [], ...ray, 0.005)).toBeUndefined();
    expect(nearestToRay(positions, [], [1, 5, 0], [0, 0, 0])).toBeUndefined();
  });
});

describe.each(backends)("picking on %s", (backend) => {
  it("finds the cloth where it is now", async () => {
    await inWorld(backend, {}, async (world) => {
      const model = gridCloth({ width: 1, height: 1, columns: 8, rows: 8 });
      const body = world.addBody(model, { substeps: 2, airDensity: 0 });
      run(world, 20);
      const hit = (await body.pick([0.24, 3, 0.26], [0, -1, 0]))!;
      const fallen = -(await body.readPositions())[1];
      expect(fallen).toBeGreaterThan(0.1);
      expect(hit.distance).toBeCloseTo(3 + fallen, 4);
      expect(hit.particle).toBe(
        model.positions.findIndex((x, i) => i % 3 === 0 && x === 0.25 && model.positions[i + 2] === 0.25) / 3,
      );
      expect(await body.pick([5, 3, 5], [0, -1, 0])).toBeUndefined();
    });
  });

  it("finds a particle of a chain", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const positions = [0, 0, 0, 0.5, 0, 0, 1, 0, 0];
      const body = world.addBody(chainModel({ positions, masses: [1, 1, 1], compliance: 0 }), { substeps: 1 });
      expect((await body.pick([0.51, 0, 2], [0, 0, -1]))?.particle).toBe(1);
      expect(await body.pick([0.7, 0, 2], [0, 0, -1])).toBeUndefined();
      expect((await body.pick([0.7, 0, 2], [0, 0, -1], 0.25))?.particle).toBe(1);
    });
  });
});
