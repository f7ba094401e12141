/**
 * Cloth that goes through all substeps of a frame in one dispatch, a workgroup a body, with barriers where the end of a dispatch is
 * otherwise (shaders/fused). It runs the same functions in the same order, on the body's own state, so that a body can change between the
 * two in any frame.
 */
import type { ColliderBuffers } from "../../../collision/obstacles/collider-buffers";
import { shaders } from "../../../generated/shaders/fused";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { StructWriter } from "../../../gpu/struct";
import { usedPlaces } from "../elements/gpu-elements";
import { airInterval } from "../external-forces";
import { isBending, type EnergyTerm, type GpbdModel } from "../model";
import { sweepsAtOnce, termInterval, type GpbdStepOptions } from "../options";
import type { PackedTethers } from "../tethers/gpu-tethers";
import { contactPasses, frameWork, timeOfOne, timeOfStages } from "./fused-cost";
import { ENTRY, fusedTable, SUBSTEP_ENTRIES, type TablePlaces } from "./fused-table";

/** Above, a workgroup takes longer than any GPU needs for the dispatches that it saves. */
const MOST_PARTICLES = 5000;

const NO_OFFSETS = new Uint32Array();

/** A frame of the body. */
export interface FusedFrame {
  readonly recorder: PassRecorder;
  readonly options: Readonly<GpbdStepOptions>;
  /** whether there are obstacles, and whether their contact takes faces, too */
  readonly touches: boolean;
  readonly withFaces: boolean;
  /** whether rigid bodies yield to it or carry it, and whether it is inflated: that needs stages between those of the body */
  readonly isPartOfMore: boolean;
  /** of the substeps, see step.wgsl */
  readonly steps: StructWriter<typeof structs.StepParameters>;
  readonly buffers: Readonly<Record<"start" | "velocity" | "clearance" | "frozenAt" | "step", GPUBuffer>>;
  /** particleCount × 4, and × 1; with a number that changes when they do */
  readonly pins: { readonly places: Float32Array; readonly limits: Float32Array; readonly version: number };
  /** as they are packed for tethers.wgsl; undefined where they do not hold */
  readonly tethers: PackedTethers | undefined;
}

