/**
 * Particles whose displacements limits have shortened, see surface-bounds.ts, beside bodies whose energy is accounted for. A particle that lost its
 * momentum there would weigh on nobody, and one that kept it would gather speed without moving where elements pull it against another body. So
 * the momentum goes to the four particles of the pair that holds it, as in a blow without bounce, and blows make nobody fast: afterwards no particle
 * has more speed than one of its pairs had before the substep, or goes in it. The rest is the pull of elements on particles that
 * could not follow; it goes to the body as a whole, whose momentum elements do not change.
 *
 * A particle that holds n others has an n-th of its mass in each blow. With all of it in each, a light vertex among heavy ones got the sum of their
 * speeds, and cloth between crushed cubes was thrown at 44 m/s.
 */
import { thicknessAt } from "../../../collision/contact/contact-material";
import { createSweepContact, sweepContact } from "../../../collision/contact/sweep";
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import type { SurfaceContact } from "../../../collision/surface/surface-contact";
import type { SurfaceBounds } from "../../../collision/surface/surface-bounds";
import type { DisjointSets } from "../../../math/disjoint-sets";
import type { CpuGroupedSolver } from "./surface-group";

/** A substep of all particles: places before and after the limits, and at its start [m], and h²/m [s²/kg], 0 where held. */
interface Limited {
  readonly way: Float64Array;
  readonly x: Float64Array;
  readonly start: Float64Array;
  readonly w: Float64Array;
}

export class HeldBack {
  /** what limits leave to velocities, as a displacement, particleCount × 3 [m] */
  readonly kept = new Float64Array(3 * this.contact.mesh.particleCount);
  /** how many each holds, itself included */
  private readonly holds = new Uint32Array(this.contact.mesh.particleCount);
  /** bound of the speed of each, squared [m²/s²] */
  private readonly most = new Float64Array(this.contact.mesh.particleCount);
  /** particles that are held back, and how many there are */
  private readonly held = new Uint32Array(this.contact.mesh.particleCount);
  private count = 0;
  private readonly hasGuests = this.solvers.some(({ isGuest }) => isGuest);

  constructor(
    private readonly solvers: readonly CpuGroupedSolver[],
    private readonly contact: SurfaceContact,
    private readonly bounds: SurfaceBounds,
  ) {}

  /**
   * Finds what they keep.
   *
   * @param h substep [s]
   * @param touched sets of bodies; those that share are joined
   */
  share({ way, x, start, w }: Limited, h: number, touched: DisjointSets): void {
    const { kept, holds, most, held, solvers } = this;
    const { vertices, partOf } = this.contact.mesh;
    kept.fill(0);
    holds.fill(0);
    most.fill(0);
    this.count = 0;
    for (const v of vertices) {
      if (x[3 * v] === way[3 * v] && x[3 * v + 1] === way[3 * v + 1] && x[3 * v + 2] === way[3 * v + 2]) continue;
      held[this.count++] = v;
      for (let k = 0; k < 4; k++) if (this.memberAt(v, k) >= 0) holds[this.memberAt(v, k)]++;
    }
    for (let n = 0; n < this.count; n++) {
      const v = held[n];
      let mass = 0;
      let fastest = this.speedOf(v, x, start, h);
      for (let k = 0; k < 4; k++) {
        const p = this.memberAt(v, k);
        // Guests go their way, and what they are given here would be lost.
        mass += p < 0 || solvers[partOf[p]].isGuest ? NaN : 1 / (holds[p] * w[p]);
        if (p >= 0) fastest = Math.max(fastest, this.speedOf(p, x, start, h));
      }
      const isShared = mass > 0;
      if (isShared) touched.join(partOf[this.memberAt(v, 0)], partOf[this.memberAt(v, 3)]);
      // Beside guests it goes on as it would: that is how it weighs on them.
      else if (this.hasGuests) fastest = Infinity;
      for (let k = 0; k < 4; k++) {
        const p = isShared ? this.memberAt(v, k) : v;
        most[p] = Math.max(most[p], fastest);
        const part = isShared ? 1 / (w[v] * mass * holds[p]) : 1;
        if (w[v] > 0) for (let c = 0; c < 3; c++) kept[3 * p + c] += part * (x[3 * v + c] - way[3 * v + c]);
        if (!isShared) break;
      }
    }
    if (this.count > 0) this.bound(x, start, w, h);
  }

