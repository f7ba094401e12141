/** Vertices merged by position. */
export interface WeldedMesh {
  /** particleCount × 3 [m] */
  readonly positions: Float64Array;
  /** triangles over the particles */
  readonly indices: Uint32Array;
  /** particle of each input vertex */
  readonly vertexToParticle: Uint32Array;
}

/**
 * Merges vertices at equal positions, so that cloth does not come apart where a mesh has seams in its texture
 * coordinates or normals. Positions are compared after rounding to `tolerance` times the mesh's size; vertices that no
 * triangle uses are left out (their `vertexToParticle` is the particle nearest in index order, 0 when there is none).
 */
export function weldVertices(positions: ArrayLike<number>, indices: ArrayLike<number>, tolerance = 1e-6): WeldedMesh {
  let size = 0;
  for (let c = 0; c < 3; c++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = c; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]!);
      high = Math.max(high, positions[i]!);
    }
    size = Math.max(size, high - low);
  }
  const cell = size * tolerance || 1;
  const used = new Uint8Array(positions.length / 3);
  for (let i = 0; i < indices.length; i++) used[indices[i]!] = 1;

  const particles = new Map<string, number>();
  const vertexToParticle = new Uint32Array(positions.length / 3);
  const welded: number[] = [];
  for (let v = 0; v < vertexToParticle.length; v++) {
    if (!used[v]) {
      vertexToParticle[v] = Math.max(0, particles.size - 1);
      continue;
    }
    const key = [0, 1, 2].map((c) => Math.round(positions[3 * v + c]! / cell)).join();
    let particle = particles.get(key);
    if (particle === undefined) {
      particle = particles.size;
      particles.set(key, particle);
      welded.push(positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]!);
    }
    vertexToParticle[v] = particle;
  }
  return {
    positions: Float64Array.from(welded),
    indices: Uint32Array.from({ length: indices.length }, (_, i) => vertexToParticle[indices[i]!]!),
    vertexToParticle,
  };
}
