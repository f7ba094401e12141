import type { ColliderBuffers } from "../../../collision/obstacles/collider-buffers";
import { shaders } from "../../../generated/shaders/gpbd";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { type Kernel, KernelMaker } from "../../../gpu/kernel";
import { isSoftware } from "../../../gpu/software";
import type { PassRecorder } from "../../../gpu/pass-recorder";
import { readBuffer } from "../../../gpu/readback";
import { facesOf, type GpbdModel } from "../model";
import type { BuffersOf } from "../../../words";
import { squeezePart } from "./parts";

/** Buffers of the body that contact works on. */
type ContactBuffers = BuffersOf<"start displacement contact clearance faces faceOffsets faceEntries step reaction">;

type Bindings = ContactBuffers &
  BuffersOf<"colliders movedColliders colliderData proxies proxyStates workList dispatchArguments">;

/** Numbers that are saved of an anchor: particle, primitive, place. */
const ANCHOR = 5;

/** Contact of a body on the GPU: how far away obstacles were tells which particles and faces may touch. */
export class GpuContact {
  /**
   * Displacements by contact: of particles by their own, of particles by that of faces, and of corners of faces, vec4f each; then what
   * particles stick to, impulses of held ones (squeeze.wgsl), and factors of friction and thickness
   */
  readonly buffer: GPUBuffer;
  /** whether friction or thickness differs from particle to particle */
  hasFactors = false;
  private readonly workList: GPUBuffer;
  private readonly dispatchArguments: GPUBuffer;
  /** an adapter that runs all branches is faster with lists; others would wait for two more dispatches */
  private readonly usesLists: boolean = isSoftware(this.context);
  private readonly make = new KernelMaker(this.context, shaders);
  private kernels: ReturnType<GpuContact["makeKernels"]> | undefined;
  private bindings: Bindings | undefined;
  /** in place of the kernel for reactions, once the code is loaded */
  private squeeze: Kernel | undefined;
  /** version of the obstacles that particles stick to; undefined where the next ones are those */
  private anchoredTo: number | undefined;
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

  /** place of what particles stick to in the buffer [bytes], see anchor-place.wgsl */
  private get anchorsAt(): number {
    return 16 * (2 * this.model.particleCount + 3 * this.faceCount);
  }

  /** Particles stick to no obstacles but these: anchors know them by their places in the list. */
  follow(): void {
    const { version } = this.colliders;
    if (version !== (this.anchoredTo ?? version)) this.forget();
    this.anchoredTo = version;
  }

  /** The anchors of particles, as `Anchors.save` has it. */
  async save(): Promise<Float64Array[]> {
    const { anchorsAt: at, model } = this;
    const size = 16 * model.particleCount;
    const values = new Float32Array(await readBuffer(this.context, this.buffer, at + size), at);
    const all: number[] = [];
    for (let p = 0; p < model.particleCount; p++) {
      const [x, y, z, owner] = values.subarray(4 * p, 4 * p + 4);
      // Those that the last substep has not set are gone.
      if (owner > 0) all.push(p, owner - 1, x, y, z);
    }
    return all.length > 0 ? [Float64Array.from(all)] : [];
  }

  /** As `Anchors.load`. */
  load(saved?: Float64Array): void {
    if (!saved) return;
    this.anchoredTo = undefined;
    const values = new Float32Array(4 * this.model.particleCount);
    for (let i = 0; i < saved.length; i += ANCHOR) {
      const at = 4 * saved[i];
      values.set(saved.subarray(i + 2, i + ANCHOR), at);
      values[at + 3] = saved[i + 1] + 1;
    }
    this.context.device.queue.writeBuffer(this.buffer, this.anchorsAt, values);
  }

  /** Forgets what particles stick to: no other contact of the last substep is of use. */
  forget(): void {
    this.context.device.queue.writeBuffer(this.buffer, 0, new Float32Array(this.factorsAt / 4));
  }

  /** To be called when a buffer of the body or of the colliders was replaced. */
  configure(body: ContactBuffers): void {
    const { workList, dispatchArguments } = this;
    const { primitives, data, constants: kinds, proxies } = this.colliders;
    const obstacles = { colliders: primitives, movedColliders: primitives, colliderData: data };
    const rigid = { proxies: proxies.proxies, proxyStates: proxies.states };
    this.squeeze = undefined;
    this.bindings = { ...body, ...obstacles, ...rigid, workList, dispatchArguments };
    this.kernels = this.makeKernels(this.bindings, kinds);
  }

  private makeKernels(all: Bindings, kinds: Readonly<Record<string, number>>) {
    const { make } = this;
    const [onFaces, onParticles] = this.usesLists
      ? (["faceContacts", "contacts"] as const)
      : (["nearFaceContacts", "nearContacts"] as const);
    return {
      lists: this.usesLists && {
        ...make.some("gpbd/contact/clear-list", ["clearList"], all),
        ...make.some("gpbd/contact/near-obstacles", ["faceList", "particles"], all),
      },
      faceContact: make.one("gpbd/contact/face-contact", onFaces, all, kinds),
      contact: make.one("gpbd/contact/contact", onParticles, all, kinds),
      ...make.some("gpbd/contact/near-obstacles", ["takeFacePushes"], all),
      ...make.some("gpbd/contact/move-proxies", ["moveProxies"], all),
      placeProxies: make.one("gpbd/contact/move-proxies", "moveProxies", all, { advances: 0 }),
      reaction: make.one("gpbd/contact/reaction", "returnReactions", all),
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
    const { clearList, faceList, particles } = lists;
    if (faceCount > 0) {
      clearList.dispatch(recorder.stage("near obstacles"), 1, offsets);
      faceList.dispatch(recorder.stage("near obstacles"), faceCount, offsets);
      faceContact.dispatchIndirect(recorder.stage("face contact"), this.dispatchArguments, offsets);
      takeFacePushes.dispatch(recorder.stage("face contact"), particleCount, offsets);
    }
    clearList.dispatch(recorder.stage("near obstacles"), 1, offsets);
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
    const squeeze = squeezePart.loaded?.shaders;
    this.squeeze ??=
      squeeze &&
      new KernelMaker(this.context, squeeze).one(
        "squeeze/squeeze",
        "returnReactions",
        this.bindings!,
        this.colliders.constants,
      );
    (this.squeeze ?? this.kernels!.reaction).dispatchWorkgroups(recorder.stage("rigid proxies"), count, offsets);
  }

  dispose(): void {
    for (const buffer of [this.workList, this.dispatchArguments]) buffer.destroy();
  }
}
