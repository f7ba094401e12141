import { gpbdCloth } from "../../../src/models/gpbd/cloth";
import { localGlobalCloth } from "../../../src/models/local-global/local-global-fabric";
import { newtonCloth } from "../../../src/models/newton/newton-cloth";
import { fabrics, gridMesh, type FabricName, type RigidBodyOptions } from "../../../src/index";
import { drawSetting, ground, times } from "../draw";
import type { Family } from "../scene";

const builders = { gpbd: gpbdCloth, "local-global": localGlobalCloth, newton: newtonCloth } as const;

/** Cloth of every fabric and solver falls on the ground, a ball or a box, hangs, or is hit by a thrown body. */
export const cloth: Family = {
  name: "cloth",
  hasGpu: true,
  draw(random) {
    const setting = drawSetting(random, 1);
    const { size, timeStep } = setting;
    const solver = random.pick(["gpbd", "gpbd", "gpbd", "local-global", "newton"] as const);
    const cells = random.whole(2, solver === "newton" ? 8 : 14);
    const mesh = gridMesh({
      width: 2 * size,
      height: 2 * size,
      columns: cells,
      rows: cells,
      center: [0, 1.5 * size, 0],
    });
    const fabric = random.pick(Object.keys(fabrics) as FabricName[]);
    const model = builders[solver]({ ...mesh, fabric });
    const corner = [0, cells];
    const pins = random.pick([[], [], [0], corner]);
    const obstacle: RigidBodyOptions = {
      name: "obstacle",
      motion: random.chance(0.6) ? "static" : "dynamic",
      shape: random.pick([
        { type: "sphere", radius: 0.4 * size },
        { type: "box", halfExtents: [0.4 * size, 0.4 * size, 0.4 * size] },
      ] as const),
      position: [0, random.pick([0.5, 2.5]) * size, 0],
      density: random.decades(1, 1000),
    };
    const velocity = times(random.direction(), random.chance(0.3) ? Math.min(setting.speed, 20) : 0);
    return {
      ...setting,
      frames: Math.min(60, Math.round(1 / timeStep)),
      floor: true,
      bodies: random.chance(0.8) ? [ground(setting), obstacle] : [ground(setting)],
      softs: [{ model, velocity: pins.length > 0 ? [0, 0, 0] : velocity, options: { pins } }],
    };
  },
};
