import { describe, expect, it } from "vitest";
import { buildIncidence, NO_VERTEX } from "../../src/geometry/surface/incidence";
import { fabrics } from "../../src/materials/fabric";
import { solveCholesky } from "../../src/math/dense";
import { bendingModels } from "../../src/models/gpbd/bending";
import { gpbdCloth } from "../../src/models/gpbd/cloth";
import { localGlobalCloth } from "../../src/models/local-global/local-global-fabric";
import { newtonCloth } from "../../src/models/newton/newton-cloth";
import { termLayout, type EnergyTerm } from "../../src/solvers/gpbd/model";
import { WEIGHTS } from "../../src/solvers/gpbd/strains/curvature-vectors";
import { elasticEnergy } from "../../src/solvers/local-global/body/energy";
import { addBendingStress, bendingEnergy, bendingSprings } from "../../src/solvers/newton/deformable/bending-set";
import { RandomGeometry } from "../collision/random";
import { expectWithin } from "../figures";
import { delaunay, jittered, scattered, type FlatMesh } from "../geometry/delaunay";
import { termEnergy } from "./energies";
import { backends, inWorld } from "../world/worlds";

const random = new RandomGeometry(5);
const cells = 12;
const meshes: Readonly<Record<string, FlatMesh>> = {
  grid: jittered([1, 1], [cells, cells], 0, random, "alternating"),
  "grid cut one way": jittered([1, 1], [cells, cells], 0, random, "one way"),
  "oblong cells": jittered([1, 1], [cells, 2 * cells], 0, random, "one way"),
  random: jittered([1, 1], [cells, cells], 0.25, random, "at random"),
  Delaunay: delaunay(scattered([1, 1], 1 / cells, random)),
};
const stiffnesses = [
  [1, 1],
  [10, 1],
  [1, 10],
] as const;
const warps = [0, 0.5, 1.1];
const directions = [0, 15, 30, 45, 60, 75, 90, 120, 135, 165].map((degrees) => (degrees * Math.PI) / 180);

/** A sheet of a mesh, with its warp at an angle to x. */
function sheet({ positions, indices }: FlatMesh, [bendingWarp, bendingWeft]: readonly [number, number], warp: number) {
  const [c, s] = [Math.cos(warp), Math.sin(warp)];
  const uvs: number[] = [];
  for (let i = 0; i < positions.length; i += 3)
    uvs.push(c * positions[i] + s * positions[i + 2], c * positions[i + 2] - s * positions[i]);
  return { positions, indices, uvs, fabric: { ...fabrics.cotton, bendingWarp, bendingWeft, bendingDamping: 0 } };
}

/** Bending of a sheet by triangles: three weights per place, and the solver's energy. */
interface SheetBending extends Elements {
  readonly positions: Float64Array;
  /** [J] */
  energy(part: Elements, x: Float64Array): number;
}

interface Elements {
  readonly arity: number;
  readonly indices: Uint32Array;
  /** three per place */
  readonly weights: Float64Array;
}

/** Bending of the solvers' models of a sheet. */
const solvers: Readonly<Record<string, (cloth: ReturnType<typeof sheet>) => SheetBending>> = {
  ...Object.fromEntries(
    bendingModels.map((bending) => [
      `gpbd, ${bending}`,
      (cloth) => {
        const { positions, terms } = gpbdCloth({ ...cloth, bending });
        return gpbdBending(positions, terms);
      },
    ]),
  ),
  newton: (cloth) => {
    const { positions, bending } = newtonCloth(cloth);
    const set = bending![0];
    expect(set.columns).toBe(3);
    return {
      ...set,
      positions,
      energy: (part, x) => {
        const elements = { ...set, ...part, count: part.indices.length / part.arity };
        const stress = new Float64Array(x.length);
        addBendingStress(bendingSprings(elements), x, stress);
        const energy = bendingEnergy(elements, x);
        // from the heights alone: in the plane forces and their work are differences of large numbers
        const work = stress.reduce((sum, f, i) => sum + (i % 3 === 1 ? 0.5 * f * x[i] : 0), 0);
        expectWithin("work of the springs, relative", Math.abs(work / energy - 1), 1e-9);
        return energy;
      },
    };
  },
  "local-global": (cloth) => {
    const model = localGlobalCloth(cloth);
    const term = model.terms.find(({ kind }) => kind === "bending")!;
    expect(term.columns).toBe(3);
    expect(term.restCurvatures).toBeUndefined();
    return {
      arity: term.arity,
      indices: term.indices,
      weights: term.coefficients,
      positions: model.restPositions,
      energy: ({ indices, weights: coefficients }, x) => {
        const elementCount = indices.length / term.arity;
        const part = {
          ...term,
          indices,
          coefficients,
          elementCount,
          measures: term.measures.subarray(0, elementCount),
        };
        return elasticEnergy({ ...model, terms: [part] }, x);
      },
    };
  },
};

