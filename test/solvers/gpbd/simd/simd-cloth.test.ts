import { describe, expect, it } from "vitest";
import { random } from "../../../../samples/rigid";
import type { ColliderState } from "../../../../src/collision/obstacles/collider-set";
import type { ColliderShape } from "../../../../src/collision/shape/shape";
import { defineEnergy } from "../../../../src/index";
import { gpbdCloth, type ClothModel } from "../../../../src/models/gpbd/cloth";
import { withEnergy } from "../../../../src/models/gpbd/with-energy";
import { gridCloth, largestDifference } from "../../../world/cloths";
import { packTerm } from "../../../../src/solvers/gpbd/simd/pack-terms";
import { type Setting, Subject } from "./subjects";

const grid = { width: 0.6, height: 0.5, columns: 13, rows: 11 } as const;
const EDGE = grid.width / grid.columns;

/** A sheet of triangles with random corners, some without neighbors, and of as many vertices as wanted. */
function randomSheet(vertices: number, seed: number): ClothModel {
  const next = random(seed);
  const rows = Math.max(1, Math.floor(Math.sqrt(vertices)) - 1);
  const columns = Math.ceil(vertices / (rows + 1)) - 1;
  const positions = Array.from({ length: (rows + 1) * (columns + 1) }, (_, p) => [
    0.04 * (p % (columns + 1)) + 0.012 * next(),
    0,
    0.04 * Math.floor(p / (columns + 1)) + 0.012 * next(),
  ]).slice(0, vertices);
  const indices: number[] = [];
  for (let p = 0; p + columns + 2 < vertices; p++) {
    if (p % (columns + 1) === columns || next() < 0.1) continue;
    indices.push(p, p + columns + 1, p + 1);
    if (next() < 0.9) indices.push(p + 1, p + columns + 1, p + columns + 2);
  }
  return gpbdCloth({ positions: Float64Array.from(positions.flat()), indices: Uint32Array.from(indices) });
}

const triangle = (): ClothModel =>
  gpbdCloth({ positions: Float64Array.of(0, 0, 0, 0.1, 0, 0, 0, 0, 0.1), indices: Uint32Array.of(0, 1, 2) });

/** Largest distance over the substeps of a few frames, each from the state of the reference. */
async function apartIn(model: ClothModel, setting: Setting, steps: number, dt?: number, seed?: number) {
  const [exact, fast] = await Subject.pair(model, setting, seed);
  const distances: number[] = [];
  for (let step = 0; step < steps; step++) {
    fast.goOnFrom(exact);
    exact.step(dt);
    fast.step(dt);
    expect(fast.solver.lane).toBe("simd");
    expect(exact.solver.lane).toBe("cpu");
    distances.push(...fast.apart(exact));
  }
  return distances.sort((a, b) => b - a);
}

