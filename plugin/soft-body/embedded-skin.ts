import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { embeddedNormals, embeddedPositions } from "../../src/geometry/tetrahedra/embedding";
import type { Subdivision } from "../../src/geometry/triangles/subdivide";
import type { Embedding, RenderEmbedding } from "../../src/index";
import { refineMesh } from "../deformable/refine-mesh";
import type { VertexSkin } from "../deformable/vertex-skin";

/** Every vertex is carried along by a tetrahedron. */
export class EmbeddedSkin implements VertexSkin {
  readonly vertexCount;
  readonly margin;
  readonly output: { readonly embedding: RenderEmbedding };

  /**
   * @param covectors normals of the vertices at rest, as `embedNormals` tells them
   * @param subdivision what the mesh is to become before it is drawn
   */
  constructor(
    private readonly embedding: Embedding,
    private readonly covectors: Float64Array,
    private readonly subdivision?: Subdivision,
  ) {
    this.vertexCount = embedding.count;
    // A vertex outside moves with a tetrahedron that may stretch.
    this.margin = 2 * embedding.outside.reduce((most, distance) => Math.max(most, distance), 0);
    this.output = { embedding: { vertices: embedding.vertices, weights: embedding.weights, normals: covectors } };
  }

  prepare(mesh: Mesh): void {
    if (this.subdivision) refineMesh(mesh, this.subdivision);
  }

  particlesOf(vertex: number): readonly number[] {
    return [...this.embedding.vertices.subarray(4 * vertex, 4 * vertex + 4)];
  }

  spread(particles: ArrayLike<number>, vertices: Float32Array): void {
    embeddedPositions(this.embedding, particles, vertices);
  }

  normals(particles: ArrayLike<number>, vertices: Float32Array): void {
    embeddedNormals(this.embedding, this.covectors, particles, vertices);
  }

  /** Where a vertex is for positions of particles. */
  at(vertex: number, position: (particle: number) => readonly [number, number, number]): [number, number, number] {
    const { weights } = this.embedding;
    const sum: [number, number, number] = [0, 0, 0];
    this.particlesOf(vertex).forEach((particle, k) => {
      const x = position(particle);
      for (let c = 0; c < 3; c++) sum[c] += weights[4 * vertex + k] * x[c];
    });
    return sum;
  }
}