function gpbdBending(positions: Float64Array, terms: readonly EnergyTerm[]): SheetBending {
  const term = terms.find(({ kind }) => kind.endsWith("-bending"))!;
  const { arity, rest: stride } = termLayout[term.kind];
  const elements = [...Array(term.elementCount).keys()];
  const weights = elements.flatMap((e) => [
    ...term.rest.subarray(stride * e + WEIGHTS, stride * e + WEIGHTS + 3 * arity),
  ]);
  const keys = elements.map((e) => term.indices.subarray(arity * e, arity * e + 3).join());
  return {
    arity,
    indices: term.indices,
    weights: Float64Array.from(weights),
    positions,
    energy: ({ indices }, x) => {
      const own = new Set(
        [...Array(indices.length / arity).keys()].map((e) => indices.subarray(arity * e, arity * e + 3).join()),
      );
      const kept = elements.filter((e) => own.has(keys[e]));
      const pick = (values: ArrayLike<number>, size: number) =>
        kept.flatMap((e) => Array.from({ length: size }, (_, k) => values[size * e + k]));
      return termEnergy(
        {
          ...term,
          elementCount: kept.length,
          indices: Uint32Array.from(pick(term.indices, arity)),
          rest: Float64Array.from(pick(term.rest, stride)),
        },
        x,
      );
    },
  };
}

/** Elements whose vertices are all inside: none of their sides is free. */
function inside({ arity, indices, weights }: Elements, x: Float64Array): Elements {
  const elements = [...Array(indices.length / arity).keys()].filter((e) =>
    [0, 1, 2].every((k) => {
      const at = 3 * indices[arity * e + k];
      return Math.max(Math.abs(x[at] - 0.5), Math.abs(x[at + 2] - 0.5)) < 0.5 - 1e-9;
    }),
  );
  return {
    arity,
    indices: Uint32Array.from(elements.flatMap((e) => [...indices.subarray(arity * e, arity * (e + 1))])),
    weights: Float64Array.from(elements.flatMap((e) => [...weights.subarray(3 * arity * e, 3 * arity * (e + 1))])),
  };
}

/** [m²] */
function areaOf({ arity, indices }: Elements, x: Float64Array): number {
  let area = 0;
  for (let e = 0; e < indices.length; e += arity) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * indices[e + k]);
    area += 0.5 * Math.abs((x[b] - x[a]) * (x[c + 2] - x[a + 2]) - (x[b + 2] - x[a + 2]) * (x[c] - x[a]));
  }
  return area;
}

/** Heights of a sheet that is bent to a flat cylinder of curvature one, along a direction. */
function bent(x: Float64Array, direction: number): Float64Array {
  const [c, s] = [Math.cos(direction), Math.sin(direction)];
  return Float64Array.from({ length: x.length / 3 }, (_, p) => 0.5 * (c * x[3 * p] + s * x[3 * p + 2]) ** 2);
}

const lifted = (x: Float64Array, heights: Float64Array, scale: number): Float64Array =>
  x.map((value, i) => (i % 3 === 1 ? scale * heights[(i - 1) / 3] : value));

