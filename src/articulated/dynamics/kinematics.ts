/**
 * Poses and velocities of links, and the motions S of the degrees of freedom with their rates.
 *
 * Glossary: R, p rotation and origin of the frame that is carried along a joint; a an axis in the world; S = (a, p × a)
 * for a turn, (0, a) for a slide, (a, p × a + h·a) for a screw with pitch h, and columns (R J, p × R J) for a rotation
 * vector with left Jacobian J. Ṡ = v × S with the twist v of the frame before the segment, plus (R J̇, p × R J̇).
 */
import { WORLD } from "../model";
import { segmentKind } from "../joints/segments";
import { leftJacobian, leftJacobianRate, rotationCoefficients, rotationOf } from "../joints/rotation-vector";
import type { ArticulatedScratch } from "../scratch";
import { crossMotion } from "../spatial";
import { cos, sin } from "../../math/deterministic";

/** Updates positions, velocities and inertias of all links, which every function of `dynamics/` needs. */
export function updateKinematics(scratch: ArticulatedScratch, q: Float64Array, qd: Float64Array): void {
  updatePositions(scratch, q);
  updateVelocities(scratch, qd);
  updateInertias(scratch);
}

const R = new Float64Array(9);
const local = new Float64Array(9);
const p = new Float64Array(3);

/** Updates poses of the links and motions S, for coordinates q (nv numbers). O(n). */
export function updatePositions(scratch: ArticulatedScratch, q: Float64Array): void {
  const { model, linkRotation, linkPosition } = scratch;
  const { parent, segmentStart, parentTurned, parentRotation, parentPosition, childTurned, childRotation } = model;
  const { childPosition } = model;
  scratch.q.set(q);
  for (let i = 0; i < model.linkCount; i++) {
    const above = parent[i];
    if (above === WORLD) {
      R.fill(0);
      R[0] = R[4] = R[8] = 1;
      for (let c = 0; c < 3; c++) p[c] = parentPosition[3 * i + c];
    } else {
      for (let c = 0; c < 9; c++) R[c] = linkRotation[9 * above + c];
      const x = parentPosition[3 * i];
      const y = parentPosition[3 * i + 1];
      const z = parentPosition[3 * i + 2];
      p[0] = linkPosition[3 * above] + R[0] * x + R[1] * y + R[2] * z;
      p[1] = linkPosition[3 * above + 1] + R[3] * x + R[4] * y + R[5] * z;
      p[2] = linkPosition[3 * above + 2] + R[6] * x + R[7] * y + R[8] * z;
    }
    if (parentTurned[i] !== 0) rotateBy(R, parentRotation, 9 * i, 3, 1);
    for (let s = segmentStart[i]; s < segmentStart[i + 1]; s++)
      if (model.segmentKind[s] === segmentKind.rotationVector) placeRotationVector(scratch, s, q);
      else placeAxis(scratch, s, q);
    if (childTurned[i] !== 0) rotateBy(R, childRotation, 9 * i, 1, 3);
    const x = childPosition[3 * i];
    const y = childPosition[3 * i + 1];
    const z = childPosition[3 * i + 2];
    for (let c = 0; c < 9; c++) linkRotation[9 * i + c] = R[c];
    linkPosition[3 * i] = p[0] - R[0] * x - R[1] * y - R[2] * z;
    linkPosition[3 * i + 1] = p[1] - R[3] * x - R[4] * y - R[5] * z;
    linkPosition[3 * i + 2] = p[2] - R[6] * x - R[7] * y - R[8] * z;
  }
}

