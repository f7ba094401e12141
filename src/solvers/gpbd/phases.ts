/** The order of a frame of GPBD, the same for both backends and for one body or several that touch. */
import type { GpbdStepOptions } from "./options";

/** Projections of surface contact in an iteration. */
const SURFACE_PASSES = 4;

/** Projections of contact with faces in an iteration, if a load draws cloth out around it: a single one leaves a part of the depth. */
const FACE_PASSES = 6;

/** The same if obstacles move by more than the thickness of a solid in a substep: what a single one leaves adds up to a way through. */
const LED_PASSES = 2;

/**
 * Projections of contact with faces in an iteration.
 *
 * @param way of obstacles that move by themselves, in a substep [m]; of a solid
 */
export function facePasses({ isLoaded, thickness }: Readonly<GpbdStepOptions>, way = 0): number {
  if (isLoaded) return FACE_PASSES;
  return way > thickness ? LED_PASSES : 1;
}

/** Searches for pairs of surfaces that may touch, in a frame. */
export const SEARCHES = 8;

/** Which part of its way to its target a pin that may give goes in a substep: it is there a frame after one that holds. */
export function gripShare(substep: number, substeps: number): number {
  return 1 / (2 * substeps - substep);
}

/** A body's part of a frame. */
export interface PhasedSolver {
  /** x̃ = x⁻ + Δt v + W f_ext (3), with the air */
  predict(substep: number): void;
  /** a sweep over all energy terms */
  projectTerms(substep: number, iteration: number): void;
  /** contact with obstacles */
  projectObstacles(substep: number, iteration: number): void;
  /** velocities (2) */
  finish(substep: number): void;
  /** impulses of contact to the proxies of rigid bodies */
  returnReactions(substep: number): void;
}

/** Rigid bodies that yield to contact, see proxy-motion.ts. */
export interface ProxyStage {
  move(substep: number): void;
  /** around the solvers' `returnReactions` */
  beginReactions(): void;
  endReactions(): void;
}

/** Contact between the surfaces of the bodies. */
export interface SurfaceStage {
  /** after the prediction */
  begin(substep: number): void;
  project(substep: number): void;
  /** shortens displacements, so that no surface passes through another */
  limit(substep: number): void;
  /** when the velocities are known */
  finish?(substep: number): void;
}

/** The account of energy of solids, see guard/energy-guard.ts. */
export interface GuardStage {
  /** when all projections of a substep are done */
  hold(substep: number): void;
  /** after the frame */
  settle(): void;
}

/**
 * Steps bodies through all substeps of a frame side by side.
 *
 * @param options substeps and iterations, the same for all of them
 */
export function stepPhases(
  solvers: readonly PhasedSolver[],
  options: { readonly substeps: number; readonly iterations: number },
  proxies?: ProxyStage,
  surfaces?: SurfaceStage,
  guard?: GuardStage,
): void {
  for (let substep = 0; substep < options.substeps; substep++) {
    proxies?.move(substep);
    for (const solver of solvers) solver.predict(substep);
    surfaces?.begin(substep);
    for (let iteration = 0; iteration < options.iterations; iteration++) {
      for (const solver of solvers) solver.projectTerms(substep, iteration);
      // In turns: a body that lies on an obstacle must hold the bodies that lie on it.
      for (let pass = 0; pass < (surfaces ? SURFACE_PASSES : 1); pass++) {
        surfaces?.project(substep);
        for (const solver of solvers) solver.projectObstacles(substep, iteration);
      }
    }
    // The limit comes last, so that no projection moves a particle beyond it.
    surfaces?.limit(substep);
    guard?.hold(substep);
    for (const solver of solvers) solver.finish(substep);
    surfaces?.finish?.(substep);
    if (!proxies) continue;
    proxies.beginReactions();
    for (const solver of solvers) solver.returnReactions(substep);
    proxies.endReactions();
  }
  guard?.settle();
}
