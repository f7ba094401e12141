import { compose, IDENTITY, transformPoint, type Affine } from "../../src/collision/affine";
import { compileShape, type Primitive } from "../../src/collision/primitives";
import type { HeightfieldShape } from "../../src/collision/shape";
import { signedDistance } from "../../src/collision/signed-distance";
import { heightfieldTriangles } from "../../src/collision/tessellation";
import type { ColliderShape, Vec3 } from "../../src/index";
import { invertAffine, transformDirection } from "./affine-inverse";

/** From `origin` along the unit vector `direction`, `length` metres far. */
export interface Ray {
  readonly origin: Vec3;
  readonly direction: Vec3;
  readonly length: number;
}

/** Where a ray enters a solid: `distance` [m] along it, unit `normal` out of the solid. */
export interface RayHit {
  readonly distance: number;
  readonly normal: Vec3;
  /** of a mesh or a heightfield, else −1 */
  readonly triangle: number;
}

const NO_TURN = [0, 0, 0, 1] as const;

/** First point where a ray enters a shape that `map` takes to the frame of the ray; undefined when it misses. */
export function castRay(ray: Ray, shape: ColliderShape, map: Affine = IDENTITY): RayHit | undefined {
  if (shape.type === "container") {
    const hits = shape.children.map((child) =>
      castRay(ray, child.shape, compose(map, child.position ?? [0, 0, 0], child.rotation ?? NO_TURN, child.scale)),
    );
    return hits.reduce((best, hit) => (hit && (!best || hit.distance < best.distance) ? hit : best), undefined);
  }
  const toShape = invertAffine(map);
  const origin = transformPoint(toShape, ray.origin);
  const scaled = transformDirection(toShape, ray.direction);
  const speed = Math.hypot(...scaled);
  const direction: Vec3 = [scaled[0] / speed, scaled[1] / speed, scaled[2] / speed];
  const local = { origin, direction, length: ray.length * speed };
  const hit =
    shape.type === "mesh" || shape.type === "heightfield" ? castAtTriangles(local, shape) : castAtSolid(local, shape);
  return hit && { ...hit, distance: hit.distance / speed, normal: normalOut(toShape, hit.normal) };
}

/** Normals transform by the transposed inverse. */
function normalOut({ a }: Affine, n: Vec3): Vec3 {
  const out = [0, 1, 2].map((i) => a[i] * n[0] + a[3 + i] * n[1] + a[6 + i] * n[2]);
  const length = Math.hypot(...out);
  return [out[0] / length, out[1] / length, out[2] / length];
}

const primitivesOf = new WeakMap<ColliderShape, Primitive[]>();

/** Sphere tracing: the distance to a convex solid is a step that cannot jump over its surface. */
function castAtSolid(ray: Ray, shape: ColliderShape): RayHit | undefined {
  const primitives = primitivesOf.get(shape) ?? compileShape(shape);
  primitivesOf.set(shape, primitives);
  const hits = primitives.map((primitive) => traceToPrimitive(ray, primitive));
  return hits.reduce((best, hit) => (hit && (!best || hit.distance < best.distance) ? hit : best), undefined);
}

const MAX_STEPS = 512;

function traceToPrimitive(ray: Ray, primitive: Primitive): RayHit | undefined {
  const frame = compose(IDENTITY, primitive.position, primitive.rotation);
  const toFrame = invertAffine(frame);
  const [x, y, z] = transformPoint(toFrame, ray.origin);
  const [dx, dy, dz] = transformDirection(toFrame, ray.direction);
  const gradient = new Float64Array(3);
  const near = 1e-7 * Math.max(1, ray.length);
  let t = 0;
  for (let step = 0; step < MAX_STEPS && t <= ray.length; step++) {
    const distance = signedDistance(primitive, x + t * dx, y + t * dy, z + t * dz, gradient);
    // a ray that starts inside leaves the solid, it does not enter it
    if (step === 0 && distance < 0) return undefined;
    const leaving = dx * gradient[0] + dy * gradient[1] + dz * gradient[2] > 0;
    if (distance < near && !leaving)
      return { distance: t, normal: transformDirection(frame, [gradient[0], gradient[1], gradient[2]]), triangle: -1 };
    t += Math.max(distance, near);
  }
  return undefined;
}

/** Möller and Trumbore (1997) against every triangle, from either side. */
function castAtTriangles(ray: Ray, shape: ColliderShape & { type: "mesh" | "heightfield" }): RayHit | undefined {
  const { positions: p, indices } = shape.type === "mesh" ? shape : groundOf(shape);
  const [ox, oy, oz] = ray.origin;
  const [dx, dy, dz] = ray.direction;
  let best: RayHit | undefined;
  for (let f = 0; f + 2 < indices.length; f += 3) {
    const a = 3 * indices[f];
    const [ux, uy, uz] = edge(p, a, 3 * indices[f + 1]);
    const [vx, vy, vz] = edge(p, a, 3 * indices[f + 2]);
    const [hx, hy, hz] = [dy * vz - dz * vy, dz * vx - dx * vz, dx * vy - dy * vx];
    const det = ux * hx + uy * hy + uz * hz;
    if (det === 0) continue;
    const [sx, sy, sz] = [ox - p[a], oy - p[a + 1], oz - p[a + 2]];
    const u = (sx * hx + sy * hy + sz * hz) / det;
    if (u < 0 || u > 1) continue;
    const [qx, qy, qz] = [sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux];
    const v = (dx * qx + dy * qy + dz * qz) / det;
    if (v < 0 || u + v > 1) continue;
    const t = (vx * qx + vy * qy + vz * qz) / det;
    if (t < 0 || t > (best?.distance ?? ray.length)) continue;
    // towards where the ray came from
    const sign = det > 0 ? 1 : -1;
    const n = [sign * (uy * vz - uz * vy), sign * (uz * vx - ux * vz), sign * (ux * vy - uy * vx)];
    const length = Math.hypot(...n);
    best = { distance: t, normal: [n[0] / length, n[1] / length, n[2] / length], triangle: f / 3 };
  }
  return best;
}

const grounds = new WeakMap<HeightfieldShape, ReturnType<typeof heightfieldTriangles>>();

function groundOf(shape: HeightfieldShape): ReturnType<typeof heightfieldTriangles> {
  const known = grounds.get(shape) ?? heightfieldTriangles(shape);
  grounds.set(shape, known);
  return known;
}

function edge(p: ArrayLike<number>, a: number, b: number): Vec3 {
  return [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
}
