import { Part } from "./part";

/** Code that pinned cloth needs, by backend. Until it has arrived, the cloth takes the substeps that it needs without tethers. */
export const tetherParts = {
  cpu: new Part(() => import("../../solvers/gpbd/tethers/tethers")),
  webgpu: new Part(() => import("../../solvers/gpbd/tethers/gpu-tethers")),
};
