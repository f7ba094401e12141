import { beforeAll, describe, expect, it, vi } from "vitest";
import { random } from "../../samples/rigid";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import type { GpuContext } from "../../src/gpu/device";
import { ballTetrahedra, boxTetrahedra, type DeformableBody, solidModel, type TetMesh, World } from "../../src/index";
import { localGlobalGroup } from "../../src/world/lanes/local-global-cpu";
import type { LocalGlobalOptions } from "../../src/solvers/local-global/options";
import { testContext } from "../gpu/context";

const h = 1 / 60;
const room = vi.hoisted(() => ({ isTiny: false }));

// Starts with hardly any room for contacts, entries of W and pairs.
vi.mock("../../src/solvers/local-global/gpu/contact/contact-buffers", async (original) => {
  const module = await original<typeof import("../../src/solvers/local-global/gpu/contact/contact-buffers")>();
  return {
    ...module,
    firstRoom: (...args: Parameters<typeof module.firstRoom>) =>
      room.isTiny ? { contacts: 1, values: 1 } : module.firstRoom(...args),
    firstPairs: (vertices: number) => (room.isTiny ? 1 : module.firstPairs(vertices)),
  };
});

let gpu: GPU;
let context: GpuContext;
beforeAll(async () => {
  ({ gpu } = await loadWebGpu());
  context = await testContext();
});

function worldOn(backend: "cpu" | "webgpu"): Promise<World> {
  return World.create({ backend, gpu, device: context.device, gravity: [0, -9.81, 0], snapshotInterval: 0 });
}

function addBlock(
  world: World,
  mesh: TetMesh,
  options: Partial<LocalGlobalOptions>,
  friction = 0.5,
  youngsModulus = 1e5,
): DeformableBody {
  const material = { youngsModulus, poissonRatio: 0.3, density: 1000, friction };
  return world.addBody(solidModel({ solver: "local-global", ...mesh, elements: "linear", material }), {
    contactPasses: 1,
    ...options,
  });
}

/** Blocks, a ball, and a plate bent over until it meets itself, all slightly overlapping and in motion. */
function addJumble(world: World, seed: number, options: Partial<LocalGlobalOptions>): DeformableBody[] {
  const next = random(seed);
  const meshes = [
    boxTetrahedra({ size: [0.2, 0.15, 0.25], cells: [2, 1, 3], center: [0, 0, 0] }),
    ballTetrahedra({ radius: 0.11, resolution: 2, center: [-0.19, 0.05, 0] }),
    boxTetrahedra({ size: [0.4, 0.02, 0.1], cells: [7, 1, 2], center: [0.02, 0.1, 0] }),
  ];
  return meshes.map((mesh, k) => {
    const common = { thickness: 0.004, contactMargin: 0.006 + 0.001 * k, selfCollision: k === 2 };
    const body = addBlock(world, mesh, { ...common, ...options }, 0.2 + 0.1 * k);
    const positions = mesh.positions.map((x) => x + 0.004 * (next() - 0.5));
    for (let i = 0; k === 2 && i < positions.length; i += 3) {
      const angle = (positions[i] - 0.02) / 0.065;
      const radius = 0.08 - (positions[i + 1] - 0.1);
      positions[i] = 0.02 + radius * Math.sin(angle);
      positions[i + 1] = 0.18 - radius * Math.cos(angle);
    }
    body.writeState({ positions, velocities: positions.map(() => 2 * (next() - 0.5)) });
    return body;
  });
}

/** Weights, normal, friction and place of each contact of the last step, by its vertices. */
function contactsOf(world: World): Map<string, number[]> {
  const { contacts: list } = localGlobalGroup(world);
  const found = new Map<string, number[]>();
  for (let n = 0; n < list.count; n++) {
    const corners: [string, number][] = [];
    for (let i = 4 * n; i < 4 * n + 4 && list.body[i] >= 0; i++) {
      // on the border of a face
      if (Math.abs(list.weight[i]) < 1e-6) continue;
      corners.push([`${list.body[i]}:${list.vertex[i]}`, list.weight[i]]);
    }
    // a border belongs to two faces, which go round it in opposite directions
    corners.sort(([a], [b]) => (a < b ? -1 : 1));
    const name = corners.map(([corner]) => corner).join(" ");
    found.set(name, [
      ...corners.map(([, weight]) => weight),
      ...list.frame.slice(9 * n, 9 * n + 3),
      ...list.point.slice(3 * n, 3 * n + 3),
    ]);
  }
  return found;
}

