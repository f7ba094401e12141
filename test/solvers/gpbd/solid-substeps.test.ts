import { expect, it } from "vitest";
import { boxTetrahedra, solidModel } from "../../../src/index";
import { solidLaws } from "../../../src/materials/solid-material";
import { solidKindOf } from "../../../src/solvers/gpbd/elements/solids/solid-kind";
import { axialStiffness } from "../../../src/solvers/gpbd/solid-substeps";

const mesh = boxTetrahedra({ size: [1, 1, 1], cells: [1, 1, 1] });

it.each(solidLaws)("knows how stiff %s is along an axis", (model) => {
  for (const poissonRatio of [-0.2, 0.1, 0.45]) {
    const material = { youngsModulus: 3e5, poissonRatio, density: 1000, model };
    const [term] = solidModel({ ...mesh, material }).terms;
    const hessian = new Float64Array(36);
    solidKindOf(term).density.hessian(new Float64Array(6), term.material, hessian);
    expect(axialStiffness(term) / hessian[0]).toBeCloseTo(1, 12);
  }
});
