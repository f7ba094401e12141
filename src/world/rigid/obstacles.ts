import { RigidProxy } from "../../collision/rigid-proxy";
import type { ColliderShape } from "../../collision/shape";
import type { Vec3 } from "../../math/types";
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
}

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
      } else if (this.host.takeFromProxy(obstacle.proxy, this.wrench, this.displacement) && body.motion === "dynamic")
        this.push(body);
    }
    for (const body of bodies) {
      const isMet = body.shape && body.options.isObstacle && !body.options.isTrigger;
      if (!body.shape || !isMet || this.obstacles.has(body)) continue;
      const proxy = new RigidProxy();
      const { name, position, rotation, friction, shape } = body;
      const collider = this.host.addCollider(shape, { name, position, rotation, friction, proxy });
      this.obstacles.set(body, { collider, proxy, before: body.centreOfMass });
    }
    for (const [body, obstacle] of this.obstacles) obstacle.before = body.centreOfMass;
  }

  /** After it: colliders go where the bodies went, and yield there as the bodies would. */
  follow(dt: number): void {
    for (const [body, { collider, proxy, before }] of this.obstacles) {
      collider.setPose(body.position, body.rotation);
      collider.friction = body.friction;
      const now = body.centreOfMass;
      const isDynamic = body.motion === "dynamic";
      proxy.setResponse({
        inverseMass: isDynamic ? 1 / body.mass : 0,
        inverseInertia: isDynamic ? inverseInertia(body) : [0, 0, 0, 0, 0, 0],
        centre: before,
        velocity: [(now[0] - before[0]) / dt, (now[1] - before[1]) / dt, (now[2] - before[2]) / dt],
      });
    }
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
