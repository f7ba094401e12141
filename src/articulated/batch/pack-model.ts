import * as structs from "../../generated/structs";
import { StructWriter } from "../../gpu/struct";
import { inverse3 } from "../../math/matrix3";
import {
  CONTACT_NORMAL,
  CONTACT_SCRATCH,
  DOF_SCRATCH,
  HELD_VECTOR,
  LINK_SCRATCH,
  ROTATION_BALL,
  ROTATION_BOUND,
  ROTATION_FREE,
  TOUCH_PLANE,
} from "../../generated/constants";
import type { ActuatorDescription } from "../actuators/description";
import { Actuators } from "../actuators/actuators";
import { unsupported } from "../../errors";
import { segmentKind } from "../joints/segments";
import { type ArticulatedModel, WORLD } from "../model";
import { Pace } from "../step/pace";
import { rotationJoints } from "../step/rotation-step";
import type { CheckedBatchOptions } from "./batch-options";
import { type Schedules, schedulesOf } from "./schedule";
import { touchesOf } from "./touches";

/** A mechanism as the records of shaders/articulated/batch-model.wgsl. */
export interface PackedModel {
  readonly links: ArrayBuffer;
  readonly segments: ArrayBuffer;
  readonly dofs: ArrayBuffer;
  readonly touches: ArrayBuffer;
  readonly touchCount: number;
  /** numbers of a `HullTable`, then the ways of the coordinates to the world; and where these begin */
  readonly tables: Float32Array;
  readonly ways: number;
  /** how many parts the schedules have */
  readonly parts: Readonly<Record<keyof Schedules, number>>;
  /** whether links may touch each other or an obstacle */
  readonly hasPairs: boolean;
  /** whether some of what touches bounces */
  readonly bounces: boolean;
  /** count of numbers of scratch memory for each world; where rows of constraints begin in it, how many a row has, and where contacts begin */
  readonly scratch: number;
  readonly rowStart: number;
  readonly rowSize: number;
  readonly contactStart: number;
  /** how many contacts there may be */
  readonly contacts: number;
  /** rows of `states` and of `controls` */
  readonly stateRows: number;
  readonly controlRows: number;
  /** coordinate of each actuator */
  readonly driven: readonly number[];
  /** 1 for coordinates of a rotation that is stepped as free */
  readonly isFree: Uint8Array;
}

/** Stands for an infinite bound in f32. */
const UNBOUNDED = 3e38;

