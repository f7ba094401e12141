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
  /** of all of it at the start [m/s] */
  readonly velocity?: Vec3;
}

/** A mechanism in generalised coordinates, without ground: nothing but gravity acts on it. */
export interface MechanismData {
  readonly mechanism: MechanismDescription;
  /** of all coordinates at the start */
  readonly q: readonly number[];
  readonly qd: readonly number[];
}

/** All that there is to say about a scene; families draw it from a seed. */
export interface SceneData {
  /** how large its things are [m]: what is a depth and what is rest is said in this */
  readonly size: number;
  readonly gravity: Vec3;
  /** [s] */
  readonly timeStep: number;
  /** steps */
  readonly frames: number;
  /** there is ground, with its top at height 0, from where nothing may go below */
  readonly floor?: boolean;
  /** nothing holds it or drags at it: its momentum stays */
  readonly isFree?: boolean;
  readonly bodies?: readonly RigidBodyOptions[];
  readonly joints?: readonly JointData[];
  readonly softs?: readonly SoftData[];
  readonly mechanisms?: readonly MechanismData[];
}

/** One kind of scene. */
export interface Family {
  readonly name: string;
  /** whether it has what is solved on a GPU, where there is one */
  readonly hasGpu: boolean;
  draw(random: Random): SceneData;
}
