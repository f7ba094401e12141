/**
 * Solves the contacts of an iteration if they are many, in several dispatches a round: contact/wide.wgsl. Only the GPU knows how many
 * rounds an iteration takes; `ContactReport.rounds` are encoded, and a step that needs more halts.
 */
import * as constants from "../../../../generated/constants";
import { shaders } from "../../../../generated/shaders/local-global";
import * as structs from "../../../../generated/structs";
import type { GpuContext } from "../../../../gpu/device";
import { type Bindings, type Kernel, KernelMaker } from "../../../../gpu/kernel";
import { dispatch, type Gate } from "./pass-gate";

const name = "local-global/contact/wide";
type Module = (typeof shaders)[typeof name];
type Entry = keyof Module["entryPoints"];

/** Buffers of the kernels. */
export type WideBuffers = Bindings<Module, Entry>;

const { WIDE_LANES: LANES, QUAD, MEASURED } = constants;
/** Workgroups of a dispatch: enough for a large GPU, and few to find that there is nothing to do. */
const MOST_GROUPS = 256;

/** Approximate numbers, for the sizes of dispatches: kernels go through all items in any case. */
export interface WideSizes {
  readonly contacts: number;
  readonly touched: number;
  readonly vertices: number;
  /** bodies, rigid ones too */
  readonly nodes: number;
}

export class WideSolve {
  private readonly kernels: Readonly<Record<Entry, Kernel>>;

  constructor(context: GpuContext, buffers: WideBuffers) {
    const entries = Object.keys(shaders[name].entryPoints) as Entry[];
    this.kernels = new KernelMaker(context, shaders).some(name, entries, buffers, { LANES });
  }

  encode(
    gate: Gate,
    attempt: Gate,
    pass: GPUComputePassEncoder,
    rounds: number,
    { contacts, touched, vertices, nodes }: WideSizes,
    slot: Uint32Array,
  ): void {
    const { beginWide, push, share, respondWide, moveWide, measureWide, decideWide, actWide, endWide } = this.kernels;
    const [ofContacts, ofTouched] = [groupsFor(contacts), groupsFor(touched)];
    // where there is no need for a pass it is over from the one before
    gate.dispatchWorkgroups(beginWide, pass, ofContacts, slot);
    for (let n = 0; n < rounds; n++) {
      attempt.dispatchWorkgroups(push, pass, ofTouched, slot);
      attempt.dispatchWorkgroups(share, pass, groupsFor(LANES * nodes), slot);
      attempt.dispatchWorkgroups(respondWide, pass, groupsFor(vertices / QUAD), slot);
      attempt.dispatchWorkgroups(moveWide, pass, groupsFor(touched / QUAD), slot);
      attempt.dispatchWorkgroups(measureWide, pass, groupsFor(contacts / MEASURED), slot);
      attempt.dispatchWorkgroups(decideWide, pass, 1, slot);
      attempt.dispatchWorkgroups(actWide, pass, ofContacts, slot);
    }
    dispatch(gate, endWide, pass, 1, slot);
  }
}

function groupsFor(invocations: number): number {
  return Math.min(MOST_GROUPS, Math.max(1, Math.ceil(invocations / LANES)));
}

/** Bytes of its buffers that depend on how many contacts and bodies there are. */
export function wideBytes(contacts: number, nodes: number): { contactTotals: number; nodeShares: number } {
  const { size } = structs.LaneTotals;
  return { contactTotals: size * Math.ceil(contacts / MEASURED), nodeShares: size * LANES * nodes };
}
