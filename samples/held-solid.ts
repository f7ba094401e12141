import { closestPointOnTriangle } from "../src/geometry/triangles/triangle";
import { apply, identity, inverse } from "../src/articulated/loaders/transform";
import type { Mechanism, Vec3 } from "../src/index";
import type { Surface } from "./grip";

/** A box that belongs to a link, its middle in the axes of the link, and its half sizes [m]. */
export interface LinkBox {
  readonly link: string;
  readonly center: Vec3;
  readonly half: Vec3;
}

/** Cells along each side of a face of a box on which points are sampled. */
const CELLS = 4;

/** The surface of a box of a link at its present place: a grid of points on each face. */
export function boxSurface(mechanism: Mechanism, { link, center, half }: LinkBox): Surface {
  const pose = { ...identity, ...mechanism.poseOf(link) };
  const x: number[] = [];
  const faces: number[] = [];
  for (let axis = 0; axis < 3; axis++)
    for (const side of [-1, 1]) {
      const first = x.length / 3;
      for (let i = 0; i <= CELLS; i++)
        for (let j = 0; j <= CELLS; j++) {
          const along = [0, 0, 0];
          along[axis] = side;
          along[(axis + 1) % 3] = (2 * i) / CELLS - 1;
          along[(axis + 2) % 3] = (2 * j) / CELLS - 1;
          const [a, b, c] = along.map((s, k) => center[k] + s * half[k]);
          x.push(...apply(pose, [a, b, c]));
          if (i === CELLS || j === CELLS) continue;
          const at = first + i * (CELLS + 1) + j;
          faces.push(at, at + CELLS + 1, at + 1, at + 1, at + CELLS + 1, at + CELLS + 2);
        }
    }
  return { x, faces };
}

/** Depth of a solid's surface in a box of a link, and of the box in the solid [m]: the largest of all points of both, 0 for none. */
export function depthBetween(
  mechanism: Mechanism,
  box: LinkBox,
  solid: Surface,
  tetrahedra: ArrayLike<number>,
): number {
  const toLink = inverse({ ...identity, ...mechanism.poseOf(box.link) });
  let deepest = 0;
  for (const v of new Set(Array.from(solid.faces))) {
    const local = apply(toLink, pointOf(solid, v));
    deepest = Math.max(deepest, Math.min(...local.map((s, k) => box.half[k] - Math.abs(s - box.center[k]))));
  }
  const { x } = boxSurface(mechanism, box);
  for (let i = 0; i < x.length; i += 3) {
    const point: Vec3 = [x[i], x[i + 1], x[i + 2]];
    if (isWithin(solid, tetrahedra, point)) deepest = Math.max(deepest, distanceTo(solid, point));
  }
  return deepest;
}

function pointOf({ x }: Surface, v: number): Vec3 {
  return [x[3 * v], x[3 * v + 1], x[3 * v + 2]];
}

/** Distance of a point to the surface [m]. */
function distanceTo(solid: Surface, [px, py, pz]: Vec3): number {
  const out = new Float64Array(6);
  let least = Infinity;
  for (let f = 0; f < solid.faces.length; f += 3) {
    const triangle = [0, 1, 2].flatMap((k) => pointOf(solid, solid.faces[f + k]));
    least = Math.min(least, closestPointOnTriangle(triangle, 0, px, py, pz, out));
  }
  return Math.sqrt(least);
}

/** Whether a tetrahedron contains the point: it is on the inner side of each face. */
function isWithin(solid: Surface, tetrahedra: ArrayLike<number>, point: Vec3): boolean {
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const corners = [0, 1, 2, 3].map((k) => pointOf(solid, tetrahedra[t + k]));
    const whole = volume(corners);
    if (corners.every((_, k) => volume(corners.map((corner, j) => (j === k ? point : corner))) * whole >= 0))
      return true;
  }
  return false;
}

/** Six times the volume, with its sign [m³]. */
function volume([a, b, c, d]: readonly Vec3[]): number {
  const [u, v, w] = [b, c, d].map((p) => [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
  return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}
