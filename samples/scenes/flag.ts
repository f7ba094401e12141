import { gridMesh, type Vec3 } from "../../src/index";
import { addCloth, clothInWorld, clothParameters, clothStepping } from "../cloth";
import { kineticEnergy } from "../metrics";
import { numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";

const WIDTH = 1.5;
const HEIGHT = 1;
const MAST = 2.6;
/** Energy bound, J: a whole flag of cotton (0.15 to 0.25 kg/m²) that flies at twice the wind's 6 m/s has less. */
const ENERGY_BOUND = 20;

/** A flag on a mast in wind with gusts. */
export const flag: SceneDefinition = {
  name: "flag",
  title: "Flag",
  description: "A flag flies in wind of six meters a second with gusts; lift and drag act on each face.",
  frames: 600,
  groundHeight: 0,
  view: { target: [0.62, 1.75, 0], alpha: -1.2, beta: 1.45, radius: 3.3 },
  parameters: [
    ...clothStepping({ resolution: 64, substeps: 50, iterations: 3 }),
    ...clothParameters({ resolution: 64, fabric: "cotton" }),
    {
      name: "areaDensity",
      default: 0.11,
      unit: "kg/m²",
      range: [0.02, 2],
      description: "mass of the flag for its area; polyester flags have about 0.11",
    },
    { name: "wind", default: 6, unit: "m/s", range: [0, 25], live: true, description: "mean speed of the wind" },
    {
      name: "gusts",
      default: 0.2,
      unit: "",
      range: [0, 1],
      live: true,
      description: "variation of speed and direction, as a fraction of the wind",
    },
  ],
  metrics: [
    { name: "maxStretchPercent", unit: "%", bound: 5, description: "largest elongation of an edge at the end" },
    {
      name: "maxKineticEnergy",
      unit: "J",
      bound: ENERGY_BOUND,
      description: "largest kinetic energy of the flag during the run",
    },
  ],
  build(world, values, makeCloth = clothInWorld(world)) {
    world.gravity = [0, -9.81, 0];
    const windNow = (time: number): Vec3 => windAt(time, numberOf(values, "wind"), numberOf(values, "gusts"));
    const columns = numberOf(values, "resolution");
    const rows = columns;
    const mesh = gridMesh({
      width: WIDTH,
      height: HEIGHT,
      columns,
      rows,
      plane: "xy",
      center: [WIDTH / 2 + 0.03, MAST - 0.1 - HEIGHT / 2, 0],
    });
    const hoist = verticesAtX(mesh.positions, 0.03);
    const cloth = addCloth(makeCloth, values, {
      name: "flag",
      mesh,
      size: [WIDTH, HEIGHT],
      pins: hoist,
      areaDensity: numberOf(values, "areaDensity"),
      options: { lift: 1, drag: 1, damping: 0.1 },
      material: "nylon",
    });
    cloth.body.setWind(...windNow(0));
    let maxKineticEnergy = 0;
    return {
      props: [
        { shape: { type: "cylinder", pointA: [0, 0, 0], pointB: [0, MAST, 0], radius: 0.022 }, material: "steel" },
        { shape: { type: "sphere", radius: 0.045, center: [0, MAST + 0.02, 0] }, material: "porcelain" },
        { shape: { type: "cylinder", pointA: [0, 0, 0], pointB: [0, 0.06, 0], radius: 0.2 }, material: "stone" },
      ],
      beforeStep(time, dt) {
        cloth.body.setWind(...windNow(time + dt));
      },
      async afterStep() {
        const { velocities } = await cloth.body.readState();
        maxKineticEnergy = Math.max(maxKineticEnergy, kineticEnergy(velocities, cloth.masses));
      },
      async measure() {
        const { positions } = await cloth.body.readState();
        return { maxStretchPercent: cloth.stretchPercent(positions), maxKineticEnergy };
      },
    };
  },
};

/** Wind velocity at a time, m/s: incommensurate sines instead of noise, so that every run sees the same gusts. */
function windAt(time: number, speed: number, gusts: number): Vec3 {
  const strength = speed * (1 + gusts * (0.6 * Math.sin(1.3 * time) + 0.4 * Math.sin(3.7 * time + 1)));
  const heading = 0.25 + gusts * (0.9 * Math.sin(0.9 * time) + 0.5 * Math.sin(2.9 * time + 2));
  const rise = 0.05 * gusts * Math.sin(2.1 * time);
  return [strength * Math.cos(heading), strength * rise, strength * Math.sin(heading)];
}

function verticesAtX(positions: ArrayLike<number>, x: number): number[] {
  const found: number[] = [];
  for (let i = 0; 3 * i < positions.length; i++) if (Math.abs(positions[3 * i] - x) < 1e-6) found.push(i);
  return found;
}
