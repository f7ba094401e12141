/**
 * Led bodies respond to impulses by (I − s sᵀ) / m, see LedResponse: they do not yield in the direction in which
 * something else holds them.
 */

import { type BodyTable, TWIST_SIZE } from "../../motion/bodies";

/** Applies v ← (I − s sᵀ) v to the linear part of a response, from `at` on. */
export function holdBack(bodies: BodyTable, slot: number, v: Float64Array, at: number): void {
  const { support: s } = bodies.led.get(slot)!;
  const along = s[0] * v[at] + s[1] * v[at + 1] + s[2] * v[at + 2];
  for (let k = 0; k < 3; k++) v[at + k] -= along * s[k];
}

/**
 * The inverse of `holdBack`: adds m s sᵀ / (1 − s · s) to m I, the first of the two diagonal blocks of a body, from
 * `at` on.
 */
export function holdMass(bodies: BodyTable, slot: number, values: Float64Array, at: number): void {
  const { support: s, inverseMass } = bodies.led.get(slot)!;
  const scale = 1 / (inverseMass * (1 - s[0] * s[0] - s[1] * s[1] - s[2] * s[2]));
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) values[at + TWIST_SIZE * i + j] += scale * s[i] * s[j];
}
