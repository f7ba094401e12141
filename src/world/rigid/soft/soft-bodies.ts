import { combineModes } from "../../../collision/obstacles/combine";
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import { CONTACT_VERTICES, threeOf } from "../../../collision/soft/contact-table";
import { composePose, POSE, rotate, sweptBounds, toFrame } from "../../../collision/shape/pose";
import { type Primitive, primitivesOf, reachOf } from "../../../collision/distance/primitives";
import type { ColliderShape } from "../../../collision/shape/shape";
import { Motion, POSE_SIZE, TWIST_SIZE } from "../../../solvers/newton/motion/bodies";
import type { RigidDynamics } from "../../../solvers/newton/dynamics";
import { FemBody } from "../../../solvers/newton/deformable/fem-body";
import type { FemModel } from "../../../solvers/newton/deformable/fem-model";
import {
  findContacts,
  type ObstaclePart,
  SurfaceNodes,
} from "../../../solvers/newton/deformable/contact/find-contacts";
import { Seams } from "../../../solvers/newton/deformable/contact/seams";
import { SoftContacts, type SoftTie } from "../../../solvers/newton/deformable/contact/soft-contacts";
import { rigidMotion } from "../../../solvers/rigid-motion";
import { grainOf } from "../../../solvers/spacing";
import { turn } from "../../../math/quaternions";
import type { Vec3 } from "../../../math/types";
import { cross, dot, norm } from "../../../math/vectors";
import { HeldContacts } from "../../../solvers/guest";
import type { BodySlots } from "../body-slots";
import { isMetBySoft, surfaceOf } from "../body-options";
import type { LedBodies } from "../contact/led-bodies";
import type { RigidBody } from "../rigid-body";
import type { Sleep } from "../sleep";
import type { tiedRows } from "./tied-rows";

const point = new Float64Array(3);

/** A vertex of a body that is attached to a point of a rigid body. */
export interface BodyTie extends SoftTie {
  readonly soft: FemBody;
  readonly rigid: RigidBody;
  /** in the axes of the rigid body [m] */
  readonly point: Vec3;
}

/** First number of attachments among the sources of contacts, after the obstacles. */
const TIES = 0x60000000;

/** Longest way that a contact stops in a step, as a multiple of the spacing of the particles, and largest angle by which a body turns [rad] */
const LONGEST_STOP = 2;
const WIDEST_TURN = 1;
/** Most steps in a frame against longer ones. */
const MOST_STEPS = 16;

/** First number of obstacles among the sources of contacts, after the ids of rigid bodies. */
const OBSTACLES = 0x40000000;

/** Deformable bodies that are solved together with the rigid bodies, and their contacts. */
export class SoftBodies {
  /** obstacles that are not rigid bodies; their table must be up to date when a step begins */
  obstacles: ColliderSet | undefined;
  /** attachments, in the order in which they were made */
  readonly ties: BodyTie[] = [];
  tiedRows: typeof tiedRows | undefined;
  private readonly surfaces = new Map<FemBody, SurfaceNodes>();
  private readonly parts = new WeakMap<RigidBody, { shape: ColliderShape; parts: ObstaclePart[] }>();
  private readonly seams = new Seams();
  /** of a frame that the last step was */
  private part = 1;
  private readonly pose = new Float64Array(POSE);
  private readonly still: ObstaclePart = partOf(undefined as unknown as Primitive);

  constructor(
    private readonly dynamics: RigidDynamics,
    private readonly slots: BodySlots,
    private readonly sleep: Sleep,
    private readonly led: LedBodies,
  ) {}

  /** Whether the GPU supports all bodies: it does not support quadratic elements, attachments, and contacts between particles. */
  get fitsGpu(): boolean {
    if (this.ties.length > 0) return false;
    if ([...this.surfaces.keys()].some(({ model }) => model.elements.some(({ arity }) => arity > 4))) return false;
    // Everything but a plane fits between two particles of a rope.
    const gap = Math.max(0, ...[...this.surfaces.values()].map(({ edge }) => edge || Infinity));
    return !this.hasWithin(gap);
  }

  /** Whether a ball of this radius holds a rigid body or an obstacle [m]. Planes have no end. */
  private hasWithin(radius: number): boolean {
    const isSmall = ({ shape, record }: RigidBody): boolean => !!shape && record.compiled!.reach < radius;
    return this.slots.bodies.some(isSmall) || this.obstacles?.primitives.some((p) => reachOf(p) < radius) === true;
  }

