import { describe, expect, it } from "vitest";
import { quadraticMesh } from "../../src/geometry/tetrahedra/quadratic";
import { boxTetrahedra, type TetMesh } from "../../src/geometry/tetrahedra/tet-mesh";
import { solidLaws, type SolidLaw } from "../../src/materials/solid-material";
import { gpbdSolid } from "../../src/models/gpbd/soft-body";
import type { SolidElements } from "../../src/models/solid-elements";
import type { BodyState } from "../../src/solvers/deformable";
import type { GpbdOptions } from "../../src/solvers/gpbd/options";
import { RandomGeometry } from "../collision/random";
import { expectWithin } from "../figures";
import { randomGradient } from "../materials/solid-strains";
import { relativeError } from "../math/differences";
import { frameTime, inWorld, type BackendName } from "../world/worlds";

const side = 0.3;
function meshOf(elements?: SolidElements): TetMesh {
  const cells = elements === "quadratic" ? 2 : 3;
  return boxTetrahedra({ size: [side, side, side], cells: [cells, cells, cells], center: [0, side / 2, 0] });
}

const mesh = meshOf();

interface Drop {
  readonly model: SolidLaw;
  readonly options: Partial<GpbdOptions>;
  readonly frames: number;
  readonly elements?: SolidElements;
  /** distance by which a corner is pushed in [m]; beyond 0.1 its elements are inside out */
  readonly dent?: number;
}

/** A cube that falls on its edge, stretched and thrown with a spin. */
async function drop(backend: BackendName, { model, options, frames, elements, dent = 0 }: Drop): Promise<BodyState> {
  return inWorld(backend, {}, async (world) => {
    world.addCollider({ type: "box", halfExtents: [2, 0.1, 2] }, { position: [0, -0.1, 0], friction: 0.3 });
    const material = { youngsModulus: 2e4, poissonRatio: 0.4, density: 1000, model, damping: 1e-3 };
    const solid = gpbdSolid({ ...meshOf(elements), material, elements });
    const body = world.addBody(solid, { airDensity: 0, ...options });
    const rest = solid.positions;
    const positions = rest.map((value, i) => value * [1.1, 1, 0.95][i % 3] + [0, 0.05, 0][i % 3]);
    for (let c = 0; c < 3; c++) positions[c] += dent;
    const velocities = rest.map((_, i) => [3 * rest[i + 1], -2, 0][i % 3] || 0);
    body.writeState({ positions, velocities });
    for (let frame = 0; frame < frames; frame++) {
      world.step(frameTime);
      await world.settled();
    }
    return body.readState();
  });
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
}

/** Quadratic elements are swept four at a time. */
const quadratic = { elements: "quadratic", frames: 4 } as const;
const steady = { substeps: 10, iterations: 1, newtonIterations: 3 };
const drops: Drop[] = [
  // As-rigid-as-possible resists least: in the eighth frame some of its elements are turned over, which magnifies rounding.
  ...solidLaws.map((model) => ({
    model,
    options: { ...steady, method: "gauss-seidel" as const },
    frames: model === "arap" || model === "corotational" ? 4 : 8,
  })),
  { model: "stable-neo-hookean", options: { ...steady, method: "jacobi", iterations: 3 }, frames: 8 },
  { model: "stable-neo-hookean", options: { ...steady, method: "jacobi", iterations: 3, relaxation: 1.9 }, frames: 8 },
  { model: "stable-neo-hookean", options: { ...steady, method: "jacobi", iterations: 3, accelerate: true }, frames: 8 },
  { model: "neo-hookean", options: { ...steady, method: "gauss-seidel", warmStart: 0.9 }, frames: 8 },
  { model: "stable-neo-hookean", options: { ...steady, method: "jacobi", warmStart: 0.9 }, frames: 8 },
  { model: "neo-hookean", options: { ...steady, method: "gauss-seidel", warmStart: 0.9 }, frames: 1, dent: 0.13 },
  {
    model: "stable-neo-hookean",
    options: { ...steady, method: "jacobi", warmStart: 0.9, iterations: 2, accelerate: true },
    frames: 1,
    dent: 0.13,
  },
];

