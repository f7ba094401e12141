/**
 * The rotation of a body as a whole, solved with the global step.
 *
 * A weighs every change of Gᵢq, a rotation as much as a strain: with pᵢ as they are, a body turns by 1/(1 + h² w V / I) of what
 * its inertia I wants in an iteration, for stiff ones a thousandth. So the pᵢ may turn with the body, by a small rotation
 * vector θ:
 *
 *     min over q, θ of  ½ ‖q − q̃‖²_M + h²/2 Σ wᵢ ‖Gᵢq − pᵢ − θ × Gᵢx‖²
 *
 * Without θ that is (6). x are the positions at the start of the iterations, R = e × x the displacements of a rotation about
 * each axis e, Z = (A − M) R the forces that A has against them. With d = A⁻¹r what the global step alone would change,
 *
 *     q ← q + d + N θ,   N = A⁻¹Z,   T⁻¹ θ = RᵀM (q̃ − q − d),   T⁻¹ = RᵀM N
 *
 * which gives rotations their inertia: the right-hand side is the angular momentum that d lacks. It is taken about q and not
 * about x, and without any torque of elastic forces, so that it vanishes when the iteration has converged, and only inertia
 * counts before. Contact forces f join as Nᵀf, and with the torque that they have by acting at q and not at x. If vertices are
 * held, A⁻¹ is the part of it that `PinSolver` leaves, and their forces µ join as torques. All of it is symmetric in the
 * axes, so of R, Z and N only the vectors that e is crossed with are kept.
 *
 * The equations above are linear in θ, but a body turns by rotations. Θ is the sum of all θ of a step, and P(Θ) Cayley's
 * rotation, of less than a half turn whatever Θ is. Beyond small angles a body gets (P(Θ + θ) − P(Θ)) arms in place of N θ, which
 * would stretch it without bound if a moment is large. That is done once an iteration, with the θ of contact forces included: what holds a body
 * turns it back by as much as it would turn without, and gaps are linear in both.
 */
import type { Matrix3 } from "../../../math/matrix3";
import { multiplySymmetric } from "../../../math/sparse/symmetric-matrix";
import type { Vec3 } from "../../../math/types";
import { dot } from "../../../math/vectors";
import * as constants from "../../../generated/constants";
import type { BodySystem } from "./body-system";
import type { PinSolver } from "./pin-solver";

const { LINEAR_TURN } = constants;

/** Beyond this a linear turn would leave y without digits [rad]. */
const FAR = 1e3;

export class Turning {
  /** N θ = θ × arms, n × 3 [m] */
  readonly arms = new Float64Array(this.size);
  /** R θ = θ × x, about the middle of the body, n × 3 [m] */
  private readonly x = new Float64Array(this.size);
  private readonly middle = new Float64Array(3);
  /** S Z θ = θ × forces, and S M x; both in the order of elimination */
  private readonly forces = new Float64Array(this.size);
  private readonly momenta = new Float64Array(this.size);
  private readonly scratch = new Float64Array(this.size);
  private readonly zero = new Float64Array(this.size);
  /** T, 3 × 3 [1/(kg m²)] */
  private readonly t = new Float64Array(9);
  private readonly theta = new Float64Array(3);
  private readonly moment = new Float64Array(3);
  /** torque of the contact forces of the last iteration about q, less that about x [kg m²] */
  readonly lag = new Float64Array(3);
  /** θ since `takeRotation` */
  private readonly sum = new Float64Array(3);
  /** Θ */
  private whole: Vec3 = [0, 0, 0];
  /** θ of an iteration, by which y has changed to first order */
  private readonly open = new Float64Array(3);
  /** whether Θ is of no iteration yet */
  private isNew = true;
  /** forces that hold what gives against R θ, θ × held; three each */
  private held = new Float64Array(0);
  private isUsed = false;

  constructor(private readonly size: number) {}

