/**
 * Spatial vectors in flat arrays. A motion is [angular ω, linear v], a force [moment n, force f], both in world axes about
 * the world's origin: nothing has to be transformed from link to link, and sums over subtrees are plain sums.
 *
 * An inertia is ten numbers [m, h (3), I xx yy zz xy xz yz] with h = m·c the first moment and I the second moments about
 * the origin. Each helper takes an array and the offset of the vector in it; `out` may not overlap the inputs.
 */

/** out = a × b, the change of motion b when it is carried by motion a. */
export function crossMotion(
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  out: Float64Array,
  k: number,
): void {
  const a0 = a[i];
  const a1 = a[i + 1];
  const a2 = a[i + 2];
  const b0 = b[j];
  const b1 = b[j + 1];
  const b2 = b[j + 2];
  const b3 = b[j + 3];
  const b4 = b[j + 4];
  const b5 = b[j + 5];
  out[k] = a1 * b2 - a2 * b1;
  out[k + 1] = a2 * b0 - a0 * b2;
  out[k + 2] = a0 * b1 - a1 * b0;
  out[k + 3] = a1 * b5 - a2 * b4 + a[i + 4] * b2 - a[i + 5] * b1;
  out[k + 4] = a2 * b3 - a0 * b5 + a[i + 5] * b0 - a[i + 3] * b2;
  out[k + 5] = a0 * b4 - a1 * b3 + a[i + 3] * b1 - a[i + 4] * b0;
}

/** out += a × b */
export function addCrossMotion(
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  out: Float64Array,
  k: number,
): void {
  crossMotion(a, i, b, j, cross, 0);
  for (let c = 0; c < 6; c++) out[k + c] += cross[c];
}

const cross = new Float64Array(6);

/** out += a ×* f, the change of force f when it is carried by motion a. */
export function addCrossForce(
  a: Float64Array,
  i: number,
  f: Float64Array,
  j: number,
  out: Float64Array,
  k: number,
): void {
  const a0 = a[i];
  const a1 = a[i + 1];
  const a2 = a[i + 2];
  const f0 = f[j];
  const f1 = f[j + 1];
  const f2 = f[j + 2];
  const f3 = f[j + 3];
  const f4 = f[j + 4];
  const f5 = f[j + 5];
  out[k] += a1 * f2 - a2 * f1 + a[i + 4] * f5 - a[i + 5] * f4;
  out[k + 1] += a2 * f0 - a0 * f2 + a[i + 5] * f3 - a[i + 3] * f5;
  out[k + 2] += a0 * f1 - a1 * f0 + a[i + 3] * f4 - a[i + 4] * f3;
  out[k + 3] += a1 * f5 - a2 * f4;
  out[k + 4] += a2 * f3 - a0 * f5;
  out[k + 5] += a0 * f4 - a1 * f3;
}

/** out = I · a for an inertia of ten numbers. */
export function inertiaTimes(
  inertia: Float64Array,
  i: number,
  a: Float64Array,
  j: number,
  out: Float64Array,
  k: number,
): void {
  const m = inertia[i];
  const h0 = inertia[i + 1];
  const h1 = inertia[i + 2];
  const h2 = inertia[i + 3];
  const xy = inertia[i + 7];
  const xz = inertia[i + 8];
  const yz = inertia[i + 9];
  const w0 = a[j];
  const w1 = a[j + 1];
  const w2 = a[j + 2];
  const v0 = a[j + 3];
  const v1 = a[j + 4];
  const v2 = a[j + 5];
  out[k] = inertia[i + 4] * w0 + xy * w1 + xz * w2 + h1 * v2 - h2 * v1;
  out[k + 1] = xy * w0 + inertia[i + 5] * w1 + yz * w2 + h2 * v0 - h0 * v2;
  out[k + 2] = xz * w0 + yz * w1 + inertia[i + 6] * w2 + h0 * v1 - h1 * v0;
  out[k + 3] = m * v0 - h1 * w2 + h2 * w1;
  out[k + 4] = m * v1 - h2 * w0 + h0 * w2;
  out[k + 5] = m * v2 - h0 * w1 + h1 * w0;
}

/** a · b: the power of a force along a motion. */
export function dot6(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return (
    a[i] * b[j] +
    a[i + 1] * b[j + 1] +
    a[i + 2] * b[j + 2] +
    a[i + 3] * b[j + 3] +
    a[i + 4] * b[j + 4] +
    a[i + 5] * b[j + 5]
  );
}

/** out += s · a */
export function addScaled6(a: Float64Array, i: number, s: number, out: Float64Array, k: number): void {
  out[k] += s * a[i];
  out[k + 1] += s * a[i + 1];
  out[k + 2] += s * a[i + 2];
  out[k + 3] += s * a[i + 3];
  out[k + 4] += s * a[i + 4];
  out[k + 5] += s * a[i + 5];
}