describe("a step in f32 and in f64 from the same state", () => {
  const shaken = [0.3 * EDGE, 1] as const;
  const cases: readonly (readonly [string, ClothModel, Setting])[] = [
    ["Saint Venant-Kirchhoff and isometric bending", gridCloth(grid), { shaken }],
    ["springs", gridCloth(grid, { membrane: "springs" }), { shaken }],
    ["dihedral bending", gridCloth(grid, { bending: "dihedral" }), { shaken }],
    ["denim, by Gauss-Seidel", gridCloth(grid, { fabric: "denim" }), { shaken, options: { method: "gauss-seidel" } }],
    [
      "silk without air, eased",
      gridCloth(grid, { fabric: "silk" }),
      { shaken, options: { airDensity: 0, relaxation: 0.4 } },
    ],
    ["wind and damping", gridCloth(grid), { shaken, options: { damping: 3, wind: [4, 1, -2] } }],
    ["a storm with lift", gridCloth(grid), { shaken, options: { airDensity: 5, drag: 3, lift: 2, wind: [8, -6, 3] } }],
    ["pins", gridCloth(grid), { shaken, pinned: [0, 1, 13, 40, 41, 42, 54, 55, 56] }],
    ["all pinned", gridCloth(grid), { shaken, pinned: [...Array(168).keys()] }],
    ["crushed", gridCloth(grid), { shaken: [3 * EDGE, 20] }],
    ["one triangle", triangle(), { shaken: [0.02, 1] }],
    ["1234 vertices at random", randomSheet(1234, 5), { shaken: [0.01, 1] }],
    ["7 vertices", randomSheet(7, 6), { shaken: [0.01, 1] }],
  ];
  it.each(cases)("differs by rounding: %s", async (_name, model, setting) => {
    for (const substeps of [1, 4, 25]) {
      const options = { ...setting.options, substeps };
      const [first] = await apartIn(model, { ...setting, options }, 3, substeps / 480);
      // f32 knows a meter to 6e-8, and stiff elements pass errors on to their neighbors: where they are crushed, more in each substep.
      const grown = _name === "crushed" && substeps > 1 ? 25 * substeps : 1;
      expect(first, `${substeps} substeps`).toBeLessThan(1e-6 * grown);
      if (_name !== "all pinned") expect(first).toBeGreaterThan(1e-12);
    }
  });

  it("takes particles back to their tethers as the reference does, near and far pins, some too far apart", async () => {
    const model = gridCloth(grid);
    const pinned = [0, 13, 70, 153, 167];
    for (const slack of [0, 0.02, 0.2])
      for (const substeps of [1, 9]) {
        const setting = { stretch: 1.3, shaken: [0.5 * EDGE, 3], pinned, slack, options: { substeps } } as const;
        const [first, ...others] = await apartIn(model, setting, 3, substeps / 480);
        expect(first, `${slack}, ${substeps} substeps`).toBeLessThan(1e-4);
        expect(others[Math.floor(others.length / 20)]).toBeLessThan(1e-6);
        const [held, free] = [setting, { ...setting, slack: undefined }].map((one) => Subject.pair(model, one));
        const [[one], [other]] = [await held, await free];
        one.step(substeps / 480);
        other.step(substeps / 480);
        expect(one.apart(other).filter((way) => way > 1e-3 * EDGE).length).toBeGreaterThan(5);
      }
  });

  it("is as exact 100 km from the origin", async () => {
    const { positions, indices } = { positions: gridCloth(grid).positions, indices: gridCloth(grid).faces };
    const far = gpbdCloth({ positions: positions.map((x) => x + 1e5), indices });
    const [first] = await apartIn(far, { shaken: [0.3 * EDGE, 1] }, 4, 1 / 480);
    expect(first).toBeLessThan(1e-6);
  });
});

