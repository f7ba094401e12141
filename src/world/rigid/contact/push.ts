import { product, turn as turned } from "../../../math/quaternions";
import type { Quat, Vec3 } from "../../../math/types";
import { subtract } from "../../../math/vectors";
import type { RigidBody } from "../rigid-body";
import type { Push } from "./leader";
import type { Support } from "./support";

/**
 * The push on a body, split into the part that it yields to and the part that its support holds.
 *
 * @param turning share of the angular impulse that it yields to
 * @param wrench impulse [N s] and angular impulse about the center of mass [N m s]
 * @param displacement offset and turn that the body has made
 */
export function pushOf(support: Support, turning: number, wrench: Float64Array, displacement: Float64Array): Push {
  const [px, py, pz, tx, ty, tz] = wrench as unknown as Six;
  const [dx, dy, dz, rx, ry, rz] = displacement as unknown as Six;
  const whole: Vec3 = [px, py, pz];
  const angular: Vec3 = [tx, ty, tz];
  const impulse = support.yielding(whole);
  return {
    impulse,
    angularImpulse: scaled(angular, turning),
    held: subtract(whole, impulse),
    angularHeld: scaled(angular, 1 - turning),
    offset: [dx, dy, dz],
    turn: [rx, ry, rz],
  };
}

/** Moves a body as its colliders have yielded, together with its target. */
export function displace(body: RigidBody, displacement: Float64Array): void {
  const [dx, dy, dz, rx, ry, rz] = displacement as unknown as Six;
  const scale = 1 / Math.sqrt(1 + (rx * rx + ry * ry + rz * rz) / 4);
  const by: Quat = [(scale * rx) / 2, (scale * ry) / 2, (scale * rz) / 2, scale];
  const { centerOfMass: centre } = body.massProperties;
  const place = (position: Vec3, rotation: Quat): [Vec3, Quat] => {
    const from = turned(rotation, centre);
    const to = product(by, rotation);
    const arm = turned(to, centre);
    const at = (c: number, offset: number): number => position[c] + from[c] + offset - arm[c];
    return [[at(0, dx), at(1, dy), at(2, dz)], to];
  };
  const { target } = body.record;
  body.teleport(...place(body.position, body.rotation));
  if (target) [target.position, target.rotation] = place(target.position, target.rotation);
}

export type Six = [number, number, number, number, number, number];

/** factor · v */
export const scaled = (v: Vec3, factor: number): Vec3 => [factor * v[0], factor * v[1], factor * v[2]];
