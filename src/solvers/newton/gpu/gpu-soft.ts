import { massOf } from "../../mass";
import { shaders } from "../../../generated/shaders/newton";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import type { Kernel } from "../../../gpu/kernel";
import { type EntryOf, KernelSet } from "../../../gpu/kernel-set";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { StructWriter } from "../../../gpu/struct";
import { areEqual } from "../../alike";
import { grainOf } from "../../spacing";
import { RECOVERY_SPEED } from "../deformable/contact/coupled-solver";
import type { NewtonOptions } from "../options";
import type { CoupledPart } from "./gpu-newton";
import type { SoftContactTable } from "./soft-contact-table";
import type { SoftLayout, SoftPart } from "./soft-layout";

const modules = {
  "newton/deformable/bodies": shaders["newton/deformable/bodies"],
  "newton/deformable/elements": shaders["newton/deformable/elements"],
  "newton/deformable/factor": shaders["newton/deformable/factor"],
  "newton/deformable/contacts": shaders["newton/deformable/contacts"],
  "newton/deformable/problem": shaders["newton/deformable/problem"],
  "newton/deformable/rigid": shaders["newton/deformable/rigid"],
} as const;
type EntryPoint = EntryOf<typeof modules>;

/** Bytes between slots of a uniform with dynamic offset (minUniformBufferOffsetAlignment of every device). */
const uniformSlot = 256;
/** Least tolerances that f32 can reach: those of velocities, and of the contact problem [m/s]. */
const LEAST_CHANGE = 1e-5;
const LEAST_TOLERANCE = 5e-6;
/** Number of values of a row of the contact problem besides its matrix. */
const WORDS_OF_ROW = structs.FemContactRow.size / 4;
const STATE_WORDS = structs.FemNodeState.size / 4;

/** Times and gravity of a frame's steps. */
export interface SoftFrameInput {
  /** [s] of a step */
  readonly h: number;
  readonly substeps: number;
  /** [m/s²] */
  readonly gravity: ArrayLike<number>;
}

/**
 * Deformable bodies of the Newton solver in WGSL. Their states and the impulses of their contacts live on the GPU.
 * Every frame, the host passes its data of goals and contacts, and all steps of the frame go into one command buffer.
 */
export class GpuSoft {
  /** largest number of contacts for which the matrix of their problem fits one binding */
  readonly mostContacts: number;
  private readonly buffers = new Map<string, GPUBuffer>();
  private readonly kernels = new KernelSet(this.context, modules);
  private readonly offsets = new Uint32Array(1);
  /** for passes that also read the parameters of rigid bodies, whose offset comes first */
  private readonly bothOffsets = new Uint32Array(2);
  private rigid: CoupledPart | undefined;
  private rigidVersion = -1;
  private size = 0;
  private writer = new StructWriter(structs.FemStep, 4, uniformSlot);
  private readonly bodies: StructWriter<typeof structs.FemBodyInput>;
  private recorder: PassRecorder | undefined;
  /** number of impulses that fit one half of their buffer; frames use the halves in turn */
  private half = 0;
  private frames = 0;

  constructor(
    private readonly context: GpuContext,
    readonly layout: SoftLayout,
  ) {
    const limit = context.device.limits.maxStorageBufferBindingSize;
    // limits: memory for W and an augmented matrix of the same size, with three rows a contact; and a dispatch over all
    // pairs with workgroups of 64
    const byMemory = Math.floor(Math.sqrt(limit / 4 / 2) / 3) - 1;
    const byThreads = Math.floor(Math.sqrt(64 * context.device.limits.maxComputeWorkgroupsPerDimension));
    // leave room for contacts between rigid bodies
    this.mostContacts = Math.floor(0.75 * Math.min(byMemory, byThreads));
    const { nodes, elements, entryCount, nodeCount, parts } = layout;
    const count = elements.records.count;
    this.bodies = new StructWriter(structs.FemBodyInput, parts.length);
    const make = (name: string, data: ArrayBufferView | number): void => {
      this.buffers.set(name, context.createBuffer(`newton ${name}`, data));
    };
    context.allOrNothing(() => {
      make("softBodies", this.bodies.bytes.byteLength);
      make("softNodes", nodes.f32.subarray(0, nodes.byteLength / 4));
      make("nodeStates", structs.FemNodeState.size * nodeCount);
      make("elements", elements.records.f32.subarray(0, elements.records.byteLength / 4));
      make("driven", elements.driven);
      make("elementWorks", structs.FemElementWork.size * count);
      make("dampingBlocks", elements.isDamped ? 10 * 48 * count : 48);
      make("nodeCorners", layout.nodeCorners);
      make("entryParts", layout.entryParts);
      make("entryRows", layout.entryRows);
      make("matrix", 36 * (entryCount + nodeCount));
      make("bodyControls", structs.FemBodyControl.size * parts.length);
      make("softControl", structs.FemControl.size);
      make("outputs", 48 * nodeCount);
      make("nodeContacts", 4 * (nodeCount + 1));
      for (const name of ["contacts", "contactWorks", "softImpulses", "columns", "delassus", "contactRows"])
        make(name, 1024);
      this.buffers.set("soft", context.createUniformBuffer("newton soft step", this.writer.count * uniformSlot));
    });
  }

