import { checkFinite } from "../checks";
import { invalid, nonFinite } from "../errors";
import { checkLikelyNames } from "../option-names";
import { checkOptionalRotation, validateShape } from "../collision/shape/shape";
import type { Vec3 } from "../math/types";
import {
  closureNames,
  couplingNames,
  frameNames,
  jointNames,
  linkNames,
  linkShapeNames,
  mechanismNames,
  type Frame,
  type InertiaTensor,
  type JointDescription,
  type LinkDescription,
  type MechanismDescription,
  type PerDof,
} from "./description";
import { degreesOfFreedom } from "./joints/degrees-of-freedom";
import { norm } from "../math/vectors";

/**
 * Checks a mechanism.
 *
 * @returns the links, parents before children; in the given order if that is the case already
 * @throws PliantError `invalid-argument` or `non-finite`, with link and property
 */
export function validateMechanism(mechanism: MechanismDescription): LinkDescription[] {
  const object = `mechanism "${mechanism.name}"`;
  checkLikelyNames(object, mechanism, mechanismNames);
  if (mechanism.links.length === 0) throw invalid(`${object}.links`, 0, "must hold at least one link");
  const byName = new Map<string, LinkDescription>();
  for (const link of mechanism.links) {
    if (byName.has(link.name)) refuse(`${object}: link`, link.name, "must have a name of its own");
    byName.set(link.name, link);
    checkLink(link, `${object}: link "${link.name}"`);
  }
  const sorted = parentsFirst(mechanism.links, byName, object);
  checkMassless(sorted, byName, object);
  checkCouplings(mechanism, object);
  checkClosures(mechanism, byName, object);
  checkExclusions(mechanism, byName, object);
  return sorted;
}

function checkCouplings({ links, couplings = [] }: MechanismDescription, object: string): void {
  const joints = new Map(links.map(({ name, joint }) => [joint.name ?? name, joint]));
  const driven = new Map<string, string | undefined>();
  couplings.forEach((coupling, index) => {
    const name = `${object}.couplings[${index}]`;
    checkLikelyNames(name, coupling, couplingNames);
    const { joint, driver, coefficients } = coupling;
    for (const end of [joint, driver]) {
      if (end === undefined) continue;
      const found = joints.get(end);
      if (found === undefined || degreesOfFreedom[found.type] !== 1)
        refuse(name, end, "must name joints of one coordinate");
    }
    if (driven.has(joint)) refuse(name, joint, "must be the only coupling of its joint");
    driven.set(joint, driver);
    if (coefficients.length === 0) refuse(`${name}.coefficients`, coefficients, "must hold at least one number");
    coefficients.forEach((value) => checkFinite(value, `${name}.coefficients`));
  });
  for (const start of driven.keys()) {
    let steps = 0;
    for (let at = driven.get(start); at !== undefined && steps <= driven.size; at = driven.get(at)) {
      steps++;
      if (at === start) refuse(`${object}.couplings`, start, "must not depend on itself");
    }
  }
}

function checkClosures(
  { closures = [] }: MechanismDescription,
  byName: ReadonlyMap<string, LinkDescription>,
  object: string,
): void {
  closures.forEach((closure, index) => {
    const name = `${object}.closures[${index}]`;
    checkLikelyNames(name, closure, closureNames);
    const { linkA, linkB, pointA, pointB, rotation } = closure;
    for (const link of [linkA, linkB])
      if (link !== undefined && !byName.has(link)) refuse(name, link, "must name links");
    if (linkA === linkB) refuse(name, linkA, "must be of two links");
    for (const point of [pointA, pointB]) if (point !== undefined) checkVector(point, name);
    checkOptionalRotation(rotation, `${name}.rotation`);
  });
}

function checkExclusions(
  { exclusions = [] }: MechanismDescription,
  byName: ReadonlyMap<string, LinkDescription>,
  object: string,
): void {
  for (const pair of exclusions) {
    if (pair.length !== 2) refuse(`${object}.exclusions`, pair, "must be pairs of links");
    for (const name of pair)
      if (name !== "world" && !byName.has(name)) refuse(`${object}.exclusions`, name, 'must be links or "world"');
  }
}

