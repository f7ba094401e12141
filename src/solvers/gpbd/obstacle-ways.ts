import type { ColliderSet } from "../../collision/obstacles/collider-set";
import { interpolatePose, POSE } from "../../collision/shape/pose";

/**
 * Ways of obstacles within a frame, as bounds on how far they come nearer to a body by their own motion. An obstacle whose box in the frame
 * has not met that of the body does not count: tests of the body's parts have kept clear of its box.
 */
export class ObstacleWays {
  /** poses at the end of the last substep */
  private last = new Float64Array(0);
  private readonly pose = new Float64Array(POSE);
  private slack = new Float64Array(0);
  /** 1 for each that has met the body in this frame */
  private met = new Uint8Array(0);

  beginFrame({ startPoses, primitiveCount, slack }: ColliderSet): void {
    if (this.met.length !== primitiveCount) {
      this.last = new Float64Array(POSE * primitiveCount);
      this.slack = new Float64Array(primitiveCount);
      this.met = new Uint8Array(primitiveCount);
    }
    this.met.fill(0);
    for (let i = 0; i < this.last.length; i++) this.last[i] = startPoses[i];
    for (let k = 0; k < primitiveCount; k++) this.slack[k] = slack[k];
  }

  /**
   * The largest way [m] of any of them in a substep.
   *
   * @param fraction of the frame at its end
   * @param low lowest corner of a box that holds the ways of the body's particles in the substep, and `high` the highest one, from
   * `origin` [m]
   * @param thickness of the body [m]
   */
  largest(
    set: ColliderSet,
    fraction: number,
    low: ArrayLike<number>,
    high: ArrayLike<number>,
    origin: ArrayLike<number>,
    thickness: number,
  ): number {
    const { last, pose, met } = this;
    let most = 0;
    for (let k = 0; k < set.primitiveCount; k++) {
      const isProxy = set.proxyOf[k] >= 0;
      if (!isProxy && set.moving[k] === 0) continue;
      let way = set.slack[k] - this.slack[k];
      this.slack[k] = set.slack[k];
      if (met[k] === 0 && meets(set, k, low, high, origin, 2 * thickness)) met[k] = 1;
      if (isProxy) {
        // Contacts of the last substep have moved it before this one.
        if (met[k] === 1)
          way +=
            this.way(set, k, set.substepStarts, POSE * k) +
            wayBetween(set, k, set.substepStarts, set.substepEnds, POSE * k);
        for (let i = 0; i < POSE; i++) last[POSE * k + i] = set.substepEnds[POSE * k + i];
      } else if (met[k] === 1) {
        interpolatePose(set.startPoses, set.endPoses, POSE * k, fraction, pose);
        way += this.way(set, k, pose, 0);
        for (let i = 0; i < POSE; i++) last[POSE * k + i] = pose[i];
      }
      if (way > most) most = way;
    }
    return most;
  }

  /** From its last pose. */
  private way(set: ColliderSet, k: number, to: Float64Array, at: number): number {
    return wayBetween(set, k, this.last, to, at);
  }
}

function meets(
  { bounds, slack }: ColliderSet,
  k: number,
  low: ArrayLike<number>,
  high: ArrayLike<number>,
  origin: ArrayLike<number>,
  margin: number,
): boolean {
  const reach = margin + 2 * slack[k];
  for (let c = 0; c < 3; c++)
    if (bounds[6 * k + c] - origin[c] > high[c] + reach || bounds[6 * k + 3 + c] - origin[c] < low[c] - reach)
      return false;
  return true;
}

/**
 * Bound on the way of points around an obstacle from one pose to the other: unit quaternions of a turn by θ are 2 sin(θ/4) ≥ θ/π apart.
 *
 * @param at place of the second pose; that of the first is the obstacle's
 */
function wayBetween({ bounds }: ColliderSet, k: number, from: Float64Array, to: Float64Array, at: number): number {
  const i = POSE * k;
  let shift = 0;
  let reach = 0;
  for (let c = 0; c < 3; c++) {
    shift += (to[at + c] - from[i + c]) ** 2;
    reach += Math.max(to[at + c] - bounds[6 * k + c], bounds[6 * k + 3 + c] - to[at + c]) ** 2;
  }
  let near = 0;
  let far = 0;
  for (let c = 3; c < POSE; c++) {
    near += (to[at + c] - from[i + c]) ** 2;
    far += (to[at + c] + from[i + c]) ** 2;
  }
  // Distances may be less than exact: then points beside the surface count, too.
  return Math.sqrt(shift) + 2 * Math.PI * Math.sqrt(reach * Math.min(near, far));
}
