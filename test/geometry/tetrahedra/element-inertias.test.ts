import { expect, it } from "vitest";
import { ballTetrahedra, boxTetrahedra } from "../../../src/index";
import { elementInertias } from "../../../src/geometry/tetrahedra/element-inertias";
import { solidMasses, strainElements } from "../../../src/geometry/tetrahedra/strain-elements";
import { quadraticMesh } from "../../../src/geometry/tetrahedra/quadratic";

const box = boxTetrahedra({ size: [1, 0.3, 2], cells: [4, 3, 5] });

it.each([
  ["a box", box],
  ["a ball", ballTetrahedra({ radius: 0.1, resolution: 5 })],
  ["quadratic elements", quadraticMesh(boxTetrahedra({ size: [1, 1, 1], cells: [2, 2, 2] }))],
])("the sum of I GᵀG is at most twice M, and not far below: %s", (_, mesh) => {
  const masses = solidMasses(mesh, 700);
  const elements = strainElements(mesh);
  const { arity, indices, gradients, volumes } = elements;
  const inertias = elementInertias(elements, masses);
  // power iteration on M⁻¹ Σ I GᵀG of one coordinate
  let x = Float64Array.from(masses, (_mass, i) => Math.sin(37 * i + 1));
  let most = 0;
  for (let k = 0; k < 200; k++) {
    const y = new Float64Array(x.length);
    for (let e = 0; e < volumes.length; e++) {
      const f = [0, 0, 0];
      for (let a = arity * e; a < arity * (e + 1); a++)
        for (let c = 0; c < 3; c++) f[c] += gradients[3 * a + c] * x[indices[a]];
      for (let a = arity * e; a < arity * (e + 1); a++)
        for (let c = 0; c < 3; c++) y[indices[a]] += (inertias[e] * gradients[3 * a + c] * f[c]) / masses[indices[a]];
    }
    most = Math.sqrt(y.reduce((sum, value) => sum + value * value, 0));
    x = y.map((value) => value / most);
  }
  expect(most).toBeLessThan(2);
  expect(most).toBeGreaterThan(0.5);
});
