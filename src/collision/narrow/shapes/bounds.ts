import { type Convex, ConvexKind } from "./convex";
import { composeFrames, frameBounds, identityFrame, poseToFrame } from "../frame";
import type { RigidShape } from "./rigid-shape";

const pose = identityFrame();
const placed = identityFrame();
const part = new Float64Array(6);
const core = new Float64Array(6);

/** Up to this number of parts, each gets a box of its own for a tight union; more of them share one box. */
const FEW = 8;

/**
 * The box around a shape at a pose, in the world.
 *
 * @param poses array that holds the pose from place `at` on: position x, y, z [m], then a unit quaternion x, y, z, w
 * @param margin added on all sides [m]
 * @param out receives min x, y, z, max x, y, z from place `to` on
 */
export function worldBounds(
  shape: RigidShape,
  poses: ArrayLike<number>,
  at: number,
  margin: number,
  out: Float64Array,
  to: number,
): void {
  const { parts } = shape;
  poseToFrame(poses, at, pose);
  for (let k = 0; k < 3; k++) {
    out[to + k] = Infinity;
    out[to + 3 + k] = -Infinity;
  }
  if (parts.length === 0) return;
  if (parts.length > FEW) {
    frameBounds(shape.bounds, pose, part);
    include(part, margin, out, to);
    return;
  }
  for (let i = 0; i < parts.length; i++) {
    const { convex, isPlain, frame } = parts[i];
    if (!convex) frameBounds(parts[i].bounds, pose, part);
    else if (isPlain) convexBounds(convex, pose, part);
    else {
      composeFrames(pose, frame, placed);
      convexBounds(convex, placed, part);
    }
    include(part, margin, out, to);
  }
}

function include(box: Float64Array, margin: number, out: Float64Array, to: number): void {
  for (let k = 0; k < 3; k++) {
    out[to + k] = Math.min(out[to + k], box[k] - margin);
    out[to + 3 + k] = Math.max(out[to + 3 + k], box[3 + k] + margin);
  }
}

/** Exact box around a convex in a frame. */
export function convexBounds(convex: Convex, f: Float64Array, out: Float64Array): void {
  const { kind, radius, halfX, halfY, vertices: v } = convex;
  if (kind === ConvexKind.hull || kind === ConvexKind.triangle) {
    for (let r = 0; r < 3; r++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = 0; i < v.length; i += 3) {
        const x = f[3 * r] * v[i] + f[3 * r + 1] * v[i + 1] + f[3 * r + 2] * v[i + 2];
        if (x < low) low = x;
        if (x > high) high = x;
      }
      out[r] = low + f[9 + r];
      out[3 + r] = high + f[9 + r];
    }
    return;
  }
  if (kind === ConvexKind.cylinder) {
    for (let r = 0; r < 3; r++) {
      const along = f[3 * r + 1];
      const reach = halfY * Math.abs(along) + halfX * Math.sqrt(Math.max(0, 1 - along * along));
      out[r] = f[9 + r] - reach;
      out[3 + r] = f[9 + r] + reach;
    }
    return;
  }
  core[0] = -halfX;
  core[1] = -halfY;
  core[2] = -convex.halfZ;
  core[3] = halfX;
  core[4] = halfY;
  core[5] = convex.halfZ;
  frameBounds(core, f, out);
  for (let k = 0; k < 3; k++) {
    out[k] -= radius;
    out[3 + k] += radius;
  }
}
