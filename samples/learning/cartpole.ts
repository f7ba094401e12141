import { ArticulatedSimulation } from "../../src/articulated/step/simulation";
import { cartpole } from "../mechanisms/cartpole";
import { between, type Environment, type Outcome } from "./environment";

/** Largest force on the cart, N. */
export const cartForce = { balance: 10, "swing-up": 20 } as const;
/** Lengths of time steps, s. */
const TIME_STEP = 0.01;
/** The pole's tip, in its axes. */
const TIP = 0.5;
/** Half of the rail that the cart may use, m. */
const RAIL = { balance: 2.4, "swing-up": 3 } as const;
/** Steps between decisions, and decisions of an episode. */
const PACE = { balance: { steps: 2, horizon: 500 }, "swing-up": { steps: 5, horizon: 300 } } as const;
/** Time between the decisions of `swing-up`, s. */
export const SWING_UP_PERIOD = PACE["swing-up"].steps * TIME_STEP;
/** Lean at which a pole counts as fallen: 12°. */
const FALLEN = Math.PI / 15;
/** Largest lean at the start of every other episode of `swing-up`: a pole that is caught first teaches why to swing up. */
const NEARLY_UP = 0.5;
/** Pushes at the tip in training: part of the decisions at which one begins, decisions that it lasts, and largest force, N. */
const PUSH = { share: 0.02, decisions: 4, force: 4 };

export type CartpoleTask = "balance" | "swing-up";

/**
 * The cart-pole of `samples/mechanisms`, whose agent sets the force on the cart.
 *
 * - `balance`: the pole starts within 3° of upright. Each decision, of 500 in ten seconds, earns 1 until the pole leans by 12° or the cart
 *   leaves 2.4 m to either side.
 * - `swing-up`: the pole starts anywhere, and something pushes its tip now and then. A decision, of 300 in 15 seconds, earns up to 1 for a
 *   pole that stands upright and still over the middle of the rail, of 3 m to either side.
 */
export class CartpoleEnvironment implements Environment {
  readonly observationSize = 5;
  readonly actionSize = 1;
  readonly horizon: number;
  readonly simulation: ArticulatedSimulation;
  private readonly steps: number;
  private random: () => number = () => 0.5;
  private pushed = 0;
  private push = 0;

  /** @param training whether `swing-up` pushes the tip, and begins every other episode nearly upright */
  constructor(
    readonly task: CartpoleTask,
    private readonly training = true,
  ) {
    ({ steps: this.steps, horizon: this.horizon } = PACE[task]);
    const options = { timeStep: TIME_STEP, fastMotion: "whole" } as const;
    this.simulation = new ArticulatedSimulation(cartpole("actuated-cart"), options);
  }

  reset(random: () => number): void {
    const { q, qd } = this.simulation;
    const [way, angle, speed] =
      this.task === "balance" ? [0.05, 0.05, 0.05] : [1, this.training && random() < 0.5 ? NEARLY_UP : Math.PI, 1];
    q[0] = between(-way, way, random);
    q[1] = between(-angle, angle, random);
    qd[0] = between(-speed, speed, random);
    qd[1] = between(-speed, speed, random);
    this.random = random;
    this.pushed = 0;
  }

  observe(out: Float64Array): void {
    observeCartpole(this.simulation, out);
  }

  act(action: ArrayLike<number>): Outcome {
    const { simulation, task } = this;
    this.choosePush();
    simulation.control[0] = forceOf(action[0], task);
    for (let k = 0; k < this.steps; k++) {
      pushTip(simulation, this.pushed > 0 ? this.push : 0);
      simulation.step();
    }
    this.pushed--;
    const { q, qd } = simulation;
    const isOff = Math.abs(q[0]) > RAIL[task];
    if (task === "balance") return { reward: 1, ended: isOff || Math.abs(q[1]) > FALLEN };
    const upright = (1 + Math.cos(q[1])) / 2;
    return { reward: isOff ? 0 : upright / (1 + 0.2 * q[0] ** 2 + 0.1 * qd[1] ** 2), ended: isOff };
  }

  private choosePush(): void {
    if (this.task === "balance" || !this.training || this.pushed > 0 || this.random() >= PUSH.share) return;
    this.pushed = PUSH.decisions;
    this.push = between(-PUSH.force, PUSH.force, this.random);
  }
}

/** Place and speed of the cart, and direction and speed of the pole. */
export function observeCartpole({ q, qd }: ArticulatedSimulation, out: Float64Array): void {
  out[0] = q[0] / 2;
  out[1] = Math.cos(q[1]);
  out[2] = Math.sin(q[1]);
  out[3] = qd[0] / 2;
  out[4] = qd[1] / 2;
}

/** Force on the cart for an action, N. */
export function forceOf(action: number, task: CartpoleTask): number {
  return cartForce[task] * Math.min(1, Math.max(-1, action));
}

/** A horizontal force on the tip of the pole during the next step, N. */
export function pushTip({ q, wrenches }: ArticulatedSimulation, force: number): void {
  // The moment about the world's origin of a force along x at height y is −y f; the pole is link 1.
  const height = 2 * TIP * Math.cos(q[1]);
  wrenches[6 + 2] = -height * force;
  wrenches[6 + 3] = force;
}
