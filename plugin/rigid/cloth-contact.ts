import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { RigidProxy, type World } from "../../src/index";
import { integrateRotation, toVec3 } from "../convert";
import { applyWrench, inverseInertia } from "./motion";
import type { RigidState } from "./rigid-state";

const wrench = new Float64Array(6);
const displacement = new Float64Array(6);

/** How cloth pushes a dynamic body: what its proxy collected is taken over before each step. */
export class ClothContact {
  private readonly proxy = new RigidProxy();
  private readonly before = new Vector3();

  constructor(
    private readonly world: World,
    private readonly state: RigidState,
  ) {}

  /** Before a step moves the body. */
  feel(): void {
    const { state } = this;
    state.colliders.proxy = this.proxy;
    if (this.world.takeFromProxy(this.proxy, wrench, displacement)) {
      const centre = state.centre().addInPlaceFromFloats(displacement[0], displacement[1], displacement[2]);
      integrateRotation(state.rotation, new Vector3(displacement[3], displacement[4], displacement[5]), 1);
      state.position.copyFrom(centre).subtractInPlace(state.mass.centerOfMass.applyRotationQuaternion(state.rotation));
      applyWrench(state, wrench);
    }
    this.before.copyFrom(state.centre());
  }

  /** After the body was moved by a step of `dt` seconds, and before cloth meets it on that way. */
  prepare(dt: number): void {
    const { state, before, proxy } = this;
    proxy.setResponse({
      inverseMass: state.mass.mass > 0 ? 1 / state.mass.mass : 0,
      inverseInertia: inverseInertia(state),
      centre: toVec3(before),
      velocity: toVec3(
        state
          .centre()
          .subtractInPlace(before)
          .scaleInPlace(1 / dt),
      ),
    });
  }
}
