import type { TetMesh } from "../src/index";

/** A finger like the pneumatic networks of soft robots: a flat layer with hollow arches on its back, here solid. */
export interface FingerShape {
  /** arches in a row, from 1 */
  readonly arches: number;
  /** cells across, from 1 */
  readonly across: number;
  /** length, without the tip [m] */
  readonly length: number;
  /** [m] */
  readonly width: number;
  /** heights of the layer, and of the arches on it [m] */
  readonly thickness: number;
  readonly archHeight: number;
}

export interface Finger extends TetMesh {
  /** tetrahedra of the arches, which swell */
  readonly arched: Uint8Array;
  /** particles of the held end */
  readonly root: readonly number[];
}

/** Kuhn's six tetrahedra of a cube: paths from one corner to the opposite one, an axis at a time. */
const WAYS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/**
 * Tetrahedra of a finger along x from 0 on, its palm at y = 0 with the arches below, its width along z. Each arch is two cells
 * long and two high, with one cell between them; the tip is a wedge that ends in the palm.
 */
export function softFinger(shape: FingerShape): Finger {
  const { arches, across, length, width, thickness, archHeight } = shape;
  const along = 3 * arches - 1;
  const heights = [-thickness - archHeight, -thickness - archHeight / 2, -thickness, 0];
  const nodes = new Map<string, number>();
  const positions: number[] = [];
  const node = (i: number, j: number, k: number): number => {
    const key = `${i} ${j} ${k}`;
    const known = nodes.get(key);
    if (known !== undefined) return known;
    nodes.set(key, nodes.size);
    positions.push((length * i) / along, heights[j], width * (k / across - 0.5));
    return nodes.size - 1;
  };
  const tetrahedra: number[] = [];
  const arched: number[] = [];
  for (let i = 0; i <= along; i++)
    for (let k = 0; k < across; k++)
      for (let j = 0; j < 3; j++) {
        const isLayer = j === 2;
        const isTip = i === along;
        if (!isLayer && (isTip || i % 3 === 2)) continue;
        for (const way of WAYS) {
          // The half of a cube with y not below x.
          if (isTip && way.indexOf(0) < way.indexOf(1)) continue;
          const corner: [number, number, number] = [i, j, k];
          const corners = [node(...corner)];
          for (const axis of way) {
            corner[axis]++;
            corners.push(node(...corner));
          }
          const isEven = (way[1] - way[0] + 3) % 3 === 1;
          if (!isEven) [corners[2], corners[3]] = [corners[3], corners[2]];
          tetrahedra.push(...corners);
          arched.push(isLayer ? 0 : 1);
        }
      }
  const root = [...nodes].filter(([key]) => key.startsWith("0 ")).map(([, index]) => index);
  return {
    positions: Float64Array.from(positions),
    tetrahedra: Uint32Array.from(tetrahedra),
    arched: Uint8Array.from(arched),
    root,
  };
}
