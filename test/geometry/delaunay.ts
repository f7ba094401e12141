import type { RandomGeometry } from "../collision/random";

/** A flat mesh in the plane y = 0. */
export interface FlatMesh {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

/** Delaunay triangles of points in the plane, x and z each, by insertion (Bowyer 1981, Watson 1981), without flat ones at the hull. */
export function delaunay(points: readonly (readonly [number, number])[]): FlatMesh {
  const far = 1e3 * Math.max(...points.flat().map(Math.abs));
  // moved imperceptibly, so that no four are on a circle and no three on a line
  const moved = points.map(([x, z], p): [number, number] => [
    x + 1e-10 * far * Math.sin(12.9898 * p),
    z + 1e-10 * far * Math.sin(78.233 * p + 1),
  ]);
  const all = [...moved, [-far, -far], [far, -far], [0, far]] as const;
  const n = points.length;
  let triangles: [number, number, number][] = [[n, n + 1, n + 2]];
  const cross = (a: number, b: number, c: number): number =>
    (all[b][0] - all[a][0]) * (all[c][1] - all[a][1]) - (all[b][1] - all[a][1]) * (all[c][0] - all[a][0]);
  const isInCircle = ([a, b, c]: readonly number[], p: number): boolean => {
    const rows = [a, b, c].map((v) => {
      const [x, y] = [all[v][0] - all[p][0], all[v][1] - all[p][1]];
      return [x, y, x * x + y * y];
    });
    const [[ax, ay, aa], [bx, by, bb], [cx, cy, cc]] = rows;
    return ax * (by * cc - bb * cy) - ay * (bx * cc - bb * cx) + aa * (bx * cy - by * cx) > 0;
  };
  for (let p = 0; p < n; p++) {
    const bad = triangles.filter((triangle) => isInCircle(triangle, p));
    const sides = bad.flatMap(([a, b, c]) => [
      [a, b],
      [b, c],
      [c, a],
    ]);
    const rim = sides.filter(([a, b]) => !sides.some(([c, d]) => c === b && d === a));
    triangles = triangles.filter((triangle) => !bad.includes(triangle));
    for (const [a, b] of rim) triangles.push([a, b, p]);
  }
  const size = Math.max(...points.flat()) - Math.min(...points.flat());
  const kept = triangles.filter(([a, b, c]) => Math.max(a, b, c) < n && cross(a, b, c) > 1e-6 * size * size);
  return {
    positions: Float64Array.from(points.flatMap(([x, z]) => [x, 0, z])),
    // normals along +y
    indices: Uint32Array.from(kept.flatMap(([a, b, c]) => [a, c, b])),
  };
}

/** A rectangle of triangles. Corners of cells are moved at random, by a part of a cell; those at its sides move along them. */
export function jittered(
  [width, height]: readonly [number, number],
  [columns, rows]: readonly [number, number],
  amount: number,
  random: RandomGeometry,
  split: "alternating" | "one way" | "at random",
): FlatMesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= rows; j++)
    for (let i = 0; i <= columns; i++) {
      const [a, b] = [random.between(-amount, amount), random.between(-amount, amount)];
      const isInside = [i > 0 && i < columns, j > 0 && j < rows];
      positions.push(((i + (isInside[0] ? a : 0)) * width) / columns, 0, ((j + (isInside[1] ? b : 0)) * height) / rows);
    }
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const [a, b, c, d] = [0, 1, columns + 2, columns + 1].map((offset) => j * (columns + 1) + i + offset);
      const other = split === "alternating" ? (i + j) % 2 === 1 : split === "at random" && random.between(0, 1) < 0.5;
      indices.push(...(other ? [a, d, b, b, d, c] : [a, c, b, a, d, c]));
    }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Random points in a rectangle that keep a distance, with a row of them along its sides. */
export function scattered(
  [width, height]: readonly [number, number],
  spacing: number,
  random: RandomGeometry,
): [number, number][] {
  const points: [number, number][] = [];
  const [columns, rows] = [Math.round(width / spacing), Math.round(height / spacing)];
  for (let i = 0; i <= columns; i++) for (const z of [0, height]) points.push([(i * width) / columns, z]);
  for (let j = 1; j < rows; j++) for (const x of [0, width]) points.push([x, (j * height) / rows]);
  for (let miss = 0; miss < 400;) {
    const [x, z] = [random.between(0, width), random.between(0, height)];
    if (points.some(([a, b]) => Math.hypot(a - x, b - z) < 0.75 * spacing)) miss++;
    else points.push([x, z]);
  }
  return points;
}
