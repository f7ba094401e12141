/**
 * The local step: every element for itself.
 *
 * Elements other than ARAP carry a scaled dual variable uᵢ (ADMM, Overby et al. 2017), so that the fixed point is the
 * minimum of the energy itself and not of its envelope in (5):
 *
 *     pᵢ = argmin wᵢ/2 ‖p − (Gᵢq + uᵢ)‖² + ψ(p),   uᵢ ← uᵢ + Gᵢq − pᵢ,   rᵢ = wᵢ Gᵢᵀ (pᵢ − uᵢ − Gᵢq)
 *
 * At the fixed point wᵢ uᵢ is the stress, which the next step starts from, turned with the element. Elements that are flat or inside
 * out have a projection of their own, see flat-step.ts.
 */
import { singularValues } from "../../../math/eigen/svd3";
import { elementWeight, gather, scatter } from "./element-map";
import { isFlat, isPressed, projectFlat } from "./flat-step";
import type { ElementTerm } from "../model";
import { proximalStretches } from "./proximal";

/** Memory of the local step for the elements of a term; 3 × columns numbers each. */
export interface TermState {
  /** uᵢ */
  readonly dual: Float64Array;
  /** the rotation that uᵢ was last seen with */
  readonly rotation: Float64Array;
  /** 1 an element that has been flat in this step, see flat-step.ts */
  readonly flat: Uint8Array;
}

export function createTermState(term: ElementTerm): TermState {
  const size = term.kind === "bending" ? 0 : 3 * term.columns * term.elementCount;
  return { dual: new Float64Array(size), rotation: new Float64Array(size), flat: new Uint8Array(term.elementCount) };
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
 * @param inertias of its elements where these hold against getting flat, of tetrahedra [kg m²]
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
  inertias: Float64Array | undefined,
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
  const { dual, rotation, flat } = state;
  if (!turned) flat.fill(0);
  let energy = 0;
  for (let e = 0; e < term.elementCount; e++) {
    const at = size * e;
    gather(term, e, q, f);
    now.set(f);
    const weight = scale * elementWeight(term, e);
    const wasFlat = inertias !== undefined && flat[e] === 1;
    if (isDual || wasFlat) {
      if (turned) turn(columns, turned, dual, at);
      else turnDual(columns, dual, rotation, at);
      for (let i = 0; i < size; i++) f[i] += dual[at + i];
    }
    if (inertias && (wasFlat || isFlat(now))) {
      flat[e] = 1;
      if (!wasFlat) dual.fill(0, at, at + size);
      projectFlat(material, now, 1 + inertias[e] / weight, true, dual, at, p);
    } else if (inertias && isDual && isPressed(f)) projectFlat(material, now, 0, false, dual, at, p);
    else {
      singularValues(f, 0, columns, u, sigma, v);
      proximalStretches(material, sigma, columns);
      compose(columns);
      if (isDual) {
        // uᵢ + Gᵢq − pᵢ, and from it pᵢ − uᵢ
        for (let i = 0; i < size; i++) {
          dual[at + i] = f[i] - p[i];
          p[i] -= dual[at + i];
        }
      }
    }
    let squared = 0;
    for (let i = 0; i < size; i++) {
      p[i] -= now[i];
      squared += p[i] * p[i];
    }
    energy += weight * squared;
    scatter(term, e, p, weight, r);
  }
  return energy;
}

/** Keeps the rotations of the duals at the end of a step. Duals of elements that have been flat in the step are not kept. */
export function rememberRotations(term: ElementTerm, { dual, rotation, flat }: TermState, q: Float64Array): void {
  if (term.kind === "bending") return;
  const columns = term.columns as 2 | 3;
  const size = 3 * columns;
  const isDual = term.material!.model !== "arap";
  for (let e = 0; e < term.elementCount; e++) {
    if (flat[e] === 1) dual.fill(0, size * e, size * (e + 1));
    if (!isDual) continue;
    gather(term, e, q, f);
    writeRotation(columns, rotation, size * e);
  }
}

/**
 * Duals in axes of their elements, Rᵀu, which do not change when an element turns; columns of vec4f, as the GPU keeps them.
 */
export function dualsInAxes(term: ElementTerm, { dual, rotation }: TermState): Float32Array<ArrayBuffer> {
  const n = term.columns;
  const out = new Float32Array(4 * n * term.elementCount);
  for (let at = 0, to = 0; at < dual.length; at += 3 * n, to += 4 * n)
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        for (let k = 0; k < 3; k++) out[to + 4 * j + i] += rotation[at + k * n + i] * dual[at + k * n + j];
  return out;
}

/** The inverse of `dualsInAxes`: axes become those of the world, from which the next step turns them. */
export function setDualsInAxes(term: ElementTerm, { dual, rotation }: TermState, values: Float32Array): void {
  const n = term.columns;
  for (let at = 0, to = 0; at < dual.length; at += 3 * n, to += 4 * n)
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < n; j++) {
        rotation[at + i * n + j] = i === j ? 1 : 0;
        dual[at + i * n + j] = i < n ? values[to + 4 * j + i] : 0;
      }
}

/** Rotation nearest to `f`: U Vᵀ. */
function writeRotation(n: 2 | 3, out: Float64Array, at: number): void {
  singularValues(f, 0, n, u, sigma, v);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += u[i * n + k] * v[j * n + k];
      out[at + i * n + j] = sum;
    }
}

const rotationNow = new Float64Array(9);

