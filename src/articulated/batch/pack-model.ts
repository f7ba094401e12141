import * as structs from "../../generated/structs";
import { StructWriter } from "../../gpu/struct";
import { inverse3 } from "../../math/matrix3";
import { ROTATION_BALL, ROTATION_BOUND, ROTATION_FREE } from "../../generated/constants";
import { segmentKind } from "../joints/segments";
import { type ArticulatedModel, WORLD } from "../model";
import { Pace } from "../step/pace";
import { rotationJoints } from "../step/rotation-step";

/** A mechanism as the records of shaders/articulated/batch-model.wgsl. */
export interface PackedModel {
  readonly links: ArrayBuffer;
  readonly segments: ArrayBuffer;
  readonly dofs: ArrayBuffer;
  readonly ancestors: Uint32Array;
  /** count of numbers of scratch memory for each world */
  readonly scratch: number;
}

/** Count of numbers of scratch memory that batch-dynamics.wgsl uses for a link and for a degree of freedom. */
const { LINK_SCRATCH, DOF_SCRATCH } = { LINK_SCRATCH: 34, DOF_SCRATCH: 11 };

export function packModel(model: ArticulatedModel): PackedModel {
  const { linkCount, nv } = model;
  const pace = new Pace(model);
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
    turned.fill(1, joint.dof, joint.dof + (joint.slide === WORLD ? 3 : 6));
  }
  const dofs = new StructWriter(structs.BatchDof, nv);
  let row = LINK_SCRATCH * linkCount + DOF_SCRATCH * nv;
  for (let k = 0; k < nv; k++) {
    dofs.set(k, "row", row);
    dofs.set(k, "firstAncestor", model.supportStart[k]);
    dofs.set(k, "endAncestor", model.supportStart[k + 1]);
    dofs.set(k, "turned", turned[k]);
    for (const key of ["stiffness", "restPosition", "damping", "armature"] as const) dofs.set(k, key, model[key][k]);
    const slide = pace.slides.find(({ dof }) => dof === k);
    dofs.set(k, "slide", slide ? [slide.moved, slide.base, slide.spread] : [-1, -1, 0]);
    row += 1 + model.supportStart[k + 1] - model.supportStart[k];
  }
  return {
    links: links.bytes,
    segments: segments.bytes,
    dofs: dofs.bytes,
    ancestors: Uint32Array.from(model.support),
    scratch: row,
  };
}
