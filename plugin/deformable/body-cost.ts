import type { BodyModel, DeformableBody, SolverName, World } from "../../src/index";
import { solverOf } from "../../src/solvers/alike";
import type { DeformableSolver, StepCounts } from "../../src/solvers/deformable";

/** The cost of a deformable body, see `DeformableAggregate.cost`. */
export interface BodyCost {
  /**
   * milliseconds of a frame on the CPU, smoothed over a third of a second. Bodies that touch step together and share their
   * time by their elements. Undefined before the first frame that is timed, on a GPU, and for solver `newton`, which
   * solves a body in one system with the rigid ones
   */
  readonly milliseconds: number | undefined;
  readonly solver: SolverName;
  /** precision and processor, see `DeformableBody.lane` */
  readonly lane: "cpu" | "simd" | "webgpu";
  /** simulated vertices and elements */
  readonly vertices: number;
  readonly elements: number;
  /** of the last frame that was timed; before, as the options have them */
  readonly substeps: number;
  readonly iterations: number;
}

/** Frames over which times are smoothed. */
const WINDOW = 20;

/** Times and numbers of a body. */
interface Measured {
  /** mean time until the frame [ms] */
  mean: number;
  frame: number;
  /** number of frames that it has, at most `WINDOW` */
  count: number;
  steps: StepCounts | undefined;
}

/** Reads the clock once for each body, or group of bodies, that steps. The simulation uses nothing that it finds. */
class CostMeter {
  private since = 0;
  private readonly measured = new WeakMap<DeformableSolver, Measured>();

  constructor(private readonly world: World) {
    if (world.backend === "webgpu") return;
    // Deformable bodies step after the rigid ones.
    world.onRigidStep.add(() => (this.since = performance.now()));
    world.onStepped = (solvers, steps) => this.note(solvers as readonly DeformableSolver[], steps);
  }

  costOf(body: DeformableBody): BodyCost {
    const { model, lane, particleCount: vertices, options } = body;
    const known = this.measured.get(body.stepper);
    const { substeps = 1, iterations = 1 } = known?.steps ?? options;
    const solver = solverOf(model);
    const milliseconds = solver === "newton" ? undefined : known && this.meanOf(known, this.world.frame);
    return { milliseconds, solver, lane, vertices, elements: countElements(model), substeps, iterations };
  }

  private note(solvers: readonly DeformableSolver[], steps: StepCounts | undefined): void {
    const now = performance.now();
    const spent = now - this.since;
    this.since = now;
    const weights = solvers.map((solver) => weightOf(solver));
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    solvers.forEach((solver, k) => this.add(solver, (spent * weights[k]) / all, steps));
  }

  private add(solver: DeformableSolver, time: number, steps: StepCounts | undefined): void {
    const { frame } = this.world;
    const known = this.measured.get(solver) ?? { mean: 0, frame: frame - 1, count: 0, steps };
    const before = this.meanOf(known, frame - 1);
    known.count = Math.min(WINDOW, known.count + 1);
    known.mean = before + (time - before) / known.count;
    known.frame = frame;
    known.steps = steps;
    this.measured.set(solver, known);
  }

  /** Frames without a step, as of a body that sleeps, take no time. */
  private meanOf({ mean, frame }: Measured, now: number): number {
    return mean * (1 - 1 / WINDOW) ** Math.max(0, now - frame);
  }
}

/** A body that stands for one of another solver has no model of its own. */
function weightOf(solver: DeformableSolver): number {
  const { model } = solver as { readonly model?: BodyModel };
  return model ? countElements(model) : 1;
}

function countElements(model: BodyModel): number {
  const counts =
    "elements" in model
      ? model.elements.map(({ count }) => count)
      : model.terms.map(({ elementCount }) => elementCount);
  return counts.reduce((sum, count) => sum + count, 0);
}

const meters = new WeakMap<World, CostMeter>();

/** The cost of a body; its world is timed from the first call on. */
export function costOf(world: World, body: DeformableBody): BodyCost {
  let meter = meters.get(world);
  if (!meter) meters.set(world, (meter = new CostMeter(world)));
  return meter.costOf(body);
}
