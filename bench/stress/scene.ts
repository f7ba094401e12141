import type {
  AttachmentOptions,
  BodyModel,
  BodyOptions,
  JointOptions,
  MechanismDescription,
  Push,
  RigidBodyChanges,
  RigidBodyOptions,
  Vec3,
  WindFieldOptions,
  WindZoneOptions,
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

/** Vertices of a soft body that a rigid one, or vertices of another soft one, carry, by their numbers. */
export interface AttachmentData extends Pick<AttachmentOptions, "compliance" | "breakingForce"> {
  readonly soft: number;
  readonly vertices: readonly number[];
  readonly body?: number;
  readonly other?: { readonly soft: number; readonly vertices: readonly number[] };
}

/** Wind of the world. */
export interface WindData extends WindFieldOptions {
  readonly zones: readonly WindZoneOptions[];
}

/** An interference of the user before a frame: a body comes, goes, gets other properties, or another motion or place; bodies go by their names. */
export interface Interference {
  readonly frame: number;
  readonly add?: RigidBodyOptions;
  readonly remove?: string;
  readonly change?: { readonly name: string; readonly to: RigidBodyChanges };
  readonly push?: { readonly name: string; readonly by: Push };
  readonly move?: { readonly name: string; readonly by: Vec3 };
  /** a number of frames that are played, taken back, and have to come out the same again */
  readonly rehearse?: number;
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
  /** the longest one [s] */
  readonly timeStep: number;
  /** steps that take turns; by default all are `timeStep` [s] */
  readonly timeSteps?: readonly number[];
  /** number of steps */
  readonly frames: number;
  /** there is ground with its top at height 0, and nothing may go below it */
  readonly floor?: boolean;
  /** nothing holds or drags the scene: its momentum is conserved */
  readonly isFree?: boolean;
  readonly wind?: WindData;
  /** greatest speed of animated bodies and what they carry, and of wind [m/s] */
  readonly driven?: number;
  readonly bodies?: readonly RigidBodyOptions[];
  readonly joints?: readonly JointData[];
  readonly softs?: readonly SoftData[];
  readonly attachments?: readonly AttachmentData[];
  readonly interferences?: readonly Interference[];
  readonly mechanisms?: readonly MechanismData[];
}

/** A family: one kind of scene. */
export interface Family {
  readonly name: string;
  /** whether parts of it are solved on a GPU, if there is one */
  readonly hasGpu: boolean;
  draw(random: Random): SceneData;
}
