import { Part } from "../../part";

const cpu = new Part(() => import("../../solvers/gpbd/tethers/cpu-tethers"));

/** Code that pinned cloth needs, by backend. Until it has arrived, the cloth takes the substeps that it needs without tethers. */
export const tetherParts = {
  cpu,
  reference: cpu,
  webgpu: new Part(() => import("../../solvers/gpbd/tethers/gpu-tethers")),
};

/** Code that steps cloth in one dispatch a frame. A page that loads what it needs has it where a GPU does better with it. */
export const fusedPart = new Part(() => import("../../solvers/gpbd/fused/fused-cloth"));

/** Code for folds of cloth that stay. */
export const foldParts = {
  cpu: new Part(() => import("../../solvers/gpbd/plasticity/folds")),
  webgpu: new Part(() => import("../../solvers/gpbd/plasticity/gpu-folds")),
};

const freeSurfaces = () => import("../../collision/surface/free-surfaces");
const cpuSurfaces = new Part(async () => ({
  ...(await freeSurfaces()),
  ...(await import("../../solvers/gpbd/surfaces/cpu-surfaces")),
}));

/** Code for contact of surfaces. A world of several bodies waits for it, and one of a body that touches itself. */
export const surfaceParts = {
  cpu: cpuSurfaces,
  reference: cpuSurfaces,
  webgpu: new Part(async () => ({
    ...(await freeSurfaces()),
    ...(await import("../../solvers/gpbd/surfaces/gpu-surfaces")),
  })),
};
