/** Places of the vertices of a mesh at a fixed number of frames a second, in the frame of its node. */
export interface MotionFrames {
  /** frames a second */
  readonly frameRate: number;
  readonly vertexCount: number;
  readonly frameCount: number;
  /** from the first frame to the last one [s] */
  readonly duration: number;
  /** least and greatest coordinates of all frames */
  readonly box: readonly [low: readonly number[], high: readonly number[]];
  /** Places of a frame, three numbers a vertex: a view, not a copy. */
  frame(index: number): Float32Array;
}
