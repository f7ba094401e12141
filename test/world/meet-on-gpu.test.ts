/**
 * Bodies of different solvers, and those of the Newton solver among themselves, meet in worlds on a GPU as they do on
 * the CPU: it steps them while they are near each other. `PLIANT_MEET="gpbd cloth,balloon"` drops all things on these.
 */
import { describe, expect, it, vi } from "vitest";
import { surfaceIntersections } from "../../src/collision/surface/intersections";
import { joinSurfaces } from "../../src/collision/surface/surface-mesh";
import {
  addAttachment,
  boxTetrahedra,
  clothModel,
  gridMesh,
  icosphereMesh,
  mechanismModel,
  ropeModel,
  solidModel,
  type BodyModel,
  type BodyOptions,
  type SolverName,
  type World,
} from "../../src/index";
import { GpuContext } from "../../src/gpu/device";
import { readBuffer } from "../../src/gpu/readback";
import { DeformableBody } from "../../src/world/body";
import { type BackendName, frameTime, inWorld } from "./worlds";

const size = 0.3;
const gravity = 9.81;

const cloth = (solver: SolverName) => (height: number) => {
  const center = [0.003, height, 0.006] as const;
  const mesh = gridMesh({ width: size, height: size, columns: 4, rows: 4, center });
  return clothModel({ solver, ...mesh, fabric: "denim" });
};

const solid = (solver: SolverName) => (height: number) => {
  const mesh = boxTetrahedra({ size: [size, size / 2, size], cells: [3, 2, 3], center: [0, height, 0] });
  return solidModel({ solver, ...mesh, material: { youngsModulus: 1e5, poissonRatio: 0.3, density: 500 } });
};

const rope = (solver: "gpbd" | "newton") => (height: number) => {
  const positions = Float64Array.from({ length: 27 }, (_, i) => [i / 60 - 0.2, height, 0][i % 3]);
  return ropeModel({ solver, positions, radius: 0.006, youngsModulus: 1e7, density: 500 });
};

const clothAt = (x: number): BodyModel =>
  clothModel({
    ...gridMesh({ width: size, height: size, columns: 4, rows: 4, center: [x, 0.004, 0] }),
    fabric: "denim",
  });

const balloon = (height: number): BodyModel => {
  const mesh = icosphereMesh({ radius: 0.1, subdivisions: 2, center: [0, height, 0] });
  return clothModel({ ...mesh, fabric: "denim" });
};

interface Thing {
  /** half of its height [m] */
  readonly half: number;
  make(height: number): BodyModel;
  readonly options?: BodyOptions;
}

const things = {
  "gpbd cloth": { half: 0.004, make: cloth("gpbd") },
  "local-global cloth": { half: 0.004, make: cloth("local-global") },
  "gpbd solid": { half: size / 4, make: solid("gpbd") },
  "local-global solid": { half: size / 4, make: solid("local-global") },
  "newton solid": { half: size / 4, make: solid("newton") },
  "gpbd rope": { half: 0.006, make: rope("gpbd") },
  "newton rope": { half: 0.006, make: rope("newton") },
  balloon: { half: 0.104, make: balloon, options: { pressure: 500, substeps: 30 } },
} satisfies Readonly<Record<string, Thing>>;
type Name = keyof typeof things;

const massOf = ({ model }: DeformableBody): number => model.masses.reduce((sum, mass) => sum + mass, 0);

async function play(world: World, frames: number, after?: (frame: number) => void): Promise<void> {
  for (let frame = 0; frame < frames; frame++) {
    world.step(frameTime);
    await world.settled();
    after?.(frame);
  }
}

/** Two things above each other on the ground, with so much air between them [m]. */
function stack(world: World, lower: Name, upper: Name, air: number): readonly [DeformableBody, DeformableBody] {
  world.addCollider({ type: "box", halfExtents: [5, 1, 5] }, { position: [0, -1, 0] });
  const [under, over]: readonly Thing[] = [things[lower], things[upper]];
  const height = under.half + 0.002;
  return [
    world.addBody(under.make(height), under.options),
    world.addBody(over.make(height + under.half + over.half + air), over.options),
  ];
}

