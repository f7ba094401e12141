import { massOf } from "../mass";
import type { RigidProxy } from "../../collision/obstacles/rigid-proxy";
import type { PinTable } from "../deformable";
import { substepsWithin } from "./frame-cost";
import { cavityOf, isInflated, pressureSubsteps } from "./pressure/inflation";
import type { GpbdModel } from "./model";
import { type GpbdOptions, type GpbdStepOptions, recommendedSubsteps } from "./options";
import { exp, log } from "../../math/exponentials";
import { distanceBetween } from "../../math/vectors";

/** More would stop a frame for longer than they help. */
export const MOST_SUBSTEPS = 200;
/** A load stretches a body by no more than about this. */
const STRETCH = 0.02;
/**
 * The same for an edge of a rope whose stretch is solved as a whole (rods/rod-stretch.ts), as if it were swept: what is left then is that edges
 * turn in a substep, a tenth of this. Measured on ropes that swing with 3 to 300 times their mass: 0.3 %.
 */
const WHOLE_STRETCH = 0.08;
/** Edges of a rope that are solved as a whole, at most. */
const WHOLE_EDGES = 512;

/** Options of a step whose substeps the user leaves to the body: with those that bear what hangs on it and what is in it, too. */
export function loaded(model: GpbdModel, pins: PinTable, options: Readonly<GpbdOptions>): Readonly<GpbdStepOptions> {
  const { budget, substeps } = options;
  const most = substepsWithin(budget, model, MOST_SUBSTEPS);
  const hung = Math.max(hungSubsteps(model, pins, substeps, most), heldSubsteps(model, pins, substeps, most));
  if (isInflated(options)) {
    const blown = pressureSubsteps(options, cavityOf(model.name, model));
    return { ...options, substeps: Math.max(hung, Math.min(most, blown)) };
  }
  // Only tethers ask whether the number is the body's own.
  if (!model.sheet && hung === substeps) return options;
  const inBudget = budget !== undefined && { mostSubsteps: most, wantedSubsteps: recommendedSubsteps(model) };
  return { ...options, substeps: hung, isFree: true, ...inBudget };
}

/** Those with which a few pinned particles hold a soft body. */
function heldSubsteps(model: GpbdModel, { pinned }: PinTable, substeps: number, most: number): number {
  if (!model.heldFactor) return substeps;
  let held = 0;
  for (let p = 0; p < pinned.length; p++) held += pinned[p];
  return held > 0 ? Math.min(most, Math.ceil(substeps * model.heldFactor(model, held))) : substeps;
}

/** The load that hangs on a body: its mass [kg], and the number of vertices that hold it. */
export function hangingOn({ proxies, hung }: PinTable): { readonly mass: number; readonly vertices: number } {
  let mass = hung?.mass ?? 0;
  let vertices = hung?.vertices ?? 0;
  const seen = new Set<RigidProxy>();
  for (const proxy of proxies ?? []) {
    if (!proxy || !(proxy.inverseMass > 0)) continue;
    vertices++;
    if (!seen.has(proxy)) mass += proxy.borne || 1 / proxy.inverseMass;
    seen.add(proxy);
  }
  return { mass, vertices };
}

/**
 * Those that bear what hangs on it. One sweep a substep leaves an edge longer by T h²/m, under the tension T with
 * the mass m of a particle (measured on ropes with a load of 1 to 100 times their mass). In a rope all of it goes through each edge; in
 * a sheet or a solid the tension of their own weight, for which they have their substeps, grows by what the carried particles share.
 *
 * @param substeps without a load
 * @param most in the budget
 */
function hungSubsteps(model: GpbdModel, pins: PinTable, substeps: number, most: number): number {
  const { mass: load, vertices: carried } = hangingOn(pins);
  if (load === 0) return substeps;
  const mass = massOf(model);
  let wanted: number;
  if (model.rods) {
    const { edges } = model.rods;
    let length = 0;
    const x = model.positions;
    for (let e = 0; e < edges.length; e += 2) length += distanceBetween(x, 3 * edges[e + 1], 3 * edges[e]);
    const perParticle = mass / model.particleCount;
    const edge = (2 * length) / edges.length;
    const isWhole = model.terms.some(
      ({ kind, energy, elementCount }) => kind === "distance" && !energy && elementCount <= WHOLE_EDGES,
    );
    const stretch = isWhole ? WHOLE_STRETCH : STRETCH;
    wanted = Math.sqrt((10 * (mass + load)) / (perParticle * stretch * edge)) / 60;
  } else {
    const strands = exp(log(model.particleCount) * (model.tetrahedra ? 2 / 3 : 1 / 2));
    wanted = substeps * Math.sqrt(1 + ((load / mass) * strands) / Math.min(strands, carried));
  }
  return Math.max(substeps, Math.min(most, Math.ceil(wanted)));
}
