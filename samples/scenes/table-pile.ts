import type { ColliderShape } from "../../src/index";
import { numberOf } from "../parameters";
import { Cast, frictionParameter, PenetrationMeter, random, rigidParameters, rmsSpeed, setUp } from "../rigid";
import type { SceneDefinition } from "../scene";

/** Tables that fall on a heap: figure 14, bottom. */
export const tablePile: SceneDefinition = {
  name: "table-pile",
  title: "Pile of tables",
  description: "Tables of five boxes each fall on a heap and hook into each other.",
  frames: 600,
  groundHeight: 0,
  view: { target: [0, 0.7, 0], alpha: -1, beta: 1.15, radius: 6.5 },
  parameters: [
    ...rigidParameters({ substeps: 2 }),
    { name: "count", default: 54, unit: "", range: [1, 200], integer: true, description: "number of tables" },
    frictionParameter(0.7),
  ],
  metrics: [
    { name: "rmsSpeed", unit: "m/s", bound: 1e-2, description: "root mean square of the speeds at the end" },
    {
      name: "maxPenetration",
      unit: "m",
      bound: 2e-3,
      description: "deepest contact of the last half second that anything was awake",
    },
  ],
  build(world, values) {
    const rigid = setUp(world, values);
    const friction = numberOf(values, "friction");
    const cast = new Cast(world);
    cast.floor({ friction });
    const next = random(3);
    for (let k = 0; k < numberOf(values, "count"); k++)
      cast.add(k % 3 === 0 ? "clay" : "wood", {
        name: `table ${k + 1}`,
        shape: table(),
        mass: 4.7,
        friction,
        position: [
          1.1 * ((k % 3) - 1) + 0.1 * next(),
          0.6 + 0.75 * Math.floor(k / 6),
          0.9 * ((k % 2) - 0.5) + 0.1 * next(),
        ],
        rotation: [0.4 * (next() - 0.5), next() - 0.5, 0.4 * (next() - 0.5), 1],
      });
    const meter = new PenetrationMeter(rigid);
    return {
      props: cast.props,
      afterStep(frame) {
        if (frame % 30 === 1 && rigid.contacts.count > 0) meter.deepest = 0;
        meter.update();
      },
      measure: () => Promise.resolve({ rmsSpeed: rmsSpeed(cast.bodies), maxPenetration: meter.deepest }),
    };
  },
};

function table(): ColliderShape {
  const leg = (x: number, z: number) => ({
    shape: { type: "box", halfExtents: [0.03, 0.22, 0.03] } as const,
    position: [0.32 * x, -0.24, 0.22 * z] as const,
  });
  return {
    type: "container",
    children: [
      { shape: { type: "box", halfExtents: [0.4, 0.02, 0.3] } },
      leg(-1, -1),
      leg(-1, 1),
      leg(1, -1),
      leg(1, 1),
    ],
  };
}
