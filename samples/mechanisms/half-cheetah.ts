import type {
  JointDescription,
  LinkDescription,
  LinkShape,
  MechanismDescription,
} from "../../src/articulated/description";
import type { Vec3 } from "../../src/math/types";
import { isotropicInertia, roundInertia } from "./solids";

/** Time step of the published scene [s]. */
export const halfCheetahTimeStep = 0.002;

const radius = 0.046;

/** A leg's part: frame in the world at the start, and a capsule that also holds its mass. */
interface Part {
  readonly name: string;
  readonly parent: string;
  readonly at: Vec3;
  readonly mass: number;
  readonly centre: Vec3;
  /** Length of the capsule's cylinder [m], and the angle of its axis in the plane [rad]. */
  readonly length: number;
  readonly pitch: number;
  readonly moments: readonly [across: number, along: number];
  readonly joint: Pick<JointDescription, "lower" | "upper" | "stiffness" | "damping"> | "weld";
}

const parts: readonly Part[] = [
  {
    name: "head",
    parent: "pelvis",
    at: [0.6, 0.8, 0],
    mass: 1.46776461231,
    centre: [0, 0, 0],
    length: 0.3,
    pitch: -0.87,
    moments: [0.0337072, 0.00150018],
    joint: "weld",
  },
  {
    name: "back thigh",
    parent: "pelvis",
    at: [-0.5, 0.7, 0],
    mass: 1.53524804,
    centre: [0.1, -0.13, 0],
    length: 0.29,
    pitch: 3.8,
    moments: [0.033659, 0.00156758],
    joint: { lower: -0.52, upper: 1.05, stiffness: 240, damping: 0.6 },
  },
  {
    name: "back shin",
    parent: "back thigh",
    at: [-0.34, 0.45, 0],
    mass: 1.58093995,
    centre: [-0.14, -0.07, 0],
    length: 0.29,
    pitch: 2.03,
    moments: [0.0346608, 0.00161424],
    joint: { lower: -0.785, upper: 0.785, stiffness: 180, damping: 0.45 },
  },
  {
    name: "back foot",
    parent: "back shin",
    at: [-0.62, 0.31, 0],
    mass: 1.0691906,
    centre: [0.03, -0.097, 0],
    length: 0.188,
    pitch: 0.27,
    moments: [0.0131723, 0.00107555],
    joint: { lower: -0.4, upper: 0.785, stiffness: 120, damping: 0.3 },
  },
  {
    name: "front thigh",
    parent: "pelvis",
    at: [0.5, 0.7, 0],
    mass: 1.42558747,
    centre: [-0.07, -0.12, 0],
    length: 0.266,
    pitch: -0.52,
    moments: [0.0277954, 0.00145175],
    joint: { lower: -1, upper: 0.7, stiffness: 180, damping: 0.45 },
  },
  {
    name: "front shin",
    parent: "front thigh",
    at: [0.36, 0.46, 0],
    mass: 1.17885117,
    centre: [0.065, -0.09, 0],
    length: 0.212,
    pitch: 0.6,
    moments: [0.0169881, 0.00119125],
    joint: { lower: -1.2, upper: 0.87, stiffness: 120, damping: 0.3 },
  },
  {
    name: "front foot",
    parent: "front shin",
    at: [0.49, 0.28, 0],
    mass: 0.84986945,
    centre: [0.045, -0.07, 0],
    length: 0.14,
    pitch: 0.6,
    moments: [0.0071967, 0.000844379],
    joint: { lower: -0.5, upper: 0.5, stiffness: 60, damping: 0.15 },
  },
];

const pelvisAt: Vec3 = [0, 0.7, 0];

/**
 * A two-legged runner in the plane: x, y, pitch, then thigh, shin and foot of the back and the front leg; 9 degrees of
 * freedom. Torques act on the last seven.
 */
export function halfCheetah(effortLimit = 100): MechanismDescription {
  const carrier = (name: string, axis: Vec3, parent?: string): LinkDescription => ({
    name,
    ...(parent === undefined ? {} : { parent }),
    joint: {
      type: "prismatic",
      axis,
      effortLimit: 0,
      ...(parent === undefined ? { parentFrame: { position: pelvisAt } } : {}),
    },
    mass: 0.1,
    inertia: isotropicInertia(0.1),
  });
  const pelvis: LinkDescription = {
    name: "pelvis",
    parent: "carrier y",
    joint: { type: "revolute", axis: [0, 0, -1], effortLimit },
    mass: 4.89254870769,
    inertia: roundInertia(0.674441, 0.00511649),
    shapes: [{ shape: { type: "capsule", pointA: [-0.5, 0, 0], pointB: [0.5, 0, 0], radius } }],
  };
  const limbs = parts.map((part) => limb(part, effortLimit));
  return {
    name: "half-cheetah",
    links: [carrier("carrier x", [1, 0, 0]), carrier("carrier y", [0, 1, 0], "carrier x"), pelvis, ...limbs],
  };
}

function limb(part: Part, effortLimit: number): LinkDescription {
  const above = parts.find(({ name }) => name === part.parent)?.at ?? pelvisAt;
  const parentFrame = { position: [part.at[0] - above[0], part.at[1] - above[1], 0] } as const;
  const joint: JointDescription =
    part.joint === "weld"
      ? { type: "weld", parentFrame }
      : { type: "revolute", axis: [0, 0, -1], parentFrame, effortLimit, ...part.joint };
  // the capsule's axis z, turned about y by its pitch and then about x by a right angle
  const half = part.length / 2;
  const along = [half * Math.sin(part.pitch), -half * Math.cos(part.pitch)] as const;
  const [x, y] = part.centre;
  return {
    name: part.name,
    parent: part.parent,
    joint,
    mass: part.mass,
    centerOfMass: part.centre,
    inertia: roundInertia(...part.moments),
    shapes: [
      {
        shape: {
          type: "capsule",
          pointA: [x - along[0], y - along[1], 0],
          pointB: [x + along[0], y + along[1], 0],
          radius,
        },
      },
    ],
  };
}

/** The ground: its top at height zero. */
export function halfCheetahGround(friction = 1): LinkShape[] {
  const shape = { type: "box", halfExtents: [750, 0.025, 2.5] } as const;
  return [{ shape, position: [0, -0.025, 0], friction, name: "ground" }];
}
