import { expect, it } from "vitest";
import { boxTetrahedra, solidModel, World } from "../../../../../src/index";

const G = 9.81;
const FRICTION = 0.1;

/**
 * A soft block slides over a floor of boards, for half a second.
 *
 * @param speed with which it starts [sizes a second]
 * @param wall height of a wall [sizes]
 * @returns change of its speed, and place of its front [sizes]
 */
async function slide(size: number, boards: number, speed: number, yaw: number, wall = 0): Promise<[number, number]> {
  const world = await World.create({ backend: "reference", gravity: [0, -G * size, 0] });
  const half = 1.5 / boards;
  for (let i = 0; i < boards; i++)
    world.addCollider(
      {
        type: "box",
        halfExtents: [half * size, 0.1 * size, 0.4 * size],
        center: [(-0.6 + half * (2 * i + 1)) * size, -0.1 * size, 0],
      },
      { friction: FRICTION },
    );
  if (wall > 0)
    world.addCollider({
      type: "box",
      halfExtents: [0.1 * size, wall * size, 0.4 * size],
      center: [0.5 * size, wall * size, 0],
    });
  const mesh = boxTetrahedra({
    size: [0.2 * size, 0.1 * size, 0.2 * size],
    cells: [2, 1, 2],
    center: [0, 0.05 * size, 0],
  });
  const positions = Float64Array.from(mesh.positions);
  for (let i = 0; i < positions.length; i += 3) {
    const [x, z] = [positions[i], positions[i + 2]];
    positions[i] = Math.cos(yaw) * x + Math.sin(yaw) * z - 0.4 * size;
    positions[i + 2] = Math.cos(yaw) * z - Math.sin(yaw) * x;
  }
  const material = { youngsModulus: 3e4 * size * size, poissonRatio: 0.3, density: 1000 };
  const body = world.addBody(solidModel({ solver: "newton", ...mesh, positions, material }), { friction: FRICTION });
  const mean = async (): Promise<number> => {
    const { velocities } = await body.readState();
    const { masses } = body.model;
    let [momentum, mass] = [0, 0];
    for (let i = 0; i < masses.length; i++) {
      momentum += masses[i] * velocities[3 * i];
      mass += masses[i];
    }
    return momentum / mass / size;
  };
  for (let frame = 0; frame < 10; frame++) world.step(1 / 60);
  const state = await body.readState();
  body.writeState({
    positions: state.positions,
    velocities: state.velocities.map((v, i) => (i % 3 === 0 ? v + speed * size : v)),
  });
  const before = await mean();
  for (let frame = 0; frame < 30; frame++) world.step(1 / 60);
  const change = (await mean()) - before;
  const { positions: end } = await body.readState();
  world.dispose();
  return [change, Math.max(...end.filter((_, i) => i % 3 === 0)) / size];
}

it.each([
  [1, 23, 3, 0],
  [0.1, 7, 2, 0.5],
  [10, 40, 1, -0.3],
])(
  "a block of %f m slides over a floor of %i boards at %f sizes a second as over one, turned by %f",
  async (...setting) => {
    const [change] = await slide(...setting);
    expect(Math.abs(change + 0.5 * FRICTION * G)).toBeLessThan(2e-3);
  },
);

it("a wall on such a floor stops it", async () => {
  const [, front] = await slide(1, 7, 2, 0, 0.2);
  expect(front).toBeLessThan(0.4 + 1e-3);
});