const quadratics: Drop[] = [
  ...solidLaws.map((model) => ({ ...quadratic, model, options: { ...steady, method: "gauss-seidel" as const } })),
  { ...quadratic, model: "stable-neo-hookean", options: { ...steady, method: "jacobi", iterations: 3 } },
  { ...quadratic, model: "neo-hookean", options: { ...steady, method: "jacobi", iterations: 3, accelerate: true } },
  { ...quadratic, model: "neo-hookean", options: { ...steady, iterations: 2, warmStart: 0.9, relaxation: 0.9 } },
  { ...quadratic, model: "stable-neo-hookean", options: { ...steady, method: "jacobi", warmStart: 0.9 } },
  { ...quadratic, model: "neo-hookean", options: { ...steady, warmStart: 0.9 }, frames: 1, dent: 0.13 },
  { ...quadratic, model: "stvk", options: { ...steady, method: "jacobi", warmStart: 0.9 }, frames: 1, dent: 0.13 },
];

describe("soft bodies in f32 on the GPU are those of the reference", () => {
  it.each([...drops, ...quadratics])("$elements $model, $options", { timeout: 60_000 }, async (of) => {
    const reference = await drop("cpu", of);
    const found = await drop("webgpu", of);
    // Turned elements magnify rounding, most if they are raised to a fiftieth of their height (Gauss-Seidel).
    const bound = !of.dent ? 1 : of.options.method === "jacobi" ? 10 : 20;
    const apart = largestDifference(found.positions, reference.positions);
    expectWithin("positions, part of a side", apart / side, bound * 5e-4);
    expectWithin("velocities [m/s]", largestDifference(found.velocities, reference.velocities), bound * 2e-2);
    const { positions } = of.elements ? quadraticMesh(meshOf(of.elements)) : mesh;
    expect(reference.positions.length).toBe(positions.length);
    expect(largestDifference(reference.positions, positions)).toBeGreaterThan(0.01);
  });
});

describe("the update of one tetrahedron in f32 is that of the reference", () => {
  it.each(solidLaws)("%s, at random strains", async (model) => {
    // each by itself
    const random = new RandomGeometry(61);
    const [positions, placed]: number[][] = [[], []];
    const count = 200;
    for (let t = 0; t < count; t++) {
      const corners = [[0, 0, 0], random.vector(0.02), random.vector(0.02), random.vector(0.02)];
      for (let c = 0; c < 3; c++) corners[c + 1][c] += 0.1;
      const f = randomGradient(
        random,
        [0, 1, 2].map(() => random.between(0.85, 1.2)),
      );
      for (const x of corners) {
        positions.push(...x);
        placed.push(...[0, 3, 6].map((row) => f[row] * x[0] + f[row + 1] * x[1] + f[row + 2] * x[2]));
      }
    }
    const material = { youngsModulus: 2e5, poissonRatio: 0.4, density: 1000, model };
    const tetrahedra = Array.from({ length: 4 * count }, (_, i) => i);
    const update = (backend: BackendName): Promise<Float64Array> =>
      inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
        const options = { substeps: 1, newtonIterations: 1, method: "gauss-seidel", airDensity: 0 } as const;
        const body = world.addBody(gpbdSolid({ positions, tetrahedra, material }), options);
        const start = Float64Array.from(placed, Math.fround);
        body.writeState({ positions: start, velocities: new Float64Array(start.length) });
        world.step(0.004);
        const { velocities } = await body.readState();
        return Float64Array.from(velocities, (v) => 0.004 * v);
      });
    const [reference, found] = [await update("cpu"), await update("webgpu")];
    const errors = Float64Array.from({ length: count }, (_, t) =>
      relativeError(found.subarray(12 * t, 12 * t + 12), reference.subarray(12 * t, 12 * t + 12), 1e-4),
    ).sort();
    // If a Hessian is not positive definite, the two make it so in different ways (the stable model's, two in these 200).
    expectWithin(`${model}, displacement of a step, relative`, errors[Math.floor(0.98 * count)], 1e-4);
  });
});

describe.each(["cpu", "webgpu"] as const)("a warm start on %s", (backend) => {
  it("is forgotten with the state that it belongs to", async () => {
    const options = { substeps: 4, warmStart: 0.95, airDensity: 0 };
    const rest = await inWorld(backend, {}, async (world) => {
      world.gravity = [0, 0, 0];
      const material = { youngsModulus: 2e4, poissonRatio: 0.4, density: 1000 };
      const body = world.addBody(gpbdSolid({ ...mesh, material }), options);
      const velocities = new Float64Array(mesh.positions.length);
      body.writeState({ positions: mesh.positions.map((value, i) => (i % 3 === 0 ? 1.2 * value : value)), velocities });
      for (let frame = 0; frame < 3; frame++) world.step(frameTime);
      body.writeState({ positions: mesh.positions, velocities });
      world.step(frameTime);
      await world.settled();
      return body.readState();
    });
    expect(largestDifference(rest.positions, mesh.positions)).toBeLessThan(1e-6);
  });
});
