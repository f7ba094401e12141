import { describe, expect, it } from "vitest";
import { gridMesh } from "../../src/geometry/grid";
import { boxTetrahedra } from "../../src/geometry/tetrahedra/tet-mesh";
import { principalModels, type SolidLaw } from "../../src/materials/solid-material";
import { localGlobalSolid } from "../../src/models/local-global/local-global";
import { localGlobalSheet, type SheetBending } from "../../src/models/local-global/local-global-cloth";
import type { BodyState } from "../../src/solvers/deformable";
import type { LocalGlobalOptions } from "../../src/solvers/local-global/options";
import { expectWithin } from "../figures";
import { type BackendName, frameTime, inWorld, run } from "../world/worlds";

const FRAMES = 30;

/** A bar with held ends, one of which turns about its axis. */
async function twistedBar(backend: BackendName, model: SolidLaw): Promise<BodyState> {
  return inWorld(backend, {}, async (world) => {
    const mesh = boxTetrahedra({ size: [1, 0.25, 0.25], cells: [8, 2, 2] });
    const material = { youngsModulus: 1e6, poissonRatio: 0.4, density: 1000, model };
    const body = world.addBody(localGlobalSolid({ ...mesh, material }));
    const x = body.model.positions;
    const ends = [...body.model.masses.keys()].filter((i) => Math.abs(x[3 * i]) > 0.499);
    body.pin(ends);
    for (let frame = 1; frame <= FRAMES; frame++) {
      const angle = (Math.PI / 2) * (frame / FRAMES);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (const i of ends.filter((end) => x[3 * end] > 0))
        body.setPinTarget(i, x[3 * i], c * x[3 * i + 1] - s * x[3 * i + 2], s * x[3 * i + 1] + c * x[3 * i + 2]);
      world.step(frameTime);
    }
    return body.readState();
  });
}

/** A sheet that hangs from two corners, far from the origin. */
async function hungSheet(
  backend: BackendName,
  model: SolidLaw,
  bending: SheetBending,
  { radius = Infinity, ...air }: Partial<LocalGlobalOptions> & { radius?: number } = {},
): Promise<BodyState> {
  return inWorld(backend, {}, async (world) => {
    const { positions, indices } = gridMesh({ width: 1, height: 1, columns: 9, rows: 9 });
    for (let i = 0; radius < Infinity && i < positions.length; i += 3) {
      const angle = positions[i] / radius;
      positions[i] = radius * Math.sin(angle);
      positions[i + 1] = radius * (Math.cos(angle) - 1);
    }
    const body = world.addBody(
      localGlobalSheet({
        positions: Array.from(positions, (value, i) => value + [3, 1, -2][i % 3]),
        indices,
        thickness: 0.002,
        bending,
        bendingStiffness: radius < Infinity ? 0.05 : undefined,
        stretchLimits: [0.9, 1.02],
        material: { youngsModulus: 1e5, poissonRatio: 0.3, density: 300, model },
      }),
      { damping: 0.5, substeps: 2, ...air },
    );
    body.pin([0, 9]);
    for (let frame = 0; frame < FRAMES; frame++) world.step(frameTime);
    return body.readState();
  });
}

/** A cube with a corner that begins inside out; most of it is pressed to half its height. */
async function crushedCube(backend: BackendName, model: SolidLaw): Promise<BodyState> {
  return inWorld(backend, {}, async (world) => {
    const mesh = boxTetrahedra({ size: [0.5, 0.5, 0.5], cells: [2, 2, 2] });
    const material = { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000, model };
    const body = world.addBody(localGlobalSolid({ ...mesh, material }));
    const positions = mesh.positions.map((x, i) => x * (i % 3 === 1 ? 0.5 : 1));
    for (let c = 0; c < 3; c++) positions[c] += c === 1 ? 0.1 : 0.225;
    body.writeState({ positions, velocities: new Float64Array(positions.length) });
    run(world, 3);
    return body.readState();
  });
}

function expectSame(found: BodyState, reference: BodyState): void {
  expectWithin("positions, part of the body's size", largest(found.positions, reference.positions), 1e-5);
  expectWithin("velocities [m/s]", largest(found.velocities, reference.velocities), 1e-3);
}

function largest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
}

describe("local-global bodies in f32 on the GPU are those of the reference", () => {
  it.each(["arap", "neo-hookean"] as const)("a twisted bar, %s", { timeout: 60_000 }, async (model) =>
    expectSame(await twistedBar("webgpu", model), await twistedBar("cpu", model)),
  );

  it.each(principalModels)("what is flat and inside out, %s", async (model) => {
    const [found, reference] = [await crushedCube("webgpu", model), await crushedCube("cpu", model)];
    expectWithin("positions [m]", largest(found.positions, reference.positions), 1e-5);
    expectWithin("velocities [m/s]", largest(found.velocities, reference.velocities), 1e-3);
  });

  it.each([
    ["neo-hookean", "isometric"],
    ["arap", "laplace-beltrami"],
  ] as const)("a hung sheet, %s, %s bending", { timeout: 60_000 }, async (model, bending) =>
    expectSame(await hungSheet("webgpu", model, bending), await hungSheet("cpu", model, bending)),
  );

  it.each(["isometric", "laplace-beltrami"] as const)(
    "a sheet that is curved at rest, %s bending",
    { timeout: 60_000 },
    async (bending) => {
      const reference = await hungSheet("cpu", "arap", bending, { radius: 0.4 });
      expectSame(await hungSheet("webgpu", "arap", bending, { radius: 0.4 }), reference);
    },
  );

  it("a sheet in the wind", { timeout: 60_000 }, async () => {
    const air = { airDensity: 1.2, wind: [2, 1, -9] as const, drag: 1, lift: 0.5 };
    const reference = await hungSheet("cpu", "arap", "isometric", air);
    const found = await hungSheet("webgpu", "arap", "isometric", air);
    // rounding errors grow in a gust
    expectWithin("positions, part of the body's size", largest(found.positions, reference.positions), 1e-4);
    const still = await hungSheet("cpu", "arap", "isometric");
    expect(largest(reference.positions, still.positions)).toBeGreaterThan(0.1);
  });
});
