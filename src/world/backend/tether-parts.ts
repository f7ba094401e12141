import { Part } from "./part";

const cpu = new Part(() => import("../../solvers/gpbd/tethers/tethers"));

/** Code that pinned cloth needs, by backend. Until it has arrived, the cloth takes the substeps that it needs without tethers. */
export const tetherParts = {
  cpu,
  reference: cpu,
  webgpu: new Part(() => import("../../solvers/gpbd/tethers/gpu-tethers")),
};
