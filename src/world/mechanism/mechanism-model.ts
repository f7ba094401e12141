import type { MechanismDescription } from "../../articulated/description";
import { ArticulatedSimulation } from "../../articulated/step/simulation";
import type { SimulationOptions } from "../../articulated/step/options";
import { invalid } from "../../errors";
import type { RigidBodyOptions } from "../rigid/body-options";
import type { RigidWorld } from "../rigid/rigid-world";
import { Mechanism } from "./mechanism";

/** Options of a mechanism in a world: gravity is the world's, and contacts are among all bodies. */
export interface MechanismOptions extends Omit<SimulationOptions, "timeStep" | "gravity"> {
  /** longest time step [s]; a step of the world is divided evenly. Default 1/480 */
  readonly maxTimeStep?: number | undefined;
  /** bodies that its links meet: rigid ones, deformable ones, "none" or "all" (default) */
  readonly meets?: RigidBodyOptions["meets"] | "none";
}

/** The model that `World.addMechanism` takes. */
export interface MechanismModel {
  readonly name: string;
  /** @internal */
  join(rigid: RigidWorld, isHeardLate: boolean): Mechanism;
}

/**
 * Links and joints in generalized coordinates, as in `ArticulatedSimulation`; joints keep their limits by default.
 *
 * @throws PliantError for a mechanism or options that are not valid
 */
export function mechanismModel(description: MechanismDescription, options: MechanismOptions = {}): MechanismModel {
  const { maxTimeStep = 1 / 480, meets = "all", ...rest } = options;
  const object = `mechanism "${description.name}"`;
  if (!(Number.isFinite(maxTimeStep) && maxTimeStep > 0))
    throw invalid(`${object}.maxTimeStep`, maxTimeStep, "must be positive");
  const make = (): ArticulatedSimulation =>
    new ArticulatedSimulation(description, { limits: true, penetrationCorrection: 0.1, ...rest });
  make();
  return {
    name: description.name,
    join: (rigid, isHeardLate) => new Mechanism({ simulation: make(), maxTimeStep, meets, isHeardLate }, rigid),
  };
}
