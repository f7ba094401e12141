import { boxOf, grown, sizeOf, type Box } from "../../geometry/box";
import type { BodyState, FrameInput, PinTable } from "../deformable";
import { topWind } from "../air";
import type { GpbdStepOptions } from "./options";
import { norm } from "../../math/vectors";

/** Part of its size by which a body may spring in a frame without having been fast at its start. */
const SPRING = 0.1;

/** A box that holds a body to the end of a frame, wherever its speed, gravity, wind and pins take it; obstacles left aside. */
export function spanOf(
  { positions, velocities }: Pick<BodyState, "positions" | "velocities">,
  pins: PinTable,
  { dt, gravity }: FrameInput,
  options: Readonly<GpbdStepOptions>,
): Box {
  let [speed, pull] = [0, 0];
  for (let i = 0; i < velocities.length; i += 3) {
    speed = Math.max(speed, velocities[i] ** 2 + velocities[i + 1] ** 2 + velocities[i + 2] ** 2);
    if (pins.pinned[i / 3] === 1)
      for (let c = i; c < i + 3; c++) pull = Math.max(pull, Math.abs(pins.targets[c] - positions[c]));
  }
  const drift = topWind(options) + 0.5 * dt * Math.abs(options.gravityFactor) * norm(gravity);
  const box = boxOf(positions);
  return grown(box, dt * (Math.sqrt(speed) + drift) + pull + SPRING * sizeOf(box));
}
