/**
 * Inverse kinematics: coordinates that bring points of links to places, by damped least squares (Levenberg and Marquardt;
 * Buss 2009, "Introduction to inverse kinematics") within the limits of the joints, from several starts.
 *
 * r  residuals: errors of places over the size of the mechanism, and of turns [rad]
 * J  ∂r/∂q
 */
import { checkFinite } from "../checks";
import { invalid } from "../errors";
import { checkNames, optionNames } from "../option-names";
import { solveCholesky } from "../math/dense";
import { unitQuaternion } from "../math/quaternions";
import type { Quat, Vec3 } from "../math/types";
import { updatePositions } from "./dynamics/kinematics";
import { WORLD, type ArticulatedModel, type CompiledClosure } from "./model";
import { segmentKind } from "./joints/segments";
import { ArticulatedScratch } from "./scratch";
import { addClosureRow, closureError, rowsOf } from "./step/closure-rows";
import { polynomialAt } from "./step/joint-rows";
import { lengthAt, lengthOf, norm } from "../math/vectors";
import { pow } from "../math/powers";

/** A place for a point of a link, a rotation of the link, or both. */
export interface LinkGoal {
  readonly link: string;
  /** Point in the axes of the link [m]. Default its origin. */
  readonly point?: Vec3;
  /** Place of the point in the world [m]. */
  readonly position?: Vec3;
  /** Rotation of the link in the world. */
  readonly rotation?: Quat;
  /** Weight of the goal beside others, if not all can be reached. Default 1. */
  readonly weight?: number;
}

/** Options of `solveInverseKinematics`. */
export interface InverseKinematicsOptions {
  /** Coordinates to begin with, nq numbers. Default the initial position of the model. */
  readonly start?: ArrayLike<number>;
  /** Names of joints that keep their coordinates. */
  readonly fixedJoints?: readonly string[];
  /** Most iterations from one start. Default 100. */
  readonly iterations?: number;
  /** Further starts, spread over the ranges of the joints, if the goal is not reached from the first. Default 20. */
  readonly restarts?: number;
  /** Errors that count as reached [m], [rad]. Default 1e-6 of the size of the mechanism, and 1e-6. */
  readonly positionTolerance?: number;
  readonly rotationTolerance?: number;
}

const inverseKinematicsNames = optionNames<InverseKinematicsOptions>()(
  "start fixedJoints iterations restarts positionTolerance rotationTolerance",
);
const goalNames = optionNames<LinkGoal>()("link point position rotation weight");

/** Result of `solveInverseKinematics`. */
export interface InverseKinematicsResult {
  /** nq coordinates within the limits of the joints; hinges are at most half a turn from the start where limits and couplings allow it */
  readonly q: Float64Array;
  /** whether all goals, loops and couplings are within the tolerances */
  readonly converged: boolean;
  /** largest distance of a point from its goal [m], and largest angle of a link to its goal [rad] */
  readonly positionError: number;
  readonly rotationError: number;
  /** iterations from all starts together */
  readonly iterations: number;
}

/** A goal or loop: some rows of a `CompiledClosure`. */
interface Task {
  readonly closure: CompiledClosure;
  readonly rows: readonly number[];
  readonly weight: number;
}

/** Damping at first, and where no smaller step helps. */
const [DAMPING, MOST_DAMPING] = [1e-3, 1e10];
/** Steps that are shorter than this change nothing. */
const LEAST_STEP = 1e-14;

/**
 * Finds coordinates of a mechanism by which its links are where the goals say. Loops close and coupled joints agree, too.
 *
 * @returns the best coordinates that were found: the nearest ones if a goal is out of reach. `converged` tells.
 * @throws PliantError `invalid-argument` or `non-finite`: unknown links and joints, goals without position and rotation,
 * numbers out of their range
 */
