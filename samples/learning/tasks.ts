import { loadMjcf } from "../../src/articulated/loaders/mjcf/mjcf";
import { PliantError } from "../../src/errors";
import { personMjcf } from "../mechanisms/person";
import { CartpoleEnvironment, type CartpoleTask } from "./cartpole";
import type { Environment } from "./environment";
import { trainByCurvature, type CurvatureOptions } from "./curvature";
import { HalfCheetahEnvironment } from "./half-cheetah";
import { trainByPpo, type PpoOptions, type Progress } from "./ppo";
import type { Network } from "./policy";
import { RunnerEnvironment } from "./runner/environment";
import { trainByGradients, type ShortHorizonOptions } from "./short-horizon";

/** A task with all that training needs. */
export interface LearningTask {
  readonly name: string;
  readonly description: string;
  /** @param testing whether to judge a policy, without the disturbances of training */
  make(testing: boolean): Environment;
  /** decisions after which training ends */
  readonly decisions: number;
  /** Trains a policy, see `trainByPpo`. */
  train(random: () => number, onProgress: (progress: Progress) => boolean): Network;
  /** Whether an episode that ended after so many decisions was a success. */
  isSuccess(environment: Environment, decisions: number): boolean;
}

const options: PpoOptions = {
  environments: 16,
  steps: 128,
  passes: 8,
  batch: 256,
  rate: 0.003,
  discount: 0.99,
  trace: 0.95,
  clip: 0.2,
  hidden: [32, 32],
  spread: 0.6,
  decisions: 400_000,
};

/** Lean, speed and place at which a pole that swung up counts as standing. */
const [STANDING, STILL, NEAR] = [0.1, 0.3, 1];

/** Options of PPO for a task of the cart-pole. */
export const cartpoleOptions: Readonly<Record<CartpoleTask, PpoOptions>> = {
  balance: options,
  "swing-up": { ...options, discount: 0.98, rate: 0.002, spread: 0.4, decisions: 300_000 },
};

function cartpole(name: string, task: CartpoleTask, description: string): LearningTask {
  const make = (testing: boolean): CartpoleEnvironment => new CartpoleEnvironment(task, !testing);
  const { [task]: own } = cartpoleOptions;
  return {
    name,
    description,
    make,
    decisions: own.decisions,
    train: (random, onProgress) => trainByPpo(() => make(false), own, random, onProgress),
    isSuccess: (environment, decisions) =>
      decisions === environment.horizon &&
      (task === "balance" || isStanding((environment as CartpoleEnvironment).simulation)),
  };
}

/** Way that a cheetah has to run in an episode, ten seconds [m]. */
const FAR = 40;

const runOptions: PpoOptions = {
  ...options,
  rate: 0.001,
  hidden: [64, 64],
  spread: 0.5,
  decisions: 1_500_000,
};

const gradientOptions: ShortHorizonOptions = {
  environments: 4,
  window: 16,
  rate: 0.002,
  criticRate: 0.002,
  passes: 8,
  batch: 64,
  discount: 0.99,
  trace: 0.95,
  reach: 0.75,
  hidden: [64, 64],
  spread: 0.2,
  follow: 0.4,
  decisions: 40_000,
};

export const curvatureOptions: CurvatureOptions = {
  environments: 2,
  window: 50,
  discount: 0.97,
  price: 3,
  memory: 600,
  steps: 70,
  batch: 64,
  rate: 0.001,
  spread: 0.1,
  near: 0.05,
  hidden: [64, 64],
  decisions: 30_000,
};

/** Pushes of a running person: of those that judge a policy, and the largest ones of its training [N s]. */
const [JUDGED, TRAINED] = [60, 120];

const runnerOptions: PpoOptions = {
  ...options,
  environments: 32,
  passes: 6,
  batch: 512,
  rate: 0.0002,
  watch: 8192,
  divergence: 0.04,
  hidden: [48, 48],
  spread: 0.7,
  decisions: 800_000,
};

async function runner(): Promise<LearningTask> {
  const person = await loadMjcf(personMjcf);
  const make = (testing: boolean): RunnerEnvironment =>
    new RunnerEnvironment(person, testing ? { push: JUDGED } : { push: TRAINED, varied: true });
  return {
    name: "humanoid-run",
    description: `a person runs for ten seconds by a gait that a network corrects, with pushes of ${JUDGED} N s`,
    make,
    decisions: runnerOptions.decisions,
    train: (...way) => trainByPpo(() => make(false), runnerOptions, ...way),
    isSuccess: (environment, decisions) => decisions === environment.horizon,
  };
}

function cheetah(name: string, method: string, decisions: number, train: LearningTask["train"]): LearningTask {
  return {
    name,
    description: `a half-cheetah runs ${FAR} m in ten seconds, by ${method}`,
    make: () => new HalfCheetahEnvironment(),
    decisions,
    train,
    isSuccess: (environment) => (environment as HalfCheetahEnvironment).way >= FAR,
  };
}

/** Whether the pole of a cart-pole stands upright and still, near a place on the rail [m]. */
export function isStanding(
  { q, qd }: { readonly q: ArrayLike<number>; readonly qd: ArrayLike<number> },
  place = 0,
): boolean {
  return leanOf(q[1]) < STANDING && Math.abs(qd[1]) < STILL && Math.abs(q[0] - place) < NEAR;
}

/** Angle between the pole and the vertical, 0 to π, after any number of turns. */
export function leanOf(angle: number): number {
  return Math.abs(Math.atan2(Math.sin(angle), Math.cos(angle)));
}

const tasks: Readonly<Record<string, () => LearningTask | Promise<LearningTask>>> = {
  cartpole: () => cartpole("cartpole", "balance", "a cart holds its pole upright for ten seconds"),
  "cartpole-swing-up": () =>
    cartpole("cartpole-swing-up", "swing-up", "a cart swings its pole up from anywhere, and holds it upright"),
  "half-cheetah": () =>
    cheetah("half-cheetah", "PPO", runOptions.decisions, (...way) =>
      trainByPpo(() => new HalfCheetahEnvironment(), runOptions, ...way),
    ),
  "half-cheetah-gradients": () =>
    cheetah("half-cheetah-gradients", "gradients through its steps", gradientOptions.decisions, (...way) =>
      trainByGradients(() => new HalfCheetahEnvironment(), gradientOptions, ...way),
    ),
  "half-cheetah-curvature": () =>
    cheetah(
      "half-cheetah-curvature",
      "gradients and curvatures through its steps",
      curvatureOptions.decisions,
      (...way) => trainByCurvature(() => new HalfCheetahEnvironment(), curvatureOptions, ...way),
    ),
  "humanoid-run": runner,
};

/** @throws PliantError `invalid-argument` that lists the names */
export async function learningTask(name: string): Promise<LearningTask> {
  if (Object.hasOwn(tasks, name)) return await tasks[name]();
  throw new PliantError("invalid-argument", "task", name, `must be one of ${Object.keys(tasks).join(", ")}`);
}
