import { CHANGE, DEFORMATION, FREE, MASSES, MOVED, scatter, TRACKED, VOLUME } from "./gather";
import { add, both, dot, mul, sub } from "./lanes";
import { entry, form, kronecker, lift, MATRIX, newtonStep } from "./six";

/**
 * One Newton iteration of (19) for an energy ψ(E) that the caller evaluates: `strains` gives it E, `steps` takes the derivatives of ψ and gives the strain
 * of the whole step, by which the caller accepts it. In the coordinates Δλ of neo-hookean-solve.ts, with G the matrix of tr(Λ C Λ M):
 *
 *     ∇φ = B + V G ψ'        ∇²φ = G + V (G ψ'' G + the matrix of tr(Λ C Λ M S M)),  S = ∂ψ/∂E
 *
 * A block of memory serves two elements, in f64.
 */

/** No principal stretch is left below this, see untangle.ts. */
const SMALLEST: f64 = 0.02;

/** Places in a block after those of gather.ts, in bytes, of vectors: E and, where it is damped, E at the start of the time step … */
const STRAIN: usize = FREE;
const START: usize = STRAIN + 96;
/** … ψ', six, and ψ'', 36, from the caller … */
const GRADIENT: usize = START + 96;
const HESSIAN: usize = GRADIENT + 96;
/** … E after the step; the change of φ without ψ, its slope, and whether there is a step. */
const TRIAL: usize = HESSIAN + 576;
const INERTIA: usize = TRIAL + 96;
const SLOPE: usize = INERTIA + 16;
const SOLVED: usize = SLOPE + 16;
const STEP: usize = SOLVED + 16;
const GRAM: usize = STEP + 96;
const MATRICES: usize = GRAM + 576;
const PRODUCT: usize = MATRICES + 2 * MATRIX;
/** Bytes of a block: those of solid-law.ts. */
export const BLOCK: usize = PRODUCT + 576;

/** Six entries of ½ (FᵀF − I). */
function green(f: usize, to: usize): void {
  const half = both<f64>(0.5);
  for (let i: usize = 0; i < 3; i++) {
    const a = f + 16 * i;
    const b = f + 16 * (i === 2 ? 0 : i + 1);
    const x = v128.load(a);
    const y = v128.load(a, 48);
    const z = v128.load(a, 96);
    v128.store(to + 16 * i, mul<f64>(half, sub<f64>(dot<f64>(x, y, z, x, y, z), both<f64>(1))));
    v128.store(to + 16 * i, mul<f64>(half, dot<f64>(x, y, z, v128.load(b), v128.load(b, 48), v128.load(b, 96))), 48);
  }
}

function determinant(f: usize): v128 {
  const x = v128.load(f, 48);
  const y = v128.load(f, 64);
  const z = v128.load(f, 80);
  const u = v128.load(f, 96);
  const v = v128.load(f, 112);
  const w = v128.load(f, 128);
  return dot<f64>(
    v128.load(f),
    v128.load(f, 16),
    v128.load(f, 32),
    sub<f64>(mul<f64>(y, w), mul<f64>(z, v)),
    sub<f64>(mul<f64>(z, u), mul<f64>(x, w)),
    sub<f64>(mul<f64>(x, v), mul<f64>(y, u)),
  );
}

/** Strains of a block that `gather` has filled. */
export function strains(block: usize, isDamped: bool): void {
  const f = block + DEFORMATION;
  green(f, block + STRAIN);
  const e = block + STRAIN;
  const trace = add<f64>(add<f64>(v128.load(e), v128.load(e, 16)), v128.load(e, 32));
  const size = add<f64>(both<f64>(3), mul<f64>(both<f64>(2), trace));
  const j = determinant(f);
  const m = block + MASSES;
  const mass = add<f64>(add<f64>(v128.load(m), v128.load(m, 16)), v128.load(m, 32));
  let isSound = v128.ge<f64>(mul<f64>(both<f64>(2), j), mul<f64>(both<f64>(SMALLEST), size));
  isSound = v128.and(isSound, v128.gt<f64>(mass, both<f64>(0)));
  v128.store(block + SOLVED, v128.and(isSound, v128.gt<f64>(j, both<f64>(0))));
  if (!isDamped) return;
  // F at the start, where F after the step will be
  const before = block + MOVED;
  for (let i: usize = 0; i < 144; i += 16)
    v128.store(before + i, sub<f64>(v128.load(f + i), v128.load(block + CHANGE + i)));
  green(before, block + START);
}

