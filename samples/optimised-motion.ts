import { runTask, stepOf, type TrajectoryTask } from "../src/articulated/optimise/task";
import type { TrajectoryResult } from "../src/articulated/optimise/trajectory";
import type { Vec3 } from "../src/index";
import { coordinatesAt, DrawnMechanism, pathOf, type LinkLook, type Motion } from "./articulated";
import type { Metric, Optimisation, Parameter, Prop, SceneInstance, TaskRunner, Trace } from "./scene";

/** A scene in which a motion is optimized while the best one so far is played repeatedly. */
export interface OptimisedMotion {
  readonly task: TrajectoryTask;
  readonly looks: readonly LinkLook[];
  /** surrounding objects */
  readonly props?: readonly Prop[];
  /** a point whose path is drawn */
  readonly trace: { readonly link: string; readonly point: Vec3 };
  /** moments of the best motion that stay visible, as parts of its length */
  readonly ghosts?: readonly number[];
  /** slowdown of the played motion */
  readonly slowness: number;
  /** metrics of its own */
  readonly measure?: (result: TrajectoryResult) => Record<string, number>;
}

/** Metrics of every such scene. */
export function motionMetrics(bound: number): Metric[] {
  return [
    { name: "costRatio", unit: "", bound, description: "cost of the motion found, as a fraction of the first guess'" },
    { name: "initialCost", unit: "", description: "cost of the first guess" },
    { name: "cost", unit: "", description: "cost of the motion found" },
    { name: "iterations", unit: "", description: "iterations of the optimizer" },
    {
      name: "replayError",
      unit: "",
      bound: 1e-9,
      description: "largest difference of a coordinate when the controls found are simulated once more",
    },
  ];
}

/** Parameters of the time of the motion; controls are held for some steps. */
export function stepParameters(steps: number, fewest: number, control: string): Parameter[] {
  return [
    { name: "steps", default: steps, unit: "", range: [fewest, 2000], integer: true, description: "time steps" },
    {
      name: "hold",
      default: 10,
      unit: "",
      range: [1, 20],
      integer: true,
      description: `steps that a ${control} is held for; a divisor of the steps`,
    },
  ];
}

/** s that the played motion rests at its end */
const REST = 0.6;

/** Builds such a scene. */
export function optimiseMotion(motion: OptimisedMotion, runner: TaskRunner = runTask): SceneInstance {
  return new OptimisedMotionScene(motion, runner);
}

class OptimisedMotionScene implements SceneInstance {
  readonly props: readonly Prop[];
  readonly traces: readonly Trace[];
  readonly optimisation: Optimisation;
  private readonly drawn: DrawnMechanism;
  private readonly ghosts: readonly DrawnMechanism[];
  private readonly first: { points: Float64Array; version: number; kind: "first" };
  private readonly best: { points: Float64Array; version: number; kind: "best" };
  private readonly costs: number[] = [];
  private readonly controller = new AbortController();
  private running = true;
  private result: TrajectoryResult | undefined;
  private played: Motion;
  private latest: Motion;

  constructor(
    private readonly motion: OptimisedMotion,
    runner: TaskRunner,
  ) {
    const { task, looks, ghosts = [0.25, 0.5, 0.75, 1] } = motion;
    this.drawn = new DrawnMechanism(task.mechanism, looks);
    this.ghosts = ghosts.map(() => new DrawnMechanism(task.mechanism, looks, "ghost"));
    this.props = [...this.drawn.props, ...this.ghosts.flatMap(({ props }) => props), ...(motion.props ?? [])];
    this.first = { points: new Float64Array(0), version: 0, kind: "first" };
    this.best = { points: new Float64Array(0), version: 0, kind: "best" };
    this.traces = [this.first, this.best];
    const start = Float64Array.from(task.position ?? this.drawn.model.initialPosition);
    this.played = this.latest = { positions: start, interval: this.interval };
    this.drawn.show(start);
    const finished = runner(task, {
      signal: this.controller.signal,
      onProgress: ({ cost, positions }) => this.show(cost, positions),
    }).then((result) => {
      this.result = result;
      this.running = false;
    });
    // A measured run awaits it; a mere viewer must not get an unhandled rejection.
    finished.catch(() => (this.running = false));
    const { costs } = this;
    const isRunning = (): boolean => this.running;
    this.optimisation = {
      costs,
      finished,
      get running() {
        return isRunning();
      },
    };
  }

  beforeStep(time: number, dt: number): void {
    const length = (this.motion.task.steps / (this.motion.task.hold ?? 1)) * this.interval * this.motion.slowness;
    const before = time % (length + REST);
    const now = (time + dt) % (length + REST);
    // A new round shows the newest motion.
    if (now < before || this.played.positions.length < this.latest.positions.length) this.played = this.latest;
    if (!this.running && this.result !== undefined) this.played = this.latest;
    this.drawn.show(coordinatesAt(this.played, this.drawn.model.nv, now / this.motion.slowness));
  }

  async measure(): Promise<Record<string, number>> {
    await this.optimisation.finished;
    const result = this.result!;
    return {
      costRatio: result.cost / result.initialCost,
      initialCost: result.initialCost,
      cost: result.cost,
      iterations: result.iterations,
      replayError: this.replayError(result),
      ...this.motion.measure?.(result),
    };
  }

  nonFinite(): string | undefined {
    const bad = this.result !== undefined && !this.result.positions.every(Number.isFinite);
    return bad ? `mechanism "${this.motion.task.mechanism.name}"` : undefined;
  }

  dispose(): void {
    this.controller.abort();
  }

  /** s between rows of the motion */
  private get interval(): number {
    const { hold = 1, simulation } = this.motion.task;
    return hold * (simulation?.timeStep ?? 0.001);
  }

  private show(cost: number, positions: Float64Array): void {
    this.costs.push(cost);
    this.latest = { positions, interval: this.interval };
    const { link, point } = this.motion.trace;
    const path = pathOf(this.drawn, this.latest, link, point);
    Object.assign(this.best, { points: path, version: this.best.version + 1 });
    if (this.costs.length === 1) Object.assign(this.first, { points: path, version: 1 });
    const { nv } = this.drawn.model;
    const length = (positions.length / nv - 1) * this.interval;
    const moments = this.motion.ghosts ?? [0.25, 0.5, 0.75, 1];
    this.ghosts.forEach((ghost, i) => ghost.show(coordinatesAt(this.latest, nv, moments[i] * length)));
  }

  private replayError({ controls, positions }: TrajectoryResult): number {
    const { task } = this.motion;
    const step = stepOf(task);
    const [q, qd] = [positions.slice(0, step.nv), Float64Array.from(task.velocity ?? step.model.initialVelocity)];
    const hold = task.hold ?? 1;
    let worst = 0;
    for (let k = 0; k < task.steps; k++) {
      const knot = Math.floor(k / hold);
      step.step(q, qd, controls.subarray(knot * step.nu, (knot + 1) * step.nu), q, qd);
      if ((k + 1) % hold === 0)
        q.forEach((value, i) => (worst = Math.max(worst, Math.abs(value - positions[(knot + 1) * step.nv + i]))));
    }
    return worst;
  }
}
