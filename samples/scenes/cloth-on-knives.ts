import type { Vec3 } from "../../src/index";
import { drapedSheet } from "../draped-sheet";
import { Obstacle } from "../obstacles";

/** Wires along the upper edges of triangles: their radius, and the ends of each on both sides of its top [m]. */
const RADIUS = 0.004;
const BASE = 0.45;
const HEIGHT = 0.35;
const PLACES = [-0.3, -0.1, 0.1, 0.3];

/** A sheet falls on triangles on edge (figure 8 of paper 2). */
export const clothOnKnives = drapedSheet({
  name: "cloth-on-knives",
  title: "Cloth on knives",
  description:
    "A rubber sheet comes to rest on the edges of four triangles. These are wires of 4 mm radius: obstacles have an inside.",
  frames: 180,
  cells: 14,
  substeps: 2,
  obstacles: (world, friction) =>
    edges().map(
      ([pointA, pointB]) =>
        new Obstacle(world, { type: "capsule", pointA, pointB, radius: RADIUS }, { friction }, "steel"),
    ),
});

/** Triangles across z, with their tops at height 0 and slightly lower in turn. */
function edges(): (readonly [Vec3, Vec3])[] {
  return PLACES.flatMap((x, k) => {
    const top: Vec3 = [x, k % 2 === 0 ? 0 : -0.05, 0];
    return [
      [top, [x, top[1] - HEIGHT, -BASE]],
      [top, [x, top[1] - HEIGHT, BASE]],
    ] as const;
  });
}
