import { SeparateFrames } from "../../collision/obstacles/proxy-motion";
import { cpuProxies } from "../../solvers/gpbd/cpu/cpu-proxies";
import { CpuGpbdSolver } from "../../solvers/gpbd/cpu/cpu-solver";
import type { FastFrames } from "../../solvers/gpbd/cpu/fast-frames";
import type { SolidSolve } from "../../solvers/gpbd/elements/solids/solid-solve";
import type { CpuGuard } from "../../solvers/gpbd/guard/cpu-guard";
import type { GpbdModel } from "../../solvers/gpbd/model";
import type { CpuRodStages } from "../../solvers/gpbd/rods/cpu-rod-stages";
import { pressingOf } from "../../solvers/gpbd/surfaces/encounters";
import { type CpuGroupedSolver, type GroupBackend, SurfaceGroup } from "../../solvers/gpbd/surfaces/surface-group";
import { foldParts, surfaceParts, tetherParts } from "../backend/sheet-parts";
import type { BodySettings } from "../backend/body-settings";
import type { SharedKind } from "../backend/systems";
import type { CpuTethers } from "../../solvers/gpbd/tethers/cpu-tethers";
import type { CpuBodyLane } from "./lane";

const groups: GroupBackend<CpuGroupedSolver> = {
  areFree: (a, b, least) => surfaceParts.cpu.loaded!.surfacesAreFree(a, b, least),
  createSurfaces: (solvers, parts) => new surfaceParts.cpu.loaded!.CpuSurfaces(solvers, parts),
  createProxies(frame, solvers, substeps) {
    const pressing = pressingOf(solvers);
    const hold = pressing && (() => pressing.hold(solvers, frame.colliders, frame.dt / substeps));
    return cpuProxies(frame, substeps, solvers.length > 1 ? hold : undefined);
  },
  separate({ colliders }, count) {
    // Implicit bodies have pushed some already, and sleeping ones push others when they wake.
    const others = colliders.proxies.some(({ wrench, rests }) => rests || wrench.some((value) => value !== 0));
    return count > 1 || others ? new SeparateFrames(colliders) : undefined;
  },
};

const system: SharedKind<SurfaceGroup<CpuGroupedSolver>> = {
  name: "gpbd",
  create: () => new SurfaceGroup(groups),
};

const createTethers = (): CpuTethers | undefined => tetherParts.cpu.loaded && new tetherParts.cpu.loaded.CpuTethers();

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
      (folded) => foldParts.cpu.loaded && new foldParts.cpu.loaded.Folds(folded),
    ),
});

export const lane = laneWith({});
