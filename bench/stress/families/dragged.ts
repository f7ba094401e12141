import { gpbdCloth } from "../../../src/models/gpbd/cloth";
import { localGlobalCloth } from "../../../src/models/local-global/local-global-fabric";
import { newtonCloth } from "../../../src/models/newton/newton-cloth";
import { gridMesh, ropeModel, type RigidBodyOptions, type Vec3 } from "../../../src/index";
import { drawBodies, drawSetting, ground, inUnits, times } from "../draw";
import type { Random } from "../random";
import type { AttachmentData, Family, SoftData } from "../scene";
import { drawSolid } from "./solids";

const builders = { gpbd: gpbdCloth, "local-global": localGlobalCloth, newton: newtonCloth } as const;

/** A solid, sheet or rope, whose vertices near x = 0 are at height `top`. */
export function drawSoft(random: Random, size: number, top: number): SoftData {
  const kind = random.pick(["solid", "sheet", "rope"] as const);
  if (kind === "solid") return drawSolid(random, size, [0, top - 0.5 * size, 0], [0, 0, 0]);
  if (kind === "sheet") {
    const cells = random.whole(2, 8);
    const mesh = gridMesh({ width: size, height: 2 * size, columns: cells, rows: cells, center: [0, top, 0] });
    return { model: builders[random.pick(["gpbd", "local-global", "newton"] as const)](mesh) };
  }
  const count = random.whole(4, 30);
  const positions = Array.from({ length: count + 1 }, (_, i) => [(2 * size * i) / count, top, 0]).flat();
  const common = { positions, radius: (size / count) * random.between(0.05, 0.3), density: 1000 };
  return { model: ropeModel(random.chance(0.7) ? common : { ...common, solver: "newton", youngsModulus: 1e7 }) };
}

/** Animated holders drag and turn a soft body through loose bodies; it carries a load at times. */
export const dragged: Family = {
  name: "dragged",
  hasGpu: true,
  draw(random) {
    const setting = inUnits(drawSetting(random, 1), random.pick([0.01, 1, 1, 100]));
    const { size, speed: thrown, gravity } = setting;
    const loose = drawBodies(random, setting, random.whole(0, 3), 0);
    const top = 1.7 * size * (loose.length + 1);
    const soft = drawSoft(random, size, top);
    const { positions } = soft.model;
    const speed = Math.min(thrown, 10 * Math.sqrt(-gravity[1] * size));
    const [x, y, z] = times(random.direction(), speed);
    const turn = random.chance(0.5) ? random.decades(0.1, 10) : 0;
    const at: Vec3 = [positions[0], positions[1], positions[2]];
    const holder: RigidBodyOptions = {
      name: "holder",
      motion: "kinematic",
      position: at,
      linearVelocity: [x, Math.abs(y), z],
      angularVelocity: times(random.direction(), turn),
    };
    const bodies = [ground(setting), ...loose, holder];
    const count = positions.length / 3;
    const far = Array.from({ length: count }, (_, p) => p).filter((p) => apart(positions, p) > 0.8 * size);
    const near = Array.from({ length: count }, (_, p) => p).filter((p) => apart(positions, p) < 0.3 * size);
    const attachments: AttachmentData[] = [{ soft: 0, vertices: near, body: bodies.length - 1 }];
    if (far.length > 0 && random.chance(0.5)) {
      const p = random.pick(far);
      const place = [0, 1, 2].map((c) => positions[3 * p + c]) as unknown as Vec3;
      attachments.push({ soft: 0, vertices: [p], body: bodies.length });
      bodies.push({
        name: "load",
        shape: { type: "sphere", radius: 0.1 * size },
        meets: "rigid",
        mass: sum(soft.model.masses) * random.decades(0.01, 100),
        position: place,
      });
    }
    return {
      ...setting,
      frames: Math.min(90, Math.round(1 / setting.timeStep)),
      floor: true,
      driven: speed + 3 * size * turn,
      bodies,
      softs: [soft],
      attachments,
    };
  },
};

/** Distance of a vertex from the first one [m]. */
const apart = (x: ArrayLike<number>, p: number): number =>
  Math.hypot(x[3 * p] - x[0], x[3 * p + 1] - x[1], x[3 * p + 2] - x[2]);
const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((total, value) => total + value, 0);
