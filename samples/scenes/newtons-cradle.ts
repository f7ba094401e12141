import type { RigidJoint, Vec3 } from "../../src/index";
import { numberOf } from "../parameters";
import { Cast, rigidParameters, setUp } from "../rigid";
import { rod } from "../rods";
import type { SceneDefinition } from "../scene";
import { legs } from "../stands";

const RADIUS = 0.1;
const GROUND = -1.1;
const STRING = 0.8;
const SPREAD = 0.3;

/** Balls on strings: the last one takes over the motion of the first one. */
export const newtonsCradle: SceneDefinition = {
  name: "newtons-cradle",
  title: "Newton's cradle",
  description: "Equal balls in a row, each on two strings. The impact runs through the row and leaves at its end.",
  frames: 120,
  groundHeight: GROUND,
  view: { target: [0, -0.4, 0], alpha: -1.35, beta: 1.3, radius: 2.8 },
  parameters: [
    ...rigidParameters({ substeps: 8 }),
    { name: "count", default: 5, unit: "", range: [2, 12], integer: true, description: "number of balls" },
    { name: "angle", default: 30, unit: "°", range: [5, 60], description: "by which the first ball is lifted" },
    { name: "restitution", default: 1, unit: "", range: [0, 1], description: "coefficient of restitution" },
  ],
  metrics: [
    {
      name: "transfer",
      unit: "",
      description: "greatest speed of the last ball by that of the first before the impact",
    },
    { name: "transferError", unit: "", bound: 0.01, description: "its difference from 1" },
    { name: "stringError", unit: "m", bound: 1e-4, description: "largest change of the length of a string" },
  ],
  build(world, values) {
    setUp(world, values);
    const count = numberOf(values, "count");
    const angle = (numberOf(values, "angle") * Math.PI) / 180;
    const cast = new Cast(world);
    const frame = cast.add("wood", {
      name: "frame",
      motion: "static",
      shape: { type: "box", halfExtents: [count * RADIUS + 0.2, 0.02, SPREAD + 0.05] },
      position: [0, 0.02, 0],
    });
    const joints: RigidJoint[] = [];
    for (let k = 0; k < count; k++) {
      const x = (k - (count - 1) / 2) * 2 * RADIUS;
      const lifted = k === 0 ? angle : 0;
      const ball = cast.add("steel", {
        name: `ball ${k + 1}`,
        shape: { type: "sphere", radius: RADIUS },
        density: 7800,
        friction: 0,
        restitution: numberOf(values, "restitution"),
        position: [x - STRING * Math.sin(lifted), -STRING * Math.cos(lifted), 0],
        canSleep: false,
      });
      for (const side of [-1, 1]) {
        joints.push(world.addJoint({ type: "distance", bodyA: frame, bodyB: ball, pivotA: [x, -0.02, side * SPREAD] }));
        const hook = (): Vec3 => [x, 0, side * SPREAD];
        cast.props.push(rod(hook, () => ball.position, 0.004, "stone"));
      }
    }
    const length = Math.hypot(STRING, SPREAD);
    const speed = (k: number): number => Math.hypot(...cast.bodies[k].linearVelocity);
    let before = 0;
    let after = 0;
    let stringError = 0;
    return {
      props: [...cast.props, ...legs(GROUND, 0.012, [count * RADIUS + 0.18, 0.02, SPREAD + 0.03])],
      afterStep() {
        if (after === 0 && speed(count) < 0.01) before = Math.max(before, speed(1));
        else after = Math.max(after, speed(count));
        for (const joint of joints) stringError = Math.max(stringError, Math.abs(joint.position("distance") - length));
      },
      measure() {
        // At the lowest point the whole height has become speed.
        const lowest = Math.sqrt(2 * 9.81 * STRING * (1 - Math.cos(angle)));
        const transfer = after / Math.max(before, lowest);
        return Promise.resolve({ transfer, transferError: Math.abs(transfer - 1), stringError });
      },
    };
  },
};
