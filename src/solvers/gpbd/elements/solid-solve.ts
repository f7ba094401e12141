import { solveNeoHookeanTet } from "./neo-hookean-solve";
import { isUntangled, untangle } from "./untangle";

/** How the f64 reference solves tetrahedra; a page without such has none of it. */
export const solidSolve = { solveNeoHookeanTet, isUntangled, untangle } as const;

export type SolidSolve = typeof solidSolve;
