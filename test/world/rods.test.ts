import { describe, expect, it } from "vitest";
import { elasticaTip } from "../../samples/elastica";
import { knotDeterminant, overhandKnot, passesThroughItself, strandDistance } from "../../samples/knots";
import { gridMesh } from "../../src/geometry/grid";
import { gpbdCloth } from "../../src/models/gpbd/cloth";
import { ropeModel } from "../../src/index";
import { gpbdRod, type RodDescription, type RodModel } from "../../src/models/gpbd/rod";
import type { BodyState } from "../../src/solvers/deformable";
import { recommendedSubsteps, type GpbdOptions } from "../../src/solvers/gpbd/options";
import { axisOf } from "../../src/solvers/gpbd/rods/rod-set";
import { expectWithin } from "../figures";
import { expectRefused } from "../refusal";
import { frameTime, inWorld, run, type BackendName } from "./worlds";

const rubber = { radius: 0.01, density: 1000, youngsModulus: 1e6 };
/** mass per length of `rubber` [kg/m] */
const lineDensity = 1000 * Math.PI * 0.01 ** 2;

function straight(count: number, length: number, direction: readonly number[] = [1, 0, 0]): number[] {
  return Array.from({ length: count }, (_, i) => direction.map((d) => (d * i * length) / (count - 1))).flat();
}

describe("a rope that hangs", () => {
  it("is longer by ρ g L² / 2 E", async () => {
    const [length, links] = [1, 20];
    const model = gpbdRod({ ...rubber, positions: straight(links + 1, length, [0, -1, 0]) });
    const state = await inWorld("cpu", { gravity: [0, -9.81, 0] }, async (world) => {
      const body = world.addBody(model, { pins: [0], damping: 8, substeps: 30, iterations: 4 });
      run(world, 60);
      return body.readState();
    });
    const expected = (1000 * 9.81 * length ** 2) / (2 * 1e6);
    // half of an edge's mass hangs on its upper end: no discretization error is left
    expectWithin("elongation, relative", Math.abs((-state.positions[3 * links + 1] - length) / expected - 1), 0.01);
  });
});

describe("a rod that flies", () => {
  /** Momentum and angular momentum about the origin. */
  function momentum({ positions: x, velocities: v, frames }: BodyState, { masses, rods }: RodModel): number[] {
    const sum = [0, 0, 0, 0, 0, 0];
    masses.forEach((m, p) => {
      const [a, b, c] = [3 * p, 3 * p + 1, 3 * p + 2];
      for (let k = 0; k < 3; k++) sum[k] += m * v[a + k];
      sum[3] += m * (x[b] * v[c] - x[c] * v[b]);
      sum[4] += m * (x[c] * v[a] - x[a] * v[c]);
      sum[5] += m * (x[a] * v[b] - x[b] * v[a]);
    });
    const axis = new Float64Array(3);
    rods.inertias.forEach((inertia, e) => {
      axisOf(frames!, 5 * e, axis);
      for (let k = 0; k < 3; k++) sum[3 + k] += inertia * frames![5 * e + 4] * axis[k];
    });
    return sum;
  }

  it("keeps momentum, and angular momentum nearly", async () => {
    const positions = straight(13, 0.5).map((value, i) => value + [0, 0.05, 0.02][i % 3] * Math.sin(i));
    const model = gpbdRod({ ...rubber, positions, twist: 3, naturalShape: "path" });
    const velocities = positions.map((_, i) => Math.cos(1.3 * i));
    await inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
      const body = world.addBody(model, { substeps: 200, airDensity: 0 });
      body.writeState({ positions, velocities, frames: (await body.readState()).frames });
      const before = momentum(await body.readState(), model);
      run(world, 6);
      const after = momentum(await body.readState(), model);
      // the sum if all particles circled the origin in the same direction
      const size = model.masses.reduce(
        (sum, m, p) =>
          sum +
          m * Math.hypot(...positions.slice(3 * p, 3 * p + 3)) * Math.hypot(...velocities.slice(3 * p, 3 * p + 3)),
        0,
      );
      for (let k = 0; k < 3; k++) expect(after[k]).toBeCloseTo(before[k], 10);
      for (let k = 3; k < 6; k++)
        expectWithin("angular momentum, part of what there could be", Math.abs(after[k] - before[k]) / size, 0.01);
    });
  });
});

