import { chainModel } from "../chain";
import { commonParameters, numberOf, solverOptions } from "../parameters";
import type { SceneDefinition } from "../scene";
import { posts } from "../stands";

const GRAVITY = 9.81;
const TOP = 1.6;

/** A chain of compliant distance constraints hangs from its first particle. */
export const hangingChain: SceneDefinition = {
  name: "hanging-chain",
  title: "Hanging chain",
  description: "Particles joined by compliant distance constraints (the XPBD special case) hang from the first one.",
  frames: 600,
  groundHeight: 0,
  view: { target: [0, 0.85, 0], alpha: -1.1, beta: 1.4, radius: 2.6 },
  parameters: [
    ...commonParameters({ substeps: 20, iterations: 4 }),
    { name: "links", default: 20, unit: "", range: [1, 200], integer: true, description: "links of the chain" },
    { name: "length", default: 1, unit: "m", range: [0.1, 1.4], description: "length of the unloaded chain" },
    { name: "mass", default: 1, unit: "kg", range: [0.01, 100], description: "mass of all hanging particles" },
    {
      name: "compliance",
      default: 1e-2,
      unit: "m/N",
      range: [1e-4, 5e-2],
      description: "compliance of the whole chain under a weight at its end: the sum over its links",
    },
    { name: "damping", default: 4, unit: "1/s", range: [0, 50], description: "rate at which velocities fade" },
  ],
  metrics: [
    {
      name: "elongationError",
      unit: "",
      bound: 0.01,
      description: "elongation against the closed form, as a fraction of it",
    },
    { name: "elongation", unit: "m", description: "elongation of the chain at the end" },
    { name: "expectedElongation", unit: "m", description: "closed form: sum over the links of weight below × α" },
  ],
  build(world, values) {
    world.gravity = [0, -GRAVITY, 0];
    const links = numberOf(values, "links");
    const length = numberOf(values, "length");
    const linkMass = numberOf(values, "mass") / links;
    const linkCompliance = numberOf(values, "compliance") / links;
    const positions = Float64Array.from({ length: 3 * (links + 1) }, (_, i) =>
      i % 3 === 1 ? TOP - (length * Math.floor(i / 3)) / links : 0,
    );
    const model = chainModel({
      positions,
      masses: new Float64Array(links + 1).fill(linkMass),
      compliance: linkCompliance,
      name: "chain",
    });
    const body = world.addBody(model, {
      ...solverOptions(values),
      name: "chain",
      pins: [0],
      damping: numberOf(values, "damping"),
      airDensity: 0,
    });
    // Link j of N from the bottom carries j particles: Σ_j α j m g = α m g N (N + 1) / 2.
    const expectedElongation = (linkCompliance * linkMass * GRAVITY * links * (links + 1)) / 2;
    return {
      strands: [{ body, radius: 0.012, material: "steel" }],
      props: [
        {
          shape: { type: "box", halfExtents: [0.25, 0.02, 0.06], center: [0, TOP + 0.03, 0] },
          material: "wood",
        },
        ...posts(0, 0.015, [-0.23, TOP + 0.03, 0], [0.23, TOP + 0.03, 0]),
      ],
      async measure() {
        const { positions: state } = await body.readState();
        const elongation = state[1] - state[3 * links + 1] - length;
        return {
          elongationError: Math.abs(elongation - expectedElongation) / expectedElongation,
          elongation,
          expectedElongation,
        };
      },
    };
  },
};
