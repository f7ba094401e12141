import { shaders } from "../../../generated/shaders/fused";
import type { GpuContext } from "../../../gpu/device";
import { type Bindings, type Kernel, KernelMaker } from "../../../gpu/kernel";
import { SURFACE_PASSES } from "../phases";

type Gathered = (typeof shaders)["fused/gathered"];
type Touch = (typeof shaders)["fused/turn-contact"];
type Turns = (typeof shaders)["fused/turns"];
type FewTurns = (typeof shaders)["fused/few-turns"];

/** Stages of contact of surfaces in which every vertex adds up what its pairs do: shaders/fused/gathered.wgsl. */
export interface GatheredKernels {
  /** of the first projection in a turn, and of the others */
  readonly loads: readonly [Kernel, Kernel];
  readonly push: Kernel;
  /** from one half of the displacements to the other, and the last to the second */
  readonly limit: readonly Kernel[];
}

export function createGathered(
  context: GpuContext,
  all: Bindings<Gathered, "loadVertices"> & Bindings<Gathered, "pushVertices"> & Bindings<Gathered, "limitVertices">,
): GatheredKernels {
  const make = new KernelMaker(context, shaders);
  const loads = (isFirst: 0 | 1): Kernel => make.one("fused/gathered", "loadVertices", all, { isFirst });
  const slide = (isBack: 0 | 1): Kernel => make.one("fused/gathered", "slideVertices", all, { isBack });
  return {
    loads: [loads(1), loads(0)],
    push: make.one("fused/gathered", "pushVertices", all),
    limit: [slide(0), slide(1), make.one("fused/gathered", "limitVertices", all)],
  };
}

/** Contact with obstacles between two projections of surfaces. */
export function createTouch(
  context: GpuContext,
  all: Bindings<Touch, "touchInTurn">,
  constants: Readonly<Record<string, number>>,
): Kernel {
  return new KernelMaker(context, shaders).one("fused/turn-contact", "touchInTurn", all, constants);
}

/** Stages of the contact of a turn, of cloth that stays in the state of its patches: shaders/fused/turns.wgsl. */
export interface TurnKernels {
  readonly open: Kernel;
  /** of displacements in the first half, and in the second */
  readonly loads: readonly [Kernel, Kernel];
  readonly push: readonly [Kernel, Kernel];
  readonly slide: readonly Kernel[];
  readonly limit: Kernel;
  readonly close: Kernel;
  /** where few have pairs: all projections, and the limit without `close` and with it; shaders/fused/few-turns.wgsl */
  readonly project: Kernel;
  /** before a search, if the last turn ended with `close` */
  readonly predict: Kernel;
  readonly end: readonly [Kernel, Kernel];
}

export function createTurn(
  context: GpuContext,
  all: Bindings<Turns, "openTurn"> &
    Bindings<Turns, "pushInTurn"> &
    Bindings<Turns, "limitTurn"> &
    Bindings<Turns, "closeTurn"> &
    Bindings<FewTurns, "projectTurn"> &
    Bindings<FewTurns, "predictTurn"> &
    Bindings<FewTurns, "endTurn">,
  constants: Readonly<Record<string, number>>,
  { loads, limit }: GatheredKernels,
): TurnKernels {
  const make = new KernelMaker(context, shaders);
  const push = (isBack: 0 | 1): Kernel => make.one("fused/turns", "pushInTurn", all, { ...constants, isBack });
  const end = (closes: 0 | 1): Kernel => make.one("fused/few-turns", "endTurn", all, { closes });
  return {
    open: make.one("fused/turns", "openTurn", all, { isOpen: 1 }),
    loads: [loads[1], make.one("fused/gathered", "loadVertices", all, { isBack: 1 })],
    push: [push(0), push(1)],
    slide: limit.slice(0, -1),
    limit: make.one("fused/turns", "limitTurn", all),
    close: make.one("fused/turns", "closeTurn", all),
    project: make.one("fused/few-turns", "projectTurn", all, { ...constants, rounds: SURFACE_PASSES }),
    predict: make.one("fused/few-turns", "predictTurn", all),
    end: [end(0), end(1)],
  };
}
