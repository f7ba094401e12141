import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { DeformableBody } from "../../../src/index";
import type { RenderOutput } from "../../../src/world/output/render-output";

/** The dependence of the vertices of a mesh on the particles of its body. */
export interface VertexSkin {
  readonly vertexCount: number;
  /** largest distance of a vertex from the box of all particles [m] */
  readonly margin: number;
  /** the same dependence for the GPU; without it, vertices are computed on the CPU */
  readonly output?: Pick<RenderOutput, "vertexToParticle" | "reversed" | "embedding">;
  /** number of points, if all methods take indices of points instead of vertices */
  readonly pointCount?: number;
  /** Called before the mesh is drawn from the body for the first time. */
  prepare?(mesh: Mesh, body: DeformableBody): void;
  /** particles that hold a vertex or point */
  particlesOf(vertex: number): readonly number[];
  /**
   * Positions or velocities of vertices from those of particles, three numbers each.
   *
   * @param frames of a rope there, see `BodyState.frames`; default: those without twist
   */
  spread(particles: ArrayLike<number>, vertices: Float32Array, frames?: ArrayLike<number>): void;
  /** Normals of vertices, of any length, for positions of particles; world space. */
  normals(particles: ArrayLike<number>, vertices: Float32Array, frames?: ArrayLike<number>): void;
  /** Elongation at each vertex, if the strain can be drawn. */
  strains?(particles: ArrayLike<number>): Float64Array;
}
