/**
 * Buffers that the kernels of a local-global group share. All bodies of the group are one after the other in every buffer; records
 * are structs of shaders/local-global/layout.wgsl.
 *
 * Two numberings, each with as many numbers as there are vertices: **vertices** in the models' order, and **columns** in the
 * order of elimination, of which every body has the same stretch. y = S r and r are by columns, everything else by vertices.
 *
 * Triples are vec4f: loads of 16 bytes are one instruction, three f32 with a stride of 12 are three; the fourth holds a number that
 * is needed along with them. Positions are kept as q⁻ and d = q − q⁻, so that slips and gaps of a step have digits of their own
 * however far from the origin the body is.
 *
 * A substep (Algorithm 4 of paper 2), which `GpuLocalGlobalGroup` encodes; trust/trust-stage.ts has the frame around it:
 *
 *     predict, air                q̃ − q⁻ and the start of d
 *     contact.detect              H, W, forces of the last step turned to z
 *     prepare turning             arms N and T, once per step
 *     iterations times:
 *       local step, gather        r by columns
 *       contact.addLag            `lag` of the bodies, of the forces of the last iteration
 *       forward, pins, turning    y = S r + …
 *       contact.solve             y += S Hᵀ z, and the rotation by that
 *       pins again                if there is contact
 *       backward                  d += Sᵀ y
 *     for each further pass, if the GPU finds that it is needed:
 *       contact.detectAgain       H, W at the present positions; then iterations as before
 *     contact.finish              forces to remember, impulses to rigid bodies
 *     finish                      v, q⁻ ← q; bodies that are not finite stand
 */
import type { PassRecorder } from "../../../gpu/pass-recorder";
import type { GpuFrameInput } from "../../deformable";
import type { Gate } from "./contact/pass-gate";

/** Values of S of some rows, in one buffer: bindings have a size that they may not exceed. */
export interface ValueBuffer {
  /** f32: quad after quad, four a column */
  readonly values: GPUBuffer;
  readonly rows: number;
  /** pieces of S b that are of these rows */
  readonly pieces: number;
  /** offset of its `ValueRange` in `ranges` [bytes] */
  readonly range: number;
}

/** Buffers of a group; they are replaced as a whole when bodies come, go, or get another factor. */
export interface LocalGlobalBuffers {
  readonly vertexCount: number;
  readonly bodyCount: number;
  /** vertices × vec4f: q⁻ [m] */
  readonly start: GPUBuffer;
  /** vertices × vec4f: d = q − q⁻ of the last iterate [m] */
  readonly displacement: GPUBuffer;
  /** vertices × vec4f: q̃ − q⁻ [m] and the mass [kg] */
  readonly predicted: GPUBuffer;
  /** vertices × vec4f [m/s] */
  readonly velocity: GPUBuffer;
  /** vertices × vec4f: target at the end of the frame [m], and HELD_EXACTLY or HELD_SOFTLY where held */
  readonly pins: GPUBuffer;
  /** vertices × vec2u: column and body */
  readonly vertices: GPUBuffer;
  /** columns × vec4f: right-hand side r [kg m] */
  readonly r: GPUBuffer;
  /** columns × vec4f: y = S r */
  readonly y: GPUBuffer;
  /** columns × `SparseColumn` */
  readonly columns: GPUBuffer;
  readonly chunks: readonly ValueBuffer[];
  /** uniform, a `ValueRange` a chunk */
  readonly ranges: GPUBuffer;
  /** bodies × `LocalGlobalBody` */
  readonly bodies: GPUBuffer;
  /** bodies × `LocalGlobalBodyState` */
  readonly bodyStates: GPUBuffer;
  /** held vertices: columns, ascending for each body */
  readonly pinned: GPUBuffer;
  /** (E A⁻¹ Eᵀ + C)⁻¹ of each body, row-major, f32 */
  readonly pinInverse: GPUBuffer;
  /** held vertices: columns, in the order of `PinSolver.vertices` */
  readonly heldColumns: GPUBuffer;
  /** L⁻¹ of each body with E A⁻¹ Eᵀ + C = L Lᵀ in that order, column by column, f32 */
  readonly heldRoots: GPUBuffer;
  /** held vertices × vec4f: what holds them [kg m] */
  readonly pinForces: GPUBuffer;
  /** vertices × vec4f: x, where iterations start, from `middle` of the body [m] */
  readonly x: GPUBuffer;
  /** vertices × vec4f: N θ = θ × arms [m]; a moment m of forces f joins as Σ arms × f */
  readonly arms: GPUBuffer;
  /** columns × vec4f: S Z θ = θ × turnForces */
  readonly turnForces: GPUBuffer;
  /** uniform, a `LocalGlobalStep` for each substep, 256 bytes apart */
  readonly step: GPUBuffer;
}