  /** Once per step, with the positions that its iterations start from. */
  build(system: BodySystem, pins: PinSolver, q: Float64Array): void {
    const { size, x, middle, forces, momenta, scratch, arms, zero, t } = this;
    const { masses } = system.model;
    this.sum.fill(0);
    this.whole = [0, 0, 0];
    this.isNew = true;
    this.lag.fill(0);
    middle.fill(0);
    for (let i = 0; i < size; i++) middle[i % 3] += (3 * q[i]) / size;
    for (let i = 0; i < size; i++) x[i] = q[i] - middle[i % 3];
    multiplySymmetric(system.matrix, x, arms, 3);
    for (let i = 0; i < size; i++) {
      scratch[i] = masses[Math.floor(i / 3)] * x[i];
      arms[i] -= scratch[i];
    }
    momenta.fill(0);
    system.inverse.forward(scratch, momenta);
    forces.fill(0);
    system.inverse.forward(arms, forces);
    pins.apply(forces, zero);
    system.inverse.backward(forces, arms);
    // T⁻¹ = tr D − Dᵀ with D = Σ m x armᵀ − Σ x µᵀ
    t.fill(0);
    for (let i = 0; i < size; i += 3) addOuter(masses[i / 3], x, i, arms, i, t);
    pins.vertices.forEach((vertex, k) => addOuter(-1, x, 3 * vertex, pins.forces, 3 * k, t));
    if (pins.isSoft) this.held = pins.forces.slice();
    this.isUsed = invertTurned(t);
  }

  /** Adds the rotation to y = S r. @param q last iterate, n × 3; `predicted` q̃ */
  apply(y: Float64Array, pins: PinSolver, masses: Float64Array, predicted: Float64Array, q: Float64Array): void {
    if (!this.isUsed) return;
    const { size, x, middle, moment, momenta, scratch } = this;
    moment.set(this.lag);
    for (let i = 0; i < size; i += 3) {
      const mass = masses[i / 3];
      for (let c = 0; c < 3; c++) scratch[c] = q[i + c] - middle[c];
      for (let c = 0; c < 3; c++) scratch[3 + c] = predicted[i + c] - q[i + c];
      addCross(mass, scratch, 0, scratch, 3, moment);
      addCross(-1, momenta, i, y, i, moment);
    }
    pins.vertices.forEach((vertex, k) => addCross(1, x, 3 * vertex, pins.forces, 3 * k, moment));
    this.turn(moment, y);
    // The first one is by inertia alone, and contacts begin there.
    if (this.isNew) this.close(y);
    this.isNew = false;
  }

  /** Adds to the forces of what gives those that turning with it has brought. */
  addHeld({ isSoft, forces }: PinSolver): void {
    if (!isSoft) return;
    const { whole, sum } = this;
    const before: Vec3 = [whole[0] - sum[0], whole[1] - sum[1], whole[2] - sum[2]];
    addTimes(turnFrom(before, sum), this.held, forces);
  }

  /** Adds what a force at a vertex turns by acting at q. */
  addLag(vertex: number, q: Float64Array, f: Float64Array, at: number): void {
    const { scratch, x, middle } = this;
    for (let c = 0; c < 3; c++) scratch[c] = q[3 * vertex + c] - middle[c] - x[3 * vertex + c];
    addCross(1, scratch, 0, f, at, this.lag);
  }

  /** y += S Z T m: what a moment m = Nᵀ f of forces turns, to first order unless it is far. */
  turn(m: Float64Array, y: Float64Array): void {
    if (!this.isUsed) return;
    const { theta, forces, open, sum } = this;
    this.angles(m, theta);
    for (let a = 0; a < 3; a++) sum[a] += theta[a];
    if (dot(theta as unknown as Vec3, theta as unknown as Vec3) > FAR * FAR) {
      this.close(y);
      addTimes(turnFrom(this.whole, theta), forces, y);
      this.whole = sumOf(this.whole, theta);
      return;
    }
    for (let a = 0; a < 3; a++) open[a] += theta[a];
    addTimes(crossWith(theta), forces, y);
  }

  /** y += S (P(Θ + θ) − P(Θ) − θ ×) Z, with all θ since the last call. */
  close(y: Float64Array): void {
    const { open, whole, forces } = this;
    const by = turnFrom(whole, open);
    const linear = crossWith(open);
    if (by.some((value, i) => value !== linear[i]))
      addTimes(by.map((value, i) => value - linear[i]) as unknown as Matrix3, forces, y);
    this.whole = sumOf(whole, open);
    open.fill(0);
  }

  /** out += N T Nᵀ f: what forces turn, to first order; n × 3 each. */
  addAnswer(f: Float64Array, out: Float64Array): void {
    const { moment, theta, arms, size } = this;
    moment.fill(0);
    for (let i = 0; i < size; i += 3) addCross(1, arms, i, f, i, moment);
    this.angles(moment, theta);
    for (let i = 0; i < size; i += 3) addCross(1, theta, 0, arms, i, out, i);
  }

