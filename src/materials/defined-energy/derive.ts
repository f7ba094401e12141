import type { FunctionName, Graph, Node } from "./graph";

/** Derivatives of nodes by strains, each computed once. */
export class Derivatives {
  private readonly known = new Map<Node, Node>();

  /** @param strain place of the strain of the derivative */
  constructor(
    private readonly graph: Graph,
    private readonly strain: number,
  ) {}

  of(node: Node): Node {
    let result = this.known.get(node);
    if (!result) this.known.set(node, (result = this.find(node)));
    return result;
  }

  private find(node: Node): Node {
    const { graph } = this;
    switch (node.kind) {
      case "parameter":
        return graph.constant(0);
      case "strain":
        return graph.constant(node.index === this.strain ? 1 : 0);
      case "sum":
        return graph.linear(
          0,
          node.terms.map(({ node: term, factor }) => ({ node: this.of(term), factor })),
        );
      case "product":
        return graph.add(
          ...node.factors.map(({ node: base, exponent }, k) =>
            graph.multiply(
              graph.constant(exponent),
              this.of(base),
              graph.powers(
                node.factors.map((factor, j) => (j === k ? { node: base, exponent: exponent - 1 } : factor)),
              ),
            ),
          ),
        );
      case "call":
        return graph.multiply(slope(graph, node.name, node.argument), this.of(node.argument));
    }
  }
}

/** f′(x) */
function slope(graph: Graph, name: FunctionName, x: Node): Node {
  const one = graph.constant(1);
  const square = (node: Node): Node => graph.multiply(node, node);
  switch (name) {
    case "log":
      return graph.divide(one, x);
    case "log1p":
      return graph.divide(one, graph.add(one, x));
    case "rootExcess":
      return graph.divide(graph.constant(0.5), graph.add(one, graph.call("rootExcess", x)));
    case "exp":
      return graph.call("exp", x);
    case "expm1":
      return graph.add(one, graph.call("expm1", x));
    case "sin":
      return graph.call("cos", x);
    case "cos":
      return graph.multiply(graph.constant(-1), graph.call("sin", x));
    case "tan":
      return graph.add(one, square(graph.call("tan", x)));
    case "atan":
      return graph.divide(one, graph.add(one, square(x)));
    case "tanh":
      return graph.subtract(one, square(graph.call("tanh", x)));
    case "abs":
      return graph.call("sign", x);
    case "sign":
      return graph.constant(0);
  }
}
