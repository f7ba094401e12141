/**
 * Motion of pins, and what it may give a solid. Pins that hold exactly do any work that their motion asks for, so that only their
 * motion can say how much that may be.
 *
 * The part of it that is rigid, u(x) = V + Ω × (x − c), is exact: seen from there pins rest, and the energy that the solid has beside
 * them is its own. The rest w of their velocities strains it. In an elastic solid with the energy Ψ(s) = ½ sᵀHs it does at most the
 * work √(2Ψ) √(wᵀHw) a second (Cauchy and Schwarz). So in a frame the root of the energy grows by √D at most, with the energy D of a
 * body at rest of which the pins alone go their way w dt, however the body moves. That is much in a soft body, which would yield meanwhile:
 * nothing that pins hit becomes faster than 2 w. So the energy is not lifted beyond (√Ψ + √D)² + ½ m (2 w)², and where Ψ is not known, since
 * an element is inside out, not beyond the last of these.
 */
import { massOf } from "../../mass";
import { solve3, type Matrix3 } from "../../../math/matrix3";
import type { Vec3 } from "../../../math/types";
import { cross } from "../../../math/vectors";
import type { GpbdModel } from "../model";
import { axialStiffness } from "../solid-substeps";

/** Rigid motion of pins in a frame, and √D. */
export interface PinMotion {
  /** V [m/s] */
  readonly velocity: Vec3;
  /** Ω [rad/s] */
  readonly spin: Vec3;
  /** c at the start of the frame [m] */
  readonly centre: Vec3;
  /** √D in the frame [√J] */
  readonly drive: number;
  /** ½ m (2 w)² with the mean square of w [J] */
  readonly blow: number;
}

/** Part of a body's own inertia that counts for Ω: pins that are near each other do not say how all of it turns. */
const INERTIA = 0.002;
/** Part of the size below which pins rest [m/m] */
const STILL = 1e-9;

/**
 * @param held particles that pins hold exactly
 * @param targets where they are at the end of the frame, n × 3 [m]
 * @param from where they are at its start, n × 3 [m]
 * @param dt frame [s]
 * @returns undefined where none moves
 */
export function pinMotion(
  model: GpbdModel,
  held: readonly number[],
  targets: ArrayLike<number>,
  from: ArrayLike<number>,
  dt: number,
): PinMotion | undefined {
  const { spread, stiffness, mass } = statics(model);
  const still = STILL * Math.sqrt(spread);
  if (!held.some((p) => [0, 1, 2].some((c) => Math.abs(targets[3 * p + c] - from[3 * p + c]) > still)))
    return undefined;
  const at = (values: ArrayLike<number>, p: number): Vec3 => [values[3 * p], values[3 * p + 1], values[3 * p + 2]];
  const [centre, way] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  for (const p of held)
    for (let c = 0; c < 3; c++) {
      centre[c] += from[3 * p + c] / held.length;
      way[c] += (targets[3 * p + c] - from[3 * p + c]) / held.length;
    }
  const own = INERTIA * held.length * spread;
  const inertia = [own, 0, 0, 0, own, 0, 0, 0, own];
  const moment = [0, 0, 0];
  const beside = (p: number): { arm: Vec3; rest: Vec3 } => {
    const [x, to] = [at(from, p), at(targets, p)];
    const arm: Vec3 = [x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]];
    return { arm, rest: [to[0] - x[0] - way[0], to[1] - x[1] - way[1], to[2] - x[2] - way[2]] };
  };
  for (const p of held) {
    const { arm, rest } = beside(p);
    const turn = cross(arm, rest);
    const squares = arm[0] ** 2 + arm[1] ** 2 + arm[2] ** 2;
    for (let i = 0; i < 3; i++) {
      moment[i] += turn[i];
      inertia[4 * i] += squares;
      for (let j = 0; j < 3; j++) inertia[3 * i + j] -= arm[i] * arm[j];
    }
  }
  const turn = solve3(inertia as unknown as Matrix3, moment as unknown as Vec3);
  let [strained, squares] = [0, 0];
  for (const p of held) {
    const { arm, rest } = beside(p);
    const turned = cross(turn, arm);
    const square = [0, 1, 2].reduce((sum, c) => sum + (rest[c] - turned[c]) ** 2, 0);
    strained += 0.5 * stiffness[p] * square;
    squares += square;
  }
  return {
    velocity: [way[0] / dt, way[1] / dt, way[2] / dt],
    spin: [turn[0] / dt, turn[1] / dt, turn[2] / dt],
    centre: centre as unknown as Vec3,
    drive: Math.sqrt(strained),
    blow: (2 * mass * squares) / (held.length * dt * dt),
  };
}

/** Numbers of a model at rest. */
interface Statics {
  /** [kg] */
  readonly mass: number;
  /** mean square of the distance from the middle [m²] */
  readonly spread: number;
  /** of each particle: twice the energy of a way of its own, over the square of that, at most and with its neighbors' [N/m] */
  readonly stiffness: Float64Array;
}

const known = new WeakMap<GpbdModel, Statics>();

function statics(model: GpbdModel): Statics {
  const found = known.get(model) ?? findStatics(model);
  known.set(model, found);
  return found;
}

/** An element of which several vertices move has at most so many times the sum of their energies as there are. */
function findStatics(model: GpbdModel): Statics {
  const { positions: x, particleCount: n, terms } = model;
  const stiffness = new Float64Array(n);
  for (const term of terms) {
    const { indices, rest, elementCount } = term;
    const [arity, stride] = [indices.length / elementCount, rest.length / elementCount];
    const axial = axialStiffness(term);
    for (let e = 0; e < elementCount; e++) {
      const share = (arity - 1) * axial * rest[stride * (e + 1) - 1];
      for (let j = 0; j < 3; j++) {
        let first = 0;
        for (let a = 1; a < arity; a++) {
          const g = rest[stride * e + 3 * (a - 1) + j];
          first -= g;
          stiffness[indices[arity * e + a]] += share * g * g;
        }
        stiffness[indices[arity * e]] += share * first * first;
      }
    }
  }
  const middle = [0, 0, 0];
  for (let i = 0; i < 3 * n; i++) middle[i % 3] += x[i] / n;
  let spread = 0;
  for (let i = 0; i < 3 * n; i++) spread += (x[i] - middle[i % 3]) ** 2 / n;
  return { mass: massOf(model), spread, stiffness };
}
