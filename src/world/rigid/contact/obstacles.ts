import type { ColliderOptions, ColliderSet } from "../../../collision/obstacles/collider-set";
import type { CombineMode } from "../../../collision/obstacles/combine";
import { POSE, writePose } from "../../../collision/shape/pose";
import { type ProxyIsland, RigidProxy } from "../../../collision/obstacles/rigid-proxy";
import type { ColliderShape, ContainerChild } from "../../../collision/shape/shape";
import { conjugate, product, rotationVector, turn } from "../../../math/quaternions";
import type { Quat, Vec3 } from "../../../math/types";
import { dot, subtract } from "../../../math/vectors";
import type { Collider, ColliderPoses } from "../../collider";
import { type BodySurface, isMetBySoft, type ResolvedBodyOptions, surfaceOf } from "../body-options";
import type { Systems } from "../../backend/systems";
import type { RigidBody } from "../rigid-body";
import type { RigidWorld } from "../rigid-world";
import type { Push } from "./leader";
import { displace, pushOf, scaled, type Six } from "./push";
import { Support, type SupportedResponse, type SupportMemory } from "./support";

/** The parts of the world that the obstacles use. */
export interface ObstacleHost {
  readonly rigid: RigidWorld;
  readonly colliderSet: ColliderSet;
  readonly systems: Systems;
  readonly backend: string;
  addCollider(shape: ColliderShape, options: ColliderOptions): Collider;
  takeFromProxy(proxy: RigidProxy, wrench: Float64Array, displacement: Float64Array): boolean;
}

/** Frames after a push for which a body answers with those that it touches. */
const PUSHED_FOR = 4;

interface Obstacle {
  readonly proxy: RigidProxy;
  readonly support: Support;
  /** objects for which the body carries something, so that it needs a proxy even without a shape */
  readonly owners: Set<object>;
  colliders: readonly Collider[];
  /** revision of the body when its colliders were made, and the leaves of its shape in each of them */
  revision: number;
  shape: ColliderShape | undefined;
  layout: string;
  /** before the step: center of mass [m], rotation, velocity [m/s], spin [rad/s] */
  centre: Vec3;
  rotation: Quat;
  velocity: Vec3;
  spin: Vec3;
  /** what its other contacts gave it in the step [N s], and did in the last part of it [N] */
  readonly heard: Float64Array;
  /** pose of the colliders */
  readonly place: Float64Array;
}

/** The state of a rigid body as an obstacle between frames. */
export interface ObstacleMemory {
  /** id of the rigid body */
  readonly id: number;
  readonly proxy: readonly Float64Array[];
  readonly support: SupportMemory;
  /** of its colliders, which differ by rounding from that of the body after it was pushed */
  readonly poses: readonly ColliderPoses[];
  /** of the body when its colliders were last put there */
  readonly place: Float64Array;
}

/** Rigid bodies of a world as obstacles of its deformable bodies, which push them back. */
export class RigidObstacles {
  private readonly obstacles = new Map<RigidBody, Obstacle>();
  private readonly wrench = new Float64Array(6);
  private readonly displacement = new Float64Array(6);
  /** length of the last part of the step [s] */
  private part = 0;

  constructor(private readonly host: ObstacleHost) {}

  /** Gives dynamic bodies, and the leaders of others, the pushes of deformable bodies that are known by now. @param dt of the frame [s] */
  take(dt: number): void {
    if (this.obstacles.size === 0) return;
    const { wrench, displacement } = this;
    const { rigid, colliderSet } = this.host;
    for (const island of colliderSet.islands) island.settle?.();
    for (const [body, { proxy, support, place }] of this.obstacles) {
      if (body.isDisposed || body.record.rests) continue;
      const { leader } = body.options;
      if (body.motion !== "dynamic" && !leader) continue;
      const { drive } = proxy;
      if (!this.host.takeFromProxy(proxy, wrench, displacement)) continue;
      // A deformable body that turned non-finite will be frozen, and must not affect other bodies.
      if (!wrench.every(Number.isFinite) || !displacement.every(Number.isFinite)) continue;
      const wasThere = isAt(body, place);
      if (!leader) rigid.shortenWay(body, displacement);
      if (!leader || displacement.some((value) => value !== 0)) displace(body, displacement);
      if (wasThere) writePose(place, body.position, body.rotation);
      if (leader) {
        rigid.led.feel(body, wrench, displacement);
        continue;
      }
      if (proxy.isReleased) support.release(proxy.support);
      push(body, pushOf(support, proxy.isReleased ? 1 : support.turning, wrench, displacement), dt, drive);
      support.note(wrench);
    }
  }

