import { ballTetrahedra, type DeformableBody, solidModel, type Vec3, World } from "../../../src/index";

export const frameTime = 1 / 60;
export const gravity = 9.81;

export const rubber = { youngsModulus: 2e4, poissonRatio: 0.4, density: 500, friction: 0.5 };

export const ballAt = (center: Vec3, name = "ball") =>
  solidModel({ solver: "newton", ...ballTetrahedra({ radius: 0.1, resolution: 2, center }), name, material: rubber });

/** Runs a test in a world on the CPU, and disposes of it afterwards. */
export async function inWorld(
  options: { gravity?: Vec3; substeps?: number },
  test: (world: World) => Promise<void>,
): Promise<void> {
  const world = await World.create({ backend: "cpu", gravity: options.gravity ?? [0, -gravity, 0] });
  world.rigid.substeps = options.substeps ?? 1;
  try {
    await test(world);
  } finally {
    world.dispose();
  }
}

export function run(world: World, seconds: number): void {
  for (let k = 0; k < Math.round(seconds / frameTime); k++) world.step(frameTime);
}

/** A wide static floor with its top at height 0. */
export function addFloor(world: World, friction = 0.5): void {
  world.addRigidBody({
    motion: "static",
    shape: { type: "box", halfExtents: [5, 1, 5] },
    position: [0, -1, 0],
    friction,
  });
}

export const massOf = (body: DeformableBody): number => body.model.masses.reduce((sum, mass) => sum + mass, 0);

/** Σ m v and Σ m x × v of a deformable body. */
export async function momentaOf(body: DeformableBody): Promise<{ linear: number[]; angular: number[] }> {
  const { positions: x, velocities: v } = await body.readState();
  const linear = [0, 0, 0];
  const angular = [0, 0, 0];
  body.model.masses.forEach((mass, p) => {
    for (let k = 0; k < 3; k++) {
      const [i, j] = [3 * p + ((k + 1) % 3), 3 * p + ((k + 2) % 3)];
      linear[k] += mass * v[3 * p + k];
      angular[k] += mass * (x[i] * v[j] - x[j] * v[i]);
    }
  });
  return { linear, angular };
}

/** Force of all contacts on deformable bodies in the last step, by the obstacle's place [N]. */
export function contactForces(world: World): Map<number, Vec3> {
  const { contacts } = world.rigid.dynamics.deformables;
  const h = frameTime / world.rigid.substeps;
  const forces = new Map<number, Vec3>();
  for (let c = 0; c < contacts.count; c++) {
    const sum: [number, number, number] = [...(forces.get(contacts.rigid[c]) ?? [0, 0, 0])];
    for (let d = 0; d < 3; d++)
      for (let k = 0; k < 3; k++) sum[k] += (contacts.impulse[3 * c + d] * contacts.frame[9 * c + 3 * d + k]) / h;
    forces.set(contacts.rigid[c], sum);
  }
  return forces;
}
