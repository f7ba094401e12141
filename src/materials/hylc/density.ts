import type { EnergyDensity } from "../energy-density";
import { createWeights, hermiteWeights } from "./hermite";
import { packed } from "./pack";

/**
 * The energy density of HYLC cloth (Sperl, Narain and Wojtan 2020; section 4.2 of paper 1) on the strains of `hylcStrain`,
 * s = (s_x, s_a, s_y, l² II_xx, l² II_xy, l² II_yy):
 *
 *     ψ = Σₖ fₖ(Sₖ) + Σ f_kl(Sₖ, S_l) + cc G(λ₁) + (1 − cc) G(λ₂) + cc H(λ₂) + (1 − cc) H(λ₁)        [J/m²]
 *
 * with k, l < 3 in the first two sums. G(λ) = f₃(λ/c₃) + Σₖ f_k3(Sₖ, λ/c₃) is what curvature along x costs, H with 4 for 3
 * along y; λ₁ ≥ λ₂ are the principal curvatures, and cc is the squared cosine between x and the direction of λ₁.
 *
 * Glossary:
 *   S     s / c, c the scales of the table         m, d, q  (II_xx + II_yy)/2, (II_xx − II_yy)/2, II_xy
 *   r     √(d² + q²): λ = m ± r                    c, s     d/r and q/r, cosine and sine of twice the angle; cc = (1 + c)/2
 *   P, Q  (G(λ₁) ± G(λ₂))/2, so that the terms of G are P + cQ; those of H are P − cQ, which is G's at −d
 *   A₁ B₁ P' and Q' by λ; A₂, B₂ second            D, K     Q/r and B₁/r, which have limits at r = 0
 *
 * Every derivative below is written with D and K, so none of them divides by r.
 *
 * `m` holds a packed table, see `packHylc`.
 */
export const hylcDensity: EnergyDensity = {
  dimension: 6,
  value(s, m) {
    return evaluate(s, m, 0);
  },
  gradient(s, m, out) {
    evaluate(s, m, 1);
    out.set(g);
  },
  hessian(s, m, out) {
    evaluate(s, m, 2);
    for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) out[6 * i + j] = h[i <= j ? 6 * i + j : 6 * j + i]!;
  },
};

/** Below this scaled difference of the principal curvatures, derivatives replace quotients of differences. */
const UMBILIC = 5e-5;

const g = new Float64Array(6);
/** upper triangle */
const h = new Float64Array(36);
const scaled = new Float64Array(3);
const uWeights = createWeights();
const vWeights = createWeights();
/** f, f_u, f_v, f_uu, f_uv, f_vv of a surface; f, f', f'' of a curve */
const jet = new Float64Array(6);
/** G at one curvature: value, λ, λλ; then for each in-plane strain k: ∂k, ∂kk, ∂kλ */
const first = new Float64Array(12);
const second = new Float64Array(12);
/** half the sum of both, and half the difference */
const mean = new Float64Array(12);
const half = new Float64Array(12);

function evaluate(s: ArrayLike<number>, a: ArrayLike<number>, order: 0 | 1 | 2): number {
  g.fill(0);
  h.fill(0);
  let value = 0;
  for (let k = 0; k < 3; k++) {
    const scale = a[packed.scale + k];
    scaled[k] = s[k] / scale;
    curve(a, a[packed.curves + k], scaled[k]);
    value += jet[0];
    g[k] = jet[1] / scale;
    h[7 * k] = jet[2] / (scale * scale);
  }
  const surfaces = a[packed.surfaceCount];
  for (let i = 0; i < surfaces; i++) {
    const at = packed.surfaces + 3 * i;
    const [k, l] = [a[at], a[at + 1]];
    if (l > 2) continue;
    surface(a, a[at + 2], scaled[k], scaled[l]);
    const [ck, cl] = [a[packed.scale + k], a[packed.scale + l]];
    value += jet[0];
    g[k] += jet[1] / ck;
    g[l] += jet[2] / cl;
    h[7 * k] += jet[3] / (ck * ck);
    h[6 * k + l] += jet[4] / (ck * cl);
    h[7 * l] += jet[5] / (cl * cl);
  }
  const bending = a[packed.bending];
  const middle = 0.5 * bending * (s[3] + s[5]);
  const d = 0.5 * bending * (s[3] - s[5]);
  const q = bending * s[4];
  return value + curvatures(a, 3, middle, d, q, order) + curvatures(a, 4, middle, d, q, order);
}

