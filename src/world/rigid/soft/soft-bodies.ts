import { combineModes } from "../../../collision/obstacles/combine";
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import { composePose, interpolatePose, POSE, rotate, rotateBack, sweptBounds } from "../../../collision/shape/pose";
import { compileShape, type Primitive } from "../../../collision/distance/primitives";
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
import { SOFT_SIZE } from "../../../solvers/newton/deformable/contact/soft-contacts";
import { grainOf } from "../../../solvers/spacing";
import type { Vec3 } from "../../../math/types";
import { cross, dot, norm } from "../../../math/vectors";
import type { HeldContact } from "../../../solvers/guest";
import type { BodySlots } from "../body-slots";
import { isMetBySoft, surfaceOf } from "../body-options";
import type { LedBodies } from "../contact/led-bodies";
import type { RigidBody } from "../rigid-body";
import type { Sleep } from "../sleep";

const point = new Float64Array(3);

/** Primitives of shapes, which bodies may share. */
const compiledShapes = new WeakMap<ColliderShape, Primitive[]>();

/** Longest way that a contact stops in a step, as a multiple of the spacing of the particles; most steps in a frame against longer ones. */
const LONGEST_STOP = 2;
const MOST_STEPS = 16;

/** First number of obstacles among the sources of contacts, after the ids of rigid bodies. */
const OBSTACLES = 0x40000000;

/** Deformable bodies that are solved together with the rigid bodies, and their contacts. */
export class SoftBodies {
  /** obstacles that are not rigid bodies; their table must be up to date when a step begins */
  obstacles: ColliderSet | undefined;
  private readonly surfaces = new Map<FemBody, SurfaceNodes>();
  private readonly parts = new WeakMap<RigidBody, { shape: ColliderShape; parts: ObstaclePart[] }>();
  private readonly pose = new Float64Array(POSE);
  private readonly still: ObstaclePart = {
    primitive: undefined as unknown as Primitive,
    poses: new Float64Array(POSE),
    at: 0,
    slot: -1,
    friction: 0,
    frictionCombine: 0,
    bounds: new Float64Array(6),
  };

  constructor(
    private readonly dynamics: RigidDynamics,
    private readonly slots: BodySlots,
    private readonly sleep: Sleep,
    private readonly led: LedBodies,
  ) {}

