import * as constants from "../../../generated/constants";
import type { BodyTable } from "../motion/bodies";
import type { AxisSettings } from "../joints/axis";
import { type FrameJoint, ROW_TAGS } from "../joints/frame-joint";
import { Use, USES } from "../joints/joint-data";
import { JointRows } from "../contact/rows";
import { type FrameTables, NONE } from "./frame-tables";

/** Stands for an infinite bound in f32. */
const UNBOUNDED = 1e30;

/** Packs joints as records for the GPU, which computes C and J. Remembers the places of impulses of their rows. */
export class JointPacker {
  private readonly scratch = new JointRows();
  /** places of the last impulses by tag, and the frame of these impulses */
  private readonly memory = new WeakMap<FrameJoint, { frame: number; at: Uint32Array }>();
  private frame = 0;

  /** Starts a frame. */
  begin(): void {
    this.frame++;
  }

  /**
   * Adds a joint and its rows.
   *
   * @param h time step [s]
   * @param placeA place of body A on the GPU
   * @returns number of rows; those of the joint are the last ones in the table
   */
  add(tables: FrameTables, bodies: BodyTable, joint: FrameJoint, placeA: number, placeB: number, h: number): number {
    const { joints, rows } = tables;
    const { scratch } = this;
    scratch.clear();
    joint.firstRow = 0;
    scratch.h = h;
    joint.addRows(bodies, scratch);
    joint.rowCount = scratch.count;
    const at = joints.append();
    const { frameA, frameB } = joint;
    for (let i = 0; i < 7; i++) {
      joints.f32[at + (i < 3 ? joints.at("pivotA") + i : joints.at("turnA") + i - 3)] = frameA[i]!;
      joints.f32[at + (i < 3 ? joints.at("pivotB") + i : joints.at("turnB") + i - 3)] = frameB[i]!;
    }
    joints.u32[at + joints.at("placeA")] = placeA;
    joints.u32[at + joints.at("placeB")] = placeB;
    joints.u32[at + joints.at("freeAngle")] = joint.freeAngle >>> 0;
    const known = this.memory.get(joint);
    const previous = known?.frame === this.frame - 1 ? known.at : undefined;
    for (let k = 0; k < scratch.count; k++) {
      const tag = joint.tags[k];
      const axis = Math.floor(tag / USES);
      const use = tag % USES;
      const settings = joint.axes[axis];
      const row = rows.append();
      const sign = use === Use.upper ? -1 : 1;
      const isCarrier = axis < 3 && (use === Use.lock || use === Use.lower || use === Use.upper);
      rows.u32[row + rows.at("axis")] = axis;
      rows.u32[row + rows.at("form")] = formOf(joint, axis, use);
      rows.f32[row + rows.at("reference")] = referenceOf(settings, use);
      rows.f32[row + rows.at("sign")] = sign;
      rows.f32[row + rows.at("share")] = scratch.share[k]!;
      rows.f32[row + rows.at("compliance")] = scratch.compliance[k]!;
      rows.f32[row + rows.at("goal")] = scratch.target[k]!;
      rows.f32[row + rows.at("lower")] = Math.max(-UNBOUNDED, scratch.lower[k]);
      rows.f32[row + rows.at("upper")] = Math.min(UNBOUNDED, scratch.upper[k]);
      rows.u32[row + rows.at("previous")] = previous?.[tag] ?? NONE;
      rows.f32[row + rows.at("load")] = isCarrier ? sign : 0;
    }
    return scratch.count;
  }

  /** Notes the places of impulses of the joint that was added last. @param block number of the first of its blocks */
  note(joint: FrameJoint, block: number): void {
    let known = this.memory.get(joint);
    if (!known) this.memory.set(joint, (known = { frame: 0, at: new Uint32Array(ROW_TAGS) }));
    known.frame = this.frame;
    known.at.fill(NONE);
    for (let k = 0; k < joint.rowCount; k++) known.at[joint.tags[k]] = 4 * (block + Math.floor(k / 3)) + (k % 3);
  }
}

function formOf(joint: FrameJoint, axis: number, use: number): number {
  if (axis < 3 || axis === 6) return constants.ROW_TWIST;
  if (use === Use.lock && joint.axes[axis].mode === "locked") {
    if (joint.freeAngle === -1) return constants.ROW_SMALL;
    if (joint.freeAngle < 3) return constants.ROW_LEAN;
  }
  return use === Use.motor ? constants.ROW_WRAPPED : constants.ROW_TWIST;
}

/** Reference value from which C is measured. */
function referenceOf(settings: AxisSettings, use: number): number {
  if (use === Use.upper) return settings.max;
  if (use === Use.lower) return settings.min;
  if (use === Use.motor) return settings.target;
  return settings.mode === "limited" && Number.isFinite(settings.min) ? settings.min : 0;
}
