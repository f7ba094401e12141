import { resamplePath } from "../src/geometry/resample-path";

/** Knots in ropes: laying one, testing whether it is still there, and detecting strands that have gone through others. */

/**
 * An overhand knot before it is pulled tight: a trefoil, cut open at its outermost point, with straight ends along the x axis.
 *
 * @param size a third of the outer radius of the trefoil [m]
 * @param tail length of each end [m]
 * @param spacing length of an edge [m]
 * @param clearance distance of the two ends from each other as they pass [m]
 * @returns points, n × 3 [m]; the ends lie at y = 0
 */
export function overhandKnot(size: number, tail: number, spacing: number, clearance: number): Float64Array {
  const fine: number[] = [];
  const push = (x: number, y: number, z: number): unknown => fine.push(x, y, z);
  const steps = 2000;
  for (let i = 0; i < steps; i++) push(tail * (i / steps - 1), 0, 0.5 * clearance);
  for (let i = 0; i <= steps; i++) {
    const t = Math.PI + (2 * Math.PI * i) / steps;
    const [x, y, z] = [Math.sin(t) + 2 * Math.sin(2 * t), 3 + Math.cos(t) - 2 * Math.cos(2 * t), -Math.sin(3 * t)];
    push(size * x, size * y, size * z + 0.5 * clearance * (1 - (2 * i) / steps));
  }
  for (let i = 1; i <= steps; i++) push((tail * i) / steps, 0, -0.5 * clearance);
  let length = 0;
  for (let i = 3; i < fine.length; i += 3)
    length += Math.hypot(fine[i] - fine[i - 3], fine[i + 1] - fine[i - 2], fine[i + 2] - fine[i - 1]);
  return resamplePath(fine, Math.round(length / spacing));
}

/** A crossing of two edges, seen along an axis. */
interface Crossing {
  /** place along the rope, in edges, of the strands below and above */
  readonly under: number;
  readonly over: number;
}

/**
 * Determinant of the knot in a rope whose ends are extended to infinity: 1 without a knot, 3 for an overhand knot, 5 for a figure of eight.
 * It is computed from the arcs of a projection along a generic direction (Fox's colorings).
 *
 * @param points n × 3; seen along that direction, the ends must not overlap the rest
 */
export function knotDeterminant(points: ArrayLike<number>): number {
  const crossings = crossingsOf(points).sort((a, b) => a.under - b.under);
  const count = crossings.length;
  // Arc k ends at the crossing k that it passes below; the last continues in the first.
  const arcAt = (place: number): number => crossings.filter(({ under }) => under < place).length % Math.max(1, count);
  const matrix = crossings.map(({ over }, k) => {
    const row = new Array<number>(count).fill(0);
    row[arcAt(over)] += 2;
    row[k] -= 1;
    row[(k + 1) % count] -= 1;
    return row;
  });
  return Math.round(Math.abs(determinant(matrix.slice(1).map((row) => row.slice(1)))));
}

function crossingsOf(points: ArrayLike<number>): Crossing[] {
  const count = points.length / 3;
  // a direction that no edge of a scene is parallel to
  const [p, q] = [0.0123, 0.0321];
  const u = (i: number): number => points[3 * i] + p * points[3 * i + 2];
  const v = (i: number): number => points[3 * i + 1] + q * points[3 * i + 2];
  const found: Crossing[] = [];
  for (let i = 0; i + 1 < count; i++)
    for (let k = i + 2; k + 1 < count; k++) {
      const [ax, ay, bx, by] = [u(i + 1) - u(i), v(i + 1) - v(i), u(k + 1) - u(k), v(k + 1) - v(k)];
      const cross = ax * by - ay * bx;
      if (cross === 0) continue;
      const [dx, dy] = [u(k) - u(i), v(k) - v(i)];
      const s = (dx * by - dy * bx) / cross;
      const t = (dx * ay - dy * ax) / cross;
      if (s < 0 || s >= 1 || t < 0 || t >= 1) continue;
      const depth = (e: number, w: number): number => (1 - w) * points[3 * e + 2] + w * points[3 * e + 5];
      const isAbove = depth(i, s) > depth(k, t);
      found.push(isAbove ? { over: i + s, under: k + t } : { over: k + t, under: i + s });
    }
  return found;
}

/** By elimination with the largest pivot; 1 for an empty matrix. */
function determinant(matrix: number[][]): number {
  let product = 1;
  for (let k = 0; k < matrix.length; k++) {
    let best = k;
    for (let i = k + 1; i < matrix.length; i++) if (Math.abs(matrix[i][k]) > Math.abs(matrix[best][k])) best = i;
    [matrix[k], matrix[best]] = [matrix[best], matrix[k]];
    const pivot = matrix[k][k];
    if (Math.abs(pivot) < 1e-9) return 0;
    product *= pivot;
    for (let i = k + 1; i < matrix.length; i++) {
      const factor = matrix[i][k] / pivot;
      for (let c = k; c < matrix.length; c++) matrix[i][c] -= factor * matrix[k][c];
    }
  }
  return product;
}

