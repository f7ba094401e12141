import { expect, it } from "vitest";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";
import { random } from "../../../samples/rigid";

const HALF = 0.25;

/** A slab on layers of boxes of a kilogram, all slightly out of place. */
function loaded(columns: number, layers: number, mass: number, size: number) {
  const world = new RigidWorld();
  const next = random(5);
  const box = (x: number, y: number, z: number) =>
    ({ type: "box", halfExtents: [size * x, size * y, size * z] }) as const;
  world.addBody({ motion: "static", shape: box(50, 1, 50), position: [0, -size, 0] });
  const place = (k: number): number => 0.55 * (k - (columns - 1) / 2) + (columns > 1 ? 0.02 * next() : 0);
  for (let y = 0; y < layers; y++)
    for (let x = 0; x < columns; x++)
      for (let z = 0; z < columns; z++) {
        const position = [size * place(x), size * HALF * (2 * y + 1), size * place(z)] as const;
        world.addBody({ mass: 1, shape: box(HALF, HALF, HALF), position: [...position] });
      }
  const wide = columns > 1 ? 0.275 * columns : HALF;
  const height = 2 * HALF * layers + 0.1;
  const slab = world.addBody({ mass, shape: box(wide, 0.1, wide), position: [0, size * (height + 0.01), 0] });
  return { world, slab, height: size * height };
}

it.each([
  { columns: 6, layers: 3, mass: 1e5, size: 1 },
  { columns: 6, layers: 3, mass: 1e6, size: 1 },
  { columns: 6, layers: 3, mass: 1e5, size: 0.02 },
  { columns: 8, layers: 4, mass: 1e4, size: 1 },
  { columns: 1, layers: 20, mass: 1e6, size: 1 },
])("$layers layers of $columns² boxes of $size m and 1 kg bear $mass kg", ({ columns, layers, mass, size }) => {
  const { world, slab, height } = loaded(columns, layers, mass, size);
  for (let k = 0; k < 120; k++) {
    world.step(1 / 60);
    expect(slab.position[1]).toBeGreaterThan(height - 1e-3 * size);
  }
  expect(Math.abs(slab.position[1] - height)).toBeLessThan(1e-4 * size);
  expect(slab.isAsleep).toBe(true);
});

it("that are too slow for what falls on them are not shot away with energy that nobody had", () => {
  const { world, slab } = loaded(1, 8, 1e4, 1);
  slab.linearVelocity = [0, -2, 0];
  const energyOf = (): number =>
    world.bodies.reduce((sum, body) => {
      if (body.motion === "static") return sum;
      return sum + body.mass * (0.5 * Math.hypot(...body.linearVelocity) ** 2 + 9.81 * body.position[1]);
    }, 0);
  const before = energyOf();
  for (let k = 0; k < 120; k++) {
    world.step(1 / 60);
    expect(energyOf()).toBeLessThan(1.02 * before);
  }
});