export function solveInverseKinematics(
  model: ArticulatedModel,
  goals: readonly LinkGoal[],
  options: InverseKinematicsOptions = {},
): InverseKinematicsResult {
  const search = new Search(model, goals, options);
  let best = search.from(search.first);
  for (let n = 1; n <= search.restarts && !best.converged; n++) {
    const next = search.from(search.start(n));
    if (next.converged || next.energy < best.energy) best = next;
  }
  const { q, converged, positionError, rotationError } = best;
  search.unwind(q);
  return { q, converged, positionError, rotationError, iterations: search.iterations };
}

interface Found extends InverseKinematicsResult {
  readonly energy: number;
}

class Search {
  readonly first: Float64Array;
  readonly restarts: number;
  iterations = 0;
  private readonly most: number;
  private readonly tolerances: readonly [number, number];
  private readonly tasks: readonly Task[];
  private readonly scratch: ArticulatedScratch;
  /** [m] */
  private readonly size: number;
  private readonly slides: Uint8Array;
  private readonly free: readonly number[];
  private readonly count: number;
  private readonly r: Float64Array;
  private readonly jacobian: Float64Array;

  constructor(
    private readonly model: ArticulatedModel,
    goals: readonly LinkGoal[],
    options: InverseKinematicsOptions,
  ) {
    const { nq } = model;
    checkNames("options", options, inverseKinematicsNames);
    const { start, fixedJoints = [], iterations = 100, restarts = 20, rotationTolerance = 1e-6 } = options;
    if (goals.length === 0) throw invalid("goals", goals, "must have at least one goal");
    const given = goals.map((goal, k) => taskOf(model, goal, `goals[${k}]`));
    this.tasks = [...given, ...model.closures.map((closure) => ({ closure, rows: firstRows(closure), weight: 1 }))];
    this.slides = slidesOf(model);
    this.size = sizeOf(model, goals);
    const { positionTolerance = 1e-6 * this.size } = options;
    this.tolerances = [
      positive(positionTolerance, "positionTolerance"),
      positive(rotationTolerance, "rotationTolerance"),
    ];
    this.most = whole(iterations, "iterations", 1);
    this.restarts = whole(restarts, "restarts", 0);
    const q = Float64Array.from(start ?? model.initialPosition);
    if (q.length !== nq) throw invalid("start", q.length, `must have ${nq} numbers`);
    finite(q, "start");
    const fixed = new Set(fixedJoints);
    for (const name of fixed)
      if (!model.jointNames.includes(name)) throw invalid("fixedJoints", name, "must be the name of a joint");
    this.free = [...q.keys()].filter((k) => !fixed.has(model.jointNames[model.dofLink[k]]));
    this.first = this.withinLimits(q);
    this.count = this.tasks.reduce((sum, { rows }) => sum + rows.length, 0) + model.couplings.length;
    this.r = new Float64Array(this.count);
    this.jacobian = new Float64Array(this.count * nq);
    this.scratch = new ArticulatedScratch(model);
  }

  /** The n-th further start: an additive recurrence fills the ranges of the joints evenly, for any number of them. */
  start(n: number): Float64Array {
    const { model, first, free, size, slides } = this;
    const q = first.slice();
    // φ, the root of φ^(d + 1) = φ + 1
    let base = 2;
    for (let k = 0; k < 30; k++) base = pow(1 + base, 1 / (free.length + 1));
    free.forEach((k, i) => {
      const part = (0.5 + n * pow(base, -(i + 1))) % 1;
      const [low, high] = [model.lower[k], model.upper[k]];
      const range = slides[k] === 1 ? size : Math.PI;
      // An open side reaches as far as a full turn, or the size of the mechanism, goes.
      const from = Number.isFinite(low) ? low : Number.isFinite(high) ? high - 2 * range : -range;
      const to = Number.isFinite(high) ? high : from + 2 * range;
      q[k] = from + part * (to - from);
    });
    return this.withinLimits(q);
  }

