import { fabrics } from "../../../src/materials/fabric";
import { packHylc } from "../../../src/materials/hylc/pack";
import { elementKinds } from "./kinds";
import { createElementScratch, type ElementScratch } from "../../../src/solvers/gpbd/elements/local-solve";
import { isSolid, termLayout, type BendingKind, type TermKind } from "../../../src/solvers/gpbd/model";
import { twinSides } from "../../../src/geometry/surface/twin-sides";
import { writeBendingElement } from "../../../src/solvers/gpbd/elements/sheet-bending";
import type { RandomGeometry } from "../../collision/random";
import { randomSolid } from "../../materials/solid-strains";
import { randomMaterial } from "../../materials/strains";

/** A random element of a kind with rest data, material and all inputs of its update. */
export interface RandomElement {
  readonly kind: TermKind;
  readonly rest: Float64Array;
  readonly material: Float64Array;
  readonly dt: number;
  readonly element: ElementScratch;
}

export const allKinds = Object.keys(elementKinds) as TermKind[];

/** Rest positions with edges of about `size`: a tetrahedron, or a triangle or hinge, in the plane y = 0 for membranes. */
function restPositions(kind: TermKind, random: RandomGeometry, arity: number, size: number): number[] {
  if (isSolid(kind)) {
    const corners = [0, 0, 0, 1, 0, 0, 0.3, 1, 0, 0.3, 0.3, 1];
    return corners.map((value, i) => size * (i < 3 ? 0 : value + random.between(-0.2, 0.2)));
  }
  if (isSheet(kind)) return patchPositions(random).map((value) => size * value);
  const beside =
    kind === "hylc" && random.between(0, 1) < 0.4
      ? [random.between(0, 1) < 0.5 ? random.between(2.3, 2.6) : -random.between(1.3, 1.6), 0, -0.8]
      : [random.between(0.2, 0.8), 0, -random.between(0.5, 1)];
  const corners = [
    [0, 0, 0],
    [1, 0, 0],
    [random.between(0.2, 0.8), 0, random.between(0.5, 1)],
    beside,
    [random.between(1, 1.4), 0, random.between(0.6, 1)],
    [random.between(-0.4, 0), 0, random.between(0.6, 1)],
  ];
  return corners
    .slice(0, arity)
    .flat()
    .map((value) => size * value);
}

/**
 * Places of the corners across the sides. Two sides may share one, around a corner of three triangles, and a side may
 * have none.
 */
function hylcPlaces(x: readonly number[]): [number, number, number] {
  const size = x[3];
  if (x[9] > 1.5 * size) return [3, 3, 5];
  if (x[9] < -0.5 * size) return [3, 4, 3];
  return x[9] > 0.6 * size ? [3, 0, 5] : x[9] < 0.3 * size ? [0, 0, 5] : [3, 4, 5];
}

const isSheet = (kind: TermKind): kind is BendingKind => kind === "isometric-bending" || kind === "dihedral-bending";

/** A triangle, those at its sides, and those at the two other sides of each of them. */
const patchFaces = [0, 1, 2, 1, 0, 3, 2, 1, 4, 0, 2, 5, 3, 0, 6, 1, 3, 7, 4, 1, 8, 2, 4, 9, 5, 2, 10, 0, 5, 11];

/** Twelve vertices in the plane y = 0. */
function patchPositions(random: RandomGeometry): number[] {
  const height = Math.sqrt(0.75);
  const lattice = [
    [0, 0],
    [1, 0],
    [0.5, 1],
    [0.5, -1],
    [1.5, 1],
    [-0.5, 1],
    [-0.5, -1],
    [1.5, -1],
    [2, 0],
    [1, 2],
    [0, 2],
    [-1, 0],
  ];
  return lattice.flatMap(([x, z]) => [x + random.between(-0.1, 0.1), 0, height * (z + random.between(-0.1, 0.1))]);
}

/**
 * The element of the triangle of the patch, with random stiffnesses and warp, and possibly without some of its
 * neighbors.
 */
function bendingRest(kind: BendingKind, x: readonly number[], random: RandomGeometry): Float64Array {
  // curved at rest if the kind allows it
  const positions = x.map((value, i) =>
    i % 3 === 1 && kind === "dihedral-bending" ? value + 0.2 * x[3] * random.between(-1, 1) : value,
  );
  const twins = twinSides(patchFaces);
  const [gone, other] = [Math.floor(random.between(0, 6)), Math.floor(random.between(0, 30))];
  for (const side of [gone, other]) if (side < twins.length) twins[side] = -1;
  const lists = { indices: new Uint32Array(12), rest: new Float64Array(termLayout[kind].rest) };
  const stiffness = [10 ** random.between(-5, -3), 10 ** random.between(-5, -3)] as const;
  writeBendingElement(kind, { positions, indices: patchFaces, twins }, 0, random.between(0, 6), stiffness, lists, 0);
  return lists.rest;
}