async function meanOf(body: DeformableBody, which: "positions" | "velocities"): Promise<number> {
  const values = (await body.readState())[which];
  return body.model.masses.reduce((sum, m, p) => sum + m * values[3 * p + 1], 0) / massOf(body);
}

/** Elements of the surfaces of two bodies that pass through each other. */
async function crossings(bodies: readonly DeformableBody[]): Promise<number> {
  const parts = bodies.map(({ model }) => ({
    restPositions: model.positions,
    faces: model.faces,
    selfCollision: false,
    bodyCollision: true,
  }));
  const states = await Promise.all(bodies.map((body) => body.readState()));
  return surfaceIntersections(joinSurfaces(parts), Float64Array.from(states.flatMap(({ positions }) => [...positions])))
    .length;
}

async function drop(lower: Name, upper: Name, air: number, frames: number) {
  return inWorld("webgpu", {}, async (world) => {
    const bodies = stack(world, lower, upper, air);
    const [below, above] = bodies;
    const lanes = new Set<string>();
    let crossed = 0;
    for (let frame = 0; frame < frames; frame++) {
      await play(world, 1);
      for (const { lane } of bodies) lanes.add(lane);
      crossed = Math.max(crossed, await crossings(bodies));
    }
    const pace = async (): Promise<number> =>
      massOf(below) * (await meanOf(below, "velocities")) + massOf(above) * (await meanOf(above, "velocities"));
    const before = await pace();
    await play(world, frames < 60 ? 15 : 30);
    const borne =
      1 + ((await pace()) - before) / ((massOf(below) + massOf(above)) * gravity * (world.frame - frames) * frameTime);
    const between = (await meanOf(above, "positions")) - (await meanOf(below, "positions"));
    return { frame: world.frame, lanes: [...lanes], crossed, borne, between };
  });
}

const names = Object.keys(things) as Name[];
const lowers = (process.env.PLIANT_MEET ?? "").split(",");
const solverOf = (name: Name): string => name.split(" ")[0].replace("balloon", "gpbd");
const allPairs = names
  .filter((lower) => lowers.includes(lower))
  .flatMap((lower) => names.map((upper) => [lower, upper] as const));

describe.runIf(allPairs.length > 0)("all things in a world on a GPU", () => {
  it.each(allPairs)("bear one another: on %s %s", async (lower, upper) => {
    const result = await drop(lower, upper, 0.1, 60);
    console.log(
      [lower, upper, result.lanes.join(" "), result.crossed, result.borne.toFixed(4), result.between.toFixed(4)].join(
        " | ",
      ),
    );
    if (solverOf(lower) !== solverOf(upper)) expect(result.lanes).toContain("cpu");
    expect(result.crossed).toBe(0);
    expect(result.borne).toBeCloseTo(1, 1);
    expect(result.between).toBeGreaterThan(0);
  });
});

async function statesOf(world: World) {
  const states = await Promise.all(world.bodies.map((body) => body.readState()));
  return states.map(({ positions, velocities }) => [Float64Array.from(positions), Float64Array.from(velocities)]);
}

/** Largest difference of two lists. */
const apart = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i])));

const lanesOf = ({ bodies }: World): string[] => bodies.map(({ lane }) => lane);

