/**
 * Interface of every solver of deformable bodies. A solver is a folder beside this file; `src/world/backend/solvers.ts`
 * picks one by the model's `solver`.
 */
import type { GpuContext } from "../gpu/device";
import type { ColliderSet } from "../collision/obstacles/collider-set";
import type { RigidProxy } from "../collision/obstacles/rigid-proxy";
import type { Box } from "../geometry/box";
import type { PassRecorder } from "../gpu/pass-recorder";
import type { Vec3 } from "../math/types";
import type { VertexSplit } from "../geometry/surface/torn-surface";
import type { RunControl } from "../tasks/run-control";
import type { WindField } from "./wind/wind-field";

/** Solvers of deformable bodies, by name. */
export type SolverName = "gpbd" | "newton" | "local-global";

/** A deformable body as the world, contact and drawing see it. It is static: only the solver's state changes. */
export interface DeformableModel {
  /** default `gpbd` */
  readonly solver?: SolverName | undefined;
  readonly name: string;
  readonly particleCount: number;
  /** particleCount × 3, meters: initial positions */
  readonly positions: Float64Array;
  /** particleCount, kilograms, positive; 0 for a spare particle, which is not part of the body yet and does not move */
  readonly masses: Float64Array;
  /** triangles (vertex indices × 3) that feel air and touch obstacles; may be empty */
  readonly faces: Uint32Array;
  /** tetrahedra of a solid body: four particles each, as in `TetMesh` */
  readonly tetrahedra?: Uint32Array | undefined;
  /** for quadratic elements: the two ends of the edge of each middle particle; these particles come last */
  readonly middles?: Uint32Array | undefined;
  /** friction coefficient of the surface */
  readonly friction: number;
}

/** Options of every solver. */
export interface DeformableOptions {
  /** multiplies the world's gravity */
  gravityFactor: number;
  /** velocity damping towards rest, 1/s */
  damping: number;
  /** wind velocity, m/s, world space */
  wind: Vec3;
  /** distance kept from obstacles, m; default 4 mm (`local-global` 1 mm), or half an edge where that is less */
  thickness: number;
  /** friction coefficient µ of the surface; contacts use the geometric mean with the obstacle's */
  friction: number;
}

/** Options of a frame that the world sets. */
export interface StepOptions {
  /**
   * part of the elastic forces that acts, in (0, 1], default 1: a new material may begin with less. Only for
   * `local-global` and `newton`
   */
  readonly elasticShare?: number | undefined;
  /** whether nobody looks from near: it may have half of its substeps. Only for `gpbd` */
  readonly isFar?: boolean | undefined;
  /** wind that differs from place to place; its mean velocity is in `wind` already */
  readonly windField?: WindField | undefined;
}

/** Numbers of a frame of a body. */
export interface StepCounts {
  readonly substeps: number;
  readonly iterations: number;
}

/** Input of a solver in a frame, set by the world. */
export interface FrameInput {
  /** frame time [s]; the time step is this divided by the body's substeps */
  readonly dt: number;
  /**
   * part of a correction of places that becomes velocity, 1 by default: a step after a longer one finds errors that the longer one has left,
   * and would take their way in its own short time
   */
  readonly pace?: number;
  /** number of the frame, from 1 */
  readonly frame: number;
  readonly gravity: Vec3;
  readonly colliders: ColliderSet;
  /** Bodies take the frame again, in shorter steps. */
  onRepeated?(): void;
  /** These solvers have made their frame, together; of GPBD with so many substeps and iterations. */
  onStepped?: ((solvers: readonly object[], steps?: StepCounts) => void) | undefined;
}

/** Input of a frame on the GPU, with the recorder of its dispatches. */
export interface GpuFrameInput extends FrameInput {
  readonly recorder: PassRecorder;
}

/** Positions and velocities, particleCount × 3 each [m, m/s]. */
export interface BodyState {
  positions: Float32Array | Float64Array;
  velocities: Float32Array | Float64Array;
  /**
   * material frame of each edge of a rod as a unit quaternion x, y, z, w, and its angular speed about the edge [rad/s].
   * A state without them is not twisted.
   */
  frames?: Float32Array | Float64Array | undefined;
  /**
   * inverse of the permanent deformation of each tetrahedron of a solid with plasticity, nine numbers by rows; of cloth the permanent
   * curvature of each element of bending [1/m]. A state without them has the model's shape at rest.
   */
  plastic?: Float32Array | Float64Array | undefined;
  /** number of particles in use, for cloth that tears; later particles are spare */
  inUse?: number | undefined;
}