describe("a rod that falls through the air", () => {
  const light = { radius: 0.005, density: 50, youngsModulus: 1e5 };
  const [airDensity, drag, g] = [1.2, 1.1, 9.81];

  /** Mean velocity of a rod along an axis: of one in a wind across it, and of one that falls along its axis; at some frames. */
  async function fall(backend: BackendName, frames: readonly number[]): Promise<number[][][]> {
    return inWorld(backend, { gravity: [0, -g, 0] }, async (world) => {
      const rod = (direction: readonly number[], more: Partial<GpbdOptions> = {}) => {
        const model = gpbdRod({ ...light, positions: straight(7, 0.6, direction) });
        return world.addBody(model, { substeps: 4, airDensity, drag, lift: 0, bodyCollision: false, ...more });
      };
      const rods = [rod([1, 0, 0]), rod([1, 0, 0], { wind: [0, 3, 3] }), rod([0, -1, 0])];
      const seen: number[][][] = [];
      for (let frame = 1; frame <= frames.at(-1)!; frame++) {
        run(world, 1);
        if (!frames.includes(frame)) continue;
        const velocities = await Promise.all(rods.map((body) => body.readVelocities()));
        seen.push(velocities.map((v) => [0, 1, 2].map((k) => v.reduce((s, x, i) => s + (i % 3 === k ? x / 7 : 0), 0))));
      }
      return seen;
    });
  }

  it("comes to the speed of a cylinder across it, and none along it", async () => {
    // ½ ρ C_D d v∞² = λ g, and v = v∞ tanh(g t / v∞) on the way there
    const lambda = light.density * Math.PI * light.radius ** 2;
    const terminal = Math.sqrt((2 * lambda * g) / (airDensity * drag * 2 * light.radius));
    const [early, late] = await fall("cpu", [10, 120]);
    const time = 10 * frameTime;
    const expected = terminal * Math.tanh((g * time) / terminal);
    expectWithin("speed on the way, relative", Math.abs(-early[0][1] / expected - 1), 0.02);
    expectWithin("free fall along the axis, relative", Math.abs(-early[2][1] / (g * time) - 1), 1e-4);
    // of first order in the time Δt for which air forces are constant: Δt g / 2 v∞ is 0.0085
    expectWithin("terminal speed, relative", Math.abs(-late[0][1] / terminal - 1), 0.01);
    // a wind across the rod carries it along; relative to the wind it then falls as in still air
    expectWithin("speed in the wind, relative", Math.abs(late[1][2] / 3 - 1), 0.05);
    expectWithin("terminal speed in the wind, relative", Math.abs((3 - late[1][1]) / terminal - 1), 0.02);
  });

  it("does so on the GPU", async () => {
    const [[reference], [found]] = [await fall("cpu", [4]), await fall("webgpu", [4])];
    const error = Math.max(...found.flatMap((v, i) => v.map((x, k) => Math.abs(x - reference[i][k]))));
    expectWithin("difference of velocities [m/s]", error, 1e-4);
  });
});

