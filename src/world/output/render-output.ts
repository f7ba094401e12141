/** Vertices that tetrahedra carry along, as `embedSurface` and `embedNormals` compute them. */
export interface RenderEmbedding {
  /** four particles a vertex */
  readonly vertices: Uint32Array;
  /** barycentric coordinates, four a vertex */
  readonly weights: Float64Array;
  /** normals in the basis of the tetrahedra's edges, three a vertex */
  readonly normals: Float64Array;
}

/** The buffers on the GPU that a body's vertices are written to for drawing. */
export interface RenderOutput {
  /** interleaved vertices: position xyz, normal xyz (24 bytes); usage STORAGE (and VERTEX) */
  readonly buffer: GPUBuffer;
  /** particle of each render vertex; alternative to `embedding` */
  readonly vertexToParticle?: Uint32Array | undefined;
  /** 1 for render vertices on the back of a two-sided surface, whose normals are reversed; default: none */
  readonly reversed?: Uint8Array | undefined;
  /** render vertices that tetrahedra of the body carry along */
  readonly embedding?: RenderEmbedding | undefined;
  /** world to mesh space, 16 numbers as Babylon and gl-matrix store them (translation last); default identity */
  readonly worldToLocal?: ArrayLike<number> | undefined;
  /** vec4f color of each render vertex by strain, not for an `embedding`: blue compressed, white at rest, red stretched */
  readonly strainBuffer?: GPUBuffer | undefined;
  /** elongation drawn as full red, default 0.05 */
  readonly strainScale?: number | undefined;
}
