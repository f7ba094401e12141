import { pinLimit, type PinTable } from "../deformable";
import { norm } from "../../math/vectors";

/**
 * Pins that pull no harder than so much have the last word, as those that hold exactly do.
 *
 * @param positions n × 3 [m]: changed
 * @param start at the start of the substep, n × 3 [m]
 * @param w h²/m of each particle [s²/kg]
 * @param share part of the way to its target that a pin goes in the substep, see `gripShare`
 */
export function pullPins(
  pins: PinTable,
  positions: Float64Array,
  start: Float64Array,
  w: Float64Array,
  share: number,
): void {
  for (let p = 0; p < w.length; p++) {
    const limit = pinLimit(pins, p);
    if (!(limit > 0)) continue;
    const way = [0, 1, 2].map((c) => {
      const i = 3 * p + c;
      return start[i] + share * (pins.targets[i] - start[i]) - positions[i];
    });
    const scale = Math.min(1, (limit * w[p]) / norm(way));
    for (let c = 0; c < 3; c++) if (scale > 0) positions[3 * p + c] += scale * way[c];
  }
}