  /** Three vectors for each particle, in the order of the models: positions, their rounding remainders, velocities. */
  get outputs(): GPUBuffer {
    return this.buffers.get("outputs")!;
  }

  /** Takes over a body's state from the CPU. */
  place(part: SoftPart): void {
    const { body, firstNode } = part;
    const data = new Float32Array(STATE_WORDS * body.count);
    const { position, low, velocity } = structs.FemNodeState.fields;
    for (let p = 0; p < body.count; p++) {
      const at = STATE_WORDS * (this.layout.nodeOf(part, p) - firstNode);
      for (let k = 0; k < 3; k++) {
        const x = body.positions[3 * p + k];
        data[at + position.offset / 4 + k] = x;
        data[at + low.offset / 4 + k] = x - Math.fround(x);
        data[at + velocity.offset / 4 + k] = body.velocities[3 * p + k]!;
      }
    }
    const { queue } = this.context.device;
    queue.writeBuffer(this.buffers.get("nodeStates")!, structs.FemNodeState.size * firstNode, data);
    const { size } = structs.FemBodyControl;
    queue.writeBuffer(this.buffers.get("bodyControls")!, size * this.layout.parts.indexOf(part), new Uint8Array(size));
  }

  /** Takes over the state of a body from the buffers of another layout. */
  adopt(part: SoftPart, from: GpuSoft, old: SoftPart): void {
    const encoder = this.context.device.createCommandEncoder({ label: "newton deformables move" });
    const copy = (name: string, size: number, source: number, to: number, count: number): void =>
      encoder.copyBufferToBuffer(
        from.buffers.get(name)!,
        size * source,
        this.buffers.get(name)!,
        size * to,
        size * count,
      );
    const { size } = structs.FemNodeState;
    if (areEqual(part.order, old.order)) copy("nodeStates", size, old.firstNode, part.firstNode, part.body.count);
    else
      for (let p = 0; p < part.body.count; p++)
        copy("nodeStates", size, from.layout.nodeOf(old, p), this.layout.nodeOf(part, p), 1);
    const { parts } = this.layout;
    copy("bodyControls", structs.FemBodyControl.size, from.layout.parts.indexOf(old), parts.indexOf(part), 1);
    this.context.device.queue.submit([encoder.finish()]);
  }

  /** Encodes a frame. @param rigid rigid bodies, joints and contacts in one system with the deformable ones */
  frame(
    recorder: PassRecorder,
    contacts: SoftContactTable,
    input: SoftFrameInput,
    options: Readonly<NewtonOptions>,
    rigid?: CoupledPart,
  ): void {
    this.recorder = recorder;
    if (rigid && rigid.version !== this.rigidVersion) this.kernels.clear();
    this.rigidVersion = rigid?.version ?? -1;
    this.rigid = rigid;
    this.size = 3 * (rigid?.system.blocks ?? contacts.records.count);
    this.upload(contacts, input, options);
    for (let substep = 0; substep < input.substeps; substep++) {
      this.offsets[0] = uniformSlot * substep;
      if (rigid) {
        this.bothOffsets[0] = rigid.offsetOf(substep);
        this.bothOffsets[1] = uniformSlot * substep;
      }
      this.encodeStep(contacts.records.count, substep, options);
    }
  }

  dispose(): void {
    for (const buffer of this.buffers.values()) buffer.destroy();
  }

