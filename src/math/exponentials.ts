/**
 * Exponentials and logarithms that give the same bits in every JavaScript engine, as `deterministic.ts` has sines: only + − × ÷ and `Math.sqrt`
 * are rounded alike everywhere. Errors stay below two units in the last place.
 */

/** log 2 as a sum of two numbers. The first has 33 bits, so its products with an exponent are exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** Powers of e leave the range of normal numbers beyond these. */
const OVERFLOW = 709.782712893384;
const UNDERFLOW = -745.1332191019412;

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);
/** Place of the word with sign and exponent: the last one on all machines that run JavaScript, but cheap to find. */
float[0] = 1;
const TOP = words[1] === 0 ? 0 : 1;

/** 2ᵏ, −1022 ≤ k ≤ 1023 */
function powerOfTwo(k: number): number {
  words[1 - TOP] = 0;
  words[TOP] = (k + 1023) << 20;
  return float[0];
}

/** log((1 + s) / (1 − s)) = 2 (s + s³/3 + s⁵/5 + …), |s| ≤ 0.21 */
function logSeries(s: number): number {
  const q = s * s;
  let sum = 1 / 25;
  sum = 1 / 23 + q * sum;
  sum = 1 / 21 + q * sum;
  sum = 1 / 19 + q * sum;
  sum = 1 / 17 + q * sum;
  sum = 1 / 15 + q * sum;
  sum = 1 / 13 + q * sum;
  sum = 1 / 11 + q * sum;
  sum = 1 / 9 + q * sum;
  sum = 1 / 7 + q * sum;
  sum = 1 / 5 + q * sum;
  sum = 1 / 3 + q * sum;
  return 2 * s + 2 * s * q * sum;
}

/** Natural logarithm; −∞ for 0, NaN below. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return x;
  let exponent = 0;
  float[0] = x;
  if (words[TOP] < 0x100000) {
    // A subnormal number takes a factor of 2⁵⁴.
    float[0] = x * 18014398509481984;
    exponent = -54;
  }
  exponent += (words[TOP] >>> 20) - 1023;
  words[TOP] = (words[TOP] & 0xfffff) | 0x3ff00000;
  let mantissa = float[0];
  if (mantissa > Math.SQRT2) {
    mantissa *= 0.5;
    exponent++;
  }
  const series = logSeries((mantissa - 1) / (mantissa + 1));
  return exponent === 0 ? series : exponent * LN2_HIGH + (exponent * LN2_LOW + series);
}

/** log(1 + x), exact to rounding for small x too. */
export function log1p(x: number): number {
  return x > -0.3 && x < 0.4 ? logSeries(x / (2 + x)) : log(1 + x);
}

/** eˣ */
export function exp(x: number): number {
  if (!(x < OVERFLOW)) return x > 0 ? Infinity : x;
  if (x < UNDERFLOW) return 0;
  const k = Math.floor(x / Math.LN2 + 0.5);
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = 1;
  for (let n = 14; n > 1; n--) sum = 1 + (r / n) * sum;
  const result = 1 + r * sum;
  // Two factors, since one may be out of range.
  const half = Math.floor(k / 2);
  return result * powerOfTwo(half) * powerOfTwo(k - half);
}
