import type { LinkDescription, LinkShape, MechanismDescription } from "../../../src/articulated/description";
import type { Vec3 } from "../../../src/math/types";

const scaled = ([x, y, z]: Vec3, size: number): Vec3 => [x * size, y * size, z * size];

export const sphere = (size: number, radius: number, center: Vec3 = [0, 0, 0]): LinkShape => ({
  shape: { type: "sphere", radius: size * radius, center: scaled(center, size) },
});

export const capsule = (size: number, pointA: Vec3, pointB: Vec3, radius: number): LinkShape => ({
  shape: { type: "capsule", pointA: scaled(pointA, size), pointB: scaled(pointB, size), radius: size * radius },
});

/** A free body that keeps its look, at a place and turned by a rotation vector. */
export function thing(size: number, name: string, at: Vec3, turn: Vec3, shape: LinkShape): LinkDescription {
  const moment = 0.02 * size ** 5;
  return {
    name,
    mass: size ** 3,
    inertia: [moment, moment, moment, 0, 0, 0],
    joint: { type: "free", initialPosition: [...turn, ...scaled(at, size)] },
    shapes: [shape],
  };
}

/** Rods and balls that lie on each other in a pit of four leaning boxes, and on a rail and a block at its bottom. */
export function heap(size: number): { mechanism: MechanismDescription; obstacles: LinkShape[] } {
  const links = [
    thing(size, "ball", [-0.1, 0.4, 0.1], [0, 0, 0], sphere(size, 0.2)),
    thing(size, "ball above", [0.2, 0.75, -0.1], [0, 0, 0], sphere(size, 0.18)),
    thing(size, "rod", [0, 0.9, 0.05], [0, 0.4, 0.1], capsule(size, [-0.25, 0, 0], [0.3, 0, 0], 0.1)),
    thing(size, "rod across", [0.05, 1.15, 0], [0, 1.5, 0.05], capsule(size, [-0.3, 0, 0], [0.3, 0, 0], 0.08)),
    thing(size, "rod beside", [0.25, 1.2, 0], [0, 1.49, 0.05], capsule(size, [-0.3, 0, 0], [0.3, 0, 0], 0.08)),
  ];
  const turn = Math.sin(0.3);
  const walls = [-1, 1].flatMap((side): LinkShape[] => {
    const shape = { type: "box", halfExtents: scaled([1, 0.1, 1], size) } as const;
    const w = Math.cos(0.3);
    return [
      { shape, position: scaled([0.8 * side, 0.45, 0], size), rotation: [0, 0, turn * side, w] },
      { shape, position: scaled([0, 0.45, 0.8 * side], size), rotation: [-turn * side, 0, 0, w] },
    ];
  });
  const block = { type: "box", halfExtents: scaled([0.1, 0.15, 0.1], size) } as const;
  return {
    mechanism: { name: "heap", links },
    obstacles: [
      ...walls,
      { shape: block, position: scaled([0.25, 0.05, 0.2], size), rotation: [0, 0.2, 0, Math.sqrt(0.96)] },
      capsule(size, [-0.2, 0, -1], [-0.2, 0, 1], 0.05),
    ],
  };
}

/** Slabs on each other and on a floor, each a third of the mass of the one below, that slide and turn: more contacts than hold them. */
export function slidingStack(size: number): { mechanism: MechanismDescription; obstacles: LinkShape[] } {
  const links = [0, 1, 2].map((i) => {
    const shape = { type: "box", halfExtents: scaled([0.3, 0.1, 0.2], size) } as const;
    const link = thing(size, `slab ${i}`, [0, 0.0999 + 0.1999 * i, 0], [0, 0.3 * i, 0], { shape });
    const motion = [
      [0, 0.5, 0, size, 0, 0.7 * size],
      [0, -1, 0, -size, 0, 0.2 * size],
      [0, 0, 0, 0, 0, 0],
    ][i];
    const joint = { ...link.joint, initialVelocity: motion } as typeof link.joint;
    const moment = link.inertia![0] / 3 ** i;
    return { ...link, joint, mass: link.mass! / 3 ** i, inertia: [moment, moment, moment, 0, 0, 0] as const };
  });
  const floor = { type: "box", halfExtents: scaled([50, 1, 50], size) } as const;
  return { mechanism: { name: "stack", links }, obstacles: [{ shape: floor, position: scaled([0, -1, 0], size) }] };
}

/** Boxes that lie on each other in a pit of leaning boxes, on corners, edges and faces; with a ball and a rod among them. */
export function boxHeap(size: number): { mechanism: MechanismDescription; obstacles: LinkShape[] } {
  const { obstacles } = heap(size);
  const box = (x: number, y: number, z: number): LinkShape => ({
    shape: { type: "box", halfExtents: scaled([x, y, z], size) },
  });
  const links = [
    thing(size, "box", [-0.1, 0.5, 0.1], [0.1, 0.3, 0], box(0.2, 0.1, 0.15)),
    thing(size, "box above", [0.1, 0.9, -0.1], [0.4, 0, 0.3], box(0.15, 0.12, 0.2)),
    thing(size, "long box", [0, 1.3, 0], [0, 0.7, 0.2], box(0.4, 0.06, 0.08)),
    thing(size, "ball", [0.25, 1.2, 0.3], [0, 0, 0], sphere(size, 0.1)),
    thing(size, "rod", [-0.2, 1.6, 0], [0, 0.4, 0.1], capsule(size, [-0.25, 0, 0], [0.3, 0, 0], 0.08)),
  ];
  return {
    mechanism: { name: "boxes", links },
    obstacles: [...obstacles.slice(0, 5), { ...sphere(size, 0.1), position: scaled([-0.2, 0.1, 0], size) }],
  };
}

/** As `boxHeap`, of wedges, a cylinder and a block with cut corners, on a cone. */
export function hullHeap(size: number): { mechanism: MechanismDescription; obstacles: LinkShape[] } {
  const hull = (...points: Vec3[]): LinkShape => ({
    shape: { type: "convex-hull", positions: points.flatMap((point) => [...scaled(point, size)]) },
  });
  const wedge = hull(
    [-0.2, -0.1, -0.15],
    [0.2, -0.1, -0.15],
    [0.2, -0.1, 0.15],
    [-0.2, -0.1, 0.15],
    [-0.15, 0.1, 0],
    [0.2, 0.12, 0],
  );
  const signs = [-1, 1];
  const ends = signs.flatMap((x) => signs.map((y): [number, number] => [0.15 * x, 0.15 * y]));
  const cut = hull(
    ...ends.flatMap(([u, v]): Vec3[] => [
      [u, v, 0.07],
      [u, v, -0.07],
      [u, 0.5 * v, 0.14],
      [0.4 * u, v, -0.14],
    ]),
  );
  const cylinder: LinkShape = {
    shape: {
      type: "cylinder",
      pointA: scaled([-0.3, 0, 0], size),
      pointB: scaled([0.3, 0, 0.02], size),
      radius: 0.09 * size,
    },
  };
  const cone = hull(
    [0, 0.3, 0],
    ...[0, 1, 2, 3, 4].map((i): Vec3 => [0.3 * Math.cos(1.2566 * i), 0, 0.3 * Math.sin(1.2566 * i)]),
  );
  const { mechanism, obstacles } = boxHeap(size);
  const shapes = [wedge, cut, cylinder];
  const links = mechanism.links.map((link, i) => (i < 3 ? { ...link, shapes: [shapes[i]] } : link));
  return {
    mechanism: { name: "hulls", links },
    obstacles: [...obstacles.slice(0, 4), { ...cone, position: scaled([-0.1, 0.05, 0.1], size) }],
  };
}
