import type { ColliderShape, RigidBodyOptions } from "../../../src/index";
import { boundaryTriangles, boxTetrahedra } from "../../../src/geometry/tetrahedra/tet-mesh";
import { drawBodies, drawSetting, ground, places, times } from "../draw";
import type { Random } from "../random";
import type { Family } from "../scene";

/** A ring about y with a round section. */
function torus(radius: number, thickness: number, around: number, across: number): ColliderShape {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < around; i++)
    for (let j = 0; j < across; j++) {
      const [a, b] = [(2 * Math.PI * i) / around, (2 * Math.PI * j) / across];
      const r = radius + thickness * Math.cos(b);
      positions.push(r * Math.cos(a), thickness * Math.sin(b), r * Math.sin(a));
      const [k, l] = [((i + 1) % around) * across, (j + 1) % across];
      indices.push(i * across + j, i * across + l, k + j, k + j, i * across + l, k + l);
    }
  return { type: "mesh", positions, indices };
}

/** The surface of a box of cells. */
function cube(size: number, cells: number): ColliderShape {
  const mesh = boxTetrahedra({ size: [size, size, size], cells: [cells, cells, cells] });
  const indices = boundaryTriangles(mesh.tetrahedra);
  return { type: "mesh", positions: mesh.positions, indices };
}

function drawMesh(random: Random, size: number): ColliderShape {
  return random.chance(0.5)
    ? cube(0.6 * size, random.whole(1, 3))
    : torus(0.35 * size, size * random.between(0.06, 0.14), random.whole(8, 20), random.whole(5, 10));
}

/** Rolling ground of heights, whose highest point is at height 0. */
function hills(random: Random, size: number): RigidBodyOptions {
  const samples = 17;
  const [a, b] = [random.between(0.5, 2), random.between(0.5, 2)];
  const heights = Array.from({ length: samples ** 2 }, (_, i) => {
    const [x, z] = [i % samples, Math.floor(i / samples)];
    return 0.3 * size * (Math.sin(a * x) * Math.sin(b * z) - 1);
  });
  const shape = {
    type: "heightfield",
    sizeX: 40 * size,
    sizeZ: 40 * size,
    samplesX: samples,
    samplesZ: samples,
    heights,
  } as const;
  return { name: "hills", motion: "static", shape };
}

/** Dynamic meshes are thrown on ground of all kinds, at each other and at simple shapes. */
export const meshes: Family = {
  name: "meshes",
  hasGpu: true,
  draw(random) {
    const setting = drawSetting(random);
    const { size } = setting;
    const speed = Math.min(40, setting.speed);
    const isHilly = random.chance(0.3);
    const bodies = [isHilly ? hills(random, size) : ground(setting)];
    for (const position of places(random, random.whole(1, 4), 1.2 * size, 0))
      bodies.push({
        name: "mesh",
        shape: drawMesh(random, size),
        position,
        rotation: random.rotation(),
        linearVelocity: random.chance(0.7) ? times(random.direction(), speed) : [0, 0, 0],
        angularVelocity: random.chance(0.3) ? random.vector(5) : [0, 0, 0],
      });
    if (random.chance(0.3)) bodies.push(...drawBodies(random, setting, random.whole(1, 4), 6 * size));
    return { ...setting, floor: !isHilly, bodies };
  },
};