/** Places around which particles may move, see `MotionRange`. */
export interface RangeTable {
  /** particleCount [m], infinite for none */
  readonly maxDistances: Float64Array;
  readonly backstops: Float64Array;
  /** particleCount × 3 [m]: at the start of the frame, and at its end */
  readonly before: Float64Array;
  readonly places: Float64Array;
  /** particleCount × 3, unit vectors or zero */
  readonly normals: Float64Array;
}

/** Pinned particles, with targets for the end of the next frame. Body and solver share this table. */
export interface PinTable {
  /** 1 for pinned particles */
  readonly pinned: Uint8Array;
  /** particleCount × 3 [m] */
  readonly targets: Float64Array;
  /** particleCount [m/N]: compliance of each pin, 0 for an exact pin; if absent, all pins are exact */
  readonly compliances?: Float64Array | undefined;
  /**
   * particleCount [N]: largest force of each pin, 0 for an exact pin; if absent, all pins are exact. A particle with a
   * limit takes about a frame longer to reach its target. Only for solver `gpbd`
   */
  readonly limits?: Float64Array | undefined;
  /**
   * particleCount: proxy of the rigid body that carries a particle and feels it; undefined for particles that are only
   * held. If the list is absent, all are only held. Only for solver `gpbd`
   */
  readonly proxies?: readonly (RigidProxy | undefined)[] | undefined;
  /**
   * particleCount × 3: vector from the center of mass of that body to the place of the particle on it at the start of the frame, world
   * axes [m]
   */
  readonly arms?: Float64Array | undefined;
  /** particleCount × 3: from there to the particle, which is apart from its place for a while, world axes [m] */
  readonly ways?: Float64Array | undefined;
  /**
   * Other bodies that are attached to vertices of the body: mass that hangs on it [kg], and number of vertices. Only for
   * solver `gpbd`
   */
  readonly hung?: { readonly mass: number; readonly vertices: number } | undefined;
  /** limits of the motion of particles that are not pinned. Only for cloth of solver `gpbd` */
  readonly range?: RangeTable | undefined;
  /** set by the body after a change, cleared by the solver that took the change over */
  changed: boolean;
}

/** Whether a particle is pinned and its pin is compliant or limited. */
export function pinGives({ pinned, compliances, limits }: Omit<PinTable, "changed">, particle: number): boolean {
  if (pinned[particle] !== 1) return false;
  return (compliances !== undefined && compliances[particle] > 0) || (limits !== undefined && limits[particle] > 0);
}

/** Largest force of a particle's pin [N]; 0 for a free particle or an exact pin. */
export function pinLimit({ pinned, limits }: Pick<PinTable, "pinned" | "limits">, particle: number): number {
  return pinned[particle] === 1 && limits !== undefined ? limits[particle] : 0;
}

/** Whether a particle is pinned exactly, so that it stays at its pin. */
export function pinHolds(pins: Omit<PinTable, "changed">, particle: number): boolean {
  return pins.pinned[particle] === 1 && !pinGives(pins, particle);
}

/** Position of a body, as far as it is known without waiting for a GPU. */
export interface BodyPlace {
  /** A box that will contain the body after `seconds`. */
  boxIn(seconds: number): Box;
  /** whether that box stays tight without another look */
  readonly isBounded: boolean;
  /** last known positions, particleCount × 3 [m] */
  readonly seen: ArrayLike<number>;
  /** number of looks so far */
  readonly looks: number;
  /** Asks for another look: at once, or a frame or two later from a GPU. */
  look(): void;
}

/** Progress reports and cancellation of a wait for a factor. */
export interface FactorControl extends RunControl<number> {
  /** time step that will be needed, frame time over substeps [s], for a call before the first step; default 1/60 */
  readonly timeStep?: number | undefined;
}

/** State of the factor that was requested last; a canceled one has `failed`. */
export type FactorState = "none" | "pending" | "ready" | "failed";

/** The factor of a body whose solver uses factors, for one material and time step. */
export interface FactorHandle {
  /** whether factors are stored for the next start */
  isKept: boolean;
  /** model of factors requested from now on */
  readonly model: DeformableModel;
  readonly state: FactorState;
  /** completed part of the pending factor, 0 to 1; 1 if none is pending */
  readonly progress: number;
  /**
   * Resolves when the newest requested factor is ready; before the first step this call requests it. A canceled or
   * failed factor is tried again.
   *
   * @throws PliantError for a matrix that has no factor; the reason of its cancellation
   */
  whenReadyAsync(control?: FactorControl): Promise<void>;
  /** Cancels the pending factor. The old one stays in use; without one the body stands still until `whenReadyAsync`. */
  cancel(): void;
}

/** Changes by a tear, for solvers that keep copies of the model. */
export interface Tear {
  /** splits in the order of the new particles; `from` may be a new particle of the same tear */
  readonly splits: readonly VertexSplit[];
  /** changed elements of each term of the model */
  readonly elements: readonly (readonly number[])[];
}

