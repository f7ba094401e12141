import { exp, log } from "./exponentials";

/*
 * Powers with the same bits in every JavaScript engine. Squares may be written with `**`: all engines multiply for them.
 */

/** xʸ as `Math.pow` has it; exact to rounding of products for whole and half exponents, and within |y log x| units of the last place for others. */
export function pow(x: number, y: number): number {
  if (y < 0) return 1 / pow(x, -y);
  if (2 * y === Math.floor(2 * y) && y <= 64) {
    let result = y === Math.floor(y) ? 1 : Math.sqrt(x);
    for (let n = Math.floor(y), factor = x; n > 0; n = Math.floor(n / 2), factor *= factor)
      if (n % 2 === 1) result *= factor;
    return result;
  }
  if (x > 0) return exp(y * log(x));
  if (x < 0 && y === Math.floor(y)) return (y % 2 === 0 ? 1 : -1) * exp(y * log(-x));
  return x === 0 ? 0 : NaN;
}

/** ∛x */
export function cbrt(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const size = Math.abs(x);
  const root = exp(log(size) / 3);
  // A Newton step, for the last bits.
  return Math.sign(x) * (root - (root - size / (root * root)) / 3);
}
