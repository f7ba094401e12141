import type { Vec3 } from "../src/index";

/**
 * Measures of a body's state, in f64 and independent of the solver: they use only positions, velocities, masses and
 * triangles. Positions x (m), velocities v (m/s) and other vectors have three numbers per particle.
 */

/** Signed distance to an obstacle, m: negative inside. */
export type DistanceFunction = (x: number, y: number, z: number) => number;

/**
 * Depth of a surface in obstacles, m; 0 if it touches none. Particles, midpoints of edges and centroids of
 * triangles are tested, so an obstacle that pokes through between the particles counts as well.
 *
 * @param positions n × 3, m
 * @param faces triangles, three particles each
 */
export function maxPenetration(
  positions: ArrayLike<number>,
  faces: ArrayLike<number>,
  obstacles: readonly DistanceFunction[],
): number {
  let deepest = 0;
  const test = (x: number, y: number, z: number): void => {
    for (const distance of obstacles) deepest = Math.max(deepest, -distance(x, y, z));
  };
  forEachSample(positions, faces, test);
  return deepest;
}

/** Calls `visit` at particles, then at midpoints of the edges, then at centroids of the triangles. */
export function forEachSample(
  positions: ArrayLike<number>,
  faces: ArrayLike<number>,
  visit: (x: number, y: number, z: number) => void,
): void {
  const p = positions;
  for (let i = 0; i < p.length; i += 3) visit(p[i], p[i + 1], p[i + 2]);
  const edges = uniqueEdges(faces);
  for (let e = 0; e < edges.length; e += 2) {
    const [a, b] = [3 * edges[e], 3 * edges[e + 1]];
    visit((p[a] + p[b]) / 2, (p[a + 1] + p[b + 1]) / 2, (p[a + 2] + p[b + 2]) / 2);
  }
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2]];
    visit((p[a] + p[b] + p[c]) / 3, (p[a + 1] + p[b + 1] + p[c + 1]) / 3, (p[a + 2] + p[b + 2] + p[c + 2]) / 3);
  }
}

/** Edges of triangles, each once: pairs of particles, the smaller index first. */
export function uniqueEdges(faces: ArrayLike<number>): Uint32Array {
  const seen = new Set<number>();
  const edges: number[] = [];
  for (let f = 0; f < faces.length; f += 3) {
    for (let corner = 0; corner < 3; corner++) {
      const a = faces[f + corner];
      const b = faces[f + ((corner + 1) % 3)];
      const [low, high] = a < b ? [a, b] : [b, a];
      const key = low * 2 ** 26 + high; // exact in a double for any mesh that fits a buffer
      if (seen.has(key)) continue;
      seen.add(key);
      edges.push(low, high);
    }
  }
  return Uint32Array.from(edges);
}

/**
 * Largest elongation of an edge relative to its rest length, in percent; 0 if all are at rest length or shorter.
 *
 * @param edges pairs of particles
 */
export function maxStretchPercent(
  positions: ArrayLike<number>,
  restPositions: ArrayLike<number>,
  edges: ArrayLike<number>,
): number {
  let largest = 0;
  for (let e = 0; e < edges.length; e += 2) {
    const rest = distanceBetween(restPositions, edges[e], edges[e + 1]);
    largest = Math.max(largest, distanceBetween(positions, edges[e], edges[e + 1]) / rest - 1);
  }
  return 100 * largest;
}

/**
 * Mean elongation of the edges relative to their rest lengths, in percent; shorter ones count as not elongated.
 *
 * @param edges pairs of particles
 */
export function meanStretchPercent(
  positions: ArrayLike<number>,
  restPositions: ArrayLike<number>,
  edges: ArrayLike<number>,
): number {
  let sum = 0;
  for (let e = 0; e < edges.length; e += 2) {
    const rest = distanceBetween(restPositions, edges[e], edges[e + 1]);
    sum += Math.max(0, distanceBetween(positions, edges[e], edges[e + 1]) / rest - 1);
  }
  return (200 * sum) / edges.length;
}

/** Distance of two particles, m. */
export function distanceBetween(positions: ArrayLike<number>, a: number, b: number): number {
  const [i, j] = [3 * a, 3 * b];
  return Math.hypot(
    positions[j] - positions[i],
    positions[j + 1] - positions[i + 1],
    positions[j + 2] - positions[i + 2],
  );
}

/** √(Σ m v² / Σ m), m/s. */
export function rmsSpeed(velocities: ArrayLike<number>, masses: ArrayLike<number>): number {
  return Math.sqrt((2 * kineticEnergy(velocities, masses)) / totalMass(masses));
}

/** ½ Σ m v², J. */
export function kineticEnergy(velocities: ArrayLike<number>, masses: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < masses.length; i++) {
    const [x, y, z] = [velocities[3 * i], velocities[3 * i + 1], velocities[3 * i + 2]];
    sum += masses[i] * (x * x + y * y + z * z);
  }
  return sum / 2;
}

/** Σ m, kg. */
export function totalMass(masses: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < masses.length; i++) sum += masses[i];
  return sum;
}

/** Σ m x / Σ m, m. */
export function centerOfMass(positions: ArrayLike<number>, masses: ArrayLike<number>): Vec3 {
  const [x, y, z] = weightedSum(positions, masses);
  const mass = totalMass(masses);
  return [x / mass, y / mass, z / mass];
}

/** Σ m v, kg m/s. */
export function linearMomentum(velocities: ArrayLike<number>, masses: ArrayLike<number>): Vec3 {
  return weightedSum(velocities, masses);
}

/** Σ m (x − c) × v about the center of mass c, kg m²/s. */
export function angularMomentum(
  positions: ArrayLike<number>,
  velocities: ArrayLike<number>,
  masses: ArrayLike<number>,
): Vec3 {
  const [cx, cy, cz] = centerOfMass(positions, masses);
  const sum: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < masses.length; i++) {
    const [x, y, z] = [positions[3 * i] - cx, positions[3 * i + 1] - cy, positions[3 * i + 2] - cz];
    const [u, v, w] = [velocities[3 * i], velocities[3 * i + 1], velocities[3 * i + 2]];
    sum[0] += masses[i] * (y * w - z * v);
    sum[1] += masses[i] * (z * u - x * w);
    sum[2] += masses[i] * (x * v - y * u);
  }
  return sum;
}

function weightedSum(vectors: ArrayLike<number>, masses: ArrayLike<number>): Vec3 {
  const sum: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < masses.length; i++)
    for (let axis = 0; axis < 3; axis++) sum[axis] += masses[i] * vectors[3 * i + axis];
  return sum;
}
