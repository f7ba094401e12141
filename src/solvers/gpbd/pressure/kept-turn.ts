/**
 * Angular momentum of a body under pressure. An element that is solved at the iterate x keeps Σ m x × Δx, while the momentum of a substep
 * is Σ m x⁻ × v, since x⁺ × v = x⁻ × v for v = (x⁺ − x⁻) / h. Pressure and tension cancel, but act at different iterates, in the order
 * of the sweep: a balloon of cotton at 1 kPa gained 35 rad/s in a second. So whatever a sweep adds to S = Σ m x⁻ × x goes again, by a
 * rotation Δx = ω × (x⁻ − c) with I ω = S before − S after, and the center of mass c.
 *
 * A body has it about its one pin, if it has one, which is c then. More pins take angular momentum, and nothing is changed.
 */
import { solveCholesky } from "../../../math/dense";

export class KeptTurn {
  private readonly before = new Float64Array(3);
  private readonly after = new Float64Array(3);
  private readonly center = new Float64Array(3);
  private readonly inertia = new Float64Array(9);
  private readonly factor = new Float64Array(9);

  /**
   * In each substep, when it is predicted.
   *
   * @param start x⁻ of each particle [m]
   * @param w Δt²/m of each particle, 0 when pinned [s²/kg]
   */
  beginSubstep(start: Float64Array, w: Float64Array): void {
    findCenter(start, w, this.center);
    sumInertia(start, w, this.center, this.inertia);
  }

  /** Before elements are solved; `start` and `w` are those of the substep. */
  begin(start: Float64Array, positions: Float64Array, w: Float64Array): void {
    sumTurning(start, positions, w, this.center, this.before);
  }

  /** After that. */
  end(start: Float64Array, positions: Float64Array, w: Float64Array): void {
    const { before, after, center, inertia, factor } = this;
    sumTurning(start, positions, w, center, after);
    for (let c = 0; c < 3; c++) after[c] = before[c] - after[c];
    factor.set(inertia);
    if (!solveCholesky(factor, after, 3)) return;
    const a = after[0];
    const b = after[1];
    const c = after[2];
    for (let p = 0, i = 0; p < w.length; p++, i += 3) {
      if (w[p] === 0) continue;
      const x = start[i] - center[0];
      const y = start[i + 1] - center[1];
      const z = start[i + 2] - center[2];
      positions[i] += b * z - c * y;
      positions[i + 1] += c * x - a * z;
      positions[i + 2] += a * y - b * x;
    }
  }
}

/** c: not finite with several pins. */
function findCenter(start: Float64Array, w: Float64Array, center: Float64Array): void {
  center.fill(0);
  let mass = 0;
  let pin = -1;
  for (let p = 0, i = 0; p < w.length; p++, i += 3)
    if (w[p] > 0) {
      mass += 1 / w[p];
      for (let c = 0; c < 3; c++) center[c] += start[i + c] / w[p];
    } else {
      if (pin >= 0) mass = NaN;
      pin = i;
    }
  if (pin < 0 || !(mass > 0)) for (let c = 0; c < 3; c++) center[c] /= mass;
  else for (let c = 0; c < 3; c++) center[c] = start[pin + c];
}

/** Σ m (x⁻ − c) × (x − c), in units of h² m */
function sumTurning(
  start: Float64Array,
  x: Float64Array,
  w: Float64Array,
  center: Float64Array,
  sum: Float64Array,
): void {
  sum.fill(0);
  for (let p = 0, i = 0; p < w.length; p++, i += 3) {
    if (w[p] === 0) continue;
    const m = 1 / w[p];
    const a = start[i] - center[0];
    const b = start[i + 1] - center[1];
    const c = start[i + 2] - center[2];
    const e = x[i] - center[0];
    const f = x[i + 1] - center[1];
    const g = x[i + 2] - center[2];
    sum[0] += m * (b * g - c * f);
    sum[1] += m * (c * e - a * g);
    sum[2] += m * (a * f - b * e);
  }
}

/** The lower triangle of I of x⁻ about c, in the same units. */
function sumInertia(start: Float64Array, w: Float64Array, center: Float64Array, inertia: Float64Array): void {
  inertia.fill(0);
  for (let p = 0, i = 0; p < w.length; p++, i += 3) {
    if (w[p] === 0) continue;
    const m = 1 / w[p];
    const a = start[i] - center[0];
    const b = start[i + 1] - center[1];
    const c = start[i + 2] - center[2];
    inertia[0] += m * (b * b + c * c);
    inertia[4] += m * (a * a + c * c);
    inertia[8] += m * (a * a + b * b);
    inertia[3] -= m * a * b;
    inertia[6] -= m * a * c;
    inertia[7] -= m * b * c;
  }
}
