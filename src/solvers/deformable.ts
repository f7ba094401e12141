/**
 * What every solver of deformable bodies takes and gives. A solver is a folder beside this file; `src/world/backend/solvers.ts`
 * picks one by the model's `solver`.
 */
import { type NamesOf } from "../option-names";
import type { ColliderSet } from "../collision/obstacles/collider-set";
import type { RigidProxy } from "../collision/obstacles/rigid-proxy";
import type { Box } from "../geometry/box";
import type { PassRecorder } from "../gpu/pass-recorder";
import type { Vec3 } from "../math/types";
import type { VertexSplit } from "../geometry/surface/torn-surface";
import type { RunControl } from "../tasks/run-control";

/** Solvers of deformable bodies, by name. */
export type SolverName = "gpbd" | "newton" | "local-global";

/** A deformable body as the world, contact and drawing see it. Static: what changes is the solver's state. */
export interface DeformableModel {
  /** default `gpbd` */
  readonly solver?: SolverName | undefined;
  readonly name: string;
  readonly particleCount: number;
  /** particleCount × 3, metres: where the particles start */
  readonly positions: Float64Array;
  /** particleCount, kilograms, positive; 0 for a spare particle, which is not part of the body yet and stays where it is */
  readonly masses: Float64Array;
  /** triangles (vertex indices × 3) that feel air and touch obstacles; may be empty */
  readonly faces: Uint32Array;
  /** of a solid body: four particles each, as in `TetMesh` */
  readonly tetrahedra?: Uint32Array | undefined;
  /** of quadratic elements: the two ends of the edge that each of the last particles is in the middle of */
  readonly middles?: Uint32Array | undefined;
  /** friction coefficient of the surface */
  readonly friction: number;
}

/** What every solver's options have. */
export interface DeformableOptions {
  /** multiplies the world's gravity */
  gravityFactor: number;
  /** velocity damping towards rest, 1/s */
  damping: number;
  /** wind velocity, m/s, world space */
  wind: Vec3;
  /** distance kept from obstacles, m; default 4 mm (`local-global` 1 mm), or half an edge of the mesh where that is less */
  thickness: number;
  /** friction coefficient µ of the surface; contacts use the geometric mean with the obstacle's */
  friction: number;
}

export const deformableOptionNames = {
  gravityFactor: true,
  damping: true,
  wind: true,
  thickness: true,
  friction: true,
} satisfies NamesOf<DeformableOptions>;

/** Options of a frame that the world sets. */
export interface StepOptions {
  /** part of the elastic forces that acts, in (0, 1], default 1: a new material may begin with less. Of `local-global` and `newton` */
  readonly elasticShare?: number | undefined;
}

/** What the world hands to a solver each frame. */
export interface FrameInput {
  /** frame time [s]; the time step is this over the body's substeps */
  readonly dt: number;
  /** number of the frame, from 1 */
  readonly frame: number;
  readonly gravity: Vec3;
  readonly colliders: ColliderSet;
  /** Bodies take the frame again, in shorter steps. */
  onRepeated?(): void;
}

/** A frame on the GPU: where its dispatches go. */
export interface GpuFrameInput extends FrameInput {
  readonly recorder: PassRecorder;
}

/** Positions and velocities, particleCount × 3 each [m, m/s]. */
export interface BodyState {
  positions: Float32Array | Float64Array;
  velocities: Float32Array | Float64Array;
  /**
   * of a rod: for each edge a unit quaternion x, y, z, w, the frame of its material, and its speed about the edge [rad/s]. A state
   * without them is not twisted.
   */
  frames?: Float32Array | Float64Array | undefined;
  /** of cloth that tears: particles that were in use; those after them are spare */
  inUse?: number | undefined;
}

/** Pinned particles: where they are to be at the end of the next frame. Shared by body and solver. */
export interface PinTable {
  /** 1 where pinned */
  readonly pinned: Uint8Array;
  /** particleCount × 3 [m] */
  readonly targets: Float64Array;
  /** particleCount [m/N]: what each pinned one gives, 0 where it is held exactly; without, all are */
  readonly compliances?: Float64Array | undefined;
  /**
   * particleCount [N]: no pin pulls harder than this, 0 where it holds exactly; without, all do. A particle is on its way to its target
   * then, for about a frame longer. Of solver `gpbd`
   */
  readonly limits?: Float64Array | undefined;
  /**
   * particleCount: what stands for the rigid body that carries a particle and feels it; empty places, and without the list all, for those
   * that are only held. Of solver `gpbd`
   */
  readonly proxies?: readonly (RigidProxy | undefined)[] | undefined;
  /** particleCount × 3: from the centre of mass of that body to the particle at the start of the frame, world axes [m] */
  readonly arms?: Float64Array | undefined;
  /** raised by the body whenever something changed, lowered by the solver that took it over */
  changed: boolean;
}

/** Whether a particle is pinned and its pin gives. */
export function pinGives({ pinned, compliances, limits }: Omit<PinTable, "changed">, particle: number): boolean {
  if (pinned[particle] !== 1) return false;
  return (compliances !== undefined && compliances[particle] > 0) || (limits !== undefined && limits[particle] > 0);
}

