import type { SolidLaw } from "../../../src/materials/solid-material";
import { boxTetrahedra, type DeformableBody, solidModel, type Vec3, World } from "../../../src/index";
import type { LocalGlobalOptions } from "../../../src/solvers/local-global/options";

export interface Block {
  readonly youngsModulus?: number;
  readonly poissonRatio?: number;
  readonly model?: SolidLaw;
  readonly size?: Vec3;
  readonly cells?: Vec3;
  readonly center?: Vec3;
  readonly friction?: number;
  readonly options?: Partial<LocalGlobalOptions>;
}

/** A block of 1000 kg/m³ in a world of its own. */
export async function blockIn(gravity: Vec3, block: Block): Promise<{ world: World; body: DeformableBody }> {
  const world = await World.create({ backend: "cpu", gravity });
  const { size = [0.2, 0.2, 0.2], cells = [2, 2, 2], center = [0, 0, 0] } = block;
  const material = {
    youngsModulus: block.youngsModulus ?? 1e5,
    poissonRatio: block.poissonRatio ?? 0.4,
    density: 1000,
    friction: block.friction ?? 0.5,
    model: block.model ?? "stable-neo-hookean",
  } as const;
  const body = world.addBody(
    solidModel({ solver: "local-global", ...boxTetrahedra({ size, cells, center }), elements: "linear", material }),
    block.options,
  );
  return { world, body };
}

/** Angular momentum about z and the origin [kg m²/s]. */
export async function spin(body: DeformableBody): Promise<number> {
  const { positions: x, velocities: v } = await body.readState();
  let sum = 0;
  for (let i = 0; i < body.particleCount; i++)
    sum += body.model.masses[i] * (x[3 * i] * v[3 * i + 1] - x[3 * i + 1] * v[3 * i]);
  return sum;
}