/** Shortest distance of two edges of a rope that are more than `apart` edges from each other. */
export function strandDistance(points: ArrayLike<number>, apart: number): number {
  let shortest = Infinity;
  for (let i = 0; 3 * i + 3 < points.length; i++)
    for (let k = i + apart + 1; 3 * k + 3 < points.length; k++)
      shortest = Math.min(shortest, edgeDistance(points, i, k));
  return shortest;
}

function edgeDistance(x: ArrayLike<number>, i: number, k: number): number {
  const at = (n: number, c: number): number => x[3 * n + c];
  const [u, v, r] = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ];
  for (let c = 0; c < 3; c++) {
    u[c] = at(i + 1, c) - at(i, c);
    v[c] = at(k + 1, c) - at(k, c);
    r[c] = at(i, c) - at(k, c);
  }
  const dot = (a: number[], b: number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const [a, b, c, e, f] = [dot(u, u), dot(u, v), dot(u, r), dot(v, v), dot(v, r)];
  const clamp = (value: number): number => Math.min(1, Math.max(0, value));
  const det = a * e - b * b;
  let s = det > 1e-12 * a * e ? clamp((b * f - c * e) / det) : 0;
  const t = clamp((b * s + f) / e);
  s = clamp((b * t - c) / a);
  return Math.hypot(...r.map((value, axis) => value + s * u[axis] - t * v[axis]));
}

/**
 * Pairs of edges of a rope that pass through each other while every point moves straight from its old to its new place. They do if the
 * volume of their four ends vanishes, a cubic in time, and the edges meet at that time.
 */
export function passesThroughItself(before: ArrayLike<number>, after: ArrayLike<number>): number {
  const count = before.length / 3;
  const low = new Float64Array(3 * count);
  const high = new Float64Array(3 * count);
  for (let i = 0; i + 1 < count; i++)
    for (let c = 0; c < 3; c++) {
      const values = [before[3 * i + c], before[3 * i + 3 + c], after[3 * i + c], after[3 * i + 3 + c]];
      low[3 * i + c] = Math.min(...values);
      high[3 * i + c] = Math.max(...values);
    }
  let passes = 0;
  for (let i = 0; i + 1 < count; i++)
    for (let k = i + 2; k + 1 < count; k++) {
      const isNear = [0, 1, 2].every((c) => low[3 * i + c] <= high[3 * k + c] && low[3 * k + c] <= high[3 * i + c]);
      if (isNear && pairPasses(before, after, i, k)) passes++;
    }
  return passes;
}

function pairPasses(before: ArrayLike<number>, after: ArrayLike<number>, i: number, k: number): boolean {
  const at = (n: number, t: number): number[] =>
    [0, 1, 2].map((c) => (1 - t) * before[3 * n + c] + t * after[3 * n + c]);
  const difference = (a: number[], b: number[]): number[] => a.map((value, c) => value - b[c]);
  const cross = (a: number[], b: number[]): number[] => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const dot = (a: number[], b: number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const edges = (t: number): number[][] => [
    difference(at(i + 1, t), at(i, t)),
    difference(at(k + 1, t), at(k, t)),
    difference(at(k, t), at(i, t)),
  ];
  const volume = (t: number): number => {
    const [u, v, r] = edges(t);
    return dot(cross(u, v), r);
  };
  // the cubic through four values, and its extrema
  const [f0, f1, f2, f3] = [0, 1 / 3, 2 / 3, 1].map(volume);
  const c3 = 4.5 * (f3 - 3 * f2 + 3 * f1 - f0);
  const c2 = 4.5 * (2 * f0 - 5 * f1 + 4 * f2 - f3);
  const c1 = -5.5 * f0 + 9 * f1 - 4.5 * f2 + f3;
  const turns = [0, ...quadraticRoots(3 * c3, 2 * c2, c1).filter((t) => t > 0 && t < 1), 1];
  for (let n = 0; n + 1 < turns.length; n++) {
    let [a, b] = [turns[n], turns[n + 1]];
    const sign = Math.sign(volume(a));
    if (sign === 0 || sign === Math.sign(volume(b))) continue;
    for (let step = 0; step < 60; step++) {
      const middle = 0.5 * (a + b);
      if (Math.sign(volume(middle)) === sign) a = middle;
      else b = middle;
    }
    const [u, v, r] = edges(b);
    const normal = cross(u, v);
    const size = dot(normal, normal);
    const s = dot(cross(r, v), normal) / size;
    const t = dot(cross(r, u), normal) / size;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) return true;
  }
  return false;
}

/** Real roots of a t² + b t + c, in order. */
function quadraticRoots(a: number, b: number, c: number): number[] {
  if (a === 0) return b === 0 ? [] : [-c / b];
  const inside = b * b - 4 * a * c;
  if (inside < 0) return [];
  const q = -0.5 * (b + (b < 0 ? -1 : 1) * Math.sqrt(inside));
  return (q === 0 ? [0] : [q / a, c / q]).sort((s, t) => s - t);
}
