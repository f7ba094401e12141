/** The order of a frame of GPBD, the same for both backends and for one body or several that touch. */
import type { GpbdStepOptions } from "./options";

/** Projections of surface contact in an iteration, an even number. */
export const SURFACE_PASSES = 4;

/** Most projections of contact with faces in an iteration, if a load draws cloth out around it: a single one leaves a part of the depth. */
const FACE_PASSES = 6;

/** The same if obstacles move by more than the thickness of a solid in a substep: what a single one leaves adds up to a way through. */
const LED_PASSES = 2;

/**
 * Most projections of contact with faces in an iteration; the CPU ends them where `mayStayWithin` says that they left little.
 *
 * @param way of obstacles that move by themselves, in a substep [m]; of a solid
 */
export function facePasses({ isLoaded, thickness }: Readonly<GpbdStepOptions>, way = 0): number {
  if (isLoaded) return FACE_PASSES;
  return way > thickness ? LED_PASSES : 1;
}

/** Searches for pairs of surfaces that may touch, in a frame. */
const SEARCHES = 8;

/** Times that surfaces touch in a frame, if there are as many substeps: elements may need more of those. */
const SURFACE_TURNS = 24;

/** Substeps from one contact of surfaces to the next. */
export function turnOf(substeps: number): number {
  return Math.max(1, Math.floor(substeps / SURFACE_TURNS));
}

/** Substeps from one search to the next, whole turns. */
export function searchInterval(substeps: number, turn: number): number {
  return turn * Math.max(1, Math.floor(Math.ceil(substeps / turn) / SEARCHES));
}

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
  /**
   * Whether it can go at once up to the contact of the last substep of the turn that begins.
   *
   * @param turn substeps of turns
   */
  leaps?(substep: number, turn: number): boolean;
  leap?(substep: number): void;
  /** impulses of contact to the proxies of rigid bodies */
  returnReactions(substep: number): void;
}

/** Rigid bodies that yield to contact, see proxy-motion.ts. */
export interface ProxyStage {
  move(substep: number): void;
  /** when all projections of a substep are done */
  hold?(): void;
  /** around the solvers' `returnReactions` */
  beginReactions(): void;
  endReactions(): void;
}

/** Contact between the surfaces of the bodies. A turn is what they go until it is their turn again: a substep, or several. */
export interface SurfaceStage {
  /** After the prediction of the first substep of a turn. @param length of the turn, in substeps */
  begin(substep: number, length: number): void;
  /** whether that takes displacements of the first substep */
  searches?(substep: number): boolean;
  /**
   * @param round of the iteration
   * @returns false if nothing is near, as far as that is known: further rounds would not matter
   */
  project(substep: number, round: number): boolean | void;
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
 * @param options substeps, iterations, and substeps of a turn, the same for all of them
 */
export function stepPhases(
  solvers: readonly PhasedSolver[],
  options: { readonly substeps: number; readonly iterations: number; readonly turn?: number },
  proxies?: ProxyStage,
  surfaces?: SurfaceStage,
  guard?: GuardStage,
): void {
  const { substeps, turn = 1 } = options;
  for (let substep = 0; substep < substeps; substep++) {
    proxies?.move(substep);
    const begins = surfaces !== undefined && substep % turn === 0;
    const length = Math.min(turn, substeps - substep);
    const leaper =
      begins && turn > 1 && solvers.length === 1 && solvers[0].leaps?.(substep, turn) ? solvers[0] : undefined;
    if (!leaper || surfaces!.searches!(substep)) for (const solver of solvers) solver.predict(substep);
    if (begins) surfaces.begin(substep, length);
    if (leaper) {
      leaper.leap!(substep);
      substep += length - 1;
    }
    const touching = (substep + 1) % turn === 0 || substep === substeps - 1 ? surfaces : undefined;
    for (let iteration = 0; iteration < options.iterations; iteration++) {
      if (!leaper) for (const solver of solvers) solver.projectTerms(substep, iteration);
      // In turns: a body that lies on an obstacle must hold the bodies that lie on it.
      let isNear = touching !== undefined;
      for (let pass = 0; pass < (isNear ? SURFACE_PASSES : 1); pass++) {
        if (touching?.project(substep, pass) === false) isNear = false;
        for (const solver of solvers) solver.projectObstacles(substep, iteration);
      }
    }
    // The limit comes last, so that no projection moves a particle beyond it.
    touching?.limit(substep);
    proxies?.hold?.();
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
