/**
 * How many substeps a frame of a solid wants. A sweep carries a pull one element further, so from nothing it misses about
 * (c Δt/l)² of what a body at rest bears, with the speed of sound c = √((λ + 2µ)/ρ) and the edge l; a warm start finds that
 * again, and is stable while sound passes less than two elements in Δt.
 */
import { isSolid, termLayout, type EnergyTerm, type GpbdModel, type SolidKind } from "./model";

/** Elements that sound may pass in a substep: with a warm start, and without. */
const WARM_REACH = 1.5;
const COLD_REACH = 0.5;
/** Without a warm start, more substeps than that are not worth what they cost: the body is softer than its material. */
const MOST_COLD = 100;
const LEAST = 4;
const MOST = 1000;
/** Frame time that the number is for [s]. */
const FRAME = 1 / 60;
/** Part of the elements that may be smaller than the edge that counts: slivers are stiff by themselves, and solved as such. */
const SMALLER = 0.05;

/** @returns undefined for a body without tetrahedra */
export function solidSubsteps(model: GpbdModel, warmStart: number): number | undefined {
  let fastest = 0;
  for (const term of model.terms)
    if (isSolid(term.kind)) fastest = Math.max(fastest, soundSpeed(model, term) / typicalEdge(model, term));
  if (fastest === 0) return undefined;
  const isWarm = warmStart > 0;
  const wanted = Math.ceil((FRAME * fastest) / (isWarm ? WARM_REACH : COLD_REACH));
  return Math.min(isWarm ? MOST : MOST_COLD, Math.max(LEAST, wanted));
}

/** λ + 2µ at rest [Pa] of the parameters of each density */
const axialStiffnessOf: Readonly<Record<SolidKind, (m: ArrayLike<number>) => number>> = {
  "neo-hookean-tet": (m) => m[1] + 2 * m[0],
  "stable-neo-hookean-tet": (m) => m[1] + m[0],
  "stvk-tet": (m) => m[1] + 2 * m[0],
  "corotational-tet": (m) => m[1] + 2 * m[0],
  "mooney-rivlin-tet": (m) => m[2] + 2 * m[0] + 4 * m[1],
};

/** Second derivative of the density at rest by the first strain [Pa]. */
export function axialStiffness({ kind, material, energy }: EnergyTerm): number {
  if (!energy) return axialStiffnessOf[kind as SolidKind](material);
  const { dimension: k } = energy.density;
  const hessian = new Float64Array(k * k);
  energy.density.hessian(new Float64Array(k), material, hessian);
  return hessian[0];
}

/** c of longitudinal waves at rest [m/s] */
function soundSpeed({ masses }: GpbdModel, term: EnergyTerm): number {
  let [mass, volume] = [0, 0];
  for (const m of masses) mass += m;
  const { rest } = termLayout[term.kind];
  for (let e = 0; e < term.elementCount; e++) volume += term.rest[rest * e + 9];
  return Math.sqrt((Math.max(0, axialStiffness(term)) * volume) / mass);
}

/** The shortest edge of an element; of most elements it is longer than this [m]. */
function typicalEdge({ positions: x }: GpbdModel, { indices, elementCount }: EnergyTerm): number {
  const shortest = new Float64Array(elementCount).fill(Infinity);
  for (let e = 0; e < elementCount; e++)
    for (let i = 0; i < 4; i++)
      for (let k = 0; k < i; k++) {
        const [a, b] = [3 * indices[4 * e + i], 3 * indices[4 * e + k]];
        const length = Math.hypot(x[a] - x[b], x[a + 1] - x[b + 1], x[a + 2] - x[b + 2]);
        shortest[e] = Math.min(shortest[e], length);
      }
  return shortest.sort()[Math.floor(SMALLER * elementCount)];
}
