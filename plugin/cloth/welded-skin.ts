import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { DeformableBody } from "../../src/index";
import { particleStrains } from "../deformable/mesh/surface";
import { vertexNormals } from "../../src/geometry/triangles/triangle";
import type { VertexSkin } from "../deformable/mesh/vertex-skin";

/** Every vertex hangs on one particle. Several vertices share one along seams, and on the two sides of a mesh. */
export class WeldedSkin implements VertexSkin {
  readonly vertexCount = this.vertexToParticle.length;
  readonly margin = 0;
  output: { readonly vertexToParticle: Uint32Array; readonly reversed: Uint8Array };

  /** area vectors around particles */
  private sums = new Float64Array();

  /** @param reversed 1 for vertices of the back of a mesh with two sides */
  constructor(
    private model: DeformableBody["model"],
    protected readonly vertexToParticle: Uint32Array,
    protected readonly reversed: Uint8Array,
  ) {
    this.output = { vertexToParticle, reversed };
  }

  prepare(_mesh: Mesh, body: DeformableBody): void {
    this.model = body.model;
  }

  particlesOf(vertex: number): readonly number[] {
    return [this.vertexToParticle[vertex]];
  }

  spread(particles: ArrayLike<number>, vertices: Float32Array): void {
    const { vertexToParticle } = this;
    for (let vertex = 0; vertex < vertexToParticle.length; vertex++) {
      const from = 3 * vertexToParticle[vertex];
      const to = 3 * vertex;
      vertices[to] = particles[from];
      vertices[to + 1] = particles[from + 1];
      vertices[to + 2] = particles[from + 2];
    }
  }

  normals(particles: ArrayLike<number>, vertices: Float32Array): void {
    if (this.sums.length !== particles.length) this.sums = new Float64Array(particles.length);
    this.spread(vertexNormals(particles, this.model.faces, this.sums), vertices);
    const { reversed } = this;
    for (let vertex = 0; vertex < reversed.length; vertex++)
      if (reversed[vertex]) for (let i = 3 * vertex; i < 3 * vertex + 3; i++) vertices[i] = -vertices[i];
  }

  strains(particles: ArrayLike<number>): Float64Array {
    const { positions, faces } = this.model;
    const strains = particleStrains(particles, positions, faces);
    return Float64Array.from(this.vertexToParticle, (particle) => strains[particle]);
  }
}
