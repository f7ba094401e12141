import { describe, expect, it } from "vitest";
import { minDeterminant } from "../../samples/solids";
import type { TetMesh } from "../../src/geometry/tetrahedra/tet-mesh";
import { boxTetrahedra, solidModel, type DeformableBody, type World } from "../../src/index";
import { solidLaws, type SolidMaterial } from "../../src/materials/solid-material";
import type { SolidElements } from "../../src/models/solid-elements";
import type { SoftBodyModel } from "../../src/models/gpbd/soft-body";
import { softEnergy } from "./soft-energy";
import { tilted } from "./tilted";
import { backends, inWorld } from "./worlds";

const GRAVITY = 9.81;
/** Young's modulus relative to the pressure of the impact, ρ v²: from crushed flat to hardly deformed. */
const STIFFNESS = [0.005, 0.05, 1];
const DENSITY = 1000;
/** the same of bars */
const BLOWS = [0.05, 1, 5];
const FRAMES = { cpu: 24, webgpu: 12 };

/** A body with the default options, on its way to the ground and close to it. */
interface Throw {
  readonly world: World;
  readonly mesh: TetMesh;
  readonly size: number;
  readonly speed: number;
  readonly elements?: SolidElements;
  readonly material: SolidMaterial;
}

function throwInto({ world, mesh, size, speed, material, elements }: Throw): DeformableBody {
  const half = 100 * size;
  world.addCollider({ type: "box", halfExtents: [half, half, half] }, { position: [0, -half, 0] });
  const lowest = Math.min(...mesh.positions.filter((_, i) => i % 3 === 1));
  const positions = mesh.positions.map((x, i) => (i % 3 === 1 ? x - lowest + 0.05 * size : x));
  const model = solidModel({ positions, tetrahedra: mesh.tetrahedra, material, elements });
  const body = world.addBody(model);
  body.writeState({
    positions: model.positions,
    velocities: model.positions.map((_, i) => [0.3 * speed, -speed, 0][i % 3]),
  });
  return body;
}

/** Kinetic energy and that of gravity [J]. */
async function energyOf(body: DeformableBody): Promise<number> {
  const { kinetic, potential } = await softEnergy(body, GRAVITY);
  return kinetic + potential;
}

describe.each(backends)("soft cubes thrown at the ground with the default options: %s", (backend) => {
  it.each(solidLaws)("%s gains no energy, whatever its size and speed", async (model) => {
    const throws = STIFFNESS.map((part, k) => ({ part, size: [0.1, 1, 10][k], speed: [13, 40, 5][k] }));
    for (const { part, size, speed } of backend === "cpu" ? throws : throws.slice(1, 2)) {
      const label = JSON.stringify({ part, size, speed });
      await inWorld(backend, {}, async (world) => {
        const mesh = boxTetrahedra({ size: [size, size, size], cells: [3, 3, 3] });
        const material = { youngsModulus: part * DENSITY * speed * speed, poissonRatio: 0.4, density: DENSITY, model };
        const body = throwInto({ world, mesh, size, speed, material });
        const given = await energyOf(body);
        for (let frame = 1; frame <= FRAMES[backend]; frame++) {
          world.step(1 / 60);
          if (frame % 3 === 0) expect(await energyOf(body), label).toBeLessThan(1.02 * given);
        }
      });
    }
  });
});

describe.each(backends)("bars of one quadratic cell thrown at the ground with the default options: %s", (backend) => {
  it.each(solidLaws)(
    "%s gains no energy, and is not inside out after it where it is no softer than the blow",
    async (model) => {
      const throws = BLOWS.map((part, k) => ({ part, size: [0.1, 1, 10][k], speed: [13, 40, 5][k] }));
      for (const { part, size, speed } of backend === "cpu" ? throws : throws.slice(1, 2)) {
        const label = JSON.stringify({ part, size, speed });
        await inWorld(backend, {}, async (world) => {
          const mesh = boxTetrahedra({ size: [5 * size, size, size], cells: [5, 1, 1] });
          const positions = tilted(mesh.positions, 0.4);
          const material = {
            youngsModulus: part * DENSITY * speed * speed,
            poissonRatio: 0.4,
            density: DENSITY,
            model,
          };
          const body = throwInto({ world, mesh: { ...mesh, positions }, size, speed, material, elements: "quadratic" });
          expect(body.model.middles!.length).toBeGreaterThan(0);
          const given = await energyOf(body);
          for (let frame = 1; frame <= FRAMES[backend]; frame++) {
            world.step(1 / 60);
            if (frame % 3 === 0) expect(await energyOf(body), label).toBeLessThan(1.02 * given);
          }
          const { positions: now } = await body.readState();
          if (part >= 1) expect(minDeterminant(body.model as SoftBodyModel, now), label).toBeGreaterThan(0);
        });
      }
    },
  );
});
