import { Part } from "./part";

/** Code that steps cloth in one dispatch a frame. No page with a software adapter needs it. */
export const fusedPart = new Part(() => import("../../solvers/gpbd/fused/fused-cloth"));
