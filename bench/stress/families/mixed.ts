import { gpbdCloth } from "../../../src/models/gpbd/cloth";
import { gridMesh, ropeModel } from "../../../src/index";
import { drawBodies, drawSetting, ground } from "../draw";
import type { Family, SoftData } from "../scene";
import { drawSolid } from "./solids";

/** Rigid bodies, soft ones, cloth and ropes in one heap. */
export const mixed: Family = {
  name: "mixed",
  hasGpu: true,
  draw(random) {
    const setting = drawSetting(random, 1);
    const { size, timeStep } = setting;
    const bodies = drawBodies(random, setting, random.whole(1, 6), 0);
    const softs: SoftData[] = [];
    const top = 1.6 * size * (bodies.length + 1);
    const solver = random.pick(["gpbd", "local-global", "newton"] as const);
    if (random.chance(0.7)) softs.push(drawSolid(random, size, [0, top + size, 0], [0, 0, 0], [solver]));
    if (random.chance(0.5)) {
      const mesh = gridMesh({ width: 2 * size, height: 2 * size, columns: 8, rows: 8, center: [0, top + 2 * size, 0] });
      softs.push({ model: gpbdCloth(mesh) });
    }
    if (random.chance(0.4)) {
      const positions = Array.from({ length: 13 }, (_, i) => [
        (size * (i - 6)) / 6,
        top + 2.5 * size,
        0.1 * size,
      ]).flat();
      softs.push({ model: ropeModel({ positions, radius: 0.02 * size, density: 1000 }) });
    }
    return {
      ...setting,
      frames: Math.min(60, Math.round(1 / timeStep)),
      floor: true,
      bodies: [ground(setting), ...bodies],
      softs,
    };
  },
};
