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
 * Merges vertices at equal positions, so that cloth does not come apart at seams of a mesh's texture coordinates or
 * normals. Positions are equal if no coordinate differs by more than `tolerance` times the mesh's size, which is above
 * the rounding of f32 meshes; vertices that no triangle uses are left out (their `vertexToParticle` is the particle
 * nearest in index order, 0 if there is none).
 */
export function weldVertices(positions: ArrayLike<number>, indices: ArrayLike<number>, tolerance = 1e-6): WeldedMesh {
  let size = 0;
  for (let c = 0; c < 3; c++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = c; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    size = Math.max(size, high - low);
  }
  const finder = new ParticleFinder(size * tolerance || 1);
  const used = new Uint8Array(positions.length / 3);
  for (let i = 0; i < indices.length; i++) used[indices[i]] = 1;

  const vertexToParticle = new Uint32Array(positions.length / 3);
  const welded: number[] = [];
  for (let v = 0; v < vertexToParticle.length; v++) {
    if (!used[v]) {
      vertexToParticle[v] = Math.max(0, welded.length / 3 - 1);
      continue;
    }
    vertexToParticle[v] = finder.findOrAdd(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], welded);
  }
  return {
    positions: Float64Array.from(welded),
    indices: Uint32Array.from({ length: indices.length }, (_, i) => vertexToParticle[indices[i]]),
    vertexToParticle,
  };
}

/** Finds particles by position: a hash of cells much larger than the tolerance: a search mostly visits one. */
class ParticleFinder {
  private readonly cell: number = 16 * this.reach;
  private readonly cells = new Map<string, number[]>();

  constructor(private readonly reach: number) {}

  /** @param places positions of the particles so far, three numbers each; a new particle is appended */
  findOrAdd(x: number, y: number, z: number, places: number[]): number {
    const { reach, cell, cells } = this;
    const low = [x, y, z].map((value) => Math.floor((value - reach) / cell));
    const high = [x, y, z].map((value) => Math.floor((value + reach) / cell));
    for (let i = low[0]; i <= high[0]; i++)
      for (let j = low[1]; j <= high[1]; j++)
        for (let k = low[2]; k <= high[2]; k++)
          for (const p of cells.get(`${i},${j},${k}`) ?? []) {
            const [a, b, c] = [places[3 * p], places[3 * p + 1], places[3 * p + 2]];
            if (Math.abs(x - a) <= reach && Math.abs(y - b) <= reach && Math.abs(z - c) <= reach) return p;
          }
    const particle = places.length / 3;
    places.push(x, y, z);
    const key = [x, y, z].map((value) => Math.floor(value / cell)).join();
    const others = cells.get(key);
    if (others) others.push(particle);
    else cells.set(key, [particle]);
    return particle;
  }
}
