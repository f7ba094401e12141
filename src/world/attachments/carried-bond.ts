import { turn } from "../../math/quaternions";
import type { Vec3 } from "../../math/types";
import { norm, subtract } from "../../math/vectors";
import type { Carried } from "../../solvers/gpbd/carried";
import type { RigidBody } from "../rigid/rigid-body";
import type { Bond, BondHost } from "./bond";
import { knownVelocities, placeOf, plus } from "./places";
import { carryPoints } from "./point-masses";

/**
 * Vertices of a body of GPBD on a rigid body or a link: the rigid body carries them, see solvers/gpbd/carried.ts. A
 * dynamic body takes over their mass.
 */
export class CarriedBond implements Bond {
  private readonly stop: () => void;
  /** places of the vertices that are attached */
  private held: readonly number[] = [];
  /** velocities of the vertices before the step [m/s] */
  private readonly before = new Float64Array(3 * this.host.vertices.length);

  constructor(
    private readonly host: BondHost,
    private readonly rigid: RigidBody,
  ) {
    this.stop = host.world.onRigidStep.add(() => this.place());
    this.refresh();
  }

  part(): void {
    this.aim();
  }

  prepare(): void {
    // `unpin` of all particles lets go of those that are attached, too.
    this.take(this.held.filter((k) => !this.host.body.isPinned(this.host.vertices[k])));
    const v = knownVelocities(this.host.body);
    this.host.vertices.forEach((vertex, k) => {
      for (let c = 0; c < 3; c++) this.before[3 * k + c] = v?.[3 * vertex + c] ?? 0;
    });
  }

  /** The impulse on a vertex: what changed its momentum, without its weight and what its own body gave it. */
  read(forces: Float64Array, dt: number): void {
    forces.fill(0);
    const { body, vertices, world } = this.host;
    const { carried } = body.stepper as { readonly carried?: Carried };
    const v = knownVelocities(body);
    if (!carried || !v) return;
    for (const k of this.held) {
      const at = carried.particles.indexOf(vertices[k]);
      if (at < 0) continue;
      const mass = body.model.masses[vertices[k]];
      const change = [0, 1, 2].map((c) => {
        const fall = dt * body.options.gravityFactor * world.gravity[c];
        return mass * (v[3 * vertices[k] + c] - this.before[3 * k + c] - fall) - carried.given[3 * at + c];
      });
      forces[k] = norm(change as unknown as Vec3) / dt;
    }
  }

  refresh(): void {
    const { body, vertices, isOff, world } = this.host;
    const held = vertices.map((_, k) => k).filter((k) => isOff[k] === 0);
    const gone = this.held.filter((k) => isOff[k] === 1).map((k) => vertices[k]);
    if (gone.length > 0) body.unpin(gone);
    this.take(held.filter((k) => !this.held.includes(k)));
    this.weigh(held);
    this.held = held;
    if (held.length === 0) world.rigidObstacles.release(this.rigid, this);
    this.aim();
  }

  dispose(): void {
    const { body, vertices, world } = this.host;
    this.stop();
    if (!body.isDisposed) body.unpin(this.held.map((k) => vertices[k]));
    this.held = [];
    if (!this.rigid.isDisposed) this.weigh([]);
    world.rigidObstacles.release(this.rigid, this);
  }

  /** Lets the rigid body carry vertices, by their places among the attached ones. */
  private take(places: readonly number[]): void {
    if (places.length === 0) return;
    const { body, vertices, world } = this.host;
    const taken = places.map((k) => vertices[k]);
    body.pin(taken);
    body.carry(taken, world.rigidObstacles.keep(this.rigid, this));
  }

  private weigh(held: readonly number[]): void {
    const { body, vertices } = this.host;
    const v = knownVelocities(body);
    const isMore = held.length > this.held.length;
    carryPoints(
      this.rigid,
      this,
      held.map((k) => ({ mass: body.model.masses[vertices[k]], point: this.host.ways.points[k] })),
      isMore && v ? held.map((k): Vec3 => [0, 1, 2].map((c) => v[3 * vertices[k] + c]!) as unknown as Vec3) : undefined,
    );
  }

  /** Between the step of the rigid bodies and that of the particles. */
  private place(): void {
    const { body, vertices, world, ways } = this.host;
    // The carrier sleeps, too.
    if (body.isAsleep) return;
    const rotation = world.rigidObstacles.rotationBefore(this.rigid);
    const { centerOfMass } = this.rigid.massProperties;
    for (const k of this.held)
      body.pins.setArm(vertices[k], turn(rotation, subtract(ways.points[k], centerOfMass)), ways.away[k]);
    this.aim();
  }

  private aim(): void {
    const { body, vertices, ways } = this.host;
    for (const k of this.held)
      body.setPinTarget(vertices[k], ...plus(placeOf(this.rigid, ways.points[k]), ways.away[k]));
  }
}
