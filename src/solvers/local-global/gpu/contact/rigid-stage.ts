/** Rigid bodies that bodies of a group may touch, in the contact problem on the GPU: see shaders/local-global/rigid.wgsl. */
import type { ColliderBuffers } from "../../../../collision/obstacles/collider-buffers";
import { shaders } from "../../../../generated/shaders/local-global";
import type { GpuContext } from "../../../../gpu/device";
import { KernelMaker } from "../../../../gpu/kernel";
import type { BuffersOf } from "../../../../words";

/** Buffers of contact that the kernels use. */
type RigidBindings = BuffersOf<"contacts nodes incidence contactStep control">;

export class GpuRigidStage {
  private readonly kernels;
  private readonly count: number;

  constructor(context: GpuContext, { primitives, proxies }: ColliderBuffers, bindings: RigidBindings) {
    const all = { ...bindings, movedColliders: primitives, proxies: proxies.proxies, proxyStates: proxies.states };
    this.count = proxies.count;
    const make = new KernelMaker(context, shaders);
    this.kernels = make.some("local-global/rigid", ["placeRigid", "moveRigid", "yieldRigid"], all);
  }

  /** Before detection. */
  begin(pass: GPUComputePassEncoder, colliders: number, slot: Uint32Array): void {
    if (this.count === 0) return;
    this.kernels.placeRigid.dispatch(pass, colliders, slot);
    this.kernels.moveRigid.dispatch(pass, this.count, slot);
  }

  /** After the last iteration. */
  finish(pass: GPUComputePassEncoder, slot: Uint32Array): void {
    if (this.count > 0) this.kernels.yieldRigid.dispatchWorkgroups(pass, this.count, slot);
  }
}
