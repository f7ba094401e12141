/**
 * Elementary functions that give the same bits in every JavaScript engine and on every processor. The language leaves
 * the rounding of `Math.sin`, `Math.pow`, `Math.hypot` and their kin (and of `**`) to the engine, while + − × ÷ and
 * `Math.sqrt` are rounded correctly everywhere: so everything here uses only these. Errors stay below about one unit in
 * the last place, two or three for `atan2`, `acos` and `tan`.
 *
 * Arguments are reduced to a small interval, on which a Taylor series with all terms relevant in f64 is evaluated.
 * `exponentials.ts` has exponentials, logarithms and powers; lengths are in `vectors.ts`.
 */

/** π/2 as a sum of three numbers. The first two have 33 bits, so their products with an integer below 2²⁰ are exact. */
const HALF_PI_1 = 1.5707963267341256;
const HALF_PI_2 = 6.077100506303966e-11;
const HALF_PI_3 = 2.0222662487959506e-21;
/** Differences of π and π/2 from their nearest f64. */
const PI_REST = 1.2246467991473532e-16;
const HALF_PI_REST = 6.123233995736766e-17;
/** Largest angle for which the reduction by π/2 is exact [rad]. */
const LARGE_ANGLE = 1e6;

/** Sine of an angle [rad]. Beyond 10⁶ rad the angle is taken modulo the f64 nearest to 2π. */
export function sin(x: number): number {
  pair[0] = x;
  sinCos(pair);
  return pair[0];
}

/** Cosine of an angle [rad]. */
export function cos(x: number): number {
  pair[0] = x;
  sinCos(pair);
  return pair[1];
}

const pair = new Float64Array(2);

/** Replaces the angle in `io[0]` [rad] by its sine, and writes its cosine to `io[1]`. Numbers in arrays need no memory of their own. */
export function sinCos(io: Float64Array): void {
  const angle = Math.abs(io[0]) > LARGE_ANGLE ? io[0] % (2 * Math.PI) : io[0];
  // angle = r + k π/2 with |r| ≤ π/4
  const k = Math.floor(angle / (Math.PI / 2) + 0.5);
  const r = angle - k * HALF_PI_1 - k * HALF_PI_2 - k * HALF_PI_3;
  const rr = r * r;
  // r − r³/3! + r⁵/5! − …
  let sum = 1 / 355687428096000;
  sum = -1 / 1307674368000 + rr * sum;
  sum = 1 / 6227020800 + rr * sum;
  sum = -1 / 39916800 + rr * sum;
  sum = 1 / 362880 + rr * sum;
  sum = -1 / 5040 + rr * sum;
  sum = 1 / 120 + rr * sum;
  sum = -1 / 6 + rr * sum;
  const sine = r + r * rr * sum;
  // 1 − r²/2! + r⁴/4! − …
  sum = -1 / 6402373705728000;
  sum = 1 / 20922789888000 + rr * sum;
  sum = -1 / 87178291200 + rr * sum;
  sum = 1 / 479001600 + rr * sum;
  sum = -1 / 3628800 + rr * sum;
  sum = 1 / 40320 + rr * sum;
  sum = -1 / 720 + rr * sum;
  sum = 1 / 24 + rr * sum;
  const half = 0.5 * rr;
  const head = 1 - half;
  // This adds back the rounding error of 1 − r²/2.
  const cosine = head + (1 - head - half + rr * rr * sum);
  const quadrant = ((k % 4) + 4) % 4;
  const isOdd = quadrant === 1 || quadrant === 3;
  const s = isOdd ? cosine : sine;
  const c = isOdd ? sine : cosine;
  io[0] = quadrant > 1 ? -s : s;
  io[1] = quadrant === 1 || quadrant === 2 ? -c : c;
}

/** Tangent of an angle [rad], as `sin` and `cos` have it. */
export function tan(x: number): number {
  return sin(x) / cos(x);
}

/** Arctangents of k/8 for k from 0 to 8. */
const ATAN_EIGHTHS = [
  0, 0.12435499454676144, 0.24497866312686414, 0.35877067027057225, 0.4636476090008061, 0.5585993153435624,
  0.6435011087932844, 0.7188299996216245, 0.7853981633974483,
];

/** Arctangent [rad], from −π/2 to π/2. */
export function atan(x: number): number {
  if (x < 0) return -atan(-x);
  return atan2(x, 1);
}

/** Replaces x, from 0 to 1, in `io[0]` by its arctangent: atan x = atan c + atan((x − c)/(1 + c x)) for the nearest eighth c. */
function atanUpToOne(io: Float64Array): void {
  const x = io[0];
  const eighth = Math.floor(8 * x + 0.5);
  const c = eighth / 8;
  const t = (x - c) / (1 + c * x);
  const s = t * t;
  // t − t³/3 + t⁵/5 − …, |t| ≤ 1/16
  let sum = 1 / 13;
  sum = -1 / 11 + s * sum;
  sum = 1 / 9 + s * sum;
  sum = -1 / 7 + s * sum;
  sum = 1 / 5 + s * sum;
  sum = -1 / 3 + s * sum;
  io[0] = eighth === 0 ? x + x * s * sum : ATAN_EIGHTHS[eighth] + (t + t * s * sum);
}

/** Angle [rad] of the point (x, y) from the x axis, from −π to π; 0 at the origin. Signs of zeros are those of `Math.atan2`. */
export function atan2(y: number, x: number): number {
  pair[0] = y;
  pair[1] = x;
  toAngle(pair);
  return pair[0];
}

/** Replaces y of a point, in `io[0]`, by its `atan2`; x is in `io[1]`. */
export function toAngle(io: Float64Array): void {
  const y = io[0];
  const x = io[1];
  const isLeft = x < 0 || Object.is(x, -0);
  const isBelow = y < 0 || Object.is(y, -0);
  const ax = Math.abs(x);
  const ay = Math.abs(y);
  if (Number.isNaN(x) || Number.isNaN(y)) io[0] = NaN;
  else if (ay === 0) io[0] = 0;
  else if (ax === 0) io[0] = Math.PI / 2;
  else if (ax === Infinity && ay === Infinity) io[0] = Math.PI / 4;
  else {
    io[0] = ay <= ax ? ay / ax : ax / ay;
    atanUpToOne(io);
    if (ay > ax) io[0] = Math.PI / 2 - (io[0] - HALF_PI_REST);
  }
  if (isLeft) io[0] = Math.PI - (io[0] - PI_REST);
  if (isBelow) io[0] = -io[0];
}

/** Arccosine [rad], from 0 to π; NaN outside −1 to 1. */
export function acos(x: number): number {
  if (!(x >= -1 && x <= 1)) return NaN;
  // The half-angle form is accurate at both ends.
  return 2 * atan2(Math.sqrt(1 - x), Math.sqrt(1 + x));
}
