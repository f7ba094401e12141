import { numberOf } from "../parameters";
import { box, Cast, DriftMeter, frictionParameter, PenetrationMeter, rigidParameters, setUp } from "../rigid";
import type { PropMaterial, SceneDefinition } from "../scene";

/** A wall of boxes in the shape of a triangle. */
export const pyramid: SceneDefinition = {
  name: "pyramid",
  title: "Pyramid",
  description: "Rows of boxes, each shifted by half a box and one shorter than the one below.",
  frames: 600,
  groundHeight: 0,
  view: { target: [0, 10, 0], alpha: -1.35, beta: 1.35, radius: 62 },
  parameters: [
    ...rigidParameters({ substeps: 1 }),
    { name: "rows", default: 50, unit: "", range: [2, 80], integer: true, description: "rows of boxes" },
    frictionParameter(0.5),
  ],
  metrics: [
    { name: "maxDrift", unit: "m", bound: 1e-2, description: "furthest way of a box from where it stood" },
    { name: "maxPenetration", unit: "m", description: "deepest contact" },
  ],
  build(world, values) {
    const rigid = setUp(world, values);
    // Forces have to pass through all rows: sweeps from contact to contact would take thousands.
    rigid.quality = "precise";
    const friction = numberOf(values, "friction");
    const rows = numberOf(values, "rows");
    const cast = new Cast(world);
    cast.floor({ friction });
    const materials: readonly PropMaterial[] = ["wood", "clay", "stone"];
    for (let row = 0; row < rows; row++)
      for (let k = 0; k < rows - row; k++)
        cast.add(materials[(row + k) % materials.length], {
          name: `box ${row}/${k}`,
          shape: box(0.8, 0.5, 0.5),
          friction,
          position: [(k - (rows - row - 1) / 2) * 0.85, 0.25 + 0.5 * row, 0],
        });
    const drift = new DriftMeter(cast.bodies);
    const meter = new PenetrationMeter(rigid);
    return {
      props: cast.props,
      afterStep() {
        drift.update();
        meter.update();
      },
      measure: () => Promise.resolve({ maxDrift: drift.largest, maxPenetration: meter.deepest }),
    };
  },
};
