import type {
  BodyModel,
  BodyOptions,
  JointOptions,
  MechanismDescription,
  RigidBodyOptions,
  Vec3,
} from "../../src/index";
import type { Random } from "./random";

/** A joint between bodies of the scene, by their numbers. */
export interface JointData extends Omit<JointOptions, "bodyA" | "bodyB"> {
  readonly a: number;
  readonly b: number;
}

export interface SoftData {
  readonly model: BodyModel;
  readonly options?: BodyOptions;
  /** velocity of the whole body at the start [m/s] */
  readonly velocity?: Vec3;
}

/** A mechanism in generalized coordinates, without ground: only gravity acts on it. */
export interface MechanismData {
  readonly mechanism: MechanismDescription;
  /** velocities of all coordinates at the start */
  readonly q: readonly number[];
  readonly qd: readonly number[];
}

/** The full description of a scene; families draw it from a seed. */
export interface SceneData {
  /** size of its things [m], the unit of depths and the scale of rest */
  readonly size: number;
  readonly gravity: Vec3;
  /** [s] */
  readonly timeStep: number;
  /** number of steps */
  readonly frames: number;
  /** there is ground with its top at height 0, and nothing may go below it */
  readonly floor?: boolean;
  /** nothing holds or drags the scene: its momentum is conserved */
  readonly isFree?: boolean;
  readonly bodies?: readonly RigidBodyOptions[];
  readonly joints?: readonly JointData[];
  readonly softs?: readonly SoftData[];
  readonly mechanisms?: readonly MechanismData[];
}

/** A family: one kind of scene. */
export interface Family {
  readonly name: string;
  /** whether parts of it are solved on a GPU, if there is one */
  readonly hasGpu: boolean;
  draw(random: Random): SceneData;
}
