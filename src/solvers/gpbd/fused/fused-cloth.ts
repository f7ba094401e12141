/**
 * Cloth that goes through all substeps of a frame in one dispatch, a workgroup a body, with barriers where the end of a dispatch is
 * otherwise (shaders/fused). It runs the same functions in the same order, on the body's own state, so that a body can change between the
 * two in any frame.
 *
 * The solver hands over all that it has anyway: an import of code that pages load at their start would cut that into more chunks.
 */
import type { ColliderBuffers } from "../../../collision/obstacles/collider-buffers";
import { PliantError } from "../../../errors";
import { shaders } from "../../../generated/shaders/fused";
import { FusedBody } from "../../../generated/shaders/structs-fused";
import type { StepParameters } from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { StructWriter } from "../../../gpu/struct";
import type { TermParts } from "../elements/gpu-term";
import type { EnergyTerm, GpbdModel } from "../model";
import type { GpbdStepOptions } from "../options";
import type { PackedTethers } from "../tethers/gpu-tethers";
import { frameWork, timeOfOne, timeOfStages } from "./fused-cost";
import { ENTRY, fusedTable, MOST_SUBSTEPS, SUBSTEP_ENTRIES } from "./fused-table";

/** Above, a workgroup takes longer than any GPU needs for the dispatches that it saves. */
const MOST_PARTICLES = 5000;

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
  /** whether rigid bodies yield to it or carry it, and whether it is inflated: that needs stages between those of the body */
  readonly isPartOfMore: boolean;
  readonly terms: readonly { parts(options: Readonly<GpbdStepOptions>): TermParts }[];
  readonly steps: StructWriter<typeof StepParameters>;
  readonly buffers: Readonly<Record<"start" | "velocity" | "clearance" | "frozenAt" | "step", GPUBuffer>>;
  /** particleCount × 4, and × 1; with a number that changes when they do */
  readonly pins: { readonly places: Float32Array; readonly limits: Float32Array; readonly version: number };
  readonly tethers: PackedTethers | undefined;
}

/** The frames to which kernel, table and model of cost apply. */
interface Configuration {
  readonly key: string;
  readonly terms: readonly TermParts[];
  /** made when it is needed first */
  kernel?: Kernel;
  pays: boolean;
}

export class FusedCloth {
  private readonly body = new StructWriter(FusedBody, 1);
  private readonly uniform: GPUBuffer;
  private readonly scratch: GPUBuffer;
  private table: GPUBuffer | undefined;
  private current: Configuration | undefined;
  private readonly substeps = new Float32Array(4 * SUBSTEP_ENTRIES * MOST_SUBSTEPS);
  private places!: ReturnType<typeof fusedTable>["places"];
  private pinVersion = -1;
  private tetherVersion = -1;

  private constructor(
    private readonly context: GpuContext,
    private readonly model: GpbdModel,
    private readonly colliders: ColliderBuffers,
    private readonly membrane: EnergyTerm,
    private readonly bending: EnergyTerm | undefined,
  ) {
    const { particleCount: n, faces, name } = model;
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
    this.scratch = context.createBuffer(`${name} scratch`, ENTRY * end);
    this.uniform = context.createUniformBuffer(`${name} fused`, FusedBody.size);
  }

  /** Undefined for a body that has other terms than a membrane and bending, is too large, or tears. */
  static for(context: GpuContext, model: GpbdModel, colliders: ColliderBuffers): FusedCloth | undefined {
    const { terms, tears, rods, particleCount } = model;
    const [membrane, bending] = terms;
    const isSheet = membrane?.kind === "stvk-membrane" || membrane?.kind === "neo-hookean-membrane";
    const bends = !bending || bending.kind === "isometric-bending" || bending.kind === "dihedral-bending";
    const isOwn = terms.some(({ energy }) => energy !== undefined);
    if (!isSheet || !bends || isOwn || terms.length > 2 || tears || rods || particleCount > MOST_PARTICLES)
      return undefined;
    return new FusedCloth(context, model, colliders, membrane, bending);
  }

