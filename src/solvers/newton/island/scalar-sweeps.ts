/**
 * Sweeps in TypeScript, one contact at a time, with the same bits as assembly/contact-sweeps.ts, which handles two at a
 * time. They are used without WebAssembly SIMD: in old browsers, and on pages that forbid compilation of WebAssembly.
 *
 * n, t₁, t₂  basis of the contact
 * r          arms
 * K          J M⁻¹ Jᵀ of the contact by itself, in its basis
 * C⁰         gap at the start of the frame
 * u          velocities
 * d          displacement since then, divided by the length h of a small step: C/h = C⁰/h + Jₙ d
 * p          impulses of the small step
 */

import { BLOCK_BYTES, BODY_BYTES, type ContactSweeps, PLACES_AT } from "../contact/contact-blocks";

export class ScalarSweeps implements ContactSweeps {
  numbers = new Float64Array(0);
  places = new Uint32Array(0);

  reserve(bytes: number): void {
    if (this.numbers.length * 8 >= bytes) return;
    const buffer = new ArrayBuffer(2 * 8 * Math.ceil(bytes / 8));
    this.numbers = new Float64Array(buffer);
    this.places = new Uint32Array(buffer);
  }

  prepare(first: number, end: number): void {
    const { numbers: g } = this;
    for (let block = first; block !== end; block += BLOCK_BYTES)
      for (let lane = 0; lane < 2; lane++) {
        const c = (block >> 3) + lane;
        const a = this.bodyOf(block, lane);
        const b = this.bodyOf(block, 2 + lane);
        mobility.fill(g[a + 6] + g[b + 6], 0, 3);
        mobility.fill(0, 3);
        addMobility(g, c, a, c + 18);
        addMobility(g, c, b, c + 24);
        g[c + 30] = 1 / mobility[0];
        g[c + 32] = mobility[3];
        g[c + 34] = mobility[4];
        g[c + 36] = 1 / Math.max(mobility[1], mobility[2]);
        g[c + 48] = g[c + 38] > 0 ? g[c + 38] : 0;
      }
  }

  goOn(first: number, end: number, delta: number): void {
    const w = this.numbers;
    for (let k = first; k !== end; k += BODY_BYTES)
      for (let i = k >> 3; i < (k >> 3) + 6; i++) {
        const last = i + (delta >> 3) + 6;
        const u = w[i];
        w[i] += u - w[last];
        w[last] = u;
      }
  }

  advance(first: number, end: number, delta: number): void {
    const w = this.numbers;
    for (let k = first; k !== end; k += BODY_BYTES)
      for (let i = k >> 3; i < (k >> 3) + 6; i++) w[i + (delta >> 3)] += w[i];
  }

  start(first: number, end: number): void {
    const { numbers: g } = this;
    for (let block = first; block !== end; block += BLOCK_BYTES)
      for (let lane = 0; lane < 2; lane++) {
        const c = (block >> 3) + lane;
        const p = g[c + 42];
        const p1 = g[c + 44];
        const p2 = g[c + 46];
        const fx = p * g[c] + p1 * g[c + 6] + p2 * g[c + 12];
        const fy = p * g[c + 2] + p1 * g[c + 8] + p2 * g[c + 14];
        const fz = p * g[c + 4] + p1 * g[c + 10] + p2 * g[c + 16];
        push(g, this.bodyOf(block, lane), 0, c + 18, -fx, -fy, -fz);
        push(g, this.bodyOf(block, 2 + lane), 0, c + 24, fx, fy, fz);
      }
  }

  sweep(first: number, end: number, stride: number): void {
    const { numbers: g } = this;
    for (let block = first; block !== end; block += stride)
      for (let lane = 0; lane < 2; lane++) {
        const c = (block >> 3) + lane;
        const a = this.bodyOf(block, lane);
        const b = this.bodyOf(block, 2 + lane);
        const rax = g[c + 18];
        const ray = g[c + 20];
        const raz = g[c + 22];
        const rbx = g[c + 24];
        const rby = g[c + 26];
        const rbz = g[c + 28];
        const x = g[b] - g[a] + (g[b + 4] * rbz - g[b + 5] * rby) - (g[a + 4] * raz - g[a + 5] * ray);
        const y = g[b + 1] - g[a + 1] + (g[b + 5] * rbx - g[b + 3] * rbz) - (g[a + 5] * rax - g[a + 3] * raz);
        const z = g[b + 2] - g[a + 2] + (g[b + 3] * rby - g[b + 4] * rbx) - (g[a + 3] * ray - g[a + 4] * rax);
        const p = g[c + 42];
        const p1 = g[c + 44];
        const p2 = g[c + 46];
        const free = p - (g[c + 48] + g[c] * x + g[c + 2] * y + g[c + 4] * z) * g[c + 30];
        const normal = free > 0 ? free : 0;
        const limit = g[c + 40] * normal;
        const change = normal - p;
        const m = g[c + 36];
        let q1 = p1 - (g[c + 6] * x + g[c + 8] * y + g[c + 10] * z + g[c + 32] * change) * m;
        let q2 = p2 - (g[c + 12] * x + g[c + 14] * y + g[c + 16] * z + g[c + 34] * change) * m;
        const squared = q1 * q1 + q2 * q2;
        if (squared > limit * limit) {
          const scale = limit / Math.sqrt(squared);
          q1 *= scale;
          q2 *= scale;
        }
        g[c + 42] = normal;
        g[c + 44] = q1;
        g[c + 46] = q2;
        const c1 = q1 - p1;
        const c2 = q2 - p2;
        const fx = change * g[c] + c1 * g[c + 6] + c2 * g[c + 12];
        const fy = change * g[c + 2] + c1 * g[c + 8] + c2 * g[c + 14];
        const fz = change * g[c + 4] + c1 * g[c + 10] + c2 * g[c + 16];
        push(g, a, 0, c + 18, -fx, -fy, -fz);
        push(g, b, 0, c + 24, fx, fy, fz);
      }
  }

