import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import { interpolatePose, POSE } from "../../../collision/shape/pose";

/** Ways of the surfaces of obstacles in a frame, as bounds on how far anything comes nearer to them by their own motion. */
export class ObstacleWays {
  /** poses at the end of the last substep */
  private last = new Float64Array(0);
  private readonly pose = new Float64Array(POSE);
  private slack = new Float64Array(0);

  beginFrame({ startPoses, primitiveCount, slack }: ColliderSet): void {
    if (this.last.length !== POSE * primitiveCount) {
      this.last = new Float64Array(POSE * primitiveCount);
      this.slack = new Float64Array(primitiveCount);
    }
    this.last.set(startPoses.subarray(0, POSE * primitiveCount));
    this.slack.set(slack.subarray(0, primitiveCount));
  }

  /**
   * The largest way [m] of any of them in a substep.
   *
   * @param fraction of the frame at its end
   */
  largest(set: ColliderSet, fraction: number): number {
    const { last, pose } = this;
    let most = 0;
    for (let k = 0; k < set.primitiveCount; k++) {
      const isProxy = set.proxyOf[k] >= 0;
      if (!isProxy && set.moving[k] === 0) continue;
      let reach = 0;
      for (let c = 0; c < 3; c++) reach += (set.bounds[6 * k + 3 + c] - set.bounds[6 * k + c]) ** 2;
      reach = Math.sqrt(reach);
      let way = 0;
      if (isProxy) {
        // Contacts of the last substep have moved it before this one.
        way = wayBetween(last, POSE * k, set.substepStarts, POSE * k, reach);
        way += wayBetween(set.substepStarts, POSE * k, set.substepEnds, POSE * k, reach);
        way += set.slack[k] - this.slack[k];
        this.slack[k] = set.slack[k];
        for (let i = 0; i < POSE; i++) last[POSE * k + i] = set.substepEnds[POSE * k + i];
      } else {
        interpolatePose(set.startPoses, set.endPoses, POSE * k, fraction, pose);
        way = wayBetween(last, POSE * k, pose, 0, reach);
        for (let i = 0; i < POSE; i++) last[POSE * k + i] = pose[i];
      }
      if (way > most) most = way;
    }
    return most;
  }
}

/** Bound on the way of a point at most `reach` from the origin of a pose: unit quaternions of a turn by θ are 2 sin(θ/4) ≥ θ/π apart. */
function wayBetween(from: Float64Array, i: number, to: Float64Array, j: number, reach: number): number {
  let shift = 0;
  for (let c = 0; c < 3; c++) shift += (to[j + c] - from[i + c]) ** 2;
  let near = 0;
  let far = 0;
  for (let c = 3; c < POSE; c++) {
    near += (to[j + c] - from[i + c]) ** 2;
    far += (to[j + c] + from[i + c]) ** 2;
  }
  return Math.sqrt(shift) + Math.PI * reach * Math.sqrt(Math.min(near, far));
}
