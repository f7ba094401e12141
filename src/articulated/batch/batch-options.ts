import { checkFinite, checkList } from "../../checks";
import { invalid } from "../../errors";
import { checkNames, optionNames } from "../../option-names";
import type { Vec3 } from "../../math/types";
import { norm } from "../../math/vectors";
import type { LinkShape } from "../description";
import { checkCoefficient } from "../contact/part";
import { checkOptions, type CheckedOptions, type SimulationOptions } from "../step/options";

/** Half of space that links do not enter. */
export interface GroundPlane {
  /** Points out of the ground, of any length. Default (0, 1, 0). */
  readonly normal?: Vec3;
  /** Of the plane along the normal [m]. Default 0. */
  readonly height?: number;
  /** Coulomb's coefficient, by default the `friction` of the batch. */
  readonly friction?: number;
  /** Coefficient of restitution, from 0 to 1, by default the `restitution` of the batch. */
  readonly restitution?: number;
}

/** Options of a `BatchSimulation`; those that `SimulationOptions` has too have the same meaning and defaults. */
export interface BatchOptions extends Pick<
  SimulationOptions,
  | "gravity"
  | "friction"
  | "frictionCone"
  | "restitution"
  | "bounceThreshold"
  | "limits"
  | "penetrationCorrection"
  | "fastMotion"
  | "actuators"
  | "selfCollision"
> {
  /** number of copies */
  readonly worlds: number;
  /** [s] */
  readonly timeStep: number;
  /** Planes that the shapes of the links touch. Default none. */
  readonly ground?: readonly GroundPlane[];
  /** Immovable convex shapes that links touch; a mesh counts as its hull. Default none. */
  readonly obstacles?: readonly LinkShape[];
  /**
   * Greatest number of times that a step improves the forces of limits and contacts (Gauss-Seidel, from those of the last step). It ends
   * earlier where they are found. Default 50.
   */
  readonly sweeps?: number;
  /**
   * Invocations of the GPU that step a world: 1, or a workgroup of 32 that share its links, contacts and rows. "auto", the default, takes
   * 32 for mechanisms of more than 12 coordinates, or with more than 16 places where contacts may be, unless the GPU is a program on the
   * CPU.
   */
  readonly lanes?: 1 | 32 | "auto";
  /** source of a device, default `navigator.gpu` */
  readonly gpu?: GPU | undefined;
  /** a device to share, such as Babylon's; by default the simulation requests one of its own */
  readonly device?: GPUDevice | undefined;
}

const batchOptionNames = optionNames<BatchOptions>()(`
  worlds timeStep gravity friction frictionCone restitution bounceThreshold limits penetrationCorrection fastMotion actuators
  selfCollision ground obstacles sweeps lanes gpu device
`);

const planeNames = optionNames<GroundPlane>()("normal height friction restitution");

/** The options with all defaults filled in. */
export interface CheckedBatchOptions extends Omit<CheckedOptions, "ground"> {
  readonly worlds: number;
  readonly sweeps: number;
  readonly lanes: 1 | 32 | "auto";
  readonly obstacles: readonly LinkShape[];
  readonly planes: readonly Required<GroundPlane>[];
}

/** @throws PliantError for an option that is unknown, of the wrong type or out of range */
export function checkBatchOptions(options: BatchOptions): CheckedBatchOptions {
  const object = "BatchSimulation";
  checkNames(object, options, batchOptionNames);
  const { worlds, timeStep, sweeps = 50, lanes = "auto", ground = [], obstacles = [], ...rest } = options;
  const { gpu: _gpu, device: _device, ...shared } = rest;
  for (const [name, value] of Object.entries({ worlds, sweeps }))
    if (!(Number.isInteger(value) && value > 0))
      throw invalid(`${object}.${name}`, value, "must be a positive whole number");
  if (![1, 32, "auto"].includes(lanes)) throw invalid(`${object}.lanes`, lanes, 'must be 1, 32 or "auto"');
  const checked = checkOptions({ ...shared, timeStep: timeStep ?? NaN }, object);
  for (const [name, list] of Object.entries({ ground, obstacles })) checkList(list, `${object}.${name}`);
  const { friction, restitution } = checked;
  const planes = ground.map((plane, i) => checkPlane(plane, friction, restitution, `${object}.ground[${i}]`));
  return { ...checked, worlds, sweeps, lanes, obstacles, planes };
}

function checkPlane(plane: GroundPlane, friction: number, restitution: number, object: string): Required<GroundPlane> {
  checkNames(object, plane, planeNames);
  const { normal = [0, 1, 0], height = 0 } = plane;
  const length = normal.length === 3 ? norm(normal) : NaN;
  if (!(length > 0 && Number.isFinite(length)))
    throw invalid(`${object}.normal`, normal, "must be a vector of some length");
  checkFinite(height, `${object}.height`);
  return {
    normal: [normal[0] / length, normal[1] / length, normal[2] / length],
    height,
    friction: checkCoefficient(plane.friction ?? friction, Infinity, `${object}.friction`),
    restitution: checkCoefficient(plane.restitution ?? restitution, 1, `${object}.restitution`),
  };
}
