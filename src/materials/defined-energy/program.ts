import type { FunctionName, Node } from "./graph";

/** A step of a computation; operands are numbers of earlier steps. */
export type Instruction =
  | { readonly op: "strain" | "parameter"; readonly index: number }
  | { readonly op: "sum"; readonly constant: number; readonly terms: readonly { at: number; factor: number }[] }
  | { readonly op: "product"; readonly operands: readonly number[] }
  | { readonly op: "power"; readonly operand: number; readonly exponent: number }
  | { readonly op: "call"; readonly name: FunctionName; readonly operand: number };

/** Straight-line code for some nodes of a graph; common parts are computed once. */
export interface Program {
  readonly steps: readonly Instruction[];
  /** the step that computes the value of each node */
  readonly results: readonly number[];
}

export function compile(nodes: readonly Node[]): Program {
  const steps: Instruction[] = [];
  const places = new Map<string, number>();
  const emit = (key: string, make: () => Instruction): number => {
    const known = places.get(key);
    if (known !== undefined) return known;
    const step = make();
    places.set(key, steps.push(step) - 1);
    return steps.length - 1;
  };
  const power = (node: Node, exponent: number): number => {
    const operand = place(node);
    return exponent === 1 ? operand : emit(`${node.id}^${exponent}`, () => ({ op: "power", operand, exponent }));
  };
  const place = (node: Node): number =>
    emit(`${node.id}`, () => {
      switch (node.kind) {
        case "strain":
        case "parameter":
          return { op: node.kind, index: node.index };
        case "sum": {
          const terms = node.terms.map(({ node: term, factor }) => ({ at: place(term), factor }));
          return { op: "sum", constant: node.constant, terms };
        }
        case "product":
          return { op: "product", operands: node.factors.map(({ node: base, exponent }) => power(base, exponent)) };
        case "call":
          return { op: "call", name: node.name, operand: place(node.argument) };
      }
    });
  const results = nodes.map(place);
  return { steps, results };
}
