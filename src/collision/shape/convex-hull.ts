import { dot } from "../../math/vectors";
import { acos, cos, sin } from "../../math/deterministic";
import { facesOf, type HullFace } from "../hull/faces";
import { quickhull } from "../hull/quickhull";

/** A ridge sharper than this angle [rad] between normals gets bevel planes. */
const BEVEL = (80 * Math.PI) / 180;

/**
 * Planes (nx, ny, nz, d) of the convex hull of points (n × 3): points in the hull satisfy n·x ≤ d for all planes. The
 * offset of every plane is its support over all points, so that rounding can never cut a point off.
 *
 * The largest n·x - d over the faces alone falls short of the distance by 1/cos(θ/2) outside a ridge with angle θ between
 * normals. Planes that touch the hull only at sharp ridges and corners are added to keep that factor small.
 *
 * @param maxVertices see `quickhull`
 * @throws PliantError as `quickhull`
 */
export function convexHullPlanes(
  given: ArrayLike<number>,
  object = "convex hull",
  maxVertices = Infinity,
): Float64Array {
  const hull = quickhull(given, object, maxVertices);
  const faces = facesOf(hull);
  // Points left out by the limit on corners stay outside the hull.
  const used = maxVertices < Infinity ? cornersOf(faces, hull.points) : hull.points;
  const normals = faces.map(({ normal }) => normal);
  const all = [...normals, ...bevels(faces, normals)];
  return Float64Array.from(all.flatMap((normal) => [...normal, support(used, normal)]));
}

function cornersOf(faces: readonly HullFace[], points: ArrayLike<number>): number[] {
  const corners = new Set(faces.flatMap(({ loop }) => loop));
  return [...corners].flatMap((i) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]]);
}

/** Normals in between for faces that meet at a sharp ridge or corner. */
function bevels(faces: readonly HullFace[], normals: readonly (readonly number[])[]): number[][] {
  const faceAtEdge = new Map<string, number>();
  const facesAtPoint = new Map<number, number[]>();
  faces.forEach(({ loop }, face) => {
    loop.forEach((corner, i) => {
      faceAtEdge.set(`${corner},${loop[(i + 1) % loop.length]}`, face);
      const known = facesAtPoint.get(corner);
      if (known) known.push(face);
      else facesAtPoint.set(corner, [face]);
    });
  });
  const out: number[][] = [];
  for (const [edge, face] of faceAtEdge) {
    const [from, to] = edge.split(",");
    const other = faceAtEdge.get(`${to},${from}`);
    if (other === undefined || face >= other) continue;
    const angle = acos(Math.min(1, Math.max(-1, dot(normals[face], normals[other]))));
    const pieces = Math.ceil(angle / BEVEL);
    for (let i = 1; i < pieces; i++) out.push(slerp(normals[face], normals[other], angle, i / pieces));
  }
  for (const around of facesAtPoint.values()) {
    const mean = normalised(around.reduce((sum, face) => add(sum, normals[face]), [0, 0, 0]));
    if (mean && around.some((face) => dot(mean, normals[face]) < cos(BEVEL / 2))) out.push(mean);
  }
  return out;
}

function support(points: ArrayLike<number>, n: readonly number[]): number {
  let most = -Infinity;
  for (let i = 0; i < points.length; i += 3)
    most = Math.max(most, n[0] * points[i] + n[1] * points[i + 1] + n[2] * points[i + 2]);
  return most;
}

const add = (a: readonly number[], b: readonly number[]): number[] => a.map((value, i) => value + b[i]);
function normalised(v: readonly number[]): number[] | undefined {
  const length = Math.sqrt(dot(v, v));
  return length > 1e-300 ? v.map((value) => value / length) : undefined;
}

function slerp(a: readonly number[], b: readonly number[], angle: number, t: number): number[] {
  const s = sin(angle);
  // Opposite normals do not occur: a hull has a thickness.
  return a.map((value, i) => (sin((1 - t) * angle) * value + sin(t * angle) * b[i]) / s);
}
