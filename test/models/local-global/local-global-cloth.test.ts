import { describe, expect, it } from "vitest";
import { gridMesh, World } from "../../../src/index";
import { localGlobalSheet, type SheetBending } from "../../../src/models/local-global/local-global-cloth";
import { elasticEnergy } from "../../../src/solvers/local-global/body/energy";
import { createTermState, projectTerm } from "../../../src/solvers/local-global/body/local-step";
import { addCross } from "../../../src/solvers/local-global/body/turning";
import { expectRefused } from "../../refusal";

const material = { youngsModulus: 1e6, poissonRatio: 0.3, density: 300, model: "arap" } as const;
const grid = gridMesh({ width: 1, height: 0.5, columns: 40, rows: 20 });

describe("sheets of the local-global solver", () => {
  it.each(["isometric", "laplace-beltrami"] as const)(
    "rolled to a cylinder, bend with ½ B κ² per area: %s",
    (bending: SheetBending) => {
      const sheet = localGlobalSheet({ ...grid, thickness: 0.001, bending, bendingStiffness: 3, material });
      const radius = 2;
      const q = sheet.positions.slice();
      for (let i = 0; i < q.length; i += 3) {
        q[i] = radius * Math.sin(sheet.positions[i] / radius);
        q[i + 1] = radius * Math.cos(sheet.positions[i] / radius) - radius;
      }
      const energy = elasticEnergy({ ...sheet, terms: [sheet.terms[1]] }, q);
      expect(energy / ((0.5 * 3 * 0.5) / radius ** 2)).toBeGreaterThan(0.92);
      expect(energy / ((0.5 * 3 * 0.5) / radius ** 2)).toBeLessThan(1.08);
      expect(elasticEnergy(sheet, sheet.positions)).toBeLessThan(1e-20);
    },
  );

  it.each(["isometric", "laplace-beltrami"] as const)(
    "curved at rest, have ½ B (κ − κ₀)² per area, wherever they turn to, and no torque of their own: %s",
    (bending) => {
      const [radius, stiffness] = [0.6, 3];
      const rolled = (r: number): number[] =>
        Array.from(grid.positions, (value, i) => {
          const angle = grid.positions[i - (i % 3)] / r;
          return i % 3 === 0 ? r * Math.sin(angle) : i % 3 === 1 ? r * (Math.cos(angle) - 1) : value;
        });
      const shape = { positions: rolled(radius), indices: grid.indices };
      const sheet = localGlobalSheet({ ...shape, thickness: 0.001, bending, bendingStiffness: stiffness, material });
      const term = sheet.terms[1];
      const bent = { ...sheet, terms: [term] };
      const turned = sheet.positions.map((_, i, x) => (i % 3 === 0 ? -x[i + 1] : i % 3 === 1 ? x[i - 1] : x[i] + 3));
      expect(elasticEnergy(bent, turned)).toBeLessThan(1e-20);
      for (const other of [1.2, 1e3]) {
        const expected = 0.5 * stiffness * (1 / other - 1 / radius) ** 2 * 0.5;
        const relative = elasticEnergy(bent, rolled(other)) / expected;
        expect(Math.abs(relative - 1)).toBeLessThan(0.08);
      }
      const q = turned.map((value, i) => value + 0.02 * Math.sin(37 * i));
      const force = new Float64Array(q.length);
      projectTerm(term, createTermState(term), undefined, q, 1, undefined, force);
      const [sum, torque] = [new Float64Array(3), new Float64Array(3)];
      let size = 0;
      for (let i = 0; i < q.length; i += 3) {
        addCross(1, q, i, force, i, torque);
        for (let c = 0; c < 3; c++) sum[c] += force[i + c];
        size += Math.hypot(force[i], force[i + 1], force[i + 2]);
      }
      expect(Math.max(...sum.map(Math.abs), ...torque.map(Math.abs)) / size).toBeLessThan(1e-12);
      // forces are minus the gradient
      const along = q.map((_, i) => Math.cos(11 * i));
      const at = (s: number): number =>
        elasticEnergy(
          bent,
          q.map((value, i) => value + s * along[i]),
        );
      const slope = (at(1e-6) - at(-1e-6)) / 2e-6;
      const work = force.reduce((total, f, i) => total + f * along[i], 0);
      expect(Math.abs(slope / -work - 1)).toBeLessThan(1e-5);
    },
  );

  it("weigh what their material does, and stretch with Young's modulus", () => {
    const sheet = localGlobalSheet({
      ...grid,
      thickness: 0.002,
      bending: "none",
      material: { ...material, model: "corotational" },
    });
    expect(sheet.masses.reduce((sum, mass) => sum + mass, 0)).toBeCloseTo(300 * 0.5 * 0.002, 12);
    // uniaxial stress: σ₂ = 1 − ν ε, energy ½ E ε² per volume
    const strain = 1e-4;
    const q = sheet.positions.map(
      (value, i) => value * (i % 3 === 0 ? 1 + strain : i % 3 === 2 ? 1 - 0.3 * strain : 1),
    );
    expect(elasticEnergy(sheet, q) / (0.5 * 1e6 * strain ** 2 * 0.5 * 0.002)).toBeCloseTo(1, 6);
  });

  it.each(["corotational", "arap"] as const)("keep within their stretch limits: %s", async (model) => {
    const hang = async (stretchLimits?: readonly [number, number]): Promise<number> => {
      const mesh = gridMesh({ width: 0.2, height: 0.6, columns: 4, rows: 12, plane: "xy" });
      const world = await World.create({ backend: "cpu" });
      const sheet = localGlobalSheet({
        ...mesh,
        thickness: 0.001,
        stretchLimits,
        material: { youngsModulus: 2e3, poissonRatio: 0.3, density: 300, model },
      });
      const top = [...sheet.masses.keys()].filter((i) => sheet.positions[3 * i + 1] > 0.29);
      const body = world.addBody(sheet, { pins: top, iterations: 40, damping: 3 });
      for (let frame = 0; frame < 60; frame++) world.step(1 / 60);
      const now = await body.readPositions();
      let lowest = 0;
      for (let i = 1; i < now.length; i += 3) lowest = Math.min(lowest, now[i]);
      return (0.3 - lowest) / 0.6;
    };
    expect(await hang()).toBeGreaterThan(1.3);
    expect(await hang([0.9, 1.05])).toBeLessThan(1.07);
  });

  it("are refused with a thickness, bending or limits that make no sense", () => {
    const make = (change: object): unknown => localGlobalSheet({ ...grid, thickness: 0.001, material, ...change });
    expectRefused(() => make({ thickness: 0 }), "invalid-argument", /thickness/);
    expectRefused(() => make({ bending: "stiff" }), "invalid-argument", /bending/);
    expectRefused(() => make({ bendingStiffness: -1 }), "invalid-argument", /bendingStiffness/);
    expectRefused(() => make({ stretchLimits: [1.1, 1.2] }), "invalid-argument", /stretchLimits/);
    const apart = { positions: [0, 0, 0, 1, 0, 0, 0, 0, 1, 5, 0, 0, 6, 0, 0, 5, 0, 1], indices: [0, 1, 2, 3, 4, 5] };
    expectRefused(() => make(apart), "degenerate-geometry", /connected/);
  });
});
