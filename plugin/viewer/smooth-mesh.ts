// Babylon adds compute shaders to its engine by this import
import "@babylonjs/core/Engines/WebGPU/Extensions/engine.computeShader";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { StorageBuffer } from "@babylonjs/core/Buffers/storageBuffer";
import { ComputeShader } from "@babylonjs/core/Compute/computeShader";
import { Constants } from "@babylonjs/core/Engines/constants";
import type { WebGPUEngine } from "@babylonjs/core/Engines/webgpuEngine";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { SubMesh } from "@babylonjs/core/Meshes/subMesh";
import type { ClothAggregate } from "../cloth/cloth-aggregate";
import { BYTES_PER_VERTEX, FLOATS } from "../deformable/mesh/room";
import { refineMesh } from "../deformable/mesh/refine-mesh";
import { requireKind } from "../plugin-of";
import { shaders } from "../../src/generated/shaders/drawing";
import { invalid, unsupported } from "../../src/errors";
import { curveMiddles } from "../../src/geometry/triangles/curved-middles";
import { subdivide, type Subdivision } from "../../src/geometry/triangles/subdivide";
import { checkNames, optionNames } from "../../src/option-names";

/** Options of a `SmoothMesh`. */
export interface SmoothMeshOptions {
  /** halvings of each edge, 1 (default) to 3: four times the triangles each */
  levels?: number;
}

const smoothMeshNames = optionNames<SmoothMeshOptions>()("levels");
const MOST_LEVELS = 3;
const MOST_VERTICES = 1 << 22;
const USAGE = Constants.BUFFER_CREATIONFLAG_READWRITE | Constants.BUFFER_CREATIONFLAG_VERTEX;
const { smoothVertices } = shaders["drawing/smooth"].entryPoints;

/**
 * Draws cloth with more triangles than are simulated, curved by the normals of the simulated mesh: folds are round, and
 * the cloth passes through its own vertices. With a `WebGPUEngine` that draws cloth of backend `webgpu`, the vertices
 * stay on the GPU. The mesh of the aggregate is no longer drawn, but still picked, pinned and dragged.
 *
 * @example
 * ```ts
 * const sheet = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 24 }, scene);
 * const cloth = new ClothAggregate(sheet, { fabric: "silk", pins: [0, 24] }, scene);
 * const smooth = new SmoothMesh(cloth, { levels: 2 });
 * smooth.mesh.receiveShadows = true;
 * ```
 */
export class SmoothMesh {
  /** the mesh that is drawn, with the material of the aggregate's mesh: shadows and materials belong here */
  readonly mesh: Mesh;
  private readonly cut: Subdivision;
  private readonly onGpu: SmoothVertices | undefined;
  private readonly interleaved: Float32Array;
  /** positions and normals on the CPU, vertexCount × 3 each */
  private readonly drawn: readonly Float32Array[];
  private readonly visibility: number;
  private readonly stopListening: () => void;

  /**
   * @throws PliantError for anything but cloth, cloth that tears, an option out of range, or more than 4 million
   * vertices; nothing is changed then
   */
  constructor(aggregate: ClothAggregate, options: SmoothMeshOptions = {}) {
    requireKind("SmoothMesh", aggregate, "pinEdge", "a ClothAggregate");
    const coarse = aggregate.mesh;
    const object = `SmoothMesh of "${coarse.name}"`;
    checkNames(object, options, smoothMeshNames);
    const { levels = 1 } = options;
    if (!(Number.isInteger(levels) && levels >= 1 && levels <= MOST_LEVELS))
      throw invalid(`${object}.levels`, levels, `must be a whole number, 1 to ${MOST_LEVELS}`);
    if (aggregate.body.onTear) throw unsupported(object, "tearing", "needs cloth that does not tear");
    const places = coarse.getVerticesData(VertexBuffer.PositionKind)!;
    const cut = subdivide(places, coarse.getIndices()!, 0, MOST_VERTICES, levels);
    if (!cut) throw invalid(`${object}.levels`, levels, `must leave ${MOST_VERTICES} vertices at most`);

    this.cut = cut;
    this.mesh = finerMesh(coarse, cut);
    this.interleaved = new Float32Array(FLOATS * cut.vertexCount);
    this.drawn = [0, 1].map(() => new Float32Array(3 * cut.vertexCount));
    const { storage } = aggregate._output;
    if (storage) this.onGpu = new SmoothVertices(this.mesh, storage, cut);
    this.visibility = coarse.visibility;
    coarse.visibility = 0;
    const scene = coarse.getScene();
    const drawing = scene.onBeforeActiveMeshesEvaluationObservable.add(() => this.follow(coarse));
    const gone = this.mesh.onDisposeObservable.add(() => this.dispose());
    const ended = aggregate.onDisposeObservable.add(() => this.dispose());
    this.stopListening = () => {
      scene.onBeforeActiveMeshesEvaluationObservable.remove(drawing);
      this.mesh.onDisposeObservable.remove(gone);
      aggregate.onDisposeObservable.remove(ended);
      if (!coarse.isDisposed()) coarse.visibility = this.visibility;
    };
    this.follow(coarse);
  }