export class FusedCloth {
  private readonly body: StructWriter<typeof structs.FusedBody>;
  private readonly uniform: GPUBuffer;
  private readonly scratch: GPUBuffer;
  private table: GPUBuffer | undefined;
  private places: TablePlaces | undefined;
  private kernel: Kernel | undefined;
  private configuredFor = "";
  private readonly substeps = new Float32Array(2000 * 4);
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
    this.body = new StructWriter(structs.FusedBody, 1);
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
    this.uniform = context.createUniformBuffer(`${name} fused`, structs.FusedBody.size);
  }

  /** Undefined for a body that has other terms than a membrane and bending, is too large, or tears. */
  static for(context: GpuContext, model: GpbdModel, colliders: ColliderBuffers): FusedCloth | undefined {
    const [membrane, bending, ...rest] = model.terms;
    const isCloth =
      (membrane?.kind === "stvk-membrane" || membrane?.kind === "neo-hookean-membrane") &&
      (!bending || (isBending(bending.kind) && bending.kind !== "hinge-bending"));
    const isOwn = membrane?.energy !== undefined || bending?.energy !== undefined;
    if (!isCloth || isOwn || rest.length > 0 || model.tears || model.rods) return undefined;
    if (model.particleCount > MOST_PARTICLES) return undefined;
    return new FusedCloth(context, model, colliders, membrane, bending);
  }

  /** @returns whether it has taken the frame; else the caller has to */
  step(frame: FusedFrame): boolean {
    const { iterations, warmStart, oneDispatch: isWanted } = frame.options;
    if (iterations > 1 || warmStart > 0 || frame.isPartOfMore || !(isWanted ?? this.pays(frame))) return false;
    this.configure(frame);
    this.write(frame);
    this.kernel!.dispatchWorkgroups(frame.recorder.stage("cloth"), 1, NO_OFFSETS);
    return true;
  }

  /** Whether a frame takes less time in one dispatch, by the model of fused-cost.ts. */
  private pays(frame: FusedFrame): boolean {
    const work = frameWork(this.model, { ...frame, hasTethers: frame.tethers !== undefined });
    return timeOfOne(work) < timeOfStages(work);
  }

  private isAtOnce({ method }: Readonly<GpbdStepOptions>): { membrane: boolean; bending: boolean } {
    const { membrane, bending } = this;
    return {
      membrane: sweepsAtOnce(method, membrane.kind),
      bending: bending !== undefined && sweepsAtOnce(method, bending.kind),
    };
  }

  private configure({ options, buffers, touches, withFaces }: FusedFrame): void {
    const { membrane, bending, colliders, context } = this;
    const isAtOnce = this.isAtOnce(options);
    const { method, newtonIterations } = options;
    const key = [method, newtonIterations, touches, withFaces, colliders.version, buffers.step.size].join();
    if (key === this.configuredFor) return;
    this.configuredFor = key;
    const { places, bytes } = fusedTable(this.model, membrane, bending, isAtOnce);
    this.table?.destroy();
    this.table = context.createBuffer(`${this.model.name} table`, bytes);
    this.places = places;
    this.pinVersion = this.tetherVersion = -1;
    this.body.put(0, {
      ...places,
      membraneCoefficients: membrane.material.subarray(0, 4),
      membraneDamping: membrane.material[4],
      bendingDamping: bending?.material[0] ?? 0,
      membraneColorCount: isAtOnce.membrane ? 1 : membrane.colours.length - 1,
      bendingColorCount: isAtOnce.bending ? 1 : (bending?.colours.length ?? 1) - 1,
    });
    const isDamped = Number((bending?.material[0] ?? 0) > 0);
    const isCurved = Number(bending?.kind === "dihedral-bending");
    const constants = {
      ...colliders.constants,
      isTracked: 0,
      sharesMembranes: Number(isAtOnce.membrane),
      bends: Number(bending !== undefined),
      touches: Number(touches),
      touchesWithFaces: Number(touches && withFaces),
      newtonIterations: options.newtonIterations,
      isAtOnce: Number(isAtOnce.bending),
      isDamped,
      isCurved,
      isTurning: Math.max(isDamped, isCurved),
      places: bending ? usedPlaces(bending) : 6,
    };
    const bindings = {
      ...buffers,
      scratch: this.scratch,
      table: this.table,
      body: this.uniform,
      firstStep: { buffer: buffers.step, size: Math.ceil(structs.StepParameters.size / 16) * 16 },
      colliders: colliders.primitives,
      colliderData: colliders.data,
    };
    this.kernel =
      membrane.kind === "stvk-membrane"
        ? Kernel.create(context, "fused/stvk-cloth", shaders["fused/stvk-cloth"], "stepBody", bindings, constants)
        : Kernel.create(
            context,
            "fused/neo-hookean-cloth",
            shaders["fused/neo-hookean-cloth"],
            "stepBody",
            bindings,
            constants,
          );
  }

  private write(frame: FusedFrame): void {
    const { options, steps, pins, tethers } = frame;
    const { body, substeps: values, bending } = this;
    const { substeps } = options;
    const { queue } = this.context.device;
    const table = this.table!;
    const places = this.places!;
    body.put(0, {
      substeps,
      airInterval: options.airDensity > 0 ? airInterval(substeps) : 0,
      bendingInterval: bending ? termInterval(bending.kind, substeps) : 1,
      contactPasses: contactPasses(frame),
      hasTethers: Number(tethers !== undefined),
      slack: tethers?.slack ?? 0,
      rest: tethers?.rest ?? 0,
    });
    queue.writeBuffer(this.uniform, 0, body.bytes);
    const view = new DataView(steps.bytes);
    const { pinShare, gripShare, fractionStart, fractionEnd, obstacleMotion } = structs.StepParameters.fields;
    const varying = [pinShare, gripShare, fractionStart, fractionEnd, obstacleMotion];
    for (let substep = 0; substep < substeps; substep++)
      varying.forEach(({ offset }, k) => {
        values[4 * SUBSTEP_ENTRIES * substep + k] = view.getFloat32(steps.stride * substep + offset, true);
      });
    queue.writeBuffer(table, ENTRY * places.substepTable, values, 0, 4 * SUBSTEP_ENTRIES * substeps);
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
