/** Vertices of deformable bodies that are attached to each other. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addAttachment,
  boxTetrahedra,
  clothModel,
  type DeformableBody,
  gridMesh,
  ropeModel,
  solidModel,
  type SolverName,
  type World,
} from "../../../src/index";
import { expectWithin } from "../../figures";
import { backends, inWorld, run } from "../worlds";
import { GRAVITY, hang, hangBox, massOf, momentumOf } from "./hanging";

const gravity = [0, -GRAVITY, 0] as const;
const SIDE = 0.4;
const CELLS = 4;

type Piece = (world: World, x: number, density: number) => DeformableBody;

const pieces: Readonly<Record<string, Piece>> = {
  cloth: (world, x) =>
    world.addBody(
      clothModel({
        ...gridMesh({ width: SIDE, height: SIDE, columns: CELLS, rows: CELLS, center: [x, 0, 0] }),
        fabric: "denim",
      }),
      { airDensity: 0 },
    ),
  solid: (world, x, density) =>
    world.addBody(
      solidModel({
        ...boxTetrahedra({ size: [SIDE, 0.1, SIDE], cells: [CELLS, 1, CELLS], center: [x, -0.05, 0] }),
        material: { youngsModulus: 1e5, poissonRatio: 0.3, density },
      }),
      { airDensity: 0 },
    ),
  rope: (world, x, density) =>
    world.addBody(
      ropeModel({
        positions: Float64Array.from({ length: 3 * (CELLS + 1) }, (_, i) =>
          i % 3 === 0 ? x - SIDE / 2 + (i / 3) * (SIDE / CELLS) : 0,
        ),
        radius: 0.01,
        youngsModulus: 1e6,
        density,
      }),
      { airDensity: 0 },
    ),
};

/** Pairs of vertices of two bodies that are at one place. */
function shared(a: DeformableBody, b: DeformableBody): [number[], number[]] {
  const [p, q] = [a.model.positions, b.model.positions];
  const pairs = [...a.model.masses.keys()].flatMap((v) => {
    const w = [...b.model.masses.keys()].find((u) =>
      [0, 1, 2].every((c) => Math.abs(p[3 * v + c] - q[3 * u + c]) < 1e-9),
    );
    return w === undefined ? [] : [[v, w] as const];
  });
  return [pairs.map(([v]) => v), pairs.map(([, w]) => w)];
}

async function gapOf(a: DeformableBody, b: DeformableBody, [v, w]: [number[], number[]]): Promise<number> {
  const [x, y] = [await a.readPositions(), await b.readPositions()];
  return Math.max(...v.map((p, k) => Math.hypot(...[0, 1, 2].map((c) => x[3 * p + c] - y[3 * w[k] + c]))));
}

