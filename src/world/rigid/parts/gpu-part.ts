/** What solves rigid bodies, and deformable ones of the Newton solver, on a GPU. */
export { GpuLane } from "../gpu-lane";
export { SoftLane } from "../soft/soft-lane";
