/**
 * Folds of cloth that stay: plastic flow of bending after a frame. An element stores ½ |s − p|², with its curvature s and that at rest p, both
 * as three vectors in axes of its triangle, times √(A B). Beyond the yield curvature p comes nearer to s. The energy of each element
 * falls by that, particles do not move, and impulses of an element have neither sum nor torque, so momentum stays.
 *
 * Glossary: A area, B stiffness, the mean of warp and weft; κ = |s − p| / √(A B) elastic curvature [1/m].
 */
import { NO_VERTEX } from "../../../geometry/surface/incidence";
import { termLayout, type EnergyTerm, type GpbdModel } from "../model";
import { curvatureChange, REST_CURVATURE } from "../strains/curvature-vectors";
import { createFrame, findFrame } from "../strains/triangle-frame";
import { curvatureUnits, plasticityByCurvature } from "./curvature-units";
import { writeCurvatures } from "./packed-curvature";
import { flowedPart, type PlasticBody, type TermCopies } from "./plastic-body";
import type { ResolvedPlasticity } from "./plasticity";

/** Numbers of an element's curvature. */
const SIZE = 9;
const { arity, rest: REST } = termLayout["dihedral-bending"];

const x = new Float64Array(3 * arity);
const s = new Float64Array(SIZE);
const bent = new Float64Array(SIZE);
const frame = createFrame();

/** Elements of bending of a body of its own, the last term, which flow. */
export class Folds implements PlasticBody {
  /** the model with the curvature at rest as it has flowed */
  model: GpbdModel;
  /** permanent curvature of each element in axes of its triangle, three vectors [1/m] */
  private bends = new Float64Array(SIZE * this.source.terms.at(-1)!.elementCount);
  /** √(A B) of each element [√(N m) m] */
  private units!: Float64Array;
  private plasticity: ResolvedPlasticity | undefined;

  constructor(private source: GpbdModel) {
    this.model = this.ownModel();
  }

  replaceModel(source: GpbdModel): void {
    this.source = source;
    this.model = this.ownModel();
  }

  flow(positions: ArrayLike<number>, dt: number, copies?: TermCopies): boolean {
    const { plasticity, term, bends, units } = this;
    if (!plasticity) return false;
    let hasFlowed = false;
    for (let e = 0; e < term.elementCount; e++) {
      this.gather(e, positions);
      if (!findFrame(x, frame)) continue;
      curvatureChange.strain(x, term.rest, REST * e, s);
      let squares = 0;
      for (let i = 0; i < SIZE; i++) squares += s[i] * s[i];
      const part = flowedPart(plasticity, Math.sqrt(squares) / units[e], dt);
      if (part === 0) continue;
      const { axes } = frame;
      for (let i = 0; i < SIZE; i += 3)
        for (let k = 0; k < 3; k++) {
          const along = s[i] * axes[3 * k] + s[i + 1] * axes[3 * k + 1] + s[i + 2] * axes[3 * k + 2];
          bent[i + k] = (part * along) / units[e];
        }
      const at = SIZE * e;
      const kept = keptShare(bends, at, plasticity.max);
      if (kept === 0) continue;
      for (let i = 0; i < SIZE; i++) bends[at + i] += kept * bent[i];
      this.takeBend(e);
      hasFlowed = true;
    }
    if (hasFlowed) this.tell(copies);
    return hasFlowed;
  }

  read(): Float64Array {
    return this.bends.slice();
  }

  write(bends?: ArrayLike<number>, copies?: TermCopies): void {
    this.bends = bends ? Float64Array.from(bends) : new Float64Array(this.bends.length);
    this.takeBends();
    this.tell(copies);
  }

  private tell(copies: TermCopies | undefined): void {
    if (copies?.terms) writeCurvatures(this.term, copies.terms.at(-1)!);
    copies?.forget?.();
  }

  private get term(): EnergyTerm {
    return this.model.terms.at(-1)!;
  }

  private ownModel(): GpbdModel {
    const { terms } = this.source;
    const last = terms.at(-1)!;
    this.units = curvatureUnits(this.source);
    this.plasticity = plasticityByCurvature(this.source, this.units);
    this.model = { ...this.source, terms: [...terms.slice(0, -1), { ...last, rest: last.rest.slice() }] };
    this.takeBends();
    return this.model;
  }

  private takeBends(): void {
    for (let e = 0; e < this.units.length; e++) this.takeBend(e);
  }

  /** From the curvature before any flow: a body that gets its folds from a snapshot has the same bits. Zero adds no bit, not even a sign. */
  private takeBend(e: number): void {
    const { bends, units } = this;
    const from = this.source.terms.at(-1)!.rest;
    const at = REST * e + REST_CURVATURE;
    for (let i = 0; i < SIZE; i++) {
      const bend = bends[SIZE * e + i];
      this.term.rest[at + i] = bend === 0 ? from[at + i] : from[at + i] + units[e] * bend;
    }
  }

  private gather(e: number, positions: ArrayLike<number>): void {
    const { indices } = this.term;
    for (let a = 0; a < arity; a++) {
      const p = indices[arity * e + a];
      for (let c = 0; c < 3; c++) x[3 * a + c] = p === NO_VERTEX ? 0 : positions[3 * p + c]!;
    }
  }
}

/** Shares of a flow that are tried, down to this one, if all of it would go beyond the largest permanent curvature. */
const LEAST_SHARE = 2 ** -7;

/** The largest share of `bent` that keeps the permanent curvature below its limit, or does not raise it; 0 for none. */
function keptShare(bends: Float64Array, at: number, most: number): number {
  let before = 0;
  for (let i = 0; i < SIZE; i++) before += bends[at + i] * bends[at + i];
  for (let share = 1; share >= LEAST_SHARE; share /= 2) {
    let after = 0;
    for (let i = 0; i < SIZE; i++) after += (bends[at + i] + share * bent[i]) * (bends[at + i] + share * bent[i]);
    if (after <= most * most || after <= before) return share;
  }
  return 0;
}
