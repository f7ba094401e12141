/**
 * The angular momentum of a body that nothing touches or holds, or of some that touch one another alone. Implicit Euler makes of a step of rotation θ one of arctan θ, of
 * chords: 1/√(1 + θ²) of the velocity is left. Elastic forces turn no body, so that after a step it has the angular momentum that
 * it was predicted with, with gravity, air and damping:
 *
 *     L = Σ m (q⁻ − c⁻) × (q̃ − q⁻)/h,   v ← v + ω × (q − c),   I ω = L − Σ m (q − c) × v
 *
 * with c and I of the end of the step. Linear momentum is kept by the step itself. A body that turns by less than `LEAST_TURN` in a
 * step loses less than a millionth of its rotation in it, and is not corrected. In a blow bodies go on for a step with the velocities after it:
 * two of millimeters that met at meters a second had 10 % of angular momentum from nothing.
 */
import { addCross } from "./turning";

/** Of a determinant, as a part of the product of the diagonal. */
const LEAST_INERTIA = 1e-5;

/** [rad] in a step */
const LEAST_TURN = 1e-3;

const whole = new Float64Array(3);
const missing = new Float64Array(3);
const omega = new Float64Array(3);
const arms = new Float64Array(6);

/** A body in a step. */
export interface TurningBody {
  readonly model: { readonly masses: Float64Array };
  /** at the end of the step: velocities are changed */
  readonly state: { readonly positions: Float64Array; readonly velocities: Float64Array };
  /** q⁻ */
  readonly start: Float64Array;
  /** q̃ */
  readonly predicted: Float64Array;
}

/**
 * @param bodies those that touch one another, and nothing else
 * @param h time step [s]
 * @param least angle of a step that is corrected [rad]
 */
export function keepAngularMomentum(bodies: readonly TurningBody[], h: number, least = LEAST_TURN): void {
  const before = middleOf(bodies, ({ start }) => start);
  const now = middleOf(bodies, ({ state }) => state.positions);
  let [xx, yy, zz, xy, xz, yz] = [0, 0, 0, 0, 0, 0];
  whole.fill(0);
  missing.fill(0);
  for (const { model, state, start, predicted } of bodies) {
    const { positions: q, velocities: v } = state;
    for (let i = 0; i < q.length; i += 3) {
      const m = model.masses[i / 3];
      for (let c = 0; c < 3; c++) {
        arms[c] = start[i + c] - before[c];
        arms[3 + c] = predicted[i + c] - start[i + c];
      }
      addCross(m / h, arms, 0, arms, 3, whole);
      for (let c = 0; c < 3; c++) arms[c] = q[i + c] - now[c];
      addCross(-m, arms, 0, v, i, missing);
      const [x, y, z] = [arms[0], arms[1], arms[2]];
      xx += m * (y * y + z * z);
      yy += m * (x * x + z * z);
      zz += m * (x * x + y * y);
      xy -= m * x * y;
      xz -= m * x * z;
      yz -= m * y * z;
    }
  }
  const [a, b, c] = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy];
  const [d, e, f] = [xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy];
  const determinant = xx * a + xy * b + xz * c;
  // a line has no inertia about itself
  if (!(determinant > LEAST_INERTIA * xx * yy * zz)) return;
  const spinOf = ([x, y, z]: Float64Array): void => {
    omega[0] = (a * x + b * y + c * z) / determinant;
    omega[1] = (b * x + d * y + e * z) / determinant;
    omega[2] = (c * x + e * y + f * z) / determinant;
  };
  spinOf(whole);
  if (least > 0 && !(h * Math.sqrt(omega[0] ** 2 + omega[1] ** 2 + omega[2] ** 2) > least)) return;
  for (let k = 0; k < 3; k++) missing[k] += whole[k];
  spinOf(missing);
  for (const { state } of bodies)
    for (let i = 0; i < state.positions.length; i += 3) {
      for (let k = 0; k < 3; k++) arms[k] = state.positions[i + k] - now[k];
      addCross(1, omega, 0, arms, 0, state.velocities, i);
    }
}

function middleOf(bodies: readonly TurningBody[], of: (body: TurningBody) => Float64Array): Float64Array {
  const out = new Float64Array(3);
  let mass = 0;
  for (const body of bodies) {
    const x = of(body);
    body.model.masses.forEach((m, i) => {
      mass += m;
      for (let c = 0; c < 3; c++) out[c] += m * x[3 * i + c];
    });
  }
  return out.map((value) => value / mass);
}
