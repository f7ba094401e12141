import { elementKinds } from "../../../src/solvers/gpbd/elements";
import { createElementScratch, type ElementScratch } from "../../../src/solvers/gpbd/local-solve";
import type { TermKind } from "../../../src/solvers/gpbd/model";
import type { RandomGeometry } from "../../collision/random";
import { randomMaterial } from "../../materials/strains";

/** A random element of a kind with rest data, material and everything that its update needs. */
export interface RandomElement {
  readonly kind: TermKind;
  readonly rest: Float64Array;
  readonly material: Float64Array;
  readonly dt: number;
  readonly element: ElementScratch;
}

export const allKinds = Object.keys(elementKinds) as TermKind[];

/** Rest positions of a triangle or hinge with edges of about `size`, in the plane y = 0 for membranes. */
function restPositions(random: RandomGeometry, arity: number, size: number): number[] {
  const corners = [
    [0, 0, 0],
    [1, 0, 0],
    [random.between(0.2, 0.8), 0, random.between(0.5, 1)],
    [random.between(0.2, 0.8), 0, -random.between(0.5, 1)],
  ];
  return corners
    .slice(0, arity)
    .flat()
    .map((value) => size * value);
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

function restData(kind: TermKind, x: readonly number[], random: RandomGeometry): number[] {
  switch (kind) {
    case "distance":
      return [Math.hypot(x[3], x[5]), 10 ** random.between(-6, -2)];
    case "stvk-membrane":
    case "neo-hookean-membrane":
      return membraneRest(x, random);
    case "dihedral-bending":
      return [random.between(-1, 1), 10 ** random.between(-5, -1)];
    case "isometric-bending": {
      const k = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
      const scale = 10 ** random.between(-1, 1);
      return [...k, -k[0] - k[1] - k[2]].map((value) => scale * value);
    }
  }
}

/**
 * @param size length of edges [m]
 * @param noise how far corners are from where they rest, as a fraction of `size`
 */
export function randomElement(kind: TermKind, random: RandomGeometry, size = 0.05, noise = 0.25): RandomElement {
  const { strain } = elementKinds[kind];
  const restX = restPositions(random, strain.arity, size);
  const damping = random.between(0, 1) < 0.5 ? 0 : 10 ** random.between(-5, -2);
  const material = strain.arity === 3 ? Float64Array.of(...randomMaterial(random), damping) : Float64Array.of(damping);
  const dt = 1 / random.between(60, 2000);
  const element = createElementScratch();
  const offset = random.vector(1);
  for (let corner = 0; corner < strain.arity; corner++) {
    const mass = 10 ** random.between(-5, -2);
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
