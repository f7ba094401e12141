import type { BodyOptions, ColliderShape, DeformableBody, Embedding, Fabric, Quat, Vec3, World } from "../src/index";
import type { BendingModel } from "../src/models/gpbd/bending";
import type { MembraneModel } from "../src/models/gpbd/cloth";
import type { runTask } from "../src/articulated/optimise/task";

/**
 * A scene is one definition with four uses: the gallery shows it, the command line runs it, the tests assert its metrics, the benchmark
 * times it. It defines its parameters, construction, metrics and looks.
 */

export type ParameterValue = number | string | boolean;

/** Values of all parameters of a scene, by name. Read them with `numberOf`, `textOf` and `flagOf`. */
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

export interface Parameter {
  readonly name: string;
  readonly default: ParameterValue;
  /** The value of an unset parameter if others are set; gives `default` if they are not. */
  readonly follow?: (values: ParameterValues) => ParameterValue;
  /** SI unit, or "" for a plain number */
  readonly unit: string;
  /** lowest and highest valid value of a number, both included */
  readonly range?: readonly [number, number];
  /** valid values of a text */
  readonly choices?: readonly string[];
  /** whether the number must be whole */
  readonly integer?: boolean;
  /** whether the scene reads the value at every step, so that the gallery can change it in a running scene */
  readonly live?: boolean;
  readonly description: string;
}

export interface Metric {
  readonly name: string;
  readonly unit: string;
  /** The value must not exceed this with default parameters; the tests assert it on both backends. */
  readonly bound?: number;
  readonly description: string;
}

/** The look of cloth; the gallery has a material for each. */
export type SurfaceMaterial = "cotton" | "silk" | "denim" | "linen" | "gingham" | "nylon" | "rubber";

/** The look of obstacles, links and decoration; a ghost is translucent and casts no shadow. */
export type PropMaterial =
  | "porcelain"
  | "clay"
  | "wood"
  | "steel"
  | "plaster"
  | "stone"
  | "glass"
  | "pane"
  | "rubber"
  | "amber"
  | "ghost";

/** A cloth as a scene describes it. */
export interface ClothDescription {
  readonly name: string;
  /** n × 3, m */
  readonly positions: Float64Array;
  /** three vertices per triangle */
  readonly indices: Uint32Array;
  /** n × 2, in meters of cloth, so that a weave has the same size on every cloth; u is the warp */
  readonly uvs: Float64Array;
  readonly fabric: Readonly<Fabric>;
  readonly membrane: MembraneModel;
  readonly bending: BendingModel;
  readonly options: Omit<BodyOptions, "name" | "pins">;
  /** held vertices */
  readonly pins: readonly number[];
  readonly material: SurfaceMaterial;
}

/**
 * Makes the body of a cloth: directly in a world (`clothInWorld`), or through a `ClothAggregate` of the plugin, which also draws it.
 * Vertices of the meshes here are all at different places, so vertex numbers are particle numbers.
 */
export type ClothFactory = (description: ClothDescription) => DeformableBody;

/** A body that is drawn as a chain of links through its particles in order. */
export interface Strand {
  readonly body: DeformableBody;
  /** m */
  readonly radius: number;
  readonly material: PropMaterial;
  /** whether links are as thick as the particles, like those of a rope */
  readonly smooth?: boolean;
  /** whether the last particle is joined to the first */
  readonly closed?: boolean;
}

/** A body whose surface is drawn: a soft body, or cloth that no `ClothFactory` made. */
export interface SoftSurface {
  readonly body: DeformableBody;
  readonly material: PropMaterial;
  /** triangles, three particles each, clockwise seen from outside; default: the faces of the body's model */
  readonly faces?: Uint32Array;
  /** a finer surface that tetrahedra of the body carry along, drawn instead of its own */
  readonly skin?: { readonly embedding: Embedding; readonly faces: Uint32Array };
}

/** A solid thing that is drawn: an `Obstacle`, whose pose may change, or mere decoration. */
export interface Prop {
  readonly shape: ColliderShape;
  readonly position?: Vec3;
  readonly rotation?: Quat;
  readonly material: PropMaterial;
}

/** Pose of a bone, in the frame of its parent or in the world, m. */
export interface BonePose {
  readonly position: Vec3;
  readonly rotation: Quat;
}

/** A bone of a figure, and the shape in its frame that represents it. */
export interface FigureBone {
  readonly name: string;
  /** parent bone; a bone without one is placed in the world */
  readonly parent?: string;
  /** initial pose, in the frame of the parent */
  readonly rest: BonePose;
  readonly shape: ColliderShape;
}

