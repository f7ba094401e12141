import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { checkFinite } from "../../src/checks";
import type { DeformableBody } from "../../src/index";
import { notNegative } from "../../src/world/rigid/checks";
import type { ClothPlugin } from "../cloth-plugin";
import { requireFiniteVector } from "../geometry/convert";

/** A force that acts in the next frame [N], and where. */
interface Force {
  readonly force: Vector3;
  readonly location: Vector3 | undefined;
}

/** The impulse of a blast goes down with the distance in this way, as `PhysicsRadialImpulseFalloff` of Babylon. */
export type BlastFalloff = "constant" | "linear";

/**
 * Methods that set a deformable body in motion, as those of `PhysicsBody` do: its vertices that nothing holds get the motion of a rigid
 * body of their mass, and the body deforms in the steps that follow. They wake the body. With solvers `local-global` and `newton` on a
 * GPU the next step waits until the state of the body has been read.
 */
export abstract class PushMethods {
  abstract readonly body: DeformableBody;
  /** @internal */
  abstract readonly plugin: ClothPlugin;
  protected abstract readonly name: string;
  private forces: Force[] = [];

  protected abstract check(): void;

  /**
   * @param impulse kg times units of the scene a second (N s)
   * @param location where it acts, world space; default the center of mass
   * @throws PliantError `non-finite`, `disposed`
   */
  applyImpulse(impulse: Vector3, location?: Vector3): void {
    this.require("applyImpulse", impulse, location);
    const { frame } = this.plugin;
    this.body.push({ impulse: frame.offset(impulse), point: location && frame.point(location) });
  }

  /**
   * Applies a force during the next frame; call it every frame for a lasting force.
   *
   * @param force kg times units of the scene a second² (N)
   * @param location where it acts, world space; default the center of mass
   * @throws PliantError `non-finite`, `disposed`
   */
  applyForce(force: Vector3, location?: Vector3): void {
    this.require("applyForce", force, location);
    this.body.wake();
    this.forces.push({ force: force.clone(), location: location?.clone() });
  }

  /**
   * @param angularImpulse kg times units² of the scene a second (N m s), world axes
   * @throws PliantError `non-finite`, `disposed`
   */
  applyAngularImpulse(angularImpulse: Vector3): void {
    this.require("applyAngularImpulse", angularImpulse);
    this.body.push({ angularImpulse: this.plugin.frame.moment(angularImpulse) });
  }

  /**
   * Pushes each vertex away from a point, as an explosion does.
   *
   * @param origin world space
   * @param radius units of the scene; vertices further away feel nothing
   * @param strength impulse on a body that is at the origin as a whole (N s); negative ones pull
   * @param falloff how the impulse goes down with the distance: `linear`, to nothing at the radius, the default, or `constant`
   * @throws PliantError `non-finite`, `disposed`; `invalid-argument` for a radius below zero or another falloff
   */
  applyRadialImpulse(origin: Vector3, radius: number, strength: number, falloff: BlastFalloff = "linear"): void {
    this.require("applyRadialImpulse", origin);
    const object = `${this.name}.applyRadialImpulse`;
    notNegative(`${object} radius`, radius);
    checkFinite(strength, `${object} strength`);
    const { frame } = this.plugin;
    const blast = {
      center: frame.point(origin),
      radius: frame.length(radius),
      impulse: frame.length(strength),
      falloff,
    };
    this.body.push({ blast });
  }

  /**
   * Sets the mean velocity of the vertices that nothing holds; how they move against each other stays.
   *
   * @param velocity units of the scene a second
   * @throws PliantError `non-finite`, `disposed`
   */
  setLinearVelocity(velocity: Vector3): void {
    this.require("setLinearVelocity", velocity);
    this.body.push({ linearVelocity: this.plugin.frame.offset(velocity) });
  }

  /**
   * Sets the mean angular velocity about the center of mass of the vertices that nothing holds.
   *
   * @param velocity rad/s, world axes
   * @throws PliantError `non-finite`, `disposed`
   */
  setAngularVelocity(velocity: Vector3): void {
    this.require("setAngularVelocity", velocity);
    this.body.push({ angularVelocity: [velocity.x, velocity.y, velocity.z] });
  }

  /** Before a step of dt [s], which ends at this part of the frame. */
  protected applyForces(fraction: number, dt: number): void {
    const { frame } = this.plugin;
    for (const { force, location } of this.forces)
      this.body.push({ impulse: frame.offset(force.scale(dt)), point: location && frame.point(location) });
    if (fraction === 1) this.forces = [];
  }

  private require(method: string, vector: Vector3, location?: Vector3): void {
    this.check();
    requireFiniteVector(`${this.name}.${method}`, vector);
    if (location) requireFiniteVector(`${this.name}.${method} location`, location);
  }
}