  get count(): number {
    return this.surfaces.size;
  }

  add(model: FemModel): FemBody {
    const body = new FemBody(model);
    this.dynamics.deformables.bodies.push(body);
    this.surfaces.set(body, new SurfaceNodes(body));
    return body;
  }

  remove(body: FemBody): void {
    const { bodies } = this.dynamics.deformables;
    const index = bodies.indexOf(body);
    if (index >= 0) bodies.splice(index, 1);
    this.surfaces.delete(body);
    this.dynamics.deformables.memory.clear();
    // A body that lay on it may fall.
    for (let slot = 0; slot < this.slots.bodies.length; slot++) this.sleep.wake(slot);
  }

  /**
   * Contacts of a body in the last step that carry something, with rigid bodies and obstacles that do not respond; their impulses are those of
   * a frame of such steps.
   */
  heldContacts(body: FemBody): HeldContacts {
    const { deformables, bodies } = this.dynamics;
    const { contacts } = deformables;
    const index = deformables.bodies.indexOf(body);
    const held = new HeldContacts();
    for (let c = 0; c < contacts.count; c++) {
      const slot = contacts.rigid[c];
      if (contacts.bodyOf(c) !== index || contacts.impulse[3 * c] <= 0 || contacts.ties[c]) continue;
      if (slot >= 0 && bodies.model.motion[slot] >= Motion.dynamic) continue;
      const [, s, t] = this.apartOf(contacts, c, body.velocities);
      held.hold(contacts, c, this.part, [0, s, t]);
    }
    return held;
  }

  /**
   * Contacts of a body with objects that do not respond, for a way of h [s] along which others push it: without impulse, with the speed
   * that is left in its own step until they close.
   *
   * @param start positions at the start of the way [m]
   * @param pushed change of the velocity of its step [m/s]
   */
  hitsOf(body: FemBody, start: Float64Array, pushed: Float64Array, h: number): HeldContacts {
    const { bodies } = this.dynamics;
    const index = this.dynamics.deformables.bodies.indexOf(body);
    const surface = this.surfaces.get(body)!;
    const own = [body.positions.slice(), body.velocities.slice()];
    const hits = new SoftContacts();
    const seams = new Seams();
    const meet = (part: ObstaclePart, source: number, number: number): void => {
      [hits.currentSource, hits.currentPart] = [source, number];
      seams.note(part, source, number);
      findContacts(bodies, body, index, surface, part, h, hits);
    };
    for (let i = 0; i < start.length; i++) {
      body.velocities[i] = (body.positions[i] - start[i]) / h + pushed[i];
      body.positions[i] = start[i]!;
    }
    for (const rigid of this.slots.bodies) {
      const { slot } = rigid.record;
      if (bodies.model.motion[slot] >= Motion.dynamic) continue;
      this.visitParts(rigid, (part, number) => meet(part, rigid.id, number));
    }
    if (this.obstacles) this.visitObstacles(this.obstacles, 0, (part, k) => meet(part, OBSTACLES + k, 0));
    seams.settle(this.dynamics.bodies, this.dynamics.deformables.bodies, this.surfaces, hits);
    body.positions.set(own[0]);
    body.velocities.set(own[1]);
    const ways = own[0].map((x, i) => (x - start[i]) / h) as Float64Array;
    const held = new HeldContacts();
    for (let c = 0; c < hits.count; c++) {
      const [n, s, t] = this.apartOf(hits, c, ways);
      held.hold(hits, c, 1, [Math.max(0, n + Math.max(0, hits.gap[c]) / h), s, t]);
    }
    return held;
  }

  /**
   * Finds contacts of a step of h [s].
   *
   * @param from start of the step as a part of the frame, 0 to 1
   * @param dt frame time [s]
   * @param gravity [m/s²]
   */
  findContacts(h: number, from: number, dt: number, gravity: Vec3): void {
    const { contacts, bodies: softs } = this.dynamics.deformables;
    contacts.clear();
    this.seams.clear();
    this.part = h / dt;
    if (softs.length === 0) return;
    const grain = grainOf(norm(gravity));
    for (const soft of softs) soft.grain = grain;
    for (const body of this.slots.bodies) this.meetBody(body, h);
    if (this.obstacles) this.meetObstacles(this.obstacles, h, from, dt);
    this.seams.settle(this.dynamics.bodies, softs, this.surfaces, contacts);
    this.ties.forEach((tie, k) => this.tie(tie, k));
  }

