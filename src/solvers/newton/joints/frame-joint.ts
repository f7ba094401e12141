/**
 * A joint between a frame on A and a frame on B. Each of its seven degrees of freedom is free, locked or limited, and
 * may have a spring, a motor and friction (axis.ts). Hinges, sliders, balls and all other types are settings of this
 * joint.
 */

import type { BodyTable } from "../motion/bodies";
import type { JointRows } from "../contact/rows";
import { AXIS_COUNT, type AxisSettings, settlingTime } from "./axis";
import { Joint } from "./joint";
import { JointData, Use, USES } from "./joint-data";
import { RelativeFrame } from "./relative-frame";

/** Number of tags that rows may have. */
export const ROW_TAGS = AXIS_COUNT * USES;

const TURN = 6.283185307179586;
const frame = new RelativeFrame();
const force = new Float64Array(3);

export class FrameJoint extends Joint {
  readonly frameA: Float64Array;
  readonly frameB: Float64Array;
  readonly axes: readonly AxisSettings[];
  readonly memory: Float64Array;
  /** axis × USES + use of each row */
  readonly tags = new Int32Array(AXIS_COUNT * USES);
  /** the free rotation if the other two are locked, −1 if all are locked, 3 in all other cases */
  freeAngle = 3;

  constructor({ frameA, frameB, axes, memory }: JointData = new JointData()) {
    super();
    this.frameA = frameA;
    this.frameB = frameB;
    this.axes = axes;
    this.memory = memory;
  }

  addStiffness(bodies: BodyTable, h: number): void {
    let isLoaded = false;
    for (let i = 0; i < 3; i++) {
      const at = USES * i;
      const { memory } = this;
      force[i] = (memory[at + Use.lock] + memory[at + Use.lower] - memory[at + Use.upper]) / h;
      if (force[i] !== 0) isLoaded = true;
    }
    if (!isLoaded) return;
    frame.set(bodies, this.slotA, this.slotB, this.frameA, this.frameB);
    frame.addStiffness(bodies, this.slotA, this.slotB, force, h);
  }

  addRows(bodies: BodyTable, rows: JointRows): void {
    const { h } = rows;
    this.freeAngle = this.findFreeAngle();
    frame.set(bodies, this.slotA, this.slotB, this.frameA, this.frameB);
    let count = 0;
    for (let axis = 0; axis < AXIS_COUNT; axis++) {
      const s = this.axes[axis];
      if (s.mode === "locked" || (s.mode === "limited" && s.min === s.max))
        soften(rows, this.add(rows, axis, Use.lock, count++), s.stiffness, s.damping);
      else if (s.mode === "limited") {
        if (s.min > -Infinity) this.addLimit(rows, axis, Use.lower, count++);
        if (s.max < Infinity) this.addLimit(rows, axis, Use.upper, count++);
      }
      if (s.motor !== "none") this.addMotor(rows, axis, count++);
      if (s.friction > 0) {
        const row = this.add(rows, axis, Use.friction, count++);
        rows.share[row] = 0;
        rows.lower[row] = -h * s.friction;
        rows.upper[row] = h * s.friction;
      }
    }
  }

  turnRate(bodies: BodyTable, out: Float64Array): void {
    frame.set(bodies, this.slotA, this.slotB, this.frameA, this.frameB);
    let hasAngles = false;
    for (let i = 3; i < 6; i++) {
      const { mode, motor, friction } = this.axes[i];
      hasAngles ||= mode !== "free" || motor !== "none" || friction > 0;
    }
    const freeAngle = this.findFreeAngle();
    const isHinge = hasAngles && freeAngle >= 0 && freeAngle < 3;
    frame.turnRate(bodies, this.slotA, this.slotB, isHinge ? freeAngle : hasAngles ? "angles" : "none", out);
  }

  gap(poses: Float64Array, out: Float64Array): void {
    frame.place(poses, this.slotA, this.slotB, this.frameA, this.frameB);
    let squared = 0;
    for (let axis = 0; axis < 3; axis++) {
      if (!this.isHardLock(axis, Use.lock)) continue;
      frame.measure(axis, out, 0);
      squared += out[0] * out[0];
    }
    out[0] = Math.sqrt(squared);
  }

