import type { FunctionName, Graph, Node } from "./graph";

/** Functions that an expression may call. */
export const functions = ["log", "exp", "sqrt", "sin", "cos", "tan", "atan", "tanh", "abs"] as const;

/** An error in an expression, with its column. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";

  /** @param column from 1 */
  constructor(
    readonly problem: string,
    readonly column: number,
  ) {
    super(`${problem} (column ${column})`);
  }
}

interface Token {
  readonly text: string;
  readonly kind: "number" | "name" | "sign" | "end";
  readonly column: number;
}

const TOKEN = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/^(),]))/y;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  let at = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const [, number, name, sign] = match;
    const found = number ?? name ?? sign;
    const kind = number !== undefined ? "number" : name !== undefined ? "name" : "sign";
    at = TOKEN.lastIndex;
    tokens.push({ text: found === "**" ? "^" : found, kind, column: at - found.length + 1 });
  }
  const rest = text.slice(at).search(/\S/);
  if (rest >= 0) throw new ExpressionError(`unexpected "${text[at + rest]}"`, at + rest + 1);
  tokens.push({ text: "the end", kind: "end", column: text.length + 1 });
  return tokens;
}

/**
 * Reads + − * / ^ (or **), parentheses, calls, numbers and names; ^ binds more tightly than a preceding minus.
 *
 * @param names nodes of known names
 * @throws ExpressionError with the column of the error
 */
export function parse(text: string, graph: Graph, names: ReadonlyMap<string, Node>): Node {
  const tokens = tokensOf(text);
  let at = 0;
  const peek = (): Token => tokens[at];
  const accept = (...texts: readonly string[]): Token | undefined =>
    peek().kind === "sign" && texts.includes(peek().text) ? tokens[at++] : undefined;
  const expect = (text: string): void => {
    if (!accept(text)) throw new ExpressionError(`expected "${text}" before ${shown(peek())}`, peek().column);
  };

  const sum = (): Node => {
    let left = product();
    for (let sign = accept("+", "-"); sign; sign = accept("+", "-"))
      left = sign.text === "+" ? graph.add(left, product()) : graph.subtract(left, product());
    return left;
  };
  const product = (): Node => {
    let left = unary();
    for (let sign = accept("*", "/"); sign; sign = accept("*", "/"))
      left = sign.text === "*" ? graph.multiply(left, unary()) : graph.divide(left, unary());
    return left;
  };
  const unary = (): Node => {
    if (accept("-")) return graph.multiply(graph.constant(-1), unary());
    if (accept("+")) return unary();
    const base = primary();
    return accept("^") ? graph.power(base, unary()) : base;
  };
  const primary = (): Node => {
    const token = peek();
    if (token.kind === "number") {
      at++;
      return graph.constant(Number(token.text));
    }
    if (accept("(")) {
      const inside = sum();
      expect(")");
      return inside;
    }
    if (token.kind !== "name")
      throw new ExpressionError(`expected a number, a name or "(" before ${shown(token)}`, token.column);
    at++;
    return peek().text === "(" && peek().kind === "sign" ? call(token) : named(token);
  };
  const call = ({ text: name, column }: Token): Node => {
    if (!(functions as readonly string[]).includes(name))
      throw new ExpressionError(`unknown function "${name}", known are ${functions.join(", ")}`, column);
    expect("(");
    const argument = sum();
    expect(")");
    return name === "sqrt" ? graph.sqrt(argument) : graph.call(name as FunctionName, argument);
  };
  const named = ({ text: name, column }: Token): Node => {
    const node = names.get(name);
    if (node) return node;
    throw new ExpressionError(`unknown name "${name}", known are ${[...names.keys()].join(", ")}`, column);
  };

  const result = sum();
  if (peek().kind !== "end") throw new ExpressionError(`expected an operator before ${shown(peek())}`, peek().column);
  return result;
}

function shown({ text, kind }: Token): string {
  return kind === "end" ? text : `"${text}"`;
}
