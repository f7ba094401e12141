/**
 * Cloth that goes through a few substeps in one dispatch, a workgroup for each patch of it (shaders/fused/patches.wgsl): for sheets that are
 * too large for a workgroup. It runs the same functions in the same order on all that matters to a patch, so that the motion has the same
 * bits as with a dispatch for each stage.
 */
import { shaders } from "../../../generated/shaders/fused";
import { PatchChunk } from "../../../generated/shaders/structs-fused";
import { mostTaken } from "../../../generated/shaders/constants-fused";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import { StructWriter } from "../../../gpu/struct";
import { uniformSlot, type TermParts } from "../elements/gpu-term";
import { termLayout, type GpbdModel } from "../model";
import { PATCH_SIZES } from "./fused-cost";
import { planPatches, type Patch, type PatchInput, type SweptElements } from "./patch-plan";
import { scheduleOf, type Chunk } from "./patch-schedule";
import { ENTRY } from "./fused-table";
import { packPatches } from "./patch-table";

/** The input of plans. */
export interface PatchSetup {
  readonly substeps: number;
  /** the membrane first */
  readonly terms: readonly TermParts[];
  readonly withFaces: boolean;
  /** substeps from one evaluation of the air to the next; 0 without air */
  readonly airInterval: number;
  /** substeps of a dispatch, at most */
  readonly most: number;
  /** substeps from one contact of surfaces to the next, see phases.ts; 0 without */
  readonly turn: number;
}

/** Buffers that the kernel shares with that of the whole body, and its constants. */
export interface PatchSurroundings {
  readonly bindings: Readonly<
    Record<
      | "start"
      | "velocity"
      | "clearance"
      | "displacement"
      | "contact"
      | "frozenAt"
      | "table"
      | "body"
      | "colliders"
      | "colliderData"
      | "windField",
      GPUBuffer
    >
  > & { readonly firstStep: GPUBufferBinding };
  readonly constants: Readonly<Record<string, number>>;
}

/** By what they depend on: plans outlast changes of substeps. */
export type PatchPlans = Map<string, readonly Patch[]>;

/** A dispatch of a frame. */
interface Turn {
  readonly chunk: Chunk;
  readonly plan: string;
}

interface Made {
  readonly buffers: readonly GPUBuffer[];
  readonly states: readonly GPUBuffer[];
  readonly take: Kernel;
  /** by plan: from the first state to the second, and back */
  readonly kernels: ReadonlyMap<string, readonly [Kernel, Kernel]>;
  /** from the first state, and from the second */
  readonly giveBack: readonly Kernel[];
}

const NO_OFFSETS = new Uint32Array();

export class PatchedCloth {
  private readonly input: PatchInput;
  private readonly wanted = new Map<string, readonly boolean[]>();
  private turns: readonly Turn[] = [];
  private most: number = this.setup.most;
  private made: Made | undefined;
  private readonly offsets = new Uint32Array(1);
  /** which of the states is the last */
  private at = 0;

  constructor(
    private readonly context: GpuContext,
    private readonly model: GpbdModel,
    private readonly setup: PatchSetup,
    /** of sheets with the same elements, colors and contact with faces */
    private readonly plans: PatchPlans,
  ) {
    const [membrane, bending] = model.terms.map(({ kind, indices }, k): SweptElements => {
      return { indices, arity: termLayout[kind].arity, colours: setup.terms[k].colours };
    });
    const { positions, faces } = model;
    this.input = { positions, faces, membrane, bending, withFaces: setup.withFaces };
    this.schedule();
  }

  /** Whether there are no patches of it. */
  get isImpossible(): boolean {
    return this.most === 0;
  }

  /** Dispatches of a frame. */
  get dispatches(): number {
    return this.turns.length + 2;
  }

  /**
   * Makes one more plan, which takes some time; a frame has time for one.
   *
   * @returns whether it has all
   */
  prepare(): boolean {
    for (const [key, bends] of this.wanted) {
      if (this.plans.has(key)) continue;
      const patches = planPatches(this.input, bends, PATCH_SIZES[this.most], mostTaken);
      if (patches) this.plans.set(key, patches);
      else {
        this.most--;
        this.schedule();
      }
      break;
    }
    return this.most > 0 && [...this.wanted.keys()].every((key) => this.plans.has(key));
  }