  /** Draws the mesh of the aggregate again. */
  dispose(): void {
    this.stopListening();
    this.onGpu?.dispose();
    if (!this.mesh.isDisposed()) this.mesh.dispose(true);
  }

  private follow(coarse: Mesh): void {
    this.mesh.setBoundingInfo(coarse.getBoundingInfo());
    if (this.onGpu) return this.onGpu.follow();
    const [places, normals] = [VertexBuffer.PositionKind, VertexBuffer.NormalKind].map((kind) =>
      coarse.getVerticesData(kind)!,
    );
    const { cut, interleaved } = this;
    for (let v = 0; v < cut.oldCount; v++)
      for (let c = 0; c < 3; c++) {
        interleaved[FLOATS * v + c] = places[3 * v + c];
        interleaved[FLOATS * v + 3 + c] = normals[3 * v + c];
      }
    curveMiddles(cut, interleaved);
    [VertexBuffer.PositionKind, VertexBuffer.NormalKind].forEach((kind, k) => {
      const data = this.drawn[k];
      for (let v = 0; v < cut.vertexCount; v++)
        for (let c = 0; c < 3; c++) data[3 * v + c] = interleaved[FLOATS * v + 3 * k + c];
      this.mesh.updateVerticesData(kind, data, false, false);
    });
  }
}

/** A finer copy of a mesh below it, which its own vertices pass through. */
function finerMesh(coarse: Mesh, cut: Subdivision): Mesh {
  const mesh = new Mesh(`${coarse.name} (smooth)`, coarse.getScene());
  VertexData.ExtractFromMesh(coarse, true, true).applyToMesh(mesh, true);
  mesh.releaseSubMeshes();
  for (const { materialIndex, verticesStart, verticesCount, indexStart, indexCount } of coarse.subMeshes)
    new SubMesh(materialIndex, verticesStart, verticesCount, indexStart, indexCount, mesh);
  refineMesh(mesh, cut);
  mesh.parent = coarse;
  mesh.material = coarse.material;
  mesh.receiveShadows = coarse.receiveShadows;
  mesh.isPickable = false;
  mesh.doNotSyncBoundingInfo = true;
  return mesh;
}

/** Vertices of the finer mesh on the GPU: a dispatch for those of the coarse mesh, and one for each round of halving. */
class SmoothVertices {
  private readonly engine: WebGPUEngine;
  private readonly passes: readonly { shader: ComputeShader; groups: number }[];
  private readonly buffers: readonly StorageBuffer[];
  private readonly refill: () => void;

  constructor(mesh: Mesh, coarse: StorageBuffer, cut: Subdivision) {
    const engine = mesh.getEngine() as WebGPUEngine;
    this.engine = engine;
    const fine = new StorageBuffer(engine, BYTES_PER_VERTEX * cut.vertexCount, USAGE, `${mesh.name} vertices`);
    const parents = new StorageBuffer(engine, cut.parents.byteLength, undefined, `${mesh.name} parents`);
    const starts = [0, cut.oldCount, ...cut.counts];
    const ranges = starts.slice(1).map((end, k) => Uint32Array.of(cut.oldCount, starts[k], end));
    const rangeBuffers = ranges.map(() => new StorageBuffer(engine, 12, undefined, `${mesh.name} range`));
    this.buffers = [fine, parents, ...rangeBuffers];
    this.refill = () => {
      parents.update(cut.parents);
      rangeBuffers.forEach((buffer, k) => buffer.update(ranges[k]));
    };
    this.refill();
    engine.onContextRestoredObservable.add(this.refill);
    const bindingsMapping = smoothVertices.bindings;
    const source = { computeSource: shaders["drawing/smooth"].code };
    this.passes = ranges.map(([, first, end], k) => {
      const shader = new ComputeShader(mesh.name, engine, source, { bindingsMapping, entryPoint: "smoothVertices" });
      shader.setStorageBuffer("coarse", coarse);
      shader.setStorageBuffer("fine", fine);
      shader.setStorageBuffer("parents", parents);
      shader.setStorageBuffer("range", rangeBuffers[k]);
      return { shader, groups: Math.ceil((end - first) / 64) };
    });
    [VertexBuffer.PositionKind, VertexBuffer.NormalKind].forEach((kind, k) => {
      const shape = { stride: FLOATS, offset: 3 * k, size: 3, type: VertexBuffer.FLOAT, takeBufferOwnership: false };
      mesh.setVerticesBuffer(new VertexBuffer(engine, fine.getBuffer(), kind, shape), true, cut.vertexCount);
    });
  }

  follow(): void {
    for (const { shader, groups } of this.passes) if (!shader.dispatch(groups)) return;
  }

  dispose(): void {
    this.engine.onContextRestoredObservable.removeCallback(this.refill);
    for (const buffer of this.buffers) buffer.dispose();
  }
}
