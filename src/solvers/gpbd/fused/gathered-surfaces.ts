import { shaders } from "../../../generated/shaders/fused";
import type { GpuContext } from "../../../gpu/device";
import { Kernel, type Bindings } from "../../../gpu/kernel";

type Gathered = (typeof shaders)["fused/gathered"];
type Touch = (typeof shaders)["fused/turn-contact"];

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
  const { "fused/gathered": module } = shaders;
  const loads = (isFirst: 0 | 1): Kernel =>
    Kernel.create(context, "fused/gathered", module, "loadVertices", all, { isFirst });
  const slide = (isBack: 0 | 1): Kernel =>
    Kernel.create(context, "fused/gathered", module, "slideVertices", all, { isBack });
  return {
    loads: [loads(1), loads(0)],
    push: Kernel.create(context, "fused/gathered", module, "pushVertices", all),
    limit: [slide(0), slide(1), Kernel.create(context, "fused/gathered", module, "limitVertices", all)],
  };
}

/** Contact with obstacles between two projections of surfaces. */
export function createTouch(
  context: GpuContext,
  all: Bindings<Touch, "touchInTurn">,
  constants: Readonly<Record<string, number>>,
): Kernel {
  return Kernel.create(context, "fused/turn-contact", shaders["fused/turn-contact"], "touchInTurn", all, constants);
}