/** The terms of G (`family` 3) or H (4): returns them and adds their derivatives. */
function curvatures(
  a: ArrayLike<number>,
  family: 3 | 4,
  middle: number,
  d: number,
  q: number,
  order: 0 | 1 | 2,
): number {
  const sign = family === 3 ? 1 : -1;
  const scale = a[packed.scale + family];
  const r = Math.sqrt(d * d + q * q);
  const c = r > 0 ? (sign * d) / r : 1;
  const sine = r > 0 ? q / r : 0;
  alongCurvature(a, family, middle + r, scale, first);
  alongCurvature(a, family, middle - r, scale, second);
  for (let i = 0; i < 12; i++) {
    mean[i] = 0.5 * (first[i] + second[i]);
    half[i] = 0.5 * (first[i] - second[i]);
  }
  const value = mean[0] + c * half[0];
  if (order === 0) return value;

  // Q/r, if r is large enough for the quotient
  const apart = r > UMBILIC * scale;
  const [a1, b1] = [mean[1], half[1]];
  const d0 = apart ? half[0] / r : a1;
  // by m, d and q; along −d for H
  const radial = b1 + c * a1;
  const byMean = a1 + c * b1;
  const byD = sign * (c * radial + sine * sine * d0);
  const byQ = sine * (radial - c * d0);
  const bending = a[packed.bending];
  const half2 = 0.5 * bending;
  g[3] += half2 * (byMean + byD);
  g[4] += bending * byQ;
  g[5] += half2 * (byMean - byD);
  for (let k = 0; k < 3; k++) g[k] += mean[3 + 3 * k] + c * half[3 + 3 * k];
  if (order === 1) return value;

  const [a2, b2] = [mean[2], half[2]];
  const k1 = apart ? half[1] / r : a2;
  const l = apart ? (a1 - d0) / r : 0;
  const [even, odd] = [a2 + c * b2, b2 + c * a2];
  const [cc, ss, cs] = [c * c, sine * sine, c * sine];
  const mm = even;
  const md = sign * (c * odd + ss * k1);
  const mq = sine * odd - cs * k1;
  const dd = cc * even + ss * (k1 + 3 * c * l);
  const dq = sign * (cs * (even - k1) + sine * (ss - 2 * cc) * l);
  const qq = ss * even + cc * k1 + c * (cc - 2 * ss) * l;
  const b = bending * bending;
  h[21] += 0.25 * b * (mm + 2 * md + dd);
  h[22] += 0.5 * b * (mq + dq);
  h[23] += 0.25 * b * (mm - dd);
  h[28] += b * qq;
  h[29] += 0.5 * b * (mq - dq);
  h[35] += 0.25 * b * (mm - 2 * md + dd);
  for (let k = 0; k < 3; k++) {
    const at = 3 + 3 * k;
    h[7 * k] += mean[at + 1] + c * half[at + 1];
    const [ak, bk] = [mean[at + 2], half[at + 2]];
    const dk = apart ? half[at] / r : ak;
    const kMean = ak + c * bk;
    const kD = sign * (c * (bk + c * ak) + ss * dk);
    h[6 * k + 3] += half2 * (kMean + kD);
    h[6 * k + 4] += bending * sine * (bk + c * ak - c * dk);
    h[6 * k + 5] += half2 * (kMean - kD);
  }
  return value;
}

/** G or H at a curvature λ [1/m] into `out`, derivatives by strains and by λ. */
function alongCurvature(a: ArrayLike<number>, family: 3 | 4, lambda: number, scale: number, out: Float64Array): void {
  const x = lambda / scale;
  out.fill(0);
  curve(a, a[packed.curves + family], x);
  out[0] = jet[0]!;
  out[1] = jet[1] / scale;
  out[2] = jet[2] / (scale * scale);
  const surfaces = a[packed.surfaceCount];
  for (let i = 0; i < surfaces; i++) {
    const at = packed.surfaces + 3 * i;
    if (a[at + 1] !== family) continue;
    const k = a[at];
    const ck = a[packed.scale + k];
    surface(a, a[at + 2], scaled[k], x);
    out[0] += jet[0];
    out[1] += jet[2] / scale;
    out[2] += jet[5] / (scale * scale);
    out[3 + 3 * k] += jet[1] / ck;
    out[4 + 3 * k] += jet[3] / (ck * ck);
    out[5 + 3 * k] += jet[4] / (ck * scale);
  }
}

function curve(a: ArrayLike<number>, at: number, x: number): void {
  const count = a[at];
  hermiteWeights(a, at + 1, count, x, uWeights);
  const { w, dw, ddw } = uWeights;
  const p = at + 1 + count + uWeights.first;
  const m = p + count;
  jet[0] = w[0] * a[p] + w[1] * a[m] + w[2] * a[p + 1] + w[3] * a[m + 1];
  jet[1] = dw[0] * a[p] + dw[1] * a[m] + dw[2] * a[p + 1] + dw[3] * a[m + 1];
  jet[2] = ddw[0] * a[p] + ddw[1] * a[m] + ddw[2] * a[p + 1] + ddw[3] * a[m + 1];
}

function surface(a: ArrayLike<number>, at: number, u: number, v: number): void {
  const [nu, nv] = [a[at], a[at + 1]];
  hermiteWeights(a, at + 2, nu, u, uWeights);
  hermiteWeights(a, at + 2 + nu, nv, v, vWeights);
  const values = at + 2 + nu + nv;
  const count = nu * nv;
  jet.fill(0);
  for (let j = 0; j < 2; j++)
    for (let i = 0; i < 2; i++) {
      const place = values + (vWeights.first + j) * nu + uWeights.first + i;
      // value, ∂u, ∂v and ∂u∂v of the knot
      for (let part = 0; part < 4; part++) {
        const entry = a[place + part * count];
        const [iu, iv] = [2 * i + (part & 1), 2 * j + (part >> 1)];
        jet[0] += uWeights.w[iu] * vWeights.w[iv] * entry;
        jet[1] += uWeights.dw[iu] * vWeights.w[iv] * entry;
        jet[2] += uWeights.w[iu] * vWeights.dw[iv] * entry;
        jet[3] += uWeights.ddw[iu] * vWeights.w[iv] * entry;
        jet[4] += uWeights.dw[iu] * vWeights.dw[iv] * entry;
        jet[5] += uWeights.w[iu] * vWeights.ddw[iv] * entry;
      }
    }
}
