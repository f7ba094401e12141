import { shaders } from "../../../generated/shaders/surface";
import type { GpuContext } from "../../../gpu/device";
import { Kernel } from "../../../gpu/kernel";
import type { GatheredKernels } from "../fused/gathered-surfaces";

/** Buffers of all stages by their names in the shaders. */
type SurfaceBuffers = Readonly<
  Record<
    | "surface"
    | "surfaceStart"
    | "surfaceShift"
    | "topology"
    | "boxes"
    | "nearest"
    | "commonMotion"
    | "ownerPairs"
    | "oldOwnerPairs"
    | "pairs"
    | "oldPairs"
    | "rows"
    | "loads"
    | "gone"
    | "held"
    | "clearance"
    | "mostPairs"
    | "pairWorkgroups",
    GPUBuffer
  >
>;

/** Stages over pairs, and over vertices. */
interface ListedKernels {
  readonly orient: Kernel;
  readonly evaluate: Kernel;
  readonly loads: Kernel;
  readonly push: Kernel;
  readonly apply: Kernel;
  readonly divide: Kernel;
  readonly slide: Kernel;
  readonly limit: Kernel;
  /** where there is an account */
  readonly share: Kernel;
}

export interface SurfaceKernels {
  readonly all: SurfaceBuffers;
  /** counts, and writes */
  readonly find: readonly [Kernel, Kernel];
  readonly fillRows: Kernel;
  readonly listed: ListedKernels | undefined;
  readonly gathered: GatheredKernels | undefined;
}

/**
 * @param isAlone whether displacements are those of a body
 * @param createGathered where vertices add up what their pairs do
 */
export function createSurfaceKernels(
  context: GpuContext,
  all: SurfaceBuffers,
  isAlone: boolean,
  createGathered: ((context: GpuContext, all: SurfaceBuffers) => GatheredKernels) | undefined,
): SurfaceKernels {
  const { "surface/pairs": pairs, "surface/incidence": rows } = shaders;
  const { "surface/resolve": resolve, "surface/bounds": bounds } = shaders;
  const alone = { isAlone: Number(isAlone) };
  const find = (writesPairs: 0 | 1): Kernel =>
    Kernel.create(context, "surface/pairs", pairs, "findPairs", all, { writesPairs });
  return {
    all,
    find: [find(0), find(1)],
    fillRows: Kernel.create(context, "surface/incidence", rows, "fillRows", all),
    listed: createGathered
      ? undefined
      : {
          orient: Kernel.create(context, "surface/bounds", bounds, "orientPairs", all),
          evaluate: Kernel.create(context, "surface/resolve", resolve, "evaluatePairs", all),
          loads: Kernel.create(context, "surface/resolve", resolve, "sumLoads", all),
          push: Kernel.create(context, "surface/resolve", resolve, "pushPairs", all),
          apply: Kernel.create(context, "surface/resolve", resolve, "applyPushes", all, alone),
          divide: Kernel.create(context, "surface/bounds", bounds, "dividePairs", all),
          slide: Kernel.create(context, "surface/bounds", bounds, "slideVertices", all, alone),
          limit: Kernel.create(context, "surface/bounds", bounds, "limitVertices", all, alone),
          share: Kernel.create(context, "surface/bounds", bounds, "shareMomentum", all),
        },
    gathered: createGathered?.(context, all),
  };
}
