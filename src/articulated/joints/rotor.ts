/**
 * Free rotation of a rigid body about a point, in the body's axes, by a midpoint rule on the group (Lewis and Simo 1994,
 * "Conserving algorithms for the dynamics of Hamiltonian systems on Lie groups"; Austin, Krishnaprasad and Wang 1993):
 *
 *   ℓ⁺ − ℓ = η m × K m,   m = (ℓ + ℓ⁺)/2,   W = cay(η K m),   η = (h/x) tan x,   x = h |K ℓ| / 2
 *
 * ℓ = B ω   angular momentum            B   inertia, K its inverse
 * W         rotation within the step: R⁺ = R W
 *
 * (ℓ⁺ − ℓ)·m = 0 and (ℓ⁺ − ℓ)·K m = 0, so |ℓ| and the energy are conserved for any h, and ℓ⁺ = Wᵀ ℓ conserves the
 * momentum in the world. η instead of h makes a turn about a principal axis exact. Turns of more than a radian are
 * computed in parts.
 */
import { tan } from "../../math/deterministic";
import { product } from "../../math/quaternions";
import type { Quat, Vec3 } from "../../math/types";
import { cross, dot, scaled } from "../../math/vectors";
import { add, inverse3, matrixProduct, solve3, times, type Matrix3 } from "../../math/matrix3";

/** The largest turn of a part [rad]. */
const LARGEST_TURN = 1;
/** Parts of a step at most: a bad trial of an optimizer may spin a body at 1e8 rad/s, and must end soon. */
const MOST_PARTS = 1000;
/** Largest number of Newton steps; for a turn of a radian, six give full precision. */
const STEPS = 12;

/** The result of a free rotation. */
export interface Turn {
  /** W, as a quaternion (x, y, z, w). */
  readonly rotation: Quat;
  /** Angular velocity after the turn, in the axes after the turn. */
  readonly velocity: Vec3;
}

/** Change of a turn: dW = W [turn]×, and the change of the velocity. */
export interface TurnChange {
  readonly turn: Vec3;
  readonly velocity: Vec3;
}

interface Part {
  readonly before: Vec3;
  readonly middle: Vec3;
  readonly spin: Vec3;
  readonly eta: number;
  readonly half: Vec3;
  readonly left: Matrix3;
  readonly right: Matrix3;
}

/** The free rotation of one body over one step. */
export class Rotor {
  private inverse: Matrix3 = zero;
  private parts: Part[] = [];
  private omega: Vec3 = [0, 0, 0];
  private after: Vec3 = [0, 0, 0];
  private h = 0;

  /**
   * @param inertia B, 9 numbers, row-major, positive definite
   * @param omega angular velocity in the body's axes [rad/s]
   * @param dt [s]
   */
  advance(inertia: Matrix3, omega: Vec3, dt: number): Turn {
    const K = inverse3(inertia);
    const count = Math.min(MOST_PARTS, Math.max(1, Math.ceil((dt * Math.sqrt(dot(omega, omega))) / LARGEST_TURN)));
    const h = dt / count;
    this.inverse = K;
    this.omega = omega;
    this.h = h;
    this.parts = [];
    let momentum = times(inertia, omega);
    let rotation: Quat = [0, 0, 0, 1];
    for (let i = 0; i < count; i++) {
      const part = advancePart(K, momentum, h);
      this.parts.push(part);
      momentum = add(scaled(part.middle, 2), scaled(momentum, -1));
      const scale = 1 / Math.sqrt(1 + dot(part.half, part.half));
      const [x, y, z] = part.half;
      rotation = product(rotation, [x * scale, y * scale, z * scale, scale]);
    }
    this.after = momentum;
    return { rotation, velocity: times(K, momentum) };
  }

