import type { LinkShape, MechanismDescription } from "../../src/articulated/description";
import type { IdentificationResult } from "../../src/articulated/optimise/identify";
import { runTask, stepOf, type IdentificationTask } from "../../src/articulated/optimise/task";
import { articulatedParameters, coordinatesAt, DrawnMechanism, looksOf, pathOf, type LinkLook } from "../articulated";
import { mulberry } from "../random";
import { numberOf } from "../parameters";
import type { SceneDefinition, SceneInstance, Trace } from "../scene";

const truth = { mass: 1, length: 0.6, friction: 0.3 };
const guess = [0.6, 0.4, 0.15];
const SAMPLE_EVERY = 2;

/** A puck that slides over the floor and slows down by friction, with a pendulum that swings from it. */
function puckAndPendulum(friction: number): MechanismDescription {
  return {
    name: "puck and pendulum",
    links: [
      {
        name: "puck",
        mass: 1.5,
        inertia: [0.1, 0.1, 0.1, 0, 0, 0],
        joint: { type: "translational-2d", initialPosition: [-1, 0.1], initialVelocity: [3, 0], effortLimit: 0 },
        shapes: [{ shape: { type: "sphere", radius: 0.1 }, friction }],
      },
      {
        name: "pendulum",
        parent: "puck",
        mass: truth.mass,
        inertia: [0.01, 0.01, 0.01, 0, 0, 0],
        joint: {
          type: "revolute",
          parentFrame: { position: [0, 1, 0] },
          childFrame: { position: [0, truth.length, 0] },
          initialPosition: 0.5,
          effortLimit: 0,
        },
      },
    ],
  };
}

const rod: readonly LinkLook[] = [
  { link: "puck", shape: { type: "cylinder", pointA: [0, 0, 0], pointB: [0, 1, 0], radius: 0.02 }, material: "steel" },
  { link: "pendulum", shape: { type: "sphere", radius: 0.09, center: [0, 0, 0.12] }, material: "amber" },
  {
    link: "pendulum",
    shape: { type: "capsule", pointA: [0, 0, 0.12], pointB: [0, truth.length, 0.12], radius: 0.015 },
    material: "wood",
  },
];