/** Places a turn, slide or screw: writes its S, then advances the frame R, p. */
function placeAxis(scratch: ArticulatedScratch, s: number, q: Float64Array): void {
  const { model, motion } = scratch;
  const kind = model.segmentKind[s];
  const dof = model.segmentDof[s];
  const x = model.segmentAxis[3 * s];
  const y = model.segmentAxis[3 * s + 1];
  const z = model.segmentAxis[3 * s + 2];
  const a0 = R[0] * x + R[1] * y + R[2] * z;
  const a1 = R[3] * x + R[4] * y + R[5] * z;
  const a2 = R[6] * x + R[7] * y + R[8] * z;
  const at = 6 * dof;
  const value = q[dof];
  if (kind === segmentKind.slide) {
    motion[at] = motion[at + 1] = motion[at + 2] = 0;
    motion[at + 3] = a0;
    motion[at + 4] = a1;
    motion[at + 5] = a2;
    p[0] += a0 * value;
    p[1] += a1 * value;
    p[2] += a2 * value;
    return;
  }
  const h = model.segmentPitch[s];
  motion[at] = a0;
  motion[at + 1] = a1;
  motion[at + 2] = a2;
  motion[at + 3] = p[1] * a2 - p[2] * a1 + h * a0;
  motion[at + 4] = p[2] * a0 - p[0] * a2 + h * a1;
  motion[at + 5] = p[0] * a1 - p[1] * a0 + h * a2;
  p[0] += h * a0 * value;
  p[1] += h * a1 * value;
  p[2] += h * a2 * value;
  // rows of R · rotation(axis, q): r cos q + (r × axis) sin q + axis (r · axis)(1 − cos q), where R · axis = a
  const sine = sin(value);
  const cosine = cos(value);
  const versine = 1 - cosine;
  for (let row = 0; row < 3; row++) {
    const r0 = R[3 * row];
    const r1 = R[3 * row + 1];
    const r2 = R[3 * row + 2];
    const along = (row === 0 ? a0 : row === 1 ? a1 : a2) * versine;
    R[3 * row] = r0 * cosine + (r1 * z - r2 * y) * sine + x * along;
    R[3 * row + 1] = r1 * cosine + (r2 * x - r0 * z) * sine + y * along;
    R[3 * row + 2] = r2 * cosine + (r0 * y - r1 * x) * sine + z * along;
  }
}

/** Places a rotation vector: writes its three columns of S, stores its frame, then rotates R. */
function placeRotationVector(scratch: ArticulatedScratch, s: number, q: Float64Array): void {
  const { model, motion, segmentRotation, segmentPosition } = scratch;
  const dof = model.segmentDof[s];
  for (let c = 0; c < 9; c++) segmentRotation[9 * s + c] = R[c];
  for (let c = 0; c < 3; c++) segmentPosition[3 * s + c] = p[c];
  const x = q[dof];
  const y = q[dof + 1];
  const z = q[dof + 2];
  rotationCoefficients(x * x + y * y + z * z);
  leftJacobian(x, y, z, local);
  for (let column = 0; column < 3; column++) {
    const at = 6 * (dof + column);
    writeTurn(R, 0, p, 0, local[column], local[3 + column], local[6 + column], motion, at);
  }
  rotationOf(x, y, z, local);
  rotateBy(R, local, 0, 3, 1);
}

/** out = (a, p × a) with a = R (x, y, z). */
function writeTurn(
  rotation: Float64Array,
  r: number,
  position: Float64Array,
  o: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
  at: number,
): void {
  const a0 = rotation[r] * x + rotation[r + 1] * y + rotation[r + 2] * z;
  const a1 = rotation[r + 3] * x + rotation[r + 4] * y + rotation[r + 5] * z;
  const a2 = rotation[r + 6] * x + rotation[r + 7] * y + rotation[r + 8] * z;
  out[at] = a0;
  out[at + 1] = a1;
  out[at + 2] = a2;
  out[at + 3] = position[o + 1] * a2 - position[o + 2] * a1;
  out[at + 4] = position[o + 2] * a0 - position[o] * a2;
  out[at + 5] = position[o] * a1 - position[o + 1] * a0;
}

const v = new Float64Array(6);
const turn = new Float64Array(6);

/** Updates twists of the links and rates Ṡ, for velocities q̇ (nv numbers). Call after `updatePositions`. O(n). */
export function updateVelocities(scratch: ArticulatedScratch, qd: Float64Array): void {
  const { model, velocity, motion, motionRate } = scratch;
  const { parent, segmentStart } = model;
  scratch.qd.set(qd);
  for (let i = 0; i < model.linkCount; i++) {
    const above = parent[i];
    for (let c = 0; c < 6; c++) v[c] = above === WORLD ? 0 : velocity[6 * above + c];
    for (let s = segmentStart[i]; s < segmentStart[i + 1]; s++) {
      const dof = model.segmentDof[s];
      if (model.segmentKind[s] !== segmentKind.rotationVector) {
        crossMotion(v, 0, motion, 6 * dof, motionRate, 6 * dof);
        const rate = qd[dof];
        for (let c = 0; c < 6; c++) v[c] += motion[6 * dof + c] * rate;
      } else rotationVectorRates(scratch, s, qd);
    }
    for (let c = 0; c < 6; c++) velocity[6 * i + c] = v[c];
  }
}

