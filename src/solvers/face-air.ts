/** Forces of air that moves past a surface. */
import { massOf } from "./mass";
import type { Incidence } from "../geometry/surface/incidence";
import { lengthOf } from "../math/vectors";
import type { AirAround, AirOptions } from "./air";
import type { DeformableModel } from "./deformable";

/**
 * The numbers of the air around a surface: wind, density ρ, drag C_D, lift C_L, areal mass σ [kg/m²], the interval for which an acceleration
 * will be used [s]. A list, as V8 allocates each number that it hands to a function that it doesn't inline.
 */
export type AirNumbers = Float64Array;

export function writeAir(
  { wind, airDensity, drag, lift }: Readonly<AirOptions>,
  arealMass: number,
  interval: number,
  out: AirNumbers,
): void {
  for (let c = 0; c < 3; c++) out[c] = wind[c];
  out[3] = airDensity;
  out[4] = drag;
  out[5] = lift;
  out[6] = arealMass;
  out[7] = interval;
}

/**
 * Lift and drag of the air on one face, as an acceleration of its material:
 *
 *     F = ½ ρ A |v·n̂| ( C_D v + C_L |v| (n' − (n'·v̂) v̂) ),   v = wind − face velocity, n' the normal on the lee side
 *
 * Drag and lift both vanish edge-on. Drag is taken semi-implicitly (divided by 1 + interval × its rate), so that a
 * light fabric in a storm cannot be blown past the wind in one step. The areal mass σ [kg/m²] is the face's mass
 * divided by its area.
 *
 * @param x positions, three vertices at a, b, c (already × 3) [m]
 * @param air see `writeAir`
 * @param out acceleration [m/s²], three numbers from `at` on
 */
export function faceAirAcceleration(
  x: Float64Array,
  v: Float64Array,
  a: number,
  b: number,
  c: number,
  air: AirNumbers,
  out: Float64Array,
  at: number,
): void {
  out[at] = 0;
  out[at + 1] = 0;
  out[at + 2] = 0;
  const e1x = x[b] - x[a];
  const e1y = x[b + 1] - x[a + 1];
  const e1z = x[b + 2] - x[a + 2];
  const e2x = x[c] - x[a];
  const e2y = x[c + 1] - x[a + 1];
  const e2z = x[c + 2] - x[a + 2];
  let nx = e1y * e2z - e1z * e2y;
  let ny = e1z * e2x - e1x * e2z;
  let nz = e1x * e2y - e1y * e2x;
  const doubleArea = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const wx = air[0] - (v[a] + v[b] + v[c]) / 3;
  const wy = air[1] - (v[a + 1] + v[b + 1] + v[c + 1]) / 3;
  const wz = air[2] - (v[a + 2] + v[b + 2] + v[c + 2]) / 3;
  const speed = Math.sqrt(wx * wx + wy * wy + wz * wz);
  if (!(doubleArea > 0) || !(speed > 0)) return;
  nx /= doubleArea;
  ny /= doubleArea;
  nz /= doubleArea;
  let normal = nx * wx + ny * wy + nz * wz;
  if (normal < 0) {
    normal = -normal;
    nx = -nx;
    ny = -ny;
    nz = -nz;
  }
  const drag = air[4];
  const lift = air[5];
  const rate = (0.5 * air[3] * normal) / air[6];
  const damped = rate / (1 + air[7] * rate * (drag + lift));
  const along = drag - (lift * normal) / speed;
  const across = lift * speed;
  out[at] = damped * (along * wx + across * nx);
  out[at + 1] = damped * (along * wy + across * ny);
  out[at + 2] = damped * (along * wz + across * nz);
}

const air = new Float64Array(8);

/**
 * Acceleration of every particle by the air, particleCount × 3 [m/s²]: the mean over the particle's faces.
 *
 * @param interval time for which the acceleration will be used [s]
 * @param faceAir acceleration of each face's material out, faceCount × 3 [m/s²]
 */
export function airAccelerations(
  x: Float64Array,
  v: Float64Array,
  faces: Uint32Array,
  incidence: Incidence,
  options: Readonly<AirAround>,
  arealMass: number,
  interval: number,
  faceAir: Float64Array,
  out: Float64Array,
): void {
  writeAir(options, arealMass, interval, air);
  const { wind, windField } = options;
  for (let f = 0; f < faces.length; f += 3) {
    const a = 3 * faces[f];
    const b = 3 * faces[f + 1];
    const c = 3 * faces[f + 2];
    if (windField) {
      const px = (x[a] + x[b] + x[c]) / 3;
      const py = (x[a + 1] + x[b + 1] + x[c + 1]) / 3;
      const pz = (x[a + 2] + x[b + 2] + x[c + 2]) / 3;
      windField.at(px, py, pz, wind, air);
    }
    faceAirAcceleration(x, v, a, b, c, air, faceAir, f);
  }
  const { offsets, entries } = incidence;
  for (let p = 0, to = 0; to < out.length; p++, to += 3) {
    const first = offsets[p];
    const last = offsets[p + 1];
    const count = last - first;
    let ax = 0;
    let ay = 0;
    let az = 0;
    for (let i = first; i < last; i++) {
      const entry = entries[i];
      const at = entry - (entry % 3);
      ax += faceAir[at] / count;
      ay += faceAir[at + 1] / count;
      az += faceAir[at + 2] / count;
    }
    out[to] = ax;
    out[to + 1] = ay;
    out[to + 2] = az;
  }
}

/** Total mass divided by total face area [kg/m²]; 1 for a body without faces, which feels no air. */
export function arealMass(model: DeformableModel): number {
  const x = model.positions;
  let area = 0;
  for (let f = 0; f < model.faces.length; f += 3) {
    const [a, b, c] = [3 * model.faces[f], 3 * model.faces[f + 1], 3 * model.faces[f + 2]];
    const e1 = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]] as const;
    const e2 = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]] as const;
    area += 0.5 * lengthOf(e1[1] * e2[2] - e1[2] * e2[1], e1[2] * e2[0] - e1[0] * e2[2], e1[0] * e2[1] - e1[1] * e2[0]);
  }
  return area > 0 ? massOf(model) / area : 1;
}
