// Babylon adds compute shaders to its engine by this import
import "@babylonjs/core/Engines/WebGPU/Extensions/engine.computeShader";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { StorageBuffer } from "@babylonjs/core/Buffers/storageBuffer";
import { ComputeShader } from "@babylonjs/core/Compute/computeShader";
import { Constants } from "@babylonjs/core/Engines/constants";
import type { WebGPUEngine } from "@babylonjs/core/Engines/webgpuEngine";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { BYTES_PER_VERTEX, FLOATS } from "../deformable/mesh/room";
import { shaders } from "../../src/generated/shaders/drawing";
import type { SheetShell } from "../../src/geometry/triangles/sheet-shell";
import type { Subdivision } from "../../src/geometry/triangles/subdivide";

const USAGE = Constants.BUFFER_CREATIONFLAG_READWRITE | Constants.BUFFER_CREATIONFLAG_VERTEX;
const smooth = shaders["drawing/smooth"];
const thick = shaders["drawing/shell"];

/** Vertices of a `SmoothMesh` on the GPU: a dispatch for those of the coarse mesh, one for each halving, and one for a shell. */
export class SmoothVertices {
  private readonly engine: WebGPUEngine = this.mesh.getEngine() as WebGPUEngine;
  private readonly passes: readonly { shader: ComputeShader; groups: number }[];
  private readonly buffers: StorageBuffer[] = [];
  private readonly refills: (() => void)[] = [];
  private readonly halfBuffer: StorageBuffer;
  private readonly refill = (): void => this.refills.forEach((fill) => fill());

  /** @param half as of `placeShell`; it may change */
  constructor(
    private readonly mesh: Mesh,
    coarse: StorageBuffer,
    cut: Subdivision,
    shell: SheetShell | undefined,
    private readonly half: Float32Array,
  ) {
    const fine = this.room(cut.vertexCount);
    const parents = this.table(cut.parents);
    const starts = [0, cut.oldCount, ...cut.counts];
    this.passes = starts.slice(1).map((end, k) => {
      const range = this.table(Uint32Array.of(cut.oldCount, starts[k], end));
      return this.pass(smooth.code, "smoothVertices", { coarse, fine, parents, range }, end - starts[k]);
    });
    this.halfBuffer = this.table(half);
    const drawn = shell ? this.room(shell.vertexCount) : fine;
    if (shell) {
      const buffers = { sheet: fine, shell: drawn, corners: this.table(shell.corners), half: this.halfBuffer };
      this.passes = [...this.passes, this.pass(thick.code, "placeShell", buffers, shell.vertexCount)];
    }
    this.engine.onContextRestoredObservable.add(this.refill);
    [VertexBuffer.PositionKind, VertexBuffer.NormalKind].forEach((kind, k) => {
      const shape = { stride: FLOATS, offset: 3 * k, size: 3, type: VertexBuffer.FLOAT, takeBufferOwnership: false };
      const vertices = new VertexBuffer(this.engine, drawn.getBuffer(), kind, shape);
      mesh.setVerticesBuffer(vertices, true, (shell ?? cut).vertexCount);
    });
  }

  follow(): void {
    this.halfBuffer.update(this.half);
    for (const { shader, groups } of this.passes) if (!shader.dispatch(groups)) return;
  }

  dispose(): void {
    this.engine.onContextRestoredObservable.removeCallback(this.refill);
    for (const buffer of this.buffers) buffer.dispose();
  }

  private room(vertexCount: number): StorageBuffer {
    const buffer = new StorageBuffer(this.engine, BYTES_PER_VERTEX * vertexCount, USAGE, `${this.mesh.name} vertices`);
    this.buffers.push(buffer);
    return buffer;
  }

  /** A buffer with data, which it gets again when the device was lost. */
  private table(data: Uint32Array | Float32Array): StorageBuffer {
    const buffer = new StorageBuffer(this.engine, data.byteLength, undefined, `${this.mesh.name} table`);
    this.buffers.push(buffer);
    this.refills.push(() => buffer.update(data));
    buffer.update(data);
    return buffer;
  }

  private pass(
    computeSource: string,
    entryPoint: "smoothVertices" | "placeShell",
    buffers: Readonly<Record<string, StorageBuffer>>,
    vertexCount: number,
  ): { shader: ComputeShader; groups: number } {
    const { bindings } = { ...smooth.entryPoints, ...thick.entryPoints }[entryPoint];
    const options = { bindingsMapping: bindings, entryPoint };
    const shader = new ComputeShader(this.mesh.name, this.engine, { computeSource }, options);
    for (const [name, buffer] of Object.entries(buffers)) shader.setStorageBuffer(name, buffer);
    return { shader, groups: Math.ceil(vertexCount / 64) };
  }
}
