import { choiceOf, frameTimeParameter, numberOf } from "../parameters";
import { type Motion, sumOf } from "../pair/motion";
import { overlap } from "../pair/outline";
import { lowers, makeThing, uppers } from "../pair/things";
import { Cast } from "../rigid";
import type { SceneDefinition } from "../scene";
import { cos, sin } from "../../src/math/deterministic";

const GRAVITY = 9.81;
const trials = ["rest", "impact", "ramp"] as const;
/** Initial gaps between the two things, and between the lower one and the ground [m]. */
const GAP = 0.002;
/** Things at rest are measured from this time to the end [s]. */
const [RESTED, REST_END] = [2, 3];
/** Times at which the ramp begins to rise, stands, and is measured [s]. */
const [RISE, STANDS, SLIDES] = [0.75, 2.25, 2.5];
const IMPACT_SPEED = 1;

/** Any thing on any other: it comes to rest there, meets it in free space, or lies on it as on a ramp. */
export const pair: SceneDefinition = {
  name: "pair",
  title: "Pair",
  description:
    "Anything meets anything else: it comes to rest there, strikes it in free space, or lies on it as a ramp.",
  frames: 60 * REST_END,
  groundHeight: 0,
  view: { target: [0, 0.1, 0], alpha: -1.1, beta: 1.2, radius: 0.9 },
  parameters: [
    frameTimeParameter(1 / 480, 1 / 30),
    { name: "upper", default: "newton-solid", unit: "", choices: uppers, description: "falls, and strikes" },
    {
      name: "lower",
      default: "gpbd-solid",
      unit: "",
      choices: lowers,
      description: "lies on the ground, or waits in free space",
    },
    { name: "trial", default: "rest", unit: "", choices: trials, description: "what happens" },
    {
      name: "heavier",
      default: 1,
      unit: "",
      range: [1e-3, 1e3],
      description: "mass of the upper one over that by default",
    },
    { name: "angle", default: 20, unit: "°", range: [0, 45], description: "of the ramp" },
    {
      name: "grip",
      default: 0.02,
      unit: "",
      range: [-1, 1],
      description: "by how much the coefficient of friction on the ramp is over the tangent of its angle",
    },
  ],
  metrics: [
    {
      name: "weightError",
      unit: "",
      bound: 0.01,
      description: "of what the ground bears, over the weight of both, in the last second",
    },
    { name: "maxPenetration", unit: "m", bound: 1e-3, description: "of one in the other, at the end" },
    {
      name: "crossings",
      unit: "",
      bound: 0,
      description: "of edges of one and triangles of the other, where neither has an inside",
    },
    { name: "drift", unit: "m", bound: 1e-3, description: "of a point of the upper one in the last second" },
    { name: "momentumError", unit: "", bound: 1e-6, description: "over the momentum that there was" },
    { name: "angularError", unit: "", bound: 1e-6, description: "over the momentum that there was and the size" },
    { name: "energyRatio", unit: "", bound: 1, description: "kinetic energy after the impact over that before" },
    { name: "slid", unit: "m", description: "way down the ramp in the last half second, in the mean" },
    { name: "gain", unit: "m/s", description: "by how much it became faster down the ramp in the last half second" },
    { name: "expectedGain", unit: "m/s", description: "as Coulomb's law has it; 0 where it sticks" },
  ],
  async build(world, values) {
    const trial = choiceOf(values, "trial", trials);
    const angle = (numberOf(values, "angle") * Math.PI) / 180;
    const tangent = sin(angle) / cos(angle);
    const isRamp = trial === "ramp";
    const friction = isRamp ? tangent + numberOf(values, "grip") : 0.5;
    const upperName = choiceOf(values, "upper", uppers);
    const lowerName = choiceOf(values, "lower", lowers);
    const isImpact = trial === "impact";
    world.gravity = isImpact ? [0, 0, 0] : [0, -GRAVITY, 0];
    const cast = new Cast(world);
    if (!isImpact && lowerName !== "heightfield") cast.floor({ friction });
    const lower = makeThing(world, lowerName, {
      height: isRamp ? 0 : GAP,
      friction,
      isHeld: isRamp,
      isVacuum: isImpact,
      isOnRamp: false,
      heavier: 1,
    });
    const heavier = numberOf(values, "heavier");
    const upper = makeThing(world, upperName, {
      height: lower.top + GAP,
      friction,
      isHeld: false,
      isVacuum: isImpact,
      isOnRamp: isRamp,
      heavier,
    });
    if (isImpact) upper.launch([0, -IMPACT_SPEED, 0]);
    const mass = upper.mass + lower.mass;
    const both = async (): Promise<Motion> => sumOf([await upper.motion(), await lower.motion()]);
    // An asymmetric thing has its middle beside the axis.
    const start = await both();
    let marked: { motion: Motion; positions: ArrayLike<number>; time: number } | undefined;
    return {
      props: [...cast.props, ...(lower.props ?? []), ...(upper.props ?? [])],
      softs: [...(lower.softs ?? []), ...(upper.softs ?? [])],
      strands: [...(lower.strands ?? []), ...(upper.strands ?? [])],
      beforeStep(time) {
        if (!isRamp) return;
        const now = angle * risen(time);
        world.gravity = [GRAVITY * sin(now), -GRAVITY * cos(now), 0];
      },
      async afterStep() {
        if (marked || world.time < (isRamp ? SLIDES : RESTED) - 1e-9) return;
        const { positions } = await upper.outline();
        marked = { motion: await both(), positions: Array.from(positions), time: world.time };
      },
      async measure() {
        const end = await both();
        const outline = await upper.outline();
        if (isImpact) {
          const momentum = upper.mass * IMPACT_SPEED;
          const before = { linear: [0, -momentum, 0], kinetic: 0.5 * momentum * IMPACT_SPEED };
          const isFree = lower.mass > 0;
          return {
            ...(isFree && {
              momentumError: apart(end.linear, before.linear) / momentum,
              angularError: apart(end.angular, start.angular) / (momentum * 0.2),
            }),
            energyRatio: end.kinetic / before.kinetic,
            ...(await meet()),
          };
        }
        const span = marked ? world.time - marked.time : 0;
        if (!marked || !(span > 0)) return meet();
        if (isRamp) {
          const moved = outline.positions.length / 3;
          let slid = 0;
          for (let i = 0; i < outline.positions.length; i += 3)
            slid += (outline.positions[i] - marked.positions[i]) / moved;
          // Soft things creep before they slide, so that they go further than Coulomb's law has it, but get faster just so.
          const gain = (end.linear[0] - marked.motion.linear[0]) / upper.mass;
          return { slid, gain, expectedGain: gainOf(angle, friction, marked.time, world.time), ...(await meet()) };
        }
        let drift = 0;
        for (let i = 0; i < outline.positions.length; i++)
          drift = Math.max(drift, Math.abs(outline.positions[i] - marked.positions[i]));
        const gain = end.linear[1] - marked.motion.linear[1];
        return { weightError: Math.abs(gain) / (mass * GRAVITY * span), drift, ...(await meet()) };
      },
    };

    async function meet(): Promise<{ maxPenetration: number; crossings: number }> {
      const { depth, crossings } = overlap(await upper.outline(), await lower.outline());
      return { maxPenetration: depth, crossings };
    }
  },
};

/** Part of its angle that the ramp has at a time [s]. */
function risen(time: number): number {
  const part = Math.min(1, Math.max(0, (time - RISE) / (STANDS - RISE)));
  return part * part * (3 - 2 * part);
}

/** By how much a block becomes faster between two times by Coulomb's law, as the ramp lets it go when it is steep enough [m/s]. */
function gainOf(angle: number, friction: number, from: number, to: number): number {
  const STEP = 1e-3;
  let [gain, speed] = [0, 0];
  for (let n = 0; n * STEP < to; n++) {
    const now = angle * risen(n * STEP);
    const next = Math.max(0, speed + STEP * GRAVITY * (sin(now) - friction * cos(now)));
    if (n * STEP >= from) gain += next - speed;
    speed = next;
  }
  return gain;
}

const apart = (a: readonly number[], b: readonly number[]): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
