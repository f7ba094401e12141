import { describe, expect, it } from "vitest";
import { boxTetrahedra, fabrics, gridMesh, clothModel, ropeModel, solidModel } from "../../../src/index";
import type { DeformableModel } from "../../../src/solvers/deformable";
import { gravity, inWorld, run } from "./worlds";

/** Particles on a line of length 1 from the origin. */
function line(count: number, direction: readonly [number, number, number]): Float64Array {
  return Float64Array.from({ length: 3 * count }, (_, i) => (direction[i % 3] * Math.floor(i / 3)) / (count - 1));
}

/**
 * Sag of the free end of a clamped row of rigid links with hinges between them, each turning by M Δx / B under the moment M of the part
 * beyond; tends to q L⁴ / 8B for many links.
 *
 * @param load weight per length [N/m]
 */
function chainSag(links: number, length: number, load: number, stiffness: number): number {
  let [slope, height] = [0, 0];
  for (let i = 0; i < links; i++) {
    let moment = 0;
    // the weight of a link acts at its ends
    for (let j = i + 1; j <= links; j++) moment += (j === links ? 0.5 : 1) * load * length * (j - i) * length;
    slope += (moment * length) / stiffness;
    height += slope * length;
  }
  return height;
}

describe("a rope of the Newton solver", () => {
  const [density, radius] = [1000, 0.01];
  const area = Math.PI * radius * radius;

  it("hangs longer by ρ g L² / 2E", () =>
    inWorld({}, async (world) => {
      const youngsModulus = 1e6;
      const model = ropeModel({ solver: "newton", positions: line(21, [0, -1, 0]), radius, youngsModulus, density });
      const rope = world.addBody(model, { pins: [0], damping: 2 });
      run(world, 2);
      const longer = -1 - (await rope.readPositions())[3 * 20 + 1];
      expectAbout(longer / ((density * gravity) / (2 * youngsModulus)), 2e-3);
    }));

  it("hangs between two points as a catenary", () =>
    inWorld({}, async (world) => {
      const count = 49;
      const [span, length] = [0.8, 1];
      const depth = Math.sqrt(length ** 2 - span ** 2) / 2;
      // At first stretched taut to a weight in the middle.
      const positions = Float64Array.from({ length: 3 * count }, (_, i) => {
        const s = Math.floor(i / 3) / (count - 1);
        return [span * (s - 0.5), -depth * (1 - Math.abs(2 * s - 1)), 0][i % 3];
      });
      const model = ropeModel({ solver: "newton", positions, radius, youngsModulus: 1e9, density });
      const rope = world.addBody(model, { pins: [0, count - 1], damping: 3 });
      run(world, 4);
      // 2 a sinh(D / 2a) = L
      let [low, high] = [0.05, 5];
      for (let k = 0; k < 60; k++) {
        const a = (low + high) / 2;
        if (2 * a * Math.sinh(span / (2 * a)) > length) low = a;
        else high = a;
      }
      const heights = await rope.readPositions();
      for (const p of [8, 16, 24]) {
        const expected = low * (Math.cosh(heights[3 * p] / low) - Math.cosh(span / 2 / low));
        expect(heights[3 * p + 1]).toBeCloseTo(expected, 3);
      }
    }));

  it("sags as a chain of rigid links with hinges between them, where it is clamped and stiff", () =>
    inWorld({}, async (world) => {
      const [count, bendingStiffness] = [26, 10];
      const positions = line(count, [1, 0, 0]);
      const model = ropeModel({ solver: "newton", positions, radius, youngsModulus: 1e9, density, bendingStiffness });
      const rope = world.addBody(model, { pins: [0, 1], damping: 3 });
      run(world, 3);
      const expected = chainSag(count - 2, 1 / (count - 1), density * area * gravity, bendingStiffness);
      const sag = -(await rope.readPositions())[3 * (count - 1) + 1];
      expectAbout(sag / expected, 0.005);
    }));
});

describe("a bar of the Newton solver", () => {
  it.each(["corotational", "stable-neo-hookean"] as const)("of %s hangs longer by ρ g L² / 2E", (model) =>
    inWorld({}, async (world) => {
      const [youngsModulus, density] = [2e5, 400];
      const mesh = boxTetrahedra({ size: [0.2, 1, 0.2], cells: [1, 6, 1] });
      const material = { youngsModulus, poissonRatio: 0, density, model };
      const bar = world.addBody(solidModel({ solver: "newton", ...mesh, material }), { damping: 3 });
      bar.pin(particlesWhere(bar.model, (_x, y) => y > 0.499));
      run(world, 2);
      const heights = await bar.readPositions();
      const bottom = particlesWhere(bar.model, (_x, y) => y < -0.499);
      // Tetrahedra put more of their weight on some corners than on others.
      const longer = -0.5 - bottom.reduce((sum, p) => sum + heights[3 * p + 1], 0) / bottom.length;
      expectAbout(longer / ((density * gravity) / (2 * youngsModulus)), 0.02);
    }),
  );
});

describe("cloth of the Newton solver", () => {
  const plain = { ...fabrics["rubber-sheet"], areaDensity: 0.5, stretchWarp: 400, stretchWeft: 400, poissonRatio: 0 };

  it("hangs longer by its weight over its stiffness", () =>
    inWorld({}, async (world) => {
      const model = clothModel({
        solver: "newton",
        ...gridMesh({ width: 0.2, height: 1, columns: 2, rows: 10, plane: "xy" }),
        fabric: plain,
      });
      const body = world.addBody(model, { damping: 3 });
      body.pin(particlesWhere(model, (_x, y) => y > 0.499));
      run(world, 3);
      const heights = (await body.readPositions()).filter((_, i) => i % 3 === 1);
      expectAbout((-0.5 - Math.min(...heights)) / ((0.5 * gravity) / (2 * 400)), 0.02);
    }));

  it("sags as a chain of rigid cells with hinges between them, where it is clamped", () =>
    inWorld({}, async (world) => {
      const [cells, cell, stiffness] = [5, 0.3, 30];
      const fabric = { ...fabrics.denim, bendingWarp: stiffness, bendingWeft: stiffness };
      const grid = gridMesh({ width: (cells + 1) * cell, height: 2 * cell, columns: cells + 1, rows: 2 });
      const model = clothModel({ solver: "newton", ...grid, fabric });
      const end = ((cells + 1) * cell) / 2;
      const body = world.addBody(model, { damping: 10, pins: particlesWhere(model, (x) => x < -end + 1.1 * cell) });
      run(world, 4);
      const expected = chainSag(cells, cell, fabric.areaDensity * gravity, stiffness);
      const positions = await body.readPositions();
      // Triangles need not form a cylinder, which makes so few cells somewhat softer.
      for (const p of particlesWhere(model, (x) => x > end - 1e-6)) expectAbout(-positions[3 * p + 1] / expected, 0.15);
    }));
});

function particlesWhere({ positions }: DeformableModel, test: (x: number, y: number, z: number) => boolean): number[] {
  return Array.from({ length: positions.length / 3 }, (_, p) => p).filter((p) =>
    test(positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]),
  );
}

function expectAbout(ratio: number, tolerance: number): void {
  expect(Math.abs(ratio - 1)).toBeLessThan(tolerance);
}
