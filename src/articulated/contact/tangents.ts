/**
 * Friction directions of a contact: t₁ = e × n / |e × n| with the z axis as e (or the x axis if n is nearly along z),
 * and t₂ = n × t₁. They are fixed to the world, so that the friction pyramid does not turn with the bodies, and smooth
 * in n.
 */

/** |n_z| above which the x axis replaces the z axis. */
const STEEP = 0.9;

/** Writes t₁ (3 numbers), then t₂ at `at`. */
export function tangents(n: Float64Array, i: number, out: Float64Array, at: number): void {
  const x = n[i];
  const y = n[i + 1];
  const z = n[i + 2];
  let t0 = 0;
  let t1: number;
  let t2 = 0;
  if (Math.abs(z) <= STEEP) {
    const scale = 1 / Math.sqrt(x * x + y * y);
    t0 = -y * scale;
    t1 = x * scale;
  } else {
    const scale = 1 / Math.sqrt(y * y + z * z);
    t1 = -z * scale;
    t2 = y * scale;
  }
  out[at] = t0;
  out[at + 1] = t1;
  out[at + 2] = t2;
  out[at + 3] = y * t2 - z * t1;
  out[at + 4] = z * t0 - x * t2;
  out[at + 5] = x * t1 - y * t0;
}

/** Changes of t₁ and t₂ as n changes by dn (any dn perpendicular to n). @param t result of `tangents` at `j` */
export function tangentChanges(
  n: Float64Array,
  i: number,
  t: Float64Array,
  j: number,
  dn: Float64Array,
  k: number,
  out: Float64Array,
  at: number,
): void {
  const x = n[i];
  const y = n[i + 1];
  const z = n[i + 2];
  const dx = dn[k];
  const dy = dn[k + 1];
  const dz = dn[k + 2];
  // t₁ = c / |c| with c = e × n, so dt₁ = (1 - t₁ t₁ᵀ) (e × dn) / |c|
  let d0 = 0;
  let d1: number;
  let d2 = 0;
  let scale: number;
  if (Math.abs(z) <= STEEP) {
    scale = 1 / Math.sqrt(x * x + y * y);
    d0 = -dy * scale;
    d1 = dx * scale;
  } else {
    scale = 1 / Math.sqrt(y * y + z * z);
    d1 = -dz * scale;
    d2 = dy * scale;
  }
  const t0 = t[j];
  const t1 = t[j + 1];
  const t2 = t[j + 2];
  const along = t0 * d0 + t1 * d1 + t2 * d2;
  d0 -= along * t0;
  d1 -= along * t1;
  d2 -= along * t2;
  out[at] = d0;
  out[at + 1] = d1;
  out[at + 2] = d2;
  out[at + 3] = dy * t2 - dz * t1 + y * d2 - z * d1;
  out[at + 4] = dz * t0 - dx * t2 + z * d0 - x * d2;
  out[at + 5] = dx * t1 - dy * t0 + x * d1 - y * d0;
}

/** As `tangentChanges`, for tangents that follow the normal without a turn about it: dt = -(t · dn) n. */
export function transportedChanges(
  n: Float64Array,
  i: number,
  t: Float64Array,
  j: number,
  dn: Float64Array,
  k: number,
  out: Float64Array,
  at: number,
): void {
  for (let tangent = 0; tangent < 6; tangent += 3) {
    const s = j + tangent;
    const along = t[s] * dn[k] + t[s + 1] * dn[k + 1] + t[s + 2] * dn[k + 2];
    for (let c = 0; c < 3; c++) out[at + tangent + c] = -along * n[i + c];
  }
}
