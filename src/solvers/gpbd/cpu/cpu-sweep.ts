/**
 * The sweep of GPBD in f64 (paper 1, Algorithm 1): every element of a term in turn finds its Δdᵢ by (19) and moves its vertices by it. In
 * place, colour after colour, that is Gauss-Seidel; or Jacobi, all from the same positions, averaged over the v elements at each vertex.
 *
 * For the mean, every element is given a v-th of the vertex' mass (mass splitting, Tonge et al. 2012): where elements are soft the mean
 * of v-fold displacements is the sum of their forces, where they are stiff it is the mean of their projections. The fixed point,
 * dᵢ = −W∇Uᵢ, is the same. With solids the relaxation ω gives everyone an (v/ω)-th: stiff parts are corrected ω times as far, and the
 * forces of soft ones stay what they are.
 *
 * Glossary: dᵢ displacement caused by element i (5), W = Δt² M⁻¹ (4), h = Δt.
 */
import type { AccelerationWeights } from "../acceleration";
import { NO_VERTEX } from "../../../geometry/surface/incidence";
import type { CpuScratch, CpuState } from "./cpu-state";
import { elementKindOf } from "../elements/defined/defined-element";
import { arityOf, type ElementKind } from "../elements/elements";
import { solveBending } from "../elements/bending-solve";
import { createElementScratch, solveCompliantElement, solveElement } from "../elements/local-solve";
import { isSolid, type EnergyTerm, type GpbdModel } from "../model";
import type { SolidSolve, SweptValues } from "../elements/solids/solid-solve";
import { sweepsAtOnce, termInterval, type GpbdOptions } from "../options";
import type { TermStiffness } from "../term-stiffness";

/** Values that all elements of a sweep share. */
interface SweptTerm {
  readonly term: EnergyTerm;
  /** its own, or a stiffened one */
  readonly material: Float64Array;
  readonly kind: ElementKind;
  readonly arity: number;
  /** numbers of an element at rest */
  readonly restStride: number;
  readonly isSolidKind: boolean;
  /** elements at vertex p: incidence[p + 1] − incidence[p] */
  readonly incidence: Uint32Array;
  /** whether all elements start from `source`, and vertices take the mean */
  readonly atOnce: boolean;
  readonly source: Float64Array;
  /** `tracked` holds dᵢ, element × arity × 3 [m] */
  readonly values: SweptValues;
  /** substeps from one sweep of the term to the next */
  readonly interval: number;
  /** ω, by which fewer elements share a vertex */
  readonly fewer: number;
  /** what the last iteration added to dᵢ [m]; undefined where it is of no use */
  readonly increments: Float64Array | undefined;
}

export class CpuSweep {
  /** factor of the stiffness of a sheet, see tethers/swing.ts */
  stiffening = 1;
  private readonly element = createElementScratch();
  private readonly weights: AccelerationWeights = { share: 1, momentum: 0 };
  private readonly increments: Float64Array[] = [];
  private readonly stiffness: TermStiffness[] = [];

  constructor(
    private readonly model: GpbdModel,
    private readonly state: CpuState,
    private readonly scratch: CpuScratch,
    /** of a model with tetrahedra */
    private readonly solids?: SolidSolve,
  ) {}

  /**
   * @param index of the term
   * @param incidence offsets of the elements at each vertex
   * @param h time step [s]
   * @param recovery of what is inside out, see recovery.ts
   */
  run(
    index: number,
    incidence: Uint32Array,
    options: Readonly<GpbdOptions>,
    h: number,
    iteration: number,
    recovery: number,
  ): void {
    const term = this.model.terms[index];
    const atOnce = sweepsAtOnce(options.method, term.kind);
    this.element.isCold = !atOnce && !!this.solids?.isCold(term, options);
    if (!atOnce && this.solids?.sweep) {
      const left = (values: SweptValues, e: number): void => {
        const swept = this.prepare(index, incidence, options, h, iteration);
        this.sweepElement({ ...swept, values, source: values.positions }, e, h, options, recovery);
      };
      if (this.solids.sweep(term, this.valuesOf(index), h, options, this.element.isCold, left)) return;
    }
    const swept = this.prepare(index, incidence, options, h, iteration);
    const { arity } = swept;
    for (let e = 0; e < term.elementCount; e++) {
      if (!swept.isSolidKind && this.isHeld(term.indices, e * arity, arity)) continue;
      this.sweepElement(swept, e, h, options, recovery);
    }
  }

  private sweepElement(
    swept: SweptTerm,
    e: number,
    h: number,
    { newtonIterations }: Readonly<GpbdOptions>,
    recovery: number,
  ): void {
    this.gather(swept, e);
    this.solve(swept, e, h, newtonIterations, recovery);
    this.scatter(swept, e);
  }

  private valuesOf(index: number): SweptValues {
    const { start, w, tracked } = this.scratch;
    return { positions: this.state.positions, start, w, tracked: tracked[index] };
  }

