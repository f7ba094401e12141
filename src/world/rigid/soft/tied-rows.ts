/**
 * Attachments of bodies of the Newton solver to rigid ones, as rows of answering islands: a particle answers an impulse by A⁻¹ of the step
 * that its body has made, so a rigid body that hangs on one, and carries particles of GPBD, knows within the frame what bears it.
 */
import type { FemBody } from "../../../solvers/newton/deformable/fem-body";
import { POSE_SIZE, TWIST_SIZE, type BodyTable } from "../../../solvers/newton/motion/bodies";
import { turn } from "../../../math/quaternions";
import type { Vec3 } from "../../../math/types";
import type { SoftTie } from "../../../solvers/newton/deformable/contact/soft-contacts";
import type { RigidBody } from "../rigid-body";

/** An attachment, see soft-bodies.ts. */
interface BodyTie extends SoftTie {
  readonly soft: FemBody;
  readonly rigid: RigidBody;
  readonly point: Vec3;
}

/** Part of the energy that there is by which a frame may gain, and of the work of impulses, as in ghost-landing.ts. */
const GAIN = 0.02;
const LINEAR = 0.25;
/** Most halvings of an answer that has more energy than the impulses gave: it is linear, and far off where it turns or crushes the body. */
const HALVINGS = 12;

/** Rows of one deformable body: three for each attachment, along the axes of the world. */
export interface TiedRows {
  /** places of the rigid bodies, by row */
  readonly slots: readonly number[];
  /** TWIST_SIZE a row: velocity of the point of the rigid body along the row, by its twist */
  readonly jacobians: readonly Float64Array[];
  /** rows × rows: velocity of a particle along a row by an impulse along another one, with the compliance of the attachment [1/kg] */
  readonly answers: Float64Array;
  /**
   * Moves the body by what rigid ones took from it.
   *
   * @param impulses on rigid bodies, by row [N s]
   * @param ways the sum of these, each times what was left of the frame [N s²]
   */
  give(impulses: Float64Array, ways: Float64Array): void;
}

/** @param dt of the frame [s] */
export function tiedRows(
  { ties }: { readonly ties: readonly BodyTie[] },
  bodies: BodyTable,
  dt: number,
): readonly TiedRows[] {
  const softs = new Set(ties.map(({ soft }) => soft));
  return [...softs].flatMap((soft) => {
    if (soft.isFrozen || soft.isAsleep) return [];
    const own = ties.filter((tie) => tie.soft === soft && soft.fixed[tie.node] === 0 && !tie.rigid.isDisposed);
    return own.length > 0 ? [rowsOf(soft, own, bodies, dt)] : [];
  });
}

function rowsOf(soft: FemBody, ties: readonly BodyTie[], { state }: BodyTable, dt: number): TiedRows {
  const size = 3 * ties.length;
  const answers = new Float64Array(size * size);
  const columns = Array.from({ length: size }, (_, row) => {
    const j = new Float64Array(soft.positions.length);
    j[placeOf(ties, row)] = 1;
    const u = answerOf(soft, j);
    for (let other = 0; other < size; other++) answers[other * size + row] = u[placeOf(ties, other)];
    answers[row * (size + 1)] += ties[Math.floor(row / 3)].compliance / (dt * dt);
    return u;
  });
  const move = (to: Float64Array, by: Float64Array): void => {
    columns.forEach((u, row) => {
      if (by[row] !== 0) for (let i = 0; i < to.length; i++) to[i] -= by[row] * u[i];
    });
  };
  return {
    slots: ties.flatMap(({ rigid: { record } }) => [record.slot, record.slot, record.slot]),
    jacobians: ties.flatMap(({ rigid, point }) => {
      const at = POSE_SIZE * rigid.record.slot;
      const [x, y, z] = turn(rigid.rotation, point).map((value, c) => value + rigid.position[c] - state.pose[at + c]);
      return [
        [1, 0, 0, 0, z, -y],
        [0, 1, 0, -z, 0, x],
        [0, 0, 1, y, -x, 0],
      ].map((row) => Float64Array.from(row.slice(0, TWIST_SIZE)));
    }),
    answers,
    give(impulses, ways) {
      const { positions, velocities } = soft;
      const [x, v] = [positions.slice(), velocities.slice()];
      positions.set(soft.start);
      const begun = soft.elasticEnergy();
      positions.set(x);
      const stepped = energyOf(soft);
      move(velocities, impulses);
      move(positions, ways);
      let work = 0;
      impulses.forEach((p, row) => {
        const i = placeOf(ties, row);
        work -= (p * (v[i] + velocities[i])) / 2;
      });
      const most = (1 + GAIN) * Math.max(stepped + work, begun + work, begun) + LINEAR * Math.abs(work);
      for (let n = 0; n < HALVINGS && energyOf(soft) > most; n++)
        for (let i = 0; i < x.length; i++) {
          positions[i] = (x[i] + positions[i]) / 2;
          velocities[i] = (v[i] + velocities[i]) / 2;
        }
    },
  };
}

/** Kinetic and elastic energy [J]. */
function energyOf(soft: FemBody): number {
  const { masses } = soft.model;
  return soft.velocities.reduce((sum, v, i) => sum + (masses[Math.floor(i / 3)] * v * v) / 2, soft.elasticEnergy());
}

const placeOf = (ties: readonly BodyTie[], row: number): number => 3 * ties[Math.floor(row / 3)].node + (row % 3);

function answerOf(soft: FemBody, j: Float64Array): Float64Array {
  const u = new Float64Array(j.length);
  soft.solve(j, u);
  // Their rows of A are those of the unit matrix.
  for (let p = 0; p < soft.fixed.length; p++) if (soft.fixed[p] === 1) u.fill(0, 3 * p, 3 * p + 3);
  return u;
}
