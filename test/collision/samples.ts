import type { PrimitiveKind } from "../../src/collision/distance/primitives";
import { compileShape, meshPart, type Primitive } from "../../src/collision/distance/primitives";
import type { ColliderShape, HeightfieldShape, MeshShape } from "../../src/collision/shape/shape";
import { random } from "./random";

/** A terrain of gentle waves, with cells of unequal sides. */
export const HILLS: HeightfieldShape = (() => {
  const [samplesX, samplesZ] = [13, 9];
  const heights = Array.from({ length: samplesX * samplesZ }, (_, n) => {
    const i = n % samplesX;
    const j = Math.floor(n / samplesX);
    return 0.25 * Math.sin(0.9 * i) * Math.cos(0.7 * j) + 0.05 * j;
  });
  return { type: "heightfield", sizeX: 2.4, sizeZ: 2, samplesX, samplesZ, heights };
})();

/** Points around a ball, uneven. */
export const PEBBLE: ColliderShape = (() => {
  const next = random(7);
  const positions = Array.from({ length: 40 }, () => {
    const y = 2 * next() - 1;
    const angle = 2 * Math.PI * next();
    const r = Math.sqrt(1 - y * y);
    return [0.6 * r * Math.cos(angle), 0.4 * y, 0.5 * r * Math.sin(angle)];
  });
  return { type: "convex-hull", positions: positions.flat() };
})();

/** Triangles of an octahedron, split `times` times and pushed out to a sphere; counter-clockwise seen from outside. */
export function ballMesh(radius: number, times: number): { positions: number[]; indices: number[] } {
  let triangles: number[][][] = [];
  for (const x of [1, -1])
    for (const y of [1, -1])
      for (const z of [1, -1]) {
        const corners = [
          [x, 0, 0],
          [0, y, 0],
          [0, 0, z],
        ];
        triangles.push(x * y * z > 0 ? corners : corners.reverse());
      }
  const unit = (p: number[]): number[] => p.map((value) => value / Math.hypot(...p));
  const middle = (a: number[], b: number[]): number[] => unit(a.map((value, i) => value + b[i]));
  for (let n = 0; n < times; n++) {
    triangles = triangles.flatMap(([a, b, c]) => {
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      return [
        [a, ab, ca],
        [ab, b, bc],
        [ca, bc, c],
        [ab, bc, ca],
      ];
    });
  }
  const positions = triangles.flat(2).map((value) => radius * value);
  return { positions, indices: positions.filter((_, i) => i % 3 === 0).map((_, i) => i) };
}

export const BALL_MESH: MeshShape = { type: "mesh", ...ballMesh(0.5, 4), resolution: 24 };

// Shapes below are compiled without a world, which would load the code.
await meshPart.load();

/** One shape of every kind of primitive, each about a meter large. */
export const SHAPES: Record<keyof typeof PrimitiveKind, ColliderShape> = {
  sphere: { type: "sphere", radius: 0.6 },
  box: { type: "box", halfExtents: [0.5, 0.02, 0.7] },
  capsule: { type: "capsule", pointA: [0, -0.4, 0], pointB: [0, 0.4, 0], radius: 0.2 },
  cylinder: { type: "cylinder", pointA: [0, -0.3, 0], pointB: [0, 0.3, 0], radius: 0.4 },
  hull: PEBBLE,
  grid: BALL_MESH,
  heightfield: HILLS,
};

const compiled = new Map<string, Primitive>();

/** The only primitive of a sample shape, made once. */
export function samplePrimitive(kind: keyof typeof PrimitiveKind): Primitive {
  let primitive = compiled.get(kind);
  if (!primitive) {
    [primitive] = compileShape(SHAPES[kind]);
    compiled.set(kind, primitive);
  }
  return primitive;
}
