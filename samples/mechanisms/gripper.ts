import type { MechanismDescription } from "../../src/index";

/** Half of the width of a finger [m]. */
export const FINGER = 0.01;

/**
 * A hand of two fingers that slide towards each other along x, on a slide along y that lifts them and one along z that shakes them.
 *
 * @param mass of a finger [kg]
 * @param gap between the fingers at the start [m]
 */
export function gripper(mass: number, gap: number): MechanismDescription {
  const finger = (name: string, side: number) => ({
    name,
    parent: "hand",
    mass,
    inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0] as const,
    joint: { type: "prismatic" as const, name, axis: [-side, 0, 0] as const },
    shapes: [
      {
        shape: { type: "box" as const, halfExtents: [FINGER, 0.05, 0.03] as const },
        position: [side * (gap / 2 + FINGER), 0, 0] as const,
        friction: 0.8,
      },
    ],
  });
  return {
    name: "gripper",
    links: [
      { name: "carriage", mass: 1, joint: { type: "prismatic", name: "shake", axis: [0, 0, 1] } },
      { name: "hand", parent: "carriage", mass: 1, joint: { type: "prismatic", name: "lift", axis: [0, 1, 0] } },
      finger("left", -1),
      finger("right", 1),
    ],
  };
}
