/** A figure of capsules on a simple skeleton, which dances on the spot: its parts, and the motion of its bones. */
import type { ColliderShape, Quat, Vec3 } from "../src/index";
import { product } from "../src/math/quaternions";
import { figureSkin } from "./figure-skin";
import type { BonePose, FigureDescription } from "./scene";

/** A bone: one or several capsules, in the frame of its joint. */
interface BoneDescription {
  readonly name: BoneName;
  readonly parent?: BoneName;
  /** joint in the frame of the parent's, m */
  readonly offset: Vec3;
  readonly shape: ColliderShape;
  /** rotation of the joint at a phase [rad] of the dance; in one period every arm and leg swings once */
  readonly turnAt: (phase: number) => Quat;
}

export type BoneName =
  | "pelvis"
  | "spine"
  | "chest"
  | "head"
  | "upperArmL"
  | "upperArmR"
  | "forearmL"
  | "forearmR"
  | "thighL"
  | "thighR"
  | "shinL"
  | "shinR";

const { sin, cos, PI } = Math;

const aboutX = (angle: number): Quat => [sin(angle / 2), 0, 0, cos(angle / 2)];
const aboutY = (angle: number): Quat => [0, sin(angle / 2), 0, cos(angle / 2)];
const aboutZ = (angle: number): Quat => [0, 0, sin(angle / 2), cos(angle / 2)];

const capsule = (pointA: Vec3, pointB: Vec3, radius: number): ColliderShape => ({
  type: "capsule",
  pointA,
  pointB,
  radius,
});
const across = (half: number, y: number, radius: number): ColliderShape => capsule([-half, y, 0], [half, y, 0], radius);
const joined = (...shapes: ColliderShape[]): ColliderShape => ({
  type: "container",
  children: shapes.map((shape) => ({ shape })),
});

/** `side` is 1 for the left arm and leg, which are at positive x, and −1 for the right ones. */
function limbs(side: 1 | -1): BoneDescription[] {
  const s = side === 1 ? "L" : "R";
  const swing = (phase: number): number => side * sin(phase);
  return [
    {
      name: `upperArm${s}`,
      parent: "chest",
      offset: [side * 0.205, 0.205, 0],
      shape: capsule([0, -0.02, 0], [0, -0.26, 0], 0.042),
      // away from the body, and to and fro
      turnAt: (phase) => product(aboutX(0.45 * swing(phase)), aboutZ(side * (0.3 + 0.06 * sin(2 * phase)))),
    },
    {
      name: `forearm${s}`,
      parent: `upperArm${s}`,
      offset: [0, -0.28, 0],
      shape: joined(capsule([0, 0, 0], [0, -0.23, 0], 0.034), capsule([0, -0.27, 0], [0, -0.31, 0], 0.04)),
      turnAt: (phase) => aboutX(-0.7 - 0.35 * swing(phase)),
    },
    {
      name: `thigh${s}`,
      parent: "pelvis",
      offset: [side * 0.085, -0.04, 0],
      shape: capsule([0, -0.01, 0], [0, -0.4, 0], 0.068),
      turnAt: (phase) => aboutX(-0.28 * swing(phase) - 0.1),
    },
    {
      name: `shin${s}`,
      parent: `thigh${s}`,
      offset: [0, -0.42, 0],
      shape: joined(capsule([0, 0, 0], [0, -0.36, 0], 0.05), capsule([0, -0.41, 0], [0, -0.42, 0.12], 0.036)),
      turnAt: (phase) => aboutX(0.2 + 0.3 * (1 + side * cos(phase))),
    },
  ];
}

/** Bones, parents before their children. The torso is narrow from front to back: its capsules lie across. */
const bones: readonly BoneDescription[] = [
  {
    name: "pelvis",
    offset: [0, 0.95, 0],
    shape: joined(across(0.064, 0, 0.098), across(0.06, 0.06, 0.095)),
    turnAt: (phase) => product(aboutY(0.2 * sin(phase)), aboutZ(0.1 * sin(phase))),
  },
  {
    name: "spine",
    parent: "pelvis",
    offset: [0, 0.11, 0],
    shape: joined(across(0.055, 0, 0.092), across(0.055, 0.06, 0.09)),
    turnAt: (phase) => product(aboutY(-0.2 * sin(phase)), aboutZ(-0.12 * sin(phase))),
  },
  {
    name: "chest",
    parent: "spine",
    offset: [0, 0.14, 0],
    shape: joined(
      across(0.06, 0, 0.097),
      across(0.065, 0.07, 0.1),
      across(0.075, 0.13, 0.088),
      capsule([0.03, 0.253, 0], [0.19, 0.218, 0], 0.036),
      capsule([-0.03, 0.253, 0], [-0.19, 0.218, 0], 0.036),
    ),
    turnAt: (phase) =>
      product(aboutY(-0.22 * sin(phase)), product(aboutZ(-0.1 * sin(phase)), aboutX(0.06 * sin(2 * phase)))),
  },
  {
    name: "head",
    parent: "chest",
    offset: [0, 0.24, 0],
    shape: joined(capsule([0, 0, 0], [0, 0.13, 0.01], 0.05), capsule([0, 0.2, 0.015], [0, 0.25, 0.015], 0.088)),
    turnAt: (phase) => product(aboutY(0.2 * sin(phase)), aboutX(0.05 * sin(2 * phase))),
  },
  ...limbs(1),
  ...limbs(-1),
];

/** Time in which the figure starts to move at full strength [s]. */
const START = 1;

/** The standing figure before it dances: arms and legs hang down. */
export function dancer(friction: number): FigureDescription {
  const still = dancePoses(0, 0, 0);
  const described = bones.map(({ name, parent, shape }) => ({
    name,
    shape,
    rest: still[name],
    ...(parent !== undefined && { parent }),
  }));
  return { name: "dancer", bones: described, friction, material: "porcelain", skin: () => figureSkin(described) };
}

/**
 * Poses of the bones at a time [s], in the frames of their parents; at 0 nothing moves.
 *
 * @param tempo swings per second
 * @param vigour scale of all rotations: 1 is as written above, 0 stands still
 */
export function dancePoses(time: number, tempo: number, vigour: number): Record<BoneName, BonePose> {
  const strength = vigour * Math.min(1, time / START) ** 2 * (3 - 2 * Math.min(1, time / START));
  const phase = 2 * PI * tempo * time;
  const poses = {} as Record<BoneName, BonePose>;
  for (const { name, parent, offset, turnAt } of bones) {
    const [x, y, z] = offset;
    const sway = parent === undefined ? strength : 0;
    const position: Vec3 = [x + sway * 0.04 * sin(phase), y + sway * 0.015 * cos(2 * phase), z];
    poses[name] = { position, rotation: between(turnAt(0), turnAt(phase), strength) };
  }
  return poses;
}

/** Interpolates between two rotations. */
function between(from: Quat, to: Quat, share: number): Quat {
  const sign = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3] < 0 ? -1 : 1;
  const q = from.map((value, i) => value + share * (sign * to[i] - value));
  const length = Math.hypot(...q);
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}