describe("vertices of two bodies of gpbd", () => {
  it("stay together and keep momentum, whatever the bodies, masses and steps", async () => {
    const scene = fc.record({
      a: fc.constantFrom("cloth", "solid", "rope"),
      b: fc.constantFrom("cloth", "solid", "rope"),
      density: fc.integer({ min: -2, max: 2 }),
      rate: fc.constantFrom(30, 60, 120),
      compliance: fc.constantFrom(0, 0, 1e-4),
      seed: fc.integer({ min: 1, max: 1000 }),
    });
    await fc.assert(
      fc.asyncProperty(scene, ({ a, b, density, rate, compliance, seed }) =>
        inWorld("reference", { gravity: [0, 0, 0] }, async (world) => {
          const bodies = [pieces[a](world, -SIDE / 2, 300), pieces[b](world, SIDE / 2, 300 * 10 ** density)] as const;
          const pairs = shared(...bodies);
          expect(pairs[0].length).toBeGreaterThan(0);
          addAttachment(world, {
            body: bodies[0],
            vertices: pairs[0],
            to: { body: bodies[1], vertices: pairs[1] },
            compliance,
          });
          for (const body of bodies)
            body.writeState({
              positions: body.model.positions,
              velocities: body.model.positions.map((x, i) => 0.5 * Math.sin(seed * (i + 1)) + x),
            });
          const before = await momentumOf(bodies);
          for (let frame = 0; frame < rate / 2; frame++) world.step(1 / rate);
          const after = await momentumOf(bodies);
          const off = (key: "linear" | "angular"): number =>
            Math.hypot(...before[key].map((value, k) => value - after[key][k])) / before.size;
          expectWithin("linear momentum, off", off("linear"), 1e-9);
          expectWithin("angular momentum, off", off("angular"), 5e-3);
          if (compliance === 0) expectWithin("gap [m]", await gapOf(...bodies, pairs), 1e-12);
        }),
      ),
      { numRuns: 12, seed: 18 },
    );
  });

  it("hang one on another by their weight", () =>
    inWorld("cpu", { gravity }, async (world) => {
      const upper = hang(world, "gpbd", "rope", { damping: 3 });
      upper.body.pin(upper.top);
      const low = world.addBody(
        ropeModel({
          positions: Float64Array.from({ length: 33 }, (_, i) => (i % 3 === 1 ? -1 - Math.floor(i / 3) * 0.02 : 0)),
          radius: 0.05,
          youngsModulus: 1e8,
          density: 1000,
        }),
        { airDensity: 0, damping: 3 },
      );
      const attachment = addAttachment(world, {
        body: low,
        vertices: [0],
        to: { body: upper.body, vertices: upper.low },
        breakingForce: 1e6,
      });
      run(world, 120);
      const weight = GRAVITY * massOf(low);
      expectWithin("force / weight - 1", Math.abs(attachment.force! / weight - 1), 0.02);
      const y = (await upper.body.readPositions())[3 * upper.low[0] + 1];
      const stretch = (weight + (GRAVITY * massOf(upper.body)) / 2) / (1e8 * Math.PI * 0.005 ** 2);
      expectWithin("length - expected [m]", Math.abs(-y - 1 - stretch), 0.01);
    }));

  it("agree on both backends, and so do the forces on them", async () => {
    const found = await Promise.all(
      backends.map((backend) =>
        inWorld(backend, { gravity }, async (world) => {
          const bodies = [pieces.cloth(world, -SIDE / 2, 0), pieces.cloth(world, SIDE / 2, 0)] as const;
          for (const body of bodies) body.setOptions({ damping: 8, substeps: 10 });
          bodies[0].pin([...bodies[0].model.masses.keys()].filter((v) => bodies[0].model.positions[3 * v] < -0.3));
          const [vertices, others] = shared(...bodies);
          const to = { body: bodies[1], vertices: others };
          const seam = addAttachment(world, { body: bodies[0], vertices, to, breakingForce: 1e3 });
          run(world, 10);
          const places = [...(await bodies[0].readPositions()), ...(await bodies[1].readPositions())];
          run(world, 80);
          for (let frame = 0; frame < 8; frame++) {
            run(world, 1);
            await world.settled();
          }
          return { places, force: seam.force! };
        }),
      ),
    );
    const [cpu, gpu] = found;
    expectWithin("difference [m]", Math.max(...cpu.places.map((x, i) => Math.abs(x - gpu.places[i]))), 1e-4);
    expectWithin("force / that on the CPU - 1", Math.abs(gpu.force / cpu.force - 1), 0.05);
  });

  it("come together from a distance without a blow", () =>
    inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
      const bodies = [pieces.cloth(world, -SIDE / 2 - 0.05, 0), pieces.cloth(world, SIDE / 2 + 0.05, 0)] as const;
      const right = Array.from({ length: CELLS + 1 }, (_, r) => (CELLS + 1) * r + CELLS);
      const left = right.map((v) => v - CELLS);
      addAttachment(world, { body: bodies[0], vertices: right, to: { body: bodies[1], vertices: left } });
      let fastest = 0;
      for (let frame = 0; frame < 60; frame++) {
        run(world, 1);
        for (const body of bodies) fastest = Math.max(fastest, ...(await body.readVelocities()).map(Math.abs));
      }
      expectWithin("gap [m]", await gapOf(...bodies, [right, left]), 1e-6);
      expectWithin("speed [m/s]", fastest, 1.5);
    }));
});

const solvers: readonly SolverName[] = ["gpbd", "newton", "local-global"];

describe.each(solvers)("an attachment of a body of %s", (solver) => {
  it.each([0.99, 1.01])("breaks at its force: at %f of the load", (share) =>
    inWorld("cpu", { gravity }, async (world) => {
      const hanging = hang(world, solver, solver === "local-global" ? "solid" : "rope", { damping: 5 });
      hanging.body.pin(hanging.top);
      const mass = 2 * massOf(hanging.body);
      const vertices = [hanging.low[0]];
      const { box, attachment } = hangBox(world, { ...hanging, low: vertices }, mass, { breakingForce: 1e9 });
      run(world, 300);
      const load = attachment.force!;
      expectWithin("load / weight - 1", Math.abs(load / (mass * GRAVITY) - 1), 0.01);
      const broken: number[] = [];
      attachment.dispose();
      const weaker = addAttachment(world, {
        body: hanging.body,
        vertices,
        to: { rigid: box },
        breakingForce: share * load,
      });
      weaker.onBreak.add(({ vertices: off }) => broken.push(...off));
      run(world, 60);
      expect(broken).toEqual(share < 1 ? vertices : []);
      expect(weaker.vertices).toEqual(share < 1 ? [] : vertices);
    }),
  );

  it("continues from a snapshot with equal bits", () =>
    inWorld("cpu", { gravity }, async (world) => {
      const hanging = hang(world, solver, "cloth");
      hanging.body.pin(hanging.top);
      const { box } = hangBox(world, hanging, massOf(hanging.body));
      box.linearVelocity = [0.3, 0, 0.5];
      run(world, 20);
      const snapshot = await world.snapshot();
      run(world, 20);
      const first = await hanging.body.readState();
      world.restore(snapshot);
      run(world, 20);
      const second = await hanging.body.readState();
      expect(second.positions).toEqual(first.positions);
      expect(second.velocities).toEqual(first.velocities);
    }));
});

it("tears a seam pair by pair", () =>
  inWorld("cpu", { gravity }, async (world) => {
    const [a, b] = [pieces.cloth(world, -SIDE / 2, 0), pieces.cloth(world, SIDE / 2, 0)];
    a.pin([0, CELLS, 10, 12]);
    const pairs = shared(a, b);
    const seam = addAttachment(world, {
      body: a,
      vertices: pairs[0],
      to: { body: b, vertices: pairs[1] },
      breakingForce: 0.12,
    });
    let breaks = 0;
    seam.onBreak.add(() => breaks++);
    run(world, 120);
    expect(breaks).toBeGreaterThan(1);
    expect(seam.vertices.length).toBeLessThan(pairs[0].length);
  }));