  /** The k-th particle of the pair that holds one back; −1 where that is the reach of the last search. */
  private memberAt(v: number, k: number): number {
    const pair = this.bounds.holder[v];
    return pair < 0 ? -1 : this.contact.pairs.vertices[4 * pair + k];
  }

  /** The greater of its speeds before the substep and in it, squared [m²/s²]. */
  private speedOf(p: number, x: Float64Array, start: Float64Array, h: number): number {
    const { partOf, partStart } = this.contact.mesh;
    const { velocities } = this.solvers[partOf[p]].state;
    const at = 3 * (p - partStart[partOf[p]]);
    let before = 0;
    let now = 0;
    for (let c = 0; c < 3; c++) {
      if (velocities) before += velocities[at + c] ** 2;
      now += ((x[3 * p + c] - start[3 * p + c]) / h) ** 2;
    }
    return Math.max(before, now);
  }

  /** Keeps speeds within bounds, and momentum with each body. */
  private bound(x: Float64Array, start: Float64Array, w: Float64Array, h: number): void {
    const { kept, most, solvers } = this;
    const { partStart } = this.contact.mesh;
    for (let k = 0; k < solvers.length; k++) {
      if (solvers[k].isGuest) continue;
      left.fill(0);
      let mass = 0;
      for (let p = partStart[k]; p < partStart[k + 1]; p++) {
        if (!(w[p] > 0)) continue;
        mass += 1 / w[p];
        const part = partWithin(x, start, kept, 3 * p, most[p] * h * h);
        if (part === 1) continue;
        for (let i = 3 * p; i < 3 * p + 3; i++) {
          left[i - 3 * p] += ((1 - part) * kept[i]) / w[p];
          kept[i] *= part;
        }
      }
      if (left[0] === 0 && left[1] === 0 && left[2] === 0) continue;
      for (let p = partStart[k]; p < partStart[k + 1]; p++)
        if (w[p] > 0) for (let c = 0; c < 3; c++) kept[3 * p + c] += left[c] / mass;
    }
  }

  /**
   * Limits count displacements from the mean of all, which takes what lies on an obstacle into it where others fall: a pile pressed cloth through
   * the ground. That is undone. It was no motion, and is none.
   */
  land(set: ColliderSet, { x, start, w }: Limited): void {
    const { partOf, partStart } = this.contact.mesh;
    for (let n = 0; n < this.count; n++) {
      const v = this.held[n];
      const solver = this.solvers[partOf[v]];
      const { touch, scratch, isGuest, carried } = solver;
      const p = v - partStart[partOf[v]];
      if (isGuest || w[v] === 0 || carried?.isCarried[p] === 1) continue;
      const distance = solver.distanceOf?.(p) ?? thicknessAt(touch.material, p);
      const [from, to] = touch.fractions;
      for (let k = 0; k < set.primitiveCount; k++) {
        if (set.proxyOf[k] >= 0 || !sweepContact(set, k, start, x, 3 * v, distance, from, to, met)) continue;
        for (let c = 0; c < 3; c++) {
          x[3 * v + c] += met.push * met.normal[c];
          scratch.start[3 * p + c] += met.push * met.normal[c];
        }
      }
    }
  }
}

const met = createSweepContact();
/** Momentum that the particles of a body do not keep, times the substep [kg m] */
const left = new Float64Array(3);

/** The largest part t of a displacement that is kept, with |x − x⁻ − t kept|² within a bound that |x − x⁻|² is within. */
function partWithin(x: Float64Array, start: Float64Array, kept: Float64Array, at: number, most: number): number {
  let now = 0;
  let cross = 0;
  let square = 0;
  for (let i = at; i < at + 3; i++) {
    const way = x[i] - start[i];
    now += way * way;
    cross += way * kept[i];
    square += kept[i] * kept[i];
  }
  if (square === 0 || now - 2 * cross + square <= most) return 1;
  return Math.max(0, Math.min(1, (cross + Math.sqrt(Math.max(0, cross * cross + square * (most - now)))) / square));
}
