import { drawBodies, drawSetting, ground } from "../draw";
import type { Family } from "../scene";

/** Bodies of all simple shapes fall on the ground, or meet without gravity. */
export const heaps: Family = {
  name: "heaps",
  hasGpu: true,
  draw(random) {
    const setting = drawSetting(random);
    const isFree = random.chance(0.2);
    const bodies = drawBodies(random, setting, random.whole(2, 30), 0);
    if (!isFree) return { ...setting, floor: true, bodies: [ground(setting, random.between(0, 1)), ...bodies] };
    return { ...setting, gravity: [0, 0, 0], isFree, bodies };
  },
};
