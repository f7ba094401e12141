import { CpuGpbdSolver } from "../../solvers/gpbd/cpu/cpu-solver";
import type { FastFrames } from "../../solvers/gpbd/cpu/fast-frames";
import type { SolidSolve } from "../../solvers/gpbd/elements/solids/solid-solve";
import type { CpuGuard } from "../../solvers/gpbd/guard/cpu-guard";
import type { GpbdModel } from "../../solvers/gpbd/model";
import type { CpuRodStages } from "../../solvers/gpbd/rods/cpu-rod-stages";
import { cpuGroups } from "../../solvers/gpbd/surfaces/cpu-surfaces";
import { type CpuGroupedSolver, SurfaceGroup } from "../../solvers/gpbd/surfaces/surface-group";
import { foldParts, tetherParts } from "../backend/sheet-parts";
import type { BodySettings } from "../backend/body-settings";
import type { SharedKind } from "../backend/systems";
import type { Tethers } from "../../solvers/gpbd/tethers/tethers";
import type { CpuBodyLane } from "./lane";

const system: SharedKind<SurfaceGroup<CpuGroupedSolver>> = {
  name: "gpbd",
  create: () => new SurfaceGroup(cpuGroups),
};

const createTethers = (): Tethers | undefined => tetherParts.cpu.loaded && new tetherParts.cpu.loaded.Tethers(true);

/** Code that only some models need; pages without such models do not load it. */
interface Parts {
  readonly rods?: (model: GpbdModel) => CpuRodStages | undefined;
  readonly solids?: SolidSolve;
  readonly guard?: () => CpuGuard;
  readonly fast?: ((solver: CpuGpbdSolver) => FastFrames | undefined) | undefined;
}

export const laneWith = ({ rods, solids, guard, fast }: Parts): CpuBodyLane<GpbdModel, BodySettings> => ({
  create: (model, { systems }) =>
    new CpuGpbdSolver(
      model,
      undefined,
      systems.of(system),
      rods?.(model),
      solids,
      guard?.(),
      createTethers,
      fast,
      foldParts.cpu.loaded?.foldsOf,
    ),
});

export const lane = laneWith({});
