import { invalid, unsupported } from "../../errors";
import { checkNames, optionNames } from "../../option-names";
import { solverOf } from "../../solvers/alike";
import { type EnergyTerm, isBending, termLayout } from "../../solvers/gpbd/model";
import { WEIGHTS } from "../../solvers/gpbd/strains/curvature-vectors";
import type { ClothModel } from "../cloth";
import type { ClothModel as GpbdClothModel } from "./cloth";

/** Factors of a fabric's properties, one for each vertex of a cloth's mesh; default 1 everywhere. */
export interface VertexFactors {
  /** of the mass per area, above 0 */
  mass?: ArrayLike<number> | undefined;
  /** of the stiffness in the plane, stretch and shear, above 0 */
  stretch?: ArrayLike<number> | undefined;
  /** of the bending stiffness, 0 or more */
  bending?: ArrayLike<number> | undefined;
  /** of the friction coefficient of the surface, 0 or more */
  friction?: ArrayLike<number> | undefined;
  /** of the distance `thickness` that the surface keeps from others and itself, above 0 and at most 1: the option is that of the thickest part */
  thickness?: ArrayLike<number> | undefined;
}

export const vertexFactorNames = optionNames<VertexFactors>()("mass stretch bending friction thickness");

/**
 * A cloth of `gpbd` with other numbers in other places. Vertices of the mesh at one place have the mean of their
 * factors, and elements have the mean of their corners.
 *
 * @throws PliantError for an unknown property, a list without a number for each vertex, or a factor out of its range;
 * `unsupported` for a model of another solver, and for factors of stiffness of a `hylc` membrane
 */
export function withMaps(cloth: ClothModel, factors: VertexFactors): GpbdClothModel {
  const object = `withMaps ${cloth.name}`;
  checkNames(object, factors, vertexFactorNames);
  const solver = solverOf(cloth);
  if (solver !== "gpbd") throw unsupported(object, solver, "needs a cloth of solver gpbd");
  const model = cloth as GpbdClothModel;
  const mass = ofParticles(object, "mass", model, factors.mass);
  const stretch = ofParticles(object, "stretch", model, factors.stretch);
  const bending = ofParticles(object, "bending", model, factors.bending);
  const friction = ofParticles(object, "friction", model, factors.friction);
  const thickness = ofParticles(object, "thickness", model, factors.thickness);
  if ((stretch ?? bending) && model.terms.some(({ kind }) => kind === "hylc"))
    throw unsupported(object, "stretch or bending", "is not for the membrane hylc");
  const { sheet } = model;
  const least = stretch?.reduce((a, b) => Math.min(a, b)) ?? 1;
  return {
    ...model,
    masses: mass ? model.masses.map((value, p) => mass[p] * value) : model.masses,
    ...(friction && { frictionFactors: friction }),
    ...(thickness && { thicknessFactors: thickness }),
    terms: model.terms.map((term) => scaled(term, isBending(term.kind) ? bending : stretch)),
    // Tethers give as the fabric does where it is least stiff.
    sheet: sheet && {
      ...sheet,
      stretchWarp: least * sheet.stretchWarp,
      stretchWeft: least * sheet.stretchWeft,
      shear: least * sheet.shear,
    },
  };
}

/** Factors of particles: the means of those of their vertices. */
function ofParticles(
  object: string,
  key: keyof VertexFactors,
  { vertexToParticle, particleCount }: GpbdClothModel,
  factors: ArrayLike<number> | undefined,
): Float64Array | undefined {
  if (factors === undefined) return undefined;
  const count = vertexToParticle.length;
  if (factors.length !== count)
    throw invalid(`${object}.${key}`, factors.length, `must be ${count}, one for each vertex`);
  const [sums, vertices] = [new Float64Array(particleCount), new Float64Array(particleCount)];
  vertexToParticle.forEach((p, v) => {
    const factor = factors[v];
    const mayBeZero = key === "bending" || key === "friction";
    const most = key === "thickness" ? 1 : Infinity;
    if (!Number.isFinite(factor) || factor < 0 || factor > most || (factor === 0 && !mayBeZero)) {
      const rule = `must be finite${most === 1 ? ", at most 1" : ""} and ${mayBeZero ? "at least" : "above"} 0`;
      throw invalid(`${object}.${key}[${v}]`, factor, rule);
    }
    sums[p] += factor;
    vertices[p]++;
  });
  return sums.map((sum, p) => sum / Math.max(1, vertices[p]));
}

/** A term whose elements are stiffer by the mean factor of their corners. */
function scaled(term: EnergyTerm, factors: Float64Array | undefined): EnergyTerm {
  if (!factors) return term;
  const { kind, elementCount, indices } = term;
  const { arity, rest: stride } = termLayout[kind];
  const rest = term.rest.slice();
  // The corners of the triangle come first; further vertices of bending are around it.
  const corners = Math.min(arity, kind === "hinge-bending" ? 4 : 3);
  for (let e = 0; e < elementCount; e++) {
    let factor = 0;
    for (let k = 0; k < corners; k++) factor += factors[indices[arity * e + k]] / corners;
    const at = stride * e;
    if (kind === "distance") rest[at + 1] /= factor;
    else if (kind === "hinge-bending") rest[at + 1] *= factor;
    // The energy is half the square of vectors that the weights make.
    else if (isBending(kind)) for (let i = WEIGHTS; i < stride; i++) rest[at + i] *= Math.sqrt(factor);
    // The energy is the area times a density.
    else rest[at + stride - 1] *= factor;
  }
  return { ...term, rest };
}
