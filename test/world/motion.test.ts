import { distance, norm } from "../../src/math/vectors";
import { describe, expect, it } from "vitest";
import { angularMomentum, centerOfMass, kineticEnergy, linearMomentum, totalMass } from "../../samples/metrics";
import type { Vec3 } from "../../src/math/types";
import { fabrics } from "../../src/materials/fabric";
import { gridMesh } from "../../src/geometry/grid";
import { gpbdCloth, type MembraneModel } from "../../src/models/gpbd/cloth";
import { airInterval } from "../../src/solvers/gpbd/external-forces";
import type { GpbdMethod } from "../../src/solvers/gpbd/options";
import { RandomGeometry } from "../collision/random";
import { expectWithin } from "../figures";
import { gridCloth } from "./cloths";
import { backends, frameTime, inWorld, run } from "./worlds";

const methods: GpbdMethod[] = ["gauss-seidel", "jacobi", "hybrid"];
/** Every membrane with one method, every method with one membrane. */
const pairs: { membrane: MembraneModel; method: GpbdMethod }[] = [
  { membrane: "stvk", method: "gauss-seidel" },
  { membrane: "stvk", method: "jacobi" },
  { membrane: "neo-hookean", method: "hybrid" },
  { membrane: "springs", method: "jacobi" },
];
const grid = { width: 0.6, height: 0.4, columns: 7, rows: 5 };

describe.each(backends)("free flight on %s", (backend) => {
  it.each(methods)("of the centre of mass is the closed form of backward Euler, %s", async (method) => {
    await inWorld(backend, { gravity: [1, -9.81, 0.5] }, async (world) => {
      const model = gridCloth(grid, { fabric: "silk" });
      const random = new RandomGeometry(101);
      const substeps = 7;
      const body = world.addBody(model, { method, substeps, iterations: 2, airDensity: 0, gravityFactor: 0.5 });
      // thrown, and every vertex shaken
      const velocities = Float64Array.from(
        model.positions,
        (_, i) => [1.5, 2, -0.5][i % 3] + random.between(-0.3, 0.3),
      );
      body.writeState({ positions: model.positions, velocities });
      const start = centerOfMass(model.positions, model.masses);
      const mass = totalMass(model.masses);
      const v = linearMomentum(velocities, model.masses).map((p) => p / mass);
      const frames = 20;
      run(world, frames);
      const h = frameTime / substeps;
      const n = frames * substeps;
      const expected = start.map(
        (x, c) => x + v[c] * n * h + (0.5 * world.gravity[c] * h * h * n * (n + 1)) / 2,
      ) as unknown as Vec3;
      const { positions, velocities: after } = await body.readState();
      const way = distance(expected, start);
      expectWithin(
        "centre of mass, relative to its way",
        distance(centerOfMass(positions, model.masses), expected) / way,
        1e-4,
      );
      const momentum = v.map((value, c) => mass * (value + 0.5 * world.gravity[c] * n * h)) as unknown as Vec3;
      const drift = distance(linearMomentum(after, model.masses), momentum) / norm(momentum);
      expectWithin("momentum that gravity does not explain, relative", drift, 1e-4);
    });
  });

  it.each(pairs)("keeps momentum and spin without gravity: $membrane, $method", async ({ membrane, method }) => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const model = gridCloth(grid, { membrane, bending: "dihedral" });
      const body = world.addBody(model, { method, substeps: 20, iterations: 2, airDensity: 0 });
      // slides along x and turns about all axes
      const spin = [0.2, 0.3, -0.2];
      const velocities = Float64Array.from(model.positions, (_, i) => {
        const p = i - (i % 3);
        const [x, y, z] = model.positions.subarray(p, p + 3);
        return [0.5 + spin[1] * z - spin[2] * y, spin[2] * x - spin[0] * z, spin[0] * y - spin[1] * x][i % 3];
      });
      body.writeState({ positions: model.positions, velocities });
      const linear = linearMomentum(velocities, model.masses);
      const angular = angularMomentum(model.positions, velocities, model.masses);
      run(world, 15);
      const state = await body.readState();
      const linearDrift = distance(linearMomentum(state.velocities, model.masses), linear) / norm(linear);
      const angularDrift =
        distance(angularMomentum(state.positions, state.velocities, model.masses), angular) / norm(angular);
      expectWithin("drift of linear momentum, relative", linearDrift, 1e-4);
      expectWithin("drift of angular momentum, relative", angularDrift, 1e-4);
    });
  });

  it("keeps linear momentum while a stretched cloth springs back", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const model = gridCloth(grid, { fabric: "rubber-sheet" });
      const body = world.addBody(model, { substeps: 10, iterations: 2, airDensity: 0 });
      const random = new RandomGeometry(102);
      const positions = model.positions.map((x, i) => (i % 3 === 0 ? 1.4 * x : x) + random.between(-1e-3, 1e-3));
      const velocities = Float64Array.from(positions, (_, i) => (i % 3 === 2 ? 0.5 : 0));
      body.writeState({ positions, velocities });
      const before = linearMomentum(velocities, model.masses);
      run(world, 12);
      const { velocities: after } = await body.readState();
      const internal = Math.sqrt(2 * kineticEnergy(after, model.masses) * totalMass(model.masses));
      expect(internal).toBeGreaterThan(1.5 * norm(before));
      const drift = distance(linearMomentum(after, model.masses), before) / norm(before);
      expectWithin("drift of linear momentum, relative", drift, 1e-4);
    });
  });
});

