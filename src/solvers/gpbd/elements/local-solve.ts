/**
 * The update of one element: equation (19) of paper 1 by Newton with line search in the k-dimensional subspace
 *
 *     min over Δλ of  ½ ‖d + W Sᵀ Δλ‖²_{W⁻¹} + U(x + W Sᵀ Δλ)
 *
 * Glossary (paper 1, sections 3 and 3.2):
 *   x    positions of the element's vertices [m]            d    displacement that this element has caused so far [m]
 *   W    Δt² M⁻¹, here one number a vertex [s²/kg]          S    ds/dx at x, held fixed during the update (k × 3 arity)
 *   λ    coordinates in the column space of W Sᵀ [N/strain] U    the element's energy [J]
 *
 * Multiplied out, the objective is φ(Δλ) = bᵀΔλ + ½ ΔλᵀGΔλ + Û(s(x + W Sᵀ Δλ)) with G = S W Sᵀ and b = S d: the
 * infinite weight of a pinned vertex (w = 0, d = 0) drops out. The Hessian leaves out d²s/dx², as XPBD does
 * (equation (31)), unless the strain has a `secondVariation`; the gradient is exact, so the minimiser is too.
 *
 * Internal damping is the Kelvin-Voigt potential measure · τ/2Δt · (s − s⁻)ᵀ K (s − s⁻) with the rest Hessian K of the
 * density: it depends on strain alone, so it keeps momentum and leaves rigid motion undamped.
 */
import { solveCholesky } from "../../../math/dense";
import { eigenvalueBound } from "../../../math/eigen/eigenvalue-bound";
import type { EnergyDensity } from "../../../materials/energy-density";
import type { ElementKind } from "./elements";

/** Largest arity × 3 and strain dimension of any element kind. */
const maxCoordinates = 36;
const maxDimension = 9;

/** The element being updated: filled by the caller before `solveElement`, which writes `displacement`. */
export type ElementScratch = ReturnType<typeof createElementScratch>;

export function createElementScratch() {
  const coordinates = () => new Float64Array(maxCoordinates);
  return {
    /** of a solid: its vertices */
    arity: 4,
    /**
     * of a quadratic neo-Hookean solid: whether its displacement begins at nothing, in the only sweep of a substep. At rest it then sees the
     * strain before its own impulse and those of all that are swept after it, and is too soft by half of D = S W Sᵀ, see the design of GPBD.
     * So it is solved with the other half
     */
    isCold: false,
    /** current positions x, arity × 3 [m] */
    x: coordinates(),
    /** positions x⁻ at the start of the time step, arity × 3 [m] */
    start: coordinates(),
    /** tracked displacement dᵢ, arity × 3 [m] */
    tracked: coordinates(),
    /** W per vertex: Δt²/m, 0 when pinned [s²/kg] */
    w: new Float64Array(maxCoordinates / 3),
    /** result Δdᵢ, arity × 3 [m] */
    displacement: coordinates(),
    /** what `untangle` moved x by, arity × 3 [m]; belongs to no force */
    projection: coordinates(),
  };
}

const s = new Float64Array(maxDimension);
const sStart = new Float64Array(maxDimension);
const jacobian = new Float64Array(maxDimension * maxCoordinates);
/** S W */
const weighted = new Float64Array(maxDimension * maxCoordinates);
const movedJacobian = new Float64Array(maxDimension * maxCoordinates);
const moved = new Float64Array(maxCoordinates);
const gram = new Float64Array(maxDimension ** 2);
const movedGram = new Float64Array(maxDimension ** 2);
const b = new Float64Array(maxDimension);
const lambda = new Float64Array(maxDimension);
const trial = new Float64Array(maxDimension);
const energyGradient = new Float64Array(maxDimension);
const energyHessian = new Float64Array(maxDimension ** 2);
const restHessian = new Float64Array(maxDimension ** 2);
const gradient = new Float64Array(maxDimension);
const hessian = new Float64Array(maxDimension ** 2);
/** measure × ∂ψ/∂s, and the second variation of the strain with it */
const stress = new Float64Array(maxDimension);
const geometric = new Float64Array(maxDimension ** 2);
/** G' H */
const half = new Float64Array(maxDimension ** 2);
const factor = new Float64Array(maxDimension ** 2);
const step = new Float64Array(maxDimension);
const zero = new Float64Array(maxDimension);

/**
 * @param kind strain measure and energy density
 * @param rest rest data of the term; this element's starts at `at`
 * @param material material data of the term
 * @param dt time step Δt [s]
 */