  /**
   * Before the step of the rigid bodies: applies the pushes of deformable bodies, and updates the list of obstacles.
   *
   * @param dt of the frame [s]
   */
  begin(bodies: readonly RigidBody[], dt: number): void {
    for (const [body, obstacle] of this.obstacles) if (body.isDisposed) this.remove(body, obstacle);
    this.take(dt);
    this.host.rigid.led.begin(dt);
    this.meet(bodies);
    for (const [body, obstacle] of this.obstacles) {
      if (!isAt(body, obstacle.place)) this.jump(body, obstacle);
      obstacle.centre = body.centerOfMass;
      obstacle.rotation = body.rotation;
      obstacle.velocity = body.linearVelocity;
      obstacle.spin = body.angularVelocity;
      obstacle.heard.fill(0);
    }
  }

  /** Makes obstacles of bodies that are new, and new colliders for those that have changed. */
  meet(bodies: readonly RigidBody[]): void {
    for (const body of bodies) {
      let obstacle = this.obstacles.get(body);
      if (!obstacle && body.options.meets !== "rigid" && body.shape) obstacle = this.add(body);
      if (obstacle && obstacle.revision !== body.revision) this.collide(body, obstacle);
    }
  }

  /**
   * Called after each part of the step, which took `part` seconds. The impulses of other contacts on the bodies show whether these contacts
   * hold them: the last part for a body that comes to rest in the step, the mean of all parts for a body that rocks.
   */
  hear(part: number): void {
    this.part = part;
    for (const [body, { heard }] of this.obstacles) {
      if (body.isDisposed || body.motion !== "dynamic") continue;
      body.contactWrenchToRef(this.wrench);
      for (let c = 0; c < 3; c++) {
        heard[c] += this.wrench[c];
        heard[3 + c] = this.wrench[c] / part;
      }
    }
  }

  /**
   * After the step of the rigid bodies: moves colliders to the places of the bodies, and lets them yield as the bodies
   * would.
   *
   * @param dt time of the frame [s]
   * @param gravity [m/s²]
   */
  follow(dt: number, gravity: Vec3): void {
    this.connect(dt);
    for (const [body, obstacle] of this.obstacles) {
      const { colliders, place, owners, proxy } = obstacle;
      if (!isAt(body, place)) {
        for (const collider of colliders) collider.setPose(body.position, body.rotation);
        writePose(place, body.position, body.rotation);
      }
      // Contacts displaced it at the end of its last frame, and it stays there. Their push comes again when it wakes.
      const rests = body.record.rests === true;
      if (rests && !proxy.rests) {
        this.jump(body, obstacle);
        proxy.setResponse({ ...UNMOVED, centre: body.centerOfMass, velocity: STILL });
      }
      proxy.rests = rests;
      if (!rests && (isPushed(body) || owners.size > 0)) this.answer(body, obstacle, dt, gravity);
    }
    const { rigid, colliderSet } = this.host;
    colliderSet.supply = rigid.supplyOf?.(rigid, (body) => this.obstacles.get(body), dt) ?? Infinity;
  }

