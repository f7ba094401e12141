/** Where a body's vertices go for drawing, on the GPU. */
export interface RenderOutput {
  /** interleaved vertices: position xyz, normal xyz (24 bytes); usage STORAGE (and VERTEX) */
  readonly buffer: GPUBuffer;
  /** particle of each render vertex */
  readonly vertexToParticle: Uint32Array;
  /** world to mesh space, 16 numbers as Babylon and gl-matrix store them (translation last); default identity */
  readonly worldToLocal?: ArrayLike<number> | undefined;
  /** vec4f colour of each render vertex by strain: blue compressed, white at rest, red stretched */
  readonly strainBuffer?: GPUBuffer | undefined;
  /** elongation drawn as full red, default 0.05 */
  readonly strainScale?: number | undefined;
}
