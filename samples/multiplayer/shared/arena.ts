/** The arena as server and clients know it: sizes, bodies, owners. */

/** Rate of the steps of the simulation [1/s], and the number of steps from one frame on the wire to the next. */
export const STEP_RATE = 60;
export const STEPS_PER_FRAME = 3;

export const SEATS = 10;
const BODIES_PER_SEAT = 5;

/** Half the side of the square floor [m]. */
export const HALF_SIDE = 5;

/** The grid of the curtain across the middle, which hangs from its top edge. Lengths in meters. */
export const CURTAIN = {
  width: 4,
  height: 1.6,
  columns: 16,
  rows: 8,
  plane: "xy",
  center: [0, 0.9, 0],
} as const;
export const CURTAIN_VERTICES = (CURTAIN.columns + 1) * (CURTAIN.rows + 1);

export interface ArenaBody {
  /** the player who may push it */
  readonly seat: number;
  readonly type: "sphere" | "box";
  /** radius, or half the edge [m] */
  readonly size: number;
  /** at the start [m] */
  readonly position: readonly [number, number, number];
}

/** Every seat has three balls and two boxes on a ray from the middle. Bodies never come or go, so an index names one for good. */
export const BODIES: readonly ArenaBody[] = Array.from({ length: SEATS * BODIES_PER_SEAT }, (_, i) => {
  const seat = Math.floor(i / BODIES_PER_SEAT);
  const place = i % BODIES_PER_SEAT;
  const angle = (2 * Math.PI * (seat + 0.5)) / SEATS;
  const distance = 1.8 + 0.6 * place;
  const type = place < 3 ? "sphere" : "box";
  const size = type === "sphere" ? 0.2 : 0.18;
  return { seat, type, size, position: [distance * Math.cos(angle), size, distance * Math.sin(angle)] };
});
