import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { PliantError } from "../../src/errors";
import type { RigidBody } from "../../src/world/rigid/rigid-body";
import type { PlacesOfOwn } from "../engine-origin";
import { requireKind } from "../plugin-of";
import { nameOf, stateOf } from "../rigid/bodies";
import { ConstraintMethods } from "./constraint-methods";

/** A cable, see `CableAggregate`. */
interface SteppedCable {
  _beforeStep(): void;
}

/** Cables, and the engine's bodies for Babylon's bodies. */
export abstract class CableMethods extends ConstraintMethods {
  private readonly cables = new Set<SteppedCable>();

  /** @internal bodies of another plugin that deformable bodies meet */
  _beside: PlacesOfOwn | undefined;

  /**
   * The engine's body for a body of the scene, for functions that Babylon has no method for. The engine's body may be
   * replaced after the body was left out for a while (see `onProblemObservable`), or, beside another plugin, after its
   * shape changed.
   *
   * @param instance index of the thin instance; default: the first
   * @throws PliantError for a body that is not simulated here, or an unknown instance
   */
  rigidBodyOf(body: PhysicsBody, instance?: number): RigidBody {
    this.check();
    requireKind("rigidBodyOf", body, "setMotionType", "a PhysicsBody, such as mesh.physicsBody");
    const made = this._beside ? this._beside.rigidBodyOf?.(body, instance) : this.ownBodyOf(body, instance);
    if (made) return made;
    throw new PliantError(
      body.isDisposed ? "disposed" : "invalid-argument",
      nameOf(body),
      instance,
      "must be a body that is simulated in this scene",
    );
  }

  private ownBodyOf(body: PhysicsBody, instance: number | undefined): RigidBody | undefined {
    if (!this.bodies.has(body)) return undefined;
    const state = stateOf(body, instance);
    return state.isSimulated ? state.engine.ensure(this.shapeOf(body), this) : undefined;
  }

  /** @internal */
  _addCable(cable: SteppedCable): void {
    this.cables.add(cable);
  }

  /** @internal */
  _removeCable(cable: SteppedCable): void {
    this.cables.delete(cable);
  }

  /** Called before a step, when all bodies are in the solver. */
  protected refreshCables(): void {
    for (const cable of this.cables) this._problems.attempt(undefined, () => cable._beforeStep(), cable);
  }
}
