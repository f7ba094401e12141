import { RigidProxy } from "../../collision/rigid-proxy";
import type { ColliderShape } from "../../collision/shape";
import type { Vec3 } from "../../math/types";
import { dot } from "../../math/vectors";
import type { Collider, ColliderOptions } from "../collider";
import type { RigidBody } from "./rigid-body";
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
  /** what deformable bodies gave it when it last was told [N s], and how many frames ago that was */
  given: Vec3;
  age: number;
  /** which part of that other contacts take up, 0 to 1 */
  support: number;
}

/** What is known of a rigid body that deformable ones meet, from frame to frame. */
export interface ObstacleMemory {
  readonly proxy: readonly Float64Array[];
  readonly given: Vec3;
  readonly age: number;
  readonly support: number;
}

/** Frames after which it no longer counts what a body has leant on. */
const FORGOTTEN = 8;

/** Rigid bodies of a world as obstacles of its deformable ones, which push them back. */
export class RigidObstacles {
  private readonly obstacles = new Map<RigidBody, Obstacle>();
  private readonly wrench = new Float64Array(6);
  private readonly displacement = new Float64Array(6);

  constructor(private readonly host: ObstacleHost) {}

  /** Before the step of the rigid bodies: what deformable ones gave them. */
  feel(bodies: readonly RigidBody[]): void {
    for (const [body, obstacle] of this.obstacles) {
      if (!bodies.includes(body)) {
        obstacle.collider.dispose();
        this.obstacles.delete(body);
      } else if (this.host.takeFromProxy(obstacle.proxy, this.wrench, this.displacement) && body.motion === "dynamic") {
        this.push(body);
        obstacle.given = [this.wrench[0]!, this.wrench[1]!, this.wrench[2]!];
        obstacle.age = 0;
      } else obstacle.age++;
    }
    for (const body of bodies) {
      const isMet = body.shape && body.options.isObstacle && !body.options.isTrigger;
      if (!body.shape || !isMet || this.obstacles.has(body)) continue;
      const proxy = new RigidProxy();
      const { name, position, rotation, friction, shape } = body;
      const collider = this.host.addCollider(shape, { name, position, rotation, friction, proxy });
      const before = body.centreOfMass;
      this.obstacles.set(body, { collider, proxy, before, given: [0, 0, 0], age: FORGOTTEN, support: 0 });
    }
    for (const [body, obstacle] of this.obstacles) obstacle.before = body.centreOfMass;
  }

  /**
   * After it: colliders go where the bodies went, and yield there as the bodies would. A body that stands on something yields only by
   * what that does not take up: as if it were free it would give way until its ground is heard of, a frame later or more, and be
   * thrown back.
   *
   * @param dt of the frame [s], in so many steps
   */
  follow(dt: number, steps: number): void {
    for (const [body, obstacle] of this.obstacles) {
      const { collider, proxy, before } = obstacle;
      collider.setPose(body.position, body.rotation);
      collider.friction = body.friction;
      const now = body.centreOfMass;
      const isDynamic = body.motion === "dynamic";
      if (obstacle.age === 0) obstacle.support = this.supportOf(body, obstacle.given, steps);
      const share = isDynamic ? (obstacle.age < FORGOTTEN ? 1 - obstacle.support : 1) : 0;
      proxy.setResponse({
        inverseMass: share === 0 ? 0 : share / body.mass,
        inverseInertia: share === 0 ? [0, 0, 0, 0, 0, 0] : inverseInertia(body).map((value) => share * value),
        centre: before,
        velocity: [(now[0] - before[0]) / dt, (now[1] - before[1]) / dt, (now[2] - before[2]) / dt],
      });
    }
  }

  /** Which part of an impulse [N s] contacts with other rigid bodies took up in the step. */
  private supportOf(body: RigidBody, given: Vec3, steps: number): number {
    const size = dot(given, given);
    if (!(size > 0)) return 0;
    body.contactWrenchToRef(this.wrench);
    const [x, y, z] = this.wrench as unknown as Vec3;
    return Math.min(1, Math.max(0, (-steps * dot([x, y, z], given)) / size));
  }

  /** By the ids of the bodies. */
  save(): ReadonlyMap<number, ObstacleMemory> {
    const entries = [...this.obstacles].map(([{ id }, { proxy, given, age, support }]) => {
      return [id, { proxy: proxy.save(), given, age, support }] as const;
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
      const { proxy, ...rest } = known;
      obstacle.proxy.load(proxy);
      Object.assign(obstacle, rest);
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

  /** Moves a body as its collider has yielded, and gives it the impulses. */
  private push(body: RigidBody): void {
    const [px, py, pz, tx, ty, tz] = this.wrench as unknown as number[];
    const [dx, dy, dz, rx, ry, rz] = this.displacement as unknown as number[];
    const c = body.centreOfMass;
    const scale = 1 / Math.sqrt(1 + (rx! * rx! + ry! * ry! + rz! * rz!) / 4);
    const rotation = product([(scale * rx!) / 2, (scale * ry!) / 2, (scale * rz!) / 2, scale], body.rotation);
    const arm = turn(rotation, body.massProperties.centreOfMass);
    body.teleport([c[0] + dx! - arm[0], c[1] + dy! - arm[1], c[2] + dz! - arm[2]], rotation);
    const centre = body.centreOfMass;
    body.applyImpulse([px!, py!, pz!]);
    body.applyAngularImpulse([
      tx! - (centre[1] * pz! - centre[2] * py!),
      ty! - (centre[2] * px! - centre[0] * pz!),
      tz! - (centre[0] * py! - centre[1] * px!),
    ]);
  }
}

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