/** A substep of a frame as its stages see it. */
export interface GpuSubstep {
  readonly recorder: PassRecorder;
  /** its slot among those of a frame in one, two and four parts */
  readonly slot: number;
  /** offset of its `LocalGlobalStep` [bytes], the dynamic offset of the uniform `step` */
  readonly offset: number;
  /** time step [s] */
  readonly h: number;
  /** of the attempt at the frame, and of the pass of it that is encoded */
  readonly attempt: Gate;
  readonly gate: Gate;
  readonly isFirstPass: boolean;
}

/** Report to the host on the frames that are done. */
export interface StepReport {
  /** number of the last frame */
  readonly number: number;
  /** the first frame that changed nothing, for want of room for its contacts or of attempts; 0 for none */
  readonly haltedAt: number;
  /** see `GpuContactStage` */
  readonly generation: number;
}

/** Contact of a group: acts on y before d += Sᵀ y. All of it is encoded; nothing is read back within a frame. */
export interface GpuContactStage {
  /** is called when frames are done */
  onReport: (report: StepReport) => void;
  /** is called for each time that a frame was taken again, in shorter steps */
  onRepeated: (() => void) | undefined;
  /** buffers that the host writes for a frame, beside the result of `begin` */
  readonly inputs: readonly GPUBuffer[];
  /** counts how often steps were encoded again; earlier reports are ignored */
  readonly generation: number;
  /** changes when a frame cannot be encoded again with the present buffers */
  readonly structure: number;
  /** Before the steps of a frame, with options as they are. @returns its number, and the parameters of its steps */
  begin(frame: GpuFrameInput, substeps: number): { number: number; steps: ArrayBuffer };
  /** After steps that changed nothing: makes room for their contacts. @returns false if they do not fit the device */
  resume(recorder: PassRecorder): boolean;
  /** Steps that changed nothing are not encoded again. */
  forget(): void;
  /** Before the steps of a frame that is encoded again. */
  again(steps: ArrayBuffer, substeps: number): void;
  /** attempts that are encoded for a frame: in one part, two, four */
  readonly attempts: number;
  /** Keeps the state with which a frame begins. */
  open(recorder: PassRecorder): void;
  /** Before the steps of an attempt; the gate is open if it is needed. */
  openAttempt(recorder: PassRecorder, parts: number): Gate;
  /** After its steps: judges the frame, which goes back to its start if it cannot be trusted. */
  judge(recorder: PassRecorder, parts: number): void;
  /** After the last attempt. `h` is the step in one part [s]. */
  close(recorder: PassRecorder, h: number): void;
  /** Report on all steps that were submitted. */
  read(): Promise<StepReport>;
  /** passes that are encoded for a step */
  readonly passes: number;
  /** After the prediction: finds contacts, builds W. */
  detect(substep: GpuSubstep): void;
  /**
   * After the iterations of a pass: finds contacts at the present positions, builds W if another pass is needed.
   *
   * @returns the step, in that pass
   */
  detectAgain(substep: GpuSubstep): GpuSubstep;
  /** Before `forward`: writes `lag` of all bodies for the forces z as they are. */
  addLag(substep: GpuSubstep, iteration: number): void;
  /** After `forward`: solves for z, adds S Hᵀ z to y, and the rotation by it to y and `theta`. */
  solve(substep: GpuSubstep, iteration: number, isLast: boolean): void;
  /** After the iterations of a pass. */
  endPass(substep: GpuSubstep): void;
  /** After the last pass. */
  finish(substep: GpuSubstep): void;
  dispose(): void;
}
