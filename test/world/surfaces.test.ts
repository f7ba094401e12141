import { describe, expect, it } from "vitest";
import { CandidatePairs } from "../../src/collision/surface/candidate-pairs";
import { surfaceIntersections } from "../../src/collision/surface/intersections";
import { REACH_SLACK } from "../../src/collision/surface/surface-bounds";
import { joinSurfaces } from "../../src/collision/surface/surface-mesh";
import { FIRST_PAIRS } from "../../src/solvers/gpbd/surfaces/gpu-surfaces";
import { boxTetrahedra } from "../../src/geometry/tetrahedra/tet-mesh";
import type { Vec3 } from "../../src/math/types";
import { gpbdSolid, type SoftBodyModel } from "../../src/models/gpbd/soft-body";
import type { DeformableBody } from "../../src/world/body";
import type { World } from "../../src/world/world";
import { expectRefused } from "../refusal";
import { gridCloth, verticesWhere } from "./cloths";
import { backends, inWorld, run } from "./worlds";

const touching = { selfCollision: true, airDensity: 0, substeps: 5 };

function sheet(name: string, height: number, size = 0.3, segments = 8): ReturnType<typeof gridCloth> {
  const grid = { width: size, height: size, columns: segments, rows: segments, center: [0, height, 0] } as const;
  return gridCloth({ ...grid, center: [0, height, 0] }, { name, fabric: "cotton" });
}

/** Number of intersections of the bodies with themselves and each other. */
async function crossings(bodies: readonly DeformableBody[]): Promise<number> {
  const mesh = joinSurfaces(
    bodies.map(({ model }) => ({ restPositions: model.positions, faces: model.faces, selfCollision: true })),
  );
  const positions = await Promise.all(bodies.map((body) => body.readPositions()));
  return surfaceIntersections(mesh, Float64Array.from(positions.flatMap((list) => [...list]))).length;
}

async function momentum(bodies: readonly DeformableBody[]): Promise<number[]> {
  const sum = [0, 0, 0];
  for (const { model, ...rest } of bodies.map((body) => ({ body, model: body.model }))) {
    const v = await rest.body.readVelocities();
    for (let i = 0; i < v.length; i++) sum[i % 3] += model.masses[Math.floor(i / 3)] * v[i];
  }
  return sum;
}

function push(body: DeformableBody, velocity: readonly number[]): void {
  const { positions, particleCount } = body.model;
  body.writeState({
    positions,
    velocities: Float64Array.from({ length: 3 * particleCount }, (_, i) => velocity[i % 3]),
  });
}

function two(world: World): DeformableBody[] {
  return [
    world.addBody(sheet("lower", 0), touching),
    world.addBody(gridCloth({ width: 0.25, height: 0.25, columns: 7, rows: 7, center: [0.03, 0.03, 0.02] }), touching),
  ];
}

describe.each(backends)("surfaces of cloth on %s", (backend) => {
  /** Numbers of frames on the CPU, and on a software GPU, which takes a third of a second for each. */
  const framesOn = (cpu: number, webgpu: number): number => (backend === "cpu" ? cpu : webgpu);

  it("do not pass through each other, and keep momentum when they meet", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const bodies = two(world);
      push(bodies[0], [0, 0, 0]);
      push(bodies[1], [0.3, -1.5, 0]);
      const before = await momentum(bodies);
      run(world, framesOn(20, 12));
      const after = await momentum(bodies);
      for (let c = 0; c < 3; c++) expect(Math.abs(after[c] - before[c])).toBeLessThan(1e-4 * Math.abs(before[1]));
      expect(await crossings(bodies)).toBe(0);
      const heights = await Promise.all(bodies.map(async (body) => (await body.readVelocities())[1]));
      // the struck one is carried along
      expect(heights[0]).toBeLessThan(-0.05);
    });
  });

  it("lie on one another on a plate", async () => {
    await inWorld(backend, {}, async (world) => {
      world.addCollider({ type: "box", halfExtents: [1, 0.1, 1] }, { position: [0, -0.15, 0] });
      const bodies = two(world);
      // They are at rest from frame 12 on.
      run(world, framesOn(40, 20));
      expect(await crossings(bodies)).toBe(0);
      const [lower, upper] = await Promise.all(bodies.map((body) => body.readPositions()));
      const mean = (list: Float32Array): number =>
        list.filter((_, i) => i % 3 === 1).reduce((sum, y) => sum + y, 0) / (list.length / 3);
      const { thickness } = bodies[0].options;
      expect(mean(lower)).toBeCloseTo(-0.05 + thickness, 3);
      expect(mean(upper) - mean(lower)).toBeGreaterThan(0.7 * thickness);
      expect(mean(upper) - mean(lower)).toBeLessThan(1.5 * thickness);
    });
  });

  it("pass through each other where it is not asked for", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const bodies = two(world);
      bodies[0].setOptions({ bodyCollision: false });
      push(bodies[1], [0, -1.5, 0]);
      run(world, 4);
      // rounding of positions in f32, over the length of a substep
      expect((await bodies[0].readVelocities()).every((v) => Math.abs(v) < 1e-3)).toBe(true);
    });
  });
});

