import { PliantError } from "../../src/errors";
import { CartpoleEnvironment, type CartpoleTask } from "./cartpole";
import type { Environment } from "./environment";
import type { PpoOptions } from "./ppo";

/** A task with all that training needs. */
export interface LearningTask {
  readonly name: string;
  readonly description: string;
  /** @param testing whether to judge a policy, without the disturbances of training */
  make(testing: boolean): Environment;
  readonly options: PpoOptions;
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

function cartpole(name: string, task: CartpoleTask, description: string, own: Partial<PpoOptions> = {}): LearningTask {
  return {
    name,
    description,
    make: (testing) => new CartpoleEnvironment(task, !testing),
    options: { ...options, ...own },
    isSuccess: (environment, decisions) =>
      decisions === environment.horizon &&
      (task === "balance" || isStanding((environment as CartpoleEnvironment).simulation)),
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

const tasks: readonly LearningTask[] = [
  cartpole("cartpole", "balance", "a cart holds its pole upright for ten seconds"),
  cartpole("cartpole-swing-up", "swing-up", "a cart swings its pole up from anywhere, and holds it upright", {
    discount: 0.98,
    rate: 0.002,
    spread: 0.4,
    decisions: 300_000,
  }),
];

/** @throws PliantError `invalid-argument` that lists the names */
export function learningTask(name: string): LearningTask {
  const found = tasks.find((task) => task.name === name);
  if (found !== undefined) return found;
  throw new PliantError(
    "invalid-argument",
    "task",
    name,
    `must be one of ${tasks.map((task) => task.name).join(", ")}`,
  );
}
