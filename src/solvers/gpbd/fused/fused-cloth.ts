/**
 * Cloth that goes through all substeps of a frame in one dispatch, a workgroup a body, with barriers where the end of a dispatch is
 * otherwise (shaders/fused), or through a few of them, a workgroup a patch (patched-cloth.ts). It runs the same functions in the same order,
 * on the body's own state, so that a body can change between these and a dispatch a stage in any frame.
 *
 * The solver hands over all that it has anyway: an import of code that pages load at their start would cut that into more chunks.
 */
import type { ColliderBuffers } from "../../../collision/obstacles/collider-buffers";
import { shaders } from "../../../generated/shaders/fused";
import { FusedBody } from "../../../generated/shaders/structs-fused";
import type { StepParameters } from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { isSoftware } from "../../../gpu/software";
import { StructWriter } from "../../../gpu/struct";
import type { TermParts } from "../elements/gpu-term";
import type { EnergyTerm, GpbdModel } from "../model";
import type { GpbdStepOptions } from "../options";
import type { PackedTethers } from "../tethers/gpu-tethers";
import { areFair, frameWork, patchSubsteps, timeOfOne, timeOfPatches, timeOfStages } from "./fused-cost";
export { createGathered, createTouch, createTurn } from "./gathered-surfaces";
import { ENTRY, fusedTable, MOST_SUBSTEPS, SUBSTEP_ENTRIES } from "./fused-table";
import { PatchedCloth, type PatchPlans, type PatchSurroundings } from "./patched-cloth";

/** Above, a workgroup takes longer than any GPU needs for the dispatches that it saves. */
const MOST_IN_ONE = 5000;
/** Above, plans of patches take a second. */
const MOST_IN_PATCHES = 100_000;

const NO_OFFSETS = new Uint32Array();

/** Parameters that differ between substeps, in the order of the table. */
const VARYING = ["pinShare", "gripShare", "fractionStart", "fractionEnd", "obstacleMotion"] as const;

/** A frame of the body. */
export interface FusedFrame {
  readonly recorder: PassRecorder;
  readonly options: Readonly<GpbdStepOptions>;
  /** projections of contact with obstacles in a substep, and whether these take faces, too */
  readonly contactPasses: number;
  readonly withFaces: boolean;
  /** substeps from one evaluation of the air to the next; 0 without air */
  readonly airInterval: number;
  /** substeps from one contact of surfaces to the next, see phases.ts; 0 without */
  readonly turn: number;
  /** whether rigid bodies yield to it or carry it, and whether it is inflated: that needs stages between those of the body */
  readonly isPartOfMore: boolean;
  readonly terms: readonly { parts(options: Readonly<GpbdStepOptions>): TermParts }[];
  readonly steps: StructWriter<typeof StepParameters>;
  readonly buffers: Readonly<
    Record<
      "start" | "velocity" | "clearance" | "displacement" | "contact" | "frozenAt" | "step" | "windField",
      GPUBuffer
    >
  >;
  /** particleCount × 4, and × 1; with a number that changes when they do */
  readonly pins: { readonly places: Float32Array; readonly limits: Float32Array; readonly version: number };
  readonly tethers: PackedTethers | undefined;
}

type Way = "stages" | "one" | "patches";

/** The frames to which kernels, table and model of cost apply. */
interface Configuration {
  readonly key: string;
  readonly terms: readonly TermParts[];
  /** the fastest by the model, and how many substeps a dispatch takes then */
  readonly way: Way;
  readonly most: number;
  /** made when they are needed first */
  places?: Places;
  kernel?: Kernel;
  patched?: PatchedCloth;
}

type Places = ReturnType<typeof fusedTable>["places"];

export class FusedCloth {
  private readonly body = new StructWriter(FusedBody, 1);
  private readonly uniform: GPUBuffer;
  private scratch: GPUBuffer | undefined;
  private readonly scratchSize: number;
  private table: GPUBuffer | undefined;
  private current: Configuration | undefined;
  /** by method, and by whether faces touch */
  private readonly plans = new Map<string, PatchPlans>();
  private readonly substeps = new Float32Array(4 * SUBSTEP_ENTRIES * MOST_SUBSTEPS);
  private pinVersion = -1;
  private tetherVersion = -1;

  private constructor(
    private readonly context: GpuContext,
    private readonly model: GpbdModel,
    private readonly colliders: ColliderBuffers,
    private readonly membrane: EnergyTerm,
    private readonly bending: EnergyTerm | undefined,
  ) {
    const { particleCount: n, faces } = model;
    const parts = {
      contacts: n,
      shares: Math.max(membrane.indices.length, bending?.indices.length ?? 0),
      facePushes: faces.length,
      faceAirs: faces.length / 3,
      particleAirs: n,
    };
    let end = n;
    for (const [part, size] of Object.entries(parts)) {
      this.body.set(0, part as keyof typeof parts, end);
      end += size;
    }
    this.scratchSize = ENTRY * end;
    this.uniform = context.createUniformBuffer(`${model.name} fused`, FusedBody.size);
  }

