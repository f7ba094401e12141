/** An engine with the bodies of a scene, none of which may fall asleep. */
export interface RigidEngine {
  readonly name: string;
  readonly settings: string;
  /** One frame. */
  step(dt: number): void;
  /**
   * Reads the pose of a body.
   *
   * @param out receives x, y, z [m] and a quaternion x, y, z, w
   */
  readPose(index: number, out: Float64Array): void;
  dispose(): void;
}