export function solveElement(
  kind: ElementKind,
  rest: Float64Array,
  at: number,
  material: Float64Array,
  dt: number,
  newtonIterations: number,
  element: ElementScratch,
): void {
  const { strain, density } = kind;
  const k = strain.dimension;
  const n = strain.arity * 3;
  const measure = kind.measureAt < 0 ? 1 : rest[at + kind.measureAt];
  const viscosity = kind.dampingAt < 0 ? 0 : material[kind.dampingAt] / dt;
  const halvings = k > 3 ? 20 : 8;
  const { x, w, tracked } = element;

  element.displacement.fill(0);
  if (strain.isUpright?.(x, rest, at) === false) return;
  strain.jacobian(x, rest, at, jacobian);
  for (let p = 0, vertex = 0; vertex < strain.arity; vertex++)
    for (let c = 0; c < 3; c++, p++) for (let i = 0; i < k; i++) weighted[i * n + p] = w[vertex] * jacobian[i * n + p];
  multiplyTransposed(weighted, jacobian, k, n, gram);
  let trace = 0;
  for (let i = 0; i < k; i++) trace += gram[i * k + i];
  if (!(trace > 0)) return;
  for (let i = 0; i < k; i++) {
    b[i] = 0;
    for (let c = 0; c < n; c++) b[i] += jacobian[i * n + c] * tracked[c];
  }
  if (viscosity > 0) {
    strain.strain(element.start, rest, at, sStart);
    if (kind.dampingStiffnessAt === undefined) density.hessian(zero, material, restHessian);
    else {
      restHessian.fill(0);
      for (let i = 0; i < k; i++) restHessian[i * k + i] = material[kind.dampingStiffnessAt + i]!;
    }
  }

  lambda.fill(0);
  strain.strain(x, rest, at, s);
  let objective = measure * potential(density, material, k, viscosity);
  for (let i = 0; i < k * k; i++) movedGram[i] = gram[i]!;

  for (let iteration = 0; iteration < newtonIterations; iteration++) {
    density.gradient(s, material, energyGradient);
    density.hessian(s, material, energyHessian);
    if (viscosity > 0)
      for (let i = 0; i < k; i++)
        for (let j = 0; j < k; j++) {
          energyGradient[i] += viscosity * restHessian[i * k + j] * (s[j] - sStart[j]);
          energyHessian[i * k + j] += viscosity * restHessian[i * k + j];
        }

    // ∇φ = b + G Δλ + (S W S'ᵀ) ∇Û with the Jacobian S' of the moved element.
    let slope = 0;
    for (let i = 0; i < k; i++) {
      gradient[i] = b[i]!;
      for (let j = 0; j < k; j++)
        gradient[i] += gram[i * k + j] * lambda[j] + movedGram[i * k + j] * energyGradient[j] * measure;
    }
    geometric.fill(0);
    if (strain.secondVariation) {
      for (let i = 0; i < k; i++) stress[i] = measure * energyGradient[i];
      strain.secondVariation(weighted, stress, rest, at, geometric);
    }
    newtonDirection(k, measure, trace);
    for (let i = 0; i < k; i++) slope += gradient[i] * step[i];
    if (!(slope < 0)) break;

    // Backtracking on the sufficient decrease (Armijo) condition.
    let t = 1;
    let accepted = false;
    for (let halving = 0; halving < halvings && !accepted; halving++, t *= 0.5) {
      for (let i = 0; i < k; i++) trial[i] = lambda[i] + t * step[i];
      moveTo(trial, element, k, n);
      if (strain.isUpright?.(moved, rest, at) === false) continue;
      strain.strain(moved, rest, at, s);
      const value = inertia(trial, k) + measure * potential(density, material, k, viscosity);
      accepted = value <= objective + 1e-4 * t * slope + 1e-14 * Math.abs(objective);
      if (accepted) objective = value;
    }
    if (!accepted) {
      moveTo(lambda, element, k, n);
      strain.strain(moved, rest, at, s);
      break;
    }
    for (let i = 0; i < k; i++) lambda[i] = trial[i]!;
    if (iteration + 1 < newtonIterations) {
      strain.jacobian(moved, rest, at, movedJacobian);
      multiplyTransposed(weighted, movedJacobian, k, n, movedGram);
    }
  }
}

/** ψ with the damping potential at the strain `s`. */
function potential(density: EnergyDensity, material: Float64Array, k: number, viscosity: number): number {
  let value = density.value(s, material);
  if (viscosity > 0)
    for (let i = 0; i < k; i++)
      for (let j = 0; j < k; j++)
        value += 0.5 * viscosity * (s[i] - sStart[i]) * restHessian[i * k + j] * (s[j] - sStart[j]);
  return value;
}

/** bᵀΔλ + ½ ΔλᵀGΔλ: the first term of (19) without its constant. */
function inertia(l: Float64Array, k: number): number {
  let value = 0;
  for (let i = 0; i < k; i++) {
    value += b[i] * l[i];
    for (let j = 0; j < k; j++) value += 0.5 * l[i] * gram[i * k + j] * l[j];
  }
  return value;
}

