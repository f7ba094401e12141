/** Finds what moves in a world, or may do so, and where it may come to in the next frame. */
import { areApart, type Box } from "../../geometry/box";
import type { Primitive } from "../../collision/distance/primitives";
import { Motion, TWIST_SIZE } from "../../solvers/newton/motion/bodies";
import type { SleepScene } from "./scene";
import type { DeformableBody } from "../body";
import type { RigidBody } from "../rigid/rigid-body";
import type { RigidWorld } from "../rigid/rigid-world";
import { wayOfRigid, wayOfSoft } from "./places";

/** Something that is awake, and the box that holds it to the end of the frame. */
export type Mover = { readonly box: Box } & (
  | { readonly kind: "soft"; readonly soft: DeformableBody }
  /** a dynamic body, which may fall asleep */
  | { readonly kind: "rigid"; readonly body: RigidBody }
  /** a body that something else moves: it never rests */
  | { readonly kind: "led"; readonly body: RigidBody }
  | { readonly kind: "obstacle"; readonly primitive: Primitive }
);

/**
 * All that is awake, and where it may come to in the next dt [s].
 *
 * @param gravity magnitude [m/s²]
 * @param hasMoved whether a kinematic body that stands still has moved not long ago
 */
export function findMovers(
  scene: SleepScene,
  gravity: number,
  dt: number,
  hasMoved?: (body: RigidBody) => boolean,
): Mover[] {
  const { rigid, bodies, colliderSet: set } = scene;
  const movers: Mover[] = [];
  const speeds: number[] = [];
  const add = (mover: Mover, speed: number): void => {
    movers.push(mover);
    speeds.push(speed);
  };
  for (const body of rigid.bodies) {
    const kind = kindOf(body, rigid) ?? (body.motion === "kinematic" && hasMoved?.(body) ? "led" : undefined);
    if (!kind) continue;
    const { box, speed } = wayOfRigid(body, rigid, gravity, dt);
    add({ kind, body, box }, speed);
  }
  for (let k = 0; k < set.primitiveCount; k++) {
    if (set.moving[k] === 0 || set.owners[k]) continue;
    const [a, b, c, d, e, f] = set.bounds.subarray(6 * k, 6 * k + 6);
    if (a > d) continue;
    const way = Math.max(d - a, e - b, f - c);
    add({ kind: "obstacle", primitive: set.primitives[k], box: { min: [a, b, c], max: [d, e, f] } }, way / dt);
  }
  for (const soft of bodies) {
    if (soft.isAsleep) continue;
    const { box, speed } = wayOfSoft(soft, gravity, dt);
    add({ kind: "soft", soft, box }, speed);
  }
  // A body that something fast may hit can be thrown as far in the same frame.
  return movers.map((mover, k) => {
    let fastest = speeds[k];
    movers.forEach((other, l) => {
      if (speeds[l] > fastest && !areApart(mover.box, other.box)) fastest = speeds[l];
    });
    const further = (fastest - speeds[k]) * dt;
    return further > 0 ? { ...mover, box: grownBy(mover.box, further) } : mover;
  });
}

function grownBy({ min, max }: Box, way: number): Box {
  return {
    min: [min[0] - way, min[1] - way, min[2] - way],
    max: [max[0] + way, max[1] + way, max[2] + way],
  };
}

/** The motion of a body; undefined for one that stands still until something moves it. */
function kindOf(body: RigidBody, rigid: RigidWorld): "rigid" | "led" | undefined {
  const { model, state } = rigid.dynamics.bodies;
  const { record, options } = body;
  const { slot, target } = record;
  if (options.isTrigger) return undefined;
  // Leaders need the pushes on their bodies in every frame.
  if (options.leader) return "led";
  const motion = model.motion[slot];
  if (motion === Motion.dynamic) return state.asleep[slot] === 1 ? undefined : "rigid";
  if (motion === Motion.static) return undefined;
  if (motion !== Motion.kinematic) return "led";
  if (target) {
    const [position, rotation] = [body.position, body.rotation];
    const isThere =
      target.position.every((value, c) => value === position[c]) &&
      target.rotation.every((value, c) => value === rotation[c]);
    return isThere ? undefined : "led";
  }
  for (let i = TWIST_SIZE * slot; i < TWIST_SIZE * (slot + 1); i++) if (state.velocity[i] !== 0) return "led";
  return undefined;
}
