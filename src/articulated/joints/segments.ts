/**
 * Every joint is compiled to a chain of consecutive segments in the joint frame: turns, slides and screws with one
 * coordinate each about a fixed axis of the frame moved by the earlier segments, and rotations by a rotation vector
 * with three coordinates. So no joint needs its own code at run time.
 */
import { cross, normalised } from "../../math/vectors";
import { invalid } from "../../errors";
import type { Vec3 } from "../../math/types";
import type { JointDescription } from "../description";

export const segmentKind = { turn: 0, slide: 1, screw: 2, rotationVector: 3 } as const;

/** A part of a joint. */
export interface Segment {
  readonly kind: (typeof segmentKind)[keyof typeof segmentKind];
  /** index of the segment's (first) coordinate in the joint */
  readonly coordinate: number;
  /** unit vector; unused by a rotation vector */
  readonly axis: Vec3;
  /** advance of a screw [m/rad] */
  readonly pitch: number;
}

const { turn, slide, screw, rotationVector } = segmentKind;
const x: Vec3 = [1, 0, 0];
const y: Vec3 = [0, 1, 0];
const z: Vec3 = [0, 0, 1];
const unit: Readonly<Record<string, Vec3>> = { x, y, z };

/**
 * @param joint a validated description
 * @param object name of the joint, for errors
 * @throws PliantError `invalid-argument` if two axes are parallel, or not at a required right angle
 */
export function segmentsOf(joint: JointDescription, object: string): Segment[] {
  switch (joint.type) {
    case "weld":
      return [];
    case "revolute":
      return [segment(turn, 0, normalised(joint.axis ?? z))];
    case "prismatic":
      return [segment(slide, 0, normalised(joint.axis ?? z))];
    case "screw":
      return [segment(screw, 0, normalised(joint.axis ?? z), joint.pitch ?? 0)];
    case "universal": {
      const [first, second] = twoAxes(joint, object, false);
      return [segment(turn, 0, first), segment(turn, 1, second)];
    }
    case "euler":
      return [...(joint.order ?? "xyz")].map((letter, index) => segment(turn, index, unit[letter]));
    case "ball":
      return [segment(rotationVector, 0, z)];
    case "planar": {
      const [first, second] = twoAxes(joint, object, true);
      return [segment(slide, 0, first), segment(slide, 1, second), segment(turn, 2, cross(first, second))];
    }
    case "translational-2d": {
      const [first, second] = twoAxes(joint, object, true);
      return [segment(slide, 0, first), segment(slide, 1, second)];
    }
    case "translational":
      return [segment(slide, 0, x), segment(slide, 1, y), segment(slide, 2, z)];
    case "free":
      // the displacement comes before the rotation, so that it is along the axes of the joint frame
      return [segment(slide, 3, x), segment(slide, 4, y), segment(slide, 5, z), segment(rotationVector, 0, z)];
  }
}

function segment(kind: Segment["kind"], coordinate: number, axis: Vec3, pitch = 0): Segment {
  return { kind, coordinate, axis, pitch };
}

function twoAxes(joint: JointDescription, object: string, rightAngle: boolean): [Vec3, Vec3] {
  const first = normalised(joint.axis ?? x);
  const second = normalised(joint.secondAxis ?? y);
  const cosine = Math.abs(first[0] * second[0] + first[1] * second[1] + first[2] * second[2]);
  if (cosine > (rightAngle ? 1e-6 : 1 - 1e-9)) {
    const rule = rightAngle ? "must be at a right angle to the first axis" : "must not be parallel to the first axis";
    throw invalid(`${object}.secondAxis`, joint.secondAxis ?? y, rule);
  }
  return [first, second];
}
