import type { ElementKind } from "../../../src/solvers/gpbd/elements/elements";
import { elementKinds } from "./kinds";
import type { RandomElement } from "./elements";

/**
 * The objective of equation (19) of paper 1, written out for the displacement Δd itself:
 * φ(Δd) = ½ ‖d + Δd‖²_{W⁻¹} + U(x + Δd), with the damping potential of a Kelvin-Voigt element in U. Pinned corners have
 * almost no inertia.
 */
export function objective(
  { rest, material, dt, element }: Pick<RandomElement, "rest" | "material" | "dt" | "element">,
  kind: ElementKind,
  displacement: ArrayLike<number>,
): number {
  const { strain, density } = kind;
  const coordinates = 3 * strain.arity;
  let value = 0;
  const moved = new Float64Array(36);
  for (let c = 0; c < coordinates; c++) {
    const w = element.w[Math.floor(c / 3)];
    moved[c] = element.x[c] + displacement[c];
    if (w > 0) value += (element.tracked[c] + displacement[c]) ** 2 / (2 * w);
  }
  const k = strain.dimension;
  const s = new Float64Array(k);
  strain.strain(moved, rest, 0, s);
  let potential = density.value(s, material);
  const damping = kind.dampingAt < 0 ? 0 : material[kind.dampingAt];
  if (damping > 0) {
    const start = new Float64Array(k);
    strain.strain(element.start, rest, 0, start);
    const stiffness = new Float64Array(k * k);
    if (kind.dampingStiffnessAt === undefined) density.hessian(new Float64Array(k), material, stiffness);
    else for (let i = 0; i < k; i++) stiffness[i * k + i] = material[kind.dampingStiffnessAt + i];
    for (let i = 0; i < k; i++)
      for (let j = 0; j < k; j++)
        potential += (damping / (2 * dt)) * (s[i] - start[i]) * stiffness[i * k + j] * (s[j] - start[j]);
  }
  return value + (kind.measureAt < 0 ? 1 : rest[kind.measureAt]) * potential;
}

/** W Sᵀ at x: one column of displacements for each strain; the subspace of the update. */
export function subspace({ rest, element }: RandomElement, kind: ElementKind): Float64Array[] {
  const { arity, dimension } = kind.strain;
  const jacobian = new Float64Array(dimension * 3 * arity);
  kind.strain.jacobian(element.x, rest, 0, jacobian);
  return Array.from({ length: dimension }, (_, row) =>
    Float64Array.from({ length: 3 * arity }, (_, c) => element.w[Math.floor(c / 3)] * jacobian[row * 3 * arity + c]),
  );
}

export function kindOf(element: RandomElement): ElementKind {
  return elementKinds[element.kind];
}
