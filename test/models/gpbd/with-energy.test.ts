import { describe, expect, it } from "vitest";
import { boxTetrahedra, defineEnergy, solidModel } from "../../../src/index";
import { chainModel } from "../../../samples/chain";
import type { GpbdModel } from "../../../src/solvers/gpbd/model";
import { withEnergy } from "../../../src/models/gpbd/with-energy";
import { expectWithin } from "../../figures";
import { expectRefused } from "../../refusal";
import { gridCloth } from "../../world/cloths";
import { inWorld, run } from "../../world/worlds";

const material = { youngsModulus: 2e4, poissonRatio: 0.3, density: 1000, model: "stvk" } as const;
const mu = 2e4 / 2.6;
const lambda = (2e4 * 0.3) / (1.3 * 0.4);
const box = boxTetrahedra({ size: [0.4, 0.2, 0.2], cells: [4, 2, 2] });
const soft = solidModel({ ...box, material, name: "bar" });
const stvk = "mu*(Exx^2+Eyy^2+Ezz^2 + 2*(Exy^2+Eyz^2+Ezx^2)) + lambda/2*(Exx+Eyy+Ezz)^2";
// The same energy by F: E = ½ (FᵀF − I), tr E² by the invariants of C.
const stvkOfF = "mu/4*(I1^2 - 2*I2 - 2*I1 + 3) + lambda/8*(I1 - 3)^2";
const cloth = gridCloth({ width: 0.5, height: 0.5, columns: 5, rows: 5 }, { bending: "dihedral" });
const rope = chainModel({
  positions: [0, 0, 0, 0.1, 0, 0, 0.2, 0, 0, 0.3, 0, 0],
  masses: [0.01, 0.01, 0.01, 0.01],
  compliance: 1 / 20,
});

/** Positions after some frames in which it hangs from the vertices on the left. */
async function hang(
  model: GpbdModel,
  backend: "reference" | "webgpu" = "reference",
  frames = 20,
  options = {},
): Promise<Float64Array> {
  return inWorld(backend, {}, async (world) => {
    const left = Math.min(...Array.from({ length: model.particleCount }, (_, i) => model.positions[3 * i]));
    const pins = Array.from({ length: model.particleCount }, (_, i) => i).filter(
      (i) => model.positions[3 * i] < left + 1e-6,
    );
    const body = world.addBody(model, { pins, substeps: 5, ...options });
    run(world, frames);
    return Float64Array.from(await body.readPositions());
  });
}

function distance(a: Float64Array, b: Float64Array): number {
  return Math.max(...a.map((value, i) => Math.abs(value - b[i])));
}

