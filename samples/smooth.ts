/** 0 before, 1 after, smooth in between. */
export function part(time: number, from: number, to: number): number {
  const s = Math.min(1, Math.max(0, (time - from) / (to - from)));
  return s * s * (3 - 2 * s);
}
