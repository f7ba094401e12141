import { forceOf, observeCartpole, SWING_UP_PERIOD } from "../learning/cartpole";
import { driveCartpole, drivenMetrics, drivenParameters } from "../learning/driven-cartpole";
import { Network } from "../learning/policy";
import swingUp from "../learning/policies/cartpole-swing-up.json";
import type { SceneDefinition } from "../scene";

/** A network that was trained by `npm run learn` drives the cart. */
export const learnedCartpole: SceneDefinition = {
  name: "learned-cartpole",
  title: "Cart-pole by a learned policy",
  description:
    "A small network, trained by PPO, swings the pole up from anywhere and catches it after pushes. Pull the tip of the pole.",
  frames: 1500,
  articulated: true,
  groundHeight: -1.2,
  view: { target: [0, 0, 0], alpha: -Math.PI / 2, beta: 1.4, radius: 5 },
  parameters: drivenParameters,
  metrics: drivenMetrics,
  build(_world, values) {
    const actor = new Network(swingUp);
    return driveCartpole(values, SWING_UP_PERIOD, (simulation) => {
      observeCartpole(simulation, actor.input);
      simulation.control[0] = forceOf(actor.run()[0], "swing-up");
    });
  },
};
