/** (Δt/Δt⁻)² × share, for a share of `GpbdOptions.warmStart`; 0 without a last time step. */
export function warmShare(share: number, h: number, lastH: number): number {
  return lastH > 0 ? share * (h / lastH) ** 2 : 0;
}
