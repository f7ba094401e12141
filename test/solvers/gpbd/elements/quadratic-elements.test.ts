import { describe, expect, it } from "vitest";
import { ColliderSet } from "../../../../src/collision/obstacles/collider-set";
import { boxTetrahedra } from "../../../../src/geometry/tetrahedra/tet-mesh";
import { quadraticMesh } from "../../../../src/geometry/tetrahedra/quadratic";
import { QUADRATIC_NODES } from "../../../../src/geometry/tetrahedra/quadrature";
import { solidLaws, type SolidLaw } from "../../../../src/materials/solid-material";
import { gpbdSolid } from "../../../../src/models/gpbd/soft-body";
import { CpuGpbdSolver } from "../../../../src/solvers/gpbd/cpu/cpu-solver";
import { solidKindOf } from "../../../../src/solvers/gpbd/elements/solids/solid-kind";
import { arityOf, gatherElement } from "../../../../src/solvers/gpbd/elements/elements";
import {
  createElementScratch,
  solveElement,
  type ElementScratch,
} from "../../../../src/solvers/gpbd/elements/local-solve";
import { solveNeoHookeanTet } from "../../../../src/solvers/gpbd/elements/solids/neo-hookean-solve";
import { solidSolve } from "../../../../src/solvers/gpbd/elements/solids/solid-solve";
import { untangle } from "../../../../src/solvers/gpbd/elements/solids/untangle";
import type { EnergyTerm } from "../../../../src/solvers/gpbd/model";
import { defaultOptions, type GpbdMethod } from "../../../../src/solvers/gpbd/options";
import { displacementGradient } from "../../../../src/solvers/gpbd/strains/deformation-gradient";
import { deformationGradient } from "../../../../src/solvers/gpbd/strains/green-tet";
import { determinant } from "../../../../src/math/determinant";
import { RandomGeometry } from "../../../collision/random";
import { expectWithin } from "../../../figures";
import { jacobianByDifferences, relativeError } from "../../../math/differences";
import { objective } from "../local-objective";

const SIZE = 0.1;
const NUMBERS = 3 * QUADRATIC_NODES;
const DT = 1 / 400;

/** A crooked block of two cells, in which no two elements are alike. */
function crooked(seed: number, cells: [number, number, number] = [2, 1, 1]) {
  const random = new RandomGeometry(seed);
  const size = cells.map((count) => SIZE * count) as [number, number, number];
  const mesh = boxTetrahedra({ size, cells, pattern: "mirrored" });
  return { ...mesh, positions: mesh.positions.map((x) => x + 0.15 * SIZE * random.between(-1, 1)) };
}

function solid(model: SolidLaw, seed: number, damping = 0, cells?: [number, number, number]) {
  const material = { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000, model, damping };
  return gpbdSolid({ ...crooked(seed, cells), material, elements: "quadratic" });
}

/** Elements of a term that is deformed at random, as their update has them. */
function* samplesOf(model: SolidLaw, seed: number, noise: number, damping = 0) {
  const random = new RandomGeometry(seed);
  const body = solid(model, seed, damping);
  const [term] = body.terms;
  const stride = term.rest.length / term.elementCount;
  const near = (x: number, by: number): number => x + by * SIZE * random.between(-1, 1);
  for (let e = 0; e < term.elementCount; e++) {
    const element = createElementScratch();
    element.arity = arityOf(term);
    const places = new Float64Array(NUMBERS);
    gatherElement(term, e, body.positions, places);
    for (let a = 0; a < QUADRATIC_NODES; a++) {
      element.w[a] = random.between(0, 1) < 0.15 ? 0 : (DT * DT) / body.masses[term.indices[QUADRATIC_NODES * e + a]];
      for (let i = 3 * a; i < 3 * a + 3; i++) {
        element.start[i] = near(places[i], noise);
        element.x[i] = element.w[a] === 0 ? element.start[i] : near(element.start[i], noise);
        element.tracked[i] = element.w[a] === 0 ? 0 : near(0, 0.2 * noise);
      }
    }
    yield { term, at: stride * e, rest: term.rest.slice(stride * e, stride * (e + 1)), element };
  }
}

interface Sample {
  readonly term: EnergyTerm;
  readonly rest: Float64Array;
  readonly element: ElementScratch;
}

function closedForm({ term, rest, element }: Sample, newtonIterations: number): Float64Array {
  const { barrier } = solidKindOf(term);
  solveNeoHookeanTet(barrier!, rest, 0, term.material, DT, newtonIterations, element);
  return element.displacement.slice(0, NUMBERS);
}

