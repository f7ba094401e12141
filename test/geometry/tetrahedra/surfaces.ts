import { standingBunny } from "../../../samples/meshes";
import type { Quat, Vec3 } from "../../../src/math/types";

/** Triangles, counter-clockwise seen from outside. */
export interface Surface {
  positions: number[];
  indices: number[];
}

/** A surface from a grid of (u, v) in [0, 1]², closed around u, and around v or to poles at its ends. */
function revolved(nu: number, nv: number, closed: boolean, point: (u: number, v: number) => Vec3): Surface {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j < nv + 1; j++) for (let i = 0; i < nu; i++) positions.push(...point(i / nu, j / nv));
  const at = (i: number, j: number): number => (i % nu) + nu * (closed ? j % nv : j);
  for (let j = 0; j < nv; j++)
    for (let i = 0; i < nu; i++)
      indices.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
  return { positions, indices };
}

/** All vertices of a pole are at one place, as in render meshes: welding collapses triangles there. */
export function sphere(radius: number, n = 24): Surface {
  return revolved(2 * n, n, false, (u, v) => {
    const [a, b] = [2 * Math.PI * u, Math.PI * v];
    return [radius * Math.sin(b) * Math.cos(a), -radius * Math.cos(b), -radius * Math.sin(b) * Math.sin(a)];
  });
}

export function torus(major: number, minor: number, n = 40): Surface {
  return revolved(n, Math.round(n / 2), true, (u, v) => {
    const [a, b] = [2 * Math.PI * u, 2 * Math.PI * v];
    const r = major + minor * Math.cos(b);
    return [r * Math.cos(a), minor * Math.sin(b), -r * Math.sin(a)];
  });
}

const CUBE = [
  0, 1, 3, 0, 3, 2, 4, 7, 5, 4, 6, 7, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3,
];

/** Corners are numbered by the bits x, y, z. */
export function box([x, y, z]: Vec3, center: Vec3 = [0, 0, 0]): Surface {
  const positions = Array.from({ length: 8 }, (_, i) => [
    center[0] + (i & 1 ? x : -x) / 2,
    center[1] + (i & 2 ? y : -y) / 2,
    center[2] + (i & 4 ? z : -z) / 2,
  ]).flat();
  // The table winds them clockwise.
  const indices = [...CUBE];
  for (let f = 0; f < indices.length; f += 3) [indices[f + 1], indices[f + 2]] = [indices[f + 2], indices[f + 1]];
  return { positions, indices };
}

/** A square frame: a box of side 3 a and height a with a square tunnel of side a through it. */
export function frame(a: number): Surface {
  const ring = (half: number, y: number): number[] =>
    [-1, 1, 1, -1].flatMap((s, i) => [half * s, y, half * [-1, -1, 1, 1][i]]);
  const positions = [...ring(1.5 * a, -a / 2), ...ring(1.5 * a, a / 2), ...ring(a / 2, -a / 2), ...ring(a / 2, a / 2)];
  const indices: number[] = [];
  const quad = (p: number, q: number, r: number, s: number): void => void indices.push(p, q, r, p, r, s);
  for (let i = 0; i < 4; i++) {
    const j = (i + 1) % 4;
    quad(i, 4 + i, 4 + j, j);
    quad(8 + i, 8 + j, 12 + j, 12 + i);
    quad(4 + i, 12 + i, 12 + j, 4 + j);
    quad(i, j, 8 + j, 8 + i);
  }
  return { positions, indices };
}

export function bunny(height: number): Surface {
  const { positions, indices } = standingBunny(height);
  return { positions: [...positions], indices: [...indices] };
}

/** Several surfaces as one mesh. */
export function together(...surfaces: Surface[]): Surface {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const surface of surfaces) {
    const first = positions.length / 3;
    positions.push(...surface.positions);
    indices.push(...surface.indices.map((i) => i + first));
  }
  return { positions, indices };
}

export function inverted({ positions, indices }: Surface): Surface {
  const turned = [...indices];
  for (let f = 0; f < turned.length; f += 3) [turned[f + 1], turned[f + 2]] = [turned[f + 2], turned[f + 1]];
  return { positions, indices: turned };
}

export function moved({ positions, indices }: Surface, [x, y, z, w]: Quat, shift: Vec3): Surface {
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
  const out = [...positions];
  for (let i = 0; i < out.length; i += 3)
    rows.forEach((row, c) => (out[i + c] = row.reduce((sum, r, k) => sum + r * positions[i + k], shift[c])));
  return { positions: out, indices };
}

/** Enclosed volume, negative if triangles are clockwise [m³]. */
export function volumeOf({
  positions: x,
  indices,
}: {
  positions: ArrayLike<number>;
  indices: ArrayLike<number>;
}): number {
  let sum = 0;
  for (let f = 0; f < indices.length; f += 3) {
    const [a, b, c] = [3 * indices[f], 3 * indices[f + 1], 3 * indices[f + 2]];
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      sum += (x[a + k] * (x[b + i] * x[c + j] - x[b + j] * x[c + i])) / 6;
    }
  }
  return sum;
}
