import { evaluateFunction, type FunctionName } from "./graph";
import type { Instruction, Program } from "./program";
import { pow } from "../../math/powers";

/** Kinds of steps, as numbers on the tape. */
const Code = { strain: 0, parameter: 1, sum: 2, product: 3, power: 4, call: 5 } as const;

const names: readonly FunctionName[] = [
  ...(["log", "log1p", "rootExcess", "exp", "expm1", "sin", "cos", "tan", "atan", "tanh", "abs", "sign"] as const),
];

/**
 * A program in f64, run step by step from flat arrays: no code is generated, so it also works on pages whose security
 * policy forbids that.
 */
export class Tape {
  private readonly codes: Int32Array;
  private readonly numbers: Float64Array;
  private readonly values: Float64Array;
  private readonly results: Int32Array;

  constructor({ steps, results }: Program) {
    const codes: number[] = [];
    const numbers: number[] = [];
    for (const step of steps) write(step, codes, numbers);
    this.codes = Int32Array.from(codes);
    this.numbers = Float64Array.from(numbers);
    this.values = new Float64Array(steps.length);
    this.results = Int32Array.from(results);
  }

  /**
   * @param s strains
   * @param m parameters
   * @param out one number for each result
   */
  run(s: ArrayLike<number>, m: ArrayLike<number>, out: Float64Array): void {
    const { codes, numbers, values, results } = this;
    for (let at = 0, number = 0, step = 0; step < values.length; step++) {
      const code = codes[at++];
      const count = codes[at++];
      if (code === Code.sum) {
        let sum = numbers[number++];
        for (let k = 0; k < count; k++) sum += numbers[number++] * values[codes[at++]];
        values[step] = sum;
      } else if (code === Code.product) {
        let product = values[codes[at++]];
        for (let k = 1; k < count; k++) product *= values[codes[at++]];
        values[step] = product;
      } else if (code === Code.power) values[step] = power(values[codes[at++]], numbers[number++]);
      else if (code === Code.call) values[step] = evaluateFunction(names[count], values[codes[at++]]);
      else values[step] = code === Code.strain ? s[count] : m[count];
    }
    for (let k = 0; k < results.length; k++) out[k] = values[results[k]]!;
  }
}

function write(step: Instruction, codes: number[], numbers: number[]): void {
  switch (step.op) {
    case "strain":
    case "parameter":
      codes.push(Code[step.op], step.index);
      return;
    case "sum":
      codes.push(Code.sum, step.terms.length, ...step.terms.map(({ at }) => at));
      numbers.push(step.constant, ...step.terms.map(({ factor }) => factor));
      return;
    case "product":
      codes.push(Code.product, step.operands.length, ...step.operands);
      return;
    case "power":
      codes.push(Code.power, 1, step.operand);
      numbers.push(step.exponent);
      return;
    case "call":
      codes.push(Code.call, names.indexOf(step.name), step.operand);
  }
}

function power(x: number, exponent: number): number {
  switch (exponent) {
    case -1:
      return 1 / x;
    case 2:
      return x * x;
    case -2:
      return 1 / (x * x);
    case 0.5:
      return Math.sqrt(x);
    default:
      return pow(x, exponent);
  }
}