describe.each(solidLaws)("a point of a quadratic tetrahedron, %s", (model) => {
  it("has the Jacobian that its strain has, and no strain where it is turned as a whole", () => {
    let worst = 0;
    for (const { term, rest, element } of samplesOf(model, 11, 0.2)) {
      for (const strain of [solidKindOf(term).strain, displacementGradient(QUADRATIC_NODES)]) {
        const { dimension: k } = strain;
        const jacobian = new Float64Array(k * NUMBERS);
        const x = element.x.slice(0, NUMBERS);
        strain.jacobian(x, rest, 0, jacobian);
        const found = jacobianByDifferences((y, s) => strain.strain(y, rest, 0, s), x, k, 1e-5);
        worst = Math.max(worst, relativeError(found, jacobian));
      }
    }
    expectWithin("Jacobian, relative", worst, 1e-6);
  });

  it("never makes (19) larger, and keeps momentum", () => {
    let [count, worst] = [0, 0];
    for (const damping of [0, 1e-3])
      for (const sample of samplesOf(model, 12, 0.06, damping)) {
        const { term, rest, element } = sample;
        const kind = solidKindOf(term);
        const of = { rest, material: term.material, dt: DT, element };
        if (damping > 0) element.w.forEach((w, a) => (element.w[a] = w || 1e-4));
        const before = objective(of, kind, new Float64Array(NUMBERS));
        if (kind.barrier) closedForm(sample, 3);
        else solveElement(kind, rest, 0, term.material, DT, 3, element);
        const d = element.displacement;
        // Damping of the closed form is linear in what it moves.
        if (damping === 0 || !kind.barrier) expect(objective(of, kind, d)).toBeLessThan(before);
        if (damping === 0) continue;
        count++;
        const { x, w } = element;
        const size = d.reduce((sum, value, i) => sum + Math.abs(value) / (w[(i / 3) | 0] || 1), 0);
        for (let c = 0; c < 3; c++) {
          let [impulse, spin] = [0, 0];
          const [i, j] = [(c + 1) % 3, (c + 2) % 3];
          for (let a = 0; a < QUADRATIC_NODES; a++) {
            impulse += d[3 * a + c] / w[a];
            spin += ((x[3 * a + i] - x[i]) * d[3 * a + j] - (x[3 * a + j] - x[j]) * d[3 * a + i]) / w[a];
          }
          worst = Math.max(worst, Math.abs(impulse) / size, Math.abs(spin) / (SIZE * size));
        }
      }
    expect(count).toBe(48);
    expectWithin("linear and angular momentum, relative", worst, 1e-10);
  });

  it("comes back from inside out, with its centre of mass where it was", () => {
    const f = new Float64Array(9);
    for (const { rest, element } of samplesOf(model, 13, 0.02)) {
      const { x, w, start, projection } = element;
      w.forEach((value, a) => (w[a] = value || 1e-4));
      for (let i = 0; i < NUMBERS; i += 3) x[i] = -0.3 * start[i];
      deformationGradient(x, rest, 0, f, QUADRATIC_NODES);
      expect(determinant(f)).toBeLessThan(0);
      untangle(rest, 0, element, true, 1);
      deformationGradient(x, rest, 0, f, QUADRATIC_NODES);
      expect(determinant(f)).toBeGreaterThan(0);
      for (let c = 0; c < 3; c++) {
        const moved = w.subarray(0, QUADRATIC_NODES).reduce((sum, value, a) => sum + projection[3 * a + c] / value, 0);
        const size = w.subarray(0, QUADRATIC_NODES).reduce((sum, value) => sum + SIZE / value, 0);
        expect(Math.abs(moved) / size).toBeLessThan(1e-9);
      }
    }
  });
});

describe.each(["neo-hookean", "stable-neo-hookean"] as const)("the closed form of %s", (model) => {
  it("is the minimiser that the general solver finds", () => {
    let worst = 0;
    for (const sample of samplesOf(model, 14, 0.05)) {
      const found = closedForm(sample, 60);
      solveElement(solidKindOf(sample.term), sample.rest, 0, sample.term.material, DT, 60, sample.element);
      const size = Math.max(...found.map(Math.abs));
      for (let c = 0; c < NUMBERS; c++)
        worst = Math.max(worst, Math.abs(found[c] - sample.element.displacement[c]) / size);
    }
    expectWithin(`${model}, difference of the minimisers, relative`, worst, 1e-6);
  });
});

