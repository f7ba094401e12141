import { clothModel, fabrics, icosphereMesh, type BodyOptions } from "../../../src/index";
import { drawSetting, ground, times } from "../draw";
import type { Family } from "../scene";

/** Closed sheets of rubber with pressure in them are thrown at the ground. */
export const balloons: Family = {
  name: "balloons",
  hasGpu: true,
  draw(random) {
    const setting = drawSetting(random, 1);
    const { size, timeStep } = setting;
    const mesh = icosphereMesh({ radius: size / 2, subdivisions: random.whole(1, 2), center: [0, size, 0] });
    const fabric = { ...fabrics["rubber-sheet"], areaDensity: random.decades(0.05, 5) };
    // The pressure follows the stiffness of the skin, so that the balloon swells by a part of its size.
    const pressure = (fabric.stretchWarp / size) * random.decades(0.01, 0.5);
    const options: BodyOptions = { pressure, sealed: random.chance(0.5) };
    const velocity = times(random.direction(), Math.min(20, setting.speed));
    return {
      ...setting,
      frames: Math.min(60, Math.round(1 / timeStep)),
      floor: true,
      bodies: [ground(setting)],
      softs: [{ model: clothModel({ ...mesh, fabric }), velocity, options }],
    };
  },
};
