import { Vector3 } from "@babylonjs/core/Maths/math.vector";

/** The velocities u that a surface allows: normal · u ≥ bound. */
export interface Plane {
  /** unit normal, away from the surface */
  readonly normal: Vector3;
  /** m/s */
  readonly bound: number;
}

/** Tolerance of the bounds, m/s. */
const TOLERANCE = 1e-7;
/** Planes whose normals differ by less than this count as one: 1 − cos of the angle. */
const PARALLEL = 1e-6;
/** Most planes that are considered: the most obstructive ones. */
const MOST = 16;

/**
 * The velocity closest to the wanted one that all planes allow: the projection onto a convex cone with few faces. It
 * lies on none, one, two or three of the planes, so all such points are tried; the solution is the closest one that all
 * planes allow. If there is none (the character is squeezed), the point that violates the bounds least is taken.
 *
 * @param wanted m/s
 */
export function closestVelocity(planes: readonly Plane[], wanted: Vector3): Vector3 {
  const faces = distinct(planes, wanted);
  const best = { velocity: wanted.clone(), offence: offence(faces, wanted), distance: 0 };
  if (best.offence <= TOLERANCE) return best.velocity;
  const consider = (velocity: Vector3 | undefined): void => {
    if (!velocity) return;
    const amount = Math.max(TOLERANCE, offence(faces, velocity));
    const distance = Vector3.DistanceSquared(velocity, wanted);
    if (amount > best.offence || (amount === best.offence && distance >= best.distance)) return;
    Object.assign(best, { velocity, offence: amount, distance });
  };
  for (let i = 0; i < faces.length; i++) {
    consider(onPlane(faces[i], wanted));
    for (let j = 0; j < i; j++) {
      consider(onLine(faces[i], faces[j], wanted));
      for (let k = 0; k < j; k++) consider(onCorner(faces[i], faces[j], faces[k]));
    }
  }
  return best.velocity;
}

/** The largest violation of a bound by a velocity, m/s; negative if all planes allow it. */
function offence(planes: readonly Plane[], velocity: Vector3): number {
  let most = -Infinity;
  for (const { normal, bound } of planes) most = Math.max(most, bound - Vector3.Dot(normal, velocity));
  return most;
}

/** The strictest one of each set of parallel planes; the most obstructive planes first. */
function distinct(planes: readonly Plane[], wanted: Vector3): Plane[] {
  const against = ({ normal, bound }: Plane): number => bound - Vector3.Dot(normal, wanted);
  const kept: Plane[] = [];
  for (const plane of [...planes].sort((a, b) => against(b) - against(a)))
    if (!kept.some(({ normal }) => Vector3.Dot(normal, plane.normal) > 1 - PARALLEL)) kept.push(plane);
  return kept.slice(0, MOST);
}

function onPlane({ normal, bound }: Plane, wanted: Vector3): Vector3 {
  return wanted.add(normal.scale(bound - Vector3.Dot(normal, wanted)));
}

/** u = w + α a + β b with a·u and b·u at their bounds. */
function onLine(a: Plane, b: Plane, wanted: Vector3): Vector3 | undefined {
  const cosine = Vector3.Dot(a.normal, b.normal);
  const determinant = 1 - cosine * cosine;
  if (determinant < PARALLEL) return undefined;
  const p = a.bound - Vector3.Dot(a.normal, wanted);
  const q = b.bound - Vector3.Dot(b.normal, wanted);
  return wanted
    .add(a.normal.scale((p - cosine * q) / determinant))
    .addInPlace(b.normal.scale((q - cosine * p) / determinant));
}

/** Cramer's rule. */
function onCorner(a: Plane, b: Plane, c: Plane): Vector3 | undefined {
  const bc = Vector3.Cross(b.normal, c.normal);
  const determinant = Vector3.Dot(a.normal, bc);
  if (Math.abs(determinant) < PARALLEL) return undefined;
  return bc
    .scaleInPlace(a.bound)
    .addInPlace(Vector3.Cross(c.normal, a.normal).scaleInPlace(b.bound))
    .addInPlace(Vector3.Cross(a.normal, b.normal).scaleInPlace(c.bound))
    .scaleInPlace(1 / determinant);
}
