import { beforeAll, describe, expect, it } from "vitest";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import { addCable, boxTetrahedra, type DeformableBody, gridMesh, solidModel, type Vec3, World } from "../../src/index";
import { localGlobalGroup } from "../../src/world/lanes/local-global-cpu";
import type { LocalGlobalOptions } from "../../src/solvers/local-global/options";
import { localGlobalSheet } from "../../src/models/local-global/local-global-cloth";
import { constants } from "../../src/generated/shaders";
import { testContext } from "../gpu/context";
import type { GpuContext } from "../../src/gpu/device";

const h = 1 / 60;
let gpu: GPU;
let context: GpuContext;
beforeAll(async () => {
  ({ gpu } = await loadWebGpu());
  context = await testContext();
});

const SIDE = 0.2;

/** A block of 1000 kg/m³ just above a floor. */
async function blockOn(
  backend: "cpu" | "webgpu",
  gravity: Vec3,
  friction: number,
  youngsModulus: number,
  options: Partial<LocalGlobalOptions> = {},
): Promise<{ world: World; body: DeformableBody }> {
  const world = await World.create({ backend, gpu, device: context.device, gravity });
  world.addCollider({ type: "box", halfExtents: [20, 1, 20], center: [0, -1, 0] }, { friction });
  const shape = boxTetrahedra({ size: [SIDE, SIDE, SIDE], cells: [2, 2, 2], center: [0, SIDE / 2 + 0.001, 0] });
  const material = { youngsModulus, poissonRatio: 0.4, density: 1000, friction };
  const body = world.addBody(solidModel({ solver: "local-global", ...shape, material }), {
    iterations: 10,
    ...options,
  });
  return { world, body };
}

/** Distance of positions on the two backends after 30 frames [m]. */
async function apartAfter30(start: (backend: "cpu" | "webgpu") => Promise<{ world: World; body: DeformableBody }>) {
  const ends: ArrayLike<number>[] = [];
  for (const backend of ["cpu", "webgpu"] as const) {
    const { world, body } = await start(backend);
    await run(world, 30);
    ends.push((await body.readState()).positions);
    world.dispose();
  }
  const [cpu, webgpu] = ends as [ArrayLike<number>, ArrayLike<number>];
  return distance(cpu, webgpu);
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
}

async function run(world: World, frames: number): Promise<void> {
  for (let frame = 0; frame < frames; frame++) {
    world.step(h);
    await world.settled();
  }
}

