import { turn } from "../../../math/quaternions";
import type { Vec3 } from "../../../math/types";
import type { RigidCablePoint } from "../../../solvers/local-global/contact/cable";
import type { RigidBody } from "../rigid-body";
import type { RigidObstacles } from "./obstacles";

/** The point in the form for the solver: it moves with the body. */
export function rigidPoint(
  world: { readonly rigidObstacles: RigidObstacles },
  { rigid, point }: { readonly rigid: RigidBody; readonly point: Vec3 },
): RigidCablePoint {
  return {
    get proxy() {
      return world.rigidObstacles.proxyOf(rigid);
    },
    get arm() {
      const centre = rigid.massProperties.centerOfMass;
      return turn(
        rigid.rotation,
        [0, 1, 2].map((c) => point[c] - centre[c]),
      );
    },
    get spin() {
      // A kinematic body has no velocity again after its step.
      const { spin } = world.rigidObstacles.proxyOf(rigid) ?? {};
      return rigid.motion === "dynamic" || !spin ? rigid.angularVelocity : ([...spin] as unknown as Vec3);
    },
  };
}