  /** Undefined for a body that has other terms than a membrane and bending, is too large, or tears. */
  static for(context: GpuContext, model: GpbdModel, colliders: ColliderBuffers): FusedCloth | undefined {
    const { terms, tears, rods, particleCount } = model;
    const [membrane, bending] = terms;
    const isSheet = membrane?.kind === "stvk-membrane" || membrane?.kind === "neo-hookean-membrane";
    const bends = !bending || bending.kind === "isometric-bending" || bending.kind === "dihedral-bending";
    const isOwn = terms.some(({ energy }) => energy !== undefined);
    if (!isSheet || !bends || isOwn || terms.length > 2 || tears || rods || particleCount > MOST_IN_PATCHES)
      return undefined;
    return new FusedCloth(context, model, colliders, membrane, bending);
  }

  /** @returns whether it has taken the frame; else the caller has to */
  step(frame: FusedFrame): boolean {
    const current = this.begin(frame);
    if (!current) return false;
    if (current.way === "patches") this.go(frame, current, 0, frame.options.substeps, false);
    else {
      current.kernel ??= this.createKernel(frame, current);
      current.kernel.dispatchWorkgroups(frame.recorder.stage("cloth"), 1, NO_OFFSETS);
    }
    return true;
  }

  /**
   * Substeps of a turn, in patches, up to the contact of the last one; of a frame that has begun.
   *
   * @param stays whether the state stays in the buffer that is returned
   */
  leap(frame: FusedFrame, first: number, stays: boolean): GPUBuffer {
    return this.go(frame, this.current!, first, first + frame.turn, stays);
  }

  /** @returns how the frame goes on; undefined if it takes a dispatch for each stage */
  begin(frame: FusedFrame): Configuration | undefined {
    const { iterations, warmStart } = frame.options;
    if (iterations > 1 || warmStart > 0 || frame.isPartOfMore) return undefined;
    const current = this.configure(frame);
    if (current.way === "stages") return undefined;
    if (current.way === "patches") {
      const patched = (current.patched ??= this.patch(frame, current));
      // A frame has time for one plan, unless nothing else is wanted. Until all are there, stages give the same motion.
      while (!patched.prepare()) if (!frame.options.patches || patched.isImpossible) return undefined;
    }
    this.write(frame, this.tableFor(current));
    return current;
  }

  private go(frame: FusedFrame, current: Configuration, first: number, end: number, stays: boolean): GPUBuffer {
    const surroundings = () => this.surroundings(frame, current);
    return current.patched!.dispatch(frame.recorder.stage("cloth"), surroundings, first, end, stays);
  }

  /** Does something only when options or obstacles have changed. */
  private configure(frame: FusedFrame): Configuration {
    const { options, contactPasses, withFaces, airInterval, buffers } = frame;
    const hasTethers = frame.tethers !== undefined;
    const { method, newtonIterations, substeps, oneDispatch, patches } = options;
    const { version } = this.colliders;
    const key = [
      method,
      newtonIterations,
      substeps,
      contactPasses,
      withFaces,
      airInterval,
      frame.turn,
      hasTethers,
      version,
      buffers.step.size,
      oneDispatch,
      patches,
    ].join();
    if (this.current?.key === key) return this.current;
    this.current?.patched?.dispose();
    const terms = frame.terms.map((term) => term.parts(options));
    return (this.current = { key, terms, ...this.choose(frame, terms) });
  }

  /** The wanted way, or else the fastest by the model of cost. */
  private choose(frame: FusedFrame, terms: readonly TermParts[]): Pick<Configuration, "way" | "most"> {
    const { options, contactPasses, withFaces, airInterval } = frame;
    const { particleCount, faces } = this.model;
    const hasTethers = frame.tethers !== undefined;
    const { substeps, oneDispatch, patches } = options;
    const faceCount = faces.length / 3;
    const input = { particleCount, faceCount, substeps, terms, contactPasses, withFaces, hasTethers, airInterval };
    const work = frameWork(input);
    const ways: { way: Way; most: number; time: number; isWanted: boolean | undefined }[] = [];
    // Several passes of contact with faces reach too far.
    const most = patchSubsteps(work, input);
    if (contactPasses <= 1 && (patches || areFair(work, input, most)))
      ways.push({ way: "patches", most, time: timeOfPatches(work, input, most), isWanted: patches });
    if (particleCount <= MOST_IN_ONE && frame.turn === 0)
      ways.push({ way: "one", most: substeps, time: timeOfOne(work), isWanted: oneDispatch });
    const wanted = ways.filter(({ isWanted }) => isWanted);
    if (wanted.length === 0 && isSoftware(this.context)) return { way: "stages", most: 1 };
    const allowed = ways.filter(({ isWanted }) => isWanted !== false);
    const best = (wanted.length > 0 ? wanted : allowed).sort((a, b) => a.time - b.time)[0];
    if (!best || (!best.isWanted && timeOfStages(work) <= best.time)) return { way: "stages", most: 1 };
    return best;
  }

