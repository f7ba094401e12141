import { identity, multiply } from "../../src/articulated/loaders/transform";
import type { Frame } from "../../src/articulated/description";
import type { LinkDescription, LinkShape, MechanismDescription, Quat, Vec3 } from "../../src/index";
import { cos, sin } from "../../src/math/deterministic";
import { boxInertia } from "./solids";

/** A phalanx: its box [m], its mass [kg], and the joint at its beginning. */
interface Phalanx {
  readonly size: Vec3;
  /** of the middle of the box */
  readonly center?: Vec3;
  readonly mass: number;
  readonly origin: Frame;
  readonly axis: Vec3;
  /** [rad] */
  readonly range: readonly [number, number];
}

/** Radius of a fingertip [m], its mass [kg], and greatest torque of a joint [N m]. */
export const fingertip = 0.012;
const TIP_MASS = 0.0168;
const EFFORT = 0.7;
/** Armature [kg m²] and damping [N m s/rad] of a geared motor. */
const [ARMATURE, DAMPING] = [1e-4, 0.02];
/** Width and thickness of a finger, and size of the palm [m]. */
const [THICK, WIDE] = [0.0196, 0.0275];
const PALM: Vec3 = [0.0408, 0.113, 0.095];

export const fingers = ["index", "middle", "ring", "thumb"] as const;
export type Finger = (typeof fingers)[number];

/** Joints of a finger, from its root. */
export const jointsOf = (finger: Finger): string[] => [0, 1, 2, 3].map((k) => `${finger} ${k}`);
/** Link of the tip of a finger, whose origin is the middle of its ball. */
export const tipOf = (finger: Finger): string => `${finger} tip`;

const about = (axis: 0 | 1 | 2, angle: number): Quat => {
  const rotation: [number, number, number, number] = [0, 0, 0, cos(angle / 2)];
  rotation[axis] = sin(angle / 2);
  return rotation;
};
const along = (z: number): Frame => ({ position: [0, 0, z] });

/** Phalanges of a finger at a place of the palm. */
function finger(origin: Frame): { phalanges: Phalanx[]; tip: number } {
  const part = (length: number, mass: number, at: Frame, axis: Vec3, range: readonly [number, number]): Phalanx => ({
    size: [THICK, WIDE, length],
    center: [0, 0, length / 2],
    mass,
    origin: at,
    axis,
    range,
  });
  return {
    phalanges: [
      part(0.0164, 0.0119, origin, [0, 0, 1], [-0.47, 0.47]),
      part(0.054, 0.065, along(0.0164), [0, 1, 0], [-0.196, 1.61]),
      part(0.0384, 0.0355, along(0.054), [0, 1, 0], [-0.174, 1.709]),
      part(0.0267, 0.0096, along(0.0384), [0, 1, 0], [-0.227, 1.618]),
    ],
    tip: 0.0267,
  };
}

function thumb(): { phalanges: Phalanx[]; tip: number } {
  const rotation = multiply(
    { ...identity, rotation: about(2, -Math.PI / 2) },
    { ...identity, rotation: about(1, -1.658) },
  ).rotation;
  const box = (length: number): Vec3 => [THICK, WIDE, length];
  return {
    phalanges: [
      {
        size: [0.0358, 0.034, 0.0455],
        center: [-0.0179, 0.009, 0.0145],
        mass: 0.0176,
        origin: { position: [-0.0182, 0.0193, -0.046], rotation },
        axis: [-1, 0, 0],
        range: [0.263, 1.396],
      },
      {
        size: box(0.0177),
        mass: 0.0119,
        origin: { position: [-0.027, 0.005, 0.0399] },
        axis: [0, 0, 1],
        range: [-0.105, 1.163],
      },
      { size: box(0.0514), mass: 0.038, origin: along(0.0177), axis: [0, 1, 0], range: [-0.189, 1.644] },
      { size: box(0.0423), mass: 0.0388, origin: along(0.0514), axis: [0, 1, 0], range: [-0.162, 1.719] },
    ],
    tip: 0.0423,
  };
}

/**
 * A right hand of four fingers with four joints each, with the sizes, masses and ranges that are published for the Allegro hand, as
 * boxes with round ends. In its axes fingers point along z, the palm looks along x, and the thumb is below. A slide along −x, the
 * joint "lift", carries it. Motors carry the weight of the links.
 */
export function allegroHand(friction: number): MechanismDescription {
  const links: LinkDescription[] = [
    {
      name: "palm",
      mass: 0.4154,
      inertia: boxInertia(0.4154, PALM),
      joint: { type: "prismatic", name: "lift", axis: [-1, 0, 0] },
      shapes: [{ shape: boxShape(PALM), position: [-0.0093, 0, -0.0475], friction }],
      gravityCompensation: 1,
    },
  ];
  const slope = 0.08726646;
  const roots: Record<Finger, ReturnType<typeof finger>> = {
    index: finger({ position: [0, 0.0435, -0.0015], rotation: about(0, -slope) }),
    middle: finger({ position: [0, 0, 0.0007] }),
    ring: finger({ position: [0, -0.0435, -0.0015], rotation: about(0, slope) }),
    thumb: thumb(),
  };
  for (const name of fingers) {
    const { phalanges, tip } = roots[name];
    const names = jointsOf(name);
    phalanges.forEach(({ size, center = [0, 0, size[2] / 2], mass, origin, axis, range }, k) =>
      links.push({
        name: names[k],
        parent: k === 0 ? "palm" : names[k - 1],
        mass,
        centerOfMass: center,
        inertia: boxInertia(mass, size),
        joint: {
          type: "revolute",
          axis,
          parentFrame: origin,
          lower: range[0],
          upper: range[1],
          damping: DAMPING,
          armature: ARMATURE,
          effortLimit: EFFORT,
        },
        shapes: [k < 3 ? { shape: boxShape(size), position: center, friction } : roundEnd(tip, friction)],
        gravityCompensation: 1,
      }),
    );
    links.push({
      name: tipOf(name),
      parent: names[3],
      mass: TIP_MASS,
      inertia: boxInertia(TIP_MASS, [fingertip, fingertip, fingertip]),
      joint: { type: "weld", parentFrame: along(tip) },
      gravityCompensation: 1,
    });
  }
  return { name: "hand", links };
}

/** The last phalanx: a rod with the ball of the tip at its end. */
function roundEnd(length: number, friction: number): LinkShape {
  return { shape: { type: "capsule", pointA: [0, 0, 0], pointB: [0, 0, length], radius: fingertip }, friction };
}

function boxShape([x, y, z]: Vec3): LinkShape["shape"] {
  return { type: "box", halfExtents: [x / 2, y / 2, z / 2] };
}
