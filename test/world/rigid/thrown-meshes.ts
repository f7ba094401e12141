import { ballMesh } from "../../collision/samples";

/** Triangles of a closed surface, counter-clockwise seen from outside. */
export interface Mesh {
  readonly positions: readonly number[];
  readonly indices: readonly number[];
}

export const scaled = ({ positions, indices }: Mesh, size: number): Mesh => ({
  positions: positions.map((x) => size * x),
  indices,
});

/** Blocks of whole cells; faces between two of them are left out. */
function blocks(cells: readonly (readonly [number, number, number])[], cell: number, middle: readonly number[]): Mesh {
  const has = (x: number, y: number, z: number): boolean => cells.some(([i, j, k]) => i === x && j === y && k === z);
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [x, y, z] of cells)
    for (let axis = 0; axis < 3; axis++)
      for (const sign of [-1, 1]) {
        const step = [0, 1, 2].map((k) => (k === axis ? sign : 0));
        if (has(x + step[0], y + step[1], z + step[2])) continue;
        const at = positions.length / 3;
        const u = (axis + 1) % 3;
        for (const [a, b] of [
          [-1, -1],
          [1, -1],
          [1, 1],
          [-1, 1],
        ]) {
          const corner = [x, y, z].map((c, k) => c - middle[k] + (k === axis ? sign : k === u ? a : b) / 2);
          positions.push(...corner.map((c) => cell * c));
        }
        const turn = sign > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
        indices.push(...turn.map((i) => at + i));
      }
  return { positions, indices };
}

function full(n: number): [number, number, number][] {
  return Array.from({ length: n * n * n }, (_, i) => [i % n, Math.floor(i / n) % n, Math.floor(i / (n * n))]);
}

/** A ring around y. */
export function torus(radius: number, tube: number, around: number, across: number): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < around; i++)
    for (let j = 0; j < across; j++) {
      const [a, b] = [(2 * Math.PI * i) / around, (2 * Math.PI * j) / across];
      const r = radius + tube * Math.cos(b);
      positions.push(r * Math.cos(a), tube * Math.sin(b), r * Math.sin(a));
      const [p, q] = [((i + 1) % around) * across, (j + 1) % across];
      indices.push(i * across + j, i * across + q, p + j, p + j, i * across + q, p + q);
    }
  return { positions, indices };
}

/** A ball with two long ears and waves all over. */
function hare(): Mesh {
  const { positions, indices } = ballMesh(1, 3);
  const out: number[] = [];
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = positions.slice(i, i + 3);
    const ear = (side: number): number => Math.exp(-12 * ((x - side * 0.4) ** 2 + (y - 0.9) ** 2 + z ** 2));
    const r = 0.4 + 0.02 * Math.sin(7 * x) * Math.cos(6 * z + y) + 0.35 * (ear(1) + ear(-1));
    out.push(r * x, r * y, 0.8 * r * z);
  }
  return { positions: out, indices };
}

/** Meshes about 1 m large. */
export const MESHES: Readonly<Record<string, Mesh>> = {
  cube: blocks(full(1), 1, [0, 0, 0]),
  "fine cube": blocks(full(4), 0.25, [1.5, 1.5, 1.5]),
  torus: torus(0.4, 0.15, 20, 10),
  hare: hare(),
  corner: blocks(
    [
      [0, 0, 0],
      [1, 0, 0],
      [2, 0, 0],
      [0, 1, 0],
      [0, 2, 0],
      [0, 0, 1],
    ],
    0.35,
    [0.7, 0.7, 0.3],
  ),
  arch: blocks(
    [
      [0, 0, 0],
      [0, 1, 0],
      [1, 1, 0],
      [2, 1, 0],
      [2, 0, 0],
    ],
    0.35,
    [1, 0.6, 0],
  ),
  ball: ballMesh(0.5, 3),
};