  /** @returns whether it has taken the frame; else the caller has to */
  step(frame: FusedFrame): boolean {
    const { iterations, warmStart, oneDispatch: isWanted } = frame.options;
    if (iterations > 1 || warmStart > 0 || frame.isPartOfMore) return false;
    const current = this.configure(frame);
    if (!(isWanted ?? current.pays)) return false;
    current.kernel ??= this.createKernel(frame, current);
    this.write(frame);
    current.kernel.dispatchWorkgroups(frame.recorder.stage("cloth"), 1, NO_OFFSETS);
    return true;
  }

  /** Does something only when options or obstacles have changed. */
  private configure(frame: FusedFrame): Configuration {
    const { options, contactPasses, withFaces, airInterval, buffers } = frame;
    const hasTethers = frame.tethers !== undefined;
    const { method, newtonIterations, substeps } = options;
    const { version } = this.colliders;
    const key = [
      method,
      newtonIterations,
      substeps,
      contactPasses,
      withFaces,
      airInterval,
      hasTethers,
      version,
      buffers.step.size,
    ].join();
    if (this.current?.key === key) return this.current;
    const terms = frame.terms.map((term) => term.parts(options));
    const { particleCount, faces } = this.model;
    const faceCount = faces.length / 3;
    const work = frameWork({
      particleCount,
      faceCount,
      substeps,
      terms,
      contactPasses,
      withFaces,
      hasTethers,
      airInterval,
    });
    return (this.current = { key, terms, pays: timeOfOne(work) < timeOfStages(work) });
  }

  private createKernel({ options, buffers, steps, contactPasses, withFaces }: FusedFrame, { terms }: Configuration) {
    const { membrane, bending, colliders, context } = this;
    const [stretch, bend] = terms;
    const { places, bytes } = fusedTable(this.model, terms);
    this.table?.destroy();
    this.table = context.createBuffer(`${this.model.name} table`, bytes);
    this.places = places;
    this.pinVersion = this.tetherVersion = -1;
    const bendingDamping = bending?.material[0] ?? 0;
    this.body.put(0, {
      ...places,
      membraneCoefficients: membrane.material.subarray(0, 4),
      membraneDamping: membrane.material[4],
      bendingDamping,
      membraneColorCount: stretch.colours.length - 1,
      bendingColorCount: (bend?.colours.length ?? 1) - 1,
      bendingInterval: bend?.interval ?? 1,
    });
    const isDamped = Number(bendingDamping > 0);
    const isCurved = Number(bending?.kind === "dihedral-bending");
    const constants = {
      ...colliders.constants,
      isTracked: 0,
      sharesMembranes: Number(stretch.isAtOnce),
      bends: Number(bend !== undefined),
      touches: Number(contactPasses > 0),
      touchesWithFaces: Number(withFaces),
      newtonIterations: options.newtonIterations,
      isAtOnce: Number(bend?.isAtOnce ?? false),
      isDamped,
      isCurved,
      isTurning: Math.max(isDamped, isCurved),
      places: bend?.places ?? 6,
    };
    const bindings = {
      ...buffers,
      scratch: this.scratch,
      table: this.table,
      body: this.uniform,
      firstStep: { buffer: buffers.step, size: steps.stride },
      colliders: colliders.primitives,
      colliderData: colliders.data,
    };
    const create = (name: keyof typeof shaders): Kernel =>
      Kernel.create(context, name, shaders[name], "stepBody", bindings, constants);
    if (membrane.kind === "stvk-membrane") return create("fused/stvk-cloth");
    if (membrane.kind === "neo-hookean-membrane") return create("fused/neo-hookean-cloth");
    throw new PliantError("unsupported", `${this.model.name} ${membrane.kind}`, "no kernel", "needs one of its own");
  }

  private write(frame: FusedFrame): void {
    const { options, steps, pins, tethers, contactPasses, airInterval } = frame;
    const { body, substeps: values, places } = this;
    const { queue } = this.context.device;
    const table = this.table!;
    body.put(0, {
      substeps: options.substeps,
      airInterval,
      contactPasses,
      hasTethers: Number(tethers !== undefined),
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
    this.scratch.destroy();
    this.uniform.destroy();
    this.table?.destroy();
  }
}
