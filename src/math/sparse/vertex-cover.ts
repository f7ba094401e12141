/**
 * Smallest vertex cover of a bipartite graph: as many vertices as a largest matching has edges (König). For the edges
 * between two halves of a graph, it is the smallest set of vertices that separates the halves.
 *
 * @param left vertices of the one side
 * @param rightOf returns the neighbors of a left vertex on the other side
 * @returns the cover
 */
export function smallestCover(left: readonly number[], rightOf: (vertex: number) => readonly number[]): number[] {
  const neighbours = left.map(rightOf);
  /** matched partner: place in `left` of each right vertex, and right vertex of each place */
  const matchOfRight = new Map<number, number>();
  const matchOfLeft = new Array<number>(left.length).fill(-1);
  for (let i = 0; i < left.length; i++) augment(i);

  // Vertices that alternating paths from unmatched left vertices reach. The cover has the unreached left vertices and
  // the reached right vertices.
  const reachedLeft = new Uint8Array(left.length);
  const reachedRight = new Set<number>();
  const stack: number[] = [];
  for (let i = 0; i < left.length; i++) if (matchOfLeft[i] < 0) reach(i);
  while (stack.length > 0) {
    const i = stack.pop()!;
    for (const right of neighbours[i]) {
      if (reachedRight.has(right)) continue;
      reachedRight.add(right);
      const partner = matchOfRight.get(right);
      if (partner !== undefined) reach(partner);
    }
  }
  return [...left.filter((_, i) => reachedLeft[i] === 0), ...reachedRight];

  function reach(i: number): void {
    if (reachedLeft[i] === 1) return;
    reachedLeft[i] = 1;
    stack.push(i);
  }

  /** Breadth-first search for a path from left vertex i along which one more edge can be matched. */
  function augment(start: number): void {
    const from = new Map<number, number>();
    const queue = [start];
    for (const i of queue)
      for (const right of neighbours[i]) {
        if (from.has(right)) continue;
        from.set(right, i);
        const partner = matchOfRight.get(right);
        if (partner !== undefined) {
          queue.push(partner);
          continue;
        }
        for (let end = right; ;) {
          const at = from.get(end)!;
          const previous = matchOfLeft[at];
          matchOfLeft[at] = end;
          matchOfRight.set(end, at);
          if (at === start) return;
          end = previous;
        }
      }
  }
}
