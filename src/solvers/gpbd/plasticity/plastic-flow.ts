/**
 * Plastic flow of linear tetrahedra after a frame, multiplicative (Irving et al. 2004): F = Fₑ F_p, with det F_p = 1. An element has
 * the gradients gₐ of its hat functions as rest data, so that Fₑ = Σ xₐ gₐᵀ. Flow by a symmetric S takes gₐ to S gₐ, and Fₑ to Fₑ S.
 *
 * S scales the principal stretches σ of Fₑ by pₖ ∝ (1 − θ) + θ J^⅓/σₖ with det S = 1. All ratios of stretches come nearer to 1 and J stays:
 * the energy falls, of laws that know I₁, I₂ and J alone. Particles do not move, and the forces of an element have no sum, so momentum stays, too.
 *
 * Strain is √((tr FᵀF / J^⅔ − 3) / 3), which is e where a bar is stretched by a small e at constant volume.
 *
 * Glossary: P = F_p⁻¹, θ part of the change of shape that becomes permanent, σ singular values, J = det Fₑ.
 */
import { determinant } from "../../../math/determinant";
import { singularValues } from "../../../math/eigen/svd3";
import { gatherElement } from "../elements/elements";
import { isSolid, type EnergyTerm, type GpbdModel } from "../model";
import { deformationGradient } from "../strains/green-tet";
import { flowedPart, type PlasticBody } from "./plastic-body";

/** Numbers of an element's P, and of its rest data. */
const SHAPE = 9;
const REST = 10;
/** Smaller parts that are tried where all of the flow would go beyond the largest permanent strain. */
const HALVINGS = 8;

const corners = new Float64Array(12);
const f = new Float64Array(9);
const u = new Float64Array(9);
const v = new Float64Array(9);
const sigma = new Float64Array(3);
const step = new Float64Array(9);
const shape = new Float64Array(9);

/** Elements of a body of its own, which flow. */
export class PlasticFlow implements PlasticBody {
  /** the model with the rest data of the elements as they have flowed */
  model: GpbdModel;
  /** P of each element, row-major */
  private shapes: Float64Array;
  private terms: EnergyTerm[] = [];
  /** as they are before any flow */
  private elastic: EnergyTerm[] = [];

  constructor(private source: GpbdModel) {
    this.shapes = identities(solidTerms(source).reduce((sum, term) => sum + term.elementCount, 0));
    this.model = this.ownModel();
  }

  /** Goes on with another material of the same elements. */
  replaceModel(source: GpbdModel): void {
    this.source = source;
    this.model = this.ownModel();
  }

  /**
   * After a frame.
   *
   * @param dt frame time [s]
   * @returns whether any element has flowed
   */
  flow(positions: ArrayLike<number>, dt: number): boolean {
    const { plasticity } = this.model;
    if (!plasticity) return false;
    let hasFlowed = false;
    let at = 0;
    this.terms.forEach((term, k) => {
      for (let e = 0; e < term.elementCount; e++, at += SHAPE) {
        gatherElement(term, e, positions, corners);
        deformationGradient(corners, term.rest, REST * e, f);
        const part = flowedPart(plasticity, strainOf(f), dt);
        if (part === 0 || !this.flowElement(at, part, plasticity.max)) continue;
        this.takeShape(k, e, at);
        hasFlowed = true;
      }
    });
    return hasFlowed;
  }

  /** A copy of P of all elements. */
  read(): Float64Array {
    return this.shapes.slice();
  }

  /** @param shapes default: nothing has flowed */
  write(shapes?: ArrayLike<number>): void {
    this.shapes = shapes ? Float64Array.from(shapes) : identities(this.shapes.length / SHAPE);
    this.takeShapes();
  }

  /** Flow of the element with gradient `f` by a part of its change of shape; writes S to `step`, P S to its place. */
  private flowElement(at: number, part: number, max: number): boolean {
    const { shapes } = this;
    singularValues(f, 0, 3, u, sigma, v);
    const before = permanentStrain(shapes, at);
    for (let halving = 0; halving < HALVINGS; halving++, part /= 2) {
      writeStep(part);
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++) {
          let sum = 0;
          for (let k = 0; k < 3; k++) sum += shapes[at + 3 * i + k] * step[3 * k + j];
          shape[3 * i + j] = sum;
        }
      const after = permanentStrain(shape, 0);
      if (!(after <= max || after <= before)) continue;
      shapes.set(shape, at);
      return true;
    }
    return false;
  }

  private ownModel(): GpbdModel {
    const terms = this.source.terms.map((term) => (isSolid(term.kind) ? { ...term, rest: term.rest.slice() } : term));
    this.elastic = solidTerms(this.source);
    this.terms = solidTerms({ terms });
    this.takeShapes();
    return { ...this.source, terms };
  }

  private takeShapes(): void {
    let at = 0;
    this.terms.forEach(({ elementCount }, k) => {
      for (let e = 0; e < elementCount; e++, at += SHAPE) this.takeShape(k, e, at);
    });
  }

  /** gₐᵀ P of an element, with the gradients before any flow: a body that gets P from a snapshot has the same bits. */
  private takeShape(k: number, e: number, at: number): void {
    const { shapes } = this;
    const [from, to] = [this.elastic[k].rest, this.terms[k].rest];
    for (let row = REST * e; row < REST * e + 9; row += 3)
      for (let j = 0; j < 3; j++)
        to[row + j] =
          from[row] * shapes[at + j] + from[row + 1] * shapes[at + 3 + j] + from[row + 2] * shapes[at + 6 + j];
  }
}

function solidTerms({ terms }: Pick<GpbdModel, "terms">): EnergyTerm[] {
  return terms.filter(({ kind }) => isSolid(kind));
}

function identities(count: number): Float64Array {
  const out = new Float64Array(SHAPE * count);
  for (let at = 0; at < out.length; at += SHAPE) out[at] = out[at + 4] = out[at + 8] = 1;
  return out;
}

/** Strain of a change of shape; 0 where an element is inside out, which is no time to flow. */
function strainOf(gradient: Float64Array): number {
  const volume = determinant(gradient);
  if (!(volume > 0)) return 0;
  let squares = 0;
  for (let i = 0; i < 9; i++) squares += gradient[i] * gradient[i];
  const root = cubeRoot(volume);
  return Math.sqrt(Math.max(0, squares / (root * root) - 3) / 3);
}

/** The same of F_p = P⁻¹: its squares are those of the minors of P, as det P = 1. */
function permanentStrain(m: Float64Array, at: number): number {
  let squares = 0;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      const [a, b, c, d] = [at + 3 * ((i + 1) % 3), at + 3 * ((i + 2) % 3), (j + 1) % 3, (j + 2) % 3];
      const minor = m[a + c] * m[b + d] - m[a + d] * m[b + c];
      squares += minor * minor;
    }
  return Math.sqrt(Math.max(0, squares - 3) / 3);
}

/** S of `sigma` and `v`. */
function writeStep(part: number): void {
  const middle = cubeRoot(sigma[0] * sigma[1] * sigma[2]);
  const p = [0, 1, 2].map((k) => 1 - part + (part * middle) / sigma[k]);
  const scale = 1 / cubeRoot(p[0] * p[1] * p[2]);
  step.fill(0);
  for (let k = 0; k < 3; k++)
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) step[3 * i + j] += scale * p[k] * v[3 * i + k] * v[3 * j + k];
}

/** By Newton from above, which every engine rounds alike. */
function cubeRoot(x: number): number {
  for (let y = Math.max(1, x); ;) {
    const next = (2 * y + x / (y * y)) / 3;
    if (!(next < y)) return y;
    y = next;
  }
}
