import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GUARD_BYTES } from "../../../../src/generated/constants";
import { GuardState } from "../../../../src/generated/structs";
import { boxTetrahedra, solidModel } from "../../../../src/index";
import { RigidProxy } from "../../../../src/collision/obstacles/rigid-proxy";
import { solidLaws } from "../../../../src/materials/solid-material";
import type { Vec3 } from "../../../../src/math/types";
import { cross, dot, subtract } from "../../../../src/math/vectors";
import {
  addProxy,
  divide,
  energyAt,
  keep,
  lift,
  shareOf,
  storedEnergy,
} from "../../../../src/solvers/gpbd/guard/energy-guard";
import { pinMotion } from "../../../../src/solvers/gpbd/guard/pin-motion";

const number = fc.double({ min: -10, max: 10, noNaN: true });
const vector = fc.tuple(number, number, number);

describe("the share of its impulses that a body may have", () => {
  it("is the largest that keeps it within its energy, or that of the least", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 10, noNaN: true }), number, number, number, (e, a, c, limit) => {
        const balance = { e, a, c: Math.abs(c), limit };
        const share = shareOf(balance);
        const found = energyAt(balance, share);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
        for (let k = 0; k <= 20; k++) {
          const other = energyAt(balance, k / 20);
          if (found > limit + 1e-9) expect(other).toBeGreaterThanOrEqual(found - 1e-9);
          else if (k / 20 > share + 1e-9) expect(other).toBeGreaterThanOrEqual(limit - 1e-9);
        }
      }),
    );
  });
});

it("what contact adds is what it does on a free body", () => {
  const moments: Vec3 = [1, 2, 4];
  fc.assert(
    fc.property(vector, vector, vector, vector, vector, (velocity, spin, centre, impulse, arm) => {
      const proxy = new RigidProxy();
      const inverseInertia = [...moments.map((value) => 1 / value), 0, 0, 0];
      proxy.setResponse({ inverseMass: 0.5, inverseInertia, centre, velocity, spin });
      proxy.centreNow.set(centre);
      const at = [0, 1, 2].map((k) => centre[k] + arm[k]) as unknown as Vec3;
      const balance = { e: 0, a: 0, c: 0, limit: 0 };
      addProxy(balance, proxy, [...impulse, ...cross(at, impulse)], 1, 0);
      const turn = cross(arm, impulse);
      const kinetic = (share: number): number =>
        [0, 1, 2].reduce(
          (sum, k) =>
            sum +
            (velocity[k] + share * 0.5 * impulse[k]) ** 2 +
            0.5 * moments[k] * (spin[k] + (share * turn[k]) / moments[k]) ** 2,
          0,
        );
      for (const share of [0.3, 1]) expect(energyAt(balance, share)).toBeCloseTo(kinetic(share) - kinetic(0), 6);
      expect(balance.c).toBeGreaterThanOrEqual(0.25 * dot(impulse, impulse) - 1e-9);
    }),
  );
});

it("nothing is taken from a body that other contacts hold", () => {
  const proxy = new RigidProxy();
  const held = {
    inverseMass: 0,
    inverseInertia: [0, 0, 0, 0, 0, 0],
    mobility: 0,
    turning: 0,
    support: [0, 0, 0],
  } as const;
  proxy.setResponse({ ...held, centre: [0, 0, 0], velocity: [0, 5, 0] });
  const balance = { e: 0, a: 0, c: 0, limit: 0 };
  addProxy(balance, proxy, [0, -1e6, 0, 0, 0, 0], 1, 0);
  expect(energyAt(balance, 1)).toBeGreaterThanOrEqual(0);
});

describe("the energy of a solid", () => {
  it.each(solidLaws)("of %s is none at rest, grows with strain, and is not known inside out", (model) => {
    const mesh = boxTetrahedra({ size: [1, 1, 1], cells: [2, 2, 2] });
    const body = solidModel({ ...mesh, material: { youngsModulus: 1e4, poissonRatio: 0.3, density: 100, model } });
    const stretched = (by: number): number =>
      storedEnergy(
        body,
        mesh.positions.map((x, i) => (i % 3 === 0 ? by * x : x)),
      );
    expect(stretched(1)).toBeCloseTo(0, 9);
    const small = stretched(1.001);
    // λ + 2µ of uniaxial strain
    const axial = (1e4 * (1 - 0.3)) / (1.3 * 0.4);
    const isArap = model === "arap";
    expect(small / (0.5 * (isArap ? 1e4 / 1.3 : axial) * 1e-6)).toBeCloseTo(1, 1);
    expect(stretched(1.2)).toBeGreaterThan(small);
    expect(stretched(-0.5)).toBe(Infinity);
  });
});

