import { drapedSheet } from "../draped-sheet";
import { Obstacle } from "../obstacles";

const HALF = 0.25;

/** A sheet falls on a cube (figure 6 of paper 2). */
export const sharpCorner = drapedSheet({
  name: "sharp-corner",
  title: "Sharp corner",
  description: "A rubber sheet comes to rest over the corners of a cube.",
  frames: 240,
  cells: 12,
  obstacles: (world, friction) => [
    new Obstacle(world, { type: "box", halfExtents: [HALF, HALF, HALF], center: [0, -HALF, 0] }, { friction }, "stone"),
  ],
});
