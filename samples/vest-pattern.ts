import type { ClothMesh } from "./cloth";

/**
 * A sleeveless vest: a front and a back panel, sewn together at the sides and the shoulders, around a figure that stands upright.
 * Sewn means that the panels share their vertices there.
 *
 * Glossary: s arc length across a panel from its middle, m; h height on it: 0 at the armpits, 1 on the shoulders, negative below.
 */

/** Heights of hem, armpits and the inner end of the shoulder seam, m. */
const HEM = 1;
const ARMPIT = 1.3;
const TOP = 1.499;
/** Descent of the shoulders per meter outward. */
const SLOPE = 0.21;
/** Approximate length of a panel from the armpits to the shoulder seam, m. */
const RISE = 1.15 * (TOP - ARMPIT);
/** Cross-section: two half circles, and straight pieces between them of this half length, m. */
const STRAIGHT = 0.066;
const ROUND = 0.1015;
/** Arc length from the middle of a panel to its side seam. */
const SIDE = STRAIGHT + (Math.PI / 2) * ROUND;
/** x of the inner and the outer end of the shoulder seam, m. */
const NECK = 0.066;
const SHOULDER = 0.152;
/** From this h on the shoulders carry the vest: about four centimeters from their seams. */
const YOKE = 0.8;
/** From this h on the back is open at the neck; the front is from the armpits on. */
const BACK_NECK = 0.55;

export interface Vest {
  readonly mesh: ClothMesh;
  /** factors that turn the mesh's texture coordinates into meters */
  readonly size: readonly [number, number];
  /** vertices of the shoulders: the seams and their surroundings */
  readonly shoulders: readonly number[];
}

/**
 * Cut from squares: vertices near an edge are moved onto it, and half squares fill the steps between rows.
 *
 * @param columns squares across a panel at the hem, even
 */
export function vestMesh(columns: number): Vest {
  const square = (2 * SIDE) / columns;
  const below = Math.max(2, Math.round((ARMPIT - HEM) / square));
  const above = Math.max(4, Math.round(RISE / square));
  const half = columns / 2;
  const positions: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  const shoulders = new Set<number>();
  const known = new Map<string, number>();
  const heightOf = (row: number): number => (row <= below ? (row - below) / below : (row - below) / above);

  /** Vertex of a panel (1 front, −1 back), a side (−1 right, 1 left), a column from the middle outward and a row from the hem. */
  const vertexAt = (panel: 1 | -1, side: 1 | -1, column: number, row: number): number | undefined => {
    const h = heightOf(row);
    const [inner, outer] = edgesAt(panel, h);
    const s = inner + (column / half) * (outer - inner);
    const isSeam = (row <= below && column === half) || row === below + above;
    const key = [isSeam ? 0 : panel, s === 0 ? 0 : side, column, row].join();
    const before = known.get(key);
    if (before !== undefined) return before;
    const vertex = positions.length / 3;
    known.set(key, vertex);
    positions.push(...placeOf(panel, side * s, h));
    uvs.push(ARMPIT - HEM + h * (h <= 0 ? ARMPIT - HEM : RISE), side * s + SIDE);
    if (h >= YOKE) shoulders.add(vertex);
    return vertex;
  };

  for (const panel of [1, -1] as const)
    for (const side of [1, -1] as const)
      for (let row = 0; row < below + above; row++)
        for (let column = 0; column < half; column++) {
          const [a, b] = [vertexAt(panel, side, column, row), vertexAt(panel, side, column + 1, row)];
          const [c, d] = [vertexAt(panel, side, column, row + 1), vertexAt(panel, side, column + 1, row + 1)];
          const isWhole = ![a, b, c, d].includes(undefined);
          const halves =
            isWhole && (column + row) % 2 === 0
              ? [
                  [a, b, d],
                  [a, d, c],
                ]
              : [
                  [a, b, c],
                  [b, d, c],
                ];
          for (const triangle of isWhole ? halves : [[a, b, d, c].filter((corner) => corner !== undefined)]) {
            if (triangle.length < 3) continue;
            const [first, second, third] = triangle as [number, number, number];
            // seen from outside in the left-handed scenes of Babylon
            indices.push(...(panel * side < 0 ? [first, second, third] : [first, third, second]));
          }
        }
  return {
    mesh: {
      positions: Float64Array.from(positions),
      indices: Uint32Array.from(indices),
      uvs: Float64Array.from(uvs, (value) => value / SIZE),
    },
    size: [SIZE, SIZE],
    shoulders: [...shoulders],
  };
}

/** All texture coordinates are below this, m. */
const SIZE = 1;

/** s of the inner edge of a panel's half, 0 if the panel is closed, and of the outer edge. */
function edgesAt(panel: 1 | -1, h: number): [inner: number, outer: number] {
  if (h <= 0) return [0, SIDE];
  const open = panel === 1 ? 0 : BACK_NECK;
  const inner = NECK * Math.max(0, (h - open) / (1 - open)) ** (panel === 1 ? 1 : 0.5);
  return [inner, SHOULDER + (SIDE - SHOULDER) * (1 - h) ** 2];
}

function placeOf(panel: 1 | -1, s: number, h: number): [number, number, number] {
  const beyond = Math.max(0, Math.abs(s) - STRAIGHT);
  const x = Math.sign(s) * (Math.abs(s) - beyond + ROUND * Math.sin(beyond / ROUND));
  const depth = ROUND * Math.cos(beyond / ROUND);
  if (h <= 0) return [x, ARMPIT + h * (ARMPIT - HEM), panel * depth];
  const angle = (Math.PI / 2) * h;
  const top = TOP - SLOPE * Math.max(0, Math.abs(x) - 0.03);
  return [x, ARMPIT + (top - ARMPIT) * Math.sin(angle), panel * depth * (h === 1 ? 0 : Math.cos(angle) ** 0.7)];
}
