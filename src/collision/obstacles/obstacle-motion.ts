import type { ColliderSet } from "./collider-set";
import { reachOf } from "../distance/primitives";
import { POSE, poseDistance } from "../shape/pose";

/** Largest ratio of the speed of an interpolated rotation in the middle of a frame to its average speed. */
const FASTER = 1.28;

/** Upper bound of the way of the surfaces of a set's obstacles, for solvers that store distances to these. */
export class ObstacleMotion {
  /** From the end of the last frame to the start of this one (teleports, new or enabled obstacles) [m]; may be infinite. */
  jump = Infinity;
  /** During a frame [m]; for parts of a frame see `share`. */
  sweep = 0;
  private lastPoses = new Float64Array();
  private wasEnabled = new Uint8Array();
  private geometryVersion = -1;

  /** Call once a frame, after `ColliderSet.beginFrame`. */
  update(set: ColliderSet): void {
    const changed = set.geometryVersion !== this.geometryVersion;
    if (changed) {
      this.geometryVersion = set.geometryVersion;
      this.lastPoses = new Float64Array(POSE * set.primitiveCount);
      this.wasEnabled = new Uint8Array(set.primitiveCount);
    }
    this.jump = changed ? Infinity : 0;
    this.sweep = 0;
    for (let k = 0; k < set.primitiveCount; k++) {
      const enabled = set.bounds[6 * k] <= set.bounds[6 * k + 3] ? 1 : 0;
      const radius = reachOf(set.primitives[k]);
      if (enabled === 1 && !changed)
        this.jump =
          this.wasEnabled[k] === 1
            ? Math.max(this.jump, poseDistance(this.lastPoses, set.startPoses, POSE * k, radius))
            : Infinity;
      if (enabled === 1 && set.moving[k] === 1)
        this.sweep = Math.max(this.sweep, poseDistance(set.startPoses, set.endPoses, POSE * k, radius));
      this.wasEnabled[k] = enabled;
    }
    this.lastPoses.set(set.endPoses);
  }

  /** Bound for one of `parts` equal parts of the frame [m]. */
  share(part: number, parts: number): number {
    return (FASTER * this.sweep) / parts + (part === 0 ? this.jump : 0);
  }
}

/** Upper bound of the speed of obstacles without a proxy, which do not yield, in a frame of `dt` seconds [m/s]. */
export function ledSpeed(set: ColliderSet, dt: number): number {
  return speedOf(set, dt, (k) => set.proxyOf[k] < 0);
}

/** Upper bound of the planned speed of all obstacles in a frame of `dt` seconds [m/s]. */
export function obstacleSpeed(set: ColliderSet, dt: number): number {
  return speedOf(set, dt, () => true);
}

function speedOf(set: ColliderSet, dt: number, counts: (k: number) => boolean): number {
  let most = 0;
  for (let k = 0; k < set.primitiveCount; k++) {
    if (set.moving[k] === 0 || !counts(k) || !(set.bounds[6 * k] <= set.bounds[6 * k + 3])) continue;
    most = Math.max(most, poseDistance(set.startPoses, set.endPoses, POSE * k, reachOf(set.primitives[k])));
  }
  return (FASTER * most) / dt;
}