describe("the backends", () => {
  // With 48 substeps surfaces touch in every second one.
  it.each([5, 48])("bring surfaces that meet to the same places, with %s substeps", async (substeps) => {
    const [reference, result] = await Promise.all(
      backends.map((backend) =>
        inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
          const bodies = two(world);
          for (const body of bodies) body.setOptions({ substeps });
          push(bodies[1], [0.3, -1.5, 0]);
          run(world, substeps === 5 ? 4 : 2);
          return Promise.all(bodies.map((body) => body.readPositions()));
        }),
      ),
    );
    reference.forEach((positions, k) => {
      const difference = positions.reduce((most, x, i) => Math.max(most, Math.abs(x - result[k][i])), 0);
      expect(difference).toBeLessThan(3e-4);
    });
    // they have met
    expect(reference[0].some((y, i) => i % 3 === 1 && y < (substeps === 5 ? -1e-3 : -1e-4))).toBe(true);
  });
});

describe("room for pairs on the GPU", () => {
  it("when it is used up, vertices stop until there is more, and no pair is missed", async () => {
    await inWorld("webgpu", { gravity: [0, 0, 0] }, async (world) => {
      const grid = { width: 0.04, height: 0.04, columns: 4, rows: 4 };
      const options = { ...touching, thickness: 0.06, substeps: 3 };
      const [lower, upper] = [0, 0.07].map((y) => world.addBody(gridCloth({ ...grid, center: [0, y, 0] }), options));
      push(upper, [0, -3, 0]);
      // Undisturbed it would be 8 cm below by now. The GPU's results are not read back meanwhile.
      run(world, 3);
      const places = await Promise.all([lower, upper].map((body) => body.readPositions()));
      const room = (FIRST_PAIRS * (places[0].length + places[1].length)) / 3;
      expect(pairsOf([lower, upper], places, options.thickness)).toBeGreaterThan(2 * room);
      expect(leastGap(places)).toBeGreaterThan(0);
      expect(await crossings([lower, upper])).toBe(0);
      // Once their number is known, there is room for all of them, and they are pushed apart.
      for (let frame = 0; frame < 2; frame++) {
        run(world, 1);
        await world.settled();
      }
      run(world, 4);
      const parted = leastGap(await Promise.all([lower, upper].map((body) => body.readPositions())));
      expect(parted).toBeGreaterThan(leastGap(places) + 0.002);
    });
  });

  /** Gap from the top of the lower to the bottom of the upper body [m]. */
  function leastGap([lower, upper]: readonly Float32Array[]): number {
    const heights = (list: Float32Array): Float32Array => list.filter((_, i) => i % 3 === 1);
    return Math.min(...heights(upper)) - Math.max(...heights(lower));
  }

  /** Number of pairs that a search finds at rest. */
  function pairsOf(bodies: readonly DeformableBody[], places: readonly Float32Array[], thickness: number): number {
    const pairs = new CandidatePairs(
      joinSurfaces(
        bodies.map(({ model }) => ({
          restPositions: model.positions,
          faces: model.faces,
          selfCollision: true,
          bodyCollision: true,
        })),
      ),
    );
    const x = Float64Array.from(places.flatMap((list) => [...list]));
    pairs.find(x, new Float64Array(x.length), thickness, REACH_SLACK * thickness);
    return pairs.count;
  }
});

describe("self-collision", () => {
  it("is refused where the surface passes through itself from the start", async () => {
    await inWorld("cpu", {}, async (world) => {
      const model = sheet("crossed", 0);
      // one corner is pulled through the middle of the sheet
      model.positions.set([0.02, -0.05, 0.015], 0);
      model.positions.set([0.02, 0.05, 0.015], 3);
      expectRefused(() => world.addBody(model, touching), "degenerate-geometry", /triangle .*own surface/);
      expect(world.bodies.length).toBe(0);
    });
  });
});

/** A straight bar bent about the z axis by `angle` between cross-sections at ±`half`; beyond them it stays straight. */
function bent(rest: ArrayLike<number>, angle: number, half: number): Float64Array {
  const radius = (2 * half) / angle;
  const out = new Float64Array(rest.length);
  for (let i = 0; i < rest.length; i += 3) {
    const along = Math.max(-half, Math.min(half, rest[i]));
    const [c, s] = [Math.cos(along / radius), Math.sin(along / radius)];
    const beyond = rest[i] - along;
    out[i] = (radius - rest[i + 1]) * s + beyond * c;
    out[i + 1] = radius - (radius - rest[i + 1]) * c + beyond * s;
    out[i + 2] = rest[i + 2];
  }
  return out;
}

