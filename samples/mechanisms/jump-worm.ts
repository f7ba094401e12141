import type { LinkDescription, LinkShape, MechanismDescription } from "../../src/articulated/description";
import { isotropicInertia, scriptDegrees } from "./solids";

/** Time step of the published scene [s]. */
export const jumpWormTimeStep = 0.001;

export interface JumpWormOptions {
  /** Start height of the root [m]. Default −0.1. */
  readonly rootHeight?: number;
  /** Limits of the hinges [rad]. Default −270° and 270°. */
  readonly lower?: number;
  readonly upper?: number;
  /** Bound on the hinges' torques [N·m]. Default 100. */
  readonly effortLimit?: number;
  /** Friction of the links. Default 1. */
  readonly friction?: number;
}

/** A root that slides in the plane, and three links hinged in a row: 5 degrees of freedom, the first two unactuated. */
export function jumpWorm(options: JumpWormOptions = {}): MechanismDescription {
  const { rootHeight = -0.1, friction = 1 } = options;
  const root: LinkDescription = {
    name: "root",
    joint: {
      type: "translational-2d",
      initialPosition: [0, rootHeight],
      effortLimit: 0,
      velocityLimit: 1000,
    },
    mass: 1,
    inertia: isotropicInertia(1),
    shapes: [{ shape: { type: "box", halfExtents: [0.05, 0.05, 0.05] }, friction }],
  };
  const { lower = -scriptDegrees(270), upper = scriptDegrees(270), effortLimit = 100 } = options;
  const segments = [90, 90, 45].map((angle, i) =>
    segment(`segment ${i + 1}`, i === 0 ? "root" : `segment ${i}`, {
      at: i === 0 ? 0 : 0.125,
      angle: scriptDegrees(angle),
      limits: [lower, upper],
      effortLimit,
      friction,
    }),
  );
  return { name: "jump-worm", links: [root, ...segments] };
}

export interface SegmentOptions {
  /** Height of the hinge in the parent [m]. */
  readonly at: number;
  /** Start angle [rad]. */
  readonly angle: number;
  readonly limits: readonly [number, number];
  readonly effortLimit: number;
  readonly velocityLimit?: number;
  readonly friction: number;
}

/** A box 0.25 m long, hinged about z at its lower end. */
export function segment(name: string, parent: string, options: SegmentOptions): LinkDescription {
  return {
    name,
    parent,
    joint: {
      type: "revolute",
      axis: [0, 0, 1],
      parentFrame: { position: [0, options.at, 0] },
      childFrame: { position: [0, -0.125, 0] },
      lower: options.limits[0],
      upper: options.limits[1],
      effortLimit: options.effortLimit,
      ...(options.velocityLimit === undefined ? {} : { velocityLimit: options.velocityLimit }),
      initialPosition: options.angle,
    },
    mass: 1,
    inertia: isotropicInertia(1),
    shapes: [{ shape: { type: "box", halfExtents: [0.025, 0.125, 0.025] }, friction: options.friction }],
  };
}

/**
 * The floor: a box 2.5 × 0.25 × 0.5 m.
 *
 * @param height of its center [m]: −0.56 in the published tests, −0.7 in the published example
 */
export function jumpWormFloor(height = -0.56, friction = 1): LinkShape[] {
  const shape = { type: "box", halfExtents: [1.25, 0.125, 0.25] } as const;
  return [{ shape, position: [0, height, 0], friction, name: "floor" }];
}
