import type { SurfaceMesh } from "../surface/surface-mesh";

/** Properties of a body for contact. */
export interface ContactMaterial {
  /** distance to keep from obstacles [m], > 0 */
  readonly thickness: number;
  /** Coulomb coefficient; that of a pair is the geometric mean of the two */
  readonly friction: number;
  /** factors of the two, one a particle, those of the thickness at most 1; undefined where it is the same everywhere */
  readonly frictionFactors?: ArrayLike<number> | undefined;
  readonly thicknessFactors?: ArrayLike<number> | undefined;
}

/** One to be filled in, of one thickness. */
export function createMaterial() {
  return { thickness: 0, friction: 0, frictionFactors: undefined as ContactMaterial["frictionFactors"] };
}

/** Parts of a material that give a distance to the surfaces of its body. */
export type Thickness = Pick<ContactMaterial, "thickness" | "thicknessFactors">;

/** Distance that a particle keeps [m]. */
export function thicknessAt({ thickness, thicknessFactors }: Thickness, p: number): number {
  return thicknessFactors === undefined ? thickness : thickness * thicknessFactors[p];
}

/** The least of the corners of a face, of which `f` is the first index [m]. */
export function thicknessOfFace(material: Thickness, faces: ArrayLike<number>, f: number): number {
  if (material.thicknessFactors === undefined) return material.thickness;
  const [a, b, c] = [faces[f], faces[f + 1], faces[f + 2]];
  return Math.min(thicknessAt(material, a), thicknessAt(material, b), thicknessAt(material, c));
}

/** Coulomb coefficient of a particle's surface. */
export function frictionAt({ friction, frictionFactors }: ContactMaterial, p: number): number {
  return frictionFactors === undefined ? friction : friction * frictionFactors[p];
}

/** The mean of the corners of a face, of which `f` is the first index. */
export function frictionOfFace(material: ContactMaterial, faces: ArrayLike<number>, f: number): number {
  if (material.frictionFactors === undefined) return material.friction;
  return (frictionAt(material, faces[f]) + frictionAt(material, faces[f + 1]) + frictionAt(material, faces[f + 2])) / 3;
}

/** Factor of a part at a vertex: `factors` has lists of the parts' vertices, or undefined for 1. */
export function factorAt(
  { partOf, partStart }: Pick<SurfaceMesh, "partOf" | "partStart">,
  factors: readonly (ArrayLike<number> | undefined)[],
  v: number,
): number {
  const part = partOf[v];
  return factors[part]?.[v - partStart[part]] ?? 1;
}

/**
 * Sets `SurfaceMesh.thinner`.
 *
 * @param distances that each body keeps [m]
 * @param factors of each body factors of its particles, or undefined; undefined where no body has any
 * @returns whether it changed
 */
export function setThinner(
  mesh: SurfaceMesh,
  distances: readonly number[],
  factors: readonly (ArrayLike<number> | undefined)[] | undefined,
): boolean {
  const { thinner, partOf } = mesh;
  let isOther = false;
  for (let p = 0; p < thinner.length; p++) {
    const half = factors ? 0.5 * distances[partOf[p]] * (1 - factorAt(mesh, factors, p)) : 0;
    isOther ||= thinner[p] !== half;
    thinner[p] = half;
  }
  return isOther;
}
