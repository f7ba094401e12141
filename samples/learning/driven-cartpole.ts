import { ArticulatedSimulation } from "../../src/articulated/step/simulation";
import type { Vec3 } from "../../src/index";
import { DrawnMechanism, articulatedParameters } from "../articulated";
import { SteppedMechanism } from "../free-motion";
import { cartLooks, cartpole } from "../mechanisms/cartpole";
import { flagOf, numberOf } from "../parameters";
import { mulberry } from "../random";
import type { Handle, Metric, Parameter, ParameterValues, Prop, SceneInstance } from "../scene";
import { rail } from "../stands";
import { pushTip } from "./cartpole";
import { between } from "./environment";
import { isStanding } from "./tasks";

/** Decides on the force on the cart of a simulation, and writes it to the simulation's controls. */
export type CartDriver = (simulation: ArticulatedSimulation) => void;

/** The tip of the pole as it is drawn, in the pole's axes. */
const TIP: Vec3 = [0, 0.5, 0.15];
/** Stiffness of the pointer's pull [N/m], and its largest force [N]. */
const [PULL, STRONGEST] = [40, 12];
/** s that a push lasts, and that a pole must have stood to count as caught */
const [PUSH_TIME, CAUGHT] = [0.2, 0.5];

export const drivenParameters: readonly Parameter[] = [
  ...articulatedParameters(0.01),
  {
    name: "seed",
    default: 1,
    unit: "",
    range: [0, 1e9],
    integer: true,
    description: "start, and forces of the pushes",
  },
  { name: "pushes", default: true, unit: "", description: "whether something pushes the tip of a pole that stands" },
  { name: "push", default: 6, unit: "N", range: [0, 50], description: "largest force of a push, which lasts 0.2 s" },
];

export const drivenMetrics: readonly Metric[] = [
  { name: "swingUp", unit: "s", bound: 12, description: "time until the pole first stood, or that of the run" },
  { name: "slowestCatch", unit: "s", bound: 8, description: "longest time from a push until the pole stood again" },
  { name: "pushed", unit: "", description: "number of pushes" },
  { name: "farthest", unit: "m", bound: 3, description: "farthest place of the cart" },
];

/**
 * A cart-pole that starts anywhere, is driven, and is pushed at its tip each time that the pole has stood for two seconds. The pointer can pull
 * the tip too.
 *
 * @param period time between decisions [s]
 * @param goal place at which the cart should stand [m]
 */
export function driveCartpole(
  values: ParameterValues,
  period: number,
  decide: CartDriver,
  goal: () => number = () => 0,
): SceneInstance {
  const mechanism = cartpole("actuated-cart");
  const random = mulberry(numberOf(values, "seed"));
  const timeStep = numberOf(values, "timeStep");
  const simulation = new ArticulatedSimulation(mechanism, { timeStep, fastMotion: "whole" });
  simulation.q[0] = between(-1, 1, random);
  simulation.q[1] = between(-Math.PI, Math.PI, random);
  simulation.qd[1] = between(-1, 1, random);
  const drawn = new DrawnMechanism(mechanism, cartLooks);
  drawn.show(simulation.q);
  const stepped = new SteppedMechanism(simulation, drawn);
  const handle: { position: Vec3; radius: number; target: Vec3 | undefined } = {
    position: drawn.pointAt(simulation.q, "pole", TIP),
    radius: 0.12,
    target: undefined,
  };
  const mark = { shape: { type: "sphere", radius: 0.04 }, position: [0, 0, 0], material: "glass" } as Prop & {
    position: Vec3;
  };
  const handles: readonly Handle[] = [handle];
  const [isPushed, strength] = [flagOf(values, "pushes"), numberOf(values, "push")];
  let [decisionAt, stoodSince, waitedSince, pushUntil, push] = [0, Infinity, 0, -Infinity, 0];
  let [swingUp, slowestCatch, pushed, farthest, isCaught] = [Infinity, 0, 0, 0, false];

  const watch = (): void => {
    const { time } = stepped;
    farthest = Math.max(farthest, Math.abs(simulation.q[0]));
    if (!isStanding(simulation, goal())) stoodSince = Infinity;
    else stoodSince = Math.min(stoodSince, time);
    if (isCaught || time - stoodSince < CAUGHT) return;
    isCaught = true;
    if (swingUp === Infinity) swingUp = stoodSince;
    else slowestCatch = Math.max(slowestCatch, stoodSince - waitedSince);
  };
  const control = (): void => {
    const { time } = stepped;
    watch();
    if (time + 0.5 * timeStep >= decisionAt) {
      decide(simulation);
      decisionAt += period;
    }
    if (isPushed && isCaught && time - stoodSince >= 2 && handle.target === undefined) {
      [pushUntil, push, isCaught] = [time + PUSH_TIME, between(-strength, strength, random), false];
      waitedSince = time;
      stoodSince = Infinity;
      pushed++;
    }
    const pull = handle.target === undefined ? 0 : PULL * (handle.target[0] - handle.position[0]);
    pushTip(simulation, Math.min(STRONGEST, Math.max(-STRONGEST, pull)) + (time < pushUntil ? push : 0));
  };
  return {
    props: [...drawn.props, ...rail(), mark],
    handles,
    beforeStep: (time, dt) => {
      stepped.advanceTo(time + dt, control);
      mark.position = [goal(), -0.15, 0.16];
      handle.position = drawn.pointAt(simulation.q, "pole", TIP);
    },
    nonFinite: () => stepped.nonFinite(),
    measure: () => {
      const lasting = isCaught || pushed === 0 ? 0 : stepped.time - waitedSince;
      return Promise.resolve({
        swingUp: Math.min(swingUp, stepped.time),
        slowestCatch: Math.max(slowestCatch, lasting),
        pushed,
        farthest,
      });
    },
  };
}
