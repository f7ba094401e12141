/**
 * Pressure inside a closed surface: one more energy U(V) of GPBD (paper 1, section 3), whose only strain is the enclosed
 * volume V, k = 1, and whose one element has all particles. Its force on a particle is π ∇V with the gauge pressure π = −U',
 * of which the sum over a closed surface is nothing: momentum and angular momentum are kept.
 *
 * Glossary: V volume [m³], g = ∇V its gradient [m²], W = Δt² M⁻¹, G = Σ w |g|² = g W gᵀ, λ multiplier: the gauge pressure of the
 * step [Pa], d = W gᵀ λ its displacement (18).
 *
 * Pump, gas (p_a + π) V = C and target volume are one formula, π(V) = A + C / V − B V with U'' = C / V² + B ≥ 0. The element is
 * solved by (19) linearised in V, Δλ = (π(V) − λ) / (1 + G U''(V)), to which however stiff a gas does no harm: once after the
 * prediction, so that the other terms see the load that they carry, and once after them.
 */
import { degenerate } from "../../../errors";
import type { Vec3 } from "../../../math/types";
import { cross, norm } from "../../../math/vectors";
import type { DeformableModel } from "../../deformable";
import { meanEdge } from "../../spacing";

/** Options of the gas in a closed surface. All may change while it runs. */
export interface InflationOptions {
  /** gauge pressure inside, over that of the air around [Pa]; default 0 */
  pressure: number;
  /** the gas stays inside: it has `pressure` at the volume `volume`, and pressure times volume stays the same; default false */
  sealed: boolean;
  /** pressure of the air around, of which a sealed gas has as much to begin with [Pa]; default 101325 */
  ambientPressure: number;
  /**
   * volume that the body strives for, with the stiffness `bulkModulus` [m³]; with `sealed`, the volume at which the gas has its
   * `pressure`, by default the volume at rest. 0, the default: none
   */
  volume: number;
  /** pressure by which the body resists a change of `volume`, for the relative change [Pa]; default 1e5 */
  bulkModulus: number;
}

export const defaultInflation: Readonly<InflationOptions> = {
  pressure: 0,
  sealed: false,
  ambientPressure: 101_325,
  volume: 0,
  bulkModulus: 1e5,
};

/** π(V) = gauge + amount / max(V, floor) − slope V */
export interface PressureLaw {
  /** A [Pa] */
  readonly gauge: number;
  /** C [Pa m³] */
  readonly amount: number;
  /** B [Pa/m³] */
  readonly slope: number;
  /** volume below which a gas is not compressed further [m³] */
  readonly floor: number;
}

/** A surface without a boundary. */
export interface Cavity {
  /** signed volume at rest, times `side` [m³] */
  readonly restVolume: number;
  /** 1 where faces are counter-clockwise seen from outside, −1 where they are clockwise */
  readonly side: 1 | -1;
  /** ρ l² / (R/2), for the areal density ρ and mean edge l of the skin and the radius R of a sphere of its area [kg/m] */
  readonly inertia: number;
}

/** Part of its volume to which a gas is compressed at most. */
const LEAST_VOLUME = 0.01;
/**
 * Part of its size by which a skin stretches further than its tension would, since a sweep cannot bear all of it: for the choice of
 * substeps, and at most, however short of them it is.
 */
const STRETCH = 0.02;
const MOST_STRETCH = 0.015;

export function isInflated(options: Readonly<Partial<InflationOptions>>): boolean {
  return (options.pressure ?? 0) !== 0 || options.sealed === true || (options.volume ?? 0) > 0;
}

/**
 * Substeps of a frame of a sixtieth of a second in which a skin bears its pressure. One sweep a substep h leaves it longer by the
 * part T h² / (ρ l²) under the tension T = p R / 2.
 */
export function pressureSubsteps(options: Readonly<InflationOptions>, cavity: Cavity): number {
  const pressure = Math.abs(pressureAt(pressureLaw(options, cavity), cavity.restVolume));
  return Math.ceil(Math.sqrt(pressure / (STRETCH * cavity.inertia)) / 60);
}

/** @param h of a substep [s], by default none in which the skin could not bear it */
export function pressureLaw(options: Readonly<InflationOptions>, { restVolume, inertia }: Cavity, h = 0): PressureLaw {
  const { pressure, sealed, ambientPressure, volume, bulkModulus } = options;
  const at = volume > 0 ? volume : restVolume;
  if (sealed)
    return { gauge: -ambientPressure, amount: (ambientPressure + pressure) * at, slope: 0, floor: LEAST_VOLUME * at };
  if (volume > 0) return { gauge: pressure + bulkModulus, amount: 0, slope: bulkModulus / volume, floor: 1 };
  // A pressure that falls as the volume grows needs no bound; this one is constant.
  const most = (MOST_STRETCH * inertia) / (h * h);
  return { gauge: Math.max(-most, Math.min(most, pressure)), amount: 0, slope: 0, floor: 1 };
}

