import { checkFinite } from "../../checks";
import { invalid, nonFinite } from "../../errors";
import { checkNames, optionNames } from "../../option-names";
import type { Vec3 } from "../../math/types";
import { checkCoefficient } from "../contact/part";
import type { SelfCollision } from "../contact/detect";
import type { ActuatorDescription } from "../actuators/description";
import type { LinkShape } from "../description";

/** Options of an `ArticulatedSimulation`. */
export interface SimulationOptions {
  /** Δt [s], positive. Default 0.001. */
  readonly timeStep?: number;
  /** [m/s²]. Default (0, -9.81, 0). */
  readonly gravity?: Vec3;
  /** Immovable shapes of the world. Default none. */
  readonly ground?: readonly LinkShape[];
  /** Default Coulomb coefficient of shapes. Default 1. The smaller coefficient of two touching shapes counts. */
  readonly friction?: number;
  /**
   * Bound of friction. "pyramid": in each of two directions that are fixed to the world, so things slide with up to √2 times the friction, and
   * turn toward a diagonal. "round": Coulomb's cone. It costs some more solutions of a step in which something slides. Default "pyramid".
   */
  readonly frictionCone?: "pyramid" | "round";
  /** Default coefficient of restitution of shapes, 0 to 1. Default 0. The coefficients of two shapes are multiplied. */
  readonly restitution?: number;
  /** Normal speed [m/s] below which a contact does not bounce. Default 0.01. */
  readonly bounceThreshold?: number;
  /**
   * Whether joint limits are enforced. "ahead": joints stop at the limit itself, and not after the first step beyond it. So the state after
   * a step does not jump with the time at which a limit is reached, which suits optimizers. Default false.
   */
  readonly limits?: boolean | "ahead";
  /**
   * Part of the depth of penetration, and of the violation of a limit, that a step removes, 0 to 1. Default 0: contacts
   * keep their depth.
   */
  readonly penetrationCorrection?: number;
  /**
   * Greatest speed [m/s or rad/s] at which that part is removed, positive: what starts deep in a thing comes out slowly. Default Infinity.
   */
  readonly correctionSpeed?: number;
  /** The links of a tree that collide with each other. Default "none". */
  readonly selfCollision?: SelfCollision;
  /** Added to the diagonal of A [m/s per N s] if a contact problem has no other solution. Default 1e-4. */
  readonly softening?: number;
  /**
   * Derivatives through bounces: "time-of-collision" (paper 4, section 6, here also for velocities) takes into account
   * that a closer obstacle is hit sooner; "discrete" differentiates the step as it is. Default "time-of-collision".
   */
  readonly bounceGradients?: "time-of-collision" | "discrete";
  /**
   * Derivative of a contact that neither pushes nor moves (tied, paper 4, 4.2). Both one-sided derivatives are valid:
   * the contact is treated as "separating" or "clamping". Default "separating".
   */
  readonly tiedContacts?: "separating" | "clamping";
  /**
   * "parts": steps in which links turn much are divided into parts of second or fourth order, unless there is a contact
   * or a reached limit. "whole": all steps are of first order, and smooth when contacts appear and disappear, which
   * suits optimizers. Default "parts".
   */
  readonly fastMotion?: "parts" | "whole";
  /** Motors and servos, in addition to forces on the coordinates. Default none. */
  readonly actuators?: readonly ActuatorDescription[];
}

export const simulationOptionNames = optionNames<SimulationOptions>()(`
  timeStep gravity ground friction frictionCone restitution bounceThreshold limits penetrationCorrection correctionSpeed selfCollision softening
  bounceGradients tiedContacts fastMotion actuators
`);

/** The options with all defaults filled in. */
export type CheckedOptions = { -readonly [K in keyof SimulationOptions]-?: SimulationOptions[K] };

/**
 * @param object for messages
 * @throws PliantError `invalid-argument` or `non-finite`
 */
export function checkOptions(options: SimulationOptions, object = "ArticulatedSimulation"): CheckedOptions {
  checkNames(object, options, simulationOptionNames);
  const timeStep = options.timeStep ?? 0.001;
  checkFinite(timeStep, `${object}.timeStep`);
  if (timeStep <= 0) throw invalid(`${object}.timeStep`, timeStep, "must be positive");
  const gravity = options.gravity ?? [0, -9.81, 0];
  if (gravity.length !== 3 || !gravity.every(Number.isFinite))
    throw nonFinite(`${object}.gravity`, gravity, "must be three finite numbers");
  const { correctionSpeed = Infinity } = options;
  if (!(correctionSpeed > 0)) throw invalid(`${object}.correctionSpeed`, correctionSpeed, "must be positive");
  const selfCollision = choice(options.selfCollision, ["none", "distant"], `${object}.selfCollision`);
  return {
    timeStep,
    gravity,
    selfCollision,
    ground: options.ground ?? [],
    friction: checkCoefficient(options.friction ?? 1, Infinity, `${object}.friction`),
    frictionCone: choice(options.frictionCone, ["pyramid", "round"], `${object}.frictionCone`),
    restitution: checkCoefficient(options.restitution ?? 0, 1, `${object}.restitution`),
    bounceThreshold: checkCoefficient(options.bounceThreshold ?? 0.01, Infinity, `${object}.bounceThreshold`),
    limits: options.limits ?? false,
    penetrationCorrection: checkCoefficient(options.penetrationCorrection ?? 0, 1, `${object}.penetrationCorrection`),
    correctionSpeed,
    softening: checkCoefficient(options.softening ?? 1e-4, Infinity, `${object}.softening`),
    bounceGradients: choice(options.bounceGradients, ["time-of-collision", "discrete"], `${object}.bounceGradients`),
    tiedContacts: choice(options.tiedContacts, ["separating", "clamping"], `${object}.tiedContacts`),
    fastMotion: choice(options.fastMotion, ["parts", "whole"], `${object}.fastMotion`),
    actuators: options.actuators ?? [],
  };
}

/** The value, or the first one of the list if it is omitted. */
function choice<T extends string>(value: T | undefined, list: readonly [T, ...T[]], object: string): T {
  if (value === undefined) return list[0];
  if (list.includes(value)) return value;
  throw invalid(object, value, `must be one of ${list.map((x) => `"${x}"`).join(", ")}`);
}