/** All bodies of one solver in a world: the world steps these, and they step their bodies. */
export interface DeformableSystem {
  /**
   * whether its bodies take one implicit step a frame, and meet bodies of other solvers after it (guest.ts); other
   * systems step later
   */
  readonly isImplicit: boolean;
  /** Steps a frame of all bodies whose `prepare` was called. */
  step(frame: FrameInput): void;
}

/** One body in its solver on one backend. */
export interface DeformableSolver {
  /** absent for a solver that is still being created, for which the world waits */
  readonly system?: DeformableSystem | undefined;
  /** Called for every body before the rigid bodies step: it passes its part of the frame to its system. */
  prepare?(frame: FrameInput, options: Readonly<DeformableOptions>, pins: PinTable, place: BodyPlace): void;
  /** The body has fallen asleep: it makes no step until `prepare` is called again. */
  rest?(): void;
  /** The state after the last step. */
  readState(): Promise<BodyState>;
  writeState(state: BodyState): void;
  /** Something else has changed the velocities of the state that it has on the CPU, between frames. */
  pushed?(): void;
  /** backend of a solver that does not always run where its world does */
  readonly lane?: "cpu" | "simd" | "webgpu";
  /** factor of a solver that needs one before it can step */
  readonly factorization?: FactorHandle;
  /**
   * Continues with another material or shape at rest, with the same particles and faces; energies may be of other
   * kinds. The state stays. Call this between frames.
   *
   * @throws PliantError for a model that it cannot continue with; nothing is changed then
   */
  replaceModel(model: DeformableModel): void;
  /** Copies the memory that the solver keeps between steps besides its state; absent for solvers without one. */
  saveMemory?(): readonly Float64Array[] | Promise<readonly Float64Array[]>;
  loadMemory?(memory: readonly Float64Array[]): void;
  /** First frame in which the body turned non-finite and was frozen; 0 if it is sound. */
  frozenAt(): Promise<number>;
  /** Takes over a tear of the model, see `Tearing`. Call this between frames. */
  tear?(tear: Tear): void;
  dispose(): void;
}

/** A solver whose state is on the CPU. In a world on the GPU, the state is copied there for drawing. */
export interface CpuDeformableSolver extends DeformableSolver {
  readonly model: DeformableModel;
  /** working state of the solver, up to date after the step of its system */
  readonly state: BodyState;
  /** a copy of all of it, if it is more than positions and velocities */
  copyState?(): BodyState;
  /** `BodyState.frames` at present */
  readonly readFrames?: (() => Float64Array) | undefined;
}

/** The motion of a body that begins the next frame, a vec4f a particle [m], [m/s]. */
export interface MotionOnGpu {
  readonly context: GpuContext;
  readonly positions: GPUBuffer;
  readonly velocities: GPUBuffer;
}

/** A solver whose state is on the GPU. Its system receives a `GpuFrameInput`. */
export interface GpuDeformableSolver extends DeformableSolver {
  readonly model: DeformableModel;
  readonly gpuState: GpuBodyState;
  /** of a rod: the frames of its edges, edgeCount × vec4f */
  readonly rods?: { readonly frames: { readonly edgeFrames: GPUBuffer } } | undefined;
  /** the present state, if the CPU has it */
  readonly hostState?: BodyState | undefined;
  /** the same on the GPU, where it may be changed between frames */
  readonly motion?: MotionOnGpu;
  /** After all systems have stepped a frame: a solver whose state is elsewhere brings it to the buffers. */
  show?(frame: GpuFrameInput): void;
  /**
   * Whether the CPU has to solve the body from the next frame on, since it may meet bodies of other solvers.
   *
   * @returns false while its state is on its way from the GPU: the next frame has to wait for it
   */
  stayOnCpu?(isWanted: boolean): boolean;
  /** Resolves when that state has come. */
  come?(): Promise<void>;
}

/** A body's state and surface on the GPU, for drawing and readbacks. */
export interface GpuBodyState {
  /** particleCount × vec4f [m] */
  readonly positions: GPUBuffer;
  /** particleCount × vec4f [m/s] */
  readonly velocities: GPUBuffer;
  readonly surface: GpuSurface;
}

/** A surface on the GPU; names are those of the bindings in `shaders/gpbd/output/output.wgsl`. */
export interface GpuSurface {
  /** particleCount × vec4f [m] */
  readonly start: GPUBuffer;
  readonly faces: GPUBuffer;
  /** compressed rows: corners of faces at each particle */
  readonly faceOffsets: GPUBuffer;
  readonly faceEntries: GPUBuffer;
}