  private schedule(): void {
    const { substeps, terms, airInterval, turn } = this.setup;
    this.wanted.clear();
    if (this.most === 0) return;
    const chunks = scheduleOf(substeps, terms[1]?.interval ?? 0, airInterval, this.most, turn);
    const plain = chunks.filter(({ bends }) => !bends.includes(true));
    const longest = Math.max(0, ...plain.map((chunk) => chunk.substeps));
    // Without bending the last substeps of the longest plan do for all.
    this.turns = chunks.map((chunk) => {
      const bends = chunk.bends.includes(true) ? chunk.bends : Array.from({ length: longest }, () => false);
      const key = `${PATCH_SIZES[this.most]}:${bends.map(Number).join("")}`;
      this.wanted.set(key, bends);
      return { chunk, plan: key };
    });
  }

  /**
   * Substeps of a frame, when all plans are made.
   *
   * @param first the first of them, where a chunk begins, and `end` the one after them
   * @param stays whether the state goes on from where it is, and stays there
   * @returns the state
   */
  dispatch(
    pass: GPUComputePassEncoder,
    surroundings: () => PatchSurroundings,
    first: number,
    end: number,
    stays: boolean,
  ): GPUBuffer {
    const { states, take, kernels, giveBack } = (this.made ??= this.make(surroundings()));
    const n = this.model.particleCount;
    let from = 0;
    if (stays && first > 0) from = this.at;
    else take.dispatch(pass, n, NO_OFFSETS);
    this.turns.forEach(({ plan, chunk }, turn) => {
      if (chunk.first < first || chunk.first >= end) return;
      this.offsets[0] = uniformSlot * turn;
      kernels.get(plan)![from & 1].dispatchWorkgroups(pass, this.plans.get(plan)!.length, this.offsets);
      from++;
    });
    this.at = from & 1;
    if (!stays) giveBack[this.at].dispatch(pass, n, NO_OFFSETS);
    return states[this.at];
  }

  private make({ bindings, constants }: PatchSurroundings): Made {
    const { context, model, input, setup, turns } = this;
    const { name, particleCount } = model;
    const isShared = { membrane: setup.terms[0].isAtOnce, bending: setup.terms[1]?.isAtOnce ?? false };
    const packed = [...this.wanted.keys()].map((key) => ({
      key,
      ...packPatches(input, this.plans.get(key)!, particleCount, isShared),
    }));
    const scratch = context.createBuffer(
      `${name} patches`,
      ENTRY * Math.max(...packed.map(({ scratchEnd }) => scratchEnd)),
    );
    const states = ["even", "odd"].map((which) =>
      context.createBuffer(`${name} ${which} state`, 4 * ENTRY * particleCount),
    );
    const chunks = new StructWriter(PatchChunk, turns.length, uniformSlot);
    turns.forEach(({ chunk: { first, substeps, blows, isOpen }, plan }, turn) => {
      const skipped = this.wanted.get(plan)!.length - substeps;
      chunks.put(turn, { firstSubstep: first, substeps, skipped, blows: Number(blows), isOpen: Number(isOpen) });
    });
    const chunk = context.createUniformBuffer(`${name} chunks`, uniformSlot * turns.length);
    context.device.queue.writeBuffer(chunk, 0, chunks.bytes);
    const buffers = [scratch, ...states, chunk];
    const isStVK = model.terms[0].kind === "stvk-membrane";
    const module = isStVK ? ("fused/stvk-patches" as const) : ("fused/neo-hookean-patches" as const);
    const kernels = new Map(
      packed.map(({ key, words }) => {
        const plan = context.createBuffer(`${name} patches ${key}`, words);
        buffers.push(plan);
        const from = (before: number): Kernel => {
          const [stateBefore, stateAfter] = [states[before], states[1 - before]];
          const all = { ...bindings, stateBefore, stateAfter, plan, scratch, chunk };
          return Kernel.create(context, module, shaders[module], "stepPatches", all, constants);
        };
        return [key, [from(0), from(1)] as const];
      }),
    );
    const { "fused/state": copies } = shaders;
    const copy = (entry: keyof typeof copies.entryPoints, state: GPUBuffer): Kernel =>
      Kernel.create(context, "fused/state", copies, entry, { ...bindings, state });
    const back = setup.turn > 0 ? "returnOpen" : "returnState";
    return {
      buffers,
      states,
      take: copy("takeState", states[0]),
      kernels,
      giveBack: [copy(back, states[0]), copy(back, states[1])],
    };
  }

  dispose(): void {
    for (const buffer of this.made?.buffers ?? []) buffer.destroy();
    this.made = undefined;
  }
}
