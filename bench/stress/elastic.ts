import type { BodyModel } from "../../src/index";
import type { BodyState } from "../../src/solvers/deformable";
import { elementKindOf } from "../../src/solvers/gpbd/elements/defined/defined-element";
import { gatherElement } from "../../src/solvers/gpbd/elements/elements";
import { solidKindOf } from "../../src/solvers/gpbd/elements/solids/solid-kind";
import { type EnergyTerm, isSolid } from "../../src/solvers/gpbd/model";
import { REST, type RodSet } from "../../src/solvers/gpbd/rods/rod-set";
import { ROD_ELEMENT, rodStrain } from "../../src/solvers/gpbd/strains/rod";
import { elasticEnergy as localGlobalEnergy } from "../../src/solvers/local-global/body/energy";
import { FemBody } from "../../src/solvers/newton/deformable/fem-body";
import type { FemModel } from "../../src/solvers/newton/deformable/fem-model";

/** Numbers of the state of an edge's frame: a quaternion, and the rate of its turn about the edge. */
const FRAME = 5;

/** Sheets of knitted and woven yarn are not at rest where they are flat: as they curl, what they stored becomes motion. */
const isYarn = (term: EnergyTerm): boolean => term.kind === "hylc" && "rest" in term;

const bodies = new WeakMap<FemModel, FemBody>();

/** Elastic energy of a body of any solver, but that of yarn [J]; infinite where a hard constraint is open. */
export function elasticEnergy(model: BodyModel, { positions, frames }: BodyState): number {
  if (model.solver === "local-global") return localGlobalEnergy(model, positions);
  if (model.solver === "newton") {
    let body = bodies.get(model);
    if (!body) bodies.set(model, (body = new FemBody(model)));
    body.positions.set(positions);
    return body.elasticEnergy();
  }
  const { terms, rods } = model;
  const ofTerms = terms.filter((term) => !isYarn(term)).reduce((sum, term) => sum + termEnergy(term, positions), 0);
  return rods && frames ? ofTerms + jointEnergy(rods, positions, frames) : ofTerms;
}

/** Elastic energy of the tables of fabrics in a sheet, up to a constant [J]; 0 for bodies without them. */
export function yarnEnergy(model: BodyModel, positions: ArrayLike<number>): number {
  if (!("terms" in model)) return 0;
  const terms = model.terms.filter((term): term is EnergyTerm => isYarn(term as EnergyTerm));
  return terms.reduce((sum, term) => sum + termEnergy(term, positions), 0);
}

function termEnergy(term: EnergyTerm, positions: ArrayLike<number>): number {
  const { strain, density, measureAt } = isSolid(term.kind) ? solidKindOf(term) : elementKindOf(term);
  const x = new Float64Array(3 * strain.arity);
  const s = new Float64Array(strain.dimension);
  const width = term.rest.length / term.elementCount;
  let sum = 0;
  for (let e = 0; e < term.elementCount; e++) {
    gatherElement(term, e, positions, x);
    strain.strain(x, term.rest, width * e, s);
    const measure = measureAt < 0 ? 1 : term.rest[width * e + measureAt];
    const energy = measure * density.value(s, term.material);
    // the second number of its rest data is its compliance
    sum += term.kind === "distance" && !term.energy && energy > 0 ? energy / term.rest[width * e + 1] : energy;
  }
  return sum;
}

/** Of bending and twist. */
function jointEnergy(rods: RodSet, positions: ArrayLike<number>, frames: ArrayLike<number>): number {
  const x = new Float64Array(3 * rodStrain.arity);
  const s = new Float64Array(rodStrain.dimension);
  const rest = new Float64Array(ROD_ELEMENT);
  let sum = 0;
  for (let j = 0; j < rods.jointCount; j++) {
    for (let i = 0; i < REST; i++) rest[i] = rods.rest[REST * j + i];
    for (let side = 0; side < 2; side++)
      for (let c = 0; c < 4; c++) rest[REST + 4 * side + c] = frames[FRAME * rods.joints[2 * j + side] + c];
    for (let a = 0; a < 3; a++) for (let c = 0; c < 3; c++) x[3 * a + c] = positions[3 * rods.vertices[3 * j + a] + c];
    rodStrain.strain(x, rest, 0, s);
    sum += (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) / 2;
  }
  return sum;
}