/** Δd = W Sᵀ Δλ (18) and the moved positions x + Δd. */
function moveTo(l: Float64Array, element: ElementScratch, k: number, n: number): void {
  for (let c = 0; c < n; c++) {
    let sum = 0;
    for (let i = 0; i < k; i++) sum += weighted[i * n + c] * l[i];
    element.displacement[c] = sum;
    moved[c] = element.x[c] + element.displacement[c];
  }
}

/**
 * step = −(G + G' H G'ᵀ)⁻¹ ∇φ. When that is indefinite it is shifted (section 4.2): a strain Hessian H of up to three
 * dimensions by its Gershgorin bound (23); with six the whole matrix, after sweeps that make the bound worth its name.
 */
function newtonDirection(k: number, measure: number, trace: number): void {
  let shift = 0;
  for (let attempt = 0; attempt < 2; attempt++) {
    for (let i = 0; i < k; i++)
      for (let q = 0; q < k; q++) {
        let sum = shift * movedGram[i * k + q];
        for (let p = 0; p < k; p++) sum += movedGram[i * k + p] * energyHessian[p * k + q];
        half[i * k + q] = measure * sum;
      }
    multiplyTransposed(half, movedGram, k, k, hessian);
    for (let i = 0; i < k * k; i++) hessian[i] += gram[i] + geometric[i];
    let scale = 0;
    for (let i = 0; i < k; i++) scale += Math.abs(hessian[i * k + i]);
    for (let i = 0; i < k * k; i++) factor[i] = hessian[i]!;
    // Two pinned vertices leave directions of λ that move nothing; the shift keeps the matrix invertible there.
    for (let i = 0; i < k; i++) factor[i * k + i] += 1e-12 * (scale + trace);
    for (let i = 0; i < k; i++) step[i] = -gradient[i];
    if (solveCholesky(factor, step, k)) return;
    if (k > 3) {
      shiftedDirection(k, trace);
      return;
    }
    let bound = Infinity;
    for (let i = 0; i < k; i++) {
      let row = energyHessian[i * k + i];
      for (let j = 0; j < k; j++) if (j !== i) row -= Math.abs(energyHessian[i * k + j]);
      bound = Math.min(bound, row);
    }
    shift = Math.max(0, -bound);
  }
  // Rounding alone can bring us here: go downhill.
  for (let i = 0; i < k; i++) step[i] = -gradient[i] / trace;
}

/** The matrix that failed is measured by the diagonal of G, so that the shift has the same say in every direction. */
function shiftedDirection(k: number, trace: number): void {
  const inertia = (i: number): number => Math.max(gram[i * k + i], 1e-12 * (trace + hessian[i * k + i]));
  for (let i = 0; i < k; i++)
    for (let j = 0; j < k; j++) factor[i * k + j] = hessian[i * k + j] / Math.sqrt(inertia(i) * inertia(j));
  const shift = 0.01 + Math.max(0, -eigenvalueBound(factor, k));
  for (let i = 0; i < k; i++) {
    hessian[i * k + i] += shift * inertia(i);
    step[i] = -gradient[i];
  }
  factor.set(hessian);
  if (!solveCholesky(factor, step, k)) for (let i = 0; i < k; i++) step[i] = -gradient[i] / inertia(i);
}

/** A Bᵀ of two k × n matrices. */
function multiplyTransposed(a: Float64Array, c: Float64Array, k: number, n: number, out: Float64Array): void {
  for (let i = 0; i < k; i++)
    for (let j = 0; j < k; j++) {
      let sum = 0;
      for (let p = 0; p < n; p++) sum += a[i * n + p] * c[j * n + p];
      out[i * k + j] = sum;
    }
}

/**
 * The XPBD special case: U = c²/2α with a scalar constraint, linearised once (Appendix A of paper 1). Dividing
 * equation (32) by α⁻¹ leaves (α + G) Δλ = −(α b/G + c), which holds for a hard constraint (α = 0) too; α b/G is α times
 * the multiplier that the tracked displacement stands for.
 */
export function solveCompliantElement(
  kind: ElementKind,
  rest: Float64Array,
  at: number,
  compliance: number,
  element: ElementScratch,
): void {
  const n = kind.strain.arity * 3;
  kind.strain.strain(element.x, rest, at, s);
  kind.strain.jacobian(element.x, rest, at, jacobian);
  let g = 0;
  let trackedStrain = 0;
  for (let c = 0; c < n; c++) {
    g += jacobian[c] * element.w[(c / 3) | 0] * jacobian[c];
    trackedStrain += jacobian[c] * element.tracked[c];
  }
  element.displacement.fill(0);
  if (!(g > 0)) return;
  const deltaLambda = -(s[0] + (compliance * trackedStrain) / g) / (g + compliance);
  for (let c = 0; c < n; c++) element.displacement[c] = element.w[(c / 3) | 0] * jacobian[c] * deltaLambda;
}
