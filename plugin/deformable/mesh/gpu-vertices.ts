import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { StorageBuffer } from "@babylonjs/core/Buffers/storageBuffer";
import { Constants } from "@babylonjs/core/Engines/constants";
import type { WebGPUEngine } from "@babylonjs/core/Engines/webgpuEngine";
import type { Geometry } from "@babylonjs/core/Meshes/geometry";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { DeformableBody } from "../../../src/index";
import { MatrixWatch, worldMatrixOf } from "../../rigid/node-pose";
import { engineMatrixOf } from "../../scene-frame";
import { LocalVertices } from "./local-vertices";
import { setWorldBounds } from "./mesh-bounds";
import { MirroredBuffer } from "./mirrored-buffer";
import { strainColour } from "./surface";
import { OwnColours } from "./vertex-colours";
import { BYTES_PER_VERTEX, FLOATS } from "./room";
import type { VertexOutput } from "./vertex-output";
import type { VertexSkin } from "./vertex-skin";

const USAGE = Constants.BUFFER_CREATIONFLAG_READWRITE | Constants.BUFFER_CREATIONFLAG_VERTEX;

/** Rendered frames for which states are read back after vertices were requested on the CPU. */
const INTEREST = 120;

/** Frames with steps after which a state is read back without a request, so that the first pick is not far off. */
const LOOK_INTERVAL = 90;

/**
 * Vertices that never leave the GPU: the buffer that the simulation writes is the vertex buffer that Babylon draws.
 * Positions and normals are interleaved (24 bytes a vertex).
 *
 * A request for data on the CPU gets them from the last state that was read back. For a while after a request, states
 * are read back in every frame.
 */
export class GpuVertices implements VertexOutput {
  /** Drawing waits for the simulation, since both are in one queue. */
  readonly isBehind = false;
  readonly storage: StorageBuffer;
  private parts: readonly VertexBuffer[] = [];
  private colours: StorageBuffer | undefined;
  private ownColours: OwnColours | undefined;
  strainScale: number | undefined;
  private readonly watch = new MatrixWatch();
  private readonly vertices = new LocalVertices(this.mesh, this.skin);
  private mirror: { of: ArrayLike<number>; data: Float32Array } | undefined;
  /** rendered frames for which states are still read back */
  private interest = 0;
  /** frames with steps since a state was read back */
  private unseenFrames = 0;
  private seen: ArrayLike<number> | undefined;
  private readonly stopListening: () => void;

  constructor(
    private readonly mesh: Mesh,
    private readonly engine: WebGPUEngine,
    private readonly body: DeformableBody,
    private readonly skin: VertexSkin,
  ) {
    const bytes = BYTES_PER_VERTEX * skin.vertexCount;
    this.storage = new StorageBuffer(engine, bytes, USAGE, `${mesh.name} vertices`);
    this.show();
    // a pick may follow when the pointer moves
    const scene = mesh.getScene();
    const observer = scene.onPrePointerObservable.add(() => mesh.isPickable && this.beInterested());
    this.stopListening = () => scene.onPrePointerObservable.remove(observer);
  }

  afterFrame(stepped: boolean): void {
    if (stepped) this.unseenFrames++;
    this.follow();
    this.updateBounds();
  }

  followMesh(): void {
    this.follow();
    this.readBack();
  }

  catchUp(): void {
    this.forgetMirror();
    this.connect();
    this.updateBounds();
  }

  showStrain(scale: number | undefined): void {
    this.strainScale = scale;
    if (scale !== undefined && !this.colours) {
      this.ownColours = new OwnColours(this.mesh);
      const bytes = 4 * Float32Array.BYTES_PER_ELEMENT * this.skin.vertexCount;
      this.colours = new StorageBuffer(this.engine, bytes, USAGE, `${this.mesh.name} strain`);
      this.bindColours(this.colours);
    }
    this.connect();
    if (scale === undefined) this.freeColours();
  }

  reconnect(): void {
    this.forgetMirror();
    this.connect();
  }

  release(): void {
    this.body.setRenderOutput(undefined);
  }

  restore(): void {
    // Babylon has made new storage buffers by now, with ordinary vertex buffers of the same size in their places
    this.show();
    if (this.colours) this.bindColours(this.colours);
  }

  /**
   * The mesh keeps its drawn shape: a moment later its vertices come to the CPU, and become ordinary buffers. Until
   * then the CPU has the last state that was read back.
   */
  dispose(): void {
    this.stopListening();
    const { storage, engine } = this;
    if (this.drawnParts().length === 0) return this.free();
    const last = this.onCpu();
    this.onCpu = () => last;
    const keep = (drawn: Float32Array): void => {
      if (!engine.isDisposed) this.keep(drawn);
    };
    void storage.read(undefined, undefined, undefined, true).then(
      ({ buffer, byteOffset, byteLength }) => keep(new Float32Array(buffer, byteOffset, byteLength / 4)),
      () => keep(last),
    );
  }

  /** Replaces buffers of the simulation by ordinary ones in all geometries that still draw them. */
  private keep(drawn: Float32Array): void {
    const { vertexCount } = this.skin;
    for (const { geometry, part } of this.drawnParts()) {
      const isColour = part.getKind() === VertexBuffer.ColorKind;
      const data = isColour ? part.getFloatData(vertexCount, true)! : columns(drawn, part);
      geometry.setVerticesData(part.getKind(), data, true, part.getSize());
    }
    this.storage.dispose();
    this.colours?.dispose();
  }

