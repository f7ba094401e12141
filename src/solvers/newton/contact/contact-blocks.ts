/**
 * Data of an island for small steps in one block of memory, so that sweeps can run in TypeScript or WebAssembly.
 * Offsets are in bytes. assembly/contact-sweeps.ts uses the same numbers.
 *
 * Bodies have two records each, the second one `delta` bytes after the first: u 0, 1/m 6, I⁻¹ 7; d 0, u⁻ 6. The first
 * body is a dummy, for unused contacts.
 *
 * Contacts are stored in blocks of two that share no moving body: number i of the first at 16 i, of the second at 16 i
 * + 8. Basis n, t₁, t₂ 0, arms 9, 1/Kₙₙ 15, Kₙ₁ 16, Kₙ₂ 17, 1/max(K₁₁, K₂₂) 18, C⁰/h 19, µ 20, p 21, [Cₙ/h]⁺ 24; then
 * the offsets of bodies A of both contacts and of bodies B, 4 bytes each.
 */

/** Bytes of each of a body's two records: two cache lines. */
export const BODY_BYTES = 128;
/** Bytes of two contacts. */
export const BLOCK_BYTES = 416;
/** Numbers of a contact. */
export const CONTACT_NUMBERS = 25;
/** Bytes of a block before the offsets of bodies. */
export const PLACES_AT = 400;

/** Sweeps over the contacts of an island, in their own memory. */
export interface ContactSweeps {
  /** the memory; `reserve` may replace the arrays */
  numbers: Float64Array;
  places: Uint32Array;
  /** Makes the memory at least as large as this; its contents may be lost. */
  reserve(bytes: number): void;
  /** Computes mobilities and [Cₙ/h]⁺ from basis, arms and bodies, for blocks from `first` up to `end`. */
  prepare(first: number, end: number): void;
  /**
   * Begins another small step. The change of velocities in the last step came from forces and from the final impulses
   * of all contacts and joints. J has not changed, so together they cause the same change again: u += u − u⁻.
   */
  goOn(first: number, end: number, delta: number): void;
  /** d += u */
  advance(first: number, end: number, delta: number): void;
  /** u += M⁻¹ Jᵀ p for blocks from `first` up to `end`. */
  start(first: number, end: number): void;
  /** A sweep of projected Gauss-Seidel over the velocities of the contacts: every `stride` bytes from `first` on, up to `end`. */
  sweep(first: number, end: number, stride: number): void;
  /**
   * Computes gaps of the contacts for current positions. A part of each overlap is removed, contact by contact, by
   * moving the bodies without changing velocities. The remaining gaps may close in the next small step; corrections by
   * later contacts enter the gaps one step later.
   *
   * @param share part of an overlap that is removed
   * @param allowed allowed overlap divided by h [m/s]
   * @param most largest removed overlap divided by h [m/s]
   */
  separate(first: number, end: number, delta: number, share: number, allowed: number, most: number): void;
}