  writeValues(bodies: BodyTable, rows: JointRows): void {
    frame.set(bodies, this.slotA, this.slotB, this.frameA, this.frameB);
    for (let k = 0; k < this.rowCount; k++) {
      const axis = Math.floor(this.tags[k] / USES);
      const use = this.tags[k] % USES;
      const s = this.axes[axis];
      const { value } = rows;
      const row = this.firstRow + k;
      this.measure(axis, use, value, row);
      if (use === Use.upper) value[row] = s.max - value[row];
      else if (use === Use.lower || (use === Use.lock && s.mode === "limited")) value[row] -= s.min;
      else if (use === Use.motor) {
        value[row] -= s.target;
        // A rotation takes the shorter way.
        if (axis >= 3 && axis < 6) value[row] -= TURN * Math.floor(value[row] / TURN + 0.5);
      }
    }
  }

  writeJacobians(bodies: BodyTable, rows: JointRows): void {
    frame.set(bodies, this.slotA, this.slotB, this.frameA, this.frameB);
    for (let k = 0; k < this.rowCount; k++) {
      const axis = Math.floor(this.tags[k] / USES);
      const use = this.tags[k] % USES;
      const row = this.firstRow + k;
      const sign = use === Use.upper ? -1 : 1;
      if (axis === 6) frame.writeDistance(rows, row, sign);
      else if (axis < 3) frame.writeTranslation(rows, row, axis, sign);
      else if (this.isHardLock(axis, use) && this.freeAngle === -1) frame.writeSmall(rows, row, axis - 3);
      else if (this.isHardLock(axis, use) && this.freeAngle < 3) frame.writeLean(rows, row, axis - 3, this.freeAngle);
      else frame.writeTwist(rows, row, axis - 3, sign);
    }
  }

  keepImpulses(rows: JointRows): void {
    this.memory.fill(0);
    for (let k = 0; k < this.rowCount; k++) this.memory[this.tags[k]] = rows.impulse[this.firstRow + k];
  }

  private add(rows: JointRows, axis: number, use: number, k: number): number {
    const row = rows.add(this.slotA, this.slotB);
    const tag = USES * axis + use;
    this.tags[k] = tag;
    rows.impulse[row] = this.memory[tag];
    return row;
  }

  private addLimit(rows: JointRows, axis: number, use: number, k: number): void {
    const row = this.add(rows, axis, use, k);
    const { stiffness, damping } = this.axes[axis];
    soften(rows, row, stiffness, damping);
    rows.lower[row] = 0;
  }

  private addMotor(rows: JointRows, axis: number, k: number): void {
    const { h } = rows;
    const row = this.add(rows, axis, Use.motor, k);
    const s = this.axes[axis];
    rows.lower[row] = -h * s.maxForce;
    rows.upper[row] = h * s.maxForce;
    if (s.motor === "velocity") {
      rows.share[row] = 0;
      rows.target[row] = s.target;
    } else if (s.motorStiffness > 0) soften(rows, row, s.motorStiffness, s.motorDamping);
    // v = −C/τ at the end of the step
    else rows.share[row] = h / (h + settlingTime);
  }

  private measure(axis: number, use: number, out: Float64Array, at: number): void {
    const isLocked = axis >= 3 && axis < 6 && this.isHardLock(axis, use);
    if (isLocked && this.freeAngle === -1) frame.small(axis - 3, out, at);
    else if (isLocked && this.freeAngle < 3) frame.lean(axis - 3, this.freeAngle, out, at);
    else frame.measure(axis, out, at);
  }

  private isHardLock(axis: number, use: number): boolean {
    return use === Use.lock && this.axes[axis].mode === "locked";
  }

  private findFreeAngle(): number {
    let free = -1;
    let locked = 0;
    for (let i = 0; i < 3; i++)
      if (this.axes[3 + i].mode === "locked") locked++;
      else free = i;
    return locked === 3 ? -1 : locked === 2 ? free : 3;
  }
}

/** Turns a row into a spring with a damper (rows.ts); without a stiffness it stays hard, or becomes a damper. */
function soften(rows: JointRows, row: number, stiffness: number, damping: number): void {
  if (!(stiffness > 0)) return;
  const { h } = rows;
  const sum = h * stiffness + damping;
  rows.share[row] = (h * stiffness) / sum;
  rows.compliance[row] = 1 / (h * sum);
}
