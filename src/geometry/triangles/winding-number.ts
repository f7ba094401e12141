import { lengthAt } from "../../math/vectors";
import { triangleNormal } from "./triangle";
import { atan2 } from "../../math/deterministic";
import type { TriangleTree } from "./bvh";

/** A node this many radii away acts as one dipole; 2 keeps the error at about one percent (Barill et al. 2018). */
const FAR = 2;

/** Dipoles of the nodes of a tree: center x, y, z, Σ area normal x, y, z, and (FAR · radius)². */
export type WindingTree = Float64Array;

/** Sums up each node of the tree for `windingNumber` (Barill et al. 2018, equations 7 and 12). */
export function buildWindingTree(tree: TriangleTree): WindingTree {
  const nodes = tree.first.length;
  const dipoles = new Float64Array(7 * nodes);
  const areas = new Float64Array(nodes);
  // Children come after their parent, so a backward loop handles them first.
  for (let node = nodes - 1; node >= 0; node--) {
    const at = 7 * node;
    if (tree.second[node] === 0)
      for (let t = tree.first[node]; t < tree.end[node]; t++)
        addTriangle(tree.corners, 9 * t, dipoles, at, areas, node);
    else
      for (const child of [node + 1, tree.second[node]]) {
        areas[node] += areas[child];
        for (let k = 0; k < 3; k++) {
          dipoles[at + k] += areas[child] * dipoles[7 * child + k];
          dipoles[at + 3 + k] += dipoles[7 * child + 3 + k];
        }
      }
    for (let k = 0; k < 3; k++) {
      const centre = (tree.boxes[6 * node + k] + tree.boxes[6 * node + 3 + k]) / 2;
      dipoles[at + k] = areas[node] > 0 ? dipoles[at + k] / areas[node] : centre;
    }
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      const p = dipoles[at + k];
      const reach = Math.max(p - tree.boxes[6 * node + k], tree.boxes[6 * node + 3 + k] - p);
      squared += reach * reach;
    }
    dipoles[at + 6] = FAR * FAR * squared;
  }
  return dipoles;
}

function addTriangle(c: Float64Array, i: number, dipoles: Float64Array, at: number, areas: Float64Array, node: number) {
  triangleNormal(c, i, i + 3, i + 6, normal);
  for (let k = 0; k < 3; k++) normal[k] /= 2;
  const area = lengthAt(normal, 0);
  for (let k = 0; k < 3; k++) dipoles[at + k] += (area * (c[i + k] + c[i + 3 + k] + c[i + 6 + k])) / 3;
  for (let k = 0; k < 3; k++) dipoles[at + 3 + k] += normal[k];
  areas[node] += area;
}

const stack = new Uint32Array(128);

/**
 * Winding number of a surface around a point: 1 inside a closed surface of counter-clockwise triangles, -1 inside one
 * of clockwise triangles, 0 outside, and values in between if the surface has holes.
 */
export function windingNumber(tree: TriangleTree, dipoles: WindingTree, x: number, y: number, z: number): number {
  let sum = 0;
  let top = 0;
  stack[0] = 0;
  while (top >= 0) {
    const node = stack[top--];
    const i = 7 * node;
    const dx = dipoles[i] - x;
    const dy = dipoles[i + 1] - y;
    const dz = dipoles[i + 2] - z;
    const squared = dx * dx + dy * dy + dz * dz;
    if (squared > dipoles[i + 6])
      sum += (dx * dipoles[i + 3] + dy * dipoles[i + 4] + dz * dipoles[i + 5]) / (squared * Math.sqrt(squared));
    else if (tree.second[node] === 0)
      for (let t = tree.first[node]; t < tree.end[node]; t++) sum += solidAngle(tree.corners, 9 * t, x, y, z);
    else {
      stack[++top] = tree.second[node];
      stack[++top] = node + 1;
    }
  }
  return sum / (4 * Math.PI);
}

/** Solid angle of a triangle (Van Oosterom & Strackee 1983, equation 8). */
function solidAngle(c: Float64Array, i: number, x: number, y: number, z: number): number {
  const ax = c[i] - x;
  const ay = c[i + 1] - y;
  const az = c[i + 2] - z;
  const bx = c[i + 3] - x;
  const by = c[i + 4] - y;
  const bz = c[i + 5] - z;
  const cx = c[i + 6] - x;
  const cy = c[i + 7] - y;
  const cz = c[i + 8] - z;
  const a = Math.sqrt(ax * ax + ay * ay + az * az);
  const b = Math.sqrt(bx * bx + by * by + bz * bz);
  const l = Math.sqrt(cx * cx + cy * cy + cz * cz);
  const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  const ab = ax * bx + ay * by + az * bz;
  const bc = bx * cx + by * cy + bz * cz;
  const ca = cx * ax + cy * ay + cz * az;
  return 2 * atan2(volume, a * b * l + ab * l + bc * a + ca * b);
}

const normal = new Float64Array(3);
