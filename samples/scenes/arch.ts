import type { Vec3 } from "../../src/index";
import { numberOf } from "../parameters";
import { Cast, DriftMeter, frictionParameter, PenetrationMeter, rigidParameters, setUp } from "../rigid";
import type { SceneDefinition } from "../scene";

const COUNT = 20;
const HEIGHT = 4;
const HALF_SPAN = 2.2;
const DEPTH = 0.35;
/** thickness at the crown and at the feet, m */
const THICKNESS = [0.28, 0.58];

/** A parabolic arch of loose blocks: figure 14. */
export const arch: SceneDefinition = {
  name: "arch",
  title: "Arch",
  description: "Twenty loose blocks along a parabola carry themselves.",
  frames: 600,
  groundHeight: 0,
  view: { target: [0, 2, 0], alpha: -1.3, beta: 1.35, radius: 7.8 },
  parameters: [...rigidParameters({ substeps: 1 }), frictionParameter(0.6)],
  metrics: [
    { name: "maxDrift", unit: "m", bound: 5e-3, description: "furthest way of a block from where it stood" },
    { name: "standing", unit: "", description: "1 while the crown is up" },
    { name: "maxPenetration", unit: "m", description: "deepest contact" },
    { name: "lightest", unit: "kg", description: "mass of the lightest block" },
    { name: "heaviest", unit: "kg", description: "mass of the heaviest block" },
  ],
  build(world, values) {
    const rigid = setUp(world, values);
    rigid.configure({ directLimit: 1200 });
    const friction = numberOf(values, "friction");
    const cast = new Cast(world);
    cast.floor({ friction });
    // Joints between blocks lie across the curve, at equal steps along the ground; the feet stand flat.
    const cuts = Array.from({ length: COUNT + 1 }, (_, k) => cut(-1 + (2 * k) / COUNT));
    for (let k = 0; k < COUNT; k++) {
      const corners = [...cuts[k], ...cuts[k + 1]];
      const centre: Vec3 = [mean(corners, 0), mean(corners, 1), 0];
      const positions = corners.flatMap(([x, y]) =>
        [-DEPTH / 2, DEPTH / 2].flatMap((z) => [x - centre[0], y - centre[1], z]),
      );
      cast.add(k % 2 === 0 ? "stone" : "plaster", {
        name: `block ${k + 1}`,
        shape: { type: "convex-hull", positions },
        friction,
        density: 700,
        position: centre,
        canSleep: false,
      });
    }
    const drift = new DriftMeter(cast.bodies);
    const meter = new PenetrationMeter(rigid);
    const masses = cast.bodies.map((body) => body.mass);
    return {
      props: cast.props,
      afterStep() {
        drift.update();
        meter.update();
      },
      measure() {
        return Promise.resolve({
          maxDrift: drift.largest,
          standing: cast.bodies[COUNT / 2].position[1] > HEIGHT - 0.5 ? 1 : 0,
          maxPenetration: meter.deepest,
          lightest: Math.min(...masses),
          heaviest: Math.max(...masses),
        });
      },
    };
  },
};

/** Inner and outer end of the joint at s from −1 to 1 along the span. */
function cut(s: number): [number, number][] {
  const x = HALF_SPAN * s;
  const y = HEIGHT * (1 - s * s);
  const half = 0.5 * (THICKNESS[0] + (THICKNESS[1] - THICKNESS[0]) * s * s);
  if (Math.abs(s) === 1) {
    // The foot is cut off level with the ground, as wide as the arch is there.
    const slope = (2 * HEIGHT) / HALF_SPAN;
    const across = (half * Math.sqrt(1 + slope * slope)) / slope;
    return [
      [x - Math.sign(s) * across, 0],
      [x + Math.sign(s) * across, 0],
    ];
  }
  const slope = (-2 * HEIGHT * s) / HALF_SPAN;
  const length = Math.sqrt(1 + slope * slope);
  const [nx, ny] = [-slope / length, 1 / length];
  return [
    [x - half * nx, y - half * ny],
    [x + half * nx, y + half * ny],
  ];
}

function mean(points: readonly [number, number][], axis: 0 | 1): number {
  return points.reduce((sum, point) => sum + point[axis], 0) / points.length;
}
