import { Fabric, fabrics, gridMesh, type Vec3 } from "../src/index";
import type { EnergyTerm } from "../src/solvers/gpbd/model";
import { termLayout } from "../src/solvers/gpbd/model";
import { elementKindOf } from "../src/solvers/gpbd/elements/defined/defined-element";
import { gatherElement } from "../src/solvers/gpbd/elements/elements";
import { choiceOf, commonParameters, numberOf, solverOptions, textOf } from "./parameters";
import { readText } from "./read-text";
import type { ClothDescription, Parameter, ParameterValues, SurfaceMaterial } from "./scene";

/** Side of the sheets of these scenes [m]. */
export const SIDE = 0.3;

/** Built-in fabrics with tables. */
export const hylcFabrics = ["satin", "basket", "honeycomb", "rib", "stockinette"] as const;
export type HylcFabric = (typeof hylcFabrics)[number];

/** Their looks, and the air density [kg/m³] that the scenes of the HYLC paper use for them: draped, stretched. */
const settings: Readonly<Record<HylcFabric, { material: SurfaceMaterial; air: readonly [number, number] }>> = {
  satin: { material: "silk", air: [5, 8] },
  basket: { material: "linen", air: [5, 7] },
  honeycomb: { material: "cotton", air: [7.8, 15] },
  rib: { material: "cotton", air: [3, 12] },
  stockinette: { material: "linen", air: [7.5, 10] },
};

/** Parameters of both scenes. */
export function hylcParameters(defaults: { resolution: number; substeps: number; fabric: HylcFabric }): Parameter[] {
  return [
    ...commonParameters({ substeps: defaults.substeps, iterations: 1 }),
    { name: "fabric", default: defaults.fabric, unit: "", choices: hylcFabrics, description: "material of the sheet" },
    {
      name: "table",
      default: "none",
      unit: "",
      description: "file of an energy table in the format of the HYLC code, in place of the fabric's own",
    },
    {
      name: "resolution",
      default: defaults.resolution,
      unit: "",
      range: [6, 160],
      integer: true,
      description: "segments along a side of the sheet; the paper has 128, with time steps of 1e-4 s",
    },
    { name: "axis", default: "x", unit: "", choices: ["x", "y"], description: "warp (x) or weft (y)" },
  ];
}

/** A sheet in the plane y = 0: warp along x, weft along z, which the paper calls y. */
export interface Sheet extends ClothDescription {
  readonly columns: number;
}

/**
 * The sheet of a scene's parameters.
 *
 * @param pinned selects the held vertices by their places in the sheet [m]
 */
export async function hylcSheet(
  values: ParameterValues,
  scene: "drape" | "stretch",
  options: ClothDescription["options"],
  pinned: (x: number, y: number) => boolean,
): Promise<Sheet> {
  const name = choiceOf(values, "fabric", hylcFabrics);
  const file = textOf(values, "table");
  const fabric =
    file === "none"
      ? fabrics[name]
      : Fabric.fromTable(await readText("table", file), { damping: fabrics[name].stretchDamping }, `table ${file}`);
  const columns = numberOf(values, "resolution");
  const mesh = gridMesh({ width: SIDE, height: SIDE, columns, rows: columns });
  const pins: number[] = [];
  for (let p = 0; 3 * p < mesh.positions.length; p++)
    if (pinned(mesh.positions[3 * p], mesh.positions[3 * p + 2])) pins.push(p);
  const { material, air } = settings[name];
  return {
    name: "sheet",
    positions: mesh.positions,
    indices: mesh.indices,
    uvs: mesh.uvs.map((value) => value * SIDE),
    fabric,
    membrane: "hylc",
    bending: "isometric",
    // Force per face ρ A v² along its normal: a drag coefficient of 2.
    options: { ...solverOptions(values), airDensity: air[scene === "drape" ? 0 : 1], drag: 2, lift: 0, ...options },
    pins,
    material,
    columns,
  };
}

const at = (positions: ArrayLike<number>, p: number): Vec3 => [
  positions[3 * p],
  positions[3 * p + 1],
  positions[3 * p + 2],
];
const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const length = (a: Vec3): number => Math.sqrt(dot(a, a));
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Depth of the lowest point below the plane y = 0 [m]. */
export function sagOf(positions: ArrayLike<number>): number {
  let lowest = 0;
  for (let i = 1; i < positions.length; i += 3) lowest = Math.min(lowest, positions[i]);
  return -lowest;
}

/** Distance of the midpoints of two sides: of those along x ("x"), or along y [m]. */
export function widthAtMiddle(positions: ArrayLike<number>, columns: number, axis: "x" | "y"): number {
  const half = Math.round(columns / 2);
  const vertex = (i: number, j: number): Vec3 => at(positions, j * (columns + 1) + i);
  const [a, b] = axis === "x" ? [vertex(half, 0), vertex(half, columns)] : [vertex(0, half), vertex(columns, half)];
  return length(minus(a, b));
}

/**
 * Mean curvature across the two sides at the ends of an axis [1/m], from the turn of the last two segments of each
 * thread; positive towards the side of (x₁ − x₀) × (x₂ − x₀) of the faces, as in the table.
 */
export function curl(positions: ArrayLike<number>, columns: number, axis: "x" | "y"): number {
  let sum = 0;
  const vertex = (along: number, across: number): Vec3 =>
    at(positions, axis === "x" ? across * (columns + 1) + along : along * (columns + 1) + across);
  for (const end of [0, columns]) {
    const step = end === 0 ? 1 : -1;
    // The corners bend both ways.
    for (let k = 2; k <= columns - 2; k++) {
      const [last, middle, inner] = [vertex(end, k), vertex(end + step, k), vertex(end + 2 * step, k)];
      const [a, b] = [minus(middle, inner), minus(last, middle)];
      const beside = minus(vertex(end + step, k + 1), vertex(end + step, k - 1));
      // Normals of the faces point down where x, y are right and up: towards −(x × y) of a left-handed scene.
      const normal = axis === "x" ? cross(a, beside) : cross(beside, a);
      const side = (end === 0 ? -1 : 1) * Math.sign(dot(normal, minus(b, a)));
      const turn = Math.atan2(length(cross(a, b)), dot(a, b));
      sum += (side * turn) / (0.5 * (length(a) + length(b)));
    }
  }
  return sum / (2 * (columns - 3));
}

/** Force of the elements of a term on some particles, along a direction [N]. */
export function pullOn(
  term: EnergyTerm,
  positions: ArrayLike<number>,
  particles: ReadonlySet<number>,
  direction: Vec3,
): number {
  const { strain, density, measureAt } = elementKindOf(term);
  const { arity, rest: stride } = termLayout[term.kind];
  const { dimension: k } = strain;
  const [x, s, stress] = [new Float64Array(3 * arity), new Float64Array(k), new Float64Array(k)];
  const jacobian = new Float64Array(3 * arity * k);
  let force = 0;
  for (let e = 0; e < term.elementCount; e++) {
    gatherElement(term, e, positions, x);
    strain.strain(x, term.rest, stride * e, s);
    strain.jacobian(x, term.rest, stride * e, jacobian);
    density.gradient(s, term.material, stress);
    for (let corner = 0; corner < arity; corner++) {
      if (!particles.has(term.indices[arity * e + corner])) continue;
      for (let i = 0; i < k; i++)
        for (let c = 0; c < 3; c++)
          force -=
            term.rest[stride * e + measureAt] * stress[i] * jacobian[3 * arity * i + 3 * corner + c] * direction[c];
    }
  }
  return force;
}
