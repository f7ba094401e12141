/** How the vertices of a mesh are kept where the particles of its body are. */
export interface VertexOutput {
  /** Whether the simulation runs away from what is drawn. */
  readonly isBehind: boolean;
  /** After the steps of a frame; `stepped` says whether there were any. */
  afterFrame(stepped: boolean): void;
  /** Before drawing: vertices are in the frame of the mesh, and change when it moves though the body does not. */
  followMesh(): void;
  /** The body is in another state, or a state of it was read: the mesh and its data on the CPU have it now. */
  catchUp(): void;
  /** Colours the vertices by strain, full red at `scale`; or no longer, when undefined. */
  showStrain(scale: number | undefined): void;
  /** Vertices hang on other particles than before. */
  reconnect(): void;
  /** The device is gone. */
  release(): void;
  /** There is a new device, the body is on it. */
  restore(): void;
  /** The mesh keeps its last shape, in ordinary buffers whose data are on the CPU. */
  dispose(): void;
}