describe("what each body has of an account", () => {
  const energy = fc.double({ min: 0, max: 10, noNaN: true });
  const elastic = fc.oneof({ weight: 4, arbitrary: energy }, { weight: 1, arbitrary: fc.constant(Infinity) });
  const bodies = fc.array(fc.record({ kinetic: energy, elastic }), { minLength: 1, maxLength: 5 });

  it("is no more than there is of it, and all together no more than there was", () => {
    fc.assert(
      fc.property(energy, bodies, (budget, owned) => {
        const parts = divide(budget, owned);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(budget + 1e-9);
        const all = owned.reduce((sum, { kinetic }) => sum + kinetic, 0);
        parts.forEach((part, k) => {
          expect(part).toBeLessThanOrEqual(owned[k].kinetic + owned[k].elastic + 1e-9);
          if (all <= budget) expect(part).toBeGreaterThanOrEqual(owned[k].kinetic - 1e-9);
        });
      }),
    );
  });

  it("is what there is of it where nothing was known", () => {
    const owned = [
      { kinetic: 1, elastic: 2 },
      { kinetic: 3, elastic: Infinity },
    ];
    expect(divide(Infinity, owned)).toEqual([3, Infinity]);
  });
});

describe("the motion of pins", () => {
  const mesh = boxTetrahedra({ size: [1, 1, 1], cells: [2, 2, 2] });
  const body = solidModel({ ...mesh, material: { youngsModulus: 1e4, poissonRatio: 0.3, density: 100 } });
  const face = [...body.masses.keys()].filter((p) => mesh.positions[3 * p] === 0.5);
  const dt = 1 / 60;
  const moved = (way: (x: Vec3) => Vec3): Float64Array =>
    Float64Array.from(mesh.positions, (value, i) => {
      const p = i - (i % 3);
      return value + dt * way([mesh.positions[p], mesh.positions[p + 1], mesh.positions[p + 2]])[i % 3];
    });

  it("is found where it is rigid, and nothing is beside it", () => {
    fc.assert(
      fc.property(vector, vector, (velocity, spin) => {
        fc.pre(velocity.some((v) => Math.abs(v) > 1e-3));
        const to = moved((x) => {
          const turned = cross(spin, x);
          return [velocity[0] + turned[0], velocity[1] + turned[1], velocity[2] + turned[2]];
        });
        const { spin: found, drive, blow, ...rest } = pinMotion(body, face, to, mesh.positions, dt)!;
        const led = cross(found, subtract([0.5, 0, 0], rest.centre));
        const truly = cross(spin, [0.5, 0, 0]);
        for (let c = 0; c < 3; c++) expect(rest.velocity[c] + led[c]).toBeCloseTo(velocity[c] + truly[c], 6);
        // Its own inertia turns a body somewhat less than a face of it.
        for (let c = 0; c < 3; c++) expect(Math.abs(found[c] - spin[c])).toBeLessThan(0.02 * Math.abs(spin[c]) + 1e-9);
        expect(blow).toBeLessThan(0.5 * 100 * 4 * (0.02 * Math.hypot(...spin)) ** 2 + 1e-9);
        expect(drive).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it("is none where pins rest", () => {
    expect(pinMotion(body, face, mesh.positions, mesh.positions, dt)).toBeUndefined();
  });

  it("may give at least what it strains a body by that rests", () => {
    fc.assert(
      fc.property(fc.array(vector, { minLength: face.length, maxLength: face.length }), (ways) => {
        const to = mesh.positions.slice();
        face.forEach((p, k) => ways[k].forEach((value, c) => (to[3 * p + c] += 1e-5 * value)));
        const motion = pinMotion(body, face, to, mesh.positions, dt);
        fc.pre(motion !== undefined);
        // Beside its rigid motion the strain is no other.
        const { velocity, spin, centre, drive } = motion!;
        const all = Float64Array.from(mesh.positions, (value, i) => {
          const p = Math.floor(i / 3);
          if (face.includes(p)) return to[i];
          const turned = cross(
            spin,
            subtract([...mesh.positions.subarray(3 * p, 3 * p + 3)] as unknown as Vec3, centre),
          );
          return value + dt * (velocity[i % 3] + turned[i % 3]);
        });
        expect(drive ** 2).toBeGreaterThan(0.999 * storedEnergy(body, all));
      }),
    );
  });
});

it("has the size on a GPU that its buffer has", () => {
  expect(GUARD_BYTES).toBe(GuardState.size);
});

describe("what pins lend", () => {
  const energy = fc.double({ min: 0, max: 10, noNaN: true });

  it("is never more than a blow beside what is stored, and goes back where nothing is known", () => {
    fc.assert(
      fc.property(energy, energy, energy, energy, (budget, drive, blow, stored) => {
        const known = lift(budget, { drive, blow, stored }, 1);
        expect(known).toBeGreaterThanOrEqual(budget);
        expect(known).toBeLessThanOrEqual(Math.max(budget, blow + (Math.sqrt(stored) + drive) ** 2) + 1e-9);
        const unknown = lift(budget, { drive, blow, stored: Infinity }, 1);
        expect(unknown).toBeLessThanOrEqual(Math.max(budget, blow));
        const owned = [{ kinetic: 1, elastic: Infinity }];
        expect(keep(unknown, unknown - budget, undefined, owned)).toBeCloseTo(
          Math.max(budget, Math.min(1, unknown)),
          9,
        );
      }),
    );
  });
});
