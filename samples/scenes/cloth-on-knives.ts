import type { Vec3 } from "../../src/index";
import { drapedSheet } from "../draped-sheet";

/** Edges of the triangles: the ends of each, on both sides of its top [m]. */
const RADIUS = 0.004;
const BASE = 0.45;
const HEIGHT = 0.35;
const PLACES = [-0.3, -0.1, 0.1, 0.3];

/** A sheet falls on triangles on edge (figure 8 of paper 2). */
export const clothOnKnives = drapedSheet({
  name: "cloth-on-knives",
  title: "Cloth on knives",
  description: "A rubber sheet comes to rest on the edges of four triangles, as thin as wires.",
  frames: 150,
  cells: 14,
  obstacles(world, friction) {
    return edges().map(([pointA, pointB]) => {
      const shape = { type: "capsule", pointA, pointB, radius: RADIUS } as const;
      world.addCollider(shape, { friction });
      return { shape, material: "steel" };
    });
  },
  depth: (point) => Math.max(...edges().map(([a, b]) => RADIUS - distanceToSegment(point, a, b))),
});

/** Triangles across z, with their tops at height 0, in turn a little lower. */
function edges(): (readonly [Vec3, Vec3])[] {
  return PLACES.flatMap((x, k) => {
    const top: Vec3 = [x, k % 2 === 0 ? 0 : -0.05, 0];
    return [
      [top, [x, top[1] - HEIGHT, -BASE]],
      [top, [x, top[1] - HEIGHT, BASE]],
    ] as const;
  });
}

function distanceToSegment(p: Vec3, a: Vec3, b: Vec3): number {
  const d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]] as const;
  const r = [p[0] - a[0], p[1] - a[1], p[2] - a[2]] as const;
  const t = (d[0] * r[0] + d[1] * r[1] + d[2] * r[2]) / (d[0] ** 2 + d[1] ** 2 + d[2] ** 2);
  const s = Math.min(1, Math.max(0, t));
  return Math.hypot(r[0] - s * d[0], r[1] - s * d[1], r[2] - s * d[2]);
}
