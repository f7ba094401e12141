import type { LoadedMechanism } from "../../../src/articulated/loaders/loaded";
import { ArticulatedModel } from "../../../src/articulated/model";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import type { MechanismDescription } from "../../../src/articulated/description";
import { running, startRunning } from "../../running-gait";
import type { Environment, Outcome } from "../environment";
import { correctionsOf, CorrectedGait } from "./corrected-gait";
import { Pushes } from "./pushes";

/** Steps between decisions, and time between these [s]. */
const [STEPS, PERIOD] = [4, 1 / 60];
/** Decisions of an episode: ten seconds. */
const HORIZON = 600;
const GRAVITY = 9.81;
/** Coordinates of the pelvis: ahead, to the left and up. */
const [AHEAD, ASIDE, UP] = [3, 4, 5];
/** A person has fallen when the pelvis is so far below where it stands [m]. */
const FALLEN = -0.35;
/** Costs of a decision whose corrections are all the largest ones, and of each meter beside the line, up to one. */
const [EFFORT, BESIDE] = [0.1, 0.1];

export interface RunnerOptions {
  /** pushes of this size [N s] */
  readonly push: number;
  /** whether each episode has pushes of another size, up to this one */
  readonly varied?: boolean;
  /** rise of the ground for each meter ahead */
  readonly slope?: number;
  /** factor of all masses and inertias */
  readonly mass?: number;
  readonly friction?: number;
}

/**
 * The person of `samples/mechanisms/person.ts`, who runs by a gait that the agent corrects while something pushes the pelvis from all sides. A
 * decision, of 600 in ten seconds, earns up to 1 for the speed of the gait.
 */
export class RunnerEnvironment implements Environment {
  readonly observationSize: number;
  readonly actionSize: number;
  readonly horizon = HORIZON;
  readonly simulation: ArticulatedSimulation;
  private readonly gait: CorrectedGait;
  private pushes: Pushes | undefined;

  constructor(
    { mechanism, actuators }: LoadedMechanism,
    private readonly options: RunnerOptions,
  ) {
    const { slope = 0, mass = 1, friction = 1 } = options;
    const along = GRAVITY / Math.sqrt(1 + slope * slope);
    this.simulation = new ArticulatedSimulation(heavier(mechanism, mass), {
      timeStep: PERIOD / STEPS,
      gravity: [-along * slope, 0, -along],
      limits: "ahead",
      penetrationCorrection: 0.1,
      fastMotion: "whole",
      actuators,
      ground: [{ shape: { type: "box", halfExtents: [2000, 100, 1] }, position: [0, 0, -1], friction }],
    });
    this.gait = new CorrectedGait(new ArticulatedModel(mechanism));
    ({ observationSize: this.observationSize, actionSize: this.actionSize } = this.gait);
  }

  /** Way since the start of the episode [m]. */
  get way(): number {
    return this.simulation.q[AHEAD];
  }

  reset(random: () => number): void {
    const { gait, options, simulation } = this;
    startRunning(simulation.model, simulation.q, simulation.qd, random);
    gait.time = 0;
    this.pushes = new Pushes(random, options.push * (options.varied ? random() : 1), PERIOD);
  }

  observe(out: Float64Array): void {
    this.gait.observe(this.simulation.q, this.simulation.qd, out);
  }

  act(action: ArrayLike<number>): Outcome {
    const { gait, simulation } = this;
    const { q, qd, control } = simulation;
    const parts = correctionsOf(action);
    gait.decide(q, qd, parts, PERIOD, simulation.actuators.input);
    [control[AHEAD], control[ASIDE]] = this.pushes!.next();
    const from = q[AHEAD];
    for (let k = 0; k < STEPS; k++) simulation.step();
    const speed = (q[AHEAD] - from) / PERIOD;
    let effort = 0;
    for (const part of parts) effort += (part * part) / parts.length;
    const reward = Math.min(1, speed / running.speed) - EFFORT * effort - BESIDE * Math.min(1, Math.abs(q[ASIDE]));
    return { reward, ended: q[UP] < FALLEN };
  }
}

function heavier(mechanism: MechanismDescription, factor: number): MechanismDescription {
  const scaled = <T extends readonly number[]>(values: T): T => values.map((value) => factor * value) as never;
  const links = mechanism.links.map((link) => ({
    ...link,
    ...(link.mass === undefined ? {} : { mass: factor * link.mass }),
    ...(link.inertia === undefined ? {} : { inertia: scaled(link.inertia) }),
  }));
  return { ...mechanism, links };
}
