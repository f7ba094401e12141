import { describe, expect, it } from "vitest";
import { clothModel, gridMesh, World, type WorldOptions } from "../../src/index";
import { meshPart } from "../../src/collision/distance/primitives";
import { Part } from "../../src/part";
import { localGlobalSheet } from "../../src/models/local-global/local-global-cloth";
import { readBuffer } from "../../src/gpu/readback";
import { tetherParts } from "../../src/world/backend/sheet-parts";
import { ownContext, withoutGpuErrors } from "../gpu/context";
import { ballMesh } from "../collision/samples";
import { expectRejected } from "../refusal";

const grid = gridMesh({ width: 1, height: 1, columns: 6, rows: 6, center: [0, 1, 0] });
const sheet = { ...grid, thickness: 0.001, material: { youngsModulus: 1e6, poissonRatio: 0.3, density: 300 } };
const models = {
  gpbd: () => clothModel({ ...grid, fabric: "silk" }),
  newton: () => clothModel({ solver: "newton", ...grid, fabric: "silk" }),
  "local-global": () => localGlobalSheet(sheet),
};

/** Parts that this process, which no other file shares, has loaded. Samples of meshes have loaded theirs. */
const loaded = new Map<Part<unknown>, Promise<unknown>>([[meshPart, meshPart.load()]]);
const { load } = Part.prototype;
Part.prototype.load = function (this: Part<unknown>) {
  const isThere = this.loaded !== undefined;
  const fetching = load.call(this);
  // Some are there from the start.
  if (!isThere) loaded.set(this, fetching);
  return fetching;
} as typeof load;

/** A world that loads its code like a fresh page: no part is there. */
async function freshWorld(options: WorldOptions): Promise<World> {
  await Promise.all(loaded.values());
  for (const part of loaded.keys()) Object.assign(part, { value: undefined, fetching: undefined });
  loaded.clear();
  return World.create({ backend: "cpu", ...options });
}

async function stateAfter(world: World, frames: number): Promise<{ positions: number[]; time: number }> {
  for (let frame = 0; frame < frames; frame++) world.step(1 / 60);
  return { positions: [...(await world.bodies[0].readState()).positions], time: world.time };
}

