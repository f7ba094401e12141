/**
 * The C and J of a joint's degrees of freedom, for the frames of relative-pose.ts.
 *
 * ω         relative angular velocity, ω_B − ω_A
 *
 * Each row is C with gradient (−a, −α_A, a, α_B): a its direction, α_B = r_B × a, α_A = (r_A + d) × a for a translation
 * along an axis a that turns with A; a = 0 and α_A = α_B = α with Ċ = α · ω for a rotation.
 */

import { atan2 } from "../../../math/deterministic";
import { type BodyTable, ROW_SIZE, TWIST_SIZE } from "../motion/bodies";
import { addGeometricStiffness } from "../motion/geometric-stiffness";
import type { JointRows } from "../contact/rows";
import { RelativePose } from "./relative-pose";

/** axes count as opposite if sin² of their angle to 180 degrees is below this */
const OPPOSITE = 1e-6;

export class RelativeFrame extends RelativePose {
  private readonly alpha = new Float64Array(3);
  private sine = 0;
  private leanScale = 1;
  private leanBend = 0;

  /** Adds the stiffness of a force on B along the axes of A [N], and of its reaction on A. */
  addStiffness(bodies: BodyTable, slotA: number, slotB: number, f: Float64Array, h: number): void {
    const { turnA: m, alpha } = this;
    for (let k = 0; k < 9; k += 3) alpha[k / 3] = m[k] * f[0] + m[k + 1] * f[1] + m[k + 2] * f[2];
    addGeometricStiffness(bodies, slotA, this.armA, alpha, -1, h);
    addGeometricStiffness(bodies, slotB, this.armB, alpha, 1, h);
  }