const once = { iterations: 1, newtonIterations: 1, constraintIterations: 1 };

describe("local-global bodies that meet one another and themselves, on both backends", () => {
  it.each([1, 2])("have the same contacts in jumble %i", { timeout: 200_000 }, async (seed) => {
    const [cpu, webgpu] = [await worldOn("cpu"), await worldOn("webgpu")];
    for (const world of [cpu, webgpu]) {
      const [first] = addJumble(world, seed, once);
      // An obstacle this fast may give any energy: the CPU, which would then have other contacts, repeats no frame.
      const far = world.addCollider({ type: "sphere", radius: 0.1, center: [1000, 0, 0] });
      far.setPose([0, 100, 0], [0, 0, 0, 1]);
      world.step(h);
      await first.readState();
      await world.settled();
    }
    expect(localGlobalGroup(cpu).trusted.repeated).toBe(0);
    const [expected, found] = [contactsOf(cpu), contactsOf(webgpu)];
    expect(expected.size).toBeGreaterThan(10);
    expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
    for (const [name, values] of expected)
      found.get(name)!.forEach((value, i) => expect(Math.abs(value - values[i])).toBeLessThan(1e-3));
    cpu.dispose();
    webgpu.dispose();
  });

  it("come to the same bits whatever room there was, with frames under way", { timeout: 200_000 }, async () => {
    const ends: ArrayLike<number>[] = [];
    for (room.isTiny of [false, true]) {
      const world = await worldOn("webgpu");
      world.addCollider({ type: "box", halfExtents: [2, 1, 2], center: [0, -1.08, 0] });
      const bodies = addJumble(world, 3, { ...once, iterations: 2 });
      for (let frame = 0; frame < 5; frame++) world.step(h);
      for (const body of bodies) ends.push((await body.readState()).positions);
      world.dispose();
    }
    room.isTiny = false;
    expect(ends.slice(3)).toEqual(ends.slice(0, 3));
  });

  it("lie on one another with their weight, in the same place", { timeout: 200_000 }, async () => {
    const ends: ArrayLike<number>[] = [];
    for (const backend of ["cpu", "webgpu"] as const) {
      const world = await worldOn(backend);
      world.addCollider({ type: "box", halfExtents: [2, 1, 2], center: [0, -1, 0] });
      const cube = (y: number): TetMesh =>
        boxTetrahedra({ size: [0.2, 0.2, 0.2], cells: [1, 1, 1], center: [0.01, y, 0] });
      const [lower, upper] = [0.101, 0.303].map((y) =>
        addBlock(world, cube(y), { damping: 8, iterations: 10 }, 0.5, 1e6),
      );
      for (let frame = 0; frame < 30; frame++) {
        world.step(h);
        await world.settled();
      }
      ends.push((await lower.readPositions()).slice(), (await upper.readPositions()).slice());
      await world.settled();
      let force = 0;
      localGlobalGroup(world).forEachForce(({ model, other, force: [, y] }) => {
        if (other && model !== other) force += model === upper.model ? y : -y;
      });
      const weight = 9.81 * upper.model.masses.reduce((sum, mass) => sum + mass, 0);
      expect(Math.abs(force / weight - 1)).toBeLessThan(0.01);
      world.dispose();
    }
    for (const [k, cpu] of ends.slice(0, 2).entries())
      for (let i = 0; i < cpu.length; i++) expect(Math.abs(cpu[i] - ends[2 + k][i])).toBeLessThan(1e-3 * 0.2);
  });
});
