/**
 * Frames that cannot be trusted, on the GPU: twin of trusted-frames.ts and trust.ts. The GPU keeps the state with which a frame begins,
 * judges where it has come to, takes it again in two and four times as many steps, and holds what four do not help.
 *
 * Frames are encoded in one attempt, or in all three if one of late needed them. Dispatches of attempts that are not needed have no
 * workgroups. A frame that needs more attempts than there are halts and is encoded again with all, as one without room for its contacts:
 * the result does not depend on how many are encoded. To encode all of them in every frame would take seven times the dispatches.
 *
 *     begin       copies of the state; energies and motion of bodies; parts that turning asks for
 *     attempts:
 *       openAttempt, steps, clusters after each of their passes
 *       judge     energies of clusters, verdict; back to the start of the frame
 *     end         what is still wrong is held
 */
import * as constants from "../../../../generated/constants";
import { shaders } from "../../../../generated/shaders/local-global";
import * as structs from "../../../../generated/structs";
import type { GpuContext } from "../../../../gpu/device";
import { type Kernel, KernelMaker } from "../../../../gpu/kernel";
import type { PassRecorder } from "../../../../gpu/pass-recorder";
import type { ElementKind } from "../tables";
import { dispatch, type Gate, type PassGate } from "../contact/pass-gate";
import { UNIFORM_SLOT } from "../passes";
import { type Changed, type ElasticTables, TrustBuffers, type TrustSources } from "./trust-buffers";

const { HOLD_HALVINGS, PROXY_ROOTS, ENERGY_GROUPS, COPY_GROUPS } = constants;
const { fields } = structs.FrameTrust;
const noOffsets = new Uint32Array(2);
const STAGE = "trust";

/** Sizes of a frame. */
export interface TrustSizes {
  readonly bodies: number;
  readonly vertices: number;
  readonly rigid: number;
  readonly contacts: number;
}

export class GpuTrust {
  private readonly state: TrustBuffers;
  private made: ReturnType<GpuTrust["make"]> | undefined;
  /** made when they are needed for the first time */
  private holding: ReturnType<GpuTrust["makeHold"]> | undefined;

  constructor(
    private readonly context: GpuContext,
    private readonly elastic: ElasticTables,
    sizes: { readonly bodies: number; readonly vertices: number },
  ) {
    this.state = new TrustBuffers(context, elastic, sizes);
  }

  /** `FrameTrust` */
  get trust(): GPUBuffer {
    return this.state.fixed.trust;
  }

  /** Takes the buffers of contact as they are now. */
  connect(sources: TrustSources): void {
    this.made = this.make(sources);
    this.holding = undefined;
  }

  /** @param contact offset of the `ContactStep` of an attempt */
  begin(recorder: PassRecorder, { bodies }: TrustSizes, contact: Uint32Array): void {
    const { kernels, changed } = this.current;
    recorder.end();
    for (const { from, to } of changed)
      recorder.encoder.copyBufferToBuffer(from, 0, to, 0, Math.min(from.size, to.size));
    const pass = recorder.stage(STAGE);
    kernels.accountBodies.dispatchWorkgroups(pass, bodies, contact);
    kernels.planFrame.dispatchWorkgroups(pass, 1, contact);
  }

  /** After the first, which `begin` opens. */
  openAttempt(recorder: PassRecorder, contact: Uint32Array): void {
    this.current.kernels.openAttempt.dispatchWorkgroups(recorder.stage(STAGE), 1, contact);
  }

  /** After a pass of a step. */
  join(recorder: PassRecorder, gate: Gate, contact: Uint32Array): void {
    gate.dispatchWorkgroups(this.current.kernels.joinBodies, recorder.stage(STAGE), 1, contact);
  }

  /** After the steps of an attempt, which may send the frame back to its start. */
  judge(recorder: PassRecorder, sizes: TrustSizes, contact: Uint32Array): void {
    const { kernels } = this.current;
    const { trust } = this.state.fixed;
    const pass = recorder.stage(STAGE);
    kernels.measureBodies.dispatchWorkgroups(pass, sizes.bodies, contact);
    kernels.findGiven.dispatch(pass, sizes.rigid, contact);
    kernels.judgeMotion.dispatchWorkgroups(pass, 1, contact);
    for (const [kernel, , offsets] of kernels.energies)
      kernel.dispatchIndirect(pass, trust, offsets, fields.energies.offset);
    kernels.sumEnergies.dispatchIndirect(pass, trust, noOffsets, fields.sums.offset);
    kernels.decide.dispatchWorkgroups(pass, 1, contact);
    for (const kernel of kernels.restore) kernel.dispatchIndirect(pass, trust, noOffsets, fields.copies.offset);
  }

