/** Bodies that fall asleep and wake together. */
import { areApart, sizeOf, type Box } from "../../geometry/box";
import type { Vec3 } from "../../math/types";
import { TWIST_SIZE } from "../../solvers/newton/motion/bodies";
import type { SleepScene } from "./scene";
import type { DeformableBody } from "../body";
import type { RigidBody } from "../rigid/rigid-body";
import { areSame, Marks } from "./marks";
import type { Mover } from "./movers";
import { boxOfRigid, boxOfSoft, meetAny, stateOf } from "./places";
import { Surroundings } from "./surroundings";

/** A rigid body that fell asleep with deformable ones, and its motion at that moment. */
export interface Sleeper {
  readonly body: RigidBody;
  /** It contains the push that bears the body in its next step: TWIST_SIZE numbers */
  readonly velocity: Float64Array;
  readonly force: Float64Array;
}

/** A deformable body that fell asleep, and its velocities at that moment. */
export interface SoftSleeper {
  readonly body: DeformableBody;
  readonly velocities: Float64Array;
}

/** Bodies that may come to rest together. */
export interface Together {
  readonly softs: readonly DeformableBody[];
  readonly rigids: readonly RigidBody[];
}

/** The questions that the search for such bodies asks. */
export interface RestJudge {
  softRests(body: DeformableBody): boolean;
  rigidRests(body: RigidBody): boolean;
}

/**
 * The bodies that have to fall asleep together with one: those that it may touch or is attached to, those that these
 * touch, and so on.
 *
 * @returns undefined if one of them does not rest, or something that moves is near
 */
export function findTogether(
  first: DeformableBody,
  scene: SleepScene,
  gravity: number,
  movers: readonly Mover[],
  judge: RestJudge,
): Together | undefined {
  const softs = new Set<DeformableBody>();
  const rigids = new Set<RigidBody>();
  const queue: (DeformableBody | RigidBody)[] = [first];
  const { rigid, systems } = scene;
  for (let body = queue.pop(); body; body = queue.pop()) {
    let box: Box;
    if ("pins" in body) {
      if (softs.has(body) || body.isAsleep) continue;
      if (!judge.softRests(body)) return undefined;
      softs.add(body);
      box = boxOfSoft(body, gravity);
      queue.push(...carriersOf(body, rigid.bodies));
      // They are one system, whose contact forces are known only as long as the same bodies are in it.
      if (isLocalGlobal(body)) queue.push(...scene.bodies.filter((other) => isLocalGlobal(other)));
    } else {
      if (rigids.has(body) || body.motion !== "dynamic") continue;
      if (!body.isAsleep && !judge.rigidRests(body)) return undefined;
      rigids.add(body);
      // A body that sleeps already has its own group, which ends where awake bodies begin.
      if (body.isAsleep) continue;
      box = boxOfRigid(body, rigid, gravity);
      queue.push(...islandOf(body, scene));
      if (isJoinedToMoving(body, scene, movers)) return undefined;
    }
    queue.push(...((systems.attachments?.partnersOf(body) ?? []) as (DeformableBody | RigidBody)[]));
    for (const mover of movers) {
      if (areApart(mover.box, box)) continue;
      if (mover.kind === "soft") queue.push(mover.soft);
      else if (mover.kind === "rigid") queue.push(mover.body);
      else return undefined;
    }
  }
  return { softs: [...softs], rigids: [...rigids] };
}

const isLocalGlobal = ({ model }: DeformableBody): boolean => model.solver === "local-global";

/** Rigid bodies that carry particles of a body and feel them. */
function carriersOf({ pins }: DeformableBody, bodies: readonly RigidBody[]): RigidBody[] {
  if (!pins.isCarried) return [];
  const held = new Set<Float64Array | undefined>(pins.proxies!.map((proxy) => proxy?.held));
  return bodies.filter(({ record }) => record.held && held.has(record.held));
}

/** Bodies that contacts or joints connect with one. */
function islandOf({ record }: RigidBody, { rigid }: SleepScene): RigidBody[] {
  const islands = rigid.dynamics.stepper?.islands;
  const island = islands?.islandOf[record.slot] ?? -1;
  if (!islands || island < 0 || island >= islands.count) return [];
  const { start, bodyList } = islands;
  return Array.from(bodyList.subarray(start[island], start[island + 1]), (slot) => rigid.bodies[slot]);
}

