import { shaders } from "../../../generated/shaders/surface";
import type { GpuContext } from "../../../gpu/device";
import { type Kernel, KernelMaker } from "../../../gpu/kernel";
import type { GatheredKernels } from "../fused/gathered-surfaces";
import type { BuffersOf } from "../../../words";

/** Buffers of all stages by their names in the shaders. */
type SurfaceBuffers = BuffersOf<`
  surface surfaceStart surfaceShift topology boxes nearest commonMotion ownerPairs oldOwnerPairs pairs oldPairs rows loads
  gone held clearance mostPairs pairWorkgroups
`>;

export type SurfaceKernels = ReturnType<typeof createSurfaceKernels>;

/**
 * @param isAlone whether displacements are those of a body
 * @param createGathered where vertices add up what their pairs do
 */
export function createSurfaceKernels(
  context: GpuContext,
  all: SurfaceBuffers,
  isAlone: boolean,
  createGathered: ((context: GpuContext, all: SurfaceBuffers) => GatheredKernels) | undefined,
) {
  const make = new KernelMaker(context, shaders);
  const alone = { isAlone: Number(isAlone) };
  const find = (writesPairs: 0 | 1): Kernel => make.one("surface/pairs", "findPairs", all, { writesPairs });
  return {
    all,
    /** counts, and writes */
    find: [find(0), find(1)],
    fillRows: make.one("surface/incidence", "fillRows", all),
    /** over pairs, and over vertices; `shareMomentum` where there is an account */
    listed: createGathered
      ? undefined
      : {
          ...make.some("surface/resolve", ["evaluatePairs", "sumLoads", "pushPairs"], all),
          ...make.some("surface/bounds", ["orientPairs", "dividePairs", "shareMomentum"], all),
          applyPushes: make.one("surface/resolve", "applyPushes", all, alone),
          ...make.some("surface/bounds", ["slideVertices", "limitVertices"], all, alone),
        },
    gathered: createGathered?.(context, all),
  };
}
