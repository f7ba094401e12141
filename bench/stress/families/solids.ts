import { gpbdSolid } from "../../../src/models/gpbd/soft-body";
import { localGlobalSolid } from "../../../src/models/local-global/local-global";
import { newtonSolid } from "../../../src/models/newton/newton-soft-body";
import {
  ballTetrahedra,
  boxTetrahedra,
  type BodyModel,
  type SolidMaterial,
  type TetMesh,
  type Vec3,
} from "../../../src/index";
import { solidLaws } from "../../../src/materials/solid-material";
import { drawSetting, ground, times } from "../draw";
import type { Random } from "../random";
import type { Family, SoftData } from "../scene";

const builders = { gpbd: gpbdSolid, "local-global": localGlobalSolid, newton: newtonSolid } as const;
type Solver = keyof typeof builders;

/** Materials that some solvers lack. */
const modelsOf: Readonly<Record<Solver, readonly NonNullable<SolidMaterial["model"]>[]>> = {
  gpbd: solidLaws,
  "local-global": solidLaws.filter((name) => name !== "stvk" && name !== "mooney-rivlin"),
  newton: ["stable-neo-hookean", "corotational"],
};

function drawMesh(random: Random, size: number, center: Vec3): TetMesh {
  const cells = random.whole(1, 4);
  if (random.chance(0.3)) return ballTetrahedra({ radius: size / 2, resolution: Math.max(2, cells), center });
  const length = random.whole(1, 3);
  return boxTetrahedra({ size: [length * size, size, size], cells: [length * cells, cells, cells], center });
}

/** A solid with its middle at a place. */
export function drawSolid(
  random: Random,
  size: number,
  center: Vec3,
  velocity: Vec3,
  solvers?: readonly Solver[],
): SoftData {
  const solver = random.pick(solvers ?? (["gpbd", "gpbd", "local-global", "newton"] as const));
  const material: SolidMaterial = {
    model: random.pick(modelsOf[solver]),
    youngsModulus: random.decades(1e3, 1e8),
    poissonRatio: random.pick([0, 0.3, 0.45, 0.49, 0.499]),
    density: random.decades(100, 1e4),
  };
  const mesh = drawMesh(random, size, center);
  const model: BodyModel = builders[solver]({ ...mesh, material });
  return { model, velocity };
}

/** Soft solids of every material and solver are thrown at the ground and at each other. */
export const solids: Family = {
  name: "solids",
  hasGpu: true,
  draw(random) {
    const setting = drawSetting(random, 1);
    const { size, timeStep } = setting;
    const speed = Math.min(40, setting.speed);
    const isFree = random.chance(0.2);
    const count = random.whole(1, 2);
    const softs = Array.from({ length: count }, (_, i) => {
      const way = isFree ? ([0, i === 0 ? 1 : -1, 0] as const) : random.direction();
      return drawSolid(random, size, [0.2 * size * i, size * (0.8 + 1.6 * i), 0], times(way, speed));
    });
    const frames = Math.min(60, Math.round(1 / timeStep));
    const free = {
      gravity: [0, 0, 0],
      isFree,
      softs: softs.map((soft) => ({ ...soft, options: { airDensity: 0 } })),
    } as const;
    return isFree
      ? { ...setting, frames, ...free }
      : { ...setting, frames, floor: true, bodies: [ground(setting)], softs };
  },
};
