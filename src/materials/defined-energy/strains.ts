import type { Graph, Node } from "./graph";

/** Strains that an energy may be a function of. */
export const energyStrains = [
  "green-tet",
  "principal-stretches",
  "green-triangle",
  "dihedral",
  "distance",
  "deformation-gradient",
  "hylc",
] as const;
export type EnergyStrain = (typeof energyStrains)[number];

/** Names that expressions of a strain may use. */
export interface StrainNames {
  /** k, the number of independent entries */
  readonly dimension: number;
  readonly names: ReadonlyMap<string, Node>;
}

/** Names of the entries and of derived quantities; site/guide/own-energy.md lists them. */
export function strainNames(strain: EnergyStrain, graph: Graph): StrainNames {
  const plain = (...names: readonly string[]): StrainNames => ({
    dimension: names.length,
    names: new Map(names.map((name, index) => [name, graph.strain(index)])),
  });
  switch (strain) {
    case "green-tet":
      return greenTet(graph);
    case "principal-stretches":
      return principalStretches(graph);
    case "green-triangle":
      return greenTriangle(graph);
    case "deformation-gradient":
      return deformationGradient(graph);
    case "dihedral":
      return plain("theta");
    case "distance":
      return plain("c");
    case "hylc":
      return plain("sx", "sa", "sy", "kxx", "kxy", "kyy");
  }
}

/**
 * E of a tetrahedron; C = I + 2E. Invariants are written in terms of E, so that they keep their digits near rest: I₁ =
 * 3 + 2 tr E, I₂ = 3 + 4 tr E + 4 Σ minors, I₃ = det C = 1 + x, J = √I₃.
 */
function greenTet(graph: Graph): StrainNames {
  const names = ["Exx", "Eyy", "Ezz", "Exy", "Eyz", "Ezx"];
  const e = names.map((_, index) => graph.strain(index)) as Six;
  const [xx, yy, zz, xy, yz, zx] = e;
  const scaled = (factor: number, node: Node): Node => graph.linear(0, [{ node, factor }]);
  const times = (...nodes: readonly Node[]): Node => graph.multiply(...nodes);
  const trace = graph.add(xx, yy, zz);
  const minors = graph.subtract(
    graph.add(times(xx, yy), times(yy, zz), times(zz, xx)),
    graph.add(times(xy, xy), times(yz, yz), times(zx, zx)),
  );
  const determinant = graph.subtract(
    graph.add(times(xx, yy, zz), scaled(2, times(xy, yz, zx))),
    graph.add(times(xx, yz, yz), times(yy, zx, zx), times(zz, xy, xy)),
  );
  const excess = graph.add(scaled(2, trace), scaled(4, minors), scaled(8, determinant));
  const one = graph.constant(1);
  const c = names.map((name, k): [string, Node] => [
    name.replace("E", "C"),
    graph.linear(k < 3 ? 1 : 0, [{ node: e[k], factor: 2 }]),
  ]);
  return {
    dimension: 6,
    names: new Map([
      ["I1", graph.linear(3, [{ node: trace, factor: 2 }])],
      ["I2", graph.add(graph.constant(3), scaled(4, trace), scaled(4, minors))],
      ["I3", graph.add(one, excess)],
      ["J", graph.add(one, graph.call("rootExcess", excess))],
      ...names.map((name, k): [string, Node] => [name, e[k]]),
      ...c,
    ]),
  };
}