describe.each(solidLaws)("a crooked block of %s", (model) => {
  const body = solid(model, 15, 0, [2, 2, 2]);
  const held = new Set(body.faces);
  const within = [...body.masses.keys()].filter((p) => !held.has(p));

  it("that is stretched and sheared evenly pulls at no vertex within, as linear tetrahedra do", () => {
    expect(within.length).toBeGreaterThan(20);
    const random = new RandomGeometry(16);
    const gradient = Array.from({ length: 9 }, (_, i) => (i % 4 === 0 ? 1 : 0) + random.between(-0.2, 0.2));
    const even = body.positions.map((_, i) =>
      [0, 1, 2].reduce((sum, j) => sum + gradient[3 * (i % 3) + j] * body.positions[i - (i % 3) + j], 0),
    );
    const pulls = forces(body.terms[0], even);
    const most = Math.max(...pulls.map(Math.abs));
    const inner = Math.max(...within.flatMap((p) => [0, 1, 2].map((c) => Math.abs(pulls[3 * p + c]))));
    expectWithin("force within over that at the surface", inner / most, 1e-12);
  });

  it.each<GpbdMethod>(model === "stvk" ? ["gauss-seidel", "jacobi"] : ["gauss-seidel"])(
    "comes to rest within where its surface is held, swept by %s",
    (method) => {
      const random = new RandomGeometry(18);
      const rest = body.positions.slice();
      const positions = rest.map((x, i) => x + (held.has((i / 3) | 0) ? 0 : 0.06 * SIZE * random.between(-1, 1)));
      const pinned = Uint8Array.from(body.masses, (_, p) => (held.has(p) ? 1 : 0));
      const solver = new CpuGpbdSolver(body, undefined, undefined, undefined, solidSolve);
      solver.writeState({ positions, velocities: new Float64Array(positions.length) });
      const options = { ...defaultOptions, method, substeps: 10, damping: 40, airDensity: 0 };
      const pins = { pinned, targets: rest, changed: false };
      const away = () => rest.reduce((most, x, i) => Math.max(most, Math.abs(x - solver.state.positions[i]) / SIZE), 0);
      expect(away()).toBeGreaterThan(0.05);
      for (let frame = 1; frame <= 25; frame++)
        solver.step({ dt: 1 / 60, frame, gravity: [0, 0, 0], colliders: new ColliderSet() }, options, pins);
      expectWithin(`${model} by ${method}, off rest, part of a cell`, away(), 1e-6);
    },
  );
});

/** Derivatives of a term's energy by the positions, n × 3 [N]. */
function forces(term: EnergyTerm, positions: Float64Array): Float64Array {
  const { strain, density, measureAt } = solidKindOf(term);
  const stride = term.rest.length / term.elementCount;
  const sum = new Float64Array(positions.length);
  const [x, s, stress] = [NUMBERS, 6, 6].map((length) => new Float64Array(length));
  const jacobian = new Float64Array(6 * NUMBERS);
  for (let e = 0; e < term.elementCount; e++) {
    gatherElement(term, e, positions, x);
    strain.strain(x, term.rest, stride * e, s);
    strain.jacobian(x, term.rest, stride * e, jacobian);
    density.gradient(s, term.material, stress);
    for (let i = 0; i < 6; i++)
      for (let c = 0; c < NUMBERS; c++) {
        const at = 3 * term.indices[QUADRATIC_NODES * e + ((c / 3) | 0)] + (c % 3);
        sum[at] += term.rest[stride * e + measureAt] * stress[i] * jacobian[NUMBERS * i + c];
      }
  }
  return sum;
}

it("sweeps points of a tetrahedron one after the other, and tetrahedra of a colour apart", () => {
  const { terms, particleCount } = solid("stvk", 17, 0, [3, 2, 2]);
  const [{ indices, colours, elementCount }] = terms;
  const { quadratic } = quadraticMesh(crooked(17, [3, 2, 2]));
  expect(elementCount).toBe((4 * quadratic.length) / QUADRATIC_NODES);
  for (let c = 0; c + 1 < colours.length; c++) {
    const seen = new Int32Array(particleCount).fill(-1);
    for (let e = colours[c]; e < colours[c + 1]; e++)
      for (const vertex of indices.subarray(QUADRATIC_NODES * e, QUADRATIC_NODES * (e + 1))) {
        const tetrahedron = Math.floor(e / 4);
        expect(seen[vertex] === -1 || seen[vertex] === tetrahedron).toBe(true);
        seen[vertex] = tetrahedron;
      }
  }
});
