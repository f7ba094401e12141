import { describe, expect, it } from "vitest";
import { chainModel } from "../../../samples/chain";
import { termEnergy } from "../energies";

const description = {
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
});