describe("what is loaded when it is needed", () => {
  it("has the default solver from the start, and takes no step before others are here", async () => {
    const world = await freshWorld({ load: "needed" });
    world.addBody(models.gpbd(), { pins: [0] });
    expect(world.isReady).toBe(true);
    world.addBody(models.newton(), { pins: [0] });
    expect(world.isReady).toBe(false);
    world.step(1 / 60);
    expect([world.time, world.frame]).toEqual([0, 0]);
    await world.whenReadyAsync();
    world.step(1 / 60);
    expect(world.frame).toBe(1);
    world.dispose();
  });

  it.each(["newton", "local-global"] as const)("steps a %s body as where all is loaded", async (solver) => {
    const run = async (load: "all" | "needed"): Promise<unknown> => {
      const world = await freshWorld({ load });
      const body = world.addBody(models[solver](), { pins: [0, 6] });
      expect(world.isReady).toBe(load === "all");
      // Calls during loading are not lost.
      const { positions } = await body.readState();
      body.pin([3]);
      body.writeState({ positions: positions.map((x, i) => (i % 3 === 1 ? x + 0.1 : x)) });
      expect((await body.readPositions())[1]).toBeCloseTo(1.1, 6);
      await world.whenReadyAsync();
      const state = await stateAfter(world, 5);
      world.dispose();
      return state;
    };
    expect(await run("needed")).toEqual(await run("all"));
  });

  it.each(["cpu", "webgpu"] as const)(
    "waits for contact of surfaces where a second body comes: %s",
    async (backend) => {
      const device = backend === "webgpu" ? (await ownContext()).device : undefined;
      const run = async (load: "all" | "needed"): Promise<number[]> => {
        const world = await freshWorld({ load, backend, ...(device && { device }) });
        const body = world.addBody(models.gpbd(), { pins: [0, 6], tethers: false });
        world.step(1 / 60);
        expect(world.frame).toBe(1);
        const above = gridMesh({ width: 1, height: 1, columns: 6, rows: 6, center: [0, 1.02, 0] });
        const second = world.addBody(clothModel(above));
        expect(world.isReady).toBe(load === "all");
        world.step(1 / 60);
        expect(world.frame).toBe(load === "all" ? 2 : 1);
        await world.whenReadyAsync();
        while (world.frame < 10) world.step(1 / 60);
        const positions = [...(await body.readPositions()), ...(await second.readPositions())];
        world.dispose();
        return positions;
      };
      const [needed, all] = [await run("needed"), await run("all")];
      expect(Math.max(...needed.map((x, i) => Math.abs(x - all[i])))).toBeLessThan(backend === "cpu" ? 1e-12 : 1e-5);
    },
  );

  it("waits for contact of surfaces where a cloth is to touch itself", async () => {
    const world = await freshWorld({ load: "needed" });
    const body = world.addBody(models.gpbd());
    expect(world.isReady).toBe(true);
    body.setOptions({ selfCollision: true });
    world.step(1 / 60);
    expect([world.isReady, world.frame]).toEqual([false, 0]);
    await world.whenReadyAsync();
    world.step(1 / 60);
    expect(world.frame).toBe(1);
    world.dispose();
  });

  it("tears a cloth as where all is loaded, with the fabric that it is given on the way", async () => {
    const run = async (load: "all" | "needed"): Promise<unknown> => {
      const world = await freshWorld({ load });
      const tears: number[] = [];
      const body = world.addBody(models.gpbd(), { pins: [0, 6], tearing: { strain: 0.05 } });
      body.onTear!.add(({ splits }) => tears.push(splits.length));
      expect(world.isReady).toBe(load === "all");
      body.replaceModel(clothModel({ ...grid, fabric: "cotton" }));
      const { positions } = await body.readState();
      body.writeState({ positions: positions.map((x) => 1.2 * x) });
      await world.whenReadyAsync();
      const state = await stateAfter(world, 5);
      world.dispose();
      expect(tears.length).toBeGreaterThan(0);
      return { state, tears };
    };
    expect(await run("needed")).toEqual(await run("all"));
  });

  it.each(["newton", "local-global"] as const)("draws a %s body on a GPU from where it waits", async (solver) => {
    const context = await ownContext();
    await withoutGpuErrors(context, async () => {
      const run = async (load: "all" | "needed"): Promise<Float32Array[]> => {
        const world = await freshWorld({ backend: "webgpu", device: context.device, load });
        const body = world.addBody(models[solver](), { pins: [0, 6] });
        expect(world.isReady).toBe(load === "all");
        const vertexToParticle = Uint32Array.from({ length: body.particleCount }, (_, p) => p);
        const buffer = context.createBuffer("vertices", 24 * body.particleCount, GPUBufferUsage.VERTEX);
        body.setRenderOutput({ buffer, vertexToParticle });
        const drawn = async (): Promise<Float32Array> => new Float32Array(await readBuffer(context, buffer));
        const waiting = await drawn();
        await world.whenReadyAsync();
        await stateAfter(world, 3);
        await world.settled();
        const moved = [waiting, await drawn(), await body.readPositions()];
        world.dispose();
        buffer.destroy();
        return moved;
      };
      const needed = await run("needed");
      expect(needed[0][1]).toBeCloseTo(1, 6);
      expect(needed[1]).not.toEqual(needed[0]);
      expect(needed).toEqual(await run("all"));
    });
    context.device.destroy();
  });

  it("waits for the factor of a local-global body", async () => {
    const world = await freshWorld({ load: "needed" });
    const body = world.addBody(models["local-global"](), { pins: [0] });
    const { factorization } = body;
    expect(factorization!.state).toBe("none");
    await factorization!.whenReadyAsync();
    expect(body.factorization!.state).toBe("ready");
    await stateAfter(world, 1);
    world.dispose();
  });

  it("leaves a body alone that is gone before its solver is here", async () => {
    const world = await freshWorld({ load: "needed" });
    world.addBody(models.newton()).dispose();
    expect(world.isReady).toBe(true);
    await world.whenReadyAsync();
    world.step(1 / 60);
    expect(world.frame).toBe(1);
    world.dispose();
  });

  it("moves rigid bodies that go where they are told without the solver, and others with the same bits", async () => {
    const run = async (load: "all" | "needed", isDynamic: boolean): Promise<number[][]> => {
      const world = await freshWorld({ load });
      const shape = { type: "box", halfExtents: [0.5, 0.5, 0.5] } as const;
      world.addRigidBody({ shape, motion: "static", position: [0, -0.5, 0] });
      const told = world.addRigidBody({ shape, motion: "kinematic", position: [3, 1, 0], angularVelocity: [1, 2, 3] });
      const aimed = world.addRigidBody({ shape, motion: "kinematic", position: [-3, 1, 0] });
      const falling = isDynamic ? world.addRigidBody({ shape, position: [0, 0.6, 0] }) : told;
      expect(world.isReady).toBe(load === "all" || !isDynamic);
      world.step(1 / 60);
      expect(world.frame).toBe(load === "all" || !isDynamic ? 1 : 0);
      await world.whenReadyAsync();
      for (let frame = world.frame; frame < 20; frame++) {
        if (frame > 0) aimed.moveTo([-3, 1 + 0.01 * frame, 0], [0, 0, 0, 1]);
        world.step(1 / 60);
      }
      const poses = [told, aimed, falling].map((body) => [...body.position, ...body.rotation]);
      world.dispose();
      return poses;
    };
    expect(await run("needed", false)).toEqual(await run("all", false));
    expect(await run("needed", true)).toEqual(await run("all", true));
  });

  it("folds a cloth that becomes plastic", async () => {
    const bent = grid.positions.map((x, i) => (i % 3 === 1 ? x + Math.abs(grid.positions[i - 1]) : x));
    const elastic = clothModel({ ...grid, fabric: "denim" });
    const plastic = clothModel({ ...grid, fabric: "denim", plasticity: { yield: 1e-4 } });
    const world = await freshWorld({ load: "needed" });
    const body = world.addBody(elastic, { gravityFactor: 0 });
    expect(world.isReady).toBe(true);
    body.replaceModel(plastic);
    expect(world.isReady).toBe(false);
    body.writeState({ positions: bent });
    expect(() => body.setOptions({ accelerate: true })).toThrow(/plasticity/);
    await world.whenReadyAsync();
    await stateAfter(world, 5);
    const { plastic: folds } = await body.readState();
    expect(folds?.some((bend) => bend !== 0)).toBe(true);
    // Isometric bending keeps no folds.
    expect(() => body.replaceModel(elastic)).toThrow(/dihedral-bending/);
    expect((await body.readState()).plastic).toEqual(folds);
    world.dispose();
  });

  it("waits for the distances of a mesh", async () => {
    const mesh = { type: "mesh", ...ballMesh(0.5, 2), resolution: 16 } as const;
    const shape = { type: "container", children: [{ shape: mesh, scale: [1, 1, -1] }] } as const;
    const run = async (load: "all" | "needed"): Promise<unknown> => {
      const world = await freshWorld({ load });
      // Cloth that hangs over a ball has tethers as soon as their code is here.
      await tetherParts.cpu.load();
      world.addRigidBody({ shape, motion: "static", position: [0, 0.45, 0] });
      expect(world.isReady).toBe(true);
      const cloth = world.addBody(models.gpbd());
      expect(world.isReady).toBe(load === "all");
      world.step(1 / 60);
      await world.whenReadyAsync();
      const state = await stateAfter(world, 30 - world.frame);
      expect((await cloth.readPositions())[3 * 24 + 1]).toBeGreaterThan(0.9);
      world.dispose();
      return state;
    };
    expect(await run("needed")).toEqual(await run("all"));
  });

  it("waits for the distances of a collider, and refuses shapes that cannot be, before their code is there", async () => {
    const world = await freshWorld({ load: "needed" });
    const flat = { type: "mesh", positions: [0, 0, 0, 1, 0, 0, 2, 0, 0], indices: [0, 1, 2] } as const;
    expect(() => world.addCollider(flat)).toThrow(/mesh.*triangle with an area/);
    expect(() => world.addRigidBody({ shape: flat, motion: "static" })).toThrow(/mesh.*triangle with an area/);
    const line = { type: "convex-hull", positions: [0, 0, 0, 1, 0, 0, 2, 0, 0] } as const;
    const shape = { type: "container", children: [{ shape: line }] } as const;
    expect(() => world.addRigidBody({ shape, motion: "static" })).toThrow(/shape/);
    const ball = { type: "sphere", radius: 1 } as const;
    expect(() => world.addRigidBody({ shape: ball, surfaces: [{}, {}] })).toThrow(/surfaces.*as many/);
    expect([world.colliders.length, world.rigid.bodies.length, world.isReady]).toEqual([0, 0, true]);
    const collider = world.addCollider({ type: "mesh", ...ballMesh(0.5, 2), resolution: 16 });
    collider.teleport([0, 0.45, 0]);
    expect(world.isReady).toBe(false);
    await world.whenReadyAsync();
    world.addBody(models.gpbd());
    const { positions } = await stateAfter(world, 30);
    expect(positions[3 * 24 + 1]).toBeGreaterThan(0.9);
    world.dispose();
  });

  it("refuses what there is not", async () => {
    await expectRejected(World.create({ backend: "cpu", load: "some" as "all" }), "invalid-argument", /World\.load/);
  });
});
