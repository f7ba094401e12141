/**
 * Number of substeps that a frame of a solid needs. A sweep carries a pull one element further, so from a cold start it misses
 * about (c Δt/l)² of the load of a body at rest, with the speed of sound c = √((λ + 2µ)/ρ) and the edge l. A warm start recovers
 * that load, and is stable while sound passes less than two elements in Δt.
 */
import { QUADRATIC_NODES } from "../../geometry/tetrahedra/quadrature";
import { massOf } from "../mass";
import { isSolid, type EnergyTerm, type GpbdModel, type SolidKind } from "./model";
import { cbrt } from "../../math/powers";
import { distanceBetween } from "../../math/vectors";

/** Elements that sound may pass in a substep without a warm start, and with one. */
const REACH = [0.5, 1.5] as const;
const QUADRATIC_REACH = [0.2, 0.375] as const;
/**
 * Elements that allow for a cold start, see `ElementScratch.isCold`, are right while those of a body are no stiffer than 2 beside their
 * inertia: V (λ + 2µ) Σ Δt² |gₐ|²/m, in which three axes are added up, is to be no more than this.
 */
const COLD_STIFFNESS = 2.5;
/** Without a warm start, more substeps than that are not worth what they cost: the body is softer than its material. */
const MOST_COLD = 100;
const LEAST = 4;
const MOST = 1000;
/** That of the weight which pins are to hold [m/s²]. */
const GRAVITY = 10;
/** Stretch at pins up to which a body needs no more substeps. Measured on cubes that hang by the four corners of a side. */
const HELD_STRAIN = 0.25;
/** Frame time that the number is for [s]. */
const FRAME = 1 / 60;
/** Part of the elements that may be smaller than the edge that counts: slivers are stiff by themselves, and solved as such. */
const SMALLER = 0.05;

/** Whether elements that are swept once, one after another, allow for a cold start, see `ElementScratch.isCold`. */
export function allowsForCold({ kind, energy, indices, elementCount }: EnergyTerm): boolean {
  const isNeoHookean = kind === "neo-hookean-tet" || kind === "stable-neo-hookean-tet";
  return isNeoHookean && !energy && indices.length === QUADRATIC_NODES * elementCount;
}

/** Substeps of a body with tetrahedra. */
export function solidSubsteps(model: GpbdModel, warmStart: number): number {
  const isWarm = warmStart > 0;
  let wanted = 0;
  for (const term of model.terms)
    if (isSolid(term.kind)) wanted = Math.max(wanted, FRAME * substepsPerSecond(model, term, +isWarm));
  return Math.min(isWarm ? MOST : MOST_COLD, Math.max(LEAST, Math.ceil(wanted)));
}

/**
 * By how many times more substeps a body takes that hangs on a few pinned particles. With the number above, elements at these turn inside
 * out under its weight M g where they would stretch by much, M g/(n A E) with the area A of a particle: the body came apart, for good.
 *
 * @param held n
 */
export function heldFactor(model: GpbdModel, held: number): number {
  let strain = 0;
  for (const term of model.terms) {
    if (!isSolid(term.kind)) continue;
    const stride = term.rest.length / term.elementCount;
    let volume = 0;
    for (let at = stride - 1; at < term.rest.length; at += stride) volume += term.rest[at];
    const area = cbrt(volume / model.particleCount) ** 2;
    strain = Math.max(strain, (GRAVITY * massOf(model)) / (held * area * stretchStiffness(term)));
  }
  return Math.max(1, strain / HELD_STRAIN);
}

/** Young's modulus, 3 µ where next to nothing is compressed [Pa]; of a user's own energy, what resists the first strain. */
function stretchStiffness(term: EnergyTerm): number {
  const { kind, material, energy } = term;
  if (energy) return axialStiffness(term);
  return 3 * (kind === "mooney-rivlin-tet" ? 2 * (material[0] + material[1]) : material[0]);
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

/**
 * c of longitudinal waves at rest over the way that sound may come in a substep [1/s]: a part of the shortest edge of an element, which is
 * longer in most.
 */
function substepsPerSecond(model: GpbdModel, term: EnergyTerm, warm: number): number {
  const { indices, rest, elementCount } = term;
  const arity = indices.length / elementCount;
  if (warm === 0 && allowsForCold(term)) return coldSubsteps(model, term);
  const reach = arity > 4 ? QUADRATIC_REACH : REACH;
  const shortest = new Float64Array(elementCount).fill(Infinity);
  let volume = 0;
  for (let e = 0; e < elementCount; e++) {
    volume += rest[(rest.length / elementCount) * (e + 1) - 1];
    for (let i = 0; i < 4; i++)
      for (let k = 0; k < i; k++) {
        const [a, b] = [3 * indices[arity * e + i], 3 * indices[arity * e + k]];
        const length = distanceBetween(model.positions, a, b);
        shortest[e] = Math.min(shortest[e], length);
      }
  }
  const density = massOf(model) / volume;
  const edge = shortest.sort()[Math.floor(SMALLER * elementCount)];
  return Math.sqrt(Math.max(0, axialStiffness(term)) / density) / (reach[warm] * edge);
}

/** The same for elements that allow for a cold start. */
function coldSubsteps({ masses }: GpbdModel, term: EnergyTerm): number {
  const { indices, rest, elementCount } = term;
  const stride = rest.length / elementCount;
  const stiffness = new Float64Array(elementCount);
  const first = [0, 0, 0];
  for (let e = 0; e < elementCount; e++) {
    first.fill(0);
    const add = (g: ArrayLike<number>, at: number, vertex: number): void => {
      const squares = g[at] * g[at] + g[at + 1] * g[at + 1] + g[at + 2] * g[at + 2];
      stiffness[e] += (rest[stride * (e + 1) - 1] * squares) / masses[indices[QUADRATIC_NODES * e + vertex]];
    };
    for (let i = 0; i < stride - 1; i += 3) {
      add(rest, stride * e + i, i / 3 + 1);
      for (let c = 0; c < 3; c++) first[c] -= rest[stride * e + i + c];
    }
    add(first, 0, 0);
  }
  const most = stiffness.sort()[Math.floor((1 - SMALLER) * elementCount)];
  return Math.sqrt((Math.max(0, axialStiffness(term)) * most) / COLD_STIFFNESS);
}
