import type { LinkDescription, LinkShape, MechanismDescription } from "../../src/articulated/description";
import type { Vec3 } from "../../src/math/types";
import { boxInertia } from "./solids";

/** Time step of the published scene of this size [s]. */
export const humanoidTimeStep = 0.001;

/** A part of the body: a hinge, then a box whose center hangs `down` below it. Axes: x ahead, y up, z to the right. */
interface BodyPart {
  readonly name: string;
  readonly parent: string;
  readonly axis: Vec3;
  /** Hinge in the parent [m]. */
  readonly at: Vec3;
  readonly mass: number;
  /** Sides of the box [m], and its center in the part's axes [m]. */
  readonly size: Vec3;
  readonly centre: Vec3;
  readonly limits: readonly [number, number];
  readonly effort: number;
}

const X: Vec3 = [1, 0, 0];
const Y: Vec3 = [0, 1, 0];
const Z: Vec3 = [0, 0, 1];

const thigh = 0.42;
const shin = 0.42;
const ankle = 0.09;
const hip = 0.06;
/** Height of the pelvis when the soles are on the ground [m]. */
const standing = hip + thigh + shin + ankle;
const soleRadius = 0.015;

/** Torso: turns about y, z and x, like the back of a humanoid robot of this size. */
const back: readonly BodyPart[] = [
  part("lower back", "pelvis", Y, [0, 0.12, 0], 4, [0.1, 0.06, 0.12], [0, 0.03, 0], [-0.66, 0.66], 106),
  part("middle back", "lower back", Z, [0, 0.06, 0], 4, [0.1, 0.06, 0.12], [0, 0.03, 0], [-0.54, 0.22], 445),
  part("chest", "middle back", X, [0, 0.06, 0], 52, [0.28, 0.5, 0.38], [0, 0.27, 0], [-0.52, 0.52], 300),
];

/** Two parts for each of shoulder, elbow and wrist. `side` is 1 on the right, −1 on the left. */
function arm(name: string, side: 1 | -1): BodyPart[] {
  const parts: BodyPart[] = [];
  const add = (what: string, axis: Vec3, at: Vec3, mass: number, length: number, width: number, effort: number) => {
    const parent = parts.length === 0 ? "chest" : parts[parts.length - 1].name;
    const size: Vec3 = [width, length, width];
    parts.push(part(`${name} ${what}`, parent, axis, at, mass, size, [0, -length / 2, 0], [-2.3, 2.3], effort));
  };
  add("clavicle", Z, [0, 0.42, side * 0.23], 4.5, 0.1, 0.1, 87);
  add("upper arm", X, [0, -0.06, side * 0.05], 3.5, 0.22, 0.09, 99);
  add("upper elbow", Y, [0, -0.22, 0], 3, 0.1, 0.08, 63);
  add("forearm", Z, [0, -0.1, 0], 3, 0.2, 0.08, 112);
  add("wrist", Y, [0, -0.2, 0], 1.5, 0.06, 0.07, 25);
  add("hand", X, [0, -0.06, 0], 1, 0.12, 0.08, 25);
  return parts;
}

/** Hip about y, x and z, knee, ankle about z and x. */
function leg(name: string, side: 1 | -1): BodyPart[] {
  const p = (what: string) => `${name} ${what}`;
  const slim: Vec3 = [0.1, 0.08, 0.1];
  const atHip: Vec3 = [0, -hip, side * 0.09];
  return [
    part(p("hip yaw"), "pelvis", Y, atHip, 2, slim, [0, 0, 0], [-0.6, 0.6], 110),
    part(p("hip roll"), p("hip yaw"), X, [0, 0, 0], 2, slim, [0, -0.02, 0], [-0.5, 0.5], 180),
    part(p("thigh"), p("hip roll"), Z, [0, 0, 0], 9, [0.14, thigh, 0.14], [0, -thigh / 2, 0], [-0.65, 1.7], 260),
    part(p("shin"), p("thigh"), Z, [0, -thigh, 0], 5.5, [0.1, shin, 0.1], [0, -shin / 2, 0], [-2.45, 0], 220),
    part(p("ankle"), p("shin"), Z, [0, -shin, 0], 0.8, [0.06, 0.06, 0.06], [0, 0, 0], [-0.7, 1], 220),
    part(p("foot"), p("ankle"), X, [0, 0, 0], 2.4, [0.26, 0.06, 0.13], [0.04, -0.06, 0], [-0.6, 0.6], 90),
  ];
}

/**
 * A humanoid of the size of a 33-coordinate robot: a free pelvis, 3 hinges of the back, 6 of each arm, 6 of each leg;
 * 150 kg, 1.8 m. Each sole stands on six small spheres: twelve contact points.
 */
export function humanoid(): MechanismDescription {
  const mass = 16;
  const pelvisSize: Vec3 = [0.18, 0.22, 0.26];
  const pelvis: LinkDescription = {
    name: "pelvis",
    joint: { type: "free", effortLimit: 0, initialPosition: [0, 0, 0, 0, standing, 0] },
    mass,
    centerOfMass: [0, 0.02, 0],
    inertia: boxInertia(mass, pelvisSize),
  };
  const limbs = [...back, ...arm("left", -1), ...arm("right", 1), ...leg("left", -1), ...leg("right", 1)];
  return { name: "humanoid", links: [pelvis, ...limbs.map(link)] };
}

function part(
  name: string,
  parent: string,
  axis: Vec3,
  at: Vec3,
  mass: number,
  size: Vec3,
  centre: Vec3,
  limits: readonly [number, number],
  effort: number,
): BodyPart {
  return { name, parent, axis, at, mass, size, centre, limits, effort };
}

function link(of: BodyPart): LinkDescription {
  return {
    name: of.name,
    parent: of.parent,
    joint: {
      type: "revolute",
      axis: of.axis,
      parentFrame: { position: of.at },
      lower: of.limits[0],
      upper: of.limits[1],
      effortLimit: of.effort,
    },
    mass: of.mass,
    centerOfMass: of.centre,
    inertia: boxInertia(of.mass, of.size),
    ...(of.name.endsWith("foot") ? { shapes: sole(of) } : {}),
  };
}

/** Three spheres along each edge of the sole, their lowest points at the level of the ground. */
function sole({ size, centre }: BodyPart): LinkShape[] {
  const shapes: LinkShape[] = [];
  for (const across of [-1, 1])
    for (const ahead of [-1, 0, 1]) {
      const position: Vec3 = [
        centre[0] + ahead * (size[0] / 2 - soleRadius),
        -ankle + soleRadius,
        centre[2] + across * (size[2] / 2 - soleRadius),
      ];
      shapes.push({ shape: { type: "sphere", radius: soleRadius }, position, friction: 1 });
    }
  return shapes;
}

/** The ground: a box of 25 × 25 m, its top at height zero. */
export function humanoidGround(friction = 1): LinkShape[] {
  const shape = { type: "box", halfExtents: [12.5, 0.025, 12.5] } as const;
  return [{ shape, position: [0, -0.025, 0], friction, name: "ground" }];
}
