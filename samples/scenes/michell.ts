import { ropeModel } from "../../src/index";
import { commonParameters, numberOf, solverOptions } from "../parameters";
import type { SceneDefinition } from "../scene";

const RADIUS = 0.5;
const THICKNESS = 0.01;
/** B [N m²] */
const STIFFNESS = 0.1;
/** Initial height of the rings' second wave, as a part of the radius. */
const SEED = 1e-3;

/** Twice the mean of z cos 2φ and z sin 2φ: the height of the wave with two hills around a ring, as a part of the radius. */
function secondWave(positions: ArrayLike<number>): number {
  let [cosine, sine] = [0, 0];
  const count = positions.length / 3;
  for (let i = 0; i < count; i++) {
    const angle = (4 * Math.PI * i) / count;
    cosine += (2 / count) * positions[3 * i + 1] * Math.cos(angle);
    sine += (2 / count) * positions[3 * i + 1] * Math.sin(angle);
  }
  return Math.hypot(cosine, sine) / RADIUS;
}

/**
 * Michell's instability: a ring bent from a straight rod stays flat up to a twist of 2π√3 B/C, and leaves its plane beyond.
 */
export const michell: SceneDefinition = {
  name: "michell",
  title: "Michell's ring",
  description:
    "Two rings of rods, twisted a little less and a little more than 2π√3 B/C. The first stays flat, the second buckles.",
  frames: 300,
  groundHeight: -0.4,
  view: { target: [0, 0, 0], alpha: -1.3, beta: 1.1, radius: 2.2 },
  parameters: [
    ...commonParameters({ substeps: 40, iterations: 1 }),
    { name: "segments", default: 40, unit: "", range: [12, 200], integer: true, description: "edges of a ring" },
    {
      name: "torsionRatio",
      default: 1,
      unit: "",
      range: [0.5, 2],
      description: "C/B: stiffness against twist over that against bending",
    },
    {
      name: "offset",
      default: 0.05,
      unit: "",
      range: [0.01, 0.5],
      description: "part of the critical twist by which the rings are twisted less and more",
    },
  ],
  metrics: [
    {
      name: "growthBelow",
      unit: "",
      bound: 2,
      description: "largest height of the wave in the ring that is twisted less, over that at the start",
    },
    {
      name: "decayAbove",
      unit: "",
      bound: 0.1,
      description: "height of the wave at the start over the largest in the ring that is twisted more",
    },
    { name: "criticalTwist", unit: "rad", description: "2π√3 B/C" },
  ],
  build(world, values) {
    world.gravity = [0, 0, 0];
    const segments = numberOf(values, "segments");
    const ratio = numberOf(values, "torsionRatio");
    const offset = numberOf(values, "offset");
    const criticalTwist = (2 * Math.PI * Math.sqrt(3)) / ratio;
    const rings = [-1, 1].map((side) => {
      const positions = Array.from({ length: segments }, (_, i) => {
        const angle = (2 * Math.PI * i) / segments;
        const [x, z] = [RADIUS * Math.cos(angle), RADIUS * Math.sin(angle)];
        return [x + 1.2 * side * RADIUS, SEED * RADIUS * Math.cos(2 * angle), z];
      }).flat();
      const model = ropeModel({
        positions,
        closed: true,
        radius: THICKNESS,
        density: 1000,
        youngsModulus: 1e6,
        bendingStiffness: STIFFNESS,
        torsionStiffness: ratio * STIFFNESS,
        twist: (1 + side * offset) * criticalTwist,
        name: side < 0 ? "ring twisted less" : "ring twisted more",
      });
      return world.addBody(model, { ...solverOptions(values) });
    });
    const largest = [0, 0];
    return {
      strands: rings.map((body) => ({
        body,
        radius: THICKNESS,
        material: "steel" as const,
        smooth: true,
        closed: true,
      })),
      props: [],
      async afterStep() {
        const states = await Promise.all(rings.map((body) => body.readPositions()));
        states.forEach((positions, k) => (largest[k] = Math.max(largest[k], secondWave(positions))));
      },
      measure: async () => ({ growthBelow: largest[0] / SEED, decayAbove: SEED / largest[1], criticalTwist }),
    };
  },
};