  private encodeStep(contacts: number, substep: number, options: Readonly<NewtonOptions>): void {
    const { elements, nodeCount, entryCount, parts } = this.layout;
    const { rigid } = this;
    const elementCount = elements.records.count;
    const bodies = parts.length;
    this.run("beginStep", 1);
    this.run("predictNodes", nodeCount);
    if (elements.isDamped) this.run("dampElements", elementCount);
    this.run("setUpContacts", contacts);
    if (rigid) this.beginRigid(rigid, contacts, substep);
    for (let k = 0; k < options.newtonIterations; k++) {
      this.run("evaluateElements", elementCount);
      this.runGroups("balanceBodies", bodies);
      this.run("decideBalance", 1);
      this.run("assembleEntries", entryCount);
      this.runGroups("factorBodies", bodies);
      this.run("decideFactor", 1);
      if (contacts > 0) {
        this.runGroups("writeColumns", contacts);
        this.run("coupleContacts", contacts * contacts);
      }
      if (rigid) this.runBoth("coupleBlocks", rigid.system.blocks * rigid.system.blocks);
      this.run("writeBias", contacts);
      if (rigid) this.runBoth("writeRigidBias", rigid.system.blocks);
      if (this.size > 0) this.runGroups("solveContacts", 1);
      this.run("pushNodes", nodeCount);
      this.runGroups("updateBodies", bodies);
      if (rigid) this.stepRigid(rigid, substep);
      else this.run("decideEnd", 1);
    }
    this.run("keepImpulses", contacts);
    if (rigid) {
      rigid.run("keepImpulses", rigid.system.blocks, substep);
      rigid.run("placeBodies", rigid.system.bodies, substep);
      rigid.run("finishBodies", rigid.system.bodies, substep);
    }
    this.runGroups("finishBodies", bodies);
  }

  /** Encodes free motion, and rows of contacts and joints. */
  private beginRigid(rigid: CoupledPart, contacts: number, substep: number): void {
    const { bodies, blocks } = rigid.system;
    rigid.run("predictBodies", bodies, substep);
    rigid.run("setUpBlocks", blocks, substep);
    this.runBoth("keepFreeMotion", bodies);
    this.runBoth("setUpRigidContacts", contacts);
    this.runBoth("setUpCoupledBlocks", blocks);
  }

  /** Applies the impulses of an iteration to rigid bodies. */
  private stepRigid(rigid: CoupledPart, substep: number): void {
    const { bodies, blocks, rows } = rigid.system;
    this.runBoth("spreadImpulses", blocks);
    this.runBoth("stepCoupledBodies", bodies);
    if (rows > 0) rigid.run("updateJoints", blocks, substep);
    this.runBoth("decideCoupledEnd", 1);
  }

  private runBoth(entry: EntryPoint, threads: number): void {
    this.kernel(entry).dispatch(this.recorder!.stage("deformable bodies"), threads, this.bothOffsets);
  }

  private run(entry: EntryPoint, threads: number): void {
    this.kernel(entry).dispatch(this.recorder!.stage("deformable bodies"), threads, this.offsets);
  }

  private runGroups(entry: EntryPoint, workgroups: number): void {
    this.kernel(entry).dispatchWorkgroups(this.recorder!.stage("deformable bodies"), workgroups, this.offsets);
  }

  private kernel(entry: EntryPoint): Kernel {
    return this.kernels.get(entry, () => ({ ...this.rigid?.shared, ...Object.fromEntries(this.buffers) }));
  }

  private upload(contacts: SoftContactTable, input: SoftFrameInput, options: Readonly<NewtonOptions>): void {
    const { layout, bodies } = this;
    const { elements, nodes, parts } = layout;
    const { queue } = this.context.device;
    if (layout.updateGoals()) queue.writeBuffer(this.buffers.get("softNodes")!, 0, nodes.f32, 0, nodes.byteLength / 4);
    let isNew = false;
    for (const { body, firstElement, endElement } of parts)
      if (elements.update(body.model, firstElement, endElement, body.elasticShare)) isNew = true;
    if (isNew) queue.writeBuffer(this.buffers.get("driven")!, 0, elements.driven);
    parts.forEach(({ body, firstNode }, k) => {
      bodies.set(k, "firstNode", firstNode);
      bodies.set(k, "nodeCount", body.count);
      bodies.set(k, "gravityFactor", body.gravityFactor);
      bodies.set(k, "damping", body.damping);
      bodies.set(k, "mass", massOf(body.model));
    });
    queue.writeBuffer(this.buffers.get("softBodies")!, 0, bodies.bytes);
    this.uploadContacts(contacts);
    this.writeSteps(contacts, input, options);
  }

