import { ropeModel } from "../../../src/index";
import { drawSetting, ground, times } from "../draw";
import type { Family } from "../scene";

/** Ropes hang, fall on a ball or the ground, or fly. */
export const ropes: Family = {
  name: "ropes",
  hasGpu: true,
  draw(random) {
    const setting = drawSetting(random, 1);
    const { size, timeStep } = setting;
    const count = random.whole(2, 60);
    const way = random.direction();
    const positions = Array.from({ length: count + 1 }, (_, i) => [
      (size * way[0] * i) / count,
      1.5 * size + (size * way[1] * i) / count,
      (size * way[2] * i) / count,
    ]).flat();
    const radius = (size / count) * random.between(0.05, 0.3);
    const common = { positions, radius, density: random.decades(300, 8000) };
    const model = random.chance(0.75)
      ? ropeModel({ ...common, youngsModulus: random.chance(0.5) ? undefined : random.decades(1e5, 1e10) })
      : ropeModel({ solver: "newton", ...common, youngsModulus: random.decades(1e5, 1e9) });
    const pins = random.pick([[], [0], [0], [0, 1], [0, count]]);
    const velocity = times(random.direction(), pins.length > 0 ? 0 : Math.min(20, setting.speed));
    return {
      ...setting,
      frames: Math.min(60, Math.round(1 / timeStep)),
      floor: true,
      bodies: [
        ground(setting),
        { name: "ball", motion: "static", shape: { type: "sphere", radius: 0.3 * size }, position: [0, 0.3 * size, 0] },
      ],
      softs: [{ model, velocity, options: { pins } }],
    };
  },
};
