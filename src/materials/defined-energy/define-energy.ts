import { checkFinite } from "../../checks";
import { invalid } from "../../errors";
import { checkNames, optionNames } from "../../option-names";
import type { EnergyDensity } from "../energy-density";
import { Derivatives } from "./derive";
import { Graph, type Node } from "./graph";
import { ExpressionError, functions, parse } from "./parse";
import { checkSymmetry, ofPrincipalStretches } from "./principal";
import { compile } from "./program";
import { type EnergyStrain, energyStrains, strainNames } from "./strains";
import { Tape } from "./tape";
import { densityFunctions } from "./wgsl";

export interface EnergyDefinition {
  /** strain that the energy is a function of; it also determines the names that the expression may use */
  strain: EnergyStrain;
  /** energy of an element per measure: J/m³ for a tetrahedron, J/m² for a triangle, J for a distance */
  energy: string;
  /** numbers for names in the expression */
  parameters?: Readonly<Record<string, number>> | undefined;
}

const energyDefinitionNames = optionNames<EnergyDefinition>()("strain energy parameters");

/** A custom energy, ready for both backends; `withEnergy` gives it to a body. */
export interface DefinedEnergy {
  readonly strain: EnergyStrain;
  readonly energy: string;
  readonly parameters: Readonly<Record<string, number>>;
  /** value, gradient and Hessian in strain space, in f64; its material is `parameterValues` */
  readonly density: EnergyDensity;
  readonly parameterValues: readonly number[];
  /** WGSL functions of the same in f32: `definedValue`, `definedGradient`, `definedHessian` */
  readonly wgsl: string;
}

/**
 * An energy density from an expression, for example
 *
 *     defineEnergy({
 *       strain: "green-tet",
 *       energy: "mu/2*(I1-3) - mu*log(J) + lambda/2*log(J)^2",
 *       parameters: { mu: 3e4, lambda: 2e6 },
 *     });
 *
 * Its gradient and Hessian (paper 1, sections 3 and 4) are derived symbolically. Expressions have + − * / ^, parentheses, numbers,
 * and log, exp, sqrt, sin, cos, tan, atan, tanh, abs.
 *
 * @throws PliantError `invalid-argument` for a wrong expression, with the column of the error; for a parameter whose
 * name is taken; for an energy without a finite value, gradient or Hessian at rest; and for an energy of principal
 * stretches that is not symmetric in them. `non-finite` for a parameter that is not a number
 */
export function defineEnergy(definition: EnergyDefinition): DefinedEnergy {
  checkNames("defineEnergy", definition, energyDefinitionNames);
  const { strain, energy } = definition;
  if (!energyStrains.includes(strain))
    throw invalid("defineEnergy strain", strain, `must be one of ${energyStrains.join(", ")}`);
  const object = `defineEnergy "${strain}"`;
  const parameters = { ...definition.parameters };
  const graph = new Graph();
  const { dimension, names } = strainNames(strain, graph);
  const known = withParameters(object, names, parameters, graph);
  const value = parsed(`${object} energy`, energy, graph, known);
  const by = Array.from({ length: dimension }, (_, index) => new Derivatives(graph, index));
  const gradient = by.map((derivatives) => derivatives.of(value));
  const hessian = gradient.flatMap((entry, row) => by.slice(0, row + 1).map((derivatives) => derivatives.of(entry)));
  const parameterValues = Object.values(parameters);
  const own = densityOf(dimension, value, gradient, hessian);
  const isPrincipal = strain === "principal-stretches";
  if (isPrincipal) checkSymmetry(`${object} energy`, energy, own, parameterValues);
  const density = isPrincipal ? ofPrincipalStretches(own) : own;
  checkRest(`${object} energy`, energy, density, parameterValues);
  const wgsl = densityFunctions(object, dimension, { value, gradient, hessian }, parameterValues);
  return { strain, energy, parameters, density, parameterValues, wgsl };
}

function withParameters(
  object: string,
  names: ReadonlyMap<string, Node>,
  parameters: Readonly<Record<string, number>>,
  graph: Graph,
): Map<string, Node> {
  const known = new Map(names);
  Object.entries(parameters).forEach(([name, value], index) => {
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw invalid(`${object} parameter`, name, "must be a name of letters and digits");
    if (names.has(name) || (functions as readonly string[]).includes(name))
      throw invalid(`${object} parameter`, name, "must not be a name that is taken");
    checkFinite(value, `${object} parameter ${name}`);
    known.set(name, graph.parameter(index));
  });
  return known;
}

function parsed(object: string, text: string, graph: Graph, names: ReadonlyMap<string, Node>): Node {
  if (typeof text !== "string") throw invalid(object, text, "must be an expression in a string");
  try {
    return parse(text, graph, names);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw invalid(object, text, `column ${error.column}: ${error.problem}`);
  }
}

function densityOf(dimension: number, value: Node, gradient: readonly Node[], hessian: readonly Node[]): EnergyDensity {
  const tapes = [[value], gradient, hessian].map((nodes) => new Tape(compile(nodes)));
  const [valueTape, gradientTape, hessianTape] = tapes as [Tape, Tape, Tape];
  const single = new Float64Array(1);
  const lower = new Float64Array(hessian.length);
  return {
    dimension,
    value(s, m) {
      valueTape.run(s, m, single);
      return single[0];
    },
    gradient(s, m, out) {
      gradientTape.run(s, m, out);
    },
    hessian(s, m, out) {
      hessianTape.run(s, m, lower);
      for (let row = 0, at = 0; row < dimension; row++)
        for (let column = 0; column <= row; column++, at++)
          out[dimension * row + column] = out[dimension * column + row] = lower[at]!;
    },
  };
}

/** A body starts at rest: an energy that is NaN there stays NaN. */
function checkRest(object: string, text: string, density: EnergyDensity, parameters: readonly number[]): void {
  const { dimension } = density;
  const rest = new Float64Array(dimension);
  const [gradient, hessian] = [new Float64Array(dimension), new Float64Array(dimension * dimension)];
  density.gradient(rest, parameters, gradient);
  density.hessian(rest, parameters, hessian);
  const all = { value: [density.value(rest, parameters)], gradient, Hessian: hessian };
  for (const [what, numbers] of Object.entries(all))
    if (!Array.from(numbers).every(Number.isFinite)) throw invalid(object, text, `must have a finite ${what} at rest`);
}
