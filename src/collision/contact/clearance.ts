import { type Primitive, PrimitiveKind } from "../distance/primitives";

/**
 * The result of the last test of a particle or a face for contact: a way [m] that it may go, less that of obstacles, before it can touch
 * anything, so that it need not be tested until then; 0 where it touches. Of faces also how far one was pushed out at most in a pass [m].
 */
export const clearance = { left: 0, push: 0 };

/** Least inverse slope of an interpolated distance: each of its three differences is at most 1. */
const SLOPE_OF_GRID = 0.57;

/** Part of a difference of distance that is surely a way. */
export function sureWay({ kind }: Primitive): number {
  return kind === PrimitiveKind.grid ? SLOPE_OF_GRID : 1;
}
