/**
 * Expressions as a graph in which equal parts are one node, so that building the graph finds common subexpressions.
 * Sums collect like terms and constants, products collect powers: terms like the 3 in I₁ − 3 cancel before any
 * rounding.
 */

import { pow } from "../../math/powers";

/** Functions of one argument. Without cancellation, `rootExcess` is √(1 + x) − 1, `log1p` ln(1 + x), and `expm1` eˣ − 1. */
export type FunctionName =
  | "log"
  | "log1p"
  | "rootExcess"
  | "exp"
  | "expm1"
  | "sin"
  | "cos"
  | "tan"
  | "atan"
  | "tanh"
  | "abs"
  | "sign";

export interface Term {
  readonly node: Node;
  readonly factor: number;
}

export interface Factor {
  readonly node: Node;
  readonly exponent: number;
}

export type Node = { readonly id: number } & (
  | { readonly kind: "strain" | "parameter"; readonly index: number }
  | { readonly kind: "sum"; readonly constant: number; readonly terms: readonly Term[] }
  | { readonly kind: "product"; readonly factors: readonly Factor[] }
  | { readonly kind: "call"; readonly name: FunctionName; readonly argument: Node }
);

type Content = Node extends infer N ? (N extends Node ? Omit<N, "id"> : never) : never;

export class Graph {
  private readonly nodes = new Map<string, Node>();
  private readonly nearOne = new Set<Node>();

  strain(index: number): Node {
    return this.node(`s${index}`, { kind: "strain", index });
  }

  parameter(index: number): Node {
    return this.node(`p${index}`, { kind: "parameter", index });
  }

  constant(value: number): Node {
    return this.linear(value, []);
  }

  add(...nodes: readonly Node[]): Node {
    return this.linear(
      0,
      nodes.map((node) => ({ node, factor: 1 })),
    );
  }

  subtract(a: Node, b: Node): Node {
    return this.linear(0, [
      { node: a, factor: 1 },
      { node: b, factor: -1 },
    ]);
  }

  /** constant + Σ factor · node, with sums among the nodes expanded. */
  linear(constant: number, terms: readonly Term[]): Node {
    let total = constant;
    const factors = new Map<Node, number>();
    const take = (node: Node, factor: number): void => {
      if (node.kind !== "sum") {
        factors.set(node, (factors.get(node) ?? 0) + factor);
        return;
      }
      total += factor * node.constant;
      for (const term of node.terms) take(term.node, factor * term.factor);
    };
    for (const { node, factor } of terms) take(node, factor);
    const kept = [...factors]
      .filter(([, factor]) => factor !== 0)
      .map(([node, factor]) => ({ node, factor }))
      .sort((a, b) => a.node.id - b.node.id);
    if (total === 0 && kept.length === 1 && kept[0].factor === 1) return kept[0].node;
    const key = `+${total};${kept.map(({ node, factor }) => `${factor}*${node.id}`).join(";")}`;
    return this.node(key, { kind: "sum", constant: total, terms: kept });
  }

  multiply(...nodes: readonly Node[]): Node {
    return this.powers(nodes.map((node) => ({ node, exponent: 1 })));
  }

  divide(a: Node, b: Node): Node {
    return this.powers([
      { node: a, exponent: 1 },
      { node: b, exponent: -1 },
    ]);
  }

  /** Notes that a sum is 1 + ε near rest, and so are its powers, so that ε keeps its digits. */
  noteNearOne(node: Node): Node {
    this.nearOne.add(node);
    return node;
  }

  /** A constant exponent, or eᵇˡⁿᵃ. */
  power(a: Node, b: Node): Node {
    const exponent = constantOf(b);
    if (this.nearOne.has(a)) return this.powerNearOne(a, b);
    if (exponent !== undefined) return this.powers([{ node: a, exponent }]);
    return this.call("exp", this.multiply(b, this.call("log", a)));
  }

  private powerNearOne(a: Node, b: Node): Node {
    if (constantOf(b) !== 2)
      return this.add(this.constant(1), this.call("expm1", this.multiply(b, this.call("log", a))));
    const little = this.linear(-1, [{ node: a, factor: 1 }]);
    return this.add(this.constant(1), little, little, this.multiply(little, little));
  }

  sqrt(a: Node): Node {
    return this.powers([{ node: a, exponent: 0.5 }]);
  }

  /** ∏ node^exponent; constant factors move to the enclosing sum. */
  powers(list: readonly Factor[]): Node {
    let scale = 1;
    const exponents = new Map<Node, number>();
    const take = (node: Node, exponent: number): void => {
      const single = node.kind === "sum" && node.constant === 0 && node.terms.length === 1 ? node.terms[0] : undefined;
      if (constantOf(node) !== undefined) scale *= pow(constantOf(node)!, exponent);
      else if (single && (Number.isInteger(exponent) || single.factor > 0)) {
        scale *= pow(single.factor, exponent);
        take(single.node, exponent);
      } else if (node.kind === "product" && mayNest(node.factors, exponent))
        for (const factor of node.factors) take(factor.node, factor.exponent * exponent);
      else exponents.set(node, (exponents.get(node) ?? 0) + exponent);
    };
    for (const { node, exponent } of list) take(node, exponent);
    const factors = [...exponents]
      .filter(([, exponent]) => exponent !== 0)
      .map(([node, exponent]) => ({ node, exponent }))
      .sort((a, b) => a.node.id - b.node.id);
    if (factors.length === 0 || scale === 0) return this.linear(scale, []);
    if (factors.length === 1 && factors[0].exponent === 1)
      return this.linear(0, [{ node: factors[0].node, factor: scale }]);
    const key = `*${factors.map(({ node, exponent }) => `${node.id}^${exponent}`).join(";")}`;
    return this.linear(0, [{ node: this.node(key, { kind: "product", factors }), factor: scale }]);
  }

  call(name: FunctionName, argument: Node): Node {
    const value = constantOf(argument);
    if (value !== undefined) return this.constant(evaluateFunction(name, value));
    // Near rest the argument of a logarithm is 1 + ε: ε keeps its digits.
    if (name === "log" && argument.kind === "sum" && argument.constant === 1)
      return this.call("log1p", this.linear(-1, [{ node: argument, factor: 1 }]));
    if (name === "log" && argument.kind === "product" && argument.factors.length === 1) {
      const { node, exponent } = argument.factors[0];
      if (exponent % 2 !== 0) return this.linear(0, [{ node: this.call("log", node), factor: exponent }]);
    }
    return this.node(`${name}${argument.id}`, { kind: "call", name, argument });
  }

  private node(key: string, content: Content): Node {
    const known = this.nodes.get(key);
    if (known) return known;
    const made = { ...content, id: this.nodes.size } as Node;
    this.nodes.set(key, made);
    return made;
  }
}

/** The value of a constant node; undefined for others. */
export function constantOf(node: Node): number | undefined {
  return node.kind === "sum" && node.terms.length === 0 ? node.constant : undefined;
}

/** (xᵃ)ᵇ is xᵃᵇ for integer b, and if xᵃ does not depend on the sign of x either. */
function mayNest(factors: readonly Factor[], exponent: number): boolean {
  return Number.isInteger(exponent) || (factors.length === 1 && factors[0].exponent % 2 !== 0);
}

export function evaluateFunction(name: FunctionName, x: number): number {
  return name === "rootExcess" ? x / (1 + Math.sqrt(1 + x)) : Math[name](x);
}