  private tie(tie: BodyTie, k: number): void {
    const { bodies, deformables } = this.dynamics;
    const { contacts } = deformables;
    const index = deformables.bodies.indexOf(tie.soft);
    if (index < 0 || tie.rigid.isDisposed || tie.soft.isFrozen || tie.soft.isAsleep) return;
    const { position, rotation, record } = tie.rigid;
    const arm = turn(rotation, tie.point);
    for (let c = 0; c < 3; c++) point[c] = position[c] + arm[c];
    contacts.currentSource = TIES + k;
    contacts.currentPart = 0;
    contacts.addTie(bodies, index, record.slot, point, tie);
    this.sleep.wake(record.slot);
  }

  private isTied(body: RigidBody): boolean {
    return this.ties.some(({ rigid, soft }) => rigid === body && !soft.isAsleep);
  }

  /**
   * Number of steps in a frame of dt [s] for the contacts that were found for one, and for what turns. Newton's method finds the state after a
   * stop only if particles are near their neighbors again, and that after a turn only from places that are not drawn out much.
   */
  stepsOf(dt: number, gravity: Vec3): number {
    const { contacts, bodies } = this.dynamics.deformables;
    let most = 0;
    for (let c = 0; c < contacts.count; c++) {
      if (contacts.ties[c]) continue;
      const body = bodies[contacts.bodyOf(c)];
      const pull = dot(threeOf(contacts.frame, 9 * c), gravity);
      const speed = this.apartOf(contacts, c, body.velocities)[0] + body.gravityFactor * pull * dt;
      const stop = -speed * dt - contacts.gap[c];
      if (stop > 0) most = Math.max(most, stop / this.surfaces.get(body)!.spacing);
    }
    let widest = 0;
    for (const body of bodies) if (!body.isAsleep) widest = Math.max(widest, dt * spinOf(body));
    return Math.min(MOST_STEPS, Math.max(Math.ceil(most / LONGEST_STOP), widest > WIDEST_TURN ? Math.ceil(widest) : 0));
  }

  /** Velocity of a contact's particles minus that of the touched object, along its directions [m/s]. */
  private apartOf(contacts: SoftContacts, c: number, velocities: Float64Array): Vec3 {
    const { rigid, arm, speed } = contacts;
    const object = [...threeOf(speed, 3 * c)];
    if (rigid[c] >= 0) {
      const { velocity } = this.dynamics.bodies.state;
      const [v, w] = [0, 3].map((d) => threeOf(velocity, TWIST_SIZE * rigid[c] + d));
      const turned = cross(w, threeOf(arm, 3 * c));
      for (let i = 0; i < 3; i++) object[i] += v[i] + turned[i];
    }
    return [0, 1, 2].map(
      (d) => contacts.along(c, d, velocities) - dot(threeOf(contacts.frame, 9 * c + 3 * d), object as unknown as Vec3),
    ) as unknown as Vec3;
  }

  private meetBody(body: RigidBody, h: number): void {
    const { bodies, deformables } = this.dynamics;
    const { contacts } = deformables;
    let isTouched = this.ties.length > 0 && this.isTied(body);
    const first = contacts.count;
    contacts.currentSource = body.id;
    this.visitParts(body, (part, number) => {
      contacts.currentPart = number;
      this.seams.note(part, body.id, number);
      deformables.bodies.forEach((soft, index) => {
        if (soft.isAsleep) return;
        if (findContacts(bodies, soft, index, this.surfaces.get(soft)!, part, h, contacts)) isTouched = true;
      });
    });
    if (!isTouched && (!body.shape || body.options.meets === "rigid")) return;
    if (isTouched) this.dropTied(body, first);
    this.led.touch(body, isTouched);
    // Bodies that awake deformable ones touch fall asleep with these, see world/sleep.
    if (isTouched) this.sleep.wake(body.record.slot);
  }

