import { invalid } from "../../errors";
import type { FunctionName, Node } from "./graph";
import { compile, type Instruction } from "./program";

/** The compiled nodes of a density; the Hessian is given by rows up to the diagonal. */
export interface DensityNodes {
  readonly value: Node;
  readonly gradient: readonly Node[];
  readonly hessian: readonly Node[];
}

/**
 * Pliant's own logarithm, sine and cosine (shaders/math): errors of WGSL's functions may be far larger than f32
 * rounding. The other functions are precise enough.
 */
const calls: Readonly<Record<FunctionName, (x: string) => string>> = {
  log: (x) => `logarithm(${x})`,
  log1p: (x) => `log1p(${x})`,
  rootExcess: (x) => `(${x} / (1.0 + sqrt(1.0 + ${x})))`,
  exp: (x) => `exp(${x})`,
  expm1: (x) => `expm1(${x})`,
  sin: (x) => `sineCosine(${x}).x`,
  cos: (x) => `sineCosine(${x}).y`,
  tan: (x) => `(sineCosine(${x}).x / sineCosine(${x}).y)`,
  atan: (x) => `atan(${x})`,
  tanh: (x) => `tanh(${x})`,
  abs: (x) => `abs(${x})`,
  sign: (x) => `sign(${x})`,
};

/**
 * The three functions that a shader of defined energies calls.
 *
 * @param object name of the energy, for the error about a number outside f32's range
 */
export function densityFunctions(
  object: string,
  dimension: number,
  { value, gradient, hessian }: DensityNodes,
  parameters: readonly number[],
): string {
  const s = `s: array<f32, ${dimension}>`;
  const list = (count: number): string => `array<f32, ${count}>`;
  const body = (nodes: readonly Node[], result: (steps: readonly string[]) => string): string => {
    const { steps, results } = compile(nodes);
    const lines = steps.map((step, k) => `  let t${k} = ${written(object, step, parameters)};`);
    return `${lines.join("\n")}\n  return ${result(results.map((at) => `t${at}`))};\n}\n`;
  };
  const count = (dimension * (dimension + 1)) / 2;
  return [
    `fn definedValue(${s}) -> f32 {\n${body([value], ([only]) => only)}`,
    `fn definedGradient(${s}) -> ${list(dimension)} {\n${body(gradient, (all) => `${list(dimension)}(${all.join(", ")})`)}`,
    `fn definedHessian(${s}) -> ${list(count)} {\n${body(hessian, (all) => `${list(count)}(${all.join(", ")})`)}`,
  ].join("");
}

function written(object: string, step: Instruction, parameters: readonly number[]): string {
  const literal = (value: number): string => {
    const rounded = Math.fround(value);
    if (!Number.isFinite(rounded)) throw invalid(object, value, "must have only numbers that f32 can hold");
    return `${rounded}f`;
  };
  switch (step.op) {
    case "strain":
      return `s[${step.index}]`;
    case "parameter":
      return literal(parameters[step.index]);
    case "sum": {
      const parts = step.terms.map(({ at, factor }) =>
        factor === 1 ? ` + t${at}` : factor === -1 ? ` - t${at}` : ` + ${literal(factor)} * t${at}`,
      );
      return `${literal(step.constant)}${parts.join("")}`.replace(/^0f \+ /, "").replace(/^0f - /, "-");
    }
    case "product":
      return step.operands.map((at) => `t${at}`).join(" * ");
    case "power":
      return powerOf(`t${step.operand}`, step.exponent, literal);
    case "call":
      return calls[step.name](`t${step.operand}`);
  }
}

function powerOf(x: string, exponent: number, literal: (value: number) => string): string {
  if (exponent < 0) return `1.0 / (${powerOf(x, -exponent, literal)})`;
  if (exponent === 0.5) return `sqrt(${x})`;
  if (Number.isInteger(exponent) && exponent <= 8) return Array.from({ length: exponent }, () => x).join(" * ");
  return `exp(${literal(exponent)} * logarithm(${x}))`;
}