  /**
   * Raises `largest[0]` to the largest angular velocity [rad/s] of the arms, and, if rotations are held, of the axes of the frames.
   *
   * @param held held rotations: none, all except that about an axis, or others
   */
  turnRate(
    bodies: BodyTable,
    slotA: number,
    slotB: number,
    held: "none" | "angles" | number,
    largest: Float64Array,
  ): void {
    const { velocity } = bodies.state;
    for (let side = 0; side < 2; side++) {
      const at = TWIST_SIZE * (side === 0 ? slotA : slotB) + 3;
      const arm = side === 0 ? this.armA : this.armB;
      const x = velocity[at];
      const y = velocity[at + 1];
      const z = velocity[at + 2];
      if (held === "angles") {
        largest[0] = Math.max(largest[0], Math.sqrt(x * x + y * y + z * z));
        continue;
      }
      const length = Math.sqrt(arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]);
      if (length > 0) raiseAcross(velocity, at, arm, 0, 1, length, largest);
      if (held === "none") continue;
      raiseAcross(velocity, at, side === 0 ? this.turnA : this.turnB, held, 3, 1, largest);
    }
  }

  writeTranslation(rows: JointRows, row: number, i: number, sign: number): void {
    const { turnA: m, alpha } = this;
    for (let k = 0; k < 3; k++) alpha[k] = sign * m[3 * k + i];
    this.writeDirection(rows, row);
  }

  writeDistance(rows: JointRows, row: number, sign: number): void {
    const { d, alpha } = this;
    const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    // Coincident pivots have no direction between them; any will do.
    for (let k = 0; k < 3; k++) alpha[k] = length < 1e-12 ? (k === 0 ? sign : 0) : (sign * d[k]) / length;
    this.writeDirection(rows, row);
  }

  writeTwist(rows: JointRows, row: number, i: number, sign: number): void {
    // φ̇ = 2 (w q̇ᵢ − qᵢ ẇ)/(w² + qᵢ²) with q̇ = ½ ω q, in the frame of A
    const { q, alpha } = this;
    const w = q[3];
    const squared = w * w + q[i] * q[i];
    const j = (i + 1) % 3;
    const k = (i + 2) % 3;
    const scale = squared > 1e-12 ? sign / squared : 0;
    // w² eᵢ + w v × eᵢ + qᵢ v
    alpha[i] = squared * scale;
    alpha[j] = (w * q[k] + q[i] * q[j]) * scale;
    alpha[k] = (-w * q[j] + q[i] * q[k]) * scale;
    this.writeAngular(rows, row);
  }

  /** Writes the small rotation about axis i when all three are locked: 2 vᵢ. */
  small(i: number, out: Float64Array, at: number): void {
    out[at] = 2 * this.q[i];
  }

  writeSmall(rows: JointRows, row: number, i: number): void {
    const { q, alpha } = this;
    const j = (i + 1) % 3;
    const k = (i + 2) % 3;
    // w eᵢ + v × eᵢ
    alpha[i] = q[3];
    alpha[j] = q[k];
    alpha[k] = -q[j];
    this.writeAngular(rows, row);
  }

  /**
   * Writes the rotation about axis i if only axis `free` is free: sine of the lean of that axis of B, l = f_B · (eᵢ × f_A). At an
   * angle θ beyond 90 degrees, this would pull on to 180 degrees; there the row is g l with g = θ / sin θ, whose length
   * is the angle itself.
   */
  lean(i: number, free: number, out: Float64Array, at: number): void {
    this.setLean(i, free);
    out[at] = this.leanScale * this.sine;
  }

  /** l, g, and dg/dc · l for c = cos θ = f_B · f_A */
  private setLean(i: number, free: number): void {
    const third = 3 - i - free;
    const sign = (i + 1) % 3 === free ? 1 : -1;
    const { turnA: a, turnB: b } = this;
    this.sine = sign * (b[free] * a[third] + b[3 + free] * a[3 + third] + b[6 + free] * a[6 + third]);
    this.leanScale = 1;
    this.leanBend = 0;
    const c = b[free] * a[free] + b[3 + free] * a[3 + free] + b[6 + free] * a[6 + free];
    const squared = 1 - c * c;
    // opposite axes may turn to either side
    if (c >= 0 || squared < OPPOSITE) return;
    const s = Math.sqrt(squared);
    this.leanScale = atan2(s, c) / s;
    this.leanBend = (this.sine * (this.leanScale * c - 1)) / squared;
  }

  writeLean(rows: JointRows, row: number, i: number, free: number): void {
    this.setLean(i, free);
    const third = 3 - i - free;
    const sign = (i + 1) % 3 === free ? 1 : -1;
    const { turnA: a, turnB: b, leanScale, leanBend } = this;
    const fx = b[free];
    const fy = b[3 + free];
    const fz = b[6 + free];
    // f_B × (g (eᵢ × f_A) + l dg/dc f_A)
    const scale = leanScale * sign;
    let nx = scale * a[third];
    let ny = scale * a[3 + third];
    let nz = scale * a[6 + third];
    if (leanBend !== 0) {
      nx += leanBend * a[free];
      ny += leanBend * a[3 + free];
      nz += leanBend * a[6 + free];
    }
    this.alpha[0] = fy * nz - fz * ny;
    this.alpha[1] = fz * nx - fx * nz;
    this.alpha[2] = fx * ny - fy * nx;
    this.writeWorldAngular(rows, row);
  }

  /** Writes a translation along the scratch, which is in the world: numbers that functions pass to each other take memory. */
  private writeDirection(rows: JointRows, row: number): void {
    const j = rows.jacobian;
    const at = ROW_SIZE * row;
    const { armA, armB, d, alpha } = this;
    const x = alpha[0];
    const y = alpha[1];
    const z = alpha[2];
    const ax = armA[0] + d[0];
    const ay = armA[1] + d[1];
    const az = armA[2] + d[2];
    j[at] = -x;
    j[at + 1] = -y;
    j[at + 2] = -z;
    j[at + 3] = -(ay * z - az * y);
    j[at + 4] = -(az * x - ax * z);
    j[at + 5] = -(ax * y - ay * x);
    j[at + 6] = x;
    j[at + 7] = y;
    j[at + 8] = z;
    j[at + 9] = armB[1] * z - armB[2] * y;
    j[at + 10] = armB[2] * x - armB[0] * z;
    j[at + 11] = armB[0] * y - armB[1] * x;
  }

  /** Writes α of the scratch, which is in A's frame. */
  private writeAngular(rows: JointRows, row: number): void {
    const { turnA: m, alpha } = this;
    const x = alpha[0];
    const y = alpha[1];
    const z = alpha[2];
    for (let k = 0; k < 3; k++) alpha[k] = m[3 * k] * x + m[3 * k + 1] * y + m[3 * k + 2] * z;
    this.writeWorldAngular(rows, row);
  }

  /** Writes α of the scratch, which is in the world. */
  private writeWorldAngular(rows: JointRows, row: number): void {
    const j = rows.jacobian;
    const at = ROW_SIZE * row;
    const { alpha } = this;
    for (let k = 0; k < 3; k++) {
      j[at + k] = j[at + 6 + k] = 0;
      j[at + 3 + k] = -alpha[k];
      j[at + 9 + k] = alpha[k]!;
    }
  }
}

/** Raises `largest[0]` to |v × a| divided by `length`; components of a are `stride` apart. */
function raiseAcross(
  v: Float64Array,
  at: number,
  a: Float64Array,
  first: number,
  stride: number,
  length: number,
  largest: Float64Array,
): void {
  const ax = a[first];
  const ay = a[first + stride];
  const az = a[first + 2 * stride];
  const x = v[at + 1] * az - v[at + 2] * ay;
  const y = v[at + 2] * ax - v[at] * az;
  const z = v[at] * ay - v[at + 1] * ax;
  largest[0] = Math.max(largest[0], Math.sqrt(x * x + y * y + z * z) / length);
}