  private patch({ options, withFaces, airInterval, turn }: FusedFrame, { terms, most }: Configuration): PatchedCloth {
    const { substeps, method } = options;
    const key = `${method} ${withFaces}`;
    const plans: PatchPlans = this.plans.get(key) ?? new Map();
    this.plans.set(key, plans);
    return new PatchedCloth(this.context, this.model, { substeps, terms, withFaces, airInterval, most, turn }, plans);
  }

  /** The constants of a frame. */
  private tableFor(current: Configuration): Places {
    if (current.places) return current.places;
    const { membrane, bending } = this;
    const [stretch, bend] = current.terms;
    const { places, bytes } = fusedTable(this.model, current.terms);
    this.table?.destroy();
    this.table = this.context.createBuffer(`${this.model.name} table`, bytes);
    this.pinVersion = this.tetherVersion = -1;
    this.body.put(0, {
      ...places,
      membraneCoefficients: membrane.material.subarray(0, 4),
      membraneDamping: membrane.material[4],
      bendingDamping: bending?.material[0] ?? 0,
      membraneColorCount: stretch.colours.length - 1,
      bendingColorCount: (bend?.colours.length ?? 1) - 1,
      bendingInterval: bend?.interval ?? 1,
    });
    return (current.places = places);
  }

  /** Buffers and constants of both kinds of kernels. */
  private surroundings(
    { options, buffers, steps, contactPasses, withFaces, tethers }: FusedFrame,
    { terms }: Configuration,
  ): PatchSurroundings {
    const { bending, colliders } = this;
    const [stretch, bend] = terms;
    const isDamped = Number((bending?.material[0] ?? 0) > 0);
    const isCurved = Number(bending?.kind === "dihedral-bending");
    return {
      constants: {
        ...colliders.constants,
        isTracked: 0,
        sharesMembranes: Number(stretch.isAtOnce),
        bends: Number(bend !== undefined),
        holds: Number(tethers !== undefined),
        touches: Number(contactPasses > 0),
        touchesWithFaces: Number(withFaces),
        newtonIterations: options.newtonIterations,
        isAtOnce: Number(bend?.isAtOnce ?? false),
        isDamped,
        isCurved,
        isTurning: Math.max(isDamped, isCurved),
        places: bend?.places ?? 6,
      },
      bindings: {
        ...buffers,
        table: this.table!,
        body: this.uniform,
        firstStep: { buffer: buffers.step, size: steps.stride },
        colliders: colliders.primitives,
        colliderData: colliders.data,
      },
    };
  }

  private createKernel(frame: FusedFrame, current: Configuration): Kernel {
    const { context, model } = this;
    const scratch = (this.scratch ??= context.createBuffer(`${model.name} scratch`, this.scratchSize));
    const { bindings, constants } = this.surroundings(frame, current);
    const isStVK = this.membrane.kind === "stvk-membrane";
    const module = isStVK ? ("fused/stvk-cloth" as const) : ("fused/neo-hookean-cloth" as const);
    return Kernel.create(context, module, shaders[module], "stepBody", { ...bindings, scratch }, constants);
  }

  private write(frame: FusedFrame, places: Places): void {
    const { options, steps, pins, tethers, contactPasses, airInterval } = frame;
    const { body, substeps: values } = this;
    const { queue } = this.context.device;
    const table = this.table!;
    body.put(0, {
      substeps: options.substeps,
      airInterval,
      contactPasses,
      slack: tethers?.slack ?? 0,
      rest: tethers?.rest ?? 0,
    });
    queue.writeBuffer(this.uniform, 0, body.bytes);
    const stride = 4 * SUBSTEP_ENTRIES;
    for (let substep = 0; substep < options.substeps; substep++)
      VARYING.forEach((field, k) => (values[stride * substep + k] = steps.get(substep, field)));
    queue.writeBuffer(table, ENTRY * places.substepTable, values, 0, stride * options.substeps);
    if (pins.version !== this.pinVersion) {
      this.pinVersion = pins.version;
      queue.writeBuffer(table, ENTRY * places.pins, pins.places as Float32Array<ArrayBuffer>);
      queue.writeBuffer(table, ENTRY * places.pinLimits, pins.limits as Float32Array<ArrayBuffer>);
    }
    if (!tethers || tethers.version === this.tetherVersion) return;
    this.tetherVersion = tethers.version;
    queue.writeBuffer(table, ENTRY * places.tethers, tethers.bytes);
  }

  dispose(): void {
    this.scratch?.destroy();
    this.uniform.destroy();
    this.table?.destroy();
    this.current?.patched?.dispose();
  }
}