/** Heights of least energy for given heights at the rim, which is two cells wide. */
function relaxed({ arity, indices, weights }: Elements, x: Float64Array, given: Float64Array): Float64Array {
  const rim = 1.7 / cells;
  const free = [...given.keys()].filter(
    (p) => Math.max(Math.abs(x[3 * p] - 0.5), Math.abs(x[3 * p + 2] - 0.5)) < 0.5 - rim,
  );
  const numberOf = new Map(free.map((p, i) => [p, i]));
  const n = free.length;
  const matrix = new Float64Array(n * n);
  const right = new Float64Array(n);
  for (let e = 0; e < indices.length; e += arity)
    for (let a = e; a < e + arity; a++) {
      const row = numberOf.get(indices[a]);
      if (row === undefined) continue;
      for (let b = e; b < e + arity; b++) {
        if (indices[b] === NO_VERTEX) continue;
        let entry = 0;
        for (let i = 0; i < 3; i++) entry += weights[3 * a + i] * weights[3 * b + i];
        const column = numberOf.get(indices[b]);
        if (column === undefined) right[row] -= entry * given[indices[b]];
        else matrix[n * row + column] += entry;
      }
    }
  expect(solveCholesky(matrix, right, n)).toBe(true);
  const heights = given.slice();
  free.forEach((p, i) => (heights[p] = right[i]));
  return heights;
}

describe.each(Object.keys(meshes))("a sheet on a mesh: %s", (name) => {
  const mesh = meshes[name];

  it.each(Object.keys(solvers))("has the stiffness of its fabric in every direction, %s", (solver) => {
    let worst = 0;
    for (const [k, [bendingWarp, bendingWeft]] of stiffnesses.entries()) {
      const warp = warps[k];
      const bending = solvers[solver](sheet(mesh, [bendingWarp, bendingWeft], warp));
      const x = bending.positions;
      const part = inside(bending, x);
      const area = areaOf(part, x);
      for (const direction of directions) {
        const along = Math.cos(direction - warp) ** 2;
        const expected = 0.5 * (bendingWarp * along + bendingWeft * (1 - along)) * area;
        const heights = bent(x, direction);
        // as bent, and after the inner vertices have found their balance
        for (const shape of [heights, relaxed(bending, x, heights)]) {
          const energy = bending.energy(part, lifted(x, shape, 1e-3)) / 1e-6;
          worst = Math.max(worst, Math.abs(energy / expected - 1));
        }
      }
    }
    expectWithin("stiffness in any direction, relative", worst, 0.03);
  });
});

describe.each(backends)("forces of bending on %s", (backend) => {
  it.each(["gauss-seidel", "hybrid"] as const)("are those of the energy, with %s", async (method) => {
    const model = gpbdCloth({ ...sheet(meshes.Delaunay, [1e-4, 1e-5], 0.4), bending: "isometric" });
    const term = model.terms.find(({ kind }) => kind.endsWith("-bending"))!;
    const whole = buildIncidence(term.indices, model.particleCount);
    expect(whole.offsets.at(-1)).toBeLessThan(term.indices.length);
    const heights = bent(model.positions, 0.9);
    const x = lifted(model.positions, heights, 0.2);
    const dt = 1e-3;
    const work = await inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const body = world.addBody(
        { ...model, terms: [term] },
        { method, substeps: 1, iterations: 1, airDensity: 0, damping: 0 },
      );
      body.writeState({ positions: x, velocities: new Float64Array(x.length) });
      world.step(dt);
      const { velocities } = await body.readState();
      // forces times the distance of each vertex from the flat sheet
      return heights.reduce((sum, y, p) => sum + (model.masses[p] * velocities[3 * p + 1] * 0.2 * y) / dt, 0);
    });
    expectWithin("work of the forces, relative", Math.abs(work / (-2 * termEnergy(term, x)) - 1), 0.01);
  });
});
