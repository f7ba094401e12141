import type { BodyTable } from "../motion/bodies";
import type { JointRows } from "../contact/rows";

/**
 * A joint between two bodies, as the solver sees it: rows, whose number may change from step to step, and functions that
 * write their C and J for any poses.
 */
export abstract class Joint {
  /** place of body A in the table, kept up to date by the world */
  slotA = -1;
  slotB = -1;
  /** first of its rows in this step */
  firstRow = 0;
  rowCount = 0;

  /**
   * Adds the geometric stiffness by the joint's forces of the last step to the bodies' stiffness
   * (geometric-stiffness.ts).
   */
  abstract addStiffness(bodies: BodyTable, h: number): void;

  /** Adds the rows of a step of `rows.h`, with bounds, compliance and the impulses of the last step. */
  abstract addRows(bodies: BodyTable, rows: JointRows): void;

  /** Raises `out[0]` to the rate at which J of its rows turns with the velocities in the state [rad/s]. */
  abstract turnRate(bodies: BodyTable, out: Float64Array): void;

  /** Writes the distance of the points that the joint holds together to `out[0]` [m]. @param poses poses of all bodies, POSE_SIZE each */
  abstract gap(poses: Float64Array, out: Float64Array): void;

  /** Writes C of its rows for the poses in the state. */
  abstract writeValues(bodies: BodyTable, rows: JointRows): void;

  /** Writes J of its rows for the poses in the state. */
  abstract writeJacobians(bodies: BodyTable, rows: JointRows): void;

  /** Keeps the impulses for the next step. */
  abstract keepImpulses(rows: JointRows): void;

  /** Numbers that the next step starts from, for snapshots. */
  abstract readonly memory: Float64Array;
}
