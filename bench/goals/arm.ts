import type { LinkDescription, LinkShape, MechanismDescription } from "../../src/articulated/description";
import type { Vec3 } from "../../src/math/types";

/** Length, radius and mass of each link of the arm, and the largest torque of its joint. */
const links: readonly (readonly [length: number, radius: number, mass: number, effort: number])[] = [
  [0.16, 0.07, 3.5, 180],
  [0.19, 0.065, 3.5, 180],
  [0.21, 0.06, 3, 110],
  [0.19, 0.055, 2.5, 110],
  [0.21, 0.05, 1.8, 80],
  [0.1, 0.045, 1.4, 40],
  [0.06, 0.04, 0.5, 40],
];

/** Angles at which the arm is bent over the table. */
export const startAngles = [0, 0.5, 0, 1.4, 0, 1.1, 0] as const;

/** The links of an arm of seven hinges with axes up and sideways in turn, 1.1 m long when stretched; the last is "hand". */
export function armLinks(handShapes: readonly LinkShape[] = []): LinkDescription[] {
  return links.map(([length, radius, mass, effort], i): LinkDescription => {
    const across = mass * (length ** 2 / 12 + radius ** 2 / 4);
    const along = 0.5 * mass * radius ** 2;
    const isLast = i === links.length - 1;
    return {
      name: nameOf(i),
      ...(i === 0 ? {} : { parent: nameOf(i - 1) }),
      mass,
      centerOfMass: [0, length / 2, 0],
      inertia: [across, along, across, 0, 0, 0],
      joint: {
        name: `joint ${i + 1}`,
        type: "revolute",
        axis: i % 2 === 0 ? [0, 1, 0] : [0, 0, -1],
        parentFrame: { position: [0, i === 0 ? 0 : links[i - 1][0], 0] },
        lower: i % 2 === 0 ? -2.9 : -2,
        upper: i % 2 === 0 ? 2.9 : 2,
        damping: 0.5,
        armature: 0.05,
        effortLimit: effort,
        initialPosition: startAngles[i],
      },
      ...(isLast ? { shapes: handShapes } : {}),
    };
  });
}

function nameOf(i: number): string {
  return i === links.length - 1 ? "hand" : `link ${i + 1}`;
}

/** The flange of the hand, in its axes [m]. */
export const FLANGE: Vec3 = [0, 0.06, 0];

export function arm(): MechanismDescription {
  return { name: "arm of seven joints", links: armLinks() };
}