describe("contact in f32 and in f64 from the same state", () => {
  const sphere: ColliderShape = { type: "sphere", radius: 0.15 };
  const box: ColliderShape = { type: "box", halfExtents: [0.12, 0.1, 0.14], rotation: [0.1, 0.3, 0.2, 0.93] };
  const capsule: ColliderShape = { type: "capsule", pointA: [-0.2, -0.02, 0], pointB: [0.2, 0.03, 0.1], radius: 0.08 };
  const cylinder: ColliderShape = { type: "cylinder", pointA: [0, -0.1, 0], pointB: [0, 0.1, 0], radius: 0.14 };
  const hull: ColliderShape = {
    type: "convex-hull",
    positions: [0.2, 0, 0, -0.2, 0, 0, 0, 0.15, 0, 0, -0.15, 0, 0, 0, 0.2, 0, 0, -0.2],
  };
  const ground: ColliderShape = { type: "box", halfExtents: [500, 5, 500] };
  const at = (y: number, rest: ColliderState = {}): ColliderState => ({ position: [0, y, 0], ...rest });
  const scenes: readonly (readonly [string, readonly (readonly [ColliderShape, ColliderState])[]])[] = [
    ["sphere", [[sphere, at(-0.16)]]],
    ["box", [[box, at(-0.14)]]],
    ["capsule", [[capsule, at(-0.12)]]],
    ["wide ground", [[ground, at(-5.01)]]],
    ["huge ball", [[{ type: "sphere", radius: 300 }, at(-300.01)]]],
    ["cylinder", [[cylinder, at(-0.11)]]],
    ["hull", [[hull, at(-0.16)]]],
    [
      "two spheres and ground",
      [
        [sphere, at(-0.16)],
        [sphere, { position: [0.2, -0.15, 0.05] }],
        [ground, at(-5.1)],
      ],
    ],
    [
      "slippery and rough",
      [
        [sphere, at(-0.16, { friction: 0 })],
        [box, { position: [0.25, -0.12, 0], friction: 3 }],
      ],
    ],
  ];
  it.each(scenes)("differs by rounding: %s", async (_name, obstacles) => {
    for (const moving of [false, true]) {
      const setting: Setting = { obstacles, shaken: [0.1 * EDGE, 0.5], options: { faceContacts: false } };
      const [exact, fast] = await Subject.pair(gridCloth(grid), setting);
      const distances: number[] = [];
      let touching = 0;
      for (let step = 0; step < 60; step++) {
        fast.goOnFrom(exact);
        for (const subject of [exact, fast]) {
          if (moving)
            subject.ids.forEach((id, k) => {
              const [x, y, z] = obstacles[k][1].position!;
              const angle = 0.02 * step;
              subject.colliders.setPose(id, [x + 0.001 * step, y, z], [0, Math.sin(angle), 0, Math.cos(angle)]);
            });
          subject.step(1 / 240);
          expect(subject.solver.lane).toBe(subject === fast ? "simd" : "cpu");
        }
        touching += exact.solver.scratch.contact.some((x) => x !== 0) ? 1 : 0;
        distances.push(...fast.apart(exact));
      }
      expect(touching).toBeGreaterThan(20);
      distances.sort((a, b) => b - a);
      // At an edge of an obstacle rounding may decide on which side of it a particle is.
      expect(distances[Math.floor(distances.length / 2000)], `moving: ${moving}`).toBeLessThan(2e-6);
      expect(distances[0]).toBeLessThan(5e-3);
    }
  });

  it("tests faces against what is thinner than they are wide", async () => {
    const spike: ColliderShape = {
      type: "capsule",
      pointA: [0.02, -0.3, 0.02],
      pointB: [0.02, -0.02, 0.02],
      radius: 0.01,
    };
    const corner: ColliderShape = { type: "box", halfExtents: [0.05, 0.05, 0.05], rotation: [0.28, 0.36, 0.12, 0.88] };
    for (const shape of [spike, corner]) {
      const obstacles = [[shape, at(shape === spike ? 0 : -0.1)]] as const;
      const shaken = [0.1 * EDGE, 0.5] as const;
      const [exact, fast] = await Subject.pair(gridCloth(grid), { obstacles, shaken });
      const [, without] = await Subject.pair(gridCloth(grid), { obstacles, shaken, options: { faceContacts: false } });
      const distances: number[] = [];
      let effect = 0;
      for (let step = 0; step < 90; step++) {
        fast.goOnFrom(exact);
        without.goOnFrom(exact);
        for (const subject of [exact, fast, without]) subject.step(1 / 360);
        distances.push(...fast.apart(exact));
        effect = Math.max(effect, ...fast.apart(without));
      }
      distances.sort((a, b) => b - a);
      // The deepest point of a face that lies along an edge may be anywhere on it: such pushes differ.
      expect(distances[Math.floor(distances.length / 500)]).toBeLessThan(2e-6);
      expect(effect).toBeGreaterThan(1e-4);
    }
  });
});

