/** Rigid bodies that bodies of a group may touch, in the contact problem on the GPU: see shaders/local-global/rigid.wgsl. */
import type { ColliderBuffers } from "../../../../collision/obstacles/collider-buffers";
import { shaders } from "../../../../generated/shaders/local-global";
import type { GpuContext } from "../../../../gpu/device";
import { Kernel } from "../../../../gpu/kernel";

/** Buffers of contact that the kernels use. */
export interface RigidBindings {
  readonly contacts: GPUBuffer;
  readonly nodes: GPUBuffer;
  readonly incidence: GPUBuffer;
  readonly contactStep: GPUBuffer;
  readonly control: GPUBuffer;
}

export class GpuRigidStage {
  private readonly place: Kernel;
  private readonly move: Kernel;
  private readonly yieldTo: Kernel;
  private readonly count: number;

  constructor(context: GpuContext, { primitives, proxies }: ColliderBuffers, bindings: RigidBindings) {
    const name = "local-global/rigid";
    const module = shaders[name];
    const all = { ...bindings, movedColliders: primitives, proxies: proxies.proxies, proxyStates: proxies.states };
    this.count = proxies.count;
    this.place = Kernel.create(context, name, module, "placeRigid", all);
    this.move = Kernel.create(context, name, module, "moveRigid", all);
    this.yieldTo = Kernel.create(context, name, module, "yieldRigid", all);
  }

  /** Before detection. */
  begin(pass: GPUComputePassEncoder, colliders: number, slot: Uint32Array): void {
    if (this.count === 0) return;
    this.place.dispatch(pass, colliders, slot);
    this.move.dispatch(pass, this.count, slot);
  }

  /** After the last iteration. */
  finish(pass: GPUComputePassEncoder, slot: Uint32Array): void {
    if (this.count > 0) this.yieldTo.dispatchWorkgroups(pass, this.count, slot);
  }
}