/** The visible skin of a figure: each vertex moves with up to four bones. */
export interface FigureSkin {
  /** at rest, world space, n × 3, m */
  readonly positions: Float64Array;
  /** triangles, clockwise seen from outside */
  readonly indices: Uint32Array;
  /** n × 4, indices into the list of bones */
  readonly bones: Uint16Array;
  /** n × 4, each four with the sum 1 */
  readonly weights: Float64Array;
}

/** An animated figure as a scene describes it. */
export interface FigureDescription {
  readonly name: string;
  /** parents before their children */
  readonly bones: readonly FigureBone[];
  /** Coulomb coefficient */
  readonly friction: number;
  readonly material: PropMaterial;
  /** made on first drawing */
  skin(): FigureSkin;
}

/** A figure in a world: a collider moves with each bone. */
export interface FigureBody {
  /** Moves bones during the next step; poses by name, in the frames of their parents. */
  moveTo(poses: Readonly<Record<string, BonePose>>): void;
  /** World pose of a bone at the end of the last step or, after `moveTo`, of the next one. */
  poseOf(bone: string): BonePose;
  /** Attaches particles of a cloth to a bone, which carries them along; call it before the first step. */
  carry(cloth: DeformableBody, particles: readonly number[], bone: string): void;
  /** the parts that are drawn as obstacles */
  readonly props: readonly Prop[];
}

/** Makes a figure: colliders directly in a world (`figureInWorld`), or a skinned mesh whose skeleton leads them. */
export type FigureFactory = (description: FigureDescription) => FigureBody;

/** A line through space: the past or planned path of a point. */
export interface Trace {
  /** n × 3, m; n may change with `version` */
  readonly points: Float64Array;
  /** changes with every change of the points */
  readonly version: number;
  readonly kind: "first" | "best" | "measured";
}

/** An optimization that runs while the scene is shown. A measured run waits for its end first. */
export interface Optimisation {
  /** cost after each iteration so far, the first guess first */
  readonly costs: readonly number[];
  readonly running: boolean;
  /** resolves at its end; rejects if it failed */
  readonly finished: Promise<void>;
}

/** A point that the user can grab. */
export interface Handle {
  /** present place, m */
  readonly position: Vec3;
  /** largest distance of a pointer that grabs it, m */
  readonly radius: number;
  /** target of the user; undefined when it is released */
  target: Vec3 | undefined;
}

/** Runs optimizations: on this thread (`runTask`), or in a worker. */
export type TaskRunner = typeof runTask;

/** A scene built in a world. */
export interface SceneInstance {
  /** Moves colliders, pins and wind for the step from `time` to `time + dt` (s). */
  beforeStep?(time: number, dt: number): void;
  /**
   * Examines the bodies after a step and decides the next action, whether the run is measured or not. The next step waits for the promise.
   */
  steer?(): Promise<void>;
  /** Running metrics, which change nothing; `frame` counts from 1. The next step waits for the promise in a measured run only. */
  afterStep?(frame: number): void | Promise<void>;
  /** Every metric of the definition that has a meaning with the present parameters, by name. */
  measure(): Promise<Record<string, number>>;
  readonly strands?: readonly Strand[];
  readonly softs?: readonly SoftSurface[];
  readonly props: readonly Prop[];
  readonly traces?: readonly Trace[];
  readonly handles?: readonly Handle[];
  readonly optimisation?: Optimisation;
  /** The non-finite part of the scene, besides the bodies of the world. */
  nonFinite?(): string | undefined;
  /** Ends background work. */
  dispose?(): void;
}

/** Arc-rotate camera that frames the scene: it looks at `target` from `radius` away; angles in radians. */
export interface SceneView {
  readonly target: Vec3;
  readonly alpha: number;
  readonly beta: number;
  readonly radius: number;
}

export interface SceneDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Run length in frames at the default `frameTime`; see `frameCount`. */
  readonly frames: number;
  /** Common parameters first, then the scene's own. */
  readonly parameters: readonly Parameter[];
  readonly metrics: readonly Metric[];
  readonly view: SceneView;
  /** Height of the ground that is drawn, m; nothing collides with it. */
  readonly groundHeight: number;
  /** Whether the scene is a mechanism in generalized coordinates, with nothing in the world itself. */
  readonly articulated?: boolean;
  /**
   * Adds the bodies and colliders to a world; sets its gravity.
   *
   * @param makeCloth default: bodies directly in the world
   * @param runner default: optimizations run on this thread
   * @param makeFigure default: colliders directly in the world
   * @throws PliantError if the engine refuses something
   */
  build(
    world: World,
    values: ParameterValues,
    makeCloth?: ClothFactory,
    runner?: TaskRunner,
    makeFigure?: FigureFactory,
  ): SceneInstance | Promise<SceneInstance>;
}
