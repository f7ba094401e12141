/** Prepares a body that is going to tear; `tearing.ts` is loaded for such bodies alone. */
import { invalid, unsupported } from "../../../errors";
import { checkNames, optionNames } from "../../../option-names";
import type { EnergyTerm, GpbdModel, TermKind } from "../model";

/** When a cloth tears. */
export interface TearingOptions {
  /** elongation over the length at rest that it bears: 0.3 is a length 1.3 times that at rest */
  strain: number;
  /** particles that tears may add, after which it tears no more; default as many as it has */
  most?: number | undefined;
}

const tearingOptionNames = optionNames<TearingOptions>()("strain most");

/** Rings of triangles around its own that an element of a kind has vertices of. */
export const reach: Readonly<Partial<Record<TermKind, number>>> = {
  "stvk-membrane": 0,
  "neo-hookean-membrane": 0,
  "hinge-bending": 0,
  hylc: 1,
  "isometric-bending": 2,
  "dihedral-bending": 2,
};

/**
 * A copy of a model with spare particles.
 *
 * @param object how messages call the body
 * @throws PliantError for a strain that is not positive, a number of particles that is not, and a body of other than triangles
 */
export function tearableCopy(object: string, model: GpbdModel, options: Readonly<TearingOptions>): GpbdModel {
  checkNames(`${object}.tearing`, options, tearingOptionNames);
  const { strain, most = model.particleCount } = options;
  if (!(typeof strain === "number" && strain > 0 && Number.isFinite(strain)))
    throw invalid(`${object}.tearing.strain`, strain, "must be a positive number");
  if (!(Number.isInteger(most) && most >= 1))
    throw invalid(`${object}.tearing.most`, most, "must be a whole number from 1");
  if (model.faces.length === 0 || model.tetrahedra) throw unsupported(`${object}.tearing`, "no sheet", "is for cloth");
  requireTearable(object, model);
  return withSpares(model, most);
}

/** @throws PliantError for terms that do not follow tears, and for factors of friction or thickness */
export function requireTearable(object: string, { terms, frictionFactors, thicknessFactors }: GpbdModel): void {
  const map = frictionFactors ? "friction" : thicknessFactors && "thickness";
  const strange = terms.find(({ kind }) => !(kind in reach))?.kind ?? map;
  if (strange) throw unsupported(`${object}.tearing`, strange, "is not for such cloth");
}

/** @param most particles that are added, without mass */
export function withSpares(model: GpbdModel, most: number): GpbdModel {
  const particleCount = model.particleCount + most;
  const positions = new Float64Array(3 * particleCount);
  for (let i = 0; i < positions.length; i++) positions[i] = model.positions[i] ?? model.positions[i % 3];
  const masses = new Float64Array(particleCount);
  masses.set(model.masses);
  const terms = model.terms.map((term): EnergyTerm => ({
    ...term,
    indices: term.indices.slice(),
    rest: term.rest.slice(),
  }));
  return {
    ...model,
    particleCount,
    positions,
    masses,
    faces: model.faces.slice(),
    terms,
    sheet: undefined,
    tears: true,
  };
}