describe("contact of local-global bodies on both backends", () => {
  it(
    "is the same after 30 frames, to a thousandth of the body: sliding down a slope",
    { timeout: 200_000 },
    async () => {
      const a = Math.PI / 9;
      const gravity: Vec3 = [9.81 * Math.sin(a), -9.81 * Math.cos(a), 0];
      const apart = await apartAfter30((backend) => blockOn(backend, gravity, Math.tan(a) - 0.05, 1e6));
      expect(apart).toBeGreaterThan(0);
      expect(apart).toBeLessThan(1e-3 * SIDE);
    },
  );

  it("is the same for a block that slides over seams on a rail of its own width", { timeout: 200_000 }, async () => {
    const apart = await apartAfter30(async (backend) => {
      const gravity: Vec3 = [9.81 * Math.sin(0.35), -9.81 * Math.cos(0.35), 0];
      const world = await World.create({ backend, gpu, device: context.device, gravity });
      const half = SIDE / 2;
      for (const x of [-0.08, 0.12, 0.32])
        world.addCollider({ type: "box", halfExtents: [half, half, half], center: [x, -half, 0] }, { friction: 0.3 });
      const shape = boxTetrahedra({ size: [SIDE, half, SIDE], cells: [2, 1, 2], center: [0, half / 2 + 0.005, 0] });
      const material = { youngsModulus: 3e4, poissonRatio: 0.3, density: 1000, friction: 0.3 };
      const model = solidModel({ solver: "local-global", ...shape, material });
      const body = world.addBody(model, { iterations: 10, thickness: 0.005, contactMargin: 0.02 });
      const { positions } = body.model;
      body.writeState({ positions, velocities: positions.map((_, i) => (i % 3 === 0 ? 0.6 : 0)) });
      return { world, body };
    });
    expect(apart).toBeGreaterThan(0);
    expect(apart).toBeLessThan(1e-3 * SIDE);
  });

  it(
    "is the same for a sheet on the corners of a box, where contact is looked for again",
    { timeout: 200_000 },
    async () => {
      const HALF = 0.1;
      const SHEET = 0.5;
      // From the fifth frame on the fall itself is not determined: 1e-5 m at the start, at random, which is what f32 makes of four frames, moves
      // vertices by 0.4 to 1 mm until the eighth, on the CPU alone.
      const FRAMES = 4;
      const end = async (backend: "reference" | "cpu" | "webgpu", apart = 0, more = {}): Promise<ArrayLike<number>> => {
        const world = await World.create({ backend, gpu, device: context.device });
        world.addCollider({ type: "box", halfExtents: [HALF, HALF, HALF], center: [0, -HALF, 0] }, { friction: 0.3 });
        const mesh = gridMesh({ width: SHEET, height: SHEET, columns: 4, rows: 4, center: [0.02, 0.005, 0.01] });
        const material = { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000, friction: 0.3 };
        const sheet = localGlobalSheet({ ...mesh, thickness: 0.002, bendingStiffness: 1e-3, material });
        const options = { iterations: 5, thickness: 0.003, contactMargin: 0.006, damping: 2, ...more };
        const body = world.addBody(sheet, options);
        const { positions, velocities } = await body.readState();
        if (apart > 0) body.writeState({ positions: positions.map((x, i) => x + apart * ((i % 3) - 1)), velocities });
        await run(world, FRAMES);
        const out = (await body.readState()).positions;
        // edges and faces carry load too, not only vertices
        const { contacts } = localGlobalGroup(world);
        const between = [...Array(contacts.count).keys()].filter(
          (n) => contacts.body[4 * n + 1] >= 0 && contacts.z[3 * n] > 0,
        );
        expect(between.length).toBeGreaterThan(0);
        world.dispose();
        return out;
      };
      const [cpu, webgpu] = [await end("cpu"), await end("webgpu")];
      const exact = await end("reference", 0, { newtonIterations: 100 });
      const moved = await end("reference", 1e-7);
      expect(distance(cpu, webgpu)).toBeGreaterThan(0);
      const MOST = 5e-4 * SHEET;
      for (const other of [webgpu, exact, moved]) expect(distance(cpu, other)).toBeLessThan(MOST);
      expect(distance(webgpu, exact)).toBeLessThan(MOST);
    },
  );

  it(
    "is the same for a sheet with more contacts than one workgroup solves, whenever the host hears of it",
    { timeout: 200_000 },
    async () => {
      const ends: ArrayLike<number>[] = [];
      for (const [backend, waits] of [
        ["cpu", true],
        ["webgpu", true],
        ["webgpu", false],
      ] as const) {
        const world = await World.create({ backend, gpu, device: context.device });
        world.addCollider({ type: "box", halfExtents: [2, 1, 2], center: [0, -1, 0] }, { friction: 0.3 });
        const mesh = gridMesh({ width: 1, height: 1, columns: 16, rows: 16, center: [0, 0.003, 0] });
        const material = { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000, friction: 0.3 };
        const options = { iterations: 2, newtonIterations: 2, constraintIterations: 6 };
        const body = world.addBody(localGlobalSheet({ ...mesh, thickness: 0.001, material }), options);
        const start = body.model.positions;
        // pressed down, and sideways
        const velocities = start.map((_, i) => [0.3, -0.2, 0.1][i % 3]);
        body.writeState({ positions: start, velocities });
        for (let frame = 0; frame < 2; frame++) {
          world.step(h);
          if (waits) await world.settled();
        }
        ends.push((await body.readState()).positions);
        if (waits) expect(localGlobalGroup(world).contacts.count).toBeGreaterThan(constants.WIDE_TOUCHED);
        world.dispose();
      }
      const [cpu, webgpu, later] = ends as [ArrayLike<number>, ArrayLike<number>, ArrayLike<number>];
      expect(distance(cpu, webgpu)).toBeGreaterThan(0);
      expect(distance(cpu, webgpu)).toBeLessThan(1e-3);
      expect(distance(webgpu, later)).toBe(0);
    },
  );

  it(
    "is the same for a bar that is held at its end, by pins that give too, and lies on a ball",
    { timeout: 200_000 },
    async () => {
      const apart = await apartAfter30(async (backend) => {
        const world = await World.create({ backend, gpu, device: context.device });
        world.addCollider({ type: "sphere", radius: 0.1, center: [0.2, -0.16, 0.02] }, { friction: 0.5 });
        const shape = boxTetrahedra({ size: [0.8, 0.1, 0.1], cells: [6, 1, 1] });
        const material = { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000, friction: 0.5 };
        const body = world.addBody(solidModel({ solver: "local-global", ...shape, material }), { iterations: 5 });
        const x = body.model.positions;
        const held = [...body.model.masses.keys()].filter((i) => x[3 * i] < -0.399);
        body.pin(held.slice(2));
        // two of the four at the end are compliant, and one of those above the ball
        body.pin([...held.slice(0, 2), ...[...body.model.masses.keys()].filter((i) => x[3 * i] > 0.1).slice(0, 1)], {
          compliance: 1e-4,
        });
        return { world, body };
      });
      expect(apart).toBeGreaterThan(0);
      expect(apart).toBeLessThan(1e-3 * 0.8);
    },
  );

  it(
    "is the same for a block that hangs on a cable which is pulled, with the weight in it",
    { timeout: 200_000 },
    async () => {
      const tensions: number[] = [];
      const ways: ArrayLike<number>[] = [];
      for (const backend of ["cpu", "webgpu"] as const) {
        const world = await World.create({ backend, gpu, device: context.device });
        const shape = boxTetrahedra({ size: [0.2, 0.2, 0.2], cells: [1, 1, 1] });
        const material = { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000 };
        const body = world.addBody(solidModel({ solver: "local-global", ...shape, material }), {
          iterations: 5,
          damping: 3,
        });
        const x = body.model.positions;
        const top = [...body.model.masses.keys()].filter((i) => x[3 * i + 1] > 0.099);
        const [a, b] = [top[0], top.at(-1)];
        const cable = addCable(world, {
          points: [[-0.2, 0.5, 0.1], { body, vertex: a }, { body, vertex: b }, [0.1, 0.6, 0]],
        });
        await run(world, 1);
        expect(cable.length).toBeGreaterThan(0.5);
        for (let frame = 0; frame < 10; frame++) {
          cable.length = cable.length! - 0.004;
          await run(world, 1);
        }
        ways.push((await body.readState()).positions);
        await run(world, 2);
        tensions.push(cable.tension);
        expect(localGlobalGroup(world).residuals.cables).toBeLessThan(1e-6);
        world.dispose();
      }
      expect(tensions[0]).toBeGreaterThan(20);
      expect(tensions[1] / tensions[0]).toBeCloseTo(1, 3);
      const [cpu, webgpu] = ways as [ArrayLike<number>, ArrayLike<number>];
      expect(distance(cpu, webgpu)).toBeLessThan(1e-3 * 0.2);
    },
  );

  it("exchanges momentum with rigid bodies", { timeout: 200_000 }, async () => {
    const world = await World.create({ backend: "webgpu", gpu, device: context.device, gravity: [0, 0, 0] });
    const material = { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000 };
    const shape = boxTetrahedra({ size: [0.2, 0.2, 0.2], cells: [1, 1, 1] });
    const body = world.addBody(solidModel({ solver: "local-global", ...shape, material }), { iterations: 5 });
    const rigid = world.addRigidBody({
      shape: { type: "box", halfExtents: [0.1, 0.1, 0.1] },
      mass: 3,
      position: [0.03, 0.23, 0],
      linearVelocity: [0, -2, 0],
    });
    await run(world, 16);
    // the impulses of the last frame are taken over with the next one
    await run(world, 1);
    const { velocities } = await body.readState();
    const soft = body.model.masses.reduce((sum, mass, i) => sum + mass * velocities[3 * i + 1], 0);
    expect(rigid.linearVelocity[1]).toBeGreaterThan(-1.9);
    expect(soft + 3 * rigid.linearVelocity[1]).toBeCloseTo(-6, 4);
    world.dispose();
  });

  it.each([
    { what: "carries a rigid body", height: SIDE / 2, rigidHeight: 1.5 * SIDE },
    { what: "is carried by one", height: 1.5 * SIDE, rigidHeight: SIDE / 2 },
  ])("$what, with its weight within 1 %", { timeout: 200_000 }, async ({ height, rigidHeight }) => {
    const world = await World.create({ backend: "webgpu", gpu, device: context.device });
    world.addRigidBody({ shape: { type: "box", halfExtents: [5, 0.5, 5] }, motion: "static", position: [0, -0.5, 0] });
    const shape = boxTetrahedra({ size: [SIDE, SIDE, SIDE], cells: [1, 1, 1], center: [0, height + 0.002, 0] });
    const material = { youngsModulus: 2e5, poissonRatio: 0.4, density: 1000, friction: 0.5 };
    world.addBody(solidModel({ solver: "local-global", ...shape, material }), { damping: 3 });
    const box = { type: "box", halfExtents: [0.14, SIDE / 2, 0.15] } as const;
    const y = rigidHeight + (rigidHeight > height ? 0.004 : 0);
    const rigid = world.addRigidBody({ shape: box, mass: 8, position: [0, y, 0] });
    // the host may receive it late
    for (let frame = 0; frame < 8; frame++) {
      world.step(h);
      world.step(h);
      await run(world, 1);
    }
    // pushed up by the body, or down on it
    let force = 0;
    localGlobalGroup(world).forEachForce((contact) => (force += Math.abs(contact.force[1])));
    const weight = 9.81 * 8 * (rigidHeight > height ? 3 : 1);
    expect(Math.abs(force / weight - 1)).toBeLessThan(0.01);
    // the reported place lacks the steps that are not reported yet: up to 6 h² g
    expect(Math.abs(rigid.position[1] - y)).toBeLessThan(0.006 + 6 * h * h * 9.81);
    world.dispose();
  });

  it("sticks a thousandth above tan 20° and slides one below", { timeout: 200_000 }, async () => {
    const a = Math.PI / 9;
    const gravity: Vec3 = [9.81 * Math.sin(a), -9.81 * Math.cos(a), 0];
    const ways: number[] = [];
    const FRAMES = 12;
    for (const more of [0.001, -0.001]) {
      const { world, body } = await blockOn("webgpu", gravity, Math.tan(a) + more, 1e8);
      await run(world, FRAMES);
      ways.push((await body.readPositions())[0] - body.model.positions[0]);
      world.dispose();
    }
    const expected = (0.001 * 9.81 * Math.cos(a) * h * h * FRAMES * (FRAMES + 1)) / 2;
    expect(Math.abs(ways[0])).toBeLessThan(5e-5);
    expect(ways[1]).toBeGreaterThan(0.9 * expected);
    expect(ways[1]).toBeLessThan(1.3 * expected);
  });

  it.each(["cpu", "webgpu"] as const)("carries what pins that give leave of a weight: %s", async (backend) => {
    const { world, body } = await blockOn(backend, [0, -9.81, 0], 0.5, 1e6, { damping: 8, iterations: 5 });
    const { positions: x, masses } = body.model;
    const compliance = 1e-3;
    const top = [...masses.keys()].filter((i) => x[3 * i + 1] > 0.199);
    body.pin(top, { compliance });
    for (const i of top) body.setPinTarget(i, x[3 * i], x[3 * i + 1] + 0.004, x[3 * i + 2]);
    await run(world, 25);
    const { positions } = await body.readState();
    const weight = 9.81 * masses.reduce((sum, mass) => sum + mass, 0);
    const held = top.reduce((sum, i) => sum + (x[3 * i + 1] + 0.004 - positions[3 * i + 1]) / compliance, 0);
    let carried = 0;
    localGlobalGroup(world).forEachForce((contact) => (carried += contact.force[1]));
    expect(held / weight).toBeGreaterThan(0.4);
    expect(carried / weight).toBeGreaterThan(0.4);
    expect(Math.abs((held + carried) / weight - 1)).toBeLessThan(0.01);
    world.dispose();
  });

  it("carries a weight within 1 %, and keeps to the laws of contact", { timeout: 200_000 }, async () => {
    const { world, body } = await blockOn("webgpu", [0, -9.81, 0], 0.5, 1e5, { damping: 4 });
    await run(world, 40);
    await body.readState();
    const group = localGlobalGroup(world);
    let force = 0;
    group.forEachForce((contact) => (force += contact.force[1]));
    const weight = 9.81 * body.model.masses.reduce((sum, mass) => sum + mass, 0);
    expect(Math.abs(force / weight - 1)).toBeLessThan(0.01);
    const { contacts, complementarity, frictionCone } = group.residuals;
    expect(contacts).toBeGreaterThan(8);
    expect(complementarity).toBeLessThan(1e-6);
    expect(frictionCone).toBeLessThan(1e-6);
    world.dispose();
  });
});
