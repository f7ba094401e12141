import type { JointType } from "../description";

/** Number of coordinates of each kind of joint. */
export const degreesOfFreedom: Readonly<Record<JointType, number>> = {
  weld: 0,
  revolute: 1,
  prismatic: 1,
  screw: 1,
  universal: 2,
  euler: 3,
  ball: 3,
  planar: 3,
  "translational-2d": 2,
  translational: 3,
  free: 6,
};
