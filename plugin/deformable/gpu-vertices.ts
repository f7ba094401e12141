import { Buffer, VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { StorageBuffer } from "@babylonjs/core/Buffers/storageBuffer";
import { Constants } from "@babylonjs/core/Engines/constants";
import type { WebGPUEngine } from "@babylonjs/core/Engines/webgpuEngine";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Matrix } from "@babylonjs/core/Maths/math.vector";
import { PliantError } from "../../src/errors";
import type { DeformableBody } from "../../src/index";
import { MatrixWatch, worldMatrixOf } from "../rigid/node-pose";
import { setWorldBounds } from "./mesh-bounds";
import { OwnColours } from "./vertex-colours";
import type { VertexOutput } from "./vertex-output";
import type { VertexSkin } from "./vertex-skin";

const FLOATS = 6;
const USAGE = Constants.BUFFER_CREATIONFLAG_READWRITE | Constants.BUFFER_CREATIONFLAG_VERTEX;

/** Bytes a vertex needs in the largest of the buffers. */
const BYTES_PER_VERTEX = FLOATS * Float32Array.BYTES_PER_ELEMENT;

/** @throws PliantError `device-limit` when a mesh has more vertices than one binding of the device can hold */
export function requireRoom(object: string, device: GPUDevice, vertexCount: number): void {
  const { maxStorageBufferBindingSize, maxBufferSize } = device.limits;
  const most = Math.floor(Math.min(maxStorageBufferBindingSize, maxBufferSize) / BYTES_PER_VERTEX);
  if (vertexCount > most)
    throw new PliantError(
      "device-limit",
      object,
      `${vertexCount} vertices`,
      `must have at most ${most} on this device`,
    );
}

/**
 * Vertices that never leave the GPU: the buffer that the simulation writes is the vertex buffer that Babylon draws.
 * Positions and normals are interleaved (24 bytes a vertex).
 */
export class GpuVertices implements VertexOutput {
  /** Drawing waits for the simulation: both are in one queue. */
  readonly isBehind = false;
  private storage: StorageBuffer;
  private colours: StorageBuffer | undefined;
  private ownColours: OwnColours | undefined;
  private strainScale: number | undefined;
  private readonly watch = new MatrixWatch();

  constructor(
    private readonly mesh: Mesh,
    private readonly engine: WebGPUEngine,
    private readonly body: DeformableBody,
    private readonly skin: VertexSkin,
  ) {
    const bytes = BYTES_PER_VERTEX * skin.vertexCount;
    this.storage = new StorageBuffer(engine, bytes, USAGE, `${mesh.name} vertices`);
    this.show();
    mesh.onDisposeObservable.addOnce(() => this.free());
  }

  afterFrame(): void {
    this.followMesh();
    this.updateBounds();
  }

  followMesh(): void {
    if (!this.watch.changed(worldMatrixOf(this.mesh))) return;
    this.connect();
    this.updateBounds();
  }

  private updateBounds(): void {
    const { min, max } = this.body.conservativeBounds();
    const { margin } = this.skin;
    setWorldBounds(
      this.mesh,
      [min[0] - margin, min[1] - margin, min[2] - margin],
      [max[0] + margin, max[1] + margin, max[2] + margin],
    );
  }

  showStrain(scale: number | undefined): void {
    this.strainScale = scale;
    if (scale !== undefined && !this.colours) {
      this.ownColours = new OwnColours(this.mesh);
      const bytes = 4 * Float32Array.BYTES_PER_ELEMENT * this.skin.vertexCount;
      this.colours = new StorageBuffer(this.engine, bytes, USAGE, `${this.mesh.name} strain`);
      this.bind(this.colours, 4, [[VertexBuffer.ColorKind, 0, 4]]);
    }
    this.connect();
    if (scale === undefined) this.freeColours();
  }

  reconnect(): void {
    this.connect();
  }

  release(): void {
    this.body.setRenderOutput(undefined);
  }

  restore(): void {
    // Babylon has made new storage buffers by now, and ordinary vertex buffers of the same size in their place
    this.show();
    if (this.colours) this.bind(this.colours, 4, [[VertexBuffer.ColorKind, 0, 4]]);
  }

  /** The vertex buffers stay as they are until the mesh goes, which frees them. */
  dispose(): void {}

  private show(): void {
    this.bind(this.storage, FLOATS, [
      [VertexBuffer.PositionKind, 0, 3],
      [VertexBuffer.NormalKind, 3, 3],
    ]);
    this.watch.changed(worldMatrixOf(this.mesh));
    this.connect();
  }

  /** One Babylon buffer for all its parts, owned by nobody but the storage buffer. */
  private bind(storage: StorageBuffer, stride: number, kinds: [kind: string, offset: number, size: number][]): void {
    const shared = new Buffer(this.engine, storage.getBuffer(), false, stride);
    for (const [kind, offset, size] of kinds) {
      const part = new VertexBuffer(this.engine, shared, kind, { stride, offset, size, takeBufferOwnership: false });
      this.mesh.setVerticesBuffer(part, true, this.skin.vertexCount);
    }
  }

  private connect(): void {
    this.body.setRenderOutput({
      buffer: rawBuffer(this.storage),
      ...this.skin.output,
      worldToLocal: Matrix.Invert(worldMatrixOf(this.mesh)).asArray(),
      strainBuffer: this.strainScale === undefined || !this.colours ? undefined : rawBuffer(this.colours),
      strainScale: this.strainScale,
    });
  }

  private free(): void {
    this.storage.dispose();
    this.freeColours();
  }

  private freeColours(): void {
    this.ownColours?.giveBack();
    this.colours?.dispose();
    this.ownColours = undefined;
    this.colours = undefined;
  }
}

function rawBuffer(storage: StorageBuffer): GPUBuffer {
  return storage.getBuffer().underlyingResource as GPUBuffer;
}