  /** Bodies that carry particles, or that bodies of GPBD push, answer together with those that they touch or are joined to. */
  private connect(dt: number): void {
    const { rigid, colliderSet } = this.host;
    const onGpu = this.host.backend === "webgpu";
    for (const { proxy } of this.obstacles.values()) {
      proxy.seat = undefined;
      proxy.borne = 0;
    }
    const answersAlone = (proxy: RigidProxy): boolean =>
      proxy.carried === 0 && (rigid.supplyOf !== undefined || proxy.quiet > PUSHED_FOR);
    const movers = [...this.obstacles].filter(([body, { proxy }]) => body.motion === "dynamic" && !answersAlone(proxy));
    const proxyOf = (slot: number): RigidProxy => {
      const body = rigid.bodies[slot];
      return (this.obstacles.get(body) ?? this.add(body)).proxy;
    };
    const slots = movers.map(([{ record }]) => record.slot);
    const islands = rigid.answeringIslands(slots, proxyOf, this.part, dt);
    // A body that others push and that touches what is fixed has a support. A GPU knows single bodies only.
    colliderSet.islands = islands.filter(({ proxies, stands }) => {
      const carries = proxies.some(({ carried }) => carried > 0);
      return proxies.length > 1 ? !onGpu || carries || !stands : carries && !onGpu;
    });
    // Bodies of GPBD that hold others, bear stacks or links, or have things between their vertices and the ground, come to the CPU.
    const { lanes, coarsest } = this.host.systems;
    const stacked = movers.flatMap(([body, { proxy }]) => (isIn(colliderSet.islands, proxy) ? [body] : []));
    const linkages = rigid.linkages.filter(({ bodies }) => !onGpu || bodies.some((body) => this.yields(body)));
    if (onGpu) stacked.push(...rigid.linkages.flatMap(({ bodies }) => bodies));
    const isSmall = ({ motion, record }: RigidBody): boolean =>
      motion === "dynamic" && record.rests !== true && (record.compiled?.reach ?? coarsest) < coarsest;
    const small = coarsest > 0 ? [...this.obstacles.keys()].filter(isSmall) : [];
    if (onGpu && stacked.length + small.length > 0 && !lanes)
      void import("../../backend/host-lanes").then(({ joinLanes }) => joinLanes(this.host.systems));
    if (lanes) lanes.pressing = { stacked, small, obstacles: colliderSet };
    for (const island of colliderSet.islands) {
      const carrying = island.proxies.filter(({ carried }) => carried > 0).length;
      island.proxies.forEach((proxy, place) => {
        proxy.seat = { island, place };
        proxy.borne = carrying > 0 ? island.mass / carrying : 0;
        colliderSet.keep(proxy, true);
      });
    }
    const linked = linkages.flatMap((linkage) => linkage.joinLinks((body) => this.pushedProxyOf(body)) ?? []);
    const free = (slot: number): RigidProxy | undefined => {
      const proxy = this.pushedProxyOf(rigid.bodies[slot]);
      return proxy?.seat ? undefined : proxy;
    };
    for (const island of [...linked, ...(onGpu ? [] : rigid.jointedIslands(free))]) {
      colliderSet.islands = [...colliderSet.islands, island];
      island.proxies.forEach((proxy, place) => (proxy.seat = { island, place }));
    }
  }

  /** Whether deformable bodies have pushed a link of late that its joints let go. */
  private yields(body: RigidBody): boolean {
    const quiet = this.obstacles.get(body)?.proxy.quiet ?? Infinity;
    return quiet <= PUSHED_FOR && this.host.rigid.led.responseOf(body) !== undefined;
  }

  /** The proxy of a body that deformable ones meet or pull at. */
  private pushedProxyOf(body: RigidBody): RigidProxy | undefined {
    const obstacle = this.obstacles.get(body);
    return obstacle && obstacle.colliders.length + obstacle.owners.size > 0 ? obstacle.proxy : undefined;
  }

  /** Sets the response of a body to deformable bodies that meet it on its way. */
  private answer(body: RigidBody, obstacle: Obstacle, dt: number, gravity: Vec3): void {
    const { proxy, centre, rotation, owners } = obstacle;
    const isDynamic = body.motion === "dynamic";
    const response = isDynamic ? this.ownResponse(body, obstacle, dt, gravity) : this.host.rigid.led.responseOf(body);
    const velocity = scaled(subtract(body.centerOfMass, centre), 1 / dt);
    const { inverseMass, inverseInertia, free, support = STILL, mobility, turning, blocked } = response ?? UNMOVED;
    const spin = spinBetween(rotation, body.rotation, dt);
    const isFalling = (owners.size > 0 || hasContacts(proxy) || proxy.quiet <= PUSHED_FOR) && isDynamic;
    const course = isFalling ? fallOf(body, obstacle.velocity, velocity, scaled(gravity, body.gravityFactor), dt) : {};
    const { endVelocity, endSpin } = isDynamic
      ? { endVelocity: body.linearVelocity, endSpin: body.angularVelocity }
      : this.host.rigid.led.endOf(body);
    proxy.setResponse({
      ...{ inverseMass, inverseInertia, free, support, mobility, turning, blocked },
      ...{ centre, velocity, spin, endVelocity, endSpin, ...course },
      ...body.options.leader?.course?.(obstacle, dt),
    });
  }

  private ownResponse(
    body: RigidBody,
    { support, heard, proxy }: Obstacle,
    dt: number,
    gravity: Vec3,
  ): SupportedResponse {
    const [x, y, z, fx, fy, fz] = heard as unknown as Six;
    if (hasContacts(proxy)) support.forget();
    else support.hear([x, y, z], scaled(gravity, body.mass * body.gravityFactor * dt), [dt * fx, dt * fy, dt * fz]);
    return support.response(1 / body.mass, inverseInertia(body));
  }

  /** The states of obstacles, by the ids of their bodies. */
  save(): readonly ObstacleMemory[] {
    return [...this.obstacles].map(([{ id }, { proxy, support, colliders, place }]) => ({
      id,
      proxy: proxy.save(),
      support: support.save(),
      poses: colliders.map((collider) => collider._poses),
      place: place.slice(),
    }));
  }

