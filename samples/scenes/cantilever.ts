import { rmsSpeed } from "../metrics";
import { numberOf } from "../parameters";
import { addSolidBox, solidParameters } from "../solids";
import type { SceneDefinition } from "../scene";
import { posts } from "../stands";

const THICKNESS = 0.1;
/** Length over thickness. */
const SLENDERNESS = 6;
const LENGTH = SLENDERNESS * THICKNESS;
const CELLS = 7;
/** Substeps per frame and cell: sound then passes 1.3 linear cells in a time step, and 0.35 quadratic ones. */
const SUBSTEPS = { linear: 4, quadratic: 15 };
/** Deflection of the tip according to Euler and Bernoulli, as a part of the length. */
const DEFLECTION = 0.01;

/** A soft beam, clamped at one end, bends by its own weight. */
export const cantilever: SceneDefinition = {
  name: "cantilever",
  title: "Cantilever",
  description: "A soft beam, clamped on the left, bends by its weight: its tip goes down by 1 % of its length.",
  frames: 90,
  groundHeight: -0.3,
  view: { target: [0.3, 0, 0], alpha: -1.4, beta: 1.3, radius: 1.2 },
  parameters: solidParameters({
    cells: CELLS,
    pattern: "alternating",
    substeps: SUBSTEPS.linear * CELLS,
    followSubsteps: (values) =>
      Math.min(256, SUBSTEPS[values.elements as keyof typeof SUBSTEPS] * numberOf(values, "cells")),
    iterations: 1,
    newtonIterations: 1,
    poissonRatio: 0,
    youngsModulus: 1e6,
    damping: 25,
    warmStart: 0.99,
  }),
  metrics: [
    {
      name: "tipError",
      unit: "",
      bound: 0.03,
      description:
        "difference of the tip's deflection from Euler-Bernoulli's, as a part of it; needs 7 cells, 9 where all are cut alike, and one or two with elements=quadratic",
    },
    { name: "tipDeflection", unit: "m", description: "of the mean of the tip's vertices" },
    { name: "rmsSpeed", unit: "m/s", description: "root mean square speed at the end" },
  ],
  build(world, values) {
    // q L⁴ / 8 E I with q = ρ g h² and I = h⁴ / 12
    const stiffness = (8 * numberOf(values, "youngsModulus") * THICKNESS ** 2) / 12;
    world.gravity = [0, -(DEFLECTION * stiffness) / (1000 * LENGTH ** 3), 0];
    const { body, model } = addSolidBox(world, values, {
      size: [LENGTH, THICKNESS, THICKNESS],
      center: [LENGTH / 2, 0, 0],
    });
    const rest = model.positions;
    const at = (x: number): number[] => Array.from(model.masses.keys()).filter((p) => Math.abs(rest[3 * p] - x) < 1e-9);
    body.pin(at(0));
    const tip = at(LENGTH);
    return {
      props: [
        {
          shape: { type: "box", halfExtents: [0.05, 0.1, 0.1] },
          position: [-0.05, 0, 0],
          material: "steel",
        },
        ...posts(-0.3, 0.025, [-0.05, 0, 0]),
      ],
      softs: [{ body, material: "rubber" }],
      async measure() {
        const { positions, velocities } = await body.readState();
        const sum = tip.reduce((total, p) => total + rest[3 * p + 1] - positions[3 * p + 1], 0);
        const tipDeflection = sum / tip.length;
        return {
          tipError: Math.abs(tipDeflection / (DEFLECTION * LENGTH) - 1),
          tipDeflection,
          rmsSpeed: rmsSpeed(velocities, model.masses),
        };
      },
    };
  },
};
