/** Changes of the motion of a deformable body between two steps. */
import { checkFinite } from "../../checks";
import { invalid } from "../../errors";
import type { Vec3 } from "../../math/types";
import { checkNames, optionNames } from "../../option-names";
import { finiteVector, notNegative } from "../rigid/checks";
/** A blast from a point, see `Push.blast`. */
export interface Blast {
  /** [m], world space */
  readonly center: Vec3;
  /** particles further away feel nothing [m] */
  readonly radius: number;
  /** impulse on a body that is at the center as a whole [N s]; negative ones pull */
  readonly impulse: number;
  /** how the impulse goes down with the distance: `constant` up to the radius, or `linear`, to nothing there; default `linear` */
  readonly falloff?: "constant" | "linear";
}

/**
 * A change of the motion of a body, see `DeformableBody.push`. Impulses act on its free particles as on a rigid body of their mass; the body deforms
 * in the steps that follow.
 */
export interface Push {
  /** [N s] */
  readonly impulse?: Vec3;
  /** where `impulse` acts [m], world space; default the center of mass */
  readonly point?: Vec3;
  /** [N m s] */
  readonly angularImpulse?: Vec3;
  /** mean velocity that the body gets [m/s]; how its particles move against each other stays */
  readonly linearVelocity?: Vec3;
  /** mean angular velocity about the center of mass that the body gets [rad/s] */
  readonly angularVelocity?: Vec3;
  readonly blast?: Blast;
}

const names = optionNames<Push>()("impulse point angularImpulse linearVelocity angularVelocity blast");
const blastNames = optionNames<Blast>()("center radius impulse falloff");

/** @throws PliantError for a name that it does not have, or a value that is not finite */
export function checkPush(object: string, push: Push): void {
  checkNames(object, push, names);
  const { blast, ...vectors } = push;
  for (const [name, value] of Object.entries(vectors))
    if (value !== undefined) finiteVector(`${object} ${name}`, value);
  if (!blast) return;
  checkNames(`${object} blast`, blast, blastNames);
  finiteVector(`${object} blast.center`, blast.center);
  notNegative(`${object} blast.radius`, blast.radius);
  checkFinite(blast.impulse, `${object} blast.impulse`);
  const { falloff = "linear" } = blast;
  if (falloff !== "linear" && falloff !== "constant")
    throw invalid(`${object} blast.falloff`, falloff, 'must be "linear" or "constant"');
}
