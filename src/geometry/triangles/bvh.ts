import { closestPointOnTriangle, type ClosestPoint } from "./triangle";

/** Largest number of triangles in a leaf. */
const LEAF_SIZE = 4;
const MAX_DEPTH = 64;

/**
 * Tree of boxes over triangles, nodes in depth-first order: the first child of node i is node i + 1. The triangles are
 * copied in leaf order, so that a leaf is contiguous in memory.
 */
export type TriangleTree = Readonly<ReturnType<typeof buildTriangleTree>>;

/**
 * Builds the tree by halving along the longest side of the centroids' box.
 *
 * @param corners 9 coordinates [m] for each triangle
 */
export function buildTriangleTree(corners: Float64Array) {
  const triangleCount = corners.length / 9;
  const centroid = (triangle: number, axis: number): number => {
    const i = 9 * triangle + axis;
    return corners[i] + corners[i + 3] + corners[i + 6];
  };
  const source = Uint32Array.from({ length: triangleCount }, (_, i) => i);
  const boxes: number[] = [];
  const second: number[] = [];
  const first: number[] = [];
  const end: number[] = [];
  const build = (from: number, to: number): void => {
    const node = first.push(from) - 1;
    end.push(to);
    second.push(0);
    boxes.push(...boxOf(corners, source, from, to));
    if (to - from <= LEAF_SIZE) return;
    const spread = [0, 1, 2].map((axis) => {
      let low = Infinity;
      let high = -Infinity;
      for (let i = from; i < to; i++) {
        const value = centroid(source[i], axis);
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
      return high - low;
    });
    const axis = spread.indexOf(Math.max(...spread));
    // Ties are broken by index, so that the tree depends on the input alone.
    source.subarray(from, to).sort((a, b) => centroid(a, axis) - centroid(b, axis) || a - b);
    const middle = (from + to) >>> 1;
    build(from, middle);
    second[node] = first.length;
    build(middle, to);
  };
  build(0, triangleCount);
  const ordered = new Float64Array(corners.length);
  source.forEach((triangle, i) => ordered.set(corners.subarray(9 * triangle, 9 * triangle + 9), 9 * i));
  return {
    triangleCount,
    /** 9 corner coordinates [m] for each triangle, in leaf order */
    corners: ordered,
    /** index of each triangle in the input, in leaf order */
    source,
    /** min x, y, z, max x, y, z of each node */
    boxes: Float64Array.from(boxes),
    /** second child of an inner node, 0 for a leaf */
    second: Uint32Array.from(second),
    /** first triangle and end of the triangles below each node */
    first: Uint32Array.from(first),
    end: Uint32Array.from(end),
  };
}

function boxOf(corners: Float64Array, order: Uint32Array, from: number, to: number): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = from; i < to; i++)
    for (let k = 0; k < 9; k++) {
      const value = corners[9 * order[i] + k];
      box[k % 3] = Math.min(box[k % 3], value);
      box[3 + (k % 3)] = Math.max(box[3 + (k % 3)], value);
    }
  return box;
}

const nodeStack = new Uint32Array(2 * MAX_DEPTH);
const distanceStack = new Float64Array(2 * MAX_DEPTH);
const candidate = new Float64Array(6);

/**
 * Closest triangle (place in leaf order) to a point.
 *
 * @param within squared distance [m²] to some known point of the surface; triangles further away are not visited
 * @param hint triangle to try first, or -1; a good hint shortens the search
 * @param out closest point and its barycentric coordinates
 * @returns the triangle, or -1 if none is within the bound
 */
export function closestTriangle(
  tree: TriangleTree,
  x: number,
  y: number,
  z: number,
  within: number,
  hint: number,
  out: ClosestPoint,
): number {
  const { boxes, second, first, end, corners } = tree;
  let best = within;
  let found = -1;
  if (hint >= 0) {
    const squared = closestPointOnTriangle(corners, 9 * hint, x, y, z, candidate);
    if (squared <= best) {
      best = squared;
      found = hint;
      out.set(candidate);
    }
  }
  let top = 0;
  nodeStack[0] = 0;
  distanceStack[0] = boxDistance(boxes, 0, x, y, z);
  while (top >= 0) {
    const node = nodeStack[top];
    const distance = distanceStack[top--];
    if (distance > best || (distance === best && found >= 0)) continue;
    if (second[node] === 0) {
      for (let triangle = first[node]; triangle < end[node]; triangle++) {
        const squared = closestPointOnTriangle(corners, 9 * triangle, x, y, z, candidate);
        if (squared < best || (squared === best && found < 0)) {
          best = squared;
          found = triangle;
          out.set(candidate);
        }
      }
      continue;
    }
    const near = node + 1;
    const far = second[node];
    const nearDistance = boxDistance(boxes, near, x, y, z);
    const farDistance = boxDistance(boxes, far, x, y, z);
    const swap = farDistance < nearDistance;
    nodeStack[++top] = swap ? near : far;
    distanceStack[top] = swap ? nearDistance : farDistance;
    nodeStack[++top] = swap ? far : near;
    distanceStack[top] = swap ? farDistance : nearDistance;
  }
  return found;
}

function boxDistance(boxes: Float64Array, node: number, x: number, y: number, z: number): number {
  const i = 6 * node;
  const dx = Math.max(boxes[i] - x, 0, x - boxes[i + 3]);
  const dy = Math.max(boxes[i + 1] - y, 0, y - boxes[i + 4]);
  const dz = Math.max(boxes[i + 2] - z, 0, z - boxes[i + 5]);
  return dx * dx + dy * dy + dz * dz;
}