describe("rods on the GPU", () => {
  async function swing(backend: BackendName, options: Partial<GpbdOptions>, more: Partial<RodDescription>) {
    return inWorld(backend, { gravity: [0, -9.81, 0] }, async (world) => {
      const positions = straight(13, 0.6).map((value, i) => value + (i % 3 === 2 ? 0.05 * Math.cos(i / 3) : 0));
      world.addCollider({ type: "sphere", radius: 0.1 }, { position: [0.35, -0.16, 0], friction: 0.4 });
      const body = world.addBody(gpbdRod({ ...rubber, positions, ...more }), { pins: [0, 1], ...options });
      for (let frame = 0; frame < 8; frame++) {
        world.step(frameTime);
        await world.settled();
      }
      return body.readState();
    });
  }

  it.each([
    [
      { substeps: 20, iterations: 2 },
      { twist: 4, damping: 1e-3 },
    ],
    [
      { substeps: 20, warmStart: 0.9, newtonIterations: 2 },
      { twist: 4, naturalShape: "path" as const },
    ],
    [{ substeps: 20 }, { closed: true, twist: 2 }],
  ])("are those of the reference: %o, %o", { timeout: 60_000 }, async (options, more) => {
    const reference = await swing("cpu", options, more);
    const found = await swing("webgpu", options, more);
    const largest = (key: "positions" | "frames"): number =>
      Math.max(
        ...Array.from(reference[key]!, (value, i) =>
          key === "frames" && i % 5 === 4 ? 0 : Math.abs(value - found[key]![i]),
        ),
      );
    expectWithin("positions [m]", largest("positions"), 2e-4);
    expectWithin("frames", largest("frames"), 5e-3);
  });

  it("touch themselves as those of the reference do", { timeout: 60_000 }, async () => {
    const positions = overhandKnot(0.03, 0.1, 0.03, 0.04);
    const n = positions.length / 3;
    const pull = async (backend: BackendName): Promise<BodyState> =>
      inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
        const body = world.addBody(gpbdRod({ ...rubber, positions }), {
          selfCollision: true,
          pins: [0, 1, n - 2, n - 1],
          damping: 4,
        });
        for (let frame = 1; frame <= 12; frame++) {
          for (const [p, side] of [
            [0, -1],
            [1, -1],
            [n - 2, 1],
            [n - 1, 1],
          ] as const)
            body.setPinTarget(p, positions[3 * p] + (side * frame) / 60, positions[3 * p + 1], positions[3 * p + 2]);
          world.step(frameTime);
          await world.settled();
        }
        return body.readState();
      });
    const [reference, found] = [await pull("cpu"), await pull("webgpu")];
    const largest = Math.max(...Array.from(reference.positions, (value, i) => Math.abs(value - found.positions[i])));
    expectWithin("positions [m]", largest, 2e-3);
  });
});