/** With how much force at most a particle is held [N]; 0 where it is free or held exactly. */
export function pinLimit({ pinned, limits }: Pick<PinTable, "pinned" | "limits">, particle: number): number {
  return pinned[particle] === 1 && limits !== undefined ? limits[particle] : 0;
}

/** Whether a particle is pinned and stays where its pin is. */
export function pinHolds(pins: Omit<PinTable, "changed">, particle: number): boolean {
  return pins.pinned[particle] === 1 && !pinGives(pins, particle);
}

/** Where a body is, as far as that is known without waiting for a GPU. */
export interface BodyPlace {
  /** A box that holds it so much later [s]. */
  boxIn(seconds: number): Box;
  /** whether that box stays tight without another look */
  readonly isBounded: boolean;
  /** positions as they were last seen, particleCount × 3 [m] */
  readonly seen: ArrayLike<number>;
  /** how often they were */
  readonly looks: number;
  /** Asks for another look: at once, or a frame or two later from a GPU. */
  look(): void;
}

/** How a wait for a factor reports, and gives it up. */
export interface FactorControl extends RunControl<number> {
  /** before the first step: the time step that will be needed, frame time over substeps [s]; default 1/60 */
  readonly timeStep?: number | undefined;
}

/** Of the factor that was asked for last; one that was given up has `failed`. */
export type FactorState = "none" | "pending" | "ready" | "failed";

/** The factor of a body whose solver has such, for one material and time step. */
export interface FactorHandle {
  /** whether factors are kept for the next start */
  isKept: boolean;
  /** what factors that are asked for from now on are of */
  readonly model: DeformableModel;
  readonly state: FactorState;
  /** how much is done of the factor that is on its way, 0 to 1; 1 where none is */
  readonly progress: number;
  /**
   * Resolves when the newest factor that was asked for is there; before the first step it is asked for here. What was given up or
   * failed is tried again.
   *
   * @throws PliantError for a matrix that has no factor; the reason with which it was canceled
   */
  whenReadyAsync(control?: FactorControl): Promise<void>;
  /** Gives up the factor that is on its way. The old one goes on; without one the body stands still until `whenReadyAsync`. */
  cancel(): void;
}

/** What a tear changed, for solvers that keep copies of the model. */
export interface Tear {
  /** in the order of the new particles; `from` may be a new one of the same tear */
  readonly splits: readonly VertexSplit[];
  /** for each term of the model the elements that have changed */
  readonly elements: readonly (readonly number[])[];
}

/** All bodies of one solver in a world: the world steps these, and they step their bodies. */
export interface DeformableSystem {
  /** whether its bodies take one implicit step a frame, and meet those of other solvers after it (guest.ts); others step after that */
  readonly isImplicit: boolean;
  /** A frame of all bodies that handed their part in. */
  step(frame: FrameInput): void;
}

/** One body in its solver on one backend. */
export interface DeformableSolver {
  /** absent for a solver that is on its way, for which the world waits */
  readonly system?: DeformableSystem | undefined;
  /** Called for every body before the rigid bodies step: it hands its part of the frame in to its system. */
  prepare?(frame: FrameInput, options: Readonly<DeformableOptions>, pins: PinTable, place: BodyPlace): void;
  /** The state after the last step. */
  readState(): Promise<BodyState>;
  writeState(state: BodyState): void;
  /** of solvers that are not always where their world is */
  readonly lane?: "cpu" | "webgpu";
  /** of solvers that factor a matrix before they can step */
  readonly factorization?: FactorHandle;
  /**
   * Goes on with another material or shape at rest, with the same particles and faces; its energies may be of other kinds. The state
   * stays. Called between frames.
   *
   * @throws PliantError for a model that it cannot go on with; nothing is changed then
   */
  replaceModel(model: DeformableModel): void;
  /** What it goes on with from step to step besides its state, copied; of solvers that have such. */
  saveMemory?(): readonly Float64Array[] | Promise<readonly Float64Array[]>;
  loadMemory?(memory: readonly Float64Array[]): void;
  /** First frame in which the body turned non-finite and was frozen; 0 while it is sound. */
  frozenAt(): Promise<number>;
  /** Takes over what has torn in the model, see `Tearing`; between frames. */
  tear?(tear: Tear): void;
  dispose(): void;
}

/** A solver whose state is on the CPU. In a world on the GPU it is copied there for drawing. */
export interface CpuDeformableSolver extends DeformableSolver {
  readonly model: DeformableModel;
  /** what it works on, up to date after the step of its system */
  readonly state: BodyState;
}

/** A solver whose state is on the GPU. Its system is given a `GpuFrameInput`. */
export interface GpuDeformableSolver extends DeformableSolver {
  readonly model: DeformableModel;
  /** particleCount × vec4f [m] */
  readonly positions: GPUBuffer;
  /** particleCount × vec4f [m/s] */
  readonly velocities: GPUBuffer;
  /** what the drawing stage reads */
  readonly surface: GpuSurface;
}

/** A surface on the GPU, by the names that `shaders/gpbd/output/output.wgsl` has for its bindings. */
export interface GpuSurface {
  /** particleCount × vec4f [m] */
  readonly start: GPUBuffer;
  readonly faces: GPUBuffer;
  /** compressed rows: corners of faces at each particle */
  readonly faceOffsets: GPUBuffer;
  readonly faceEntries: GPUBuffer;
}
