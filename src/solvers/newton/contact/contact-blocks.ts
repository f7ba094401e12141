/**
 * What small steps know of an island, in one stretch of memory, so that the sweeps over it can be TypeScript or WebAssembly.
 * Places in it are bytes. assembly/contact-sweeps.ts has the same numbers.
 *
 * Bodies have two records each, the second one `delta` bytes behind the first: u 0, 1/m 6, I⁻¹ 7; d 0, u⁻ 6. The first body
 * is one that nothing touches, for contacts that are not there.
 *
 * Contacts lie in blocks of two that share no body that moves: number i of the first at 16 i, of the second at 16 i + 8. Basis
 * n, t₁, t₂ 0, arms 9, 1/Kₙₙ 15, Kₙ₁ 16, Kₙ₂ 17, 1/max(K₁₁, K₂₂) 18, C⁰/h 19, µ 20, p 21, [Cₙ/h]⁺ 24; then the places of
 * bodies A of both and of bodies B, 4 bytes each.
 */

/** Bytes of either record of a body: two lines of a cache. */
export const BODY_BYTES = 128;
/** Bytes of two contacts. */
export const BLOCK_BYTES = 416;
/** Numbers of a contact. */
export const CONTACT_NUMBERS = 25;
/** Bytes of a block before the places of bodies. */
export const PLACES_AT = 400;

/** Sweeps over the contacts of an island, in memory of their own. */
export interface ContactSweeps {
  /** the memory; other arrays after `reserve` */
  readonly numbers: Float64Array;
  readonly places: Uint32Array;
  /** Makes the memory at least as large as this; what is in it may be lost. */
  reserve(bytes: number): void;
  /** Writes what follows from basis, arms and bodies for blocks from `first` up to `end`: mobilities, and [Cₙ/h]⁺. */
  prepare(first: number, end: number): void;
  /**
   * Another small step begins. Forces and the impulses of all contacts and joints, as they are after the last step, are what
   * changed velocities in it, and J is the same: together they do so once more, u += u − u⁻.
   */
  goOn(first: number, end: number, delta: number): void;
  /** d += u */
  advance(first: number, end: number, delta: number): void;
  /** u += M⁻¹ Jᵀ p for blocks from `first` up to `end`. */
  start(first: number, end: number): void;
  /** A sweep of projected Gauss-Seidel over the velocities of the contacts: every `stride` bytes from `first` on, up to `end`. */
  sweep(first: number, end: number, stride: number): void;
  /**
   * Gaps of the contacts where bodies are now. A part of each overlap is taken back, contact by contact, by moving the bodies:
   * what they move for is no velocity. What else is open may close in the next small step; corrections of contacts that come
   * later are in the gaps of the step after it.
   *
   * @param share part of an overlap
   * @param allowed overlap that may stay, over h [m/s]
   * @param most most of an overlap that is taken back, over h [m/s]
   */
  separate(first: number, end: number, delta: number, share: number, allowed: number, most: number): void;
}