function parentsFirst(
  links: readonly LinkDescription[],
  byName: ReadonlyMap<string, LinkDescription>,
  object: string,
): LinkDescription[] {
  const sorted: LinkDescription[] = [];
  const placed = new Set<LinkDescription>();
  for (const link of links) {
    // go up to the first link that has a place, then down again
    const path = new Set<LinkDescription>();
    for (let at: LinkDescription | undefined = link; at !== undefined && !placed.has(at);) {
      if (path.has(at)) refuse(`${object}: link "${at.name}"`, at.parent, "must not be its own ancestor");
      path.add(at);
      if (at.parent === undefined) break;
      const above: LinkDescription | undefined = byName.get(at.parent);
      if (above === undefined) refuse(`${object}: link "${at.name}".parent`, at.parent, "must be the name of a link");
      at = above;
    }
    for (const at of [...path].reverse()) {
      sorted.push(at);
      placed.add(at);
    }
  }
  return sorted;
}

/** Rejects a joint without any inertia behind it: its acceleration is undefined. */
function checkMassless(
  sorted: readonly LinkDescription[],
  byName: ReadonlyMap<string, LinkDescription>,
  object: string,
) {
  const heavy = new Set<LinkDescription>();
  for (const link of [...sorted].reverse()) {
    if (link.mass > 0 || link.inertia !== undefined) heavy.add(link);
    if (heavy.has(link) && link.parent !== undefined) heavy.add(byName.get(link.parent)!);
  }
  for (const link of sorted) {
    if (heavy.has(link) || degreesOfFreedom[link.joint.type] === 0) continue;
    const armature = link.joint.armature ?? 0;
    const driven = typeof armature === "number" ? armature > 0 : armature.every((value) => value > 0);
    if (!driven) {
      const rule = "a joint that moves must have mass, inertia or armature behind it (massless chain)";
      refuse(`${object}: link "${link.name}".mass`, link.mass, rule);
    }
  }
}

function checkLink(link: LinkDescription, object: string): void {
  checkLikelyNames(object, link, linkNames);
  checkFinite(link.mass, `${object}.mass`);
  if (link.mass < 0) refuse(`${object}.mass`, link.mass, "must not be negative");
  if (link.centerOfMass !== undefined) checkVector(link.centerOfMass, `${object}.centerOfMass`);
  if (link.inertia !== undefined) checkInertia(link.inertia, `${object}.inertia`);
  link.shapes?.forEach((entry, index) => {
    const name = `${object}.shapes[${index}]`;
    checkLikelyNames(name, entry, linkShapeNames);
    validateShape(entry.shape, name);
    if (entry.position !== undefined) checkVector(entry.position, `${name}.position`);
    checkOptionalRotation(entry.rotation, `${name}.rotation`);
    checkRange(entry.friction, 0, Infinity, `${name}.friction`);
    checkRange(entry.restitution, 0, 1, `${name}.restitution`);
    for (const key of ["category", "meets"] as const)
      if (entry[key] !== undefined && (entry[key] | 0) !== entry[key])
        refuse(`${name}.${key}`, entry[key], "must be an integer of 32 bits");
  });
  if (link.gravityCompensation !== undefined) checkFinite(link.gravityCompensation, `${object}.gravityCompensation`);
  checkJoint(link.joint, `${object}.joint`);
}

/**
 * @throws PliantError unless the tensor is six finite numbers that are not all zero, and positive semidefinite: thin rods
 * have no moment about their axis
 */
export function checkInertia(inertia: InertiaTensor | ArrayLike<number>, object: string): void {
  if (inertia.length !== 6) refuse(object, inertia, "must be six numbers xx, yy, zz, xy, xz, yz");
  for (let i = 0; i < 6; i++) checkFinite(inertia[i], `${object}[${i}]`);
  const [xx, yy, zz, xy, xz, yz] = Array.from(inertia);
  const trace = xx + yy + zz;
  const minors = [xx * yy - xy * xy, xx * zz - xz * xz, yy * zz - yz * yz];
  const determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  const rounding = -1e-12 * trace * trace;
  const isPossible = minors.every((minor) => minor >= rounding) && determinant >= rounding * trace;
  if (!(trace > 0 && isPossible)) refuse(object, inertia, "must be positive semidefinite and not zero");
}