function rotationVectorRates(scratch: ArticulatedScratch, s: number, qd: Float64Array): void {
  const { model, motion, motionRate, segmentRotation, segmentPosition, q } = scratch;
  const dof = model.segmentDof[s];
  rotationCoefficients(q[dof] ** 2 + q[dof + 1] ** 2 + q[dof + 2] ** 2);
  leftJacobianRate(q, qd, dof, local);
  for (let column = 0; column < 3; column++) {
    const at = 6 * (dof + column);
    crossMotion(v, 0, motion, at, motionRate, at);
    const x = local[column];
    const y = local[3 + column];
    const z = local[6 + column];
    writeTurn(segmentRotation, 9 * s, segmentPosition, 3 * s, x, y, z, turn, 0);
    for (let c = 0; c < 6; c++) motionRate[at + c] += turn[c];
  }
  for (let column = 0; column < 3; column++) {
    const at = 6 * (dof + column);
    const rate = qd[dof + column];
    for (let c = 0; c < 6; c++) v[c] += motion[at + c] * rate;
  }
}

/** Updates inertias of the links about the world's origin. Call after `updatePositions`. O(n). */
export function updateInertias(scratch: ArticulatedScratch): void {
  const { model, linkRotation, linkPosition, massCentre, inertia } = scratch;
  for (let i = 0; i < model.linkCount; i++) {
    const r = 9 * i;
    const r0 = linkRotation[r];
    const r1 = linkRotation[r + 1];
    const r2 = linkRotation[r + 2];
    const r3 = linkRotation[r + 3];
    const r4 = linkRotation[r + 4];
    const r5 = linkRotation[r + 5];
    const r6 = linkRotation[r + 6];
    const r7 = linkRotation[r + 7];
    const r8 = linkRotation[r + 8];
    const x = model.centerOfMass[3 * i];
    const y = model.centerOfMass[3 * i + 1];
    const z = model.centerOfMass[3 * i + 2];
    const c0 = linkPosition[3 * i] + r0 * x + r1 * y + r2 * z;
    const c1 = linkPosition[3 * i + 1] + r3 * x + r4 * y + r5 * z;
    const c2 = linkPosition[3 * i + 2] + r6 * x + r7 * y + r8 * z;
    massCentre[3 * i] = c0;
    massCentre[3 * i + 1] = c1;
    massCentre[3 * i + 2] = c2;
    const m = model.mass[i];
    const xx = model.inertia[6 * i];
    const yy = model.inertia[6 * i + 1];
    const zz = model.inertia[6 * i + 2];
    const xy = model.inertia[6 * i + 3];
    const xz = model.inertia[6 * i + 4];
    const yz = model.inertia[6 * i + 5];
    // T = R · inertia, then R inertia Rᵀ + m (|c|² 1 − c cᵀ)
    const t0 = r0 * xx + r1 * xy + r2 * xz;
    const t1 = r0 * xy + r1 * yy + r2 * yz;
    const t2 = r0 * xz + r1 * yz + r2 * zz;
    const t3 = r3 * xx + r4 * xy + r5 * xz;
    const t4 = r3 * xy + r4 * yy + r5 * yz;
    const t5 = r3 * xz + r4 * yz + r5 * zz;
    const t6 = r6 * xx + r7 * xy + r8 * xz;
    const t7 = r6 * xy + r7 * yy + r8 * yz;
    const t8 = r6 * xz + r7 * yz + r8 * zz;
    const at = 10 * i;
    inertia[at] = m;
    inertia[at + 1] = m * c0;
    inertia[at + 2] = m * c1;
    inertia[at + 3] = m * c2;
    inertia[at + 4] = t0 * r0 + t1 * r1 + t2 * r2 + m * (c1 * c1 + c2 * c2);
    inertia[at + 5] = t3 * r3 + t4 * r4 + t5 * r5 + m * (c0 * c0 + c2 * c2);
    inertia[at + 6] = t6 * r6 + t7 * r7 + t8 * r8 + m * (c0 * c0 + c1 * c1);
    inertia[at + 7] = t0 * r3 + t1 * r4 + t2 * r5 - m * c0 * c1;
    inertia[at + 8] = t0 * r6 + t1 * r7 + t2 * r8 - m * c0 * c2;
    inertia[at + 9] = t3 * r6 + t4 * r7 + t5 * r8 - m * c1 * c2;
  }
}

/** a ← a · b, whose numbers are `down` and `across` apart in columns and rows: 3 and 1, and 1 and 3 for bᵀ */
function rotateBy(a: Float64Array, b: Float64Array, at: number, down: number, across: number): void {
  for (let row = 0; row < 9; row += 3) {
    const x = a[row];
    const y = a[row + 1];
    const z = a[row + 2];
    for (let c = 0, i = at; c < 3; c++, i += across) a[row + c] = x * b[i] + y * b[i + down] + z * b[i + 2 * down];
  }
}
