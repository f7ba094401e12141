import { afterEach, expect, it, vi } from "vitest";
import { crushed } from "../../../../bench/stress/families/crushed";
import { drawScene } from "../../../../bench/stress/run";
import { ConeSolver } from "../../../../src/solvers/newton/island/cone-solver";
import type { IslandSystem } from "../../../../src/solvers/newton/island/island-system";
import { RigidWorld } from "../../../../src/index";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Kinetic energy that impulses p give to an island, as a part of what each of them gives or takes: that of the push out of overlaps does not count. */
function gain(system: IslandSystem, p: Float64Array): number {
  const { contacts, firstContact, contactCount, bodies } = system;
  system.setVelocity(p);
  const before = new Float64Array(system.size);
  const after = new Float64Array(system.size);
  system.measure(bodies.scratch.freeVelocity, before);
  system.measure(bodies.scratch.velocity, after);
  let [work, size] = [0, 0];
  for (let k = 0; k < contactCount; k++) {
    work += p[3 * k] * contacts.bias[firstContact + k];
    for (let i = 3 * k; i < 3 * k + 3; i++) {
      work += p[i] * 0.5 * (before[i] + after[i]);
      size += Math.abs(p[i] * before[i]);
    }
  }
  return work / (size || 1);
}

// Light bodies below others of a hundred to a hundred thousand times their density, from a millimeter to 100 m.
it("finds impulses within their cones that give no energy", () => {
  const { solve } = ConeSolver.prototype;
  let calls = 0;
  let [least, outside, gained] = [0, 0, 0];
  vi.spyOn(ConeSolver.prototype, "solve").mockImplementation(function (this: ConeSolver, system, p) {
    solve.call(this, system, p);
    calls++;
    for (let k = 0; k < system.contactCount; k++) {
      const limit = system.contacts.friction[system.firstContact + k] * p[3 * k];
      least = Math.min(least, p[3 * k]);
      outside = Math.max(outside, Math.hypot(p[3 * k + 1], p[3 * k + 2]) - limit * (1 + 1e-9));
    }
    gained = Math.max(gained, gain(system, p));
  });
  for (let seed = 1; seed <= 12; seed++) {
    const { bodies, timeStep } = drawScene(crushed, seed);
    const world = new RigidWorld();
    for (const body of bodies!) world.addBody(body);
    for (let frame = 0; frame < 40; frame++) world.step(timeStep);
  }
  expect(calls).toBeGreaterThan(100);
  expect(least).toBe(0);
  expect(outside).toBeLessThanOrEqual(0);
  expect(gained).toBeLessThan(1e-6);
});