  /**
   * The rotation since it was asked for last, for duals to turn with: one that stands while its element turns is a torque that
   * nothing answers, and with T in place of A's stiffness against rotation the iteration would blow up.
   *
   * @param out 3 × 3
   */
  takeRotation(out: Float64Array): void {
    const { sum } = this;
    const x = sum[0] / 2;
    const y = sum[1] / 2;
    const z = sum[2] / 2;
    const s = 2 / (1 + x * x + y * y + z * z);
    out[0] = 1 - s * (y * y + z * z);
    out[1] = s * (x * y - z);
    out[2] = s * (x * z + y);
    out[3] = s * (x * y + z);
    out[4] = 1 - s * (x * x + z * z);
    out[5] = s * (y * z - x);
    out[6] = s * (x * z - y);
    out[7] = s * (y * z + x);
    out[8] = 1 - s * (x * x + y * y);
    sum.fill(0);
  }

  /** out = T m */
  angles(m: ArrayLike<number>, out: Float64Array): void {
    const { t } = this;
    for (let a = 0; a < 3; a++) out[a] = this.isUsed ? t[3 * a] * m[0] + t[3 * a + 1] * m[1] + t[3 * a + 2] * m[2] : 0;
  }
}

/** out += s a × b for three numbers of each, from places on. */
export function addCross(
  s: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  out: Float64Array,
  k = 0,
): void {
  out[k] += s * (a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1]);
  out[k + 1] += s * (a[i + 2] * b[j] - a[i] * b[j + 2]);
  out[k + 2] += s * (a[i] * b[j + 1] - a[i + 1] * b[j]);
}

function sumOf(a: Vec3, b: ArrayLike<number>): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

const crossWith = ([x, y, z]: Float64Array): Matrix3 => [0, -z, y, z, 0, -x, -y, x, 0];

/** P(start + θ) − P(start), or θ × where both are small. */
function turnFrom(start: Vec3, theta: Float64Array): Matrix3 {
  const end = sumOf(start, theta);
  if (Math.max(dot(start, start), dot(end, end)) < LINEAR_TURN ** 2) return crossWith(theta);
  const before = cayleyChange(start);
  return cayleyChange(end).map((value, i) => value - before[i]) as unknown as Matrix3;
}

/** P(Θ) − 1 with Cayley's rotation by 2 arctan |Θ|/2 about Θ. */
export function cayleyChange([x, y, z]: Vec3): Matrix3 {
  const s = 1 / (1 + 0.25 * (x * x + y * y + z * z));
  const c = 0.5 * s;
  return [
    -c * (y * y + z * z),
    c * x * y - s * z,
    c * x * z + s * y,
    c * x * y + s * z,
    -c * (x * x + z * z),
    c * y * z - s * x,
    c * x * z - s * y,
    c * y * z + s * x,
    -c * (x * x + y * y),
  ];
}

/** out += D v for each vector of an array, three numbers each. */
function addTimes(d: Matrix3, v: Float64Array, out: Float64Array): void {
  for (let i = 0; i < out.length; i += 3) {
    const x = v[i];
    const y = v[i + 1];
    const z = v[i + 2];
    out[i] += d[0] * x + d[1] * y + d[2] * z;
    out[i + 1] += d[3] * x + d[4] * y + d[5] * z;
    out[i + 2] += d[6] * x + d[7] * y + d[8] * z;
  }
}

/** out += s a bᵀ */
function addOuter(s: number, a: Float64Array, i: number, b: Float64Array, j: number, out: Float64Array): void {
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) out[3 * r + c] += s * a[i + r] * b[j + c];
}

/** D becomes (tr D − D)⁻¹; false, with nothing usable, where that is not positive definite to working precision. */
function invertTurned(d: Float64Array): boolean {
  const a = d[4] + d[8];
  const b = -(d[1] + d[3]) / 2;
  const c = -(d[2] + d[6]) / 2;
  const e = d[0] + d[8];
  const f = -(d[5] + d[7]) / 2;
  const g = d[0] + d[4];
  const p = e * g - f * f;
  const q = c * f - b * g;
  const r = b * f - c * e;
  const det = a * p + b * q + c * r;
  if (!(a > 0 && a * e - b * b > 0 && det > 1e-12 * a * e * g)) return false;
  d[0] = p / det;
  d[1] = d[3] = q / det;
  d[2] = d[6] = r / det;
  d[4] = (a * g - c * c) / det;
  d[5] = d[7] = (b * c - a * f) / det;
  d[8] = (a * e - b * b) / det;
  return true;
}
