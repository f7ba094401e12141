import { gridMesh } from "../../src/index";
import { addCloth, clothInWorld, clothParameters, clothStepping, rotationAboutZ, segmentsOf } from "../cloth";
import { centerOfMass } from "../metrics";
import { Obstacle } from "../obstacles";
import { numberOf } from "../parameters";
import type { ParameterValues, SceneDefinition } from "../scene";

const GRAVITY = 9.81;
const SIDE = 0.5;
const THICKNESS = 0.004;
const LENGTH = 9;

/** A cloth lies on an inclined plane: it sticks below the friction angle and slides above it. */
export const incline: SceneDefinition = {
  name: "incline",
  title: "Incline",
  description:
    "A cloth on an inclined plane. It sticks where tan(angle) is below the friction coefficient, else slides.",
  frames: 60,
  groundHeight: -0.9,
  view: { target: [0.1, -0.1, 0], alpha: -1.15, beta: 1.2, radius: 3.4 },
  parameters: [
    ...clothStepping({ resolution: 16, substeps: 10, iterations: 1 }),
    ...clothParameters({ resolution: 16, highest: 128, fabric: "denim" }),
    { name: "angle", default: 25, unit: "°", range: [5, 35], description: "angle of the plane to the horizontal" },
    { name: "friction", default: 0.364, unit: "", range: [0, 2], description: "friction coefficient" },
  ],
  metrics: [
    { name: "slideDistance", unit: "m", description: "way of the center of mass down the plane" },
    { name: "expectedDistance", unit: "m", description: "closed form: ½ g (sin − µ cos) t², or 0 where it sticks" },
    { name: "slideError", unit: "m", bound: 0.01, description: "difference of the two" },
  ],
  build(world, values, makeCloth = clothInWorld(world)) {
    world.gravity = [0, -GRAVITY, 0];
    const angle = (numberOf(values, "angle") * Math.PI) / 180;
    const friction = numberOf(values, "friction");
    const rotation = rotationAboutZ(-angle);
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    // The plane's top passes through the origin; the cloth starts there and slides towards +x, down.
    const plane = new Obstacle(
      world,
      { type: "box", halfExtents: [LENGTH / 2, 0.05, 0.5], center: [LENGTH / 2 - 1, -0.05, 0] },
      { name: "plane", rotation, friction },
      "wood",
    );
    const [columns, rows] = segmentsOf(values, SIDE, SIDE);
    const mesh = gridMesh({ width: SIDE, height: SIDE, columns, rows });
    for (let i = 0; i < mesh.positions.length; i += 3) {
      const x = mesh.positions[i];
      mesh.positions[i] = cos * x + sin * THICKNESS;
      mesh.positions[i + 1] = cos * THICKNESS - sin * x;
    }
    const cloth = addCloth(makeCloth, values, {
      name: "cloth",
      mesh,
      size: [SIDE, SIDE],
      options: { thickness: THICKNESS, friction, airDensity: 0 },
    });
    const start = centerOfMass(cloth.restPositions, cloth.masses);
    const startTime = world.time;
    return {
      props: [plane],
      async measure() {
        const end = centerOfMass((await cloth.body.readState()).positions, cloth.masses);
        const slideDistance = (end[0] - start[0]) * cos - (end[1] - start[1]) * sin;
        const expectedDistance = slidingDistance(angle, friction, world.time - startTime, values);
        return { slideDistance, expectedDistance, slideError: Math.abs(slideDistance - expectedDistance) };
      },
    };
  },
};

/** Travel of a rigid plate under Coulomb friction after n substeps of backward Euler: a h² n (n + 1) / 2. */
function slidingDistance(angle: number, friction: number, time: number, values: ParameterValues): number {
  const h = numberOf(values, "frameTime") / numberOf(values, "substeps");
  const acceleration = Math.max(0, GRAVITY * (Math.sin(angle) - friction * Math.cos(angle)));
  const substeps = Math.round(time / h);
  return (acceleration * h * h * substeps * (substeps + 1)) / 2;
}