/** Entry (r, c) of the symmetric matrix with six entries. */
function entryOf(a: usize, r: usize, c: usize): v128 {
  if (r === c) return v128.load(a + 16 * r);
  return v128.load(a + 16 * (r + c === 1 ? 3 : r + c === 3 ? 4 : 5));
}

/** Six entries of the symmetric part of A B, of matrices with nine. */
function symmetric(to: usize, a: usize, b: usize): void {
  for (let i: usize = 0; i < 6; i++) {
    const r = i < 3 ? i : i - 3;
    const c = i < 3 ? i : i === 5 ? 0 : i - 2;
    let sum = both<f64>(0);
    for (let k: usize = 0; k < 3; k++) {
      sum = add<f64>(sum, mul<f64>(v128.load(a + 16 * (3 * r + k)), v128.load(b + 16 * (3 * k + c))));
      sum = add<f64>(sum, mul<f64>(v128.load(a + 16 * (3 * c + k)), v128.load(b + 16 * (3 * k + r))));
    }
    v128.store(to + 16 * i, mul<f64>(both<f64>(0.5), sum));
  }
}

/** Nine entries of a symmetric matrix with six, those beside the diagonal times `share`. */
function whole(to: usize, a: usize, share: f64): void {
  for (let r: usize = 0; r < 3; r++)
    for (let c: usize = 0; c < 3; c++) {
      const value = entryOf(a, r, c);
      v128.store(to + 16 * (3 * r + c), r === c ? value : mul<f64>(both<f64>(share), value));
    }
}

