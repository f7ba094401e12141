import { unitQuaternion } from "../math/quaternions";
import type { LinkClosure, LinkDescription, MechanismDescription } from "./description";
import type { LinkPose } from "./link-pose";
import { identity, multiply } from "./loaders/transform";

/**
 * The same mechanism at another pose: all links attached to the world are moved.
 *
 * @param pose position [m] and a rotation of any length but zero
 */
export function mechanismPlacedAt(mechanism: MechanismDescription, pose: LinkPose): MechanismDescription {
  const base = { position: pose.position, rotation: unitQuaternion(pose.rotation) };
  const links = mechanism.links.map((link): LinkDescription => {
    if (link.parent !== undefined) return link;
    const parentFrame = multiply(base, { ...identity, ...link.joint.parentFrame });
    return { ...link, joint: { ...link.joint, parentFrame } };
  });
  if (mechanism.closures === undefined) return { ...mechanism, links };
  const closures = mechanism.closures.map((closure): LinkClosure => {
    if (closure.linkB !== undefined) return closure;
    const { position, rotation } = multiply(base, {
      position: closure.pointB ?? identity.position,
      rotation: closure.rotation ?? identity.rotation,
    });
    return { ...closure, pointB: position, ...(closure.rotation === undefined ? {} : { rotation }) };
  });
  return { ...mechanism, links, closures };
}