  /** After the last of all attempts. */
  hold(recorder: PassRecorder, gate: PassGate, sizes: TrustSizes, contact: Uint32Array): void {
    const kernels = (this.holding ??= this.makeHold());
    const { measureBodies, energies, sumEnergies } = this.current.kernels;
    const { hold } = gate;
    const pass = recorder.stage(STAGE);
    gate.encode(pass);
    const put = (): void => dispatch(hold, kernels.putShares, pass, sizes.vertices, contact);
    hold.dispatchWorkgroups(kernels.keepMade, pass, COPY_GROUPS, noOffsets);
    hold.dispatchWorkgroups(kernels.beginHold, pass, 1, contact);
    for (let n = 0; n < HOLD_HALVINGS; n++) {
      put();
      hold.dispatchWorkgroups(measureBodies, pass, sizes.bodies, contact);
      for (const [kernel, , offsets] of energies) hold.dispatchWorkgroups(kernel, pass, ENERGY_GROUPS, offsets);
      hold.dispatchWorkgroups(sumEnergies, pass, sizes.bodies, noOffsets);
      hold.dispatchWorkgroups(kernels.halve, pass, 1, contact);
    }
    hold.dispatchWorkgroups(kernels.endHold, pass, 1, contact);
    put();
    dispatch(hold, kernels.holdProxies, pass, sizes.rigid, contact);
    for (const [kernel, kind, offsets] of kernels.takeDuals) dispatch(hold, kernel, pass, kind.elementCount, offsets);
    dispatch(hold, kernels.forgetForces, pass, sizes.contacts, noOffsets);
  }

  dispose(): void {
    this.state.dispose();
  }

  private get current() {
    return this.made!;
  }

  private make(sources: TrustSources) {
    const { context, elastic, state } = this;
    const { changed, sized } = state.watch(sources, PROXY_ROOTS);
    const { fixed } = state;
    const all = { ...sources.bindings, ...elastic.buffers, ...fixed, ...sized };
    const make = new KernelMaker(context, shaders);
    const judging = ["planFrame", "openAttempt", "judgeMotion", "decide"] as const;
    const energies = elastic.kinds.map(({ of: kind, columns }, k): KindKernel => {
      const entry = kind === "hyperelastic" ? "stretchEnergies" : CURVATURES[columns];
      return [make.one("local-global/trust/energy", entry, all), elastic.kinds[k], offsetOf(k)];
    });
    const kernels = {
      ...make.some("local-global/trust/account", ["accountBodies", "measureBodies"], all),
      joinBodies: make.one("local-global/trust/clusters", "joinBodies", all),
      findGiven: make.one("local-global/trust/given", "findGiven", all),
      ...make.some("local-global/trust/judge", judging, all),
      energies,
      sumEnergies: make.one("local-global/trust/energy-sums", "sumEnergies", all),
      restore: Array.from({ length: Math.ceil(changed.length / 3) }, (_, k) =>
        this.makeCopy(changed.slice(3 * k, 3 * k + 3)),
      ),
    };
    return { kernels, changed, all };
  }

  private makeHold() {
    const { context, elastic } = this;
    const { all } = this.current;
    const { madePositions, madeVelocities } = this.state.fixed;
    const make = new KernelMaker(context, shaders);
    const put = "local-global/trust/put";
    return {
      keepMade: this.makeCopy([
        { from: madePositions, to: all.start },
        { from: madeVelocities, to: all.velocity },
      ]),
      ...make.some("local-global/trust/hold", ["beginHold", "halve", "endHold"], all),
      putShares: make.one(put, "putShares", { ...all, heldPositions: all.start }),
      holdProxies: make.one("local-global/trust/given", "holdProxies", all),
      takeDuals: elastic.kinds.flatMap((kind, k): KindKernel[] => {
        if (kind.of === "bending" || kind.columns === 1) return [];
        return [[make.one(put, DUALS[kind.columns], all), kind, offsetOf(k)]];
      }),
      forgetForces: make.one(put, "forgetForces", all),
    };
  }

  /** Copies up to three buffers. */
  private makeCopy(list: readonly Changed[]): Kernel {
    const { unusedTo, unusedFrom } = this.state.fixed;
    const [a, b, c] = [0, 1, 2].map((k) => list[k] ?? { from: unusedFrom, to: unusedTo }) as [
      Changed,
      Changed,
      Changed,
    ];
    return new KernelMaker(this.context, shaders).one("local-global/trust/restore", "restore", {
      kept0: a.to,
      changed0: a.from,
      kept1: b.to,
      changed1: b.from,
      kept2: c.to,
      changed2: c.from,
    });
  }
}

type KindKernel = readonly [Kernel, ElementKind, Uint32Array];

/** Of the uniform of a kind, see gpu-system.ts. */
function offsetOf(kind: number): Uint32Array {
  return Uint32Array.of(2 * kind * UNIFORM_SLOT);
}

const CURVATURES = { 1: "meanCurvatureEnergies", 2: "curvatureEnergies", 3: "curvatureEnergies" } as const;
const DUALS = { 2: "takeTriangleDuals", 3: "takeTetrahedronDuals" } as const;
