import { numberOf } from "../parameters";
import { box, Cast, rigidParameters, setUp } from "../rigid";
import type { SceneDefinition } from "../scene";
import { posts } from "../stands";

const GRAVITY = 9.81;
const LINK = 0.05;
const COUNT = 16;

/** A chain of stiff springs that forms a beam, clamped at one end: figure 7 of the paper without its robot. */
export const beam: SceneDefinition = {
  name: "beam",
  title: "Beam",
  description:
    "Sixteen bodies of 3 g with bending springs of 250 N·m/rad, clamped at one end, bent by a load at the other.",
  frames: 240,
  groundHeight: -0.6,
  view: { target: [0.4, -0.05, 0], alpha: -1.4, beta: 1.35, radius: 1.5 },
  parameters: [
    ...rigidParameters({ substeps: 1 }),
    { name: "stiffness", default: 250, unit: "N·m/rad", range: [10, 1e5], description: "bending stiffness of a joint" },
    { name: "mass", default: 0.003, unit: "kg", range: [1e-4, 1], description: "mass of a body" },
    { name: "load", default: 2, unit: "N", range: [0, 10], description: "force on the tip, downward" },
  ],
  metrics: [
    { name: "tipDeflection", unit: "m", description: "how far the tip has come down" },
    { name: "expectedDeflection", unit: "m", description: "closed form of the chain of springs" },
    { name: "deflectionError", unit: "", bound: 0.02, description: "difference of the two as a fraction" },
  ],
  build(world, values) {
    setUp(world, values, GRAVITY);
    const [stiffness, mass, load] = ["stiffness", "mass", "load"].map((name) => numberOf(values, name));
    const cast = new Cast(world);
    let previous = cast.add("stone", {
      name: "clamp",
      motion: "static",
      shape: { type: "box", halfExtents: [0.05, 0.06, 0.06] },
      position: [-0.05, 0, 0],
    });
    const spring = { mode: "limited", min: 0, max: 0, stiffness } as const;
    for (let k = 0; k < COUNT; k++) {
      const link = cast.add(k % 2 === 0 ? "steel" : "wood", {
        name: `link ${k + 1}`,
        shape: box(LINK, 0.02, 0.03),
        mass,
        position: [(k + 0.5) * LINK, 0, 0],
        canSleep: false,
      });
      world.addJoint({
        type: "ball",
        bodyA: previous,
        bodyB: link,
        pivotA: [k === 0 ? 0.05 : LINK / 2, 0, 0],
        pivotB: [-LINK / 2, 0, 0],
        axes: { angularX: spring, angularY: spring, angularZ: spring },
      });
      previous = link;
    }
    const tip = previous;
    const tipHeight = (): number => {
      const [, y] = tip.position;
      const [x, , z, w] = tip.rotation;
      // second row of the rotation matrix times the half length
      return y + (LINK / 2) * 2 * (x * tip.rotation[1] + w * z);
    };
    return {
      props: [...cast.props, ...posts(-0.6, 0.015, [0, 0, 0])],
      beforeStep() {
        const [x, y, z] = tip.position;
        tip.applyForce([0, -load, 0], [x + LINK / 2, y, z]);
      },
      measure() {
        const expectedDeflection = deflection(stiffness, mass, load);
        const tipDeflection = -tipHeight();
        const deflectionError = Math.abs(tipDeflection / expectedDeflection - 1);
        return Promise.resolve({ tipDeflection, expectedDeflection, deflectionError });
      },
    };
  },
};

/** Each joint turns by its moment over the stiffness; the tip sinks by that angle times its distance from the joint. */
function deflection(stiffness: number, mass: number, load: number): number {
  let sum = 0;
  for (let joint = 0; joint < COUNT; joint++) {
    const arm = (COUNT - joint) * LINK;
    // the load, and the weight of all links beyond, which acts at half the distance
    const moment = load * arm + ((COUNT - joint) * mass * GRAVITY * arm) / 2;
    sum += (moment / stiffness) * arm;
  }
  return sum;
}
