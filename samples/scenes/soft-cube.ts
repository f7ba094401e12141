import { meshVolume } from "../../src/geometry/tetrahedra/tet-mesh";
import { rmsSpeed } from "../metrics";
import { Obstacle } from "../obstacles";
import { numberOf } from "../parameters";
import { addSolidBox, solidParameters } from "../solids";
import type { SceneDefinition } from "../scene";

const SIDE = 0.5;
const GRAVITY = 9.81;
const DENSITY = 1000;
const GAP = 1e-4;
/**
 * Substeps per frame for up to 15 cells a side, and proportionally more beyond: sound then passes 1.4 cells in a time
 * step.
 */
const SUBSTEPS = 4;

/** A soft cube settles under its own weight on ground without friction. */
export const softCube: SceneDefinition = {
  name: "soft-cube",
  title: "Soft cube",
  description: "A soft cube stands on smooth ground and gets shorter by its weight, by as much as theory says.",
  frames: 120,
  groundHeight: -0.1,
  view: { target: [0, 0.22, 0], alpha: -1.1, beta: 1.2, radius: 1.7 },
  parameters: solidParameters({
    cells: 10,
    substeps: SUBSTEPS,
    followSubsteps: (values) => Math.max(SUBSTEPS, Math.ceil((SUBSTEPS * numberOf(values, "cells")) / 15)),
    iterations: 1,
    newtonIterations: 1,
    damping: 10,
    warmStart: 0.98,
  }),
  metrics: [
    { name: "heightLossPercent", unit: "%", description: "of the mean height of the top over the bottom" },
    {
      name: "heightTheoryPercent",
      unit: "%",
      bound: 0.2,
      description: "its difference from ρ g L / 2 E, that of a bar of the same material",
    },
    { name: "volumeChangePercent", unit: "%", description: "loss of volume" },
    {
      name: "volumeTheoryPercent",
      unit: "%",
      bound: 0.2,
      description: "its difference from (1 − 2 ν) ρ g L / 2 E",
    },
    { name: "rmsSpeed", unit: "m/s", bound: 1e-3, description: "root mean square speed at the end" },
  ],
  build(world, values) {
    world.gravity = [0, -GRAVITY, 0];
    const ground = new Obstacle(
      world,
      { type: "box", halfExtents: [1.2, 0.05, 1.2] },
      { name: "ground", position: [0, -0.05 - GAP, 0], friction: 0 },
      "plaster",
    );
    const { body, model } = addSolidBox(
      world,
      values,
      { size: [SIDE, SIDE, SIDE], center: [0, SIDE / 2, 0], friction: 0 },
      { thickness: GAP, faceContacts: false },
    );
    const rest = model.positions;
    return {
      props: [ground],
      softs: [{ body, material: "rubber" }],
      async measure() {
        const { positions, velocities } = await body.readState();
        const height = (of: ArrayLike<number>): number => meanHeight(rest, of, SIDE) - meanHeight(rest, of, 0);
        const heightLossPercent = 100 * (1 - height(positions) / height(rest));
        const volume = (of: ArrayLike<number>): number => meshVolume(of, model.tetrahedra);
        const volumeChangePercent = 100 * (1 - volume(positions) / volume(rest));
        const theory = (100 * DENSITY * GRAVITY * SIDE) / (2 * numberOf(values, "youngsModulus"));
        const volumeTheory = (1 - 2 * numberOf(values, "poissonRatio")) * theory;
        return {
          heightLossPercent,
          heightTheoryPercent: Math.abs(heightLossPercent - theory),
          volumeChangePercent,
          volumeTheoryPercent: Math.abs(volumeChangePercent - volumeTheory),
          rmsSpeed: rmsSpeed(velocities, model.masses),
        };
      },
    };
  },
};

/** Height at which the vertices rest [m]. */
function meanHeight(rest: ArrayLike<number>, positions: ArrayLike<number>, at: number): number {
  let [sum, count] = [0, 0];
  for (let i = 1; i < rest.length; i += 3) {
    if (Math.abs(rest[i] - at) > 1e-9) continue;
    sum += positions[i];
    count++;
  }
  return sum / count;
}
