/**
 * Vertices of bodies of GPBD that are attached to those of other solvers. `PLIANT_TIES=all` hangs every kind on every
 * other one.
 */
import { describe, expect, it } from "vitest";
import {
  addAttachment,
  boxTetrahedra,
  clothModel,
  type DeformableBody,
  gridMesh,
  solidModel,
  type SolverName,
  type World,
} from "../../../src/index";
import { expectWithin } from "../../figures";
import { inWorld, run } from "../worlds";
import { GRAVITY, hang, type Kind, LENGTH, massOf, momentumOf, slowestSwing, stretchOf } from "./hanging";

const gravity = [0, -GRAVITY, 0] as const;
const isAll = process.env["PLIANT_TIES"] === "all";

/** Stretch of the strip of denim under these multiples of its mass, as in on-bodies.test.ts [m]. */
const stretched: Readonly<Record<number, number>> = { 0.01: 4.7e-4, 1: 1.4e-3, 100: 0.0963 };

/** A soft block below the end of what hangs. */
function block(world: World, solver: SolverName, mass: number, options: object = {}): DeformableBody {
  const size = [0.2, 0.1, 0.1] as const;
  const mesh = boxTetrahedra({ size, cells: [4, 1, 2], center: [0, -LENGTH - 0.05, 0] });
  const material = { youngsModulus: 1e6, poissonRatio: 0.3, density: mass / 0.002 };
  const air = solver === "newton" ? {} : { airDensity: 0 };
  return world.addBody(solidModel({ solver, ...mesh, material, elements: "linear" }), { ...air, ...options });
}

/** For each of some vertices, the one of another body in the same place. */
const partners = (a: DeformableBody, vertices: readonly number[], b: DeformableBody): number[] =>
  vertices.map((v) => {
    const far = (w: number): number =>
      Math.hypot(...[0, 1, 2].map((c) => a.model.positions[3 * v + c] - b.model.positions[3 * w + c]));
    return [...b.model.masses.keys()].reduce((best, w) => (far(w) < far(best) ? w : best), 0);
  });

async function gapOf(
  a: DeformableBody,
  vertices: readonly number[],
  b: DeformableBody,
  others: readonly number[],
): Promise<number> {
  const [x, y] = [await a.readPositions(), await b.readPositions()];
  return Math.max(...vertices.map((v, k) => Math.hypot(...[0, 1, 2].map((c) => x[3 * v + c] - y[3 * others[k] + c]))));
}

const few: readonly (readonly [SolverName, Kind, SolverName, readonly number[]])[] = [
  ["gpbd", "rope", "newton", [0.01, 100]],
  ["gpbd", "cloth", "local-global", [1, 100]],
  ["newton", "solid", "gpbd", [1]],
  ["local-global", "solid", "gpbd", [100]],
  ["local-global", "cloth", "gpbd", [100]],
];
const all = (["rope", "cloth", "solid"] as const).flatMap((kind) =>
  (["newton", "local-global"] as const).flatMap((other): (typeof few)[number][] => [
    ["gpbd", kind, other, [0.01, 1, 100]],
    ...(kind === "rope" && other === "local-global" ? [] : [[other, kind, "gpbd", [0.01, 1, 100]] as const]),
  ]),
);
const hung = (isAll ? all : few).flatMap(([upper, kind, lower, ratios]) =>
  ratios.map((ratio) => [lower, ratio, upper, kind] as const),
);