  /** Moves colliders to the places of the bodies, without a sweep. */
  place(): void {
    for (const [body, obstacle] of this.obstacles) if (!body.isDisposed) this.jump(body, obstacle);
  }

  /** Call it after `place`. */
  load(memory: readonly ObstacleMemory[]): void {
    const byId = new Map(memory.map((own) => [own.id, own]));
    for (const [{ id }, obstacle] of this.obstacles) {
      const known = byId.get(id);
      if (!known) continue;
      obstacle.proxy.load(known.proxy);
      obstacle.support.load(known.support);
      obstacle.colliders.forEach((collider, k) => collider._load(known.poses[k]));
      obstacle.place.set(known.place);
    }
  }

  /** The proxy of a body among the colliders; undefined while it has none. */
  proxyOf(body: RigidBody): RigidProxy | undefined {
    return this.obstacles.get(body)?.proxy;
  }

  /** The rotation of a body before the step. */
  rotationBefore(body: RigidBody): Quat {
    return this.obstacles.get(body)?.rotation ?? body.rotation;
  }

  /** Keeps a body among the colliders for an owner, even if it has no shape: deformable bodies pull at it. */
  keep(body: RigidBody, owner: object): RigidProxy {
    const { owners, proxy } = this.obstacles.get(body) ?? this.add(body);
    owners.add(owner);
    this.host.colliderSet.keep(proxy, true);
    return proxy;
  }

  /** Releases a body that an owner kept. */
  release(body: RigidBody, owner: object): void {
    const obstacle = this.obstacles.get(body);
    if (!obstacle?.owners.delete(owner) || obstacle.owners.size > 0) return;
    this.host.colliderSet.keep(obstacle.proxy, false);
  }

  /** The number of colliders. */
  get colliderCount(): number {
    return [...this.obstacles.values()].reduce((sum, { colliders }) => sum + colliders.length, 0);
  }

  /** Removes all obstacles, when there are no deformable bodies left that could meet them. */
  clear(): void {
    if (this.obstacles.size === 0) return;
    for (const [body, obstacle] of this.obstacles) this.remove(body, obstacle);
  }

  private add(body: RigidBody): Obstacle {
    const obstacle: Obstacle = {
      proxy: new RigidProxy(),
      support: this.host.rigid.led.supportOf(body) ?? new Support(),
      owners: new Set(),
      colliders: [],
      revision: -1,
      shape: undefined,
      layout: "",
      centre: body.centerOfMass,
      rotation: body.rotation,
      velocity: body.linearVelocity,
      spin: body.angularVelocity,
      heard: new Float64Array(6),
      place: new Float64Array(POSE),
    };
    this.obstacles.set(body, obstacle);
    body.record.held = obstacle.proxy.held;
    return obstacle;
  }

  private remove(body: RigidBody, { colliders, proxy }: Obstacle): void {
    for (const collider of colliders) collider.dispose();
    this.host.colliderSet.keep(proxy, false);
    this.obstacles.delete(body);
  }

  /** Makes colliders of the present shape of a body; if only its surface has changed, the colliders stay. */
  private collide(body: RigidBody, obstacle: Obstacle): void {
    const { name, position, rotation, shape } = body;
    const owner = obstacle.proxy;
    const proxy = isPushed(body) ? owner : undefined;
    const parts = body.options.meets === "rigid" ? [] : metParts(body.options);
    const layout = parts.map(({ leaves }) => leaves.join()).join(" ");
    if (shape === obstacle.shape && layout === obstacle.layout)
      obstacle.colliders.forEach((collider, k) => {
        const { friction, frictionCombine } = parts[k];
        Object.assign(collider, { friction, frictionCombine, proxy });
      });
    else {
      for (const collider of obstacle.colliders) collider.dispose();
      obstacle.colliders = parts.map(({ shape: part, friction, frictionCombine }) =>
        this.host.addCollider(part, { name, position, rotation, friction, frictionCombine, proxy, owner }),
      );
      writePose(obstacle.place, position, rotation);
    }
    Object.assign(obstacle, { shape, layout, revision: body.revision });
  }

  private jump(body: RigidBody, { colliders, place }: Obstacle): void {
    for (const collider of colliders) collider.teleport(body.position, body.rotation);
    writePose(place, body.position, body.rotation);
  }
}

/** Whether a body answers with the contacts of its island. */
const hasContacts = ({ seat }: RigidProxy): boolean => seat !== undefined && !seat.island.answer;

/** Whether pushes of deformable bodies affect a body or its leader. */
const isPushed = ({ motion, options }: RigidBody): boolean => motion === "dynamic" || options.leader !== undefined;

