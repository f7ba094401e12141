import { RigidProxy } from "../../collision/rigid-proxy";
import type { ColliderShape } from "../../collision/shape";
import type { Vec3 } from "../../math/types";
import { cross } from "../../math/vectors";
import type { Collider, ColliderOptions } from "../collider";
import type { RigidBody } from "./rigid-body";
import { Support, type SupportMemory } from "./support";
import { product, turn } from "../../math/quaternions";

/** What the obstacles need of their world. */
export interface ObstacleHost {
  addCollider(shape: ColliderShape, options: ColliderOptions): Collider;
  takeFromProxy(proxy: RigidProxy, wrench: Float64Array, displacement: Float64Array): boolean;
}

interface Obstacle {
  readonly collider: Collider;
  readonly proxy: RigidProxy;
  /** centre of mass before the step [m] */
  before: Vec3;
  readonly support: Support;
}

/** What is known of a rigid body that deformable ones meet, from frame to frame. */
export interface ObstacleMemory {
  readonly proxy: readonly Float64Array[];
  readonly support: SupportMemory;
}

/** Rigid bodies of a world as obstacles of its deformable ones, which push them back. */
export class RigidObstacles {
  private readonly obstacles = new Map<RigidBody, Obstacle>();
  private readonly wrench = new Float64Array(6);
  private readonly displacement = new Float64Array(6);

  constructor(private readonly host: ObstacleHost) {}

  /**
   * Before the step of the rigid bodies: what deformable ones gave them.
   *
   * @param dt of the frame [s]
   */
  feel(bodies: readonly RigidBody[], dt: number): void {
    for (const [body, obstacle] of this.obstacles) {
      if (!bodies.includes(body)) {
        obstacle.collider.dispose();
        this.obstacles.delete(body);
      } else if (this.host.takeFromProxy(obstacle.proxy, this.wrench, this.displacement) && body.motion === "dynamic") {
        this.push(body, obstacle.support, dt);
        obstacle.support.note(this.wrench);
      }
    }
    for (const body of bodies) {
      const isMet = body.shape && body.options.isObstacle && !body.options.isTrigger;
      if (!body.shape || !isMet || this.obstacles.has(body)) continue;
      const proxy = new RigidProxy();
      const { name, position, rotation, friction, shape } = body;
      const { frictionCombine } = body.options;
      const state = { name, position, rotation, friction, frictionCombine, proxy };
      const collider = this.host.addCollider(shape, state);
      const before = body.centreOfMass;
      this.obstacles.set(body, { collider, proxy, before, support: new Support() });
    }
    for (const [body, obstacle] of this.obstacles) obstacle.before = body.centreOfMass;
  }

  /**
   * After it: colliders go where the bodies went, and yield there as the bodies would.
   *
   * @param dt of the frame [s], in so many steps
   * @param gravity [m/s²]
   */
  follow(dt: number, steps: number, gravity: Vec3): void {
    for (const [body, obstacle] of this.obstacles) {
      const { collider, proxy, before } = obstacle;
      collider.setPose(body.position, body.rotation);
      collider.friction = body.friction;
      const now = body.centreOfMass;
      const isDynamic = body.motion === "dynamic";
      const { support } = obstacle;
      if (isDynamic) {
        body.contactWrenchToRef(this.wrench);
        const [x, y, z] = this.wrench as unknown as Vec3;
        support.hear(scaled([x, y, z], steps), scaled(gravity, body.mass * body.gravityFactor * dt));
      }
      proxy.setResponse({
        ...support.response(isDynamic ? 1 / body.mass : 0, isDynamic ? inverseInertia(body) : UNTURNABLE),
        centre: before,
        velocity: [(now[0] - before[0]) / dt, (now[1] - before[1]) / dt, (now[2] - before[2]) / dt],
      });
    }
  }

  /** By the ids of the bodies. */
  save(): ReadonlyMap<number, ObstacleMemory> {
    const entries = [...this.obstacles].map(([{ id }, { proxy, support }]) => {
      return [id, { proxy: proxy.save(), support: support.save() }] as const;
    });
    return new Map(entries);
  }

  /** Colliders are where the bodies were put, without having swept there. */
  place(): void {
    for (const [body, { collider }] of this.obstacles) collider.teleport(body.position, body.rotation);
  }

  /** After `place`. */
  load(memory: ReadonlyMap<number, ObstacleMemory>): void {
    for (const [{ id }, obstacle] of this.obstacles) {
      const known = memory.get(id);
      if (!known) continue;
      obstacle.proxy.load(known.proxy);
      obstacle.support.load(known.support);
    }
  }

  /** What stands for a body among the colliders; undefined while none does. */
  proxyOf(body: RigidBody): RigidProxy | undefined {
    return this.obstacles.get(body)?.proxy;
  }

  /** Nobody is left to meet them. */
  clear(): void {
    for (const { collider } of this.obstacles.values()) collider.dispose();
    this.obstacles.clear();
  }

  /**
   * Moves a body as its collider has yielded, and gives it the impulses: the part that other contacts take up as a force of the next step.
   * As a velocity it would be an impact on what the body stands on, and the body would bounce.
   */
  private push(body: RigidBody, support: Support, dt: number): void {
    const [px, py, pz, tx, ty, tz] = this.wrench as unknown as number[];
    const [dx, dy, dz, rx, ry, rz] = this.displacement as unknown as number[];
    const c = body.centreOfMass;
    const scale = 1 / Math.sqrt(1 + (rx! * rx! + ry! * ry! + rz! * rz!) / 4);
    const rotation = product([(scale * rx!) / 2, (scale * ry!) / 2, (scale * rz!) / 2, scale], body.rotation);
    const arm = turn(rotation, body.massProperties.centreOfMass);
    body.teleport([c[0] + dx! - arm[0], c[1] + dy! - arm[1], c[2] + dz! - arm[2]], rotation);
    const centre = body.centreOfMass;
    const impulse: Vec3 = [px!, py!, pz!];
    const about = cross(centre, impulse);
    const angular: Vec3 = [tx! - about[0], ty! - about[1], tz! - about[2]];
    const [x, y, z] = support.yielding(impulse);
    body.applyImpulse([x, y, z]);
    body.applyAngularImpulse(scaled(angular, support.turning));
    body.applyForce(scaled([px! - x, py! - y, pz! - z], 1 / dt));
    body.applyTorque(scaled(angular, (1 - support.turning) / dt));
  }
}

const UNTURNABLE = [0, 0, 0, 0, 0, 0];

const scaled = (v: Vec3, factor: number): Vec3 => [factor * v[0], factor * v[1], factor * v[2]];

/** xx, yy, zz, xy, xz, yz in world axes [1/(kg m²)]: Σ aₖ aₖᵀ / Iₖ over the principal axes; an infinite moment is 0. */
function inverseInertia(body: RigidBody): number[] {
  const { inertia, inertiaRotation } = body.massProperties;
  const axes = product(body.rotation, inertiaRotation);
  const out = [0, 0, 0, 0, 0, 0];
  for (let k = 0; k < 3; k++) {
    if (!(inertia[k]! > 0)) continue;
    const [x, y, z] = turn(axes, [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0]);
    [x * x, y * y, z * z, x * y, x * z, y * z].forEach((value, i) => (out[i]! += value / inertia[k]!));
  }
  return out;
}
