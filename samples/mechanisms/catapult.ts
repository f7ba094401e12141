import type { LinkShape, MechanismDescription } from "../../src/articulated/description";
import { segment } from "./jump-worm";
import { isotropicInertia, scriptDegrees } from "./solids";

/** Time step of the published scene [s]. */
export const catapultTimeStep = 0.001;
/** Target of the projectile [m]. */
export const catapultTarget = [2.2, 2.2] as const;

/** A box that slides in the plane and an arm of three hinged links that throws it: 5 degrees of freedom. */
export function catapult(projectileHeight = 0.1): MechanismDescription {
  const arm = [45, 0, 45].map((angle, i) =>
    segment(`arm ${i + 1}`, i === 0 ? "base" : `arm ${i}`, {
      at: i === 0 ? 0 : 0.125,
      angle: scriptDegrees(angle),
      limits: [0, scriptDegrees(180)],
      effortLimit: 1000,
      velocityLimit: 1e4,
      friction: 1,
    }),
  );
  return {
    name: "catapult",
    links: [
      {
        name: "projectile",
        joint: { type: "translational-2d", initialPosition: [0, projectileHeight], effortLimit: 0 },
        mass: 1,
        inertia: isotropicInertia(1),
        shapes: [{ shape: { type: "box", halfExtents: [0.05, 0.05, 0.05] }, friction: 1 }],
      },
      {
        name: "base",
        joint: { type: "weld", parentFrame: { position: [0.5, -0.45, 0] } },
        mass: 1,
        inertia: isotropicInertia(1),
      },
      ...arm,
    ],
  };
}

/** The floor: a box 3.5 × 0.25 × 0.5 m. */
export function catapultFloor(): LinkShape[] {
  const shape = { type: "box", halfExtents: [1.75, 0.125, 0.25] } as const;
  return [{ shape, position: [1.2, -0.7, 0], friction: 1, name: "floor" }];
}
