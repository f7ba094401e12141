import { RandomGeometry } from "../collision/random";

/**
 * Random triangles over a few vertices: any number of faces at an edge, holes, loose parts. No triangle uses a vertex
 * twice.
 */
export function triangleSoup(seed: number, vertexCount: number, triangleCount: number): Uint32Array {
  const random = new RandomGeometry(seed);
  const pick = (): number => Math.floor(random.between(0, vertexCount));
  const indices: number[] = [];
  while (indices.length < 3 * triangleCount) {
    const [a, b, c] = [pick(), pick(), pick()];
    if (a !== b && b !== c && c !== a) indices.push(a, b, c);
  }
  return Uint32Array.from(indices);
}

/** Random places for vertices in a cube of two meters. */
export function randomPositions(seed: number, vertexCount: number): Float64Array {
  const random = new RandomGeometry(seed);
  return Float64Array.from({ length: 3 * vertexCount }, () => random.between(-1, 1));
}

/**
 * A tube about y whose seam vertices exist twice, as in meshes with texture coordinates.
 *
 * @param jitter distance of the two copies of a seam vertex [m]
 */
export function tube(segments: number, rows: number, jitter = 0, seed = 7) {
  const random = new RandomGeometry(seed);
  const positions: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= rows; j++)
    for (let i = 0; i <= segments; i++) {
      const angle = (2 * Math.PI * i) / segments;
      const shift = i === segments ? random.vector(jitter) : [0, 0, 0];
      positions.push(0.5 * Math.cos(angle) + shift[0], j / rows - 0.5 + shift[1], 0.5 * Math.sin(angle) + shift[2]);
      uvs.push(i / segments, j / rows);
    }
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < segments; i++) {
      const a = j * (segments + 1) + i;
      indices.push(a, a + 1, a + segments + 1, a + 1, a + segments + 2, a + segments + 1);
    }
  return { positions: Float64Array.from(positions), uvs: Float64Array.from(uvs), indices: Uint32Array.from(indices) };
}
