import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { embeddedNormals, embeddedPositions } from "../../src/geometry/tetrahedra/embedding";
import type { Subdivision } from "../../src/geometry/triangles/subdivide";
import type { Embedding } from "../../src/index";
import type { RenderEmbedding } from "../../src/world/output/render-output";
import { refineMesh } from "../deformable/mesh/refine-mesh";
import type { VertexSkin } from "../deformable/mesh/vertex-skin";

/** Weight up to which a corner has no part in where a vertex is. */
const PART = 1e-6;

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

  /** The corners of its tetrahedron that have a part in where it is. */
  particlesOf(vertex: number): readonly number[] {
    const { vertices, weights } = this.embedding;
    return [0, 1, 2, 3]
      .map((k) => 4 * vertex + k)
      .filter((at) => Math.abs(weights[at]) > PART)
      .map((at) => vertices[at]);
  }

  spread(particles: ArrayLike<number>, vertices: Float32Array): void {
    embeddedPositions(this.embedding, particles, vertices);
  }

  normals(particles: ArrayLike<number>, vertices: Float32Array): void {
    embeddedNormals(this.embedding, this.covectors, particles, vertices);
  }

  /** Where a vertex is for positions of particles. */
  at(vertex: number, position: (particle: number) => readonly [number, number, number]): [number, number, number] {
    const { vertices, weights } = this.embedding;
    const sum: [number, number, number] = [0, 0, 0];
    for (let at = 4 * vertex; at < 4 * vertex + 4; at++) {
      const x = position(vertices[at]);
      for (let c = 0; c < 3; c++) sum[c] += weights[at] * x[c];
    }
    return sum;
  }
}
