/** The code that solves rigid bodies, and deformable bodies of the Newton solver, on a GPU. */
export { GpuLane } from "../gpu-lane";
export { SoftLane } from "../soft/soft-lane";
