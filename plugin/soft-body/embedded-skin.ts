import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { embeddedNormals, embeddedPositions } from "../../src/geometry/tetrahedra/embedding";
import type { Subdivision } from "../../src/geometry/triangles/subdivide";
import type { Embedding } from "../../src/index";
import type { RenderEmbedding } from "../../src/world/output/render-output";
import { refineMesh } from "../deformable/mesh/refine-mesh";
import type { VertexSkin } from "../deformable/mesh/vertex-skin";

/** A corner with a lower weight does not hold its vertex. */
const PART = 1e-6;

/** A skin whose vertices are carried along by tetrahedra. */
export class EmbeddedSkin implements VertexSkin {
  readonly vertexCount = this.embedding.count;
  readonly margin;
  readonly output: { readonly embedding: RenderEmbedding };

  /**
   * @param covectors normals of the vertices at rest, as computed by `embedNormals`
   * @param subdivision subdivision of the mesh before it is drawn
   */
  constructor(
    private readonly embedding: Embedding,
    private readonly covectors: Float64Array,
    private readonly subdivision?: Subdivision,
  ) {
    // A vertex outside its tetrahedron moves further than the tetrahedron, which may stretch.
    this.margin = 2 * embedding.outside.reduce((most, distance) => Math.max(most, distance), 0);
    this.output = { embedding: { vertices: embedding.vertices, weights: embedding.weights, normals: covectors } };
  }

  prepare(mesh: Mesh): void {
    if (this.subdivision) refineMesh(mesh, this.subdivision);
  }

  /** The corners of its tetrahedron that hold the vertex. */
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

  /** The place of a vertex for positions of particles. */
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
