import { shaders } from "../../../generated/shaders/newton";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { type EntryOf, KernelSet } from "../../../gpu/kernel-set";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import type { NewtonOptions } from "../options";
import type { SystemSize } from "./frame-tables";
import type { BuffersOf } from "../../../words";

const modules = {
  "newton/large/bodies": shaders["newton/large/bodies"],
  "newton/large/blocks": shaders["newton/large/blocks"],
  "newton/large/linear": shaders["newton/large/linear"],
  "newton/large/sweeps": shaders["newton/large/sweeps"],
} as const;
export type LargeEntryPoint = EntryOf<typeof modules>;

const WIDTH = 64;
/** Sweeps that remove the push from velocities. */
const RELAXING_SWEEPS = 6;

/** Buffers that the passes share with the rest of the solver. */
export type SharedBuffers = BuffersOf<"inputs states blocks joints rows lists impulses reports step">;

/** Byte offsets of parameters in the uniform buffer: those of a step, and those of a sweep over a color. */
export interface PassOffsets {
  /** distance between two offsets */
  readonly slot: number;
  firstStep: number;
  firstColour: number;
}

/**
 * The passes of shaders/newton/large/*.wgsl in order. Kernels are made when they are first needed; a frame allocates
 * nothing.
 */
export class LargePasses {
  private readonly kernels = new KernelSet(this.context, modules);
  private own: Record<"works" | "bodyWorks" | "control" | "partials" | "morePartials", GPUBuffer> | undefined;
  /** changes whenever `buffers` are reallocated */
  version = 0;
  private bodies = 0;
  private blocks = 0;
  private readonly offsets = new Uint32Array(1);
  private recorder: PassRecorder | undefined;

  constructor(private readonly context: GpuContext) {}

  /** Encodes a step. */
  encode(
    recorder: PassRecorder,
    shared: SharedBuffers,
    system: SystemSize,
    substep: number,
    offsets: PassOffsets,
    options: Readonly<NewtonOptions>,
  ): void {
    this.begin(recorder, system);
    const { bodies, blocks, rows } = system;
    const run = (entry: LargeEntryPoint, threads: number, label = "rigid islands"): void =>
      this.dispatch(shared, entry, threads, label);
    this.offsets[0] = offsets.firstStep + offsets.slot * substep;
    run("predictBodies", bodies);
    run("setUpBlocks", blocks);
    run("followBodies", bodies);
    run("evaluateStart", blocks);
    run("decideStart", WIDTH);
    for (let k = 0; k < options.newtonIterations; k++) {
      run("respondBodies", bodies, "rigid linear");
      run("beginLinear", blocks, "rigid linear");
      for (let n = 0; n < options.linearIterations; n++) {
        run("respondBodies", bodies, "rigid linear");
        run("multiplyLinear", blocks, "rigid linear");
        run("directLinear", blocks, "rigid linear");
        run("stepLinear", blocks, "rigid linear");
        run("nextLinear", WIDTH, "rigid linear");
      }
      run("stepBlocks", blocks);
      run("stepBodies", bodies);
      if (rows > 0) run("updateJoints", blocks);
      run("evaluateStep", blocks);
      run("decideStep", WIDTH);
    }
    if (options.safeguard) {
      run("restoreBodies", bodies);
      run("prepareSweeps", blocks);
      this.sweep(shared, "sweepBlocks", system, options.sweeps, offsets);
    }
    this.offsets[0] = offsets.firstStep + offsets.slot * substep;
    run("finishBlocks", blocks);
    run("decideFinish", WIDTH);
    run("followBodies", bodies);
    run("placeBodies", bodies);
    if (rows > 0) run("updateJoints", blocks);
    run("relaxBlocks", blocks);
    this.sweep(shared, "relaxColour", system, RELAXING_SWEEPS, offsets);
    this.offsets[0] = offsets.firstStep + offsets.slot * substep;
    run("finishBodies", bodies);
    run("keepImpulses", blocks);
  }

  /** Buffers of the passes alone, by their names in the shaders; call `begin` first. */
  get buffers(): Readonly<Record<string, GPUBuffer>> {
    return this.own!;
  }

  /** Makes room for a system, whose passes are encoded next. */
  begin(recorder: PassRecorder, system: SystemSize): void {
    this.reserve(system);
    this.recorder = recorder;
  }

  /** Encodes one pass of a step, whose parameters are at an offset [bytes]. */
  run(shared: SharedBuffers, entry: LargeEntryPoint, threads: number, offset: number): void {
    this.offsets[0] = offset;
    this.dispatch(shared, entry, threads, "rigid and deformable bodies");
  }

  /** Forgets bindings after buffers were reallocated. */
  forget(): void {
    this.kernels.clear();
  }

  dispose(): void {
    for (const buffer of Object.values(this.own ?? {})) buffer.destroy();
  }

  /** Encodes sweeps color by color, forward and backward. */
  private sweep(
    shared: SharedBuffers,
    entry: LargeEntryPoint,
    system: SystemSize,
    count: number,
    offsets: PassOffsets,
  ): void {
    for (let n = 0; n < count; n++)
      for (let c = 0; c < system.colours; c++) {
        this.offsets[0] = offsets.firstColour + offsets.slot * (n % 2 === 0 ? c : system.colours - 1 - c);
        this.dispatch(shared, entry, system.blocks, "rigid sweeps");
      }
  }

  private dispatch(shared: SharedBuffers, entry: LargeEntryPoint, threads: number, label: string): void {
    const kernel = this.kernels.get(entry, () => ({ ...shared, ...this.own! }));
    kernel.dispatch(this.recorder!.stage(label), threads, this.offsets);
  }

  private reserve({ bodies, blocks }: SystemSize): void {
    if (this.own && bodies <= this.bodies && blocks <= this.blocks) return;
    this.dispose();
    this.kernels.clear();
    this.bodies = Math.ceil(1.5 * bodies) + 1;
    this.blocks = Math.ceil(1.5 * blocks) + 1;
    const { context } = this;
    const partials = 16 * Math.ceil(this.blocks / WIDTH);
    this.version++;
    this.own = {
      works: context.createBuffer("newton works", structs.Work.size * this.blocks),
      bodyWorks: context.createBuffer("newton body works", structs.BodyWork.size * this.bodies),
      control: context.createBuffer("newton control", structs.Control.size),
      partials: context.createBuffer("newton sums", partials),
      morePartials: context.createBuffer("newton more sums", partials),
    };
  }
}