describe.each(backends)("damping on %s", (backend) => {
  it("lets velocities fade by 1/(1 + Δt c) each step: the closed form of backward Euler", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const model = gridCloth(grid);
      const [substeps, damping, frames] = [7, 3, 40];
      const body = world.addBody(model, { substeps, damping, airDensity: 0 });
      const velocity = [0.8, -0.5, 0.3];
      body.writeState({
        positions: model.positions,
        velocities: Float64Array.from(model.positions, (_, i) => velocity[i % 3]),
      });
      const start = centerOfMass(model.positions, model.masses);
      run(world, frames);
      const h = frameTime / substeps;
      const q = 1 / (1 + h * damping);
      const n = frames * substeps;
      const factor = q ** n;
      const way = (h * q * (1 - factor)) / (1 - q);
      const state = await body.readState();
      const mass = totalMass(model.masses);
      const [found, moved] = [
        linearMomentum(state.velocities, model.masses),
        centerOfMass(state.positions, model.masses),
      ];
      for (let c = 0; c < 3; c++) {
        expectWithin("velocity, relative", Math.abs(found[c] / (mass * velocity[c] * factor) - 1), 1e-4);
        expectWithin("way, relative", Math.abs((moved[c] - start[c]) / (velocity[c] * way) - 1), 1e-4);
      }
    });
  });
});

describe.each(backends)("air on %s", (backend) => {
  const density = 1.2;

  it("lets a falling horizontal cloth reach terminal velocity: √(2 σ g / ρ C_D)", async () => {
    await inWorld(backend, {}, async (world) => {
      const model = gridCloth(grid, { fabric: "cotton" });
      const [substeps, drag, sigma] = [12, 1.3, fabrics.cotton.areaDensity];
      const body = world.addBody(model, { substeps, airDensity: density, drag, lift: 0 });
      const start = model.positions.slice();
      const frames = 60;
      run(world, frames);
      const terminal = Math.sqrt((2 * sigma * 9.81) / (density * drag));
      const { positions, velocities } = await body.readState();
      const speeds = Array.from({ length: model.particleCount }, (_, p) => -velocities[3 * p + 1]);
      // Drag is divided by 1 + Δ k v with the time Δ between evaluations and k = ½ ρ C_D / σ: g (1 + Δ k v) = k v².
      const k = (0.5 * density * drag) / sigma;
      const gd = 9.81 * airInterval(substeps) * (frameTime / substeps) * k;
      const discrete = (gd + Math.sqrt(gd * gd + 4 * k * 9.81)) / (2 * k);
      expectWithin("terminal velocity, relative", Math.abs(Math.max(...speeds) / terminal - 1), 0.03);
      expectWithin("terminal velocity of the integrator, relative", Math.abs(Math.max(...speeds) / discrete - 1), 1e-3);
      expectWithin("its spread over the cloth, relative", 1 - Math.min(...speeds) / Math.max(...speeds), 1e-3);
      // on the way there, v = v_t tanh(g t / v_t): x = v_t²/g ln cosh(g t / v_t)
      const way = (terminal ** 2 / 9.81) * Math.log(Math.cosh((9.81 * frames * frameTime) / terminal));
      expectWithin("way fallen, relative", Math.abs((start[1] - positions[1]) / way - 1), 0.03);
    });
  });

  it("takes an upright cloth along with the wind, up to the wind's speed and not beyond", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const { positions, indices } = gridMesh({ ...grid, plane: "xy" });
      const body = world.addBody(gpbdCloth({ positions, indices, fabric: "silk" }), {
        substeps: 5,
        airDensity: density,
        wind: [0, 0, 8],
      });
      let last = 0;
      for (let i = 0; i < 6; i++) {
        run(world, 4);
        const velocities = await body.readVelocities();
        const speed = velocities[2];
        expect(speed).toBeGreaterThan(last);
        expect(Math.max(...velocities)).toBeLessThan(8);
        last = speed;
      }
      expect(last).toBeGreaterThan(6);
    });
  });

  it("does nothing to a cloth seen edge-on, and nothing at all without density", async () => {
    for (const options of [
      { wind: [9, 0, 0] as const, airDensity: density },
      { wind: [0, 9, 0] as const, airDensity: 0 },
    ])
      await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
        const model = gridCloth(grid);
        const body = world.addBody(model, { substeps: 4, ...options });
        run(world, 5);
        const { velocities } = await body.readState();
        expectWithin("speed of a cloth without air [m/s]", Math.max(...Array.from(velocities, Math.abs)), 1e-5);
      });
  });

  it("lifts a sloping cloth across the wind, to the lee side", async () => {
    await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const mesh = gridMesh(grid);
      // leans back by 30°: wind along x pushes it up
      for (let i = 0; i < mesh.positions.length; i += 3)
        mesh.positions[i + 1] = -Math.tan(Math.PI / 6) * mesh.positions[i];
      const rise = async (lift: number): Promise<number> => {
        const body = world.addBody(gpbdCloth(mesh), { substeps: 4, wind: [5, 0, 0], drag: 1, lift });
        run(world, 2);
        const velocities = await body.readVelocities();
        body.dispose();
        return velocities[1];
      };
      expect(Math.abs(await rise(0))).toBeLessThan(1e-6);
      expect(await rise(0.5)).toBeGreaterThan(1e-3);
    });
  });
});
