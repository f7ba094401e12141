import { describe, expect, it } from "vitest";
import { ElementPoint, type ElementSet } from "../../../../src/solvers/newton/deformable/elements";
import { quadraticMesh } from "../../../../src/geometry/tetrahedra/quadratic";
import { segmentSet, tetrahedronSet, triangleSet } from "../../../../src/solvers/newton/deformable/element-sets";
import { PrincipalFrame } from "../../../../src/solvers/newton/deformable/stretch";

/** Numbers in [−1, 1) from a seed. */
function randoms(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const tetrahedron = {
  positions: Float64Array.of(0, 0, 0, 1, 0.1, 0, 0.2, 0.9, -0.1, 0.1, 0.2, 1.1),
  tetrahedra: Uint32Array.of(0, 1, 2, 3),
};
const quadratic = quadraticMesh(tetrahedron);
/** coordinates of all vertices, the corners first */
const rest = quadratic.positions;
const law = { mu: 2, lambda: 5 };
const sets: Record<string, ElementSet> = {
  "corotational tetrahedron": tetrahedronSet(tetrahedron, { ...law, energy: "corotational" }),
  "stable neo-Hookean tetrahedron": tetrahedronSet(tetrahedron, {
    ...law,
    energy: "stable-neo-hookean",
  }),
  "quadratic tetrahedron": tetrahedronSet(quadratic, { ...law, energy: "stable-neo-hookean" }),
  triangle: triangleSet(rest, Uint32Array.of(0, 1, 2), law, 0.3),
  segment: segmentSet(rest, Uint32Array.of(0, 1), 7, 0.2),
};

const point = new ElementPoint();

function energy(set: ElementSet, x: Float64Array): number {
  point.evaluate(set, 0, x);
  return set.volumes[0] * point.point.energy;
}

function gradient(set: ElementSet, x: Float64Array): Float64Array {
  const out = new Float64Array(rest.length);
  point.evaluate(set, 0, x);
  point.addStress(set, 0, out);
  return out;
}

describe.each(Object.entries(sets))("%s", (_name, set) => {
  const random = randoms(7);

  it("has the derivative of its energy as stress, and that of the stress as stiffness", () => {
    const corners = set.arity;
    const block = new Float64Array(9);
    const h = 1e-5;
    const stretch = set.energy === "corotational" ? 1.4 : 1.12;
    // Gradients of quadratic shape functions are steeper.
    const noise = set.arity === 10 ? 0.005 : 0.03;
    for (let trial = 0; trial < 12; trial++) {
      // Stretched so that no part of the stiffness is negative and left out.
      const x = rest.map((value) => stretch * value + noise * random());
      const g = gradient(set, x);
      const scale = Math.hypot(...g);
      for (let i = 0; i < 3 * corners; i++) {
        const [up, down] = [x.slice(), x.slice()];
        up[i] += h;
        down[i] -= h;
        expect(Math.abs((energy(set, up) - energy(set, down)) / (2 * h) - g[i])).toBeLessThan(1e-7 * scale);
        const [gu, gd] = [gradient(set, up), gradient(set, down)];
        point.evaluate(set, 0, x);
        point.prepareStiffness(set, true);
        const [b, l] = [Math.floor(i / 3), i % 3];
        for (let a = 0; a < corners; a++) {
          point.stiffness(set, a, b, block);
          for (let k = 0; k < 3; k++) {
            const expected = (gu[3 * a + k] - gd[3 * a + k]) / (2 * h);
            expect(Math.abs(set.volumes[0] * block[3 * k + l] - expected)).toBeLessThan(1e-6 * (scale + 10));
          }
        }
      }
    }
  });

  it("has a stiffness that is never negative, and forces that sum up to nothing", () => {
    const corners = set.arity;
    const block = new Float64Array(9);
    for (let trial = 0; trial < 40; trial++) {
      const x = rest.map((value) => value + 1.2 * random());
      const g = gradient(set, x);
      for (let k = 0; k < 3; k++)
        expect(Math.abs(g.filter((_, i) => i % 3 === k).reduce((sum, x) => sum + x, 0))).toBeLessThan(1e-9);
      for (const geometric of [true, false]) {
        point.prepareStiffness(set, geometric);
        const v = Array.from({ length: 3 * corners }, random);
        let product = 0;
        for (let a = 0; a < corners; a++)
          for (let b = 0; b < corners; b++) {
            point.stiffness(set, a, b, block);
            for (let k = 0; k < 3; k++)
              for (let l = 0; l < 3; l++) product += v[3 * a + k] * block[3 * k + l] * v[3 * b + l];
          }
        expect(product).toBeGreaterThan(-1e-9);
      }
    }
  });
});

describe("geometric stiffness", () => {
  it("is all that the material part lacks without stress, and nothing else", () => {
    for (const set of Object.values(sets)) {
      const [all, material] = [new Float64Array(9), new Float64Array(9)];
      point.evaluate(set, 0, rest);
      for (let a = 0; a < set.arity; a++)
        for (let b = 0; b < set.arity; b++) {
          point.prepareStiffness(set, true);
          point.stiffness(set, a, b, all);
          point.prepareStiffness(set, false);
          point.stiffness(set, a, b, material);
          all.forEach((value, k) => expect(value).toBeCloseTo(material[k], 8));
        }
    }
  });
});

describe("PrincipalFrame", () => {
  it("takes any F apart and back together, inverted ones and flat ones too", () => {
    const random = randoms(3);
    const frame = new PrincipalFrame();
    for (let trial = 0; trial < 60; trial++) {
      const d = 1 + (trial % 3);
      const f = Float64Array.from({ length: 3 * d }, random);
      if (trial % 5 === 0) for (let k = 0; k < 3; k++) f[k * d + d - 1] = f[k * d];
      frame.decompose(f, d);
      const { u, v, s } = frame;
      for (let k = 0; k < 3; k++)
        for (let j = 0; j < d; j++) {
          let sum = 0;
          for (let i = 0; i < d; i++) sum += u[3 * k + i] * s[i] * v[j * d + i];
          expect(sum).toBeCloseTo(f[k * d + j], 7);
        }
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++)
          expect(u[i] * u[j] + u[3 + i] * u[3 + j] + u[6 + i] * u[6 + j]).toBeCloseTo(i === j ? 1 : 0, 9);
    }
  });
});