/** π(V) [Pa] */
export function pressureAt({ gauge, amount, slope, floor }: PressureLaw, volume: number): number {
  return gauge + amount / Math.max(volume, floor) - slope * volume;
}

/**
 * Volume that a closed surface encloses, positive where its triangles are counter-clockwise seen from outside [m³].
 *
 * @param positions n × 3 [m]
 * @param faces triangles
 */
export function enclosedVolume(positions: ArrayLike<number>, faces: ArrayLike<number>): number {
  const o = faces.length > 0 ? 3 * faces[0] : 0;
  let sum = 0;
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2]];
    const at = (p: number, k: number): number => positions[p + k] - positions[o + k];
    sum +=
      at(a, 0) * (at(b, 1) * at(c, 2) - at(b, 2) * at(c, 1)) +
      at(a, 1) * (at(b, 2) * at(c, 0) - at(b, 0) * at(c, 2)) +
      at(a, 2) * (at(b, 0) * at(c, 1) - at(b, 1) * at(c, 0));
  }
  return sum / 6;
}

const cavities = new WeakMap<DeformableModel, Cavity>();

/**
 * The room inside a body.
 *
 * @throws PliantError `degenerate-geometry` naming an edge where the surface is open, or its triangles are not wound alike
 */
export function cavityOf(object: string, model: DeformableModel): Cavity {
  const known = cavities.get(model);
  if (known) return known;
  const { faces, positions } = model;
  if (faces.length === 0) throw degenerate(object, "no triangles", "must enclose a volume");
  /** how often the edge from a to b is there in this sense more than in the other, by a, b */
  const balance = new Map<number, number>();
  const count = (a: number, b: number, by: number): void => {
    const key = a * model.particleCount + b;
    balance.set(key, (balance.get(key) ?? 0) + by);
  };
  for (let i = 0; i < faces.length; i++) {
    const a = faces[i];
    const b = faces[i % 3 === 2 ? i - 2 : i + 1];
    if (a < b) count(a, b, 1);
    else count(b, a, -1);
  }
  for (const [key, sum] of balance)
    if (sum !== 0) {
      const [a, b] = [Math.floor(key / model.particleCount), key % model.particleCount];
      throw degenerate(
        `${object} edge ${a}-${b}`,
        "a boundary",
        "must be between two triangles wound alike: the surface has to be closed",
      );
    }
  const volume = enclosedVolume(positions, faces);
  const cavity: Cavity = { restVolume: Math.abs(volume), side: volume < 0 ? -1 : 1, inertia: skinInertia(model) };
  cavities.set(model, cavity);
  return cavity;
}

/** See `Cavity.inertia`. */
function skinInertia(model: DeformableModel): number {
  const { faces, positions, masses } = model;
  let [area, mass] = [0, 0];
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2]];
    const side = (p: number): Vec3 => [0, 1, 2].map((i) => positions[p + i] - positions[a + i]) as unknown as Vec3;
    area += norm(cross(side(b), side(c))) / 2;
  }
  for (const p of new Set(faces)) mass += masses[p];
  return area > 0 ? (2 * (mass / area) * meanEdge(model) ** 2) / Math.sqrt(area / (4 * Math.PI)) : Infinity;
}

/** To be called where the faces of a model have changed. */
export function forgetCavity(model: DeformableModel): void {
  cavities.delete(model);
}

/** @throws PliantError where options are about what is in a surface, and there is no inside; as `cavityOf` */
export function requireCavity(
  object: string,
  model: DeformableModel,
  options: Readonly<Partial<InflationOptions>>,
): void {
  if (!isInflated(options)) return;
  const { restVolume } = cavityOf(object, model);
  if (options.sealed !== true || (options.volume ?? 0) > 0) return;
  const size = sizeOf(model.positions);
  if (!(restVolume > 1e-9 * size * size * size))
    throw degenerate(`${object}.sealed`, restVolume, "needs a volume at rest, or the option volume");
}

function sizeOf(positions: ArrayLike<number>): number {
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    least = Math.min(least, positions[i]);
    most = Math.max(most, positions[i]);
  }
  return most - least;
}
