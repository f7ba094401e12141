import { describe, expect, it } from "vitest";
import { nextCorner, oppositeCorner, twinSides } from "../../src/geometry/surface/twin-sides";
import { gpbdCloth } from "../../src/models/gpbd/cloth";
import { RandomGeometry } from "../collision/random";
import { expectWithin } from "../figures";
import { delaunay, scattered, type FlatMesh } from "../geometry/delaunay";
import { allBackends, inWorld } from "./worlds";

const size = 0.1;

/** A Delaunay mesh in which every fourth triangle is split in three around a new vertex; its list of triangles begins anywhere. */
function unstructured(seed: number): FlatMesh {
  const random = new RandomGeometry(seed);
  const { positions, indices } = delaunay(scattered([size, size], size / 6, random));
  const [points, faces] = [[...positions], [] as number[][]];
  for (let f = 0; f < indices.length; f += 3) {
    const corners = [...indices.subarray(f, f + 3)];
    if (random.between(0, 4) > 1) faces.push(corners);
    else {
      const middle = points.length / 3;
      for (let c = 0; c < 3; c++) points.push(corners.reduce((sum, p) => sum + positions[3 * p + c] / 3, 0));
      for (let k = 0; k < 3; k++) faces.push([corners[k], corners[(k + 1) % 3], middle]);
    }
  }
  faces.sort(() => random.between(-1, 1));
  return { positions: Float64Array.from(points), indices: Uint32Array.from(faces.flat()) };
}

/** Triangles with the same vertex across two or three sides. */
function withCornerOfThree({ indices }: FlatMesh): number {
  const twins = twinSides(indices);
  let count = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const across = [i, nextCorner(i), oppositeCorner(i)].filter((side) => twins[side] >= 0);
    count += Number(new Set(across.map((side) => indices[oppositeCorner(twins[side])])).size < across.length);
  }
  return count;
}

const sheets = [
  { name: "knitted", fabric: "stockinette", bending: undefined },
  { name: "isometric", fabric: "cotton", bending: "isometric" },
  { name: "dihedral", fabric: "denim", bending: "dihedral" },
] as const;

describe.each(allBackends)("a sheet of an unstructured mesh on %s", (backend) => {
  it.each(sheets)("goes nowhere by itself: $name", async ({ fabric, bending }) => {
    for (const seed of backend !== "webgpu" ? [71, 72] : [73]) {
      const mesh = unstructured(seed);
      expect(withCornerOfThree(mesh)).toBeGreaterThan(5);
      const model = gpbdCloth({ ...mesh, fabric, bending });
      const random = new RandomGeometry(seed + 10);
      const positions = model.positions.map((x) => x + 0.02 * size * random.between(-1, 1));
      const mass = model.masses.reduce((sum, m) => sum + m, 0);
      for (const method of ["gauss-seidel", "hybrid"] as const)
        await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
          const options = { method, substeps: 10, airDensity: 0, damping: 0, faceContacts: false };
          const body = world.addBody(model, options);
          body.writeState({ positions, velocities: new Float64Array(positions.length) });
          let fastest = 0;
          for (let frame = 0; frame < 6; frame++) {
            world.step(1 / 60);
            const { velocities } = await body.readState();
            velocities.forEach((v) => (fastest = Math.max(fastest, Math.abs(v))));
            const drift = [0, 1, 2].map((c) =>
              model.masses.reduce((sum, m, p) => sum + (m * velocities[3 * p + c]) / mass, 0),
            );
            const bound = backend === "reference" ? 1e-12 : 2e-6;
            expectWithin("speed of the sheet, of that of its fastest vertex", Math.hypot(...drift) / fastest, bound);
          }
          expect(fastest).toBeGreaterThan(0.01);
        });
    }
  });
});
