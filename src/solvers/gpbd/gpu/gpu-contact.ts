import type { ColliderBuffers } from "../../../collision/obstacles/collider-buffers";
import { shaders } from "../../../generated/shaders/gpbd";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import { isSoftware } from "../../../gpu/software";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { facesOf, type GpbdModel } from "../model";
import { squeezePart } from "./parts";

/** Buffers of the body that contact works on. */
export interface ContactBuffers {
  readonly start: GPUBuffer;
  readonly displacement: GPUBuffer;
  /** displacements by contact: of particles by their own, of particles by that of faces, and of corners of faces; vec4f each */
  readonly contact: GPUBuffer;
  readonly clearance: GPUBuffer;
  readonly faces: GPUBuffer;
  readonly faceOffsets: GPUBuffer;
  readonly faceEntries: GPUBuffer;
  readonly step: GPUBuffer;
  /** what proxies did to each particle, see reaction.wgsl */
  readonly reaction: GPUBuffer;
}

/** Kernels that list what may touch. */
interface ListKernels {
  readonly clear: Kernel;
  readonly faces: Kernel;
  readonly particles: Kernel;
}

interface Kernels {
  /** undefined where all particles and faces look for themselves */
  readonly lists: ListKernels | undefined;
  readonly faceContact: Kernel;
  readonly contact: Kernel;
  readonly takeFacePushes: Kernel;
  readonly moveProxies: Kernel;
  /** leaves them where they begin the substep */
  readonly placeProxies: Kernel;
  readonly reaction: Kernel;
  /** in its place, once the code is loaded */
  squeeze?: Kernel;
  readonly createSqueeze: () => Kernel | undefined;
}

/** Contact of a body on the GPU: how far away obstacles were tells which particles and faces may touch. */
export class GpuContact {
  /** `ContactBuffers.contact`, then what particles stick to, impulses of held ones (squeeze.wgsl), and factors of friction and thickness */
  readonly buffer: GPUBuffer;
  /** whether friction or thickness differs from particle to particle */
  hasFactors = false;
  private readonly workList: GPUBuffer;
  private readonly dispatchArguments: GPUBuffer;
  /** an adapter that runs all branches is faster with lists; others would wait for two more dispatches */
  private readonly usesLists: boolean = isSoftware(this.context);
  private kernels: Kernels | undefined;
  /** see `facesOf` */
  readonly faceCount: number = facesOf(this.model).length / 3;

  constructor(
    private readonly context: GpuContext,
    private readonly model: GpbdModel,
    private readonly colliders: ColliderBuffers,
  ) {
    const n = model.particleCount;
    const items = Math.max(n, this.faceCount);
    this.buffer = context.createBuffer(`${model.name} contact displacements`, this.factorsAt + 2 * this.factorsSize);
    this.writeFactors(model);
    this.workList = context.createBuffer(`${model.name} contact list`, 4 + 4 * items);
    const { size } = structs.DispatchArguments;
    const label = `${model.name} contact workgroups`;
    this.dispatchArguments = context.createBuffer(label, size, GPUBufferUsage.INDIRECT);
  }

  /** place of the factors in the buffer [bytes], and bytes of a list of them, see particle-surface.wgsl */
  private get factorsAt(): number {
    return 16 * (4 * this.model.particleCount + 3 * this.faceCount);
  }

  private get factorsSize(): number {
    return 16 * Math.ceil(this.model.particleCount / 4);
  }

  /** @param model the same with other factors of friction and thickness, or none */
  writeFactors({ particleCount, frictionFactors, thicknessFactors }: GpbdModel): void {
    this.hasFactors = frictionFactors !== undefined || thicknessFactors !== undefined;
    const ones = new Float32Array(particleCount).fill(1);
    [frictionFactors, thicknessFactors].forEach((given, k) => {
      const factors = given ? Float32Array.from(given) : ones;
      this.context.device.queue.writeBuffer(this.buffer, this.factorsAt + k * this.factorsSize, factors);
    });
  }

  /** Forgets what particles stick to: no other contact of the last substep is of use. */
  forget(): void {
    this.context.device.queue.writeBuffer(this.buffer, 0, new Float32Array(this.factorsAt / 4));
  }