describe("a rope with long edges", () => {
  /** Least distance of a rope's edges from the axis of a pole along z [m]. */
  function leastDistance(x: ArrayLike<number>, pole: readonly [number, number]): number {
    let least = Infinity;
    for (let i = 0; i + 3 < x.length; i += 3)
      for (let t = 0; t <= 1; t += 0.05) {
        const [u, v] = [0, 1].map((c) => x[i + c] + t * (x[i + 3 + c] - x[i + c]) - pole[c]);
        least = Math.min(least, Math.hypot(u, v));
      }
    return least;
  }

  it.each([
    { size: 1, segments: 20, ends: 1, backend: "cpu", solver: "gpbd" },
    { size: 0.1, segments: 14, ends: 1, backend: "cpu", solver: "gpbd" },
    { size: 10, segments: 33, ends: -1, backend: "cpu", solver: "gpbd" },
    { size: 1, segments: 20, ends: 1, backend: "webgpu", solver: "gpbd" },
    { size: 1, segments: 20, ends: 1, backend: "cpu", solver: "newton" },
    { size: 0.1, segments: 14, ends: -1, backend: "cpu", solver: "newton" },
    { size: 10, segments: 33, ends: 1, backend: "webgpu", solver: "newton" },
  ] as const)(
    "hangs on a pole that fits between its points, size $size, $segments segments, $solver, $backend",
    { timeout: 60_000 },
    async ({ size, segments, ends, backend, solver }) => {
      const positions = straight(segments + 1, 2 * size, [ends, 0, 0]).map(
        (value, i) => value + [-ends * 0.97 * size, 0.1 * size, 0][i % 3],
      );
      const [radius, pole] = [0.01 * size, 0.005 * size];
      await inWorld(backend, { gravity: [0, -9.81 * size, 0] }, async (world) => {
        const rope = { ...rubber, radius, positions, bendingStiffness: 1e-3 * size ** 5 };
        const body = world.addBody(ropeModel({ solver, ...rope }));
        world.addCollider({ type: "capsule", pointA: [0, 0, -size], pointB: [0, 0, size], radius: pole });
        const frames = backend === "cpu" ? 40 : 15;
        for (let frame = 0; frame < frames; frame++) {
          world.step(frameTime);
          const { positions: x } = await body.readState();
          expectWithin("depth, part of the radius", (pole + 0.5 * radius - leastDistance(x, [0, 0])) / radius, 0.25);
        }
        const { positions: x } = await body.readState();
        expect(Math.max(...x.filter((_, i) => i % 3 === 1))).toBeGreaterThan(0);
      });
    },
  );

  it.each([0.5, 5, 30])("is carried along by a pole that moves at %s m/s", { timeout: 60_000 }, async (speed) => {
    const positions = straight(15, 1).map((value, i) => value + [-0.53, 0, 0][i % 3]);
    await inWorld("cpu", { gravity: [0, 0, 0] }, async (world) => {
      const body = world.addBody(gpbdRod({ ...rubber, positions }), {});
      const pole = world.addCollider({ type: "capsule", pointA: [0, 0, -1], pointB: [0, 0, 1], radius: 0.004 });
      let y = -0.1;
      pole.teleport([0, y, 0]);
      for (; y < 1.2; y += speed * frameTime) {
        pole.setPose([0, y, 0]);
        world.step(frameTime);
      }
      const { positions: x } = await body.readState();
      // Its middle is ahead of the pole.
      expect(Math.max(...x.filter((_, i) => i % 3 === 1 && Math.abs(x[i - 1]) < 0.1))).toBeGreaterThan(
        y - speed * frameTime,
      );
    });
  });

  it("bears a thin rod that falls on it", { timeout: 60_000 }, async () => {
    const positions = straight(12, 1).map((value, i) => value + [-0.5, 0, 0][i % 3]);
    await inWorld("cpu", { gravity: [0, -9.81, 0] }, async (world) => {
      const body = world.addBody(gpbdRod({ ...rubber, positions }), { pins: [0, 11] });
      const rod = world.addRigidBody({
        shape: { type: "box", halfExtents: [0.005, 0.005, 0.3] },
        mass: 0.05,
        position: [0.005, 0.3, 0],
      });
      for (let frame = 0; frame < 90; frame++) {
        world.step(frameTime);
        const { positions: x } = await body.readState();
        expect(rod.position[1]).toBeGreaterThan(Math.min(...x.filter((_, i) => i % 3 === 1)) - 0.01);
      }
    });
  });
});

describe("a rope that falls on cloth", () => {
  it("lies on it between the points of both", async () => {
    const grid = gridMesh({ width: 0.4, height: 0.4, columns: 4, rows: 4 });
    const cloth = gpbdCloth({ ...grid, fabric: "denim" });
    const edge = [...cloth.masses.keys()].filter((p) =>
      [0, 2].some((c) => Math.abs(cloth.positions[3 * p + c]) > 0.19),
    );
    // edges of 20 cm, whose ends are beyond the middle row of vertices
    const rope = gpbdRod({ ...rubber, positions: [-0.15, 0.03, 0.05, 0.05, 0.03, 0.05, 0.15, 0.03, -0.15] });
    await inWorld("cpu", { gravity: [0, -9.81, 0] }, async (world) => {
      const options = { substeps: 20, bodyCollision: true, damping: 3 };
      const under = world.addBody(cloth, { ...options, pins: edge, thickness: 0.004 });
      const over = world.addBody(rope, options);
      run(world, 30);
      const [low, high] = [await under.readPositions(), await over.readPositions()];
      expect(Math.min(...low.filter((_, i) => i % 3 === 1))).toBeGreaterThan(-0.06);
      expect(Math.min(...low.filter((_, i) => i % 3 === 1))).toBeLessThan(-0.002);
      for (const y of high.filter((_, i) => i % 3 === 1)) expect(Math.abs(y)).toBeLessThan(0.06);
    });
  });
});

