import { type Quat, ropeModel, type Vec3 } from "../../src/index";
import { knotDeterminant, overhandKnot, passesThroughItself, strandDistance } from "../knots";
import { rmsSpeed } from "../metrics";
import { commonParameters, numberOf, solverOptions } from "../parameters";
import type { SceneDefinition } from "../scene";
import { carried, stem } from "../stands";

const HEIGHT = 0.5;
/** An overhand knot closed at infinity is a trefoil. */
const TREFOIL = 3;

/** Both ends pull a rope with an overhand knot tight. */
export const ropeKnot: SceneDefinition = {
  name: "rope-knot",
  title: "Rope knot",
  description: "An overhand knot in a rope is pulled tight; it holds, and nothing passes through itself.",
  frames: 240,
  groundHeight: 0,
  view: { target: [0, HEIGHT + 0.06, 0], alpha: -1.57, beta: 1.3, radius: 1.9 },
  parameters: [
    ...commonParameters({ substeps: 60, iterations: 1 }),
    { name: "radius", default: 0.01, unit: "m", range: [0.004, 0.02], description: "of the rope" },
    { name: "edge", default: 0.02, unit: "m", range: [0.005, 0.04], description: "length of an edge of the rope" },
    { name: "pull", default: 0.49, unit: "m", range: [0, 0.6], description: "how far each end is pulled" },
    { name: "speed", default: 0.5, unit: "m/s", range: [0.05, 2], description: "at which each end is pulled" },
    { name: "youngsModulus", default: 1e6, unit: "Pa", range: [1e5, 1e8], description: "of the rope" },
    {
      name: "bending",
      default: 0.2,
      unit: "",
      range: [0, 1],
      description: "bending stiffness over that of a solid rod; fibers slip on each other",
    },
    { name: "friction", default: 0.4, unit: "", range: [0, 2], description: "of the rope with itself" },
  ],
  metrics: [
    {
      name: "knotLost",
      unit: "",
      bound: 0,
      description: "difference of the knot's determinant from 3, that of an overhand knot, at the end",
    },
    {
      name: "passes",
      unit: "",
      bound: 0,
      description: "how often edges have passed through each other, counted exactly from frame to frame",
    },
    {
      name: "overlap",
      unit: "",
      bound: 0.1,
      description: "most by which strands lay in each other, as a part of their thickness",
    },
    { name: "stretch", unit: "", description: "elongation of the rope at the end" },
    { name: "rmsSpeed", unit: "m/s", description: "root mean square speed at the end" },
  ],
  build(world, values) {
    world.gravity = [0, 0, 0];
    const radius = numberOf(values, "radius");
    const edge = numberOf(values, "edge");
    const knot = overhandKnot(0.04, 0.4, edge, 3 * radius);
    const positions = knot.map((value, i) => value + (i % 3 === 1 ? HEIGHT : 0));
    const count = positions.length / 3;
    const model = ropeModel({
      positions,
      radius,
      density: 1000,
      youngsModulus: numberOf(values, "youngsModulus"),
      bendingStiffness: numberOf(values, "bending") * 0.25 * Math.PI * radius ** 4 * numberOf(values, "youngsModulus"),
      friction: numberOf(values, "friction"),
      damping: 1e-3,
      name: "rope",
    });
    const ends = [0, 1, count - 2, count - 1];
    const body = world.addBody(model, { ...solverOptions(values), selfCollision: true, pins: ends, damping: 4 });
    const most = numberOf(values, "pull");
    const speed = numberOf(values, "speed");
    // Edges that are nearer along the rope than half the length of a turn do not count as separate strands.
    const apart = Math.ceil((Math.PI * radius) / edge) + 1;
    let way = 0;
    const holder = (side: number): { position: Vec3; rotation: Quat } => {
      const p = side < 0 ? 0 : count - 1;
      return {
        get position(): Vec3 {
          return [positions[3 * p] + side * way, positions[3 * p + 1], positions[3 * p + 2]];
        },
        rotation: [0, 0, 0, 1],
      };
    };
    let before: ArrayLike<number> = positions;
    let passes = 0;
    let overlap = 0;
    return {
      strands: [{ body, radius, material: "amber", smooth: true }],
      props: [-1, 1].map((side) => carried(holder(side), stem(HEIGHT + 0.02, 0.012), [0, -HEIGHT, 0])),
      beforeStep(time, dt) {
        way = Math.min(most, speed * (time + dt));
        for (const p of ends)
          body.setPinTarget(p, positions[3 * p] + (p < 2 ? -way : way), positions[3 * p + 1], positions[3 * p + 2]);
      },
      async afterStep() {
        const { positions: now } = await body.readState();
        passes += passesThroughItself(before, now);
        overlap = Math.max(overlap, 1 - strandDistance(now, apart) / (2 * radius));
        before = now;
      },
      async measure() {
        const { positions: now, velocities } = await body.readState();
        let length = 0;
        for (let i = 3; i < now.length; i += 3)
          length += Math.hypot(now[i] - now[i - 3], now[i + 1] - now[i - 2], now[i + 2] - now[i - 1]);
        return {
          knotLost: Math.abs(knotDeterminant(now) - TREFOIL),
          passes,
          overlap,
          stretch: length / ((count - 1) * edge) - 1,
          rmsSpeed: rmsSpeed(velocities, model.masses),
        };
      },
    };
  },
};