function isJoinedToMoving(body: RigidBody, { rigid }: SleepScene, movers: readonly Mover[]): boolean {
  return rigid.joints.some(({ bodyA, bodyB }) => {
    if (bodyA !== body && bodyB !== body) return false;
    const other = bodyA === body ? bodyB : bodyA;
    return movers.some((mover) => mover.kind === "led" && mover.body === other);
  });
}

/** Bodies that sleep: time stands still for them. */
export class SleepingGroup {
  readonly softs: readonly SoftSleeper[];
  readonly rigids: readonly Sleeper[];
  private readonly boxes: readonly Box[];
  readonly surroundings: Surroundings;
  private readonly gravityVector: Vec3 = [...this.scene.gravity];
  private readonly marks: readonly Marks[];

  constructor(
    private readonly scene: SleepScene,
    { softs, rigids }: { readonly softs: readonly SoftSleeper[]; readonly rigids: readonly Sleeper[] },
    gravity: number,
  ) {
    this.softs = softs;
    this.marks = softs.map(({ body }) => new Marks(body, sizeOf(boxOfSoft(body, gravity))));
    this.rigids = rigids;
    this.boxes = [
      ...softs.map(({ body }) => boxOfSoft(body, gravity)),
      ...rigids.map(({ body }) => boxOfRigid(body, scene.rigid, gravity)),
    ];
    this.surroundings = new Surroundings(scene, this.boxes, gravity);
  }

  /** Whether something has changed, or may come to touch a body in the frame that begins. */
  isDisturbed(movers: readonly Mover[]): boolean {
    const { scene, boxes, softs, rigids } = this;
    if (!areSame(scene.gravity, this.gravityVector) || this.marks.some(({ differ }) => differ)) return true;
    if (rigids.some(({ body }) => body.isDisposed || !body.isAsleep)) return true;
    if (movers.some(({ box }) => meetAny(boxes, box))) return true;
    if (rigids.some(({ body }) => isJoinedToMoving(body, scene, movers))) return true;
    if (
      softs.some(({ body }) => isLocalGlobal(body)) &&
      scene.bodies.some((body) => isLocalGlobal(body) && !body.isAsleep)
    )
      return true;
    return this.surroundings.differ;
  }

  /** Call it once the bodies belong to the group. */
  layDown(): void {
    const { rigid } = this.scene;
    for (const { body } of this.softs) fallAsleep(body);
    for (const { body } of this.rigids) body.record.rests = true;
    rigid.sleep.putTogether(this.rigids.map(({ body }) => body.record.slot));
    for (const { body } of this.rigids) {
      const at = TWIST_SIZE * body.record.slot;
      rigid.dynamics.bodies.state.force.fill(0, at, at + TWIST_SIZE);
    }
  }

  /** Lets its bodies go on with the motion that they had. Call it when they do not belong to the group any more. */
  getUp(): void {
    const { rigid } = this.scene;
    for (const { body, velocities } of this.softs) {
      body._asleep = false;
      if (body.isDisposed) continue;
      stateOf(body).velocities.set(velocities);
      body.disturb();
    }
    const { velocity, force } = rigid.dynamics.bodies.state;
    for (const { body, velocity: before, force: push } of this.rigids) {
      body.record.rests = false;
      if (body.isDisposed || body.motion !== "dynamic") continue;
      const { slot } = body.record;
      rigid.sleep.wake(slot);
      for (let i = 0; i < TWIST_SIZE; i++) {
        velocity[TWIST_SIZE * slot + i] += before[i];
        force[TWIST_SIZE * slot + i] += push[i];
      }
    }
  }
}

/** The motion of a body, and its forces for the next step. */
export function sleeperOf(body: RigidBody, { rigid }: SleepScene): Sleeper {
  const { velocity, force } = rigid.dynamics.bodies.state;
  const at = TWIST_SIZE * body.record.slot;
  return { body, velocity: velocity.slice(at, at + TWIST_SIZE), force: force.slice(at, at + TWIST_SIZE) };
}

/** From now on a body is not stepped, and stands still. */
function fallAsleep(body: DeformableBody): void {
  body._asleep = true;
  stateOf(body).velocities.fill(0);
  body.stepper.rest?.();
  body.look();
  body._bounds.settle();
}
