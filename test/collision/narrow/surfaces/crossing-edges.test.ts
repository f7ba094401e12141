import fc from "fast-check";
import { expect, it } from "vitest";
import { frameOf } from "../../../../src/collision/narrow/frame";
import { Gathered } from "../../../../src/collision/narrow/surfaces/gathered";
import { MeshSurface } from "../../../../src/collision/narrow/surfaces/mesh-surface";
import { collideSurfaces } from "../../../../src/collision/narrow/surfaces/surfaces";
import type { TriangleSurface } from "../../../../src/collision/narrow/surfaces/triangle-surface";
import { HeightfieldSurface } from "../../../../src/collision/narrow/surfaces/heightfield-surface";
import { Manifold } from "../../../../src/collision/narrow/manifold";
import { lengthAt } from "../../../../src/math/vectors";
import type { Vec3 } from "../../../../src/math/types";
import { ballMesh } from "../../samples";
import { RandomGeometry, rotationAround } from "../../random";
import { torus } from "../../../world/rigid/thrown-meshes";

/** A surface that says nothing which would spare work. */
function plain(surface: TriangleSurface): TriangleSurface {
  return Object.create(surface, { distance: { value: undefined }, isSlender: { value: true } });
}

function normalized(v: Vec3): Vec3 {
  return v.map((x) => x / lengthAt(v, 0)) as unknown as Vec3;
}

/** All contacts of two surfaces, as numbers. */
function contacts(a: TriangleSurface, b: TriangleSurface, frame: Float64Array, margin: number): number[][] {
  const gathered = new Gathered();
  const m = new Manifold();
  const found: number[][] = [];
  collideSurfaces(a, b, frame, margin, gathered);
  found.push([gathered.count]);
  while (gathered.next(m))
    for (let i = 0; i < m.count; i++)
      found.push(
        [
          m.nx,
          m.ny,
          m.nz,
          m.kind,
          m.separation[i],
          m.triangleA[i],
          m.triangleB[i],
          m.featureA[i],
          m.featureB[i],
        ].concat(...[m.pointA, m.pointB].map((p) => [...p.subarray(3 * i, 3 * i + 3)])),
      );
  return found;
}

/** Corners of a ring, a ball, an open cap of it, a plate with slender triangles, or loose triangles, about 1 m large. */
function randomSurface(random: RandomGeometry): TriangleSurface {
  const kind = Math.floor(random.between(0, 6));
  const size = 10 ** random.between(-1, 1);
  const stretch: Vec3 = [size, size * 10 ** random.between(-2, 0), size];
  if (kind === 5) {
    const heights = Float64Array.from({ length: 36 }, () => random.between(-0.2, 0.2) * size);
    return new HeightfieldSurface(6, 6, 0.2 * size, 0.2 * size * 10 ** random.between(-2, 0), heights);
  }
  const { positions, indices } = kind === 0 ? torus(0.4, 0.15, 12, 6) : ballMesh(0.5, 2);
  let list = Array.from(indices);
  let points = Array.from(positions);
  if (kind === 2) list = list.slice(0, 3 * Math.floor(list.length / 6));
  if (kind === 3 || kind === 4) {
    points = Array.from({ length: 36 }, () => random.between(-0.5, 0.5));
    list = Array.from({ length: 15 }, () => Math.floor(random.between(0, 12))).flatMap((p) => [
      p,
      (p + 1) % 12,
      (p + 2 + Math.floor(random.between(0, 10))) % 12,
    ]);
  }
  return new MeshSurface(
    Float64Array.from(points, (x, i) => x * stretch[i % 3]),
    list,
    "mesh",
  );
}

it("spares no contact: edges and corners that are left out touch nothing", () => {
  let touching = 0;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (seed) => {
      const random = new RandomGeometry(seed);
      const [a, b] = [randomSurface(random), randomSurface(random)];
      const reach = Math.max(...[a, b].map(({ bounds }) => bounds[3] - bounds[0]));
      const axis = normalized([random.between(-1, 1), random.between(-1, 1), 1.1]);
      const at: Vec3 = [0, 1, 2].map(() => random.between(-0.4, 0.4) * reach) as unknown as Vec3;
      const frame = frameOf(at, rotationAround(axis, random.between(0, 6)));
      const margin = reach * 10 ** random.between(-3, 0);
      const expected = contacts(plain(a), plain(b), frame, margin);
      touching += expected.length > 1 ? 1 : 0;
      expect(contacts(a, b, frame, margin)).toEqual(expected);
    }),
    { numRuns: 150 },
  );
  expect(touching).toBeGreaterThan(50);
});