export function packModel(model: ArticulatedModel, options: CheckedBatchOptions): PackedModel {
  const { linkCount, nv } = model;
  const pace = new Pace(model);
  const schedules = schedulesOf(model);
  const { linkLevels, dofLevels, dofRounds } = schedules;
  const links = new StructWriter(structs.BatchLink, linkCount);
  for (let i = 0; i < linkCount; i++) {
    const column = (rotations: Float64Array, c: number): number[] => [0, 3, 6].map((r) => rotations[9 * i + r + c]);
    const vector = (values: Float64Array): Float64Array => values.subarray(3 * i, 3 * i + 3);
    (["X", "Y", "Z"] as const).forEach((axis, c) => {
      links.set(i, `parent${axis}`, column(model.parentRotation, c));
      links.set(i, `child${axis}`, column(model.childRotation, c));
    });
    links.set(i, "parentPosition", vector(model.parentPosition));
    links.set(i, "childPosition", vector(model.childPosition));
    links.set(i, "mass", model.mass[i]);
    links.set(i, "parent", model.parent[i] === WORLD ? -1 : model.parent[i]);
    links.set(i, "firstSegment", model.segmentStart[i]);
    links.set(i, "endSegment", model.segmentStart[i + 1]);
    links.set(i, "firstDof", model.linkDof[i]);
    links.set(i, "endDof", model.linkDof[i] + model.linkDofCount[i]);
    links.set(i, "centerOfMass", vector(model.centerOfMass));
    links.set(i, "inertiaDiagonal", model.inertia.subarray(6 * i, 6 * i + 3));
    links.set(i, "inertiaOffDiagonal", model.inertia.subarray(6 * i + 3, 6 * i + 6));
    links.set(i, "levelLink", linkLevels.order[i]);
    links.set(i, "levelEnd", linkLevels.ends[i] ?? 0);
    links.set(i, "lastChild", model.parent.lastIndexOf(i));
    const siblings = model.parent.subarray(0, i);
    links.set(i, "sibling", model.parent[i] === WORLD ? -1 : siblings.lastIndexOf(model.parent[i]));
    links.set(i, "turning", pace.turning.includes(i) ? 1 : 0);
  }
  const segments = new StructWriter(structs.BatchSegment, model.segmentKind.length);
  model.segmentKind.forEach((kind, s) => {
    segments.set(s, "kind", kind);
    segments.set(s, "dof", model.segmentDof[s]);
    segments.set(s, "axis", model.segmentAxis.subarray(3 * s, 3 * s + 3));
    segments.set(s, "pitch", model.segmentPitch[s]);
  });
  const turned = new Uint8Array(nv);
  const isFree = new Uint8Array(nv);
  for (const joint of rotationJoints(model)) {
    const s = model.segmentDof.findIndex(
      (dof, i) => dof === joint.dof && model.segmentKind[i] === segmentKind.rotationVector,
    );
    const { inertia: B, centre } = joint.readBody();
    const K = inverse3(B);
    const symmetric = ["inertia", "inverse"] as const;
    segments.set(s, "freedom", !joint.free ? ROTATION_BOUND : joint.slide === WORLD ? ROTATION_BALL : ROTATION_FREE);
    [B, K].forEach((m, i) => {
      segments.set(s, `${symmetric[i]}Diagonal`, joint.free ? [m[0], m[4], m[8]] : [1, 1, 1]);
      segments.set(s, `${symmetric[i]}OffDiagonal`, joint.free ? [m[1], m[2], m[5]] : [0, 0, 0]);
    });
    segments.set(s, "centre", centre);
    const end = joint.dof + (joint.slide === WORLD ? 3 : 6);
    turned.fill(1, joint.dof, end);
    if (joint.free) isFree.fill(1, joint.dof, end);
  }
  const dofs = new StructWriter(structs.BatchDof, nv);
  let row = LINK_SCRATCH * linkCount + DOF_SCRATCH * nv;
  const ways: number[] = [];
  const hasLimits = options.limits !== false;
  let stateRows = 2 * nv;
  let limitCount = 0;
  let deepest = 0;
  for (let k = 0; k < nv; k++) {
    dofs.set(k, "row", row);
    const depth = model.supportStart[k + 1] - model.supportStart[k];
    dofs.set(k, "parent", model.dofParent[k]);
    dofs.set(k, "depth", depth);
    deepest = Math.max(deepest, depth);
    ways.push(k, ...model.support.subarray(model.supportStart[k], model.supportStart[k + 1]));
    dofs.put(k, {
      levelDof: dofLevels.order[k],
      levelEnd: dofLevels.ends[k] ?? 0,
      roundDof: dofRounds.order[k],
      roundEnd: dofRounds.ends[k] ?? 0,
    });
    dofs.set(k, "lower", Math.max(model.lower[k], -UNBOUNDED));
    dofs.set(k, "upper", Math.min(model.upper[k], UNBOUNDED));
    if (hasLimits && (Number.isFinite(model.lower[k]) || Number.isFinite(model.upper[k]))) {
      dofs.set(k, "limitRow", stateRows);
      stateRows += 2;
      limitCount += 2;
    }
    dofs.set(k, "turned", turned[k]);
    for (const key of ["stiffness", "restPosition", "damping", "armature"] as const) dofs.set(k, key, model[key][k]);
    const slide = pace.slides.find(({ dof }) => dof === k);
    dofs.set(k, "slide", slide ? [slide.moved, slide.base, slide.spread] : [-1, -1, 0]);
    row += 1 + depth;
  }
  const driven = packDrives(model, options.actuators, dofs);
  const { touches: list, hulls } = touchesOf(model, options);
  const touches = new StructWriter(structs.BatchTouch, list.length);
  let contactRows = 0;
  let longest = deepest + 1;
  list.forEach((touch, i) => {
    const { length, ...record } = touch;
    touches.put(i, { ...record, row: stateRows + contactRows });
    contactRows += 3 * touch.slots;
    longest = Math.max(longest, length);
  });
  stateRows += contactRows;
  const hasPairs = list.some(({ kind }) => kind !== TOUCH_PLANE);
  const rowSize = HELD_VECTOR + longest;
  const contactStart = row + rowSize * (limitCount + contactRows);
  return {
    links: links.bytes,
    segments: segments.bytes,
    dofs: dofs.bytes,
    touches: touches.bytes,
    touchCount: list.length,
    tables: Float32Array.from([...hulls, ...ways.map((k) => 1 + k / 2 ** 23)]),
    ways: hulls.length,
    parts: {
      linkLevels: linkLevels.ends.length,
      dofLevels: dofLevels.ends.length,
      dofRounds: dofRounds.ends.length,
    },
    hasPairs,
    bounces: list.some(({ restitution }) => restitution > 0),
    scratch: contactStart + (contactRows / 3) * (hasPairs ? CONTACT_SCRATCH : CONTACT_NORMAL),
    contacts: contactRows / 3,
    rowStart: row,
    rowSize,
    contactStart,
    stateRows,
    controlRows: nv + driven.length,
    driven,
    isFree,
  };
}

/**
 * @returns the coordinate of each actuator
 * @throws PliantError as `Actuators`, and `unsupported` for one that drives several joints or a joint that another one drives
 */
function packDrives(
  model: ArticulatedModel,
  actuators: readonly ActuatorDescription[],
  dofs: StructWriter<typeof structs.BatchDof>,
): number[] {
  const { compiled } = new Actuators(model, actuators);
  const driven: number[] = [];
  compiled.forEach(({ dofs: own, coefficients, branches, gain, bias, control, force }, i) => {
    const object = `mechanism "${model.name}": actuator "${actuators[i].name}"`;
    if (own.length !== 1 || branches.length > 0 || driven.includes(own[0]))
      throw unsupported(object, actuators[i].joints.length, "must drive one joint, and be its only one");
    driven.push(own[0]);
    const [c] = coefficients;
    const ends = force.map((f) => Math.min(Math.max(c * f || 0, -UNBOUNDED), UNBOUNDED)).sort((a, b) => a - b);
    dofs.put(own[0], {
      inputRow: model.nv + i,
      gain: c * gain,
      bias: [c * bias[0], c * c * bias[1], c * c * bias[2]],
      range: [Math.max(control[0], -UNBOUNDED), Math.min(control[1], UNBOUNDED), ends[0], ends[1]],
    });
  });
  return driven;
}
