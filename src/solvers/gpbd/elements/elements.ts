import { NO_VERTEX } from "../../../geometry/surface/incidence";
import type { EnergyDensity } from "../../../materials/energy-density";
import { neoHookeanMembrane } from "../../../materials/neo-hookean-membrane";
import { hylcDensity } from "../../../materials/hylc/density";
import { packed } from "../../../materials/hylc/pack";
import { quadratic } from "../../../materials/quadratic";
import { stvkMembrane } from "../../../materials/stvk-membrane";
import type { EnergyTerm, SolidKind, TermKind } from "../model";
import { curvatureChange, flatCurvature } from "../strains/curvature-vectors";
import { dihedral } from "../strains/dihedral";
import { distance } from "../strains/distance";
import { greenTriangle } from "../strains/green-triangle";
import { hylcStrain } from "../strains/hylc";
import type { StrainMeasure } from "../strains/strain";

/** (20) or (21). */
export type Barrier = "logarithmic" | "stable";

/** Evaluation of a kind of energy term by the f64 reference: U = measure × ψ(s(x)). */
export interface ElementKind {
  readonly strain: StrainMeasure;
  readonly density: EnergyDensity;
  /** Index of the measure in an element's rest data; −1 when the measure is 1. */
  readonly measureAt: number;
  /** Index of the Kelvin-Voigt damping time [s] in the term's material data; −1 without damping. */
  readonly dampingAt: number;
  /** Index in the material data of the stiffnesses that damping uses, one a strain; default: the Hessian of ψ at rest. */
  readonly dampingStiffnessAt?: number;
  /** A neo-Hookean solid, whose update has a form of its own. */
  readonly barrier?: Barrier;
}

/** All kinds but those of solids, see solid-kind.ts. */
export const elementKinds: Readonly<Record<Exclude<TermKind, SolidKind>, ElementKind>> = {
  // The measure of `distance` is 1/α; it is solved in compliance form, so that α = 0 is a hard constraint.
  distance: { strain: distance, density: quadratic(1), measureAt: -1, dampingAt: -1 },
  "stvk-membrane": { strain: greenTriangle, density: stvkMembrane, measureAt: 4, dampingAt: 4 },
  "neo-hookean-membrane": { strain: greenTriangle, density: neoHookeanMembrane, measureAt: 4, dampingAt: 4 },
  "isometric-bending": { strain: flatCurvature, density: quadratic(9), measureAt: -1, dampingAt: 0 },
  "dihedral-bending": { strain: curvatureChange, density: quadratic(9), measureAt: -1, dampingAt: 0 },
  "hinge-bending": { strain: dihedral, density: quadratic(1), measureAt: 1, dampingAt: 0 },
  hylc: {
    strain: hylcStrain,
    density: hylcDensity,
    measureAt: 4,
    dampingAt: packed.damping,
    dampingStiffnessAt: packed.stiffness,
  },
};

/** Vertices of an element of a term: those of its kind, and ten at each point of a quadratic tetrahedron. */
export function arityOf({ indices, elementCount }: EnergyTerm): number {
  return indices.length / elementCount;
}

/**
 * Writes the places of an element's vertices.
 *
 * @param positions of all particles [m]
 * @param out three numbers a place; zero at places that are left over, which have no part in the strain
 */
export function gatherElement(
  term: EnergyTerm,
  element: number,
  positions: ArrayLike<number>,
  out: Float64Array,
): void {
  const arity = arityOf(term);
  for (let a = 0; a < arity; a++) {
    const vertex = term.indices[arity * element + a];
    for (let c = 0; c < 3; c++) out[3 * a + c] = vertex === NO_VERTEX ? 0 : positions[3 * vertex + c];
  }
}
