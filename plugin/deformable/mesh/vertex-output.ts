import type { StorageBuffer } from "@babylonjs/core/Buffers/storageBuffer";

/** Keeps the vertices of a mesh at the places that the particles of its body give them. */
export interface VertexOutput {
  /** Whether drawing cannot keep up with the simulation. */
  readonly isBehind: boolean;
  /** position xyz and normal xyz of the vertices, if they are on the GPU that draws */
  readonly storage?: StorageBuffer;
  /** strain whose color is full red, while vertices are colored by strain */
  readonly strainScale: number | undefined;
  /** Called after the steps of a frame; `stepped` says whether there were any. */
  afterFrame(stepped: boolean): void;
  /**
   * Called before drawing: vertices are in the frame of the mesh, and change when the mesh moves even if the body does
   * not.
   */
  followMesh(): void;
  /** Called after the body got another state, or a state was read: the mesh and its data on the CPU get it now. */
  catchUp(): void;
  /** Colors the vertices by strain, full red at `scale`; undefined ends that. */
  showStrain(scale: number | undefined): void;
  /** Called when vertices hang on other particles than before. */
  reconnect(): void;
  /** Called when the device is lost. */
  release(): void;
  /** Called when there is a new device with the body on it. */
  restore(): void;
  /** Ends the output. The mesh keeps its last shape, in ordinary buffers with data on the CPU. */
  dispose(): void;
}