  /**
   * Change of the last `advance`.
   *
   * @param omega change of the angular velocity
   * @param inertia change of B
   */
  differentiate(inertia: Matrix3, omega: Vec3, inertiaChange: Matrix3 | undefined): TurnChange {
    const { inverse: K, parts, h } = this;
    let byInertia: Matrix3 | undefined;
    let change = times(inertia, omega);
    if (inertiaChange !== undefined) {
      byInertia = matrixProduct(matrixProduct(K, inertiaChange), K).map((x) => -x) as unknown as Matrix3;
      change = add(change, times(inertiaChange, this.omega));
    }
    const inverseTimes = (vector: Vec3, vectorChange: Vec3): Vec3 =>
      byInertia === undefined ? times(K, vectorChange) : add(times(K, vectorChange), times(byInertia, vector));
    let turn: Vec3 = [0, 0, 0];
    for (const { before, middle, spin, eta, half, left, right } of parts) {
      const start = times(K, before);
      const etaChange =
        2 * h * h * h * tangentRate(h * h * dot(start, start)) * dot(start, inverseTimes(before, change));
      let load = add(times(right, change), scaled(cross(middle, spin), etaChange));
      if (byInertia !== undefined) load = add(load, scaled(cross(middle, times(byInertia, middle)), eta));
      const next = solve3(left, load);
      const spinChange = inverseTimes(middle, scaled(add(change, next), 0.5));
      const halfChange = scaled(add(scaled(spin, etaChange), scaled(spinChange, eta)), 0.5);
      const own = scaled(add(halfChange, scaled(cross(half, halfChange), -1)), 2 / (1 + dot(half, half)));
      turn = add(turnedBack(half, turn), own);
      change = next;
    }
    return { turn, velocity: inverseTimes(this.after, change) };
  }
}

const zero: Matrix3 = [0, 0, 0, 0, 0, 0, 0, 0, 0];

function advancePart(K: Matrix3, before: Vec3, h: number): Part {
  const start = times(K, before);
  const eta = h * tangentRatio(h * h * dot(start, start));
  let after = before;
  let last = Infinity;
  for (let i = 0; i < STEPS; i++) {
    const middle = scaled(add(before, after), 0.5);
    const miss = add(add(after, scaled(before, -1)), scaled(cross(middle, times(K, middle)), -eta));
    const size = dot(miss, miss);
    if (size === 0 || size >= last) break;
    last = size;
    after = add(after, scaled(solve3(sided(K, middle, -0.5 * eta), miss), -1));
  }
  const middle = scaled(add(before, after), 0.5);
  const spin = times(K, middle);
  return {
    before,
    middle,
    spin,
    eta,
    half: scaled(spin, 0.5 * eta),
    left: sided(K, middle, -0.5 * eta),
    right: sided(K, middle, 0.5 * eta),
  };
}

/** 1 + scale ∂(m × K m)/∂m */
function sided(K: Matrix3, m: Vec3, scale: number): Matrix3 {
  const spin = times(K, m);
  const column = (c: number): Vec3 => {
    const unit: Vec3 = [c === 0 ? 1 : 0, c === 1 ? 1 : 0, c === 2 ? 1 : 0];
    const turned = add(cross(m, [K[c], K[3 + c], K[6 + c]]), cross(unit, spin));
    return add(unit, scaled(turned, scale));
  };
  const [a, b, c] = [column(0), column(1), column(2)];
  return [a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]];
}

/** tan x / x for x² = s/4 */
function tangentRatio(s: number): number {
  if (s < 1e-4) return 1 + s / 12 + (s * s) / 120;
  const x = Math.sqrt(s) / 2;
  return tan(x) / x;
}

/** Derivative of `tangentRatio` by s. */
function tangentRate(s: number): number {
  if (s < 1e-4) return 1 / 12 + s / 60 + (17 * s * s) / 6720;
  const x = Math.sqrt(s) / 2;
  const t = tan(x);
  return (x * (1 + t * t) - t) / (8 * x * x * x);
}

/** Wᵀ v for W = cay(2 half) */
function turnedBack(half: Vec3, v: Vec3): Vec3 {
  const a = cross(half, v);
  const b = cross(half, a);
  return add(v, scaled(add(b, scaled(a, -1)), 2 / (1 + dot(half, half))));
}