describe("what the scenes measure rods with", () => {
  it("knows an overhand knot from none, whichever way it is laid", () => {
    const knot = overhandKnot(0.04, 0.3, 0.01, 0.03);
    expect(knotDeterminant(knot)).toBe(3);
    expect(knotDeterminant(knot.map((value, i) => (i % 3 === 2 ? -value : value)))).toBe(3);
    // without height all strands cross in the order of the list
    const turned = knot.map((value, i) => (i % 3 === 2 ? 1e-3 * i : value));
    expect(knotDeterminant(turned)).toBe(1);
    expect(knotDeterminant(straight(9, 1))).toBe(1);
    expect(strandDistance(knot, 6)).toBeGreaterThan(0.025);
  });

  it("counts edges that pass through each other, not beside each other", () => {
    const hook = (height: number, beside = 0): number[] => [
      -1,
      0,
      0,
      1,
      0,
      0,
      1,
      2,
      0,
      beside,
      2,
      height,
      beside,
      -1,
      height,
    ];
    expect(passesThroughItself(hook(0.5), hook(0.2))).toBe(0);
    expect(passesThroughItself(hook(0.5), hook(-0.3))).toBe(1);
    expect(passesThroughItself(hook(0.5, -2), hook(-0.3, -2))).toBe(0);
  });

  it("knows the tip of a light elastica by Euler and Bernoulli, of a heavy one by its hanging", () => {
    expect(elasticaTip(0.01)[1]).toBeCloseTo(0.01 / 8, 6);
    // far from the clamp a heavy rod hangs straight down
    expect(elasticaTip(100)[1]).toBeGreaterThan(0.85);
    expect(elasticaTip(100)[1]).toBeLessThan(1);
    expect(elasticaTip(10, 2000)[0]).toBeCloseTo(elasticaTip(10, 500)[0], 8);
  });
});

describe("rods that make no sense", () => {
  const path = straight(4, 1);
  const refusals: [
    string,
    Partial<RodDescription>,
    "invalid-argument" | "non-finite" | "degenerate-geometry",
    RegExp,
  ][] = [
    ["one point", { positions: [0, 0, 0] }, "invalid-argument", /rod positions.*2 or more points/],
    [
      "a closed one of two",
      { positions: straight(2, 1), closed: true },
      "invalid-argument",
      /3 or more points, as the path/,
    ],
    ["half a point", { positions: [0, 0, 0, 1] }, "invalid-argument", /three for each/],
    ["NaN", { positions: [0, 0, 0, 1, NaN, 0] }, "non-finite", /point 1/],
    ["an edge without length", { positions: [0, 0, 0, 1, 0, 0, 1, 0, 0] }, "degenerate-geometry", /edge 1/],
    ["no radius", { radius: 0 }, "invalid-argument", /radius.*positive/],
    ["a density that is not finite", { density: Infinity }, "invalid-argument", /density.*positive/],
    ["a stiffness below 0", { bendingStiffness: -1 }, "invalid-argument", /bendingStiffness.*negative/],
    ["Poisson's ratio of 0.6", { poissonRatio: 0.6 }, "invalid-argument", /poissonRatio.*0.5/],
    ["a twist that is not finite", { twist: NaN }, "invalid-argument", /twist.*finite/],
    ["a shape that there is not", { naturalShape: "bent" as never }, "invalid-argument", /naturalShape/],
  ];

  it.each(refusals)("are refused: %s", (_what, part, code, message) => {
    expectRefused(() => gpbdRod({ ...rubber, positions: path, ...part }), code, message);
  });

  it("and frames that do not fit them", async () => {
    await inWorld("cpu", {}, async (world) => {
      const body = world.addBody(gpbdRod({ ...rubber, positions: path }));
      expectRefused(() => body.writeState({ positions: path, frames: [1] }), "invalid-argument", /must be 15 numbers/);
    });
  });

  it("but take more substeps where they are stiff", () => {
    const of = (youngsModulus: number): number =>
      recommendedSubsteps(gpbdRod({ ...rubber, youngsModulus, positions: straight(40, 1) }));
    expect(of(1e4)).toBe(20);
    expect(of(4e6) / of(1e6)).toBeCloseTo(2, 1);
    expect(lineDensity).toBeCloseTo(0.314, 3);
  });
});