/** Mass, length and friction are recovered from a noisy trajectory. */
export const identification: SceneDefinition = {
  name: "identification",
  title: "Identification",
  description:
    "From noisy positions of a sliding puck and its pendulum: the mass, the length of the rod and the friction.",
  frames: 120,
  articulated: true,
  groundHeight: 0,
  view: { target: [0, 0.55, 0], alpha: -1.7, beta: 1.35, radius: 2.7 },
  parameters: [
    ...articulatedParameters(0.005),
    {
      name: "noise",
      default: 1e-3,
      unit: "m",
      range: [0, 0.05],
      description: "standard deviation of the noise (m and rad)",
    },
    {
      name: "samples",
      default: 200,
      unit: "",
      range: [20, 1000],
      integer: true,
      description: "measured moments, every second step",
    },
    { name: "seed", default: 1, unit: "", range: [1, 1e6], integer: true, description: "of the noise" },
    { name: "iterations", default: 40, unit: "", range: [0, 500], integer: true, description: "most iterations" },
  ],
  metrics: [
    { name: "massError", unit: "", bound: 0.01, description: "error of the pendulum's mass, as a fraction of it" },
    { name: "lengthError", unit: "", bound: 0.01, description: "error of the rod's length, as a fraction of it" },
    {
      name: "frictionError",
      unit: "",
      bound: 0.01,
      description: "error of the friction coefficient, as a fraction of it",
    },
    {
      name: "costRatio",
      unit: "",
      bound: 0.01,
      description: "sum of squares at the end, as a fraction of the first guess'",
    },
    { name: "largestStandardError", unit: "", description: "largest standard error that is told, as a fraction" },
    { name: "iterations", unit: "", description: "iterations of the optimizer" },
  ],
  build(_world, values, _makeCloth, runner = runTask): SceneInstance {
    const floor: LinkShape = {
      shape: { type: "box", halfExtents: [2.2, 0.25, 0.6] },
      position: [0, -0.25, 0],
      friction: 1,
    };
    const mechanism = puckAndPendulum(truth.friction);
    const timeStep = numberOf(values, "timeStep");
    const setup = { mechanism, simulation: { timeStep, ground: [floor] } };
    const samples = numberOf(values, "samples");
    const { clean, noisy } = measure(setup, samples, numberOf(values, "noise"), numberOf(values, "seed"));
    const drawn = new DrawnMechanism(mechanism, [...looksOf(mechanism, () => "clay"), ...rod]);
    const ghost = new DrawnMechanism(mechanism, [...looksOf(mechanism, () => "ghost"), ...rod], "ghost");
    const { initialPosition, initialVelocity } = drawn.model;
    const task: IdentificationTask = {
      ...setup,
      identified: [
        { kind: "mass", link: "pendulum" },
        { kind: "child-offset", link: "pendulum", direction: [0, 1, 0] },
        { kind: "friction", link: "puck" },
      ],
      parameters: guess,
      weights: 1 / Math.max(1e-6, numberOf(values, "noise")),
      trajectories: [{ position: initialPosition, velocity: initialVelocity, positions: noisy, every: SAMPLE_EVERY }],
      options: { iterations: numberOf(values, "iterations") },
    };
    const interval = timeStep * SAMPLE_EVERY;
    const measured: Trace = { points: way(noisy), version: 1, kind: "measured" };
    const estimated = { points: new Float64Array(0), version: 0, kind: "best" as const };
    const controller = new AbortController();
    const costs: number[] = [];
    let latest = clean;
    let running = true;
    let result: IdentificationResult | undefined;
    /** Path of the pendulum's tip. */
    function way(positions: Float64Array): Float64Array {
      return pathOf(drawn, { positions, interval: 1 }, "pendulum", [0, 0, 0.12]);
    }
    const finished = runner(task, {
      signal: controller.signal,
      onProgress: ({ cost, positions }) => {
        costs.push(cost);
        latest = positions;
        Object.assign(estimated, { points: way(positions), version: costs.length });
      },
    }).then((found) => {
      result = found;
      running = false;
    });
    finished.catch(() => (running = false));
    return {
      props: [...drawn.props, ...ghost.props],
      traces: [measured, estimated],
      optimisation: {
        costs,
        finished,
        get running() {
          return running;
        },
      },
      beforeStep(time, dt) {
        const now = (time + dt) % (samples * interval + 0.5);
        drawn.show(coordinatesAt({ positions: clean, interval }, drawn.model.nv, now - interval));
        ghost.show(coordinatesAt({ positions: latest, interval }, drawn.model.nv, now - interval));
      },
      async measure() {
        await finished;
        const { parameters, standardErrors, cost, initialCost, iterations } = result!;
        const exact = [truth.mass, truth.length, truth.friction];
        const [massError, lengthError, frictionError] = exact.map((value, i) => Math.abs(parameters[i] / value - 1));
        return {
          massError,
          lengthError,
          frictionError,
          costRatio: cost / initialCost,
          largestStandardError: Math.max(...exact.map((value, i) => standardErrors[i] / value)),
          iterations,
        };
      },
      dispose: () => controller.abort(),
    };
  },
};

/** Simulates the truth and adds normal noise. */
function measure(
  setup: Parameters<typeof stepOf>[0],
  samples: number,
  noise: number,
  seed: number,
): { clean: Float64Array; noisy: Float64Array } {
  const step = stepOf(setup);
  const next = mulberry(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const [q, qd] = [step.model.initialPosition.slice(), step.model.initialVelocity.slice()];
  const none = new Float64Array(step.nu);
  const clean = new Float64Array(samples * step.nv);
  for (let sample = 0; sample < samples; sample++) {
    for (let k = 0; k < SAMPLE_EVERY; k++) step.step(q, qd, none, q, qd);
    clean.set(q, sample * step.nv);
  }
  return { clean, noisy: clean.map((value) => value + noise * normal()) };
}