describe("a body with an energy from an expression", () => {
  it("moves as with the same one written by hand", async () => {
    const [own, other] = [
      withEnergy(soft, defineEnergy({ strain: "green-tet", energy: stvk, parameters: { mu, lambda } })),
      withEnergy(soft, defineEnergy({ strain: "deformation-gradient", energy: stvkOfF, parameters: { mu, lambda } })),
    ];
    const reference = await hang(soft);
    expect(distance(reference, soft.positions)).toBeGreaterThan(0.05);
    expect(distance(await hang(own), reference)).toBeLessThan(1e-8);
    // Another subspace with the same minimum: Newton's steps differ.
    expect(distance(await hang(other), reference)).toBeLessThan(5e-3);
  });

  it("moves on WebGPU as with the one written by hand", async () => {
    const [uu, uv, vv, g, damping] = cloth.terms[0].material;
    const membrane = "uu/2*Euu^2 + uv*Euu*Evv + vv/2*Evv^2 + 2*g*Euv^2";
    const stretch = defineEnergy({ strain: "green-triangle", energy: membrane, parameters: { uu, uv, vv, g } });
    const spring = defineEnergy({ strain: "distance", energy: "k/2*c^2", parameters: { k: 20 } });
    const solid = defineEnergy({ strain: "green-tet", energy: stvk, parameters: { mu, lambda } });
    for (const [model, own, tolerance] of [
      [soft, withEnergy(soft, solid), 1e-5],
      [cloth, withEnergy(cloth, stretch, damping), 1e-5],
      [rope, withEnergy(rope, spring), 1e-5],
    ] as const) {
      const reference = await hang(model, "webgpu", 5);
      expect(distance(reference, model.positions)).toBeGreaterThan(0.01);
      expect(distance(await hang(own, "webgpu", 5), reference), model.name).toBeLessThan(tolerance);
    }
  });

  it("moves on WebGPU as in f64 where it is no parabola", async () => {
    const hard = defineEnergy({
      strain: "distance",
      energy: "k/2e4*(exp(100*c) + exp(-100*c) - 2)",
      parameters: { k: 20 },
    });
    const model = withEnergy(rope, hard, 0.01);
    const folding = defineEnergy({ strain: "dihedral", energy: "20*(1 - cos(2*theta))" });
    const sheet = withEnergy(cloth, folding, 0.01);
    expect(distance(await hang(model, "webgpu", 5), await hang(model, "reference", 5))).toBeLessThan(1e-4);
    expect(distance(await hang(sheet, "webgpu", 5), await hang(sheet, "reference", 5))).toBeLessThan(1e-3);
  });

  it("takes energies of the deformation gradient, on both backends", async () => {
    const ofF = withEnergy(
      soft,
      defineEnergy({ strain: "deformation-gradient", energy: stvkOfF, parameters: { mu, lambda } }),
    );
    const stretchy = defineEnergy({
      strain: "deformation-gradient",
      energy: "mu/2*(I1 - 3) - mu*log(J) + lambda/2*log(J)^2 + mu*(F11*F12)^2",
      parameters: { mu, lambda },
    });
    for (const [model, method, own, bound] of [
      [ofF, "gauss-seidel", "parabola", 1e-4],
      [withEnergy(soft, stretchy, 0.01), "gauss-seidel", "barrier", 1e-5],
      [withEnergy(soft, stretchy), "jacobi", "at once", 1e-5],
    ] as const) {
      const options = { method, newtonIterations: 3, iterations: 2 } as const;
      const reference = await hang(model, "reference", 5, options);
      expect(distance(reference, soft.positions)).toBeGreaterThan(0.01);
      expectWithin(
        `energy of F on WebGPU, ${own}`,
        distance(await hang(model, "webgpu", 5, options), reference),
        bound,
      );
    }
  });

  it("takes energies at the points of quadratic tetrahedra, on both backends", async () => {
    const bar = boxTetrahedra({ size: [0.4, 0.1, 0.1], cells: [4, 1, 1] });
    const quadratic = solidModel({ ...bar, elements: "quadratic", material, name: "quadratic bar" });
    const options = { substeps: 30 };
    const reference = await hang(quadratic, "reference", 6, options);
    expect(distance(reference, quadratic.positions)).toBeGreaterThan(0.01);
    const cases = [
      ["green-tet", stvk, 1e-8, 1e-5],
      // I1 − 3 has lost digits in f32.
      ["principal-stretches", stvkOfF, 1e-8, 5e-4],
      ["deformation-gradient", stvkOfF, 1e-6, 5e-4],
    ] as const;
    for (const [strain, energy, bound, single] of cases) {
      const own = withEnergy(quadratic, defineEnergy({ strain, energy, parameters: { mu, lambda } }));
      const found = await hang(own, "reference", 6, options);
      expectWithin(`${strain} at points, off the law of the engine [m]`, distance(found, reference), bound);
      expectWithin(`${strain} at points on WebGPU [m]`, distance(await hang(own, "webgpu", 6, options), found), single);
    }
  });

  it("takes energies of principal stretches, on both backends", async () => {
    const stretches = "mu/2*(lambda1^2 + lambda2^2 + lambda3^2 - 3) - mu*log(J) + lambda/2*log(J)^2";
    const invariants = "mu/2*(I1 - 3) - mu*log(J) + lambda/2*log(J)^2";
    const power = "m/a*(lambda1^a + lambda2^a + lambda3^a - 3) - m*log(J) + lambda/2*(J - 1)^2";
    const by = (strain: "green-tet" | "principal-stretches", energy: string): typeof soft =>
      withEnergy(soft, defineEnergy({ strain, energy, parameters: { mu, lambda, m: mu, a: 3.5 } }));
    const options = { newtonIterations: 3, iterations: 2 };
    const same = await hang(by("principal-stretches", stretches), "reference", 5, options);
    expect(distance(await hang(by("green-tet", invariants), "reference", 5, options), same)).toBeLessThan(1e-7);
    const ogden = by("principal-stretches", power);
    const reference = await hang(ogden, "reference", 5, options);
    expect(distance(reference, soft.positions)).toBeGreaterThan(0.01);
    expectWithin("Ogden on WebGPU", distance(await hang(ogden, "webgpu", 5, options), reference), 1e-4);
  });

  it("takes energies of HYLC strains, on both backends", async () => {
    const knit = gridCloth(
      { width: 0.5, height: 0.5, columns: 5, rows: 5 },
      { fabric: "stockinette", membrane: "hylc" },
    );
    const energy = "k*(sx^2 + sy^2 + sa^2/2 + sx*sy/4) + b*(kxx^2 + kyy^2 + 2*kxy^2)";
    const own = (k: number) =>
      withEnergy(knit, defineEnergy({ strain: "hylc", energy, parameters: { k, b: 1 } }), 0.01);
    const [soft, stiff] = [await hang(own(5), "reference", 5), await hang(own(50), "reference", 5)];
    expect(distance(soft, stiff)).toBeGreaterThan(1e-3);
    expect(distance(await hang(own(50), "webgpu", 5), stiff)).toBeLessThan(1e-3);
  });

  it("takes energies of hinges and links", async () => {
    const half = defineEnergy({ strain: "dihedral", energy: "theta^2/2" });
    const hinges = withEnergy(cloth, half);
    const bending = hinges.terms.find(({ kind }) => kind === "hinge-bending")!;
    const byHand = { ...hinges, terms: [...cloth.terms.slice(0, 1), { ...bending, energy: undefined }] };
    expect(distance(await hang(hinges), await hang(byHand))).toBeLessThan(1e-8);
    const spring = defineEnergy({ strain: "distance", energy: "k/2*c^2", parameters: { k: 20 } });
    expect(distance(await hang(withEnergy(rope, spring)), await hang(rope))).toBeLessThan(1e-8);
  });

  it("is refused where it does not fit", async () => {
    const bend = defineEnergy({ strain: "dihedral", energy: "theta^2/2" });
    expectRefused(() => withEnergy(soft, bend), "invalid-argument", /elements of this strain, has stvk-tet/);
    expectRefused(() => withEnergy(cloth, bend, -1), "invalid-argument", /must not be negative/);
  });
});
