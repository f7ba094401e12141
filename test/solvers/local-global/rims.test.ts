import { expect, it } from "vitest";
import { ColliderSet } from "../../../src/collision/obstacles/collider-set";
import { boxTetrahedra, clothModel, fabrics, gridMesh, solidModel, World } from "../../../src/index";
import { rimNormal } from "../../../src/solvers/local-global/detect/rim-normal";
import { surfaceFeatures } from "../../../src/solvers/local-global/detect/surface-features";

const G = 9.81;
const ANGLE = 0.35;

/**
 * By how much a soft block gets faster in half a second, on a slope that is as wide as the block, and by how much Coulomb's law has it [m/s].
 *
 * @param seam where one board of the slope ends and the next one begins, along a slope of two sizes
 * @param speed with which it starts [sizes a second]
 */
async function slide(size: number, friction: number, seam: number, speed: number): Promise<readonly [number, number]> {
  const gravity = [G * size * Math.sin(ANGLE), -G * size * Math.cos(ANGLE), 0] as const;
  const world = await World.create({ backend: "reference", gravity });
  const half = 0.1 * size;
  const thickness = 0.005 * size;
  for (const [from, to] of [
    [-1, seam],
    [seam, 1],
  ])
    world.addCollider(
      {
        type: "box",
        halfExtents: [(size * (to - from)) / 2, half, half],
        center: [(size * (from + to)) / 2, -half, 0],
      },
      { friction },
    );
  const block = [0.2 * size, 0.1 * size, 0.2 * size] as const;
  const mesh = boxTetrahedra({ size: block, cells: [2, 1, 2], center: [-0.5 * size, thickness + block[1] / 2, 0] });
  const material = { youngsModulus: 3e4 * size * size, poissonRatio: 0.3, density: 1000 };
  const body = world.addBody(solidModel({ solver: "local-global", ...mesh, material }), {
    friction,
    thickness,
    contactMargin: 4 * thickness,
  });
  const mean = async (): Promise<number> => {
    const { velocities } = await body.readState();
    let [momentum, mass] = [0, 0];
    body.model.masses.forEach((m, i) => {
      momentum += m * velocities[3 * i];
      mass += m;
    });
    return momentum / mass;
  };
  for (let frame = 0; frame < 15; frame++) world.step(1 / 60);
  if (speed > 0) {
    const { positions, velocities } = await body.readState();
    body.writeState({ positions, velocities: velocities.map((v, i) => (i % 3 === 0 ? v + speed * size : v)) });
  }
  const before = await mean();
  for (let frame = 0; frame < 30; frame++) world.step(1 / 60);
  const gained = (await mean()) - before;
  world.dispose();
  return [gained, 0.5 * G * size * Math.max(0, Math.sin(ANGLE) - friction * Math.cos(ANGLE))];
}

it.each([
  [0.1, 0.9, 0],
  [10, 0.9, 0],
  [0.1, -0.3, 1],
  [10, -0.2, 1],
  [1, 0.1, 2],
])(
  "a block of %f m slides over a seam at %f, at %f sizes a second, as Coulomb's law has it",
  async (size, seam, speed) => {
    const [gained, expected] = await slide(size, 0.35, seam, speed);
    expect(Math.abs(gained - expected)).toBeLessThan(2e-3 * (expected + speed * size));
  },
);

// A hull is known by planes, which go on beside its ridges: no point of them is what the solid goes below.
it.each(["box", "convex-hull"] as const)("a face of a solid that goes below a %s is pushed down", (type) => {
  const half = [0.1, 0.05, 0.1] as const;
  // the front leans back
  const positions = Float64Array.from({ length: 24 }, (_, i) => {
    const [k, c] = [Math.floor(i / 3), i % 3];
    const narrow = c === 0 && k & 2 ? 0.8 : 1;
    return ((k >> c) & 1 ? half[c] : -half[c]) * narrow;
  });
  const set = new ColliderSet();
  const id = set.add(type === "box" ? { type, halfExtents: half } : { type, positions }, { friction: 0.3 });
  set.setPose(id, [0.0016, 0.0002, 0], [0, 0, 0, 1]);
  set.update();
  const x = Float64Array.of(0.05, -0.051, 0, 0.3, -0.051, -1, 0.3, -0.051, 1);
  const features = surfaceFeatures(Uint32Array.of(0, 1, 2), 3);
  const weights = Float64Array.of(0.792, 0.104, 0.104);
  const out = new Float64Array(9);
  const end = Float64Array.of(0.102, -0.0508, 0);
  expect(rimNormal(features, [0, 1, 2], weights, x, end, set, 0, 0, 1, 0.001, out)).toBe(true);
  expect(Array.from(out.subarray(0, 3), (value) => Math.round(1e6 * value) / 1e6 + 0)).toEqual([0, -1, 0]);
});