describe("solids that may touch", () => {
  const side = 0.2;
  const thickness = 0.004;
  const options = { airDensity: 0, substeps: 8, thickness };

  const box = (size: Vec3, cells: Vec3, center: Vec3): SoftBodyModel =>
    gpbdSolid({
      ...boxTetrahedra({ size, cells, center }),
      material: { youngsModulus: 3e4, poissonRatio: 0.3, density: 1000, damping: 2e-3 },
    });
  const cube = (center: Vec3): SoftBodyModel => box([side, side, side], [2, 2, 2], center);

  /** Mean height of the vertices [m], and their largest speed [m/s]. */
  async function stateOf(body: DeformableBody): Promise<{ height: number; speed: number }> {
    const { positions, velocities } = await body.readState();
    let [height, speed] = [0, 0];
    for (let i = 0; i < positions.length; i += 3) {
      height += (3 * positions[i + 1]) / positions.length;
      speed = Math.max(speed, Math.hypot(velocities[i], velocities[i + 1], velocities[i + 2]));
    }
    return { height, speed };
  }

  it.each(backends)("bounce off each other and keep their momentum: %s", async (backend) => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const still = world.addBody(cube([0, 0, 0]), options);
      const thrown = world.addBody(cube([0.05, side + 0.01, 0.03]), options);
      push(thrown, [0.2, -1.5, 0]);
      const before = await momentum([thrown]);
      run(world, 3);
      expect(await crossings([still, thrown])).toBe(0);
      run(world, 3);
      expect(await crossings([still, thrown])).toBe(0);
      const after = await momentum([still, thrown]);
      for (let c = 0; c < 3; c++) expect(Math.abs(after[c] - before[c])).toBeLessThan(1e-4 * Math.abs(before[1]));
      // of equal masses: the struck one is the faster one
      expect((await momentum([still]))[1]).toBeLessThan(0.6 * before[1]);
    });
  });

  it("rest on one another", async () => {
    await inWorld("cpu", {}, async (world) => {
      world.addCollider({ type: "box", halfExtents: [1, 0.1, 1] }, { position: [0, -0.1 - thickness, 0] });
      const lower = world.addBody(cube([0, side / 2, 0]), { ...options, damping: 12 });
      const upper = world.addBody(cube([0.02, 1.5 * side + 0.006, 0.01]), { ...options, damping: 12 });
      run(world, 50);
      expect(await crossings([lower, upper])).toBe(0);
      const [below, above] = await Promise.all([lower, upper].map(stateOf));
      expect(above.speed).toBeLessThan(0.01);
      // their weight compresses them
      expect(above.height - below.height).toBeGreaterThan(0.85 * side);
      expect(above.height - below.height).toBeLessThan(side + thickness);
    });
  });

  it.each(backends)("lie on cloth that is held: %s", async (backend) => {
    await inWorld(backend, {}, async (world) => {
      const sheet = gridCloth({ width: 0.4, height: 0.4, columns: 6, rows: 6 }, { fabric: "denim" });
      const cloth = world.addBody(sheet, { ...options, damping: 12 });
      cloth.pin(verticesWhere(sheet.positions, (x, _, z) => Math.max(Math.abs(x), Math.abs(z)) > 0.199));
      const body = world.addBody(cube([0.01, side / 2 + 0.01, 0]), { ...options, damping: 12 });
      push(body, [0, -1, 0]);
      // On a software GPU just long enough to catch it.
      run(world, backend === "cpu" ? 40 : 6);
      expect(await crossings([cloth, body])).toBe(0);
      const { height, speed } = await stateOf(body);
      // The cloth yields by about 8 cm, and stretches little.
      expect(height).toBeGreaterThan(-0.03);
      expect(speed).toBeLessThan(backend === "cpu" ? 0.1 : 1);
    });
  });

  it.each([
    ["cpu", true],
    ["cpu", false],
    ["webgpu", true],
  ] as const)("touch themselves where that is asked for: %s, %s", async (backend, selfCollision) => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const half = 0.4;
      const model = box([1, 0.06, 0.06], [20, 1, 1], [0, 0, 0]);
      const body = world.addBody(model, { ...options, bodyCollision: false, damping: 4, selfCollision });
      const { positions: rest } = model;
      const pose = (angle: number): Float64Array => bent(rest, angle * Math.PI, half);
      body.writeState({ positions: pose(1.5), velocities: new Float64Array(rest.length) });
      expect(await crossings([body])).toBe(0);
      const held = verticesWhere(rest, (x) => Math.abs(Math.abs(x) - half) < 1e-6);
      body.pin(held);
      // So far that its ends would overlap.
      run(world, 8, (frame) => {
        const target = pose(1.5 + (0.25 * Math.min(6, frame + 1)) / 6);
        for (const p of held) body.setPinTarget(p, target[3 * p], target[3 * p + 1], target[3 * p + 2]);
      });
      expect((await crossings([body])) === 0).toBe(selfCollision);
    });
  });
});
