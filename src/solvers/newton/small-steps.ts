/**
 * Large islands: n small steps instead of one, each with a sweep over all contacts and joints and another that removes
 * the push from velocities, as in Macklin et al., "Small Steps in Physics Simulation" (2019), and Catto's soft steps
 * (2023). A sweep of a small step is more effective than one of many in a large step: the next small step sees its
 * remaining error, and starts from its impulses, and by then an error in a velocity has moved a body only 1/n as far.
 * If nothing moves, the sweeps of all frames continue each other.
 *
 * Contacts are those at the start of the frame, J is constant, and gaps follow the displacement: Cₙ = C⁰ₙ + h Jₙ d. Joints are
 * evaluated at the poses of each small step.
 */

import { ROW_SIZE, type JointRows } from "./contact/rows";
import type { IslandSystem } from "./island/island-system";
import type { RowEvaluator } from "./island/newton-solver";
import { type NewtonOptions, recoverySpeed } from "./options";
import { PackedIsland } from "./island/packed-island";

/** Part of an overlap that a small step removes. */
const RECOVERY = 0.3;
/** Allowed overlap [m], times the island's grain, so that bodies at rest need no correction. */
const ALLOWED = 1e-5;

export class SmallSteps {
  private readonly packed = new PackedIsland();
  /** offsets of the bodies of each row */
  private rowA = new Int32Array(0);
  private rowB = new Int32Array(0);

  constructor(private readonly options: NewtonOptions) {}

  /**
   * Steps the selected island through a frame: from state, ũ and impulses to velocities in the scratch and poses in the
   * state.
   *
   * @param H length of the frame [s]; rows of joints are those of a step of H / count
   */
  solve(system: IslandSystem, H: number, count: number, joints: RowEvaluator): void {
    const { packed, options } = this;
    const h = H / count;
    packed.pack(system, H, count);
    this.findRowBodies(system);
    const most = recoverySpeed(options, system.pace);
    for (let step = 0; step < count; step++) {
      if (step === 0) {
        packed.begin();
        this.startRows(system);
      } else packed.goOn();
      this.solveRows(system, h);
      packed.sweep(true);
      packed.sweep(false);
      packed.advance();
      if (system.rowCount > 0) {
        packed.writePoses(system, h);
        joints.values(system);
        this.solveRows(system, h);
      }
      packed.separate(RECOVERY, (ALLOWED * system.grain) / h, most);
    }
    packed.unpack(system, H, count);
  }

  private findRowBodies({ rows, firstRow, rowCount }: IslandSystem): void {
    if (this.rowA.length < rowCount) {
      this.rowA = new Int32Array(2 * rowCount);
      this.rowB = new Int32Array(2 * rowCount);
    }
    for (let k = 0; k < rowCount; k++) {
      this.rowA[k] = this.packed.offsetOf(rows.bodyA[firstRow + k]);
      this.rowB[k] = this.packed.offsetOf(rows.bodyB[firstRow + k]);
    }
  }

  private startRows({ rows, firstRow, rowCount }: IslandSystem): void {
    for (let k = 0; k < rowCount; k++) this.push(rows, firstRow + k, k, rows.impulse[firstRow + k]);
  }

  /** Makes a sweep over the rows of joints (rows.ts), with the current C, and J u added. */
  private solveRows({ rows, firstRow, rowCount }: IslandSystem, h: number): void {
    for (let k = 0; k < rowCount; k++) {
      const r = firstRow + k;
      const mobility = rows.diagonal[r] + rows.compliance[r];
      if (!(mobility > 0)) continue;
      const p = rows.impulse[r];
      // s C(q⁺)/h + (1 − s) J u with C(q⁺) = C + h J u
      const g = (rows.share[r] * rows.value[r]) / h + this.speed(rows, r, k) - rows.target[r] + rows.compliance[r] * p;
      const free = p - g / mobility;
      const next = free < rows.lower[r] ? rows.lower[r] : free > rows.upper[r] ? rows.upper[r] : free;
      if (next === p) continue;
      rows.impulse[r] = next;
      this.push(rows, r, k, next - p);
    }
  }

  private speed({ jacobian: j }: JointRows, r: number, k: number): number {
    const w = this.packed.numbers;
    const at = ROW_SIZE * r;
    const a = this.rowA[k];
    const b = this.rowB[k];
    let sum = 0;
    for (let i = 0; i < 6; i++) sum += j[at + i] * w[a + i] + j[at + 6 + i] * w[b + i];
    return sum;
  }

  private push({ response }: JointRows, r: number, k: number, p: number): void {
    const w = this.packed.numbers;
    const at = ROW_SIZE * r;
    const a = this.rowA[k];
    const b = this.rowB[k];
    for (let i = 0; i < 6; i++) {
      w[a + i] += p * response[at + i];
      w[b + i] += p * response[at + 6 + i];
    }
  }
}
