import type { ColliderShape } from "../../src/index";
import { numberOf } from "../parameters";
import { Cast, frictionParameter, PenetrationMeter, random, rigidParameters, rmsSpeed, setUp } from "../rigid";
import type { PropMaterial, SceneDefinition } from "../scene";

const LAYER = 25;
const SPACING = 0.62;
const WALL = 2.2;

/** Boxes that fall into a pit. */
export const pile: SceneDefinition = {
  name: "pile",
  title: "Pile",
  description: "Boxes and hulls fall into a pit and come to rest on each other.",
  frames: 600,
  groundHeight: 0,
  view: { target: [0, 1.6, 0], alpha: -1, beta: 1.05, radius: 13 },
  parameters: [
    ...rigidParameters({ substeps: 1 }),
    { name: "count", default: 500, unit: "", range: [1, 5000], integer: true, description: "number of bodies" },
    { name: "hulls", default: 0.3, unit: "", range: [0, 1], description: "share of them that are octahedra" },
    frictionParameter(0.5),
  ],
  metrics: [
    {
      name: "maxPenetration",
      unit: "m",
      bound: 5e-3,
      description: "deepest contact of the last half second that anything was awake",
    },
    { name: "rmsSpeed", unit: "m/s", description: "root mean square of the speeds at the end" },
    { name: "lost", unit: "", bound: 0, description: "bodies that have left the pit through its floor or walls" },
  ],
  build(world, values) {
    const rigid = setUp(world, values);
    const friction = numberOf(values, "friction");
    const count = numberOf(values, "count");
    const cast = new Cast(world);
    cast.floor({ friction });
    const height = 4 + (count / LAYER) * SPACING;
    for (const [x, z] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ])
      world.addRigidBody({
        name: "wall",
        motion: "static",
        friction,
        shape: { type: "box", halfExtents: [x === 0 ? WALL + 1 : 0.5, height, x === 0 ? 0.5 : WALL + 1] },
        position: [x * (WALL + 0.5), height, z * (WALL + 0.5)],
      });
    const next = random(7);
    const materials: readonly PropMaterial[] = ["wood", "clay", "plaster", "stone"];
    for (let k = 0; k < count; k++) {
      const layer = Math.floor(k / LAYER);
      const column = k % 5;
      const row = Math.floor(k / 5) % 5;
      const isHull = next() < numberOf(values, "hulls");
      cast.add(materials[k % materials.length], {
        name: `body ${k}`,
        shape: isHull ? octahedron(0.26) : { type: "box", halfExtents: [0.2, 0.2, 0.2] },
        friction,
        density: 500,
        position: [
          (column - 2) * SPACING + 0.1 * (next() - 0.5),
          0.4 + layer * SPACING,
          (row - 2) * SPACING + 0.1 * (next() - 0.5),
        ],
        rotation: [next() - 0.5, next() - 0.5, next() - 0.5, 1],
      });
    }
    const meter = new PenetrationMeter(rigid);
    return {
      props: cast.props,
      afterStep(frame) {
        if (frame % 30 === 1 && rigid.contacts.count > 0) meter.deepest = 0;
        meter.update();
      },
      measure() {
        const lost = cast.bodies.filter(({ position: [x, y, z] }) => {
          return y < -0.1 || Math.abs(x) > WALL + 0.1 || Math.abs(z) > WALL + 0.1;
        }).length;
        return Promise.resolve({ maxPenetration: meter.deepest, rmsSpeed: rmsSpeed(cast.bodies), lost });
      },
    };
  },
};

/** Regular octahedron with its corners at this distance from the middle. */
function octahedron(radius: number): ColliderShape {
  const r = radius;
  return { type: "convex-hull", positions: [r, 0, 0, -r, 0, 0, 0, r, 0, 0, -r, 0, 0, 0, r, 0, 0, -r] };
}