/** The whole step of a block, with the derivatives of ψ there. */
export function steps(nodes: usize, block: usize): void {
  const none = both<f64>(0);
  const one = both<f64>(1);
  const half = both<f64>(0.5);
  const two = both<f64>(2);
  const volume = v128.load(block + VOLUME);
  const f = block + DEFORMATION;
  const m = block + MASSES;
  const e = block + STRAIN;
  const gram = block + GRAM;
  const q = block + MATRICES;
  const other = q + MATRIX;
  const scratch = block + PRODUCT;
  const k0 = add<f64>(one, mul<f64>(two, v128.load(e)));
  const k1 = add<f64>(one, mul<f64>(two, v128.load(e, 16)));
  const k2 = add<f64>(one, mul<f64>(two, v128.load(e, 32)));
  const k3 = mul<f64>(two, v128.load(e, 48));
  const k4 = mul<f64>(two, v128.load(e, 64));
  const k5 = mul<f64>(two, v128.load(e, 80));
  kronecker<f64>(
    q,
    k0,
    k1,
    k2,
    k3,
    k4,
    k5,
    v128.load(m),
    v128.load(m, 16),
    v128.load(m, 32),
    v128.load(m, 48),
    v128.load(m, 64),
    v128.load(m, 80),
  );
  for (let r: usize = 0, at: usize = 0; r < 6; r++)
    for (let c: usize = 0; c <= r; c++, at++) {
      v128.store(gram + 16 * (6 * r + c), entry(q, at));
      v128.store(gram + 16 * (6 * c + r), entry(q, at));
    }

  // V M S M: of S only, as derivatives beside the diagonal count twice, a half.
  const s = block + GRADIENT;
  whole(scratch, s, 0.5);
  const full = scratch + 144;
  whole(full, m, 1);
  const inner = scratch + 288;
  for (let r: usize = 0; r < 3; r++)
    for (let c: usize = 0; c < 3; c++) {
      const a = scratch + 48 * r;
      const b = full + 16 * c;
      v128.store(
        inner + 16 * (3 * r + c),
        mul<f64>(
          volume,
          dot<f64>(v128.load(a), v128.load(a, 16), v128.load(a, 32), v128.load(b), v128.load(b, 48), v128.load(b, 96)),
        ),
      );
    }
  const msm = scratch + 432;
  symmetric(msm, full, inner);
  kronecker<f64>(
    other,
    k0,
    k1,
    k2,
    k3,
    k4,
    k5,
    v128.load(msm),
    v128.load(msm, 16),
    v128.load(msm, 32),
    v128.load(msm, 48),
    v128.load(msm, 64),
    v128.load(msm, 80),
  );

  // B + V G ψ'
  const base = block + TRIAL;
  const d = block + TRACKED;
  for (let i: usize = 0; i < 6; i++) {
    const r = 16 * (i < 3 ? i : i - 3);
    const c = 16 * (i < 3 ? i : i === 5 ? 0 : i - 2);
    let sum = both<f64>(0);
    for (let k: usize = 0; k < 144; k += 48) {
      sum = add<f64>(sum, mul<f64>(v128.load(f + k + r), v128.load(d + k + c)));
      sum = add<f64>(sum, mul<f64>(v128.load(f + k + c), v128.load(d + k + r)));
    }
    v128.store(base + 16 * i, mul<f64>(half, sum));
  }
  const g = scratch;
  for (let r: usize = 0; r < 6; r++) {
    let sum = none;
    for (let c: usize = 0; c < 6; c++)
      sum = add<f64>(sum, mul<f64>(v128.load(gram + 16 * (6 * r + c)), v128.load(s + 16 * c)));
    v128.store(g + 16 * r, add<f64>(v128.load(base + 16 * r), mul<f64>(volume, sum)));
  }
  const g0 = v128.load(g);
  const g1 = v128.load(g, 16);
  const g2 = v128.load(g, 32);
  const g3 = v128.load(g, 48);
  const g4 = v128.load(g, 64);
  const g5 = v128.load(g, 80);

  // V G ψ'' G
  const h = block + HESSIAN;
  for (let r: usize = 0; r < 6; r++)
    for (let c: usize = 0; c < 6; c++) {
      const row = h + 96 * r;
      const column = gram + 96 * c;
      let sum = mul<f64>(v128.load(row), v128.load(column));
      for (let i: usize = 16; i < 96; i += 16) sum = add<f64>(sum, mul<f64>(v128.load(row + i), v128.load(column + i)));
      v128.store(scratch + 16 * (6 * c + r), mul<f64>(volume, sum));
    }
  for (let r: usize = 0, at: usize = 0; r < 6; r++)
    for (let c: usize = 0; c <= r; c++, at++) {
      const row = gram + 96 * r;
      const column = scratch + 96 * c;
      let sum = entry(other, at);
      for (let i: usize = 0; i < 96; i += 16) sum = add<f64>(sum, mul<f64>(v128.load(row + i), v128.load(column + i)));
      v128.store(other + 16 * at, sum);
    }
  // Pinned vertices leave directions that move nothing, see local-solve.ts.
  lift<f64>(q, 2e-12);
  lift<f64>(other, 1e-12);
  const step = block + STEP;
  const isDefinite = newtonStep<f64>(
    step,
    q,
    other,
    one,
    none,
    none,
    none,
    none,
    none,
    none,
    none,
    g0,
    g1,
    g2,
    g3,
    g4,
    g5,
  );
  const s0 = v128.load(step);
  const s1 = v128.load(step, 16);
  const s2 = v128.load(step, 32);
  const s3 = v128.load(step, 48);
  const s4 = v128.load(step, 64);
  const s5 = v128.load(step, 80);
  v128.store(block + SLOPE, add<f64>(dot<f64>(g0, g1, g2, s0, s1, s2), dot<f64>(g3, g4, g5, s3, s4, s5)));
  const inertia = add<f64>(
    dot<f64>(v128.load(base), v128.load(base, 16), v128.load(base, 32), s0, s1, s2),
    dot<f64>(v128.load(base, 48), v128.load(base, 64), v128.load(base, 80), s3, s4, s5),
  );
  v128.store(block + INERTIA, add<f64>(inertia, form<f64>(q, s0, s1, s2, s3, s4, s5)));

  // FΛ, and F (I + ΛM)
  const tensor = scratch;
  whole(tensor, step, 0.5);
  const l = block + MOVED;
  for (let r: usize = 0; r < 144; r += 48)
    for (let c: usize = 0; c < 48; c += 16)
      v128.store(
        l + r + c,
        dot<f64>(
          v128.load(f + r),
          v128.load(f + r, 16),
          v128.load(f + r, 32),
          v128.load(tensor + c),
          v128.load(tensor + c, 48),
          v128.load(tensor + c, 96),
        ),
      );
  whole(full, m, 1);
  const next = inner;
  for (let r: usize = 0; r < 144; r += 48)
    for (let c: usize = 0; c < 48; c += 16)
      v128.store(
        next + r + c,
        add<f64>(
          v128.load(f + r + c),
          dot<f64>(
            v128.load(l + r),
            v128.load(l + r, 16),
            v128.load(l + r, 32),
            v128.load(full + c),
            v128.load(full + c, 48),
            v128.load(full + c, 96),
          ),
        ),
      );
  green(next, block + TRIAL);
  const isWhole = v128.gt<f64>(determinant(next), none);
  const solved = v128.and(v128.load(block + SOLVED), v128.and(isDefinite, isWhole));
  v128.store(block + SOLVED, solved);
  scatter<f64>(nodes, block);
}
