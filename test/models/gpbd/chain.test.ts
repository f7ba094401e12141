import { describe, expect, it } from "vitest";
import { chainModel, type ChainDescription } from "../../../src/models/gpbd/chain";
import { expectRefused } from "../../refusal";
import { termEnergy } from "../energies";

const description: ChainDescription = {
  positions: [0, 0, 0, 0, -1, 0, 0, -3, 0, 4, -3, 0],
  masses: [1, 2, 3, 4],
  compliance: 1e-3,
  name: "rope",
};

describe("chain model", () => {
  it("joins each particle to the next at the distance it has", () => {
    const { terms, particleCount, faces } = chainModel(description);
    expect(particleCount).toBe(4);
    expect(faces).toHaveLength(0);
    const [term] = terms;
    const links = Array.from({ length: 3 }, (_, e) => [...term.indices.subarray(2 * e, 2 * e + 2), term.rest[2 * e]]);
    expect(links.sort()).toEqual([
      [0, 1, 1],
      [1, 2, 2],
      [2, 3, 4],
    ]);
    expect(terms).toHaveLength(1);
  });

  it("has the energy c²/2α", () => {
    const { terms, positions } = chainModel(description);
    const stretched = positions.slice();
    stretched[9] += 0.1;
    expect(termEnergy(terms[0], stretched)).toBeCloseTo(0.1 ** 2 / (2 * 1e-3), 10);
  });

  it.each([
    ["one particle", { positions: [0, 0, 0], masses: [1] }, "invalid-argument", /rope.*two or more/],
    ["a mass too few", { masses: [1, 2, 3] }, "invalid-argument", /rope.*mass each/],
    ["coordinates to spare", { positions: [0, 0, 0, 1] }, "invalid-argument", /rope/],
    ["a particle that is NaN", { positions: [0, 0, 0, 0, NaN, 0, 0, 1, 0, 1, 1, 0] }, "non-finite", /particle 1/],
    ["no mass", { masses: [1, 0, 3, 4] }, "invalid-argument", /mass 1.*positive, got 0/],
    ["a negative mass", { masses: [1, 2, -3, 4] }, "invalid-argument", /mass 2/],
    ["an infinite mass", { masses: [1, 2, 3, Infinity] }, "invalid-argument", /mass 3/],
    ["negative compliance", { compliance: -1e-9 }, "invalid-argument", /rope\.compliance/],
    ["compliance that is NaN", { compliance: NaN }, "invalid-argument", /rope\.compliance/],
    [
      "a link without length",
      { positions: [0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0] },
      "degenerate-geometry",
      /link 0.*length/,
    ],
  ] as const)("refuses %s", (_what, part, code, message) => {
    expectRefused(() => chainModel({ ...description, ...part }), code, message);
  });
});