  from(start: Float64Array): Found {
    const { count, free, jacobian, r } = this;
    const { nq } = this.model;
    const n = free.length;
    const [a, step] = [new Float64Array(n * n), new Float64Array(n)];
    let q = start;
    let energy = this.residuals(q);
    let damping = DAMPING;
    for (let k = 0; k < this.most && !this.isReached() && damping < MOST_DAMPING; k++) {
      this.iterations++;
      const gradient = free.map((i) => sumOf(count, (row) => jacobian[row * nq + i] * r[row]));
      // A joint at its limit does not move further, but may come back.
      const held = free.map((i, c) => this.isBeyond(i, q[i], -gradient[c]));
      const scale = sumOf(n, (c) => sumOf(count, (row) => jacobian[row * nq + free[c]] ** 2)) / n;
      for (let c = 0; c < n; c++) {
        for (let d = 0; d <= c; d++)
          a[c * n + d] =
            held[c] || held[d] ? 0 : sumOf(count, (row) => jacobian[row * nq + free[c]] * jacobian[row * nq + free[d]]);
        a[c * n + c] += damping * (scale || 1);
        step[c] = held[c] ? 0 : -gradient[c];
      }
      if (!solveCholesky(a, step, n)) break;
      const next = q.slice();
      free.forEach((i, c) => (next[i] += step[c]));
      this.withinLimits(next);
      const before = energy;
      energy = this.residuals(next);
      if (energy < before) {
        const moved = next.some((value, i) => Math.abs(value - q[i]) > LEAST_STEP * (1 + Math.abs(value)));
        q = next;
        damping *= 0.25;
        if (!moved) break;
      } else {
        energy = this.residuals(q);
        damping *= 8;
      }
    }
    const [positionError, rotationError] = this.errors();
    return { q, energy, converged: this.isReached(), positionError, rotationError, iterations: this.iterations };
  }

  /** Takes whole turns out of hinges, so that none turns further from the start than it has to. */
  unwind(q: Float64Array): void {
    const { segmentKind: kinds, segmentDof, couplings, lower, upper } = this.model;
    kinds.forEach((kind, s) => {
      const k = segmentDof[s];
      if (kind !== segmentKind.turn || couplings.some(({ dof, driver }) => dof === k || driver === k)) return;
      const value = q[k] - 2 * Math.PI * Math.round((q[k] - this.first[k]) / (2 * Math.PI));
      if (value >= lower[k] && value <= upper[k]) q[k] = value;
    });
  }

  /** Fills r and J; half of the sum of their squares, weighted. */
  private residuals(q: Float64Array): number {
    const { model, scratch, jacobian, r, size, slides } = this;
    const { nq } = model;
    updatePositions(scratch, q);
    jacobian.fill(0);
    let row = 0;
    for (const { closure, rows, weight } of this.tasks)
      for (const kind of rows) {
        const factor = kind < 3 ? weight / size : weight;
        r[row] = factor * closureError(scratch, closure, kind);
        addClosureRow(scratch, closure, kind, jacobian, row * nq);
        for (let k = row * nq; k < (row + 1) * nq; k++) jacobian[k] *= factor;
        row++;
      }
    for (const coupling of model.couplings) {
      const [value, slope] = polynomialAt(coupling, q);
      const factor = slides[coupling.dof] === 1 ? 1 / size : 1;
      r[row] = factor * (q[coupling.dof] - value);
      jacobian[row * nq + coupling.dof] = factor;
      if (coupling.driver >= 0) jacobian[row * nq + coupling.driver] -= factor * slope;
      row++;
    }
    return 0.5 * sumOf(this.count, (k) => r[k] ** 2);
  }

