import { drawSetting, drawShape, ground } from "../draw";
import type { Family } from "../scene";

/** A body of a hundred to a hundred thousand times the density falls on one to four others. */
export const crushed: Family = {
  name: "crushed",
  hasGpu: true,
  draw(random) {
    const setting = drawSetting(random);
    const { size, gravity } = setting;
    const common = () => ({ rotation: random.rotation(), friction: random.between(0, 1) });
    const light = Array.from({ length: random.whole(1, 4) }, (_, k) => ({
      name: `light ${k}`,
      shape: drawShape(random, size),
      position: [0.6 * size * (k % 2), size * (0.6 + 1.05 * Math.floor(k / 2)), 0.05 * size * k] as const,
      ...common(),
    }));
    const heavy = {
      name: "heavy",
      shape: drawShape(random, 1.5 * size),
      position: [0.2 * size, size * (light.length > 2 ? 3.05 : 2), 0] as const,
      density: 1000 * random.pick([1e2, 1e3, 1e4, 1e5]),
      linearVelocity: [0, -Math.sqrt(-gravity[1] * size) * random.between(0, 2), 0] as const,
      ...common(),
    };
    return { ...setting, floor: true, bodies: [ground(setting), ...light, heavy] };
  },
};
