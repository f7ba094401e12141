/** Buffers of trust-stage.ts: what a frame changes, as it was before, and accounts. */
import * as structs from "../../../../generated/structs";
import type { GpuContext } from "../../../../gpu/device";
import type { ElementKind } from "../tables";
import type { LocalGlobalBuffers } from "../buffers";
import type { BuffersOf } from "../../../../words";

/** Bytes of a `BodyAccount`, whose fields no page needs: its layout would be in pages without these bodies too. */
export const ACCOUNT_BYTES = 160;
/** Bytes of a vec4f. */
const VEC4 = 16;

/** Elements of all bodies, for their energies. */
export interface ElasticTables {
  readonly kinds: readonly ElementKind[];
  readonly elementCount: number;
  /** vec4f of stresses that are kept from step to step */
  readonly dualCount: number;
  /** a `TermRange` a term */
  readonly terms: ArrayBuffer;
  readonly buffers: BuffersOf<"corners elements materials duals kind">;
}

/** A buffer that frames change, and its copy from before. */
export interface Changed {
  readonly from: GPUBuffer;
  readonly to: GPUBuffer;
}

/** Buffers of contact, as they are now. */
export interface TrustSources {
  readonly bindings: Omit<LocalGlobalBuffers, "vertexCount" | "bodyCount" | "chunks"> &
    BuffersOf<`
      control contactStep contactOptions contacts nodes incidence keptContacts keptStart proxies proxyStates colliders
    `>;
  /** others that a frame changes */
  readonly others: readonly GPUBuffer[];
}

export class TrustBuffers {
  readonly fixed;
  private copies: GPUBuffer[] = [];

  constructor(
    private readonly context: GpuContext,
    private readonly elastic: ElasticTables,
    { bodies, vertices }: { readonly bodies: number; readonly vertices: number },
  ) {
    const create = (what: string, data: ArrayBufferView | number, usage = 0): GPUBuffer =>
      context.createBuffer(`local-global trust ${what}`, data, usage);
    this.fixed = {
      trust: create("in the frame", structs.FrameTrust.size, GPUBufferUsage.INDIRECT),
      accounts: create("accounts", ACCOUNT_BYTES * bodies),
      roots: create("clusters", 4 * 2 * bodies),
      terms: create("terms", new Uint8Array(elastic.terms)),
      energies: create("energies", 4 * elastic.elementCount),
      keptEnergies: create("energies before", 4 * elastic.elementCount),
      keptPositions: create("kept positions", VEC4 * vertices),
      keptVelocities: create("kept velocities", VEC4 * vertices),
      keptDuals: create("kept duals", Math.max(VEC4, VEC4 * elastic.dualCount)),
      madePositions: create("made positions", VEC4 * vertices),
      madeVelocities: create("made velocities", VEC4 * vertices),
      unusedFrom: create("nothing", 4),
      unusedTo: create("nothing", 4),
    };
  }

  /** @param roots numbers that a rigid body has among those of its clusters */
  watch({ bindings, others }: TrustSources, roots: number) {
    this.release();
    const copyOf = ({ label, size }: GPUBuffer): GPUBuffer =>
      this.own(this.context.createBuffer(`${label}, before the frame`, size));
    const rigid = Math.max(1, bindings.proxyStates.size / structs.ProxyState.size);
    const keptStates = copyOf(bindings.proxyStates);
    const sized = {
      keptStates,
      proxyRoots: this.own(this.context.createBuffer("local-global trust clusters at bodies", 4 * roots * rigid)),
      proxyGiven: this.own(this.context.createBuffer("local-global trust given", VEC4 * rigid)),
    };
    const { keptPositions, keptVelocities, keptDuals } = this.fixed;
    const changed: Changed[] = [
      { from: bindings.start, to: keptPositions },
      { from: bindings.velocity, to: keptVelocities },
      { from: this.elastic.buffers.duals, to: keptDuals },
      { from: bindings.proxyStates, to: keptStates },
      ...[bindings.keptContacts, bindings.keptStart, ...others].map((from) => ({ from, to: copyOf(from) })),
    ];
    return { changed, sized };
  }

  dispose(): void {
    this.release();
    for (const buffer of Object.values(this.fixed)) buffer.destroy();
  }

  private own(buffer: GPUBuffer): GPUBuffer {
    this.copies.push(buffer);
    return buffer;
  }

  /** Frames that use them may be under way. */
  private release(): void {
    const old = this.copies;
    this.copies = [];
    if (old.length > 0)
      void this.context.device.queue.onSubmittedWorkDone().then(() => old.forEach((buffer) => buffer.destroy()));
  }
}