  private prepare(
    index: number,
    incidence: Uint32Array,
    options: Readonly<GpbdOptions>,
    h: number,
    iteration: number,
  ): SweptTerm {
    const term = this.model.terms[index];
    const { positions } = this.state;
    const arity = arityOf(term);
    this.element.arity = arity;
    const atOnce = sweepsAtOnce(options.method, term.kind);
    const isSolidKind = isSolid(term.kind);
    const increments = this.accelerate(index, incidence, options, h, iteration);
    const isStiffened = this.stiffening !== 1 && term.kind.endsWith("membrane");
    return {
      term,
      material: isStiffened
        ? term.material.map((value, i) => (i < 4 ? this.stiffening * value : value))
        : term.material,
      kind: (this.solids?.kindOf ?? elementKindOf)(term),
      arity,
      restStride: term.rest.length / term.elementCount,
      isSolidKind,
      incidence,
      atOnce,
      source: atOnce ? positions.slice() : positions,
      values: this.valuesOf(index),
      interval: termInterval(term.kind, options.substeps),
      fewer: isSolidKind && !increments ? options.relaxation : 1,
      increments,
    };
  }

  /**
   * Says by `weights` what an iteration does with what it finds.
   *
   * @returns what the last one added to dᵢ of the term, element × arity × 3 [m]; undefined where it is of no use
   */
  private accelerate(
    index: number,
    incidence: Uint32Array,
    { accelerate, iterations, relaxation, method }: Readonly<GpbdOptions>,
    h: number,
    iteration: number,
  ): Float64Array | undefined {
    this.weights.share = relaxation;
    this.weights.momentum = 0;
    const term = this.model.terms[index];
    const isAccelerated = accelerate && iterations > 1 && isSolid(term.kind) && sweepsAtOnce(method, term.kind);
    if (!isAccelerated) return undefined;
    const { stiffness, viscosity } = (this.stiffness[index] ??= this.solids!.termStiffness(
      term,
      this.model.masses,
      incidence,
    ));
    this.solids!.accelerationWeights(iteration, iterations, (stiffness * h + viscosity) * h, this.weights);
    return (this.increments[index] ??= new Float64Array(this.scratch.tracked[index].length));
  }

  /** Whether all vertices of an element are pinned: it moves none of them. */
  private isHeld(indices: ArrayLike<number>, at: number, arity: number): boolean {
    const { w } = this.scratch;
    for (let corner = 0; corner < arity; corner++) {
      const p = indices[at + corner];
      if (p !== NO_VERTEX && w[p] > 0) return false;
    }
    return true;
  }

  /** x, x⁻, dᵢ and W of the element's vertices; in a mean W and dᵢ of its share of them. */
  private gather({ term, arity, incidence, atOnce, source, values, interval, fewer }: SweptTerm, e: number): void {
    const { element } = this;
    const { start, w, tracked } = values;
    for (let corner = 0; corner < arity; corner++) {
      const p = term.indices[e * arity + corner];
      if (p === NO_VERTEX) {
        element.w[corner] = 0;
        for (let c = 3 * corner; c < 3 * corner + 3; c++) element.x[c] = element.start[c] = element.tracked[c] = 0;
        continue;
      }
      const split = atOnce ? (incidence[p + 1] - incidence[p]) / fewer : 1;
      element.w[corner] = interval * split * w[p];
      for (let c = 0; c < 3; c++) {
        element.x[3 * corner + c] = source[3 * p + c]!;
        element.start[3 * corner + c] = start[3 * p + c]!;
        element.tracked[3 * corner + c] = split * tracked[(e * arity + corner) * 3 + c];
      }
    }
  }

  private solve(
    { term, material, kind, restStride, isSolidKind, atOnce }: SweptTerm,
    e: number,
    h: number,
    newtonIterations: number,
    recovery: number,
  ): void {
    const { element } = this;
    const { rest } = term;
    const at = e * restStride;
    if (isSolidKind) this.solids!.untangle(rest, at, element, atOnce, recovery);
    if (term.kind === "distance" && !term.energy) solveCompliantElement(kind, rest, at, rest[at + 1], element);
    else if (kind.barrier)
      this.solids!.solveNeoHookeanTet(kind.barrier, rest, at, material, h, newtonIterations, element);
    else if (term.kind === "isometric-bending" || term.kind === "dihedral-bending")
      solveBending(term.kind === "dihedral-bending", rest, at, material[0] / h, element);
    else solveElement(kind, rest, at, material, h, newtonIterations, element);
  }

  /** Adds Δdᵢ, and what `untangle` did, to the positions. */
  private scatter({ term, arity, incidence, atOnce, values, increments }: SweptTerm, e: number): void {
    const { element, weights } = this;
    const { positions, tracked } = values;
    const isProjected = increments && this.solids?.isUntangled(element);
    const momentum = isProjected ? 0 : weights.momentum;
    for (let corner = 0; corner < arity; corner++) {
      const p = term.indices[e * arity + corner];
      if (p === NO_VERTEX) continue;
      const part = atOnce ? 1 / (incidence[p + 1] - incidence[p]) : 1;
      for (let c = 0; c < 3; c++) {
        const at = (e * arity + corner) * 3 + c;
        let delta = weights.share * part * element.displacement[3 * corner + c];
        if (increments) {
          delta += momentum * increments[at];
          increments[at] = isProjected ? 0 : delta;
        }
        tracked[at] += delta;
        positions[3 * p + c] += delta + part * element.projection[3 * corner + c];
      }
    }
  }
}