  /** Largest error of a place [m] and of a turn [rad] at the coordinates of the last `residuals`. */
  private errors(): [number, number] {
    const { r, size, slides, model } = this;
    let [row, position, rotation] = [0, 0, 0];
    for (const { rows, weight } of this.tasks) {
      let [distance, angle] = [0, 0];
      for (const kind of rows) {
        const error = r[row++] / weight;
        if (kind < 3) distance = lengthOf(distance, error * size);
        else angle = lengthOf(angle, error);
      }
      position = Math.max(position, distance);
      rotation = Math.max(rotation, angle);
    }
    for (const { dof } of model.couplings) {
      const error = Math.abs(r[row++]);
      if (slides[dof] === 1) position = Math.max(position, error * size);
      else rotation = Math.max(rotation, error);
    }
    return [position, rotation];
  }

  private isReached(): boolean {
    const [position, rotation] = this.errors();
    return position <= this.tolerances[0] && rotation <= this.tolerances[1];
  }

  private isBeyond(k: number, value: number, way: number): boolean {
    const { lower, upper } = this.model;
    return (way < 0 && value <= lower[k]) || (way > 0 && value >= upper[k]);
  }

  private withinLimits(q: Float64Array): Float64Array {
    const { lower, upper } = this.model;
    for (const k of this.free) q[k] = Math.min(Math.max(q[k], lower[k]), upper[k]);
    return q;
  }
}

function taskOf(model: ArticulatedModel, goal: LinkGoal, object: string): Task {
  const { link, point = [0, 0, 0], position, rotation, weight = 1 } = goal;
  checkNames(object, goal, goalNames);
  const linkA = model.linkNames.indexOf(link);
  if (linkA < 0) throw invalid(`${object}.link`, link, "must be the name of a link");
  if (!position && !rotation) throw invalid(object, goal, "must have a position, a rotation or both");
  finite(point, `${object}.point`);
  if (position) finite(position, `${object}.position`);
  if (rotation) finite(rotation, `${object}.rotation`);
  if (rotation?.every((value) => value === 0)) throw invalid(`${object}.rotation`, rotation, "must not be zero");
  const closure = {
    linkA,
    linkB: WORLD,
    pointA: point,
    pointB: position ?? ([0, 0, 0] as const),
    rotation: rotation && unitQuaternion(rotation),
  };
  const rows = [...(position ? [0, 1, 2] : []), ...(rotation ? [3, 4, 5] : [])];
  return { closure, rows, weight: positive(weight, `${object}.weight`) };
}

const firstRows = (closure: CompiledClosure): number[] => Array.from({ length: rowsOf(closure) }, (_, row) => row);

/** 1 for each degree of freedom that is a slide [m]; the others are turns [rad]. */
function slidesOf({ nv, segmentKind: kinds, segmentDof }: ArticulatedModel): Uint8Array {
  const slides = new Uint8Array(nv);
  kinds.forEach((kind, s) => (slides[segmentDof[s]] = Number(kind === segmentKind.slide)));
  return slides;
}

/** The longest way along links to a goal, with the point on its link [m]. */
function sizeOf(model: ArticulatedModel, goals: readonly LinkGoal[]): number {
  const { parent, parentPosition: p, childPosition: c } = model;
  let size = 0;
  for (const { link, point = [0, 0, 0] } of goals) {
    let way = norm(point);
    for (let i = model.linkNames.indexOf(link); i !== WORLD; i = parent[i]) {
      way += lengthAt(c, 3 * i);
      if (parent[i] !== WORLD) way += lengthAt(p, 3 * i);
    }
    size = Math.max(size, way);
  }
  return size || 1;
}

function sumOf(count: number, term: (k: number) => number): number {
  let sum = 0;
  for (let k = 0; k < count; k++) sum += term(k);
  return sum;
}

function finite(values: ArrayLike<number>, object: string): void {
  for (let k = 0; k < values.length; k++) checkFinite(values[k], object);
}

function positive(value: number, object: string): number {
  if (!(value > 0 && Number.isFinite(value))) throw invalid(object, value, "must be positive and finite");
  return value;
}

function whole(value: number, object: string, least: number): number {
  if (!Number.isInteger(value) || value < least)
    throw invalid(object, value, `must be an integer of at least ${least}`);
  return value;
}