/** λₐ = 1 + sₐ; invariants of C = FᵀF are written as their values at rest plus differences. */
function principalStretches(graph: Graph): StrainNames {
  const s = [0, 1, 2].map((index) => graph.strain(index));
  const stretches = s.map((node) => graph.noteNearOne(graph.linear(1, [{ node, factor: 1 }])));
  const pairs = [
    [0, 1],
    [1, 2],
    [2, 0],
  ];
  const trace = graph.add(...s);
  const squares = s.map((node) => graph.multiply(node, node));
  const areas = pairs.map(([a, b]) => {
    const area = graph.multiply(stretches[a], stretches[b]);
    return graph.multiply(area, area);
  });
  const products = [...pairs.map(([a, b]) => graph.multiply(s[a], s[b])), graph.multiply(...s)];
  return {
    dimension: 3,
    names: new Map([
      ...stretches.map((node, a): [string, Node] => [`lambda${a + 1}`, node]),
      ["I1", graph.add(graph.linear(3, [{ node: trace, factor: 2 }]), ...squares)],
      ["I2", graph.add(...areas)],
      ["J", graph.add(graph.constant(1), trace, ...products)],
    ]),
  };
}

type Six = [Node, Node, Node, Node, Node, Node];

/** E of a triangle in material axes u and v: I₁ = tr C, I₂ = det C, J = √I₂ the area ratio. */
function greenTriangle(graph: Graph): StrainNames {
  const [uu, uv, vv] = [0, 1, 2].map((index) => graph.strain(index)) as [Node, Node, Node];
  const trace = graph.add(uu, vv);
  const minor = graph.subtract(graph.multiply(uu, vv), graph.multiply(uv, uv));
  const excess = graph.linear(0, [
    { node: trace, factor: 2 },
    { node: minor, factor: 4 },
  ]);
  const one = graph.constant(1);
  const twice = (constant: number, node: Node): Node => graph.linear(constant, [{ node, factor: 2 }]);
  return {
    dimension: 3,
    names: new Map([
      ["I1", twice(2, trace)],
      ["I2", graph.add(one, excess)],
      ["J", graph.add(one, graph.call("rootExcess", excess))],
      ["Euu", uu],
      ["Euv", uv],
      ["Evv", vv],
      ["Cuu", twice(1, uu)],
      ["Cuv", twice(0, uv)],
      ["Cvv", twice(1, vv)],
    ]),
  };
}

/** F = I + H, whose nine entries H are the strain: F11 to F33, I₁ and I₂ of C = FᵀF, J = det F. */
function deformationGradient(graph: Graph): StrainNames {
  const h = Array.from({ length: 9 }, (_, index) => graph.strain(index));
  const f = h.map((node, index) => graph.linear(index % 4 === 0 ? 1 : 0, [{ node, factor: 1 }]));
  const entry = (i: number, j: number): Node => h[3 * i + j];
  const minor = (a: number, b: number): Node =>
    graph.subtract(graph.multiply(entry(a, a), entry(b, b)), graph.multiply(entry(a, b), entry(b, a)));
  const trace = graph.add(entry(0, 0), entry(1, 1), entry(2, 2));
  const determinant = [0, 1, 2].map((j) => {
    const [k, l] = [(j + 1) % 3, (j + 2) % 3];
    const cofactor = graph.subtract(graph.multiply(entry(1, k), entry(2, l)), graph.multiply(entry(1, l), entry(2, k)));
    return graph.multiply(entry(0, j), cofactor);
  });
  // I₂ is the sum of the squared cofactors of F.
  const cofactors = h.map((_, place) => {
    const [i, j] = [Math.floor(place / 3), place % 3];
    const at = (a: number, b: number): Node => f[3 * ((i + a) % 3) + ((j + b) % 3)];
    const value = graph.subtract(graph.multiply(at(1, 1), at(2, 2)), graph.multiply(at(1, 2), at(2, 1)));
    return graph.multiply(value, value);
  });
  const squares = h.map((node) => graph.multiply(node, node));
  return {
    dimension: 9,
    names: new Map([
      ["I1", graph.add(graph.linear(3, [{ node: trace, factor: 2 }]), ...squares)],
      ["I2", graph.add(...cofactors)],
      ["J", graph.add(graph.constant(1), trace, minor(0, 1), minor(1, 2), minor(2, 0), ...determinant)],
      ...f.map((node, k): [string, Node] => [`F${Math.floor(k / 3) + 1}${(k % 3) + 1}`, node]),
    ]),
  };
}
