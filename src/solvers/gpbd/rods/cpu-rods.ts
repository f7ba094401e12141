/**
 * Bending and twist of rods in f64: the part of a substep that `CpuGpbdSolver` leaves to them. Joints are swept colour after colour
 * whatever the method is: an open rod has three colours.
 *
 * Glossary: φ, q see rod-set.ts; J inertia about an edge, W_φ = h²/J, ω = φ/h speed about the edge at the end of a substep.
 */
import { quadratic } from "../../../materials/quadratic";
import type { ElementKind } from "../elements/elements";
import { createElementScratch, solveElement } from "../elements/local-solve";
import { solveJoint } from "./joint-solve";
import { followEdge, REST, untwistedFrames, type RodSet } from "./rod-set";
import { ROD_ELEMENT, rodStrain } from "../strains/rod";

/** Numbers of an edge's state: q and ω. */
export const FRAME = 5;

/** The numbers that a sweep reads and writes. */
export interface JointValues {
  /** positions, x⁻ and W of the particles */
  x: Float64Array;
  start: Float64Array;
  w: Float64Array;
  /** q⁻, φ and W_φ of the edges */
  readonly frames: Float64Array;
  readonly turns: Float64Array;
  readonly turnW: Float64Array;
  /** dᵢ of the joints, and the same of φ */
  readonly tracked: Float64Array;
  readonly trackedTurns: Float64Array;
}

/** Sweeps over all joints of a body faster than the reference. */
export interface JointSweep {
  /**
   * @param values changed
   * @param h time step [s]
   * @param share part of each displacement that is made
   * @param left solves a joint that is left over, with other values in which the rest of the sweep is
   */
  sweep(values: JointValues, h: number, share: number, left: (values: JointValues, joint: number) => void): void;
}

const kind: ElementKind = { strain: rodStrain, density: quadratic(3), measureAt: -1, dampingAt: 0 };

export class CpuRods {
  /** edgeCount × 4: q⁻ */
  readonly frames: Float64Array = this.rods.frames.slice();
  /** ω, edgeCount [rad/s] */
  readonly rates = new Float64Array(this.rods.edges.length / 2);
  /** φ, edgeCount [rad] */
  private readonly turns = new Float64Array(this.rods.edges.length / 2);
  /** W_φ, edgeCount [s²/(kg m²)]; 0 where clamped */
  private readonly w = new Float64Array(this.rods.edges.length / 2);
  /** dᵢ, jointCount × 9 [m], and the same of φ, jointCount × 2 [rad] */
  private readonly tracked = new Float64Array(9 * this.rods.jointCount);
  private readonly trackedTurns = new Float64Array(2 * this.rods.jointCount);
  private readonly element = createElementScratch();
  private readonly rest = new Float64Array(ROD_ELEMENT);
  private readonly material = new Float64Array(1);
  /** damping time over the time step */
  private readonly viscosity = new Float64Array(1);

  private readonly values: JointValues;
  private h = 0;
  private relaxation = 1;
  private newtonIterations = 1;

  /** @param kernel sweeps faster */
  constructor(
    private readonly rods: RodSet,
    private readonly kernel?: JointSweep,
  ) {
    this.material[0] = rods.damping;
    const { frames, turns, w: turnW, tracked, trackedTurns } = this;
    const none = new Float64Array();
    this.values = { x: none, start: none, w: none, frames, turns, turnW, tracked, trackedTurns };
  }

  /**
   * φ̃ = h ω, and what is left of dᵢ, as in warm-start.ts. An edge whose two ends are pinned is clamped: its frame does not turn
   * about it.
   *
   * @param x x̃, changed by what of dᵢ the substep begins with
   * @param w W of the particles, 0 when pinned
   * @param decay 1 / (1 + h damping)
   * @param share of dᵢ
   */
  predict(x: Float64Array, w: Float64Array, h: number, decay: number, share: number): void {
    const { rods, turns, tracked, trackedTurns } = this;
    for (let e = 0; e < turns.length; e++) {
      const isClamped = w[rods.edges[2 * e]] === 0 && w[rods.edges[2 * e + 1]] === 0;
      this.w[e] = isClamped ? 0 : (decay * h * h) / rods.inertias[e];
      turns[e] = isClamped ? 0 : h * decay * this.rates[e];
    }
    for (let corner = 0; corner < rods.vertices.length; corner++) {
      const p = rods.vertices[corner];
      const kept = w[p] > 0 ? share : 0;
      for (let c = 0; c < 3; c++) {
        tracked[3 * corner + c] *= kept;
        x[3 * p + c] += tracked[3 * corner + c];
      }
    }
    for (let i = 0; i < trackedTurns.length; i++) {
      const e = rods.joints[i];
      trackedTurns[i] *= this.w[e] > 0 ? share : 0;
      turns[e] += trackedTurns[i];
    }
  }