/**
 * Applies a push to a body: the part that other contacts take up becomes a force in the next step.
 *
 * @param drive see `RigidProxy.drive` [J]
 */
function push(body: RigidBody, { impulse, angularImpulse, held, angularHeld }: Push, dt: number, drive: number): void {
  body.record.held?.set([...held, ...angularHeld, drive, dt]);
  body.applyImpulse(impulse);
  body.applyAngularImpulse(angularImpulse);
  body.applyForce(scaled(held, 1 / dt));
  body.applyTorque(scaled(angularHeld, 1 / dt));
}

/**
 * The part of gravity's acceleration that a body made in a step: all of it in free flight, none of it for a body that
 * stands. A load on a body falls substep by substep, so the body has to fall in the same way.
 *
 * @param before velocity of the body before the step [m/s]
 * @param mean velocity of the step [m/s]
 * @param pull acceleration by gravity [m/s²]
 */
function fallOf(
  body: RigidBody,
  before: Vec3,
  mean: Vec3,
  pull: Vec3,
  dt: number,
): { acceleration: Vec3; drift: Vec3 } {
  const whole = dot(pull, pull) * dt;
  const share = (to: Vec3): number =>
    whole > 0 ? Math.min(1, Math.max(0, dot(subtract(to, before), pull) / whole)) : 0;
  return { acceleration: scaled(pull, share(body.linearVelocity)), drift: scaled(pull, -share(mean) * dt) };
}

interface MetPart {
  readonly shape: ColliderShape;
  readonly leaves: readonly number[];
  readonly friction: number;
  readonly frictionCombine: CombineMode;
}

/** The shape of a body in as far as deformable bodies meet it, in parts of one friction each. */
function metParts(options: ResolvedBodyOptions): MetPart[] {
  const { shape: whole, surfaces, friction, frictionCombine } = options;
  if (!whole) return [];
  if (!surfaces) return isMetBySoft(options) ? [{ shape: whole, leaves: [0], friction, frictionCombine }] : [];
  const groups = new Map<string, { surface: BodySurface; children: ContainerChild[]; leaves: number[] }>();
  let count = 0;
  const collect = (shape: ColliderShape, wrap: (part: ColliderShape) => ColliderShape): void => {
    if (shape.type === "container") {
      for (const child of shape.children)
        collect(child.shape, (part) => wrap({ type: "container", children: [{ ...child, shape: part }] }));
      return;
    }
    const leaf = count++;
    const surface = surfaceOf(options, leaf);
    if (!isMetBySoft(surface)) return;
    const key = `${surface.friction} ${surface.frictionCombine}`;
    const group = groups.get(key) ?? { surface, children: [], leaves: [] };
    group.children.push({ shape: wrap(shape) });
    group.leaves.push(leaf);
    groups.set(key, group);
  };
  collect(whole, (part) => part);
  return [...groups.values()].map(({ surface, children, leaves }) => ({
    shape: { type: "container", children },
    leaves,
    friction: surface.friction,
    frictionCombine: surface.frictionCombine,
  }));
}

function isAt(body: RigidBody, place: Float64Array): boolean {
  const { position, rotation } = body;
  return position.every((value, c) => value === place[c]) && rotation.every((value, c) => value === place[3 + c]);
}

/** Angular velocity that turns a body from one rotation to another in dt [s]. */
function spinBetween(from: Quat, to: Quat, dt: number): Vec3 {
  if (from.every((value, i) => value === to[i])) return STILL;
  return scaled(rotationVector(product(to, conjugate(from))), 1 / dt);
}

const isIn = (islands: readonly ProxyIsland[], proxy: RigidProxy): boolean =>
  islands.some(({ proxies }) => proxies.includes(proxy));

const STILL: Vec3 = [0, 0, 0];
const UNMOVED: SupportedResponse = { inverseMass: 0, inverseInertia: [0, 0, 0, 0, 0, 0] };

/**
 * Inverse inertia xx, yy, zz, xy, xz, yz in world axes [1/(kg m²)]: Σ aₖ aₖᵀ / Iₖ over the principal axes; 0 for an
 * infinite moment.
 */
function inverseInertia(body: RigidBody): number[] {
  const { inertia, inertiaRotation } = body.massProperties;
  const axes = product(body.rotation, inertiaRotation);
  const out = [0, 0, 0, 0, 0, 0];
  for (let k = 0; k < 3; k++) {
    if (!(inertia[k] > 0)) continue;
    const [x, y, z] = turn(axes, [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0]);
    [x * x, y * y, z * z, x * y, x * z, y * z].forEach((value, i) => (out[i] += value / inertia[k]));
  }
  return out;
}