// In front of what slides there are vertices beside its rim, and faces that are nearest with an edge: the way to these leans against the motion.
it.each([
  ["sheet", 0.1],
  ["solid", 1],
] as const)("a %s slides down a solid of %f m as Coulomb's law has it", async (upper, size) => {
  const [friction, thickness] = [0.3, 0.005 * size];
  const gravity = [G * size * Math.sin(ANGLE), -G * size * Math.cos(ANGLE), 0] as const;
  const world = await World.create({ backend: "reference", gravity });
  const options = { friction, thickness, contactMargin: 4 * thickness };
  const material = { youngsModulus: 1e5 * size * size, poissonRatio: 0.3, density: 500 };
  const solid = (length: number, cells: number, y: number) => {
    const mesh = boxTetrahedra({ size: [length, 0.1 * size, 0.2 * size], cells: [cells, 1, 2], center: [0, y, 0] });
    return solidModel({ solver: "local-global", ...mesh, material });
  };
  const slope = solid(0.6 * size, 7, -0.05 * size);
  const pins = Array.from(slope.masses, (_, p) => p).filter((p) => slope.positions[3 * p + 1] < -0.09 * size);
  world.addBody(slope, { ...options, pins });
  const center = [-0.1 * size, thickness, 0.003 * size] as const;
  const grid = gridMesh({ width: 0.2 * size, height: 0.1 * size, columns: 4, rows: 2, center });
  const model =
    upper === "solid"
      ? solid(0.15 * size, 2, thickness + 0.05 * size)
      : clothModel({ solver: "local-global", ...grid, fabric: "denim" });
  const body = world.addBody(model, options);
  const speed = async (): Promise<number> => {
    const { velocities } = await body.readState();
    let [momentum, mass] = [0, 0];
    model.masses.forEach((m, i) => {
      momentum += m * velocities[3 * i];
      mass += m;
    });
    return momentum / mass;
  };
  for (let frame = 0; frame < 10; frame++) world.step(1 / 60);
  const before = await speed();
  for (let frame = 0; frame < 20; frame++) world.step(1 / 60);
  const gained = (await speed()) - before;
  world.dispose();
  const expected = (G * size * (Math.sin(ANGLE) - friction * Math.cos(ANGLE))) / 3;
  expect(gained / expected).toBeGreaterThan(0.9);
  expect(gained / expected).toBeLessThan(1.1);
});

it("a sheet that hangs over a box comes to rest", async () => {
  const [size, thickness] = [0.2, 0.001];
  const world = await World.create({ backend: "reference", gravity: [0, -G, 0], snapshotInterval: 0 });
  world.addCollider({ type: "box", halfExtents: [size / 2, size / 4, size / 2] }, { position: [0, -size / 4, 0] });
  const side = 1.2 * size;
  const center = [0.003, 2 * thickness, 0.006] as const;
  const grid = gridMesh({ width: side, height: side, columns: 4, rows: 4, center });
  const sheet = clothModel({ solver: "local-global", ...grid, fabric: fabrics.denim });
  const body = world.addBody(sheet, { thickness, airDensity: 0 });
  let fastest = 0;
  for (let frame = 1; frame <= 108; frame++) {
    world.step(1 / 60);
    await world.settled();
    if (frame < 86) continue;
    const { velocities } = await body.readState();
    for (const v of velocities) fastest = Math.max(fastest, Math.abs(v));
  }
  expect(fastest).toBeLessThan(1e-3 * Math.sqrt(G * size));
  world.dispose();
});
