import type { ColliderBuffers } from "../../collision/obstacles/collider-buffers";
import type { GpuContext } from "../../gpu/device";
import { isSoftware } from "../../gpu/software";
import type { GpuFrameInput } from "../../solvers/deformable";
import { longestEdge } from "../../solvers/gpbd/cpu/cpu-state";
import { GpuGpbdSolver, gpuProxies, type SolidParts } from "../../solvers/gpbd/gpu/gpu-solver";
import type { FusedCloth } from "../../solvers/gpbd/fused/fused-cloth";
import type { GpbdModel } from "../../solvers/gpbd/model";
import type { GpuRodStages } from "../../solvers/gpbd/rods/gpu-rod-stages";
import { type GroupBackend, SurfaceGroup } from "../../solvers/gpbd/surfaces/surface-group";
import { foldParts, fusedPart, surfaceParts, tetherParts } from "../backend/sheet-parts";
import type { BodySettings } from "../backend/body-settings";
import type { GpuTethers } from "../../solvers/gpbd/tethers/gpu-tethers";
import type { GpuBodyLane } from "./lane";

function groupsOn(context: GpuContext): GroupBackend<GpuGpbdSolver> {
  const room = { perVertex: 0 };
  // An adapter that runs all branches is faster without.
  const gathering = () => (isSoftware(context) ? undefined : loadFused());
  return {
    gathers: () => gathering() !== undefined,
    areFree: (a, b, least) => surfaceParts.webgpu.loaded!.surfacesAreFree(a, b, least),
    createSurfaces: (solvers, parts, mode) => {
      const { GpuSurfaces } = surfaceParts.webgpu.loaded!;
      return new GpuSurfaces(context, solvers, parts, room, mode > 0, mode > 1 ? gathering() : undefined);
    },
    createProxies: (frame, solvers) => gpuProxies(frame as GpuFrameInput, solvers),
  };
}

const system = {
  create: (context: GpuContext) => new SurfaceGroup<GpuGpbdSolver>(groupsOn(context)),
};

/** The code, if it is there; else it comes. */
function loadFused() {
  if (!fusedPart.loaded) void fusedPart.load().catch(() => undefined);
  return fusedPart.loaded;
}

const createTethers = (context: GpuContext, { name, particleCount }: GpbdModel): GpuTethers | undefined =>
  tetherParts.webgpu.loaded && new tetherParts.webgpu.loaded.GpuTethers(context, name, particleCount);

/** Until the code has arrived, each stage of each substep is a dispatch. */
const createFused = (
  context: GpuContext,
  model: GpbdModel,
  colliders: ColliderBuffers,
): FusedCloth | null | undefined => {
  // It copies the elements, which would not flow.
  if (model.plasticity) return null;
  const code = loadFused();
  return code && (code.FusedCloth.for(context, model, colliders) ?? null);
};

/** Code that only some models need; pages without such models do not load it. */
interface Parts {
  readonly rods?: (context: GpuContext, model: GpbdModel) => GpuRodStages | undefined;
  readonly solids?: (context: GpuContext, colliders: ColliderBuffers) => SolidParts;
}

export const laneWith = ({ rods, solids }: Parts): GpuBodyLane<GpbdModel, BodySettings> => ({
  create(model, { systems }, context, colliders) {
    if (model.sheet) systems.coarsest = Math.max(systems.coarsest, longestEdge(model));
    return new GpuGpbdSolver(
      context,
      model,
      colliders,
      systems.on(context, system),
      rods?.(context, model),
      solids?.(context, colliders),
      createTethers,
      createFused,
      (onto, folded) => folded.plasticity && foldParts.webgpu.loaded && foldParts.webgpu.loaded.gpuFolds(onto, folded),
    );
  },
});

export const lane = laneWith({});