  /** Visits the parts of a rigid body that deformable bodies meet, at their present places. */
  private visitParts(body: RigidBody, visit: (part: ObstaclePart, number: number) => void): void {
    const { slot } = body.record;
    if (!body.shape || body.options.meets === "rigid") return;
    this.partsOf(body, body.shape).forEach((part, number) => {
      const met = surfaceOf(body.options, number);
      if (!isMetBySoft(met)) return;
      part.slot = slot;
      part.friction = met.friction;
      part.frictionCombine = combineModes.indexOf(met.frictionCombine);
      this.pose.set(this.slots.poses.subarray(POSE_SIZE * slot, POSE_SIZE * slot + POSE_SIZE));
      composePose(this.pose, part.primitive, part.poses, 0);
      sweptBounds(part.primitive, part.poses, part.poses, 0, part.bounds, 0);
      visit(part, number);
    });
  }

  /** Drops contacts of vertices with the body that they are attached to: these would push them off. */
  private dropTied(body: RigidBody, first: number): void {
    const { contacts, bodies } = this.dynamics.deformables;
    for (const { soft, node, rigid } of this.ties) {
      if (rigid !== body) continue;
      const { vertex, weight } = contacts;
      contacts.drop(
        (c) =>
          bodies[contacts.bodyOf(c)] === soft &&
          contacts.verticesOf(c).some((k) => vertex[k] === node && weight[k] > 0),
        first,
      );
    }
  }

  private partsOf(body: RigidBody, shape: ColliderShape): readonly ObstaclePart[] {
    const known = this.parts.get(body);
    if (known?.shape === shape) return known.parts;
    const parts = primitivesOf(shape, body.name).map(partOf);
    this.parts.set(body, { shape, parts });
    return parts;
  }

  /**
   * Finds contacts with obstacles at their places within the frame; those that stand for rigid bodies are left out,
   * since they are met as bodies.
   */
  private meetObstacles(set: ColliderSet, h: number, from: number, dt: number): void {
    const { bodies, deformables } = this.dynamics;
    const { contacts } = deformables;
    contacts.currentPart = 0;
    this.visitObstacles(set, from, (part, k) => {
      contacts.currentSource = OBSTACLES + k;
      this.seams.note(part, OBSTACLES + k, 0);
      const first = contacts.count;
      deformables.bodies.forEach((soft, index) => {
        if (soft.isAsleep) return;
        findContacts(bodies, soft, index, this.surfaces.get(soft)!, part, h, contacts);
      });
      if (set.moving[k] === 1) this.carry(set, k, first, dt);
    });
  }

  private visitObstacles(set: ColliderSet, from: number, visit: (part: ObstaclePart, k: number) => void): void {
    const { still } = this;
    for (let k = 0; k < set.primitiveCount; k++) {
      if (set.owners[k] || set.proxyOf[k] >= 0 || set.bounds[6 * k] > set.bounds[6 * k + 3]) continue;
      still.primitive = set.primitives[k];
      still.friction = set.friction[k];
      still.frictionCombine = set.frictionCombine[k];
      set.readPose(k, false, from, still.poses);
      for (let i = 0; i < 6; i++) still.bounds[i] = set.bounds[6 * k + i];
      visit(still, k);
    }
  }

  /**
   * Sets surface velocities of contacts with a moving obstacle, from the way of the touched point with the obstacle
   * through the whole frame.
   */
  private carry(set: ColliderSet, k: number, first: number, dt: number): void {
    const { contacts, bodies } = this.dynamics.deformables;
    for (let c = first; c < contacts.count; c++) {
      const { positions } = bodies[contacts.bodyOf(c)];
      const p = 3 * contacts.vertex[CONTACT_VERTICES * c];
      const at = POSE * k;
      const { startPoses: a, endPoses: b } = set;
      toFrame(a, at, positions, p, point, 0);
      rotate(b, at, point[0], point[1], point[2], point, 0);
      for (let i = 0; i < 3; i++) contacts.speed[3 * c + i] = (b[at + i] + point[i] - positions[p + i]) / dt;
    }
  }
}

/** Rate at which a body turns as a whole; 0 for a straight rope, which may turn about itself at any [rad/s]. */
function spinOf({ model: { masses }, positions, velocities }: FemBody): number {
  const spin = norm(rigidMotion([[masses, positions, velocities]]).spin);
  return Number.isFinite(spin) ? spin : 0;
}

/** A part that stands at the origin, of no body yet. */
function partOf(primitive: Primitive): ObstaclePart {
  const [poses, bounds] = [new Float64Array(POSE), new Float64Array(6)];
  return { primitive, poses, at: 0, slot: -1, friction: 0, frictionCombine: 0, bounds };
}
