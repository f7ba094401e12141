import { airInterval } from "./external-forces";
import { isBending, isSolid, type EnergyTerm, type GpbdModel } from "./model";
import { termInterval } from "./options";

/**
 * A model of the time that a body takes on the CPU, in counts: the same choice on every machine. It is that of the reference core: one core
 * of the machine of bench/results/cloth-cpu-2026-11-27.json. Nanoseconds for one element in one sweep, contact not included.
 */
const KERNELS: Readonly<Record<string, number>> = { distance: 10, "stvk-membrane": 24 };
const BENDING = 70;
const TETRAHEDRON = 180;
/** of a point of a quadratic tetrahedron */
const POINT = 360;
/** of elements that no kernel is for, and of an edge of a rope */
const SLOW = 1200;
const ROD = 3000;
/** of a vertex in a substep, with one simple obstacle, and of a face in an evaluation of the air */
const VERTEX = 15;
const AIR = 30;

/** Least substeps that a budget leaves. */
const LEAST = 4;

/** Milliseconds of a frame of a body on the reference core. */
export function frameCost(model: GpbdModel, substeps: number, iterations = 1): number {
  const sweeps = (term: EnergyTerm): number => Math.ceil(substeps / termInterval(term.kind, substeps)) * iterations;
  let sum = substeps * VERTEX * model.particleCount;
  for (const term of model.terms) sum += sweeps(term) * elementCost(model, term) * term.elementCount;
  sum += Math.ceil(substeps / airInterval(substeps)) * (AIR / 3) * model.faces.length;
  return 1e-6 * sum;
}

function elementCost(model: GpbdModel, { kind, energy, indices, elementCount }: EnergyTerm): number {
  if (model.rods) return ROD;
  if (energy || model.tears) return SLOW;
  if (isSolid(kind)) return indices.length > 4 * elementCount ? POINT : TETRAHEDRON;
  return isBending(kind) ? BENDING : (KERNELS[kind] ?? SLOW);
}

/**
 * Most substeps, of so many, that a body may take in a budget [ms], by `frameCost`; all of them without one.
 *
 * @param least fewest that are left: with a third of what it wants a sheet stretches by nine times as much, and beyond that nobody wants it
 */
export function substepsWithin(budget: number | undefined, model: GpbdModel, substeps: number, least = LEAST): number {
  while (substeps > Math.max(LEAST, least) && frameCost(model, substeps) > budget!) substeps--;
  return substeps;
}