  private uploadContacts({ records, nodeContacts, columnCount }: SoftContactTable): void {
    const { count } = records;
    this.frames++;
    this.write("contacts", records.f32, records.byteLength);
    this.write("nodeContacts", nodeContacts.words, 4 * nodeContacts.count);
    this.reserve("contactWorks", structs.FemContactWork.size * count);
    this.reserve("columns", 36 * columnCount);
    const { size } = this;
    this.reserve("delassus", 4 * (size * size + size * (size + 1)), 1.2);
    this.reserve("contactRows", 4 * WORDS_OF_ROW * size);
    if (count <= this.half) return;
    // Impulses of the last frame are in the other half.
    const old = this.buffers.get("softImpulses")!;
    const half = 2 * count;
    const made = this.context.createBuffer("newton softImpulses", 32 * half);
    if (this.half > 0) {
      const encoder = this.context.device.createCommandEncoder({ label: "newton growth" });
      const other = (this.frames + 1) % 2;
      encoder.copyBufferToBuffer(old, 16 * this.half * other, made, 16 * half * other, 16 * this.half);
      this.context.device.queue.submit([encoder.finish()]);
    }
    old.destroy();
    this.buffers.set("softImpulses", made);
    this.kernels.clear();
    this.half = half;
  }

  private writeSteps(contacts: SoftContactTable, input: SoftFrameInput, options: Readonly<NewtonOptions>): void {
    const { h, substeps } = input;
    if (substeps > this.writer.count) {
      this.buffers.get("soft")!.destroy();
      this.writer = new StructWriter(structs.FemStep, 2 * substeps, uniformSlot);
      const made = this.context.createUniformBuffer("newton soft step", this.writer.count * uniformSlot);
      this.buffers.set("soft", made);
      this.kernels.clear();
    }
    const { writer, layout } = this;
    const now = this.frames % 2;
    const grain = grainOf(Math.hypot(input.gravity[0], input.gravity[1], input.gravity[2]));
    for (let substep = 0; substep < substeps; substep++) {
      writer.set(substep, "gravity", input.gravity);
      writer.set(substep, "recoverySpeed", grain * RECOVERY_SPEED);
      writer.set(substep, "h", h);
      writer.set(substep, "substep", substep);
      writer.set(substep, "timeLeft", h * (substeps - substep));
      writer.set(substep, "nodes", layout.nodeCount);
      writer.set(substep, "elements", layout.elements.records.count);
      writer.set(substep, "bodies", layout.parts.length);
      writer.set(substep, "entries", layout.entryCount);
      writer.set(substep, "contacts", contacts.records.count);
      writer.set(substep, "size", this.size);
      writer.set(substep, "warmStart", options.warmStart ? 1 : 0);
      writer.set(substep, "enough", grain * Math.max(LEAST_CHANGE, options.iterativeTolerance));
      writer.set(substep, "tolerance", grain * Math.max(LEAST_TOLERANCE, options.tolerance));
      writer.set(substep, "regularization", options.regularization);
      writer.set(substep, "oldImpulses", this.half * (1 - now));
      writer.set(substep, "newImpulses", this.half * now);
      writer.set(substep, "isDamped", layout.elements.isDamped ? 1 : 0);
      writer.set(substep, "safeguard", options.safeguard ? 1 : 0);
    }
    this.context.device.queue.writeBuffer(this.buffers.get("soft")!, 0, writer.bytes, 0, substeps * uniformSlot);
  }

  private write(name: string, data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>, byteLength: number): void {
    this.reserve(name, byteLength);
    if (byteLength > 0)
      this.context.device.queue.writeBuffer(this.buffers.get(name)!, 0, data.buffer, data.byteOffset, byteLength);
  }

  /** Makes room for this number of bytes; the contents are lost. */
  private reserve(name: string, byteLength: number, factor = 2): void {
    const old = this.buffers.get(name)!;
    if (old.size >= byteLength) return;
    const limit = this.context.device.limits.maxStorageBufferBindingSize;
    const wanted = Math.max(byteLength, Math.min(limit, Math.ceil(factor * byteLength)));
    this.buffers.set(name, this.context.createBuffer(`newton ${name}`, wanted));
    old.destroy();
    this.kernels.clear();
  }
}
