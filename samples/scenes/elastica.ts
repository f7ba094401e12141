import { ropeModel } from "../../src/index";
import { elasticaTip } from "../elastica";
import { rmsSpeed } from "../metrics";
import { commonParameters, numberOf, solverOptions } from "../parameters";
import type { SceneDefinition } from "../scene";
import { posts } from "../stands";

const GRAVITY = 9.81;
const HEIGHT = 1.2;
const RADIUS = 0.01;
const DENSITY = 1000;

/** A straight rod, clamped at one end, bends far down by its own weight. */
export const elastica: SceneDefinition = {
  name: "elastica",
  title: "Elastica",
  description: "A straight rod, clamped on the left, bends by its weight, far beyond what a linear theory knows.",
  frames: 240,
  groundHeight: 0,
  view: { target: [0.4, 0.85, 0], alpha: -1.5, beta: 1.4, radius: 1.8 },
  parameters: [
    ...commonParameters({ substeps: 20, iterations: 1 }),
    { name: "segments", default: 20, unit: "", range: [4, 200], integer: true, description: "edges of the rod" },
    {
      name: "load",
      default: 10,
      unit: "",
      range: [0.1, 100],
      description: "ρ A g L³ / B: weight times length² over bending stiffness",
    },
    { name: "damping", default: 6, unit: "1/s", range: [0, 50], description: "rate at which velocities fade" },
    { name: "warmStart", default: 0.95, unit: "", range: [0, 0.999], description: "see GpbdOptions.warmStart" },
  ],
  metrics: [
    {
      name: "tipError",
      unit: "",
      bound: 0.02,
      description: "distance of the tip from that of the elastica, as a part of the length",
    },
    { name: "tipDown", unit: "m", description: "how far the tip of the rod of 1 m has come down" },
    { name: "expectedDown", unit: "m", description: "the same by the elastica's equation" },
    { name: "rmsSpeed", unit: "m/s", description: "root mean square speed at the end" },
  ],
  build(world, values) {
    world.gravity = [0, -GRAVITY, 0];
    const segments = numberOf(values, "segments");
    const load = numberOf(values, "load");
    // The first edge is clamped: the rod of 1 m begins at the middle of that edge.
    const edge = 1 / (segments - 0.5);
    const positions = Array.from({ length: segments + 1 }, (_, i) => [(i - 0.5) * edge, HEIGHT, 0]).flat();
    const model = ropeModel({
      positions,
      radius: RADIUS,
      density: DENSITY,
      youngsModulus: 1e7,
      bendingStiffness: (DENSITY * Math.PI * RADIUS ** 2 * GRAVITY) / load,
      name: "rod",
    });
    const body = world.addBody(model, {
      ...solverOptions(values),
      pins: [0, 1],
      damping: numberOf(values, "damping"),
      warmStart: numberOf(values, "warmStart"),
    });
    const [along, down] = elasticaTip(load);
    return {
      strands: [{ body, radius: RADIUS, material: "steel", smooth: true }],
      props: [
        { shape: { type: "box", halfExtents: [0.06, 0.06, 0.06] }, position: [-0.06, HEIGHT, 0], material: "wood" },
        ...posts(0, 0.02, [-0.06, HEIGHT, 0]),
      ],
      async measure() {
        const { positions: x, velocities } = await body.readState();
        const [tipX, tipY] = [x[3 * segments], HEIGHT - x[3 * segments + 1]];
        return {
          tipError: Math.hypot(tipX - along, tipY - down),
          tipDown: tipY,
          expectedDown: down,
          rmsSpeed: rmsSpeed(velocities, model.masses),
        };
      },
    };
  },
};
