/**
 * Coordinates of linkages in sparse factors of 6 × 6 blocks: a linkage has a vertex for six of its coordinates, the last
 * one filled up. Vertices of a linkage are neighbors if M couples their coordinates: branches of a tree are coupled
 * through its root alone.
 */

import type { BlockLu } from "../../../math/sparse/block-lu";
import { N } from "../../../math/sparse/block-factor";
import type { Linkage } from "./linkage";

export class LinkageVertices {
  /** first vertex of each linkage, and start of its coordinates in vectors of N numbers a vertex */
  readonly first: number[] = [];
  readonly starts: number[] = [];
  /** number of the vertex after the last one */
  end = 0;
  private begin = 0;
  private list: readonly Linkage[] = [];
  /** three an edge: linkage, and two of its blocks of coordinates, the smaller one first; equal ones are left out */
  private readonly edges: number[] = [];

  /** Numbers the vertices from `begin` on. @returns number of the vertex after the last one */
  number(list: readonly Linkage[], begin: number): number {
    this.list = list;
    this.begin = this.end = begin;
    this.first.length = this.starts.length = this.edges.length = 0;
    list.forEach(({ size, mass, isFrozen }, i) => {
      this.first.push(this.end);
      this.starts.push(N * this.end);
      const blocks = Math.ceil(size / N);
      this.end += blocks;
      if (isFrozen) return;
      for (let b = 1; b < blocks; b++)
        for (let a = 0; a < b; a++) if (!isZero(mass, size, b, a)) this.edges.push(i, a, b);
    });
    return this.end;
  }

  has(vertex: number): boolean {
    return vertex >= this.begin && vertex < this.end;
  }

  addEdges(add: (a: number, b: number) => void): void {
    const { edges, first } = this;
    for (let e = 0; e < edges.length; e += 3) add(first[edges[e]] + edges[e + 1], first[edges[e]] + edges[e + 2]);
  }

  /** Writes M to the factors. */
  addInertia(lu: BlockLu): void {
    const { list, first, edges } = this;
    list.forEach((linkage, i) => {
      for (let b = 0; N * b < linkage.size; b++) write(lu, linkage, first[i], b, b);
    });
    for (let e = 0; e < edges.length; e += 3) {
      const [i, a, b] = [edges[e], edges[e + 1], edges[e + 2]];
      write(lu, list[i], first[i], a, b);
      write(lu, list[i], first[i], b, a);
    }
  }

  /** y = M⁻¹ f */
  respond(f: Float64Array, y: Float64Array): void {
    this.list.forEach((linkage, i) => {
      const [from, to] = [this.starts[i], this.starts[i] + linkage.size];
      y.set(f.subarray(from, to), from);
      linkage.respond(y.subarray(from, to));
    });
  }
}

/** Whether block (b, a) of M is zero. */
function isZero(mass: Float64Array, size: number, b: number, a: number): boolean {
  for (let row = N * b; row < Math.min(size, N * b + N); row++)
    for (let k = N * a; k < N * a + N; k++) if (mass[row * size + k] !== 0) return false;
  return true;
}

/** Writes the block of M with rows of block a of the coordinates and columns of b; rows past the last one are those of 1. */
function write(lu: BlockLu, { size, mass, isFrozen }: Linkage, first: number, a: number, b: number): void {
  const at = lu.block(first + a, first + b);
  // Blocks of Uᵀ are transposed, as M is: its two blocks are equal.
  const [r, c] = lu.isLater(first + a, first + b) ? [a, b] : [b, a];
  for (let i = 0; i < N; i++)
    for (let k = 0; k < N; k++) {
      const [row, column] = [N * r + i, N * c + k];
      const isThere = row < size && column < size && !isFrozen;
      lu.values[at + N * i + k] = isThere ? mass[row * size + column] : row === column ? 1 : 0;
    }
}