describe("bodies of different solvers in a world on a GPU", () => {
  it.each<[Name, Name]>([
    ["local-global solid", "gpbd cloth"],
    ["newton solid", "gpbd rope"],
    ["gpbd solid", "newton solid"],
    ["newton solid", "newton solid"],
    ["local-global cloth", "balloon"],
    ["newton solid", "local-global cloth"],
  ])("meet with the bits of the CPU: on %s %s", async (lower, upper) => {
    const playOn = async (backend: BackendName) =>
      inWorld(backend, {}, async (world) => {
        stack(world, lower, upper, 0.002);
        await play(world, 4);
        return { lanes: lanesOf(world), states: await statesOf(world) };
      });
    const [cpu, gpu] = [await playOn("cpu"), await playOn("webgpu")];
    expect(gpu).toEqual(cpu);
    expect(cpu.lanes).not.toContain("webgpu");
  });

  it.each<[Name, Name]>([["gpbd cloth", "newton solid"]])(
    "bear one another after a fall from apart: on %s %s",
    async (lower, upper) => {
      const result = await drop(lower, upper, 0.1, 22);
      expect(result).toMatchObject({ frame: 37, crossed: 0 });
      expect(result.lanes).toEqual(expect.arrayContaining(["webgpu", "cpu"]));
      expect(Math.abs(result.borne - 1)).toBeLessThan(0.02);
      expect(result.between).toBeGreaterThan(things[upper].half - 0.01);
    },
  );

  it("go over to the CPU and back without a jump, as partners come and go", async () => {
    await inWorld("webgpu", {}, async (world) => {
      const cloth = world.addBody(things["gpbd cloth"].make(0.5), { pins: [0, 4] });
      const context = new GpuContext(world.device!, "");
      const buffer = context.createBuffer("vertices", 24 * cloth.particleCount, GPUBufferUsage.VERTEX);
      cloth.setRenderOutput({
        buffer,
        vertexToParticle: Uint32Array.from({ length: cloth.particleCount }, (_, p) => p),
      });
      /** Largest distance of what is drawn from where the body is [m]. */
      const shown = async (): Promise<number> => {
        const [bytes, { positions }] = await Promise.all([readBuffer(context, buffer), cloth.readState()]);
        const vertices = new Float32Array(bytes);
        return apart(
          positions,
          positions.map((_, i) => vertices[6 * Math.floor(i / 3) + (i % 3)]),
        );
      };
      await play(world, 6);
      expect(cloth.lane).toBe("webgpu");
      expect(await shown()).toBeLessThan(1e-6);
      const before = await cloth.readState();
      const solid = world.addBody(things["local-global solid"].make(0.5 + size / 4 + 0.03));
      world.step(frameTime);
      // The state has to come first.
      expect([world.frame, world.isReady, cloth.lane]).toEqual([6, false, "webgpu"]);
      await world.whenReadyAsync();
      expect([world.frame, world.isReady]).toEqual([6, true]);
      expect(await cloth.readState()).toEqual(before);
      world.step(frameTime);
      expect([world.frame, cloth.lane]).not.toContain("webgpu");
      const after = await cloth.readState();
      const way = Float64Array.from(before.positions, (x, i) => x + frameTime * before.velocities[i]);
      expect(apart(after.positions, way)).toBeLessThan(0.01);
      expect(apart(after.velocities, before.velocities)).toBeLessThan(0.5);
      await play(world, 10);
      expect(lanesOf(world)).not.toContain("webgpu");
      expect(await shown()).toBeLessThan(1e-6);
      expect(cloth.pinTarget(4)).toEqual(Array.from(cloth.model.positions.subarray(12, 15)));
      solid.dispose();
      // Forces bend the way in each frame; another lane must not bend it more.
      const bends: number[] = [];
      let last = await cloth.readState();
      for (let frame = 0; frame < 6; frame++) {
        await play(world, 1);
        const next = await cloth.readState();
        const way = Float64Array.from(last.positions, (x, i) => x + frameTime * last.velocities[i]);
        bends.push(apart(next.positions, way));
        expect(apart(next.positions.subarray(0, 3), last.positions.subarray(0, 3))).toBeLessThan(1e-6);
        last = next;
      }
      expect(cloth.lane).toBe("webgpu");
      expect(bends[1]).toBeLessThan(1.2 * Math.max(bends[0], bends[2]));
      expect(await shown()).toBeLessThan(1e-6);
    });
  });

  it("go back to the GPU some time after they have parted", async () => {
    await inWorld("webgpu", { gravity: [0, 0, 0] }, async (world) => {
      const [cloth, solid] = [things["gpbd cloth"], things["local-global solid"]].map(({ make }, k) =>
        world.addBody(make(0.1 * k)),
      );
      const { positions } = solid.model;
      await play(world, 1);
      expect(lanesOf(world)).not.toContain("webgpu");
      solid.writeState({ positions: positions.map((x, i) => (i % 3 === 1 ? x + 2 : x)) });
      await play(world, 58);
      expect(cloth.lane).not.toBe("webgpu");
      await play(world, 4);
      expect(lanesOf(world)).toEqual(["webgpu", "webgpu"]);
      // And over again, when one comes that was on the GPU.
      const [raised, velocities] = [0.6, -4].map((by, k) =>
        positions.map((x, i) => (i % 3 === 1 ? by : 0) + (k ? 0 : x)),
      );
      solid.writeState({ positions: raised, velocities });
      await play(world, 2);
      expect(lanesOf(world)).toEqual(["webgpu", "webgpu"]);
      await play(world, 10);
      expect(lanesOf(world)).toEqual(["simd", "cpu"]);
      expect((await solid.readState()).velocities[1]).toBeGreaterThan(-3.99);
      expect(await crossings([cloth, solid])).toBe(0);
    });
  });

  it("step on the CPU while a mechanism with joints lies on them, beside others that it does not touch", async () => {
    await inWorld("webgpu", {}, async (world) => {
      world.addRigidBody({
        motion: "static",
        shape: { type: "box", halfExtents: [1, 0.5, 1] },
        position: [0, -0.5, 0],
      });
      for (const x of [0.003, 0.6]) world.addBody(clothAt(x));
      const board = { mass: 1, inertia: [1e-2, 1e-2, 1e-2, 0, 0, 0] } as const;
      const shapes = [{ shape: { type: "box", halfExtents: [0.05, 0.02, 0.1] } }] as const;
      const hinge = { parent: "left", joint: { type: "revolute", axis: [0, 0, 1] } } as const;
      const start = { joint: { type: "free", parentFrame: { position: [0, 0.03, 0] } } } as const;
      const boards = world.addMechanism(
        mechanismModel({
          name: "boards",
          links: [
            { name: "left", ...board, ...start, shapes },
            { name: "right", ...board, ...hinge, shapes: [{ ...shapes[0], position: [0.11, 0, 0] }] },
          ],
        }),
      );
      await play(world, 10);
      expect(lanesOf(world)).toEqual(["simd", "webgpu"]);
      boards.dispose();
      await play(world, 1);
    });
  });

  it("stay on the GPU with others of their solver, or where nothing may touch, and are not read back", async () => {
    const requests = vi.spyOn(DeformableBody.prototype, "requestState");
    const playTwo = async (lower: Name, options: BodyOptions, isPlain: boolean) =>
      inWorld("webgpu", {}, async (world) => {
        const { lanes } = world.systems;
        if (isPlain) world.systems.lanes = undefined;
        requests.mockClear();
        world.addBody(things[lower].make(0), options);
        world.addBody(things["gpbd cloth"].make(0.2), options);
        await play(world, 6);
        expect(lanes?.isMoving ?? false).toBe(false);
        return { lanes: lanesOf(world), states: await statesOf(world), requests: requests.mock.calls.length };
      });
    for (const [lower, options] of [
      ["gpbd cloth", { bodyCollision: true }],
      ["local-global solid", { bodyCollision: false }],
    ] as const) {
      const [ours, plain] = [await playTwo(lower, options, false), await playTwo(lower, options, true)];
      expect(ours).toEqual(plain);
      expect(ours).toMatchObject({ lanes: ["webgpu", "webgpu"], requests: 0 });
    }
    requests.mockRestore();
  });

  it("push rigid bodies as on the CPU, beside others that the GPU steps", async () => {
    const playOn = async (backend: BackendName, isHasty: boolean) =>
      inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
        const [pushed, guest] = [
          world.addBody(things["gpbd solid"].make(0)),
          world.addBody(things["newton solid"].make(-0.155)),
        ];
        // Far from these, at the other end of the box.
        const center = [2.16, 0.3, 0] as const;
        const mesh = boxTetrahedra({ size: [size, size / 2, size], cells: [2, 1, 2], center });
        const far = world.addBody(
          solidModel({ ...mesh, material: { youngsModulus: 1e5, poissonRatio: 0.3, density: 500 } }),
        );
        const shape = { type: "box", halfExtents: [1.2, 0.1, 0.1] } as const;
        const box = world.addRigidBody({ shape, mass: 20, position: [1.06, 0.2, 0], linearVelocity: [0, -0.3, 0] });
        far.writeState({
          positions: far.model.positions,
          velocities: far.model.positions.map((_, i) => (i % 3 === 1 ? -0.6 : 0)),
        });
        const soft = [pushed, guest, far];
        for (const body of [pushed, far]) body.setOptions({ airDensity: 0 });
        const momentum = async (): Promise<number> => {
          let sum = 20 * box.linearVelocity[1];
          for (const body of soft) sum += massOf(body) * (await meanOf(body, "velocities"));
          return sum;
        };
        const before = await momentum();
        for (let frame = 0; frame < 12; frame++) {
          world.step(frameTime);
          if (!isHasty) await world.settled();
        }
        await world.settled();
        // They part, and steps take over what the GPU told last.
        await play(world, 6);
        return {
          lost: Math.abs((await momentum()) - before),
          velocity: box.linearVelocity,
          lanes: soft.map(({ lane }) => lane),
        };
      });
    const cpu = await playOn("cpu", false);
    for (const isHasty of [false, true]) {
      const gpu = await playOn("webgpu", isHasty);
      expect(gpu.lanes).toEqual(["cpu", "cpu", "webgpu"]);
      expect(gpu.lost).toBeLessThan(1e-6 * 20 * 0.3);
      expect(apart(gpu.velocity, cpu.velocity)).toBeLessThan(0.05);
    }
  });

  it("go on from a snapshot in the middle of a meeting with the same bits", async () => {
    const playFrom = async (from?: Awaited<ReturnType<World["snapshot"]>>) =>
      inWorld("webgpu", {}, async (world) => {
        stack(world, "newton solid", "gpbd cloth", 0.01);
        if (from) world.restore(structuredClone(from));
        else await play(world, 8);
        const snapshot = await world.snapshot();
        await play(world, 4);
        return { snapshot, lanes: lanesOf(world), states: await statesOf(world) };
      });
    const first = await playFrom();
    const second = await playFrom(first.snapshot);
    expect(first.lanes).toEqual(["cpu", "simd"]);
    expect(second).toMatchObject({ lanes: first.lanes, states: first.states });
  });

  it("take bodies of GPBD along that they are attached to, and hold each other by attachments", async () => {
    await inWorld("webgpu", { gravity: [0, 0, 0] }, async (world) => {
      const sheets = [0, 1].map((k) => {
        const center = [size * k * 1.001, 0, 0] as const;
        return world.addBody(clothModel({ ...gridMesh({ width: size, height: size, columns: 3, rows: 3, center }) }));
      });
      const [right, left] = [sheets[0], sheets[1]].map(({ model: { positions } }, k) => {
        const edge = (k === 0 ? 0.5 : 0.501) * size;
        return Array.from({ length: 16 }, (_, p) => p).filter((p) => Math.abs(positions[3 * p] - edge) < 1e-6);
      });
      expect([right.length, left.length]).toEqual([4, 4]);
      addAttachment(world, { body: sheets[0], vertices: right, to: { body: sheets[1], vertices: left } });
      await play(world, 2);
      expect(lanesOf(world)).toEqual(["webgpu", "webgpu"]);
      const [a, b] = [0, 1].map((k) =>
        world.addBody(
          solidModel({
            solver: "newton",
            ...boxTetrahedra({ size: [0.1, 0.1, 0.1], cells: [1, 1, 1], center: [-0.1, 0.055 + 0.102 * k, 0] }),
            material: { youngsModulus: 1e5, poissonRatio: 0.3, density: 500 },
          }),
        ),
      );
      const top = [0, 1, 2, 3, 4, 5, 6, 7].filter((p) => a.model.positions[3 * p + 1] > 0.1);
      const bottom = [0, 1, 2, 3, 4, 5, 6, 7].filter((p) => b.model.positions[3 * p + 1] < 0.11);
      addAttachment(world, { body: a, vertices: top, to: { body: b, vertices: bottom } });
      a.writeState({
        positions: a.model.positions,
        velocities: a.model.positions.map((_, i) => (i % 3 === 1 ? -0.5 : 0)),
      });
      await play(world, 10);
      expect(lanesOf(world)).toEqual(["simd", "simd", "cpu", "cpu"]);
      const [first, second, low, high] = (await statesOf(world)).map(([positions]) => positions);
      right.forEach((p, k) =>
        expect(apart(first.subarray(3 * p, 3 * p + 3), second.subarray(3 * left[k], 3 * left[k] + 3))).toBeLessThan(
          1e-4,
        ),
      );
      top.forEach((p, k) =>
        expect(apart(low.subarray(3 * p, 3 * p + 3), high.subarray(3 * bottom[k], 3 * bottom[k] + 3))).toBeLessThan(
          3e-3,
        ),
      );
    });
  });
});