/** u ← R R⁻ᵀ u with the rotations now and before; `f` is Gᵢq. */
function turnDual(n: 2 | 3, dual: Float64Array, rotation: Float64Array, at: number): void {
  let any = 0;
  for (let i = 0; i < 3 * n; i++) any += Math.abs(dual[at + i]);
  if (any === 0) return;
  writeRotation(n, rotationNow, 0);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += rotation[at + k * n + i] * dual[at + k * n + j];
      local[i * n + j] = sum;
    }
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += rotationNow[i * n + k] * local[k * n + j];
      dual[at + i * n + j] = sum;
    }
}

/** u ← R u */
function turn(n: 2 | 3, rotation: Float64Array, dual: Float64Array, at: number): void {
  for (let j = 0; j < n; j++) {
    const x = dual[at + j];
    const y = dual[at + n + j];
    const z = dual[at + 2 * n + j];
    for (let i = 0; i < 3; i++)
      dual[at + i * n + j] = rotation[3 * i] * x + rotation[3 * i + 1] * y + rotation[3 * i + 2] * z;
  }
}

/** p = U diag(σ) Vᵀ */
function compose(n: 2 | 3): void {
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += u[i * n + k] * sigma[k] * v[j * n + k];
      p[i * n + j] = sum;
    }
}

function projectBending(term: ElementTerm, q: Float64Array, scale: number, r: Float64Array): number {
  if (!term.restCurvatures && term.columns === 3) return flatten(term, q, scale, r);
  const size = 3 * term.columns;
  let energy = 0;
  for (let e = 0; e < term.elementCount; e++) {
    gather(term, e, q, f);
    curvatureOfNoStress(term, e, f, p);
    let squared = 0;
    for (let i = 0; i < size; i++) {
      p[i] -= f[i];
      squared += p[i] * p[i];
    }
    const weight = scale * elementWeight(term, e);
    energy += weight * squared;
    scatter(term, e, p, weight, r);
  }
  return energy;
}

/** `projectBending` of three columns and no curvature at rest, p = 0, without loops over them. */
function flatten(term: ElementTerm, q: Float64Array, scale: number, r: Float64Array): number {
  const { arity, elementCount, indices, coefficients: g } = term;
  let energy = 0;
  for (let e = 0; e < elementCount; e++) {
    const first = arity * e;
    const end = first + arity;
    let x0 = 0;
    let x1 = 0;
    let x2 = 0;
    let y0 = 0;
    let y1 = 0;
    let y2 = 0;
    let z0 = 0;
    let z1 = 0;
    let z2 = 0;
    for (let a = first; a < end; a++) {
      const i = 3 * indices[a];
      const x = q[i];
      const y = q[i + 1];
      const z = q[i + 2];
      const g0 = g[3 * a];
      const g1 = g[3 * a + 1];
      const g2 = g[3 * a + 2];
      x0 += g0 * x;
      x1 += g1 * x;
      x2 += g2 * x;
      y0 += g0 * y;
      y1 += g1 * y;
      y2 += g2 * y;
      z0 += g0 * z;
      z1 += g1 * z;
      z2 += g2 * z;
    }
    const weight = scale * elementWeight(term, e);
    energy += weight * (x0 * x0 + x1 * x1 + x2 * x2 + y0 * y0 + y1 * y1 + y2 * y2 + z0 * z0 + z1 * z1 + z2 * z2);
    for (let a = first; a < end; a++) {
      const i = 3 * indices[a];
      const g0 = weight * g[3 * a];
      const g1 = weight * g[3 * a + 1];
      const g2 = weight * g[3 * a + 2];
      r[i] -= g0 * x0 + g1 * x1 + g2 * x2;
      r[i + 1] -= g0 * y0 + g1 * y1 + g2 * y2;
      r[i + 2] -= g0 * z0 + g1 * z1 + g2 * z2;
    }
  }
  return energy;
}

/**
 * p of a bending element: its curvature at rest, turned to be as near as can be to what it is. As no turn takes it nearer, no torque is left over.
 *
 * @param f Gᵢq
 */
export function curvatureOfNoStress(term: ElementTerm, e: number, f: Float64Array, out: Float64Array): void {
  const { columns, restCurvatures: rest } = term;
  const at = 3 * columns * e;
  const size = 3 * columns;
  out.fill(0, 0, size);
  if (!rest) return;
  let squared = 0;
  let restSquared = 0;
  for (let i = 0; i < size; i++) {
    squared += f[i] * f[i];
    restSquared += rest[at + i] * rest[at + i];
  }
  if (!(squared > 0 && restSquared > 0)) {
    // from flat it may go either way
    for (let i = 0; i < size; i++) out[i] = rest[at + i]!;
    return;
  }
  const scale = 1 / Math.sqrt(squared * restSquared);
  // f Sᵀ = U Σ Vᵀ, and p = U Vᵀ S
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let c = 0; c < columns; c++) sum += f[columns * i + c] * rest[at + columns * j + c];
      local[3 * i + j] = scale * sum;
    }
  singularValues(local, 0, 3, u, sigma, v);
  for (let c = 0; c < columns; c++)
    for (let k = 0; k < 3; k++) {
      let along = 0;
      for (let j = 0; j < 3; j++) along += v[3 * j + k] * rest[at + columns * j + c];
      for (let i = 0; i < 3; i++) out[columns * i + c] += u[3 * i + k] * along;
    }
}