  /**
   * One sweep.
   *
   * @param x positions, changed
   * @param start x⁻
   * @param w W of the particles
   */
  sweep(
    x: Float64Array,
    start: Float64Array,
    w: Float64Array,
    h: number,
    newtonIterations: number,
    relaxation: number,
  ): void {
    const { rods, values } = this;
    values.x = x;
    values.start = start;
    values.w = w;
    this.h = h;
    this.relaxation = relaxation;
    this.newtonIterations = newtonIterations;
    this.viscosity[0] = rods.damping / h;
    if (newtonIterations === 1 && this.kernel) this.kernel.sweep(values, h, relaxation, this.solve);
    else for (let j = 0; j < rods.jointCount; j++) this.solve(values, j);
  }

  /** The update of one joint. */
  private readonly solve = (values: JointValues, j: number): void => {
    const { rods, element, rest, relaxation } = this;
    const { x, start, w, frames, turns, turnW, tracked, trackedTurns } = values;
    for (let i = 0; i < REST; i++) rest[i] = rods.rest[REST * j + i]!;
    for (let corner = 0; corner < 3; corner++) {
      const p = rods.vertices[3 * j + corner];
      element.w[corner] = w[p]!;
      for (let c = 0; c < 3; c++) {
        element.x[3 * corner + c] = x[3 * p + c]!;
        element.start[3 * corner + c] = start[3 * p + c]!;
        element.tracked[3 * corner + c] = tracked[9 * j + 3 * corner + c]!;
      }
    }
    for (let side = 0; side < 2; side++) {
      const e = rods.joints[2 * j + side];
      for (let c = 0; c < 4; c++) rest[REST + 4 * side + c] = frames[4 * e + c]!;
      element.w[3 + side] = turnW[e]!;
      element.x[9 + 3 * side] = turns[e]!;
      element.tracked[9 + 3 * side] = trackedTurns[2 * j + side]!;
    }
    if (this.newtonIterations === 1) solveJoint(rest, this.viscosity, element);
    else solveElement(kind, rest, 0, this.material, this.h, this.newtonIterations, element);
    for (let corner = 0; corner < 3; corner++) {
      const p = 3 * rods.vertices[3 * j + corner];
      for (let c = 0; c < 3; c++) {
        const delta = relaxation * element.displacement[3 * corner + c];
        tracked[9 * j + 3 * corner + c] += delta;
        x[p + c] += delta;
      }
    }
    for (let side = 0; side < 2; side++) {
      const delta = relaxation * element.displacement[9 + 3 * side];
      trackedTurns[2 * j + side] += delta;
      turns[rods.joints[2 * j + side]] += delta;
    }
  };

  /** q and ω at the end of a substep: frames go along with their edges. */
  finish(x: Float64Array, h: number, pace = 1): void {
    const { rods, frames, turns, rates } = this;
    for (let e = 0; e < turns.length; e++) {
      const turn = Number.isFinite(turns[e]) ? turns[e] : 0;
      const isEased = pace < 1 && this.w[e] > 0;
      rates[e] = isEased ? rates[e] + pace * (turn / h - rates[e]) : turn / h;
      followEdge(x, rods.edges, e, 0.5 * turn, frames, 4 * e, frames);
    }
  }

  /** edgeCount × `FRAME` */
  readonly read = (): Float64Array => {
    const { frames, rates } = this;
    const state = new Float64Array(FRAME * rates.length);
    for (let e = 0; e < rates.length; e++) {
      for (let c = 0; c < 4; c++) state[FRAME * e + c] = frames[4 * e + c];
      state[FRAME * e + 4] = rates[e];
    }
    return state;
  };

  /** @param state as `read` gives it; without it the rods are not twisted */
  write(positions: ArrayLike<number>, state?: ArrayLike<number>): void {
    this.tracked.fill(0);
    this.trackedTurns.fill(0);
    this.rates.fill(0);
    if (!state) this.frames.set(untwistedFrames(positions, this.rods.edges));
    for (let e = 0; state && e < this.rates.length; e++) {
      for (let c = 0; c < 4; c++) this.frames[4 * e + c] = state[FRAME * e + c]!;
      this.rates[e] = state[FRAME * e + 4]!;
    }
  }
}