/** Inverse of the edge matrix in the xz plane, rotated by a random warp angle; then the area. */
function membraneRest(x: readonly number[], random: RandomGeometry): number[] {
  const angle = random.between(0, Math.PI);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const along = (p: number): [number, number] => [c * x[3 * p] + s * x[3 * p + 2], -s * x[3 * p] + c * x[3 * p + 2]];
  const [[a, cc], [b, d]] = [along(1), along(2)];
  const determinant = a * d - b * cc;
  return [d / determinant, -b / determinant, -cc / determinant, a / determinant, Math.abs(determinant) / 2];
}

/** Inverse of the matrix of the edges, row-major, by Cramer's rule; then the volume. */
function tetRest(x: readonly number[]): number[] {
  const d = (row: number, edge: number): number => x[3 * (edge + 1) + row] - x[row];
  const minor = (r: number, s: number, e: number, f: number): number => d(r, e) * d(s, f) - d(r, f) * d(s, e);
  const determinant = d(0, 0) * minor(1, 2, 1, 2) - d(1, 0) * minor(0, 2, 1, 2) + d(2, 0) * minor(0, 1, 1, 2);
  const inverse = [0, 1, 2].flatMap((edge) =>
    [0, 1, 2].map((row) => {
      const others = (skip: number): [number, number] => (skip === 0 ? [1, 2] : skip === 1 ? [0, 2] : [0, 1]);
      return (((edge + row) % 2 === 0 ? 1 : -1) * minor(...others(row), ...others(edge))) / determinant;
    }),
  );
  return [...inverse, determinant / 6];
}

function restData(kind: TermKind, x: readonly number[], random: RandomGeometry): number[] {
  switch (kind) {
    case "distance":
      return [Math.hypot(x[3], x[5]), 10 ** random.between(-6, -2)];
    case "stvk-membrane":
    case "neo-hookean-membrane":
      return membraneRest(x, random);
    case "hinge-bending":
      return [random.between(-1, 1), 10 ** random.between(-5, -1)];
    case "isometric-bending":
    case "dihedral-bending":
      return Array.from(bendingRest(kind, x, random));
    case "hylc": {
      const places = hylcPlaces(x);
      const code = places[0] + 8 * places[1] + 64 * places[2];
      return [...membraneRest(x, random), code, x[3] * x[3], 0, 0.1, 0];
    }
    default:
      return tetRest(x);
  }
}

function materialOf(kind: TermKind, random: RandomGeometry, damping: number, size: number): Float64Array {
  if (isSolid(kind)) return Float64Array.of(...randomSolid(random), damping);
  if (kind === "hylc") return packHylc(fabrics.stockinette.table!, damping, size);
  if (isSheet(kind)) return Float64Array.of(damping, 1, 1);
  return elementKinds[kind].strain.arity === 3
    ? Float64Array.of(...randomMaterial(random), damping)
    : Float64Array.of(damping);
}

/**
 * @param size length of edges [m]
 * @param noise distance of corners from their rest places, as a fraction of `size`
 */
export function randomElement(kind: TermKind, random: RandomGeometry, size = 0.05, noise = 0.25): RandomElement {
  const { strain } = elementKinds[kind];
  const restX = restPositions(kind, random, strain.arity, size);
  const damping = random.between(0, 1) < 0.5 ? 0 : 10 ** random.between(-5, -2);
  const material = materialOf(kind, random, damping, size);
  const dt = 1 / random.between(60, 2000);
  const element = createElementScratch();
  const offset = random.vector(1);
  for (let corner = 0; corner < strain.arity; corner++) {
    // only its mass keeps the triangle of a sheet from collapsing
    const mass = 10 ** (random.between(-5, -2) + (isSheet(kind) ? 1.5 : 0));
    element.w[corner] = random.between(0, 1) < 0.15 ? 0 : (dt * dt) / mass;
    for (let c = 0; c < 3; c++) {
      const i = 3 * corner + c;
      element.start[i] = restX[i] + offset[c] + random.between(-noise, noise) * size;
      const moved = element.w[corner] === 0 ? 0 : random.between(-1, 1);
      element.x[i] = element.start[i] + 0.1 * size * moved;
      element.tracked[i] = 0.05 * size * moved * random.between(-1, 1);
    }
  }
  return { kind, rest: Float64Array.from(restData(kind, restX, random)), material, dt, element };
}