describe("a block", () => {
  it.each(hung)("of %s of %f times its mass hangs on one of %s, %s, by its weight", (lower, ratio, upper, kind) =>
    inWorld("cpu", { gravity }, async (world) => {
      const { body, top, low } = hang(world, upper, kind, { damping: 5 });
      body.pin(top);
      const load = block(world, lower, ratio * massOf(body), { damping: 5 });
      const vertices = partners(body, low, load);
      const attachment = addAttachment(world, {
        body: load,
        vertices,
        to: { body, vertices: low },
        breakingForce: 1e9,
      });
      run(world, isAll ? 150 : 75);
      expectWithin("gap [m]", await gapOf(body, low, load, vertices), 1e-6);
      const x = await body.readPositions();
      const length = low.reduce((sum, v) => sum - x[3 * v + 1], 0) / low.length;
      const own = massOf(body);
      const stretch = kind === "cloth" ? stretched[ratio] : stretchOf(kind, own, ratio * own);
      expectWithin(`length - expected, ${LENGTH + stretch} [m]`, Math.abs(length - LENGTH - stretch), 0.01 * LENGTH);
      const each = (ratio * own * GRAVITY) / low.length;
      expectWithin(
        "force / share of the weight - 1.25",
        Math.abs(attachment.force! / each - 1.25),
        kind === "cloth" ? 1 : 0.27,
      );
    }),
  );

  it("swings in time", () =>
    inWorld("cpu", { gravity }, async (world) => {
      const hanging = hang(world, "gpbd", "rope");
      const { body, top, low, rows } = hanging;
      body.pin(top);
      const mass = massOf(body);
      const load = block(world, "newton", mass);
      addAttachment(world, { body, vertices: low, to: { body: load, vertices: partners(body, low, load) } });
      // About the axis across it the block turns as a cube of its height does.
      const { period, shape } = slowestSwing(rows, mass);
      const turn = 0.2 * shape.at(-1)!;
      for (const of of [body, load]) {
        const { positions } = of.model;
        const velocities = positions.map((_, i) => {
          if (i % 3 !== 2) return 0;
          const y = -positions[i - 1];
          return y > LENGTH || of === load ? 0.2 * shape[10] + (y - LENGTH) * turn : 0.2 * shape[Math.round(10 * y)];
        });
        of.writeState({ positions, velocities });
      }
      const crossings: number[] = [];
      let last = 0;
      for (let frame = 1; frame < 300 && crossings.length < 3; frame++) {
        run(world, 1);
        const z = (await load.readPositions()).reduce((sum, value, i) => (i % 3 === 2 ? sum + value : sum), 0);
        if (last * z < 0) crossings.push(frame - z / (z - last));
        last = z;
      }
      const found = (2 * (crossings.at(-1)! - crossings[0])) / (crossings.length - 1) / 60;
      expectWithin("period / expected - 1", Math.abs(found / period - 1), 0.01);
    }));

  it.each([
    ["newton", 0],
    ["local-global", 0],
    ["newton", 1e-4],
  ] as const)("of %s keeps momentum in flight, and continues from a snapshot: compliance %f", (solver, compliance) =>
    inWorld("reference", { gravity: [0, 0, 0] }, async (world) => {
      const { body, low } = hang(world, "gpbd", "cloth");
      const load = block(world, solver, 3 * massOf(body));
      const to = { body: load, vertices: partners(body, low, load) };
      addAttachment(world, { body, vertices: low, to, compliance });
      for (const of of [body, load])
        of.writeState({
          positions: of.model.positions,
          velocities: of.model.positions.map((x, i) => 0.3 * Math.sin(i) + x),
        });
      const before = await momentumOf([body, load]);
      run(world, 15);
      const snapshot = await world.snapshot();
      run(world, 15);
      const after = await momentumOf([body, load]);
      const off = (key: "linear" | "angular"): number =>
        Math.hypot(...before[key].map((value, k) => value - after[key][k])) / before.size;
      expectWithin("linear momentum, off", off("linear"), 1e-9);
      expectWithin("angular momentum, off", off("angular"), 1e-2);
      if (compliance === 0) expectWithin("gap [m]", await gapOf(body, low, load, to.vertices), 1e-6);
      const states = [await body.readState(), await load.readState()];
      world.restore(snapshot);
      run(world, 15);
      expect([await body.readState(), await load.readState()]).toEqual(states);
    }),
  );
});

it("compliance is the way under a force, and vertices come off at theirs", () =>
  inWorld("cpu", { gravity }, async (world) => {
    const { body, top, low } = hang(world, "gpbd", "rope", { damping: 5 });
    body.pin(top);
    const load = block(world, "newton", massOf(body), { damping: 5 });
    const vertices = partners(body, low, load);
    const weight = massOf(load) * GRAVITY;
    const compliance = 0.05 / weight;
    const to = { body: load, vertices };
    // Put where it hangs: dropped, it would swing.
    const positions = load.model.positions.map((value, i) => (i % 3 === 1 ? value - 0.05 : value));
    const held = addAttachment(world, { body, vertices: low, to, compliance, breakingForce: 3 * weight });
    load.writeState({ positions, velocities: new Float64Array(positions.length) });
    run(world, 100);
    expectWithin(
      "way / that under its weight - 1",
      Math.abs((await gapOf(body, low, load, vertices)) / 0.05 - 1),
      0.02,
    );
    expectWithin("force / weight - 1", Math.abs(held.force! / weight - 1), 0.01);
    held.dispose();
    const broken: number[] = [];
    const weak = addAttachment(world, { body, vertices: low, to, breakingForce: 0.9 * weight });
    weak.onBreak.add(({ vertices: off }) => broken.push(...off));
    run(world, 60);
    expect(broken).toEqual(low);
  }));

describe.each(["newton", "local-global"] as const)("capes of gpbd and %s", (solver) => {
  const cape = (world: World, of: SolverName, x: number): DeformableBody => {
    const mesh = gridMesh({ width: 0.4, height: 0.4, columns: 4, rows: 4, center: [x, 0, 0] });
    return world.addBody(clothModel({ solver: of, ...mesh, fabric: "cotton" }), { damping: 1 });
  };
  const sew = (world: World): readonly [DeformableBody, DeformableBody, readonly number[], readonly number[]] => {
    const [a, b] = [cape(world, "gpbd", -0.2), cape(world, solver, 0.2)];
    const right = [4, 9, 14, 19, 24];
    const left = right.map((v) => v - 4);
    a.pin([0, 20]);
    b.pin([4, 24]);
    addAttachment(world, { body: a, vertices: right, to: { body: b, vertices: left } });
    return [a, b, right, left];
  };

  it("are one, and the CPU steps both in a world on a GPU", async () => {
    const places: Float32Array[] = [];
    for (const backend of ["cpu", "webgpu"] as const)
      await inWorld(backend, { gravity }, async (world) => {
        const [a, b, right, left] = sew(world);
        for (const of of [a, b]) of.setOptions({ bodyCollision: false });
        for (let frame = 0; world.frame < 20 && frame < 60; frame++) {
          run(world, 1);
          await world.settled();
        }
        expectWithin("gap [m]", await gapOf(a, right, b, left), 1e-6);
        for (const of of [a, b]) expect(of.lane).not.toBe("webgpu");
        places.push(Float32Array.from(await a.readPositions()));
      });
    expect(places[1]).toEqual(places[0]);
  });
});