describe("the lane", () => {
  it.each<readonly [string, ClothModel, Setting]>([
    ["two iterations", gridCloth(grid), { options: { iterations: 2 } }],
    ["two steps of Newton", gridCloth(grid), { options: { newtonIterations: 2 } }],
    ["Jacobi", gridCloth(grid), { options: { method: "jacobi" } }],
    ["neo-Hookean membranes", gridCloth(grid, { membrane: "neo-hookean" }), {}],
    ["tables", gridCloth(grid, { fabric: "satin" }), {}],
    [
      "energies of one's own",
      withEnergy(
        gridCloth(grid),
        defineEnergy({ strain: "green-triangle", energy: "k*(Euu^2+Evv^2+Euv^2)", parameters: { k: 100 } }),
      ),
      {},
    ],
  ])("leaves to f64: %s", async (_name, model, setting) => {
    const [exact, other] = await Subject.pair(model, { ...setting, shaken: [0.2 * EDGE, 1] });
    for (const subject of [exact, other]) subject.step();
    expect(other.solver.lane).toBe("cpu");
    expect(other.solver.state.positions).toEqual(exact.solver.state.positions);
  });

  it("is chosen for each frame, and leaves a body that turns non-finite to f64", async () => {
    const [, fast] = await Subject.pair(gridCloth(grid), { shaken: [0.1 * EDGE, 1] });
    fast.step();
    expect(fast.solver.lane).toBe("simd");
    fast.options.iterations = 2;
    fast.step();
    expect(fast.solver.lane).toBe("cpu");
    fast.options.iterations = 1;
    fast.step();
    expect(fast.solver.lane).toBe("simd");
    fast.solver.state.velocities[7] = NaN;
    fast.step();
    expect(fast.solver.isFrozen).toBe(true);
    expect(fast.solver.state.positions.every(Number.isFinite)).toBe(true);
  });

  it("lets several bodies share the memory, each with its own bits", async () => {
    const models = [gridCloth(grid), randomSheet(300, 8), gridCloth({ ...grid, columns: 30, rows: 31 })];
    const shaken = [0.01, 1] as const;
    const alone: Float64Array[] = [];
    for (const model of models) {
      const [, fast] = await Subject.pair(model, { shaken });
      for (let frame = 0; frame < 4; frame++) fast.step();
      alone.push(fast.solver.state.positions);
    }
    const together = await Promise.all(models.map(async (model) => (await Subject.pair(model, { shaken }))[1]));
    for (let frame = 0; frame < 4; frame++) for (const subject of together) subject.step();
    together.forEach(({ solver }, k) => expect(largestDifference(solver.state.positions, alone[k])).toBe(0));
  });

  it("finds factors of bending anew when anything changes that they depend on", async () => {
    const setting: Setting = { shaken: [0.1 * EDGE, 1], options: { substeps: 4 } };
    const one = async (): Promise<Subject> => (await Subject.pair(gridCloth(grid), setting))[1];
    const changes: readonly ((subject: Subject) => void)[] = [
      () => {},
      ({ pins }) => pins.pinned.fill(1, 30, 60),
      ({ options }) => (options.substeps = 25),
      ({ options }) => (options.damping = 40),
      ({ options }) => (options.method = "gauss-seidel"),
      ({ pins }) => pins.pinned.fill(0),
    ];
    const kept = await one();
    const before = await one();
    const places: Float64Array[] = [kept.solver.state.positions.slice()];
    const velocities: Float64Array[] = [kept.solver.state.velocities.slice()];
    for (const change of changes) {
      change(kept);
      kept.step();
      places.push(kept.solver.state.positions.slice());
      velocities.push(kept.solver.state.velocities.slice());
    }
    for (const [k, change] of changes.entries()) {
      change(before);
      const fresh = await one();
      Object.assign(fresh.options, before.options);
      fresh.pins.pinned.set(before.pins.pinned);
      fresh.solver.state.positions.set(places[k]);
      fresh.solver.state.velocities.set(velocities[k]);
      fresh.step();
      expect(largestDifference(fresh.solver.state.positions, places[k + 1]), `change ${k}`).toBe(0);
    }
  });

  it("has no weights of bending that are rounding beside the others", () => {
    const term = gridCloth(grid).terms.find(({ kind }) => kind === "isometric-bending")!;
    const { blocks, places } = packTerm(term, 168)!;
    const numbers = new Float32Array(blocks);
    const stride = 4 * (4 * places + 7);
    const sizes = [...numbers.keys()]
      .filter((i) => i % stride < 16 * places && (i % stride) % 16 >= 4 && numbers[i] !== 0)
      .map((i) => Math.abs(numbers[i]));
    const dust = [...term.rest].filter((x) => x !== 0 && Math.abs(x) < 1e-9 * Math.max(...sizes));
    expect(dust.length).toBeGreaterThan(100);
    expect(Math.min(...sizes)).toBeGreaterThan(1e-6 * Math.max(...sizes));
  });
});
