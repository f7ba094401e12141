/** Bodies that hang on one that is put elsewhere go along, or come slowly. */
import { describe, expect, it } from "vitest";
import {
  addAttachment,
  clothModel,
  type DeformableBody,
  gridMesh,
  type RigidBody,
  type SolverName,
  type Vec3,
  type World,
} from "../../../src/index";
import { expectWithin } from "../../figures";
import { type BackendName, createWorld } from "../worlds";

const GRAVITY = 9.81;

interface Scene {
  readonly world: World;
  readonly cloth: DeformableBody;
  readonly anchor: RigidBody;
  readonly box: RigidBody;
}

/** A strip of cloth on an anchor, with a box on its lower end, at rest. */
async function stripOf(
  size: number,
  solver: SolverName,
  mass: number,
  dt: number,
  backend: BackendName = "cpu",
): Promise<Scene> {
  const world = await createWorld(backend, { gravity: [0, -GRAVITY, 0] });
  const mesh = gridMesh({
    width: 0.4 * size,
    height: size,
    columns: 2,
    rows: 4,
    plane: "xy",
    center: [0, -size / 2, 0],
  });
  const cloth = world.addBody(clothModel({ solver, ...mesh, fabric: "denim" }));
  await world.whenReadyAsync();
  const row = (y: number): number[] =>
    [...cloth.model.masses.keys()].filter((v) => Math.abs(cloth.model.positions[3 * v + 1] - y) < 1e-6 * size);
  const anchor = world.addRigidBody({ motion: "static" });
  const half = 0.05 * size;
  const own = cloth.model.masses.reduce((sum, value) => sum + value, 0);
  const box = world.addRigidBody({
    shape: { type: "box", halfExtents: [half, half, half] },
    mass: mass * own,
    position: [0, -size - half, 0],
  });
  addAttachment(world, { body: cloth, vertices: row(0), to: { rigid: anchor } });
  addAttachment(world, { body: cloth, vertices: row(-size), to: { rigid: box } });
  for (let i = 0; i < 5; i++) world.step(dt);
  return { world, cloth, anchor, box };
}

/** Largest speed of cloth and box in some steps, over that of a fall over a length. */
async function fastest({ world, cloth, box }: Scene, steps: number, dt: number, length: number): Promise<number> {
  let most = 0;
  for (let i = 0; i < steps; i++) {
    world.step(dt);
    const { velocities: v } = await cloth.readState();
    for (let k = 0; k < v.length; k += 3) most = Math.max(most, Math.hypot(v[k], v[k + 1], v[k + 2]));
    most = Math.max(most, Math.hypot(...box.linearVelocity));
  }
  return most / Math.sqrt(2 * GRAVITY * length);
}

const far = (body: RigidBody, way: number): Vec3 => [body.position[0] + way, body.position[1], body.position[2]];

const solvers: readonly SolverName[] = ["gpbd", "local-global", "newton"];

describe.each(solvers)("cloth of %s", (solver) => {
  it.each([
    [0.01, 100, 0.1, 1 / 60],
    [1, 1, 10, 1 / 60],
    [10, 0.5, 1, 1 / 30],
  ])(
    "of %f m jumps with its anchor, by %f times its size, with a box of %f times its mass",
    async (size, way, mass, dt) => {
      const scene = await stripOf(size, solver, mass, dt);
      const { cloth, anchor, box, world } = scene;
      const before = (await cloth.readState()).positions;
      const half = Math.SQRT1_2;
      anchor.teleport(far(anchor, way * size), [0, half, 0, half]);
      const speed = await fastest(scene, 3, dt, size);
      expectWithin("speed / that of a fall over its size", speed, 0.6);
      const after = (await cloth.readState()).positions;
      // a quarter turn about the height
      after.forEach((value, i) => {
        const goal = [way * size + before[i - (i % 3) + 2], before[i], -before[i - (i % 3)]][i % 3];
        expectWithin("place - that on the anchor [sizes]", Math.abs(value - goal) / size, 0.1);
      });
      expectWithin("box - its place [sizes]", Math.abs(box.position[0] - way * size) / size, 0.1);
      world.dispose();
    },
  );

  it.each([
    ["box", 1, 1 / 60],
    ["cloth", 10, 1 / 30],
  ] as const)("comes slowly where a %s goes %f times its size away", async (what, way, dt) => {
    const scene = await stripOf(1, solver, 1, dt);
    const { cloth, box, world } = scene;
    if (what === "box") box.teleport(far(box, way));
    else {
      const { positions } = await cloth.readState();
      cloth.writeState({ positions: positions.map((x, i) => (i % 3 === 0 ? x + way : x)) });
    }
    expectWithin("speed / that of a fall over the way", await fastest(scene, 20, dt, way), 1.6);
    world.dispose();
  });

  it("follows an anchor that is put a little further in each step", async () => {
    const scene = await stripOf(1, solver, 1, 1 / 60);
    const { world, cloth, anchor } = scene;
    for (let i = 0; i < 4; i++) {
      anchor.teleport(far(anchor, 0.05));
      world.step(1 / 60);
    }
    const { positions } = await cloth.readState();
    const ways = positions.map((x, i) => x - cloth.model.positions[i]).filter((_, i) => i % 3 === 0);
    const [top, low] = [0, -1].map((y) => ways.filter((_, v) => Math.abs(cloth.model.positions[3 * v + 1] - y) < 1e-6));
    expectWithin("top - anchor [m]", Math.max(...top.map((x) => Math.abs(x - 0.2))), 0.01);
    expect(Math.max(...low)).toBeLessThan(0.12);
    world.dispose();
  });
});

it("jumps on a GPU, too, as soon as its state was read", async () => {
  const { world, cloth, anchor } = await stripOf(1, "gpbd", 1, 1 / 60, "webgpu");
  anchor.teleport(far(anchor, 10));
  let fastest = 0;
  for (let i = 0; i < 4; i++) {
    world.step(1 / 60);
    await world.settled();
    const { velocities: v } = await cloth.readState();
    fastest = Math.max(fastest, ...v.map(Math.abs));
  }
  expectWithin("speed / that of a fall over the way", fastest / Math.sqrt(2 * GRAVITY * 10), 0.7);
  const { positions } = await cloth.readState();
  positions.forEach((x, i) => i % 3 === 0 && expectWithin("place", Math.abs(x - cloth.model.positions[i] - 10), 0.5));
  world.dispose();
});
