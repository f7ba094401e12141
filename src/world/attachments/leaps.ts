/**
 * Bodies with attachments that are put elsewhere. If their vertices went there within a frame, they would pull at what hangs on them with
 * the speed of that way: a box of 0.1 kg got 900 m/s. So what hangs on such a body alone goes along with it, as one piece, and what
 * something else holds, too, stays where it is, and comes as slowly as ends that were attached from a distance.
 *
 * Small ways stay a motion of the body: many programs put a body a little further in each frame, and cloth on it should flutter.
 */
import type { Vec3 } from "../../math/types";
import { product, turn } from "../../math/quaternions";
import { distance, subtract } from "../../math/vectors";
import type { DeformableBody } from "../body";
import { longestWay, motionBetween, movedBy, type Pose, pointBy, type RigidMotion } from "./moved-by";
import type { RigidBody } from "../rigid/rigid-body";
import type { RigidWorld } from "../rigid/rigid-world";
import { placesNow } from "./places";

/** Two bodies jump together if their motions differ by less than this part of the way. */
const ALIKE = 1e-3;

/** An attachment, as far as jumps go. */
interface Held {
  readonly bodies: readonly DeformableBody[];
  /** what it attaches the first of them to, if that is a rigid body */
  readonly rigid: RigidBody | undefined;
  /** of the first body */
  readonly vertices: readonly number[];
  part(): void;
  wake(): void;
}

export class Leaps {
  /** where rigid bodies were that were put elsewhere since the last step */
  private readonly from = new Map<RigidBody, Pose>();
  private readonly written = new Set<DeformableBody>();
  /** ways of those that went a little further in the last step [m] */
  private ways: ReadonlyMap<RigidBody, Vec3> = new Map();

  constructor(private readonly rigid: RigidWorld) {
    rigid.onPlace = (body) => {
      const { position, rotation } = body;
      if (!this.from.has(body)) this.from.set(body, { position, rotation });
    };
  }

  noteWritten(body: DeformableBody): void {
    this.written.add(body);
  }

  forget(): void {
    this.from.clear();
    this.written.clear();
  }

  /** Before a step of dt [s]: tells attachments of jumps. */
  take(list: readonly Held[], dt: number): void {
    const { from, written } = this;
    if (from.size + written.size === 0) {
      this.ways = new Map();
      return;
    }
    const leaping = new Map<RigidBody, RigidMotion>();
    const ways = new Map<RigidBody, Vec3>();
    for (const held of list) {
      const { rigid } = held;
      const before = rigid && from.get(rigid);
      if (!before || rigid.isDisposed) continue;
      const motion = motionBetween(before, rigid);
      ways.set(rigid, subtract(rigid.position, before.position));
      if (this.isLeap(held, motion, this.ways.get(rigid) ?? [0, 0, 0], dt)) leaping.set(rigid, motion);
    }
    for (const rigid of leaping.keys()) ways.delete(rigid);
    this.ways = ways;
    const moved = new Set<DeformableBody>(written);
    for (const [rigid, motion] of leaping)
      for (const { bodies, rigid: other } of list) {
        if (other !== rigid || bodies.some((body) => moved.has(body))) continue;
        const piece = this.pieceOn(bodies[0], list, leaping);
        if (!piece) continue;
        for (const body of piece.bodies) {
          moved.add(body);
          body.rewrite((state) => movedBy(motion, state));
        }
        for (const body of piece.rigids) move(body, motion);
      }
    for (const held of list) {
      const { rigid, bodies } = held;
      if (!(rigid && leaping.has(rigid)) && !bodies.some((body) => moved.has(body))) continue;
      held.wake();
      held.part();
    }
    this.forget();
  }

  /** @param last way in the last step [m] */
  private isLeap({ bodies: [body], vertices }: Held, motion: RigidMotion, last: Vec3, dt: number): boolean {
    const most = longestWay(body, this.rigid.gravity, dt);
    return placesNow(body, vertices).some((place) => distance(subtract(pointBy(motion, place), place), last) > most);
  }

  /**
   * The bodies that hang on jumping bodies alone, as one of them does, if these make the same motion: deformable bodies, and dynamic
   * bodies without joints where what jumps is not dynamic.
   */
  private pieceOn(
    first: DeformableBody,
    list: readonly Held[],
    leaping: ReadonlyMap<RigidBody, RigidMotion>,
  ): { readonly bodies: ReadonlySet<DeformableBody>; readonly rigids: ReadonlySet<RigidBody> } | undefined {
    const bodies = new Set([first]);
    const rigids = new Set<RigidBody>();
    const carriers = new Set<RigidBody>();
    for (let size = 0; size < bodies.size + rigids.size;) {
      size = bodies.size + rigids.size;
      for (const { bodies: ends, rigid } of list) {
        if (!ends.some((body) => bodies.has(body)) && !(rigid && rigids.has(rigid))) continue;
        for (const body of ends) bodies.add(body);
        if (rigid) (leaping.has(rigid) ? carriers : rigids).add(rigid);
      }
    }
    const [one, ...others] = [...carriers].map((rigid) => leaping.get(rigid)!);
    const isFree = (body: RigidBody): boolean =>
      body.motion === "dynamic" && !this.from.has(body) && !this.rigid.joints.some((joint) => joint.joins(body));
    if (rigids.size > 0 && [...carriers].some(({ motion }) => motion === "dynamic")) return undefined;
    if (![...rigids].every(isFree) || ![...bodies].every((body) => this.isLoose(body))) return undefined;
    const places = [...bodies].flatMap((body) => placesNow(body, [0, body.particleCount - 1]));
    const isSame = (other: RigidMotion): boolean =>
      places.every((place) => {
        const goal = pointBy(one, place);
        return distance(goal, pointBy(other, place)) <= ALIKE * distance(goal, place);
      });
    return others.every(isSame) ? { bodies, rigids } : undefined;
  }

  /** Whether nothing but attachments holds a body, and nobody put it somewhere. */
  private isLoose(body: DeformableBody): boolean {
    const { pinned, proxies, range } = body.pins;
    return !this.written.has(body) && !range && pinned.every((is, p) => is === 0 || proxies?.[p] !== undefined);
  }
}

function move(body: RigidBody, motion: RigidMotion): void {
  const { position, rotation, linearVelocity, angularVelocity } = body;
  body.teleport(pointBy(motion, position), product(motion.rotation, rotation));
  body.linearVelocity = turn(motion.rotation, linearVelocity);
  body.angularVelocity = turn(motion.rotation, angularVelocity);
}
