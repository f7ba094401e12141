import { ArticulatedSimulation } from "../../src/articulated/step/simulation";
import { cartForce } from "../learning/cartpole";
import { driveCartpole, drivenMetrics, drivenParameters } from "../learning/driven-cartpole";
import { SamplingController } from "../learning/sampling-controller";
import { cartpole } from "../mechanisms/cartpole";
import { numberOf } from "../parameters";
import { mulberry } from "../random";
import type { SceneDefinition } from "../scene";

/** Time between decisions [s], and steps of a plan. */
const [PERIOD, STEPS] = [1 / 60, 40];
/** Place beyond which plans are bad, m. */
const EDGE = 2.8;

/** Plans that are simulated while the scene runs, many for each frame, drive the cart. */
export const sampledCartpole: SceneDefinition = {
  name: "sampled-cartpole",
  title: "Cart-pole by sampled plans",
  description:
    "Nothing was learned before: each frame simulates 48 plans of two seconds, and the cart follows their weighted mean (MPPI). Pull the tip, move the goal.",
  frames: 600,
  articulated: true,
  groundHeight: -1.2,
  view: { target: [0, 0, 0], alpha: -Math.PI / 2, beta: 1.4, radius: 5 },
  parameters: [
    ...drivenParameters,
    { name: "goal", default: 0, unit: "m", range: [-2, 2], live: true, description: "where the cart should be" },
    { name: "samples", default: 48, unit: "", range: [8, 1000], integer: true, description: "plans for each decision" },
    {
      name: "horizon",
      default: 2,
      unit: "s",
      range: [0.5, 4],
      description: "time that a plan looks ahead, in 40 steps",
    },
  ],
  metrics: [
    ...drivenMetrics,
    { name: "decisionTime", unit: "ms", description: "median time of a decision, at 60 decisions a second" },
  ],
  build(_world, values) {
    const model = new ArticulatedSimulation(cartpole("actuated-cart"), {
      timeStep: numberOf(values, "horizon") / STEPS,
      fastMotion: "whole",
    });
    const controller = new SamplingController(model, {
      samples: numberOf(values, "samples"),
      steps: STEPS,
      limit: cartForce["swing-up"],
      spread: 0.2,
      smoothness: 0.8,
      temperature: 0.03,
      driven: [0],
      random: mulberry(numberOf(values, "seed")),
      cost: ([x, angle], [speed, turn], [force]) => {
        const height = Math.cos(angle);
        // Only a pole that is nearly up should be still: to get there it has to swing.
        const stillness = 0.1 + 0.9 * ((1 + height) / 2) ** 2;
        const motion = 0.3 * (x - numberOf(values, "goal")) ** 2 + 0.05 * speed ** 2 + 0.1 * turn ** 2;
        return 1 - height + stillness * motion + 1e-4 * force ** 2 + (Math.abs(x) > EDGE ? 100 : 0);
      },
    });
    const times: number[] = [];
    const decide = ({ q, qd, control }: ArticulatedSimulation): void => {
      const begin = performance.now();
      controller.decide(q, qd, PERIOD, control);
      times.push(performance.now() - begin);
    };
    const instance = driveCartpole(values, PERIOD, decide, () => numberOf(values, "goal"));
    return {
      ...instance,
      measure: async () => {
        const [median = 0] = [...times].sort((a, b) => a - b).slice(times.length >> 1);
        return { ...(await instance.measure()), decisionTime: median };
      },
    };
  },
};