function checkJoint(joint: JointDescription, object: string): void {
  if (!Object.hasOwn(degreesOfFreedom, joint.type))
    refuse(`${object}.type`, joint.type, "must be a known type of joint");
  if (joint.axis !== undefined) checkDirection(joint.axis, `${object}.axis`);
  if (joint.secondAxis !== undefined) checkDirection(joint.secondAxis, `${object}.secondAxis`);
  if (joint.pitch !== undefined) checkFinite(joint.pitch, `${object}.pitch`);
  const order: string = joint.order ?? "xyz";
  if (!/^[xyz]{3}$/.test(order) || order[0] === order[1] || order[1] === order[2])
    refuse(`${object}.order`, order, "must be three of x, y, z, no two neighbours alike");
  checkLikelyNames(object, joint, jointNames);
  checkFrame(joint.parentFrame, `${object}.parentFrame`);
  checkFrame(joint.childFrame, `${object}.childFrame`);
  checkPerDof(joint, "lower", -Infinity, Infinity, object);
  checkPerDof(joint, "upper", -Infinity, Infinity, object);
  checkPerDof(joint, "effortLimit", 0, Infinity, object);
  checkPerDof(joint, "velocityLimit", Number.MIN_VALUE, Infinity, object);
  for (const key of ["stiffness", "damping", "armature", "frictionLoss"] as const)
    checkPerDof(joint, key, 0, Number.MAX_VALUE, object);
  for (const key of ["restPosition", "initialPosition", "initialVelocity"] as const)
    checkPerDof(joint, key, -Number.MAX_VALUE, Number.MAX_VALUE, object);
  for (let d = 0; d < degreesOfFreedom[joint.type]; d++) {
    const lower = perDof(joint.lower, d, -Infinity);
    const upper = perDof(joint.upper, d, Infinity);
    if (lower > upper) refuse(`${object}.lower`, lower, `must not be above the upper limit ${upper}`);
  }
}

type PerDofKey =
  | "lower"
  | "upper"
  | "stiffness"
  | "restPosition"
  | "damping"
  | "armature"
  | "frictionLoss"
  | "effortLimit"
  | "velocityLimit"
  | "initialPosition"
  | "initialVelocity";

function checkPerDof(joint: JointDescription, key: PerDofKey, lowest: number, highest: number, object: string): void {
  const given = joint[key];
  if (given === undefined) return;
  const count = degreesOfFreedom[joint.type];
  const values = typeof given === "number" ? [given] : given;
  if (typeof given !== "number" && given.length !== count)
    refuse(`${object}.${key}`, given, `must be one number or ${count} (one for each degree of freedom)`);
  for (const value of values) {
    if (Number.isNaN(value)) throw nonFinite(`${object}.${key}`, value, "must be a number");
    if (value < lowest || value > highest) {
      checkFinite(value, `${object}.${key}`);
      refuse(`${object}.${key}`, value, lowest === 0 ? "must not be negative" : "must be positive");
    }
  }
}

/** The value of one degree of freedom. */
export function perDof(given: PerDof | undefined, index: number, fallback: number): number {
  if (given === undefined) return fallback;
  return typeof given === "number" ? given : given[index];
}

function checkFrame(frame: Frame | undefined, object: string): void {
  if (frame) checkLikelyNames(object, frame, frameNames);
  if (frame?.position !== undefined) checkVector(frame.position, `${object}.position`);
  checkOptionalRotation(frame?.rotation, `${object}.rotation`);
}

function checkDirection(value: Vec3, object: string): void {
  checkVector(value, object);
  if (!(norm(value) > 1e-9)) refuse(object, value, "must be a direction, not zero");
}

function checkVector(value: Vec3, object: string): void {
  if (value.length !== 3) refuse(object, value, "must be three numbers");
  value.forEach((component) => checkFinite(component, object));
}

function checkRange(value: number | undefined, lowest: number, highest: number, object: string): void {
  if (value === undefined) return;
  checkFinite(value, object);
  if (value < lowest || value > highest)
    refuse(object, value, highest === Infinity ? `must be at least ${lowest}` : `must be from ${lowest} to ${highest}`);
}

function refuse(object: string, value: unknown, rule: string): never {
  throw invalid(object, value, rule);
}