  /** To be called when a buffer of the body or of the colliders was replaced. */
  configure(body: ContactBuffers): void {
    const { context, workList, dispatchArguments } = this;
    const { primitives, data, constants, proxies } = this.colliders;
    const obstacles = { colliders: primitives, movedColliders: primitives, colliderData: data };
    const rigid = { proxies: proxies.proxies, proxyStates: proxies.states };
    const all = { ...body, ...obstacles, ...rigid, workList, dispatchArguments };
    const near = shaders["gpbd/contact/near-obstacles"];
    const move = shaders["gpbd/contact/move-proxies"];
    const { "gpbd/contact/contact": contact, "gpbd/contact/face-contact": faces } = shaders;
    const onParticles = (entry: "contacts" | "nearContacts"): Kernel =>
      Kernel.create(context, "gpbd/contact/contact", contact, entry, all, constants);
    const onFaces = (entry: "faceContacts" | "nearFaceContacts"): Kernel =>
      Kernel.create(context, "gpbd/contact/face-contact", faces, entry, all, constants);
    const { "gpbd/contact/clear-list": clear, "gpbd/contact/reaction": reaction } = shaders;
    this.kernels = {
      lists: this.usesLists
        ? {
            clear: Kernel.create(context, "gpbd/contact/clear-list", clear, "clearList", all),
            faces: Kernel.create(context, "gpbd/contact/near-obstacles", near, "faceList", all),
            particles: Kernel.create(context, "gpbd/contact/near-obstacles", near, "particles", all),
          }
        : undefined,
      faceContact: onFaces(this.usesLists ? "faceContacts" : "nearFaceContacts"),
      contact: onParticles(this.usesLists ? "contacts" : "nearContacts"),
      takeFacePushes: Kernel.create(context, "gpbd/contact/near-obstacles", near, "takeFacePushes", all),
      moveProxies: Kernel.create(context, "gpbd/contact/move-proxies", move, "moveProxies", all),
      placeProxies: Kernel.create(context, "gpbd/contact/move-proxies", move, "moveProxies", all, { advances: 0 }),
      reaction: Kernel.create(context, "gpbd/contact/reaction", reaction, "returnReactions", all),
      createSqueeze: () => {
        const squeeze = squeezePart.loaded?.shaders["squeeze/squeeze"];
        return squeeze && Kernel.create(context, "squeeze/squeeze", squeeze, "returnReactions", all, constants);
      },
    };
  }

  /**
   * @param withFaces also test edges and faces
   * @param contact of all particles, in place of its own kernel
   */
  dispatch(recorder: PassRecorder, offsets: Uint32Array, withFaces: boolean, contact = this.kernels!.contact): void {
    const { lists, faceContact, takeFacePushes } = this.kernels!;
    const { particleCount } = this.model;
    const faceCount = withFaces ? this.faceCount : 0;
    if (!lists) {
      if (faceCount > 0) {
        faceContact.dispatch(recorder.stage("face contact"), faceCount, offsets);
        takeFacePushes.dispatch(recorder.stage("face contact"), particleCount, offsets);
      }
      contact.dispatch(recorder.stage("contact"), particleCount, offsets);
      return;
    }
    const { clear, particles } = lists;
    if (faceCount > 0) {
      clear.dispatch(recorder.stage("near obstacles"), 1, offsets);
      lists.faces.dispatch(recorder.stage("near obstacles"), faceCount, offsets);
      faceContact.dispatchIndirect(recorder.stage("face contact"), this.dispatchArguments, offsets);
      takeFacePushes.dispatch(recorder.stage("face contact"), particleCount, offsets);
    }
    clear.dispatch(recorder.stage("near obstacles"), 1, offsets);
    particles.dispatch(recorder.stage("near obstacles"), particleCount, offsets);
    contact.dispatchIndirect(recorder.stage("contact"), this.dispatchArguments, offsets);
  }

  /**
   * Before a substep: proxies of rigid bodies go where they are in it.
   *
   * @param isLast of the bodies that are stepped side by side
   */
  moveProxies(recorder: PassRecorder, offsets: Uint32Array, isLast: boolean): void {
    if (this.colliders.proxies.count === 0) return;
    const { moveProxies, placeProxies } = this.kernels!;
    (isLast ? moveProxies : placeProxies).dispatchWorkgroups(recorder.stage("rigid proxies"), 1, offsets);
  }

  /** After its last iteration: impulses for the proxies, to which they yield. */
  returnReactions(recorder: PassRecorder, offsets: Uint32Array): void {
    const { count } = this.colliders.proxies;
    if (count === 0) return;
    if (!squeezePart.loaded) void squeezePart.load().catch(() => undefined);
    const kernels = this.kernels!;
    kernels.squeeze ??= kernels.createSqueeze();
    (kernels.squeeze ?? kernels.reaction).dispatchWorkgroups(recorder.stage("rigid proxies"), count, offsets);
  }

  dispose(): void {
    for (const buffer of [this.workList, this.dispatchArguments]) buffer.destroy();
  }
}
