/** Boxes of what is in a world, at rest and on their ways in the next frame. */
import { frameBounds, identityFrame, poseToFrame } from "../../collision/narrow/frame";
import { areApart, boxOf, grown, sizeOf, union, type Box } from "../../geometry/box";
import type { Vec3 } from "../../math/types";
import { norm, subtract } from "../../math/vectors";
import { POSE_SIZE, TWIST_SIZE } from "../../solvers/newton/motion/bodies";
import { grainOf } from "../../solvers/spacing";
import type { DeformableBody } from "../body";
import type { RigidBody } from "../rigid/rigid-body";
import type { RigidWorld } from "../rigid/rigid-world";

/** Distance at which anything may touch something else [m], times the grain of the world. */
const NEAR = 0.005;
/** Part of its size by which a body may spring in a frame without having been fast at its start. */
const SPRING = 0.1;

const frame = identityFrame();
const bounds = new Float64Array(6);

/** Positions and velocities of a body that the CPU steps. */
export function stateOf({ stepper }: DeformableBody): { positions: Float64Array; velocities: Float64Array } {
  return (stepper as unknown as { state: { positions: Float64Array; velocities: Float64Array } }).state;
}

/** Distance within which something may touch a body [m]. */
function reachOf({ options, model }: DeformableBody, gravity: number): number {
  const { thickness, selfThickness = 0, contactMargin = 0 } = options;
  const radius = "rods" in model && model.rods ? model.rods.radius : 0;
  return 2 * Math.max(thickness, selfThickness, contactMargin, radius) + NEAR * grainOf(gravity);
}

/** Box of a body and of the places of its pins, with what may touch it. */
export function boxOfSoft(body: DeformableBody, gravity: number): Box {
  const { pinned, targets } = body.pins;
  let box = boxOf(stateOf(body).positions);
  pinned.forEach((is, p) => {
    if (is === 0) return;
    const place: Vec3 = [targets[3 * p], targets[3 * p + 1], targets[3 * p + 2]];
    box = union(box, { min: place, max: place });
  });
  return grown(box, reachOf(body, gravity));
}

/** Box that holds a body on its way in the next dt [s], with what may touch it. */
export function wayOfSoft(body: DeformableBody, gravity: number, dt: number): { box: Box; speed: number } {
  const { velocities } = stateOf(body);
  let speed = 0;
  for (let i = 0; i < velocities.length; i += 3)
    speed = Math.max(speed, velocities[i] ** 2 + velocities[i + 1] ** 2 + velocities[i + 2] ** 2);
  speed = Math.sqrt(speed) + body.topWind + gravity * Math.abs(body.options.gravityFactor) * dt;
  const box = boxOfSoft(body, gravity);
  return { box: grown(box, speed * dt + SPRING * sizeOf(box)), speed };
}

/** Box of a rigid body, with what may touch it; of its place alone if it has no shape. */
export function boxOfRigid({ record, shape, position }: RigidBody, rigid: RigidWorld, gravity: number): Box {
  const margin = NEAR * grainOf(gravity);
  if (!shape || !record.compiled || record.compiled.parts.length === 0)
    return grown({ min: position, max: position }, margin);
  poseToFrame(rigid.poses, POSE_SIZE * record.slot, frame);
  frameBounds(record.compiled.bounds, frame, bounds);
  const [a, b, c, d, e, f] = bounds;
  return grown({ min: [a, b, c], max: [d, e, f] }, margin);
}

/** Box that holds a rigid body on its way in the next dt [s], with what may touch it. */
export function wayOfRigid(
  body: RigidBody,
  rigid: RigidWorld,
  gravity: number,
  dt: number,
): { box: Box; speed: number } {
  const { record, position } = body;
  const { velocity } = rigid.dynamics.bodies.state;
  const reach = record.compiled?.reach ?? 0;
  const twist = (at: number): number => norm(Array.from(velocity.subarray(at, at + 3)) as unknown as Vec3);
  const at = TWIST_SIZE * record.slot;
  let speed = twist(at) + reach * twist(at + 3) + gravity * dt;
  const { target } = record;
  // Wherever it turns, it stays within its reach of the place that it goes to.
  if (target) speed = Math.max(speed, (norm(subtract(target.position, position)) + 2 * reach) / dt);
  return { box: grown(boxOfRigid(body, rigid, gravity), speed * dt), speed };
}

/** Whether any two boxes of two lists meet. */
export function meetAny(a: readonly Box[], b: Box): boolean {
  return a.some((box) => !areApart(box, b));
}