  /** Whether the GPU supports the elements of all bodies: it does not support quadratic ones. */
  get fitsGpu(): boolean {
    return [...this.surfaces.keys()].every(({ model }) => model.elements.every(({ arity }) => arity <= 4));
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

  /** Contacts of a body in the last step that carry something, with rigid bodies and obstacles that do not respond. */
  heldContacts(body: FemBody): HeldContact[] {
    const { deformables, bodies } = this.dynamics;
    const { contacts } = deformables;
    const index = deformables.bodies.indexOf(body);
    const held: HeldContact[] = [];
    for (let c = 0; c < contacts.count; c++) {
      const slot = contacts.slot[c];
      if (contacts.body[c] !== index || contacts.impulse[3 * c] <= 0) continue;
      if (slot >= 0 && bodies.model.motion[slot] >= Motion.dynamic) continue;
      const three = (list: Float64Array, at: number): Vec3 => [list[at], list[at + 1], list[at + 2]];
      const at = SOFT_SIZE * c;
      const nodes = [...contacts.nodes.subarray(3 * c, 3 * c + 3)];
      const weights = [...contacts.weights.subarray(3 * c, 3 * c + 3)];
      const [n, s, t] = [0, 3, 6].map((d) => three(contacts.geometry, at + d));
      const away = [...three(contacts.geometry, at + 12)] as [number, number, number];
      if (slot >= 0) {
        const [v, w] = [0, 3].map((d) => three(bodies.state.velocity, TWIST_SIZE * slot + d));
        const turned = cross(w, three(contacts.geometry, at + 9));
        for (let i = 0; i < 3; i++) away[i] += v[i] + turned[i];
      }
      nodes.forEach((node, k) => {
        for (let i = 0; i < 3; i++) away[i] -= weights[k] * body.velocities[3 * node + i];
      });
      held.push({
        nodes,
        weights,
        directions: [n, s, t],
        impulse: three(contacts.impulse, 3 * c),
        friction: contacts.friction[c],
        slip: [0, -dot(away, s), -dot(away, t)],
      });
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
    if (softs.length === 0) return;
    const grain = grainOf(norm(gravity));
    for (const soft of softs) soft.grain = grain;
    for (const body of this.slots.bodies) this.meetBody(body, h);
    if (this.obstacles) this.meetObstacles(this.obstacles, h, from, dt);
  }

  /**
   * Number of steps in a frame of dt [s] for the contacts that were found for one. Newton's method finds the state after a stop only if
   * particles are near their neighbors again.
   */
  stepsOf(dt: number, gravity: Vec3): number {
    const { contacts, bodies } = this.dynamics.deformables;
    let most = 0;
    for (let c = 0; c < contacts.count; c++) {
      const body = bodies[contacts.body[c]];
      const n = SOFT_SIZE * c;
      const { geometry } = contacts;
      const pull = geometry[n] * gravity[0] + geometry[n + 1] * gravity[1] + geometry[n + 2] * gravity[2];
      const speed = this.speedOf(c, body) + body.gravityFactor * pull * dt;
      const stop = -speed * dt - contacts.gap[c];
      if (stop > 0) most = Math.max(most, stop / this.surfaces.get(body)!.spacing);
    }
    return Math.min(MOST_STEPS, Math.ceil(most / LONGEST_STOP));
  }

  /** Speed at which a contact opens at the start of a step [m/s]. */
  private speedOf(c: number, body: FemBody): number {
    const { contacts } = this.dynamics.deformables;
    const { state } = this.dynamics.bodies;
    const { geometry } = contacts;
    const at = SOFT_SIZE * c;
    const slot = contacts.slot[c];
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      let v = -geometry[at + 12 + i];
      for (let k = 0; k < 3; k++) v += contacts.weights[3 * c + k] * body.velocities[3 * contacts.nodes[3 * c + k] + i];
      if (slot >= 0) {
        const t = TWIST_SIZE * slot;
        const [j, l] = [(i + 1) % 3, (i + 2) % 3];
        v -= state.velocity[t + i];
        v -= state.velocity[t + 3 + j] * geometry[at + 9 + l] - state.velocity[t + 3 + l] * geometry[at + 9 + j];
      }
      sum += v * geometry[at + i];
    }
    return sum;
  }

  private meetBody(body: RigidBody, h: number): void {
    const { slot } = body.record;
    if (!body.shape || body.options.meets === "rigid") return;
    const { bodies, deformables } = this.dynamics;
    let isTouched = false;
    const { contacts } = deformables;
    contacts.currentSource = body.id;
    contacts.currentPart = 0;
    for (const part of this.partsOf(body, body.shape)) {
      part.slot = slot;
      const met = surfaceOf(body.options, contacts.currentPart);
      if (!isMetBySoft(met)) {
        contacts.currentPart++;
        continue;
      }
      part.friction = met.friction;
      part.frictionCombine = combineModes.indexOf(met.frictionCombine);
      this.pose.set(this.slots.poses.subarray(POSE_SIZE * slot, POSE_SIZE * slot + POSE_SIZE));
      composePose(this.pose, part.primitive, part.poses, 0);
      sweptBounds(part.primitive, part.poses, part.poses, 0, part.bounds, 0);
      deformables.bodies.forEach((soft, index) => {
        const surface = this.surfaces.get(soft)!;
        if (findContacts(bodies, soft, index, surface, part, h, contacts)) isTouched = true;
      });
      contacts.currentPart++;
    }
    this.led.touch(body, isTouched);
    // Deformable bodies do not sleep, and neither do bodies that they touch.
    if (isTouched) this.sleep.wake(slot);
  }

  private partsOf(body: RigidBody, shape: ColliderShape): readonly ObstaclePart[] {
    const known = this.parts.get(body);
    if (known?.shape === shape) return known.parts;
    let primitives = compiledShapes.get(shape);
    if (!primitives) compiledShapes.set(shape, (primitives = compileShape(shape, body.name)));
    const parts = primitives.map((primitive) => ({
      primitive,
      poses: new Float64Array(POSE),
      at: 0,
      slot: -1,
      friction: 0,
      frictionCombine: 0,
      bounds: new Float64Array(6),
    }));
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
    const { still } = this;
    for (let k = 0; k < set.primitiveCount; k++) {
      if (set.isBody[k] === 1 || set.proxyOf[k] >= 0 || set.bounds[6 * k] > set.bounds[6 * k + 3]) continue;
      contacts.currentSource = OBSTACLES + k;
      contacts.currentPart = 0;
      still.primitive = set.primitives[k];
      still.friction = set.friction[k];
      still.frictionCombine = set.frictionCombine[k];
      interpolatePose(set.startPoses, set.endPoses, POSE * k, from, still.poses);
      for (let i = 0; i < 6; i++) still.bounds[i] = set.bounds[6 * k + i];
      const first = contacts.count;
      for (let index = 0; index < deformables.bodies.length; index++) {
        const soft = deformables.bodies[index];
        findContacts(bodies, soft, index, this.surfaces.get(soft)!, still, h, contacts);
      }
      if (set.moving[k] === 1) this.carry(set, k, first, dt);
    }
  }

  /**
   * Sets surface velocities of contacts with a moving obstacle, from the way of the touched point with the obstacle
   * through the whole frame.
   */
  private carry(set: ColliderSet, k: number, first: number, dt: number): void {
    const { contacts, bodies } = this.dynamics.deformables;
    for (let c = first; c < contacts.count; c++) {
      const { positions } = bodies[contacts.body[c]];
      const p = 3 * contacts.nodes[3 * c];
      const at = POSE * k;
      const { startPoses: a, endPoses: b } = set;
      rotateBack(a, at, positions[p] - a[at], positions[p + 1] - a[at + 1], positions[p + 2] - a[at + 2], point, 0);
      rotate(b, at, point[0], point[1], point[2], point, 0);
      for (let i = 0; i < 3; i++)
        contacts.geometry[SOFT_SIZE * c + 12 + i] = (b[at + i] + point[i] - positions[p + i]) / dt;
    }
  }
}
