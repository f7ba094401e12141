import { expect, it } from "vitest";
import { kineticEnergy } from "../../../samples/metrics";
import { gridMesh } from "../../../src/index";
import { ColliderSet } from "../../../src/collision/obstacles/collider-set";
import { localGlobalCloth } from "../../../src/models/local-global/local-global-fabric";
import { elasticEnergy } from "../../../src/solvers/local-global/body/energy";
import type { GroupBody } from "../../../src/solvers/local-global/body/group-body";
import type { Cluster } from "../../../src/solvers/local-global/contact/clusters";
import { EnergyAccount } from "../../../src/solvers/local-global/trust";

it.each([0.01, 0.3, 1, 3])("a stiff body of which a frame is taken back turns by %d without a stretch", (angle) => {
  const dt = 1 / 60;
  const size = 0.4;
  const mesh = gridMesh({ width: size, height: 2 * size, columns: 6, rows: 6, center: [1, 2, 3] });
  const model = localGlobalCloth(mesh);
  const { masses, particleCount } = model;
  const positions = Float64Array.from(model.positions);
  const spin = angle / dt;
  // about an axis across the sheet's long side, with a flight
  const velocities = positions.map((_, i) => {
    const [y, z] = [positions[i - (i % 3) + 1] - 2, positions[i - (i % 3) + 2] - 3];
    return [4, 1 - spin * z, spin * y][i % 3];
  });
  const start = [positions, velocities] as const;
  // The frame has made no finite number.
  const state = { positions: positions.map(() => NaN), velocities: positions.map(() => NaN) };
  const body = {
    model,
    state: { positions: positions.slice(), velocities: velocities.slice() },
    options: { gravityFactor: 1, airDensity: 0 },
    pinSolver: { exact: new Uint8Array(particleCount), vertices: [] },
    outer: new Float64Array(positions.length),
    pinWay: 0,
    frozenAt: 0,
  };
  const frame = { dt, gravity: [0, -9.81, 0], colliders: new ColliderSet() };
  const account = new EnergyAccount([body as unknown as GroupBody], [start], frame as never);
  body.state = state;
  const cluster = { bodies: [0], proxies: new Set(), meetsObstacle: true } as unknown as Cluster;
  expect(account.hold(cluster)).toBe(0);
  expect(account.isKept(cluster)).toBe(true);
  const kinetic = kineticEnergy(velocities, masses);
  expect(elasticEnergy(model, state.positions) / kinetic).toBeLessThan(1e-12);
  const mass = masses.reduce((sum, m) => sum + m, 0);
  // Gravity makes it fall, and nothing else changes the motion of its middle or what it has of spin.
  const fallen = 1 - 9.81 * dt;
  const expected = kinetic + 0.5 * mass * (fallen ** 2 - 1);
  expect(Math.abs(kineticEnergy(state.velocities, masses) / expected - 1)).toBeLessThan(1e-9);
});
