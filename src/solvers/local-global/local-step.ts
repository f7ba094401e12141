/**
 * The local step: every element for itself.
 *
 * Elements other than ARAP carry a scaled dual variable uᵢ (ADMM, Overby et al. 2017), so that the fixed point is the
 * minimum of the energy itself and not of its envelope in (5):
 *
 *     pᵢ = argmin wᵢ/2 ‖p − (Gᵢq + uᵢ)‖² + ψ(p),   uᵢ ← uᵢ + Gᵢq − pᵢ,   rᵢ = wᵢ Gᵢᵀ (pᵢ − uᵢ − Gᵢq)
 *
 * At the fixed point wᵢ uᵢ is the stress, which the next step starts from, turned with the element.
 */
import { singularValues } from "../../math/svd3";
import { elementWeight, gather, scatter } from "./element-map";
import type { ElementTerm } from "./model";
import { proximalStretches } from "./proximal";

/** What the local step remembers of the elements of a term; 3 × columns numbers each. */
export interface TermState {
  /** uᵢ */
  readonly dual: Float64Array;
  /** the rotation that uᵢ was last seen with */
  readonly rotation: Float64Array;
}

export function createTermState(term: ElementTerm): TermState {
  const size = 3 * term.columns * term.elementCount;
  return { dual: new Float64Array(size), rotation: new Float64Array(size) };
}

const f = new Float64Array(9);
const p = new Float64Array(9);
const u = new Float64Array(9);
const sigma = new Float64Array(3);
const v = new Float64Array(9);
const local = new Float64Array(9);
const now = new Float64Array(9);

/**
 * Projects all elements of a term and adds h² Σ wᵢ Gᵢᵀ (pᵢ − uᵢ − Gᵢq) to the right-hand side.
 *
 * @param q positions, n × 3 [m]
 * @param scale h², times the share of the elastic forces that acts [s²]
 * @param turned rotation of the body since the last iteration, 3 × 3, which duals follow; without one, in the first iteration
 * of a step, they follow their elements
 * @param r right-hand side, n × 3: changed
 * @returns h² Σ wᵢ ‖pᵢ − uᵢ − Gᵢq‖², which without duals is twice h² times the energy [kg m²]
 */
export function projectTerm(
  term: ElementTerm,
  state: TermState,
  q: Float64Array,
  scale: number,
  turned: Float64Array | undefined,
  r: Float64Array,
): number {
  if (term.kind === "bending") return projectBending(term, q, scale, r);
  const columns = term.columns as 2 | 3;
  const material = term.material!;
  const size = 3 * columns;
  const isDual = material.model !== "arap";
  const { dual, rotation } = state;
  let energy = 0;
  for (let e = 0; e < term.elementCount; e++) {
    const at = size * e;
    gather(term, e, q, f);
    now.set(f);
    if (isDual) {
      if (turned) turn(columns, turned, dual, at);
      else turnDual(columns, dual, rotation, at);
      for (let i = 0; i < size; i++) f[i]! += dual[at + i]!;
    }
    singularValues(f, 0, columns, u, sigma, v);
    proximalStretches(material, sigma, columns);
    compose(columns);
    if (isDual) {
      // uᵢ + Gᵢq − pᵢ, and from it pᵢ − uᵢ
      for (let i = 0; i < size; i++) {
        dual[at + i] = f[i]! - p[i]!;
        p[i]! -= dual[at + i]!;
      }
    }
    let squared = 0;
    for (let i = 0; i < size; i++) {
      p[i]! -= now[i]!;
      squared += p[i]! * p[i]!;
    }
    const weight = scale * elementWeight(term, e);
    energy += weight * squared;
    scatter(term, e, p, weight, r);
  }
  return energy;
}

/** Keeps the rotations that the duals belong to, at the end of a step. */
export function rememberRotations(term: ElementTerm, state: TermState, q: Float64Array): void {
  if (term.kind === "bending" || term.material!.model === "arap") return;
  const columns = term.columns as 2 | 3;
  for (let e = 0; e < term.elementCount; e++) {
    gather(term, e, q, f);
    writeRotation(columns, state.rotation, 3 * columns * e);
  }
}

/**
 * Duals in axes of their elements, Rᵀu, which say the same wherever an element turns; columns of vec4f, as the GPU keeps them.
 */
export function dualsInAxes(term: ElementTerm, { dual, rotation }: TermState): Float32Array<ArrayBuffer> {
  const n = term.columns;
  const out = new Float32Array(4 * n * term.elementCount);
  for (let at = 0, to = 0; at < dual.length; at += 3 * n, to += 4 * n)
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        for (let k = 0; k < 3; k++) out[to + 4 * j + i]! += rotation[at + k * n + i]! * dual[at + k * n + j]!;
  return out;
}

/** The inverse of `dualsInAxes`: axes become those of the world, from which the next step turns them. */
export function setDualsInAxes(term: ElementTerm, { dual, rotation }: TermState, values: Float32Array): void {
  const n = term.columns;
  for (let at = 0, to = 0; at < dual.length; at += 3 * n, to += 4 * n)
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < n; j++) {
        rotation[at + i * n + j] = i === j ? 1 : 0;
        dual[at + i * n + j] = i < n ? values[to + 4 * j + i]! : 0;
      }
}

/** Rotation nearest to `f`: U Vᵀ. */
function writeRotation(n: 2 | 3, out: Float64Array, at: number): void {
  singularValues(f, 0, n, u, sigma, v);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += u[i * n + k]! * v[j * n + k]!;
      out[at + i * n + j] = sum;
    }
}

const rotationNow = new Float64Array(9);

/** u ← R R⁻ᵀ u with the rotations now and before; `f` is Gᵢq. */
function turnDual(n: 2 | 3, dual: Float64Array, rotation: Float64Array, at: number): void {
  let any = 0;
  for (let i = 0; i < 3 * n; i++) any += Math.abs(dual[at + i]!);
  if (any === 0) return;
  writeRotation(n, rotationNow, 0);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += rotation[at + k * n + i]! * dual[at + k * n + j]!;
      local[i * n + j] = sum;
    }
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += rotationNow[i * n + k]! * local[k * n + j]!;
      dual[at + i * n + j] = sum;
    }
}

/** u ← R u */
function turn(n: 2 | 3, rotation: Float64Array, dual: Float64Array, at: number): void {
  for (let j = 0; j < n; j++) {
    const [x, y, z] = [dual[at + j]!, dual[at + n + j]!, dual[at + 2 * n + j]!];
    for (let i = 0; i < 3; i++)
      dual[at + i * n + j] = rotation[3 * i]! * x + rotation[3 * i + 1]! * y + rotation[3 * i + 2]! * z;
  }
}

/** p = U diag(σ) Vᵀ */
function compose(n: 2 | 3): void {
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += u[i * n + k]! * sigma[k]! * v[j * n + k]!;
      p[i * n + j] = sum;
    }
}

/** The curvature vector keeps its direction and gets the length that it has at rest. */
function projectBending(term: ElementTerm, q: Float64Array, scale: number, r: Float64Array): number {
  let energy = 0;
  for (let e = 0; e < term.elementCount; e++) {
    gather(term, e, q, f);
    const length = Math.hypot(f[0]!, f[1]!, f[2]!);
    const rest = term.restLengths?.[e] ?? 0;
    const change = length > 0 ? rest / length - 1 : 0;
    for (let c = 0; c < 3; c++) p[c] = change * f[c]!;
    const weight = scale * elementWeight(term, e);
    energy += weight * (change * length) ** 2;
    scatter(term, e, p, weight, r);
  }
  return energy;
}