  separate(first: number, end: number, delta: number, share: number, allowed: number, most: number): void {
    const { numbers: g } = this;
    const to = delta >> 3;
    for (let block = first; block !== end; block += BLOCK_BYTES)
      for (let lane = 0; lane < 2; lane++) {
        const c = (block >> 3) + lane;
        const atA = this.bodyOf(block, lane);
        const atB = this.bodyOf(block, 2 + lane);
        const a = atA + to;
        const b = atB + to;
        const rax = g[c + 18];
        const ray = g[c + 20];
        const raz = g[c + 22];
        const rbx = g[c + 24];
        const rby = g[c + 26];
        const rbz = g[c + 28];
        const x = g[b] - g[a] + (g[b + 4] * rbz - g[b + 5] * rby) - (g[a + 4] * raz - g[a + 5] * ray);
        const y = g[b + 1] - g[a + 1] + (g[b + 5] * rbx - g[b + 3] * rbz) - (g[a + 5] * rax - g[a + 3] * raz);
        const z = g[b + 2] - g[a + 2] + (g[b + 3] * rby - g[b + 4] * rbx) - (g[a + 3] * ray - g[a + 4] * rax);
        const gap = g[c + 38] + g[c] * x + g[c + 2] * y + g[c + 4] * z;
        g[c + 48] = gap > 0 ? gap : 0;
        if (!(gap < -allowed)) continue;
        const way = -share * (gap + allowed);
        const size = (way < most ? way : most) * g[c + 30];
        const fx = size * g[c];
        const fy = size * g[c + 2];
        const fz = size * g[c + 4];
        push(g, atA, to, c + 18, -fx, -fy, -fz);
        push(g, atB, to, c + 24, fx, fy, fz);
      }
  }

  /** Place of a body of a block: A of both contacts, then B of both. */
  private bodyOf(block: number, which: number): number {
    return this.places[((block + PLACES_AT) >> 2) + which] >> 3;
  }
}

/** Kₙₙ, K₁₁, K₂₂, Kₙ₁, Kₙ₂ */
const mobility = new Float64Array(5);

/** Adds a body's part of K: (r × d) · I⁻¹ (r × e) for directions d, e of the basis; only rotations couple n and t. */
function addMobility(g: Float64Array, c: number, body: number, arm: number): void {
  const rx = g[arm];
  const ry = g[arm + 2];
  const rz = g[arm + 4];
  let nx = 0;
  let ny = 0;
  let nz = 0;
  for (let d = 0; d < 3; d++) {
    const t = c + 6 * d;
    const x = ry * g[t + 4] - rz * g[t + 2];
    const y = rz * g[t] - rx * g[t + 4];
    const z = rx * g[t + 2] - ry * g[t];
    const ox = g[body + 7] * x + g[body + 8] * y + g[body + 9] * z;
    const oy = g[body + 8] * x + g[body + 10] * y + g[body + 11] * z;
    const oz = g[body + 9] * x + g[body + 11] * y + g[body + 12] * z;
    mobility[d] += x * ox + y * oy + z * oz;
    if (d > 0) mobility[2 + d] += nx * x + ny * y + nz * z;
    else {
      nx = ox;
      ny = oy;
      nz = oz;
    }
  }
}

/** u += M⁻¹ (f, r × f), or d if `to` is its record's offset from that of u. Numbers of the arm are two apart. */
function push(g: Float64Array, body: number, to: number, arm: number, fx: number, fy: number, fz: number): void {
  const at = body + to;
  const m = g[body + 6];
  const x = g[arm + 2] * fz - g[arm + 4] * fy;
  const y = g[arm + 4] * fx - g[arm] * fz;
  const z = g[arm] * fy - g[arm + 2] * fx;
  g[at] += m * fx;
  g[at + 1] += m * fy;
  g[at + 2] += m * fz;
  g[at + 3] += g[body + 7] * x + g[body + 8] * y + g[body + 9] * z;
  g[at + 4] += g[body + 8] * x + g[body + 10] * y + g[body + 11] * z;
  g[at + 5] += g[body + 9] * x + g[body + 11] * y + g[body + 12] * z;
}
