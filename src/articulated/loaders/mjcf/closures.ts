import { conjugate, unitQuaternion } from "../../../math/quaternions";
import type { Vec3 } from "../../../math/types";
import type { LinkClosure, MechanismDescription } from "../../description";
import { updatePositions } from "../../dynamics/kinematics";
import { linkPose } from "../../link-pose";
import { ArticulatedModel } from "../../model";
import { ArticulatedScratch } from "../../scratch";
import type { LinkSite } from "../loaded";
import type { Defaults } from "./defaults";
import { vector } from "./values";
import type { Notes } from "../notes";
import { apply, identity, inverse, multiply, type Transform } from "../transform";
import type { FileElement } from "../xml";

/**
 * `<connect>` and `<weld>` of `<equality>` as closures, which hold in the pose at rest unless the file says otherwise.
 *
 * @throws PliantError for an unknown body or site
 */
export function readClosures(
  root: FileElement,
  defaults: Defaults,
  mechanism: MechanismDescription,
  sites: readonly LinkSite[],
  notes: Notes,
): LinkClosure[] {
  const elements = root
    .childrenNamed("equality")
    .flatMap(({ children }) => children)
    .filter(({ tag }) => tag === "connect" || tag === "weld");
  if (elements.length === 0) return [];
  const model = new ArticulatedModel(mechanism);
  const scratch = new ArticulatedScratch(model);
  updatePositions(scratch, model.initialPosition);
  const poseOf = (link: string | undefined): Transform =>
    link === undefined ? identity : linkPose(scratch, model.linkIndex(link));
  return elements
    .flatMap((raw) => {
      const element = defaults.fillAs(raw, "equality");
      element.pass("name");
      if (element.choice("active", ["true", "false"]) === "false") {
        notes.add(element, "is left out: it is not active");
        return [];
      }
      const [a, b] = ["1", "2"].map((end) => readEnd(element, end, model, sites));
      if (a.link === b.link) throw element.error("must be of two bodies", a.link);
      const between = multiply(inverse(poseOf(b.link)), poseOf(a.link));
      if (element.tag === "connect") {
        const pointA = a.frame?.position ?? vector(element, "anchor") ?? identity.position;
        return [closureOf(a.link, b.link, pointA, b.frame?.position ?? apply(between, pointA))];
      }
      // A weld keeps the pose of its first body in the second; `relpose` is that of the second in the first.
      const given = element.numbers("relpose", 7);
      let kept = between;
      if (a.frame !== undefined && b.frame !== undefined) kept = multiply(b.frame, inverse(a.frame));
      else if (given?.slice(3).some((value) => value !== 0) === true) {
        const [w, x, y, z] = given.slice(3);
        const position: Vec3 = [given[0], given[1], given[2]];
        kept = inverse({ position, rotation: unitQuaternion([x, y, z, w]) });
      }
      const pointB = b.frame?.position ?? vector(element, "anchor") ?? identity.position;
      return [{ ...closureOf(a.link, b.link, apply(inverse(kept), pointB), pointB), rotation: kept.rotation }];
    })
    .map((closure) => (closure.linkA === "" ? turned(closure) : closure));
}

/** A body, or the frame of a site in one. */
function readEnd(
  element: FileElement,
  end: string,
  model: ArticulatedModel,
  sites: readonly LinkSite[],
): { readonly link: string | undefined; readonly frame: Transform | undefined } {
  const site = element.attribute(`site${end}`);
  if (site !== undefined) {
    const found = sites.find(({ name }) => name === site);
    if (found === undefined) throw element.error(`site${end} must be one of the file's`, site);
    return { link: found.link, frame: found };
  }
  const body = end === "1" ? element.required("body1") : element.attribute("body2");
  if (body === undefined || body === "world") return { link: undefined, frame: undefined };
  if (!model.linkNames.includes(body)) throw element.error(`body${end} must be one of the file's`, body);
  return { link: body, frame: undefined };
}

function closureOf(a: string | undefined, b: string | undefined, pointA: Vec3, pointB: Vec3): LinkClosure {
  return { linkA: a ?? "", ...(b === undefined ? {} : { linkB: b }), pointA, pointB };
}

/** A closure whose first end is the world, seen from its other link. */
function turned({ linkB, pointA, pointB, rotation }: LinkClosure): LinkClosure {
  return {
    linkA: linkB!,
    pointA: pointB!,
    pointB: pointA!,
    ...(rotation === undefined ? {} : { rotation: conjugate(rotation) }),
  };
}