  /** Geometries with buffers of the simulation: the mesh's, and those of clones if it was made unique since. */
  private drawnParts(): { geometry: Geometry; part: VertexBuffer }[] {
    const own = [this.storage.getBuffer(), this.colours?.getBuffer()];
    return this.mesh.getScene().geometries.flatMap((geometry) =>
      [VertexBuffer.PositionKind, VertexBuffer.NormalKind, VertexBuffer.ColorKind].flatMap((kind) => {
        const part = geometry.getVertexBuffer(kind);
        return part && own.some((buffer) => buffer && buffer === part.getBuffer()) ? [{ geometry, part }] : [];
      }),
    );
  }

  /** Vertices interleaved as on the GPU. */
  private onCpu = (): Float32Array => {
    this.beInterested();
    const of = this.body.latestPositions ?? this.body.model.positions;
    if (this.mirror?.of === of) return this.mirror.data;
    const { vertices, skin } = this;
    vertices.write(of);
    const data = this.mirror?.data ?? new Float32Array(FLOATS * skin.vertexCount);
    for (let v = 0; v < skin.vertexCount; v++)
      for (let c = 0; c < 3; c++) {
        data[FLOATS * v + c] = vertices.positions[3 * v + c];
        data[FLOATS * v + 3 + c] = vertices.normals[3 * v + c];
      }
    this.mirror = { of, data };
    return data;
  };

  private strainsOnCpu(): Float32Array {
    const strains = this.skin.strains?.(this.body.latestPositions ?? this.body.model.positions) ?? [];
    return Float32Array.from([...strains].flatMap((strain) => strainColour(strain / (this.strainScale ?? 1))));
  }

  private beInterested(): void {
    this.interest = INTEREST;
  }

  /** Called once a rendered frame. */
  private readBack(): void {
    if (this.interest > 0) this.interest--;
    if (this.unseenFrames > 0 && (this.interest > 0 || this.unseenFrames >= LOOK_INTERVAL)) this.body.requestReadback();
    const { latestPositions } = this.body;
    if (latestPositions === this.seen) return;
    this.seen = latestPositions;
    this.unseenFrames = 0;
    this.mesh._resetPointsArrayCache();
  }

  private forgetMirror(): void {
    if (this.mirror) this.mirror = { of: [], data: this.mirror.data };
    this.mesh._resetPointsArrayCache();
  }

  private follow(): void {
    if (this.isReplaced) {
      this.show();
      if (this.colours) this.bindColours(this.colours);
    }
    if (!this.watch.changed(worldMatrixOf(this.mesh))) return;
    this.forgetMirror();
    this.connect();
    this.updateBounds();
  }

  /** Whether the mesh has got other buffers, for example by `createNormals`. */
  private get isReplaced(): boolean {
    const { mesh, parts, skin } = this;
    if (mesh.getTotalVertices() !== skin.vertexCount) return false;
    return parts.some((part) => mesh.getVertexBuffer(part.getKind()) !== part);
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

  private show(): void {
    this.forgetMirror();
    this.bind(this.storage, FLOATS, () => this.onCpu(), [
      [VertexBuffer.PositionKind, 0, 3],
      [VertexBuffer.NormalKind, 3, 3],
    ]);
    // only Babylon has read the data, which is no request
    this.interest = 0;
    this.watch.changed(worldMatrixOf(this.mesh));
    this.connect();
    this.updateBounds();
  }

  private bindColours(colours: StorageBuffer): void {
    this.bind(colours, 4, () => this.strainsOnCpu(), [[VertexBuffer.ColorKind, 0, 4]]);
  }

  /** Makes one Babylon buffer for all its parts, owned only by the storage buffer. */
  private bind(
    storage: StorageBuffer,
    stride: number,
    mirror: () => Float32Array,
    kinds: [kind: string, offset: number, size: number][],
  ): void {
    const shared = new MirroredBuffer(this.engine, storage.getBuffer(), stride, mirror);
    const type = VertexBuffer.FLOAT;
    const parts = kinds.map(
      ([kind, offset, size]) =>
        new VertexBuffer(this.engine, shared, kind, { stride, offset, size, type, takeBufferOwnership: false }),
    );
    for (const part of parts) this.mesh.setVerticesBuffer(part, true, this.skin.vertexCount);
    this.parts = [...this.parts.filter((old) => !kinds.some(([kind]) => kind === old.getKind())), ...parts];
  }

  private connect(): void {
    this.body.setRenderOutput({
      buffer: rawBuffer(this.storage),
      ...this.skin.output,
      worldToLocal: engineMatrixOf(this.mesh).inverse().asArray(),
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
    this.parts = this.parts.filter((part) => part.getKind() !== VertexBuffer.ColorKind);
    this.ownColours = undefined;
    this.colours = undefined;
  }
}

/** The data of a part of an interleaved buffer, one vertex after the other. */
function columns(interleaved: Float32Array, part: VertexBuffer): Float32Array {
  const [size, offset] = [part.getSize(), part.byteOffset / Float32Array.BYTES_PER_ELEMENT];
  const count = interleaved.length / FLOATS;
  return Float32Array.from({ length: size * count }, (_, i) => {
    const vertex = Math.floor(i / size);
    return interleaved[FLOATS * vertex + offset + (i - size * vertex)];
  });
}

function rawBuffer(storage: StorageBuffer): GPUBuffer {
  return storage.getBuffer().underlyingResource as GPUBuffer;
}
