/** Keys of what has to go, least recently used first, for the rest to be within the limit. */
export function surplus(
  entries: readonly { readonly key: string; readonly size: number; readonly used: number }[],
  limit: number,
): string[] {
  let total = entries.reduce((sum, { size }) => sum + size, 0);
  const gone: string[] = [];
  for (const { key, size } of [...entries].sort((a, b) => a.used - b.used)) {
    if (total <= limit) break;
    gone.push(key);
    total -= size;
  }
  return gone;
}
