import type { MechanismDescription, Quat, Vec3 } from "../../src/index";
import { turn } from "../../src/math/quaternions";

/** Half of the side of the pan, its thickness, and the height of its rim [m]. */
export const scalePan = { half: 0.09, thickness: 0.01, rim: 0.008 } as const;
/** Mass of the pan with its rod [kg], and of the needle [kg]. */
const [PAN, NEEDLE] = [0.3, 0.005];
/** Damping of the pan [N s/m], and depth of the middle of the dial below the pan [m]. */
const [DAMPING, DIAL] = [15, 0.06];

/** Turn of the needle for a way of the pan: a kilogram turns it once about with a spring of this many N/m [rad/m]. */
export function needleRatio(spring: number, gravity: number): number {
  return (2 * Math.PI * spring) / gravity;
}

/**
 * A mechanical scale: the pan goes down a rod against a spring, and a rack on the rod turns the needle. The dial is beside the pan.
 *
 * @param top middle of the top of the pan when nothing lies on it [m]
 * @param rotation about y: the dial is on the side of x in these axes
 * @param spring stiffness [N/m]
 */
export function scale(top: Vec3, rotation: Quat, spring: number, gravity: number): MechanismDescription {
  const { half, thickness, rim } = scalePan;
  const wall = 0.004;
  const box = (x: number, y: number, z: number) => ({ type: "box", halfExtents: [x / 2, y / 2, z / 2] }) as const;
  const [dialX, , dialZ] = turn(rotation, [half + 0.015, 0, 0]);
  const sides = [-1, 1];
  return {
    name: "scale",
    links: [
      {
        name: "pan",
        mass: PAN,
        inertia: [1.5e-3, 3e-3, 1.5e-3, 0, 0, 0],
        joint: {
          type: "prismatic",
          axis: [0, 1, 0],
          parentFrame: { position: top, rotation },
          stiffness: spring,
          damping: DAMPING,
          // Its spring carries the empty pan at 0.
          restPosition: (PAN * gravity) / spring,
        },
        shapes: [
          { shape: box(2 * half, thickness, 2 * half), position: [0, -thickness / 2, 0] },
          ...sides.flatMap((side) => [
            { shape: box(wall, rim, 2 * half), position: [side * (half - wall / 2), rim / 2, 0] as const },
            { shape: box(2 * half, rim, wall), position: [0, rim / 2, side * (half - wall / 2)] as const },
          ]),
        ],
      },
      {
        name: "needle",
        mass: NEEDLE,
        inertia: [1e-6, 1e-6, 1e-6, 0, 0, 0],
        joint: {
          type: "revolute",
          axis: [1, 0, 0],
          parentFrame: { position: [top[0] + dialX, top[1] - DIAL, top[2] + dialZ], rotation },
        },
        shapes: [{ shape: box(0.003, 0.04, 0.003), position: [0, 0.016, 0] }],
      },
    ],
    couplings: [{ joint: "needle", driver: "pan", coefficients: [0, needleRatio(spring, gravity)] }],
  };
}
