/**
 * Which particles and faces of a body cannot touch an obstacle yet. A test of contact says how far one may go before it can touch anything
 * (`clearance`); until it has gone so far, obstacles' ways included, tests would find nothing. A frame begins with tests of all, so
 * that it depends on nothing but the state before it.
 */
import { clearance } from "../../../collision/contact/clearance";
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import { ObstacleWays } from "../obstacle-ways";

export class Waits {
  /** way of each particle in the frame, and at which ways particles, and corners of faces, may touch [m] */
  private readonly ways = new Float64Array(this.particleCount);
  private readonly waits = new Float64Array(this.particleCount);
  private readonly faceWaits = new Float64Array(this.faces.length);
  private readonly last = new Float64Array(3 * this.particleCount);
  private readonly obstacles = new ObstacleWays();
  private substep = -1;
  private readonly low = new Float64Array(3);
  private readonly high = new Float64Array(3);

  /** @param faces see `facesOf` */
  constructor(
    private readonly particleCount: number,
    private readonly faces: ArrayLike<number>,
  ) {}

  /** The same for another model. */
  anew(particleCount: number, faces: ArrayLike<number>): Waits {
    return new Waits(particleCount, faces);
  }

  beginFrame(set: ColliderSet, positions: Float64Array): void {
    this.ways.fill(0);
    this.waits.fill(-1);
    this.faceWaits.fill(-1);
    this.last.set(positions);
    this.substep = -1;
    this.obstacles.beginFrame(set);
  }

  /**
   * Before tests: adds ways since the last tests, on straight lines by x⁻ in another substep.
   *
   * @param fraction of the frame at the end of the substep
   */
  move(
    set: ColliderSet,
    positions: Float64Array,
    start: Float64Array,
    substep: number,
    fraction: number,
    thickness: number,
  ): void {
    const { ways, last, low, high } = this;
    const isNew = substep !== this.substep;
    this.substep = substep;
    low.fill(Infinity);
    high.fill(-Infinity);
    for (let p = 0, i = 0; p < ways.length; p++, i += 3) {
      const x = positions[i];
      const y = positions[i + 1];
      const z = positions[i + 2];
      const sx = isNew ? start[i] : x;
      const sy = isNew ? start[i + 1] : y;
      const sz = isNew ? start[i + 2] : z;
      const before = (sx - last[i]) ** 2 + (sy - last[i + 1]) ** 2 + (sz - last[i + 2]) ** 2;
      const after = (x - sx) ** 2 + (y - sy) ** 2 + (z - sz) ** 2;
      ways[p] += Math.sqrt(before) + Math.sqrt(after);
      last[i] = x;
      last[i + 1] = y;
      last[i + 2] = z;
      low[0] = Math.min(low[0], x, sx);
      low[1] = Math.min(low[1], y, sy);
      low[2] = Math.min(low[2], z, sz);
      high[0] = Math.max(high[0], x, sx);
      high[1] = Math.max(high[1], y, sy);
      high[2] = Math.max(high[2], z, sz);
    }
    const more = isNew ? this.obstacles.largest(set, fraction, low, high, ORIGIN, thickness) : 0;
    for (let p = 0; more > 0 && p < ways.length; p++) ways[p] += more;
  }

  isWaiting(p: number): boolean {
    return this.ways[p] < this.waits[p];
  }

  /** @param f first of three places in the list of faces */
  isFaceWaiting(f: number): boolean {
    const { faces, ways, faceWaits } = this;
    return (
      ways[faces[f]] < faceWaits[f] && ways[faces[f + 1]] < faceWaits[f + 1] && ways[faces[f + 2]] < faceWaits[f + 2]
    );
  }

  /** After a test of a particle. */
  note(p: number, positions: Float64Array, start: Float64Array): void {
    this.waits[p] = this.until(p, positions, start);
  }

  /** After a test of a face. */
  noteFace(f: number, positions: Float64Array, start: Float64Array): void {
    for (let k = f; k < f + 3; k++) this.faceWaits[k] = this.until(this.faces[k], positions, start);
  }

  /** Ways from x⁻ to anywhere around keep clear only if x⁻ is around, too. Contact of surfaces may move x⁻ by no more than x. */
  private until(p: number, positions: Float64Array, start: Float64Array): number {
    const dx = positions[3 * p] - start[3 * p];
    const dy = positions[3 * p + 1] - start[3 * p + 1];
    const dz = positions[3 * p + 2] - start[3 * p + 2];
    return this.ways[p] + clearance.left - Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
}

const ORIGIN = [0, 0, 0];
