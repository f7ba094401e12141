import type { LinkDescription, MechanismDescription } from "../../src/articulated/description";
import { makeDerivatives, multiplyInto } from "../../src/articulated/optimise/differentiable-step";
import { SimulationStep } from "../../src/articulated/optimise/simulation-step";
import { ArticulatedSimulation } from "../../src/articulated/step/simulation";
import { articulatedParameters, DrawnMechanism, looksOf } from "../articulated";
import { SteppedMechanism } from "../free-motion";
import { numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";

const RADIUS = 0.1;

function balls(speed: number): MechanismDescription {
  const ball = (name: string, at: number, velocity: number): LinkDescription => ({
    name,
    mass: 1,
    joint: { type: "prismatic", axis: [1, 0, 0], initialPosition: at, initialVelocity: velocity },
    shapes: [{ shape: { type: "sphere", radius: RADIUS }, restitution: 1, friction: 0 }],
  });
  return { name: "two balls", links: [ball("left", -0.6, speed), ball("right", 0, 0)] };
}

/** One ball hits another of the same mass and passes its motion on: the gradients through the bounce are exact. */
export const elasticBalls: SceneDefinition = {
  name: "elastic-balls",
  title: "Two elastic balls",
  description:
    "A ball strikes another of equal mass. Velocities are exchanged, and so are the gradients through the bounce.",
  frames: 60,
  articulated: true,
  groundHeight: -RADIUS,
  view: { target: [0, 0, 0], alpha: -Math.PI / 2, beta: 1.2, radius: 1.45 },
  parameters: [
    ...articulatedParameters(1 / 600),
    { name: "speed", default: 1, unit: "m/s", range: [0.7, 5], description: "speed of the first ball" },
  ],
  metrics: [
    {
      name: "exchangeError",
      unit: "m/s",
      bound: 1e-9,
      description: "difference of the velocities from an exact exchange",
    },
    {
      name: "gradientError",
      unit: "",
      bound: 1e-9,
      description: "largest error of how the right ball's end depends on position and velocity of both at the start",
    },
    { name: "bounceTime", unit: "s", description: "when they met" },
  ],
  build(_world, values) {
    const mechanism = balls(numberOf(values, "speed"));
    const simulation = new ArticulatedSimulation(mechanism, {
      timeStep: numberOf(values, "timeStep"),
      gravity: [0, 0, 0],
    });
    const step = new SimulationStep(simulation);
    const drawn = new DrawnMechanism(
      mechanism,
      looksOf(mechanism, (link) => (link === "left" ? "amber" : "rubber")),
    );
    const stepped = new SteppedMechanism(simulation, drawn);
    const speed = simulation.qd[0];
    // dx/dx₀, carried along the steps
    const jacobian = Float64Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? 1 : 0));
    const product = new Float64Array(16);
    const out = makeDerivatives(step);
    const [u, q, qd] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)];
    let bounceTime = 0;
    const follow = (): void => {
      step.stepWithJacobians(simulation.q, simulation.qd, u, q, qd, out);
      multiplyInto(out.a, jacobian, product, 4, 4, 4);
      jacobian.set(product);
      if (qd[1] === 0) bounceTime = stepped.time + simulation.timeStep;
    };
    return {
      props: drawn.props,
      beforeStep: (time, dt) => stepped.advanceTo(time + dt, follow),
      nonFinite: () => stepped.nonFinite(),
      measure: () => {
        const met = simulation.qd[1] !== 0;
        // After the exchange the right ball continues 2 r ahead of the left one's undisturbed place.
        const t = stepped.time;
        const [position, velocity] = met
          ? [
              [1, 0, t, 0],
              [0, 0, 1, 0],
            ]
          : [
              [0, 1, 0, t],
              [0, 0, 0, 1],
            ];
        const expected = [...position, ...velocity];
        const found = [...jacobian.subarray(4, 8), ...jacobian.subarray(12, 16)];
        return Promise.resolve({
          exchangeError: met ? Math.hypot(simulation.qd[0], simulation.qd[1] - speed) : 0,
          gradientError: found.reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i])), 0),
          bounceTime,
        });
      },
    };
  },
};
