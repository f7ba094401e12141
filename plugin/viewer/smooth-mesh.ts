import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { SubMesh } from "@babylonjs/core/Meshes/subMesh";
import type { ClothAggregate } from "../cloth/cloth-aggregate";
import { FLOATS } from "../deformable/mesh/room";
import { refineMesh, replaceTriangles } from "../deformable/mesh/refine-mesh";
import { requireKind } from "../plugin-of";
import { invalid, unsupported } from "../../src/errors";
import { curveMiddles } from "../../src/geometry/triangles/curved-middles";
import { placeShell, sheetShell, type SheetShell } from "../../src/geometry/triangles/sheet-shell";
import { spreadToParts, subdivide, type Subdivision } from "../../src/geometry/triangles/subdivide";
import { checkNames, optionNames } from "../../src/option-names";
import { SmoothVertices } from "./smooth-vertices";

/** Options of a `SmoothMesh`. */
export interface SmoothMeshOptions {
  /** halvings of each edge, 1 (default) to 3: four times the triangles each */
  levels?: number;
  /** thickness that is drawn, with a rim along open edges [m]; default 0: cloth is a surface without a rim */
  thickness?: number;
}

const smoothMeshNames = optionNames<SmoothMeshOptions>()("levels thickness");
const MOST_LEVELS = 3;
const MOST_VERTICES = 1 << 22;

/**
 * Draws cloth with more triangles than are simulated, curved by the normals of the simulated mesh: folds are round, and
 * the cloth passes through its own vertices. With a thickness it has two sides, and a rim along its open edges. With a
 * `WebGPUEngine` that draws cloth of backend `webgpu`, the vertices stay on the GPU. The mesh of the aggregate is no
 * longer drawn, but still picked, pinned and dragged; it is drawn again while the aggregate shows its strain.
 *
 * @example
 * ```ts
 * const sheet = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 24 }, scene);
 * const cloth = new ClothAggregate(sheet, { fabric: "silk", pins: [0, 24] }, scene);
 * const smooth = new SmoothMesh(cloth, { levels: 2, thickness: 0.002 });
 * smooth.mesh.receiveShadows = true;
 * ```
 */
export class SmoothMesh {
  /** the mesh that is drawn, with the material of the aggregate's mesh: shadows and materials belong here */
  readonly mesh: Mesh;
  private readonly cut: Subdivision;
  private readonly shell: SheetShell | undefined;
  /** as of `placeShell`: half of the thickness, and the scales of the frame */
  private readonly half = new Float32Array(4);
  private readonly onGpu: SmoothVertices | undefined;
  private readonly interleaved: Float32Array;
  /** positions and normals on the CPU, vertexCount × 3 each */
  private readonly drawn: readonly Float32Array[];
  private readonly visibility: number;
  private readonly stopListening: () => void;

  /**
   * @throws PliantError for anything but cloth, cloth that tears, an option out of range, or more than 4 million
   * vertices, 1 million with a thickness; nothing is changed then
   */
  constructor(aggregate: ClothAggregate, options: SmoothMeshOptions = {}) {
    requireKind("SmoothMesh", aggregate, "pinEdge", "a ClothAggregate");
    const coarse = aggregate.mesh;
    const object = `SmoothMesh of "${coarse.name}"`;
    checkNames(object, options, smoothMeshNames);
    const { levels = 1, thickness = 0 } = options;
    if (!(Number.isInteger(levels) && levels >= 1 && levels <= MOST_LEVELS))
      throw invalid(`${object}.levels`, levels, `must be a whole number, 1 to ${MOST_LEVELS}`);
    if (!(Number.isFinite(thickness) && thickness >= 0))
      throw invalid(`${object}.thickness`, thickness, "must be 0 or more, and finite");
    if (aggregate.body.onTear) throw unsupported(object, "tearing", "needs cloth that does not tear");
    const places = coarse.getVerticesData(VertexBuffer.PositionKind)!;
    const most = thickness > 0 ? MOST_VERTICES / 4 : MOST_VERTICES;
    const cut = subdivide(places, coarse.getIndices()!, 0, most, levels);
    if (!cut) throw invalid(`${object}.levels`, levels, `must leave ${most} vertices at most`);

    this.cut = cut;
    if (thickness > 0) this.shell = sheetShell(spreadToParts(cut, places, 3), cut.indices);
    this.half[0] = thickness / 2;
    this.mesh = finerMesh(coarse, cut, this.shell);
    const { storage } = aggregate._output;
    if (storage) this.onGpu = new SmoothVertices(this.mesh, storage, cut, this.shell, this.half);
    this.interleaved = new Float32Array(FLOATS * cut.vertexCount);
    const { vertexCount } = this.shell ?? cut;
    this.drawn = [0, 1].map(() => new Float32Array(3 * vertexCount));
    this.visibility = coarse.visibility;
    const scene = coarse.getScene();
    const drawing = scene.onBeforeActiveMeshesEvaluationObservable.add(() => this.follow(aggregate));
    const gone = this.mesh.onDisposeObservable.add(() => this.dispose());
    const ended = aggregate.onDisposeObservable.add(() => this.dispose());
    this.stopListening = () => {
      scene.onBeforeActiveMeshesEvaluationObservable.remove(drawing);
      this.mesh.onDisposeObservable.remove(gone);
      aggregate.onDisposeObservable.remove(ended);
      if (!coarse.isDisposed()) coarse.visibility = this.visibility;
    };
    this.follow(aggregate);
  }

  /** Draws the mesh of the aggregate again. */
  dispose(): void {
    this.stopListening();
    this.onGpu?.dispose();
    if (!this.mesh.isDisposed()) this.mesh.dispose(true);
  }

  private follow({ mesh: coarse, _output: output }: ClothAggregate): void {
    const showsStrain = output.strainScale !== undefined;
    this.mesh.isVisible = !showsStrain;
    coarse.visibility = showsStrain ? this.visibility : 0;
    this.mesh.setBoundingInfo(coarse.getBoundingInfo());
    coarse.absoluteScaling.asArray().forEach((scale, c) => void (this.half[1 + c] = 1 / (scale * scale)));
    if (this.onGpu) return this.onGpu.follow();
    const [places, normals] = [VertexBuffer.PositionKind, VertexBuffer.NormalKind].map((kind) =>
      coarse.getVerticesData(kind)!,
    );
    const { cut, shell, interleaved, drawn } = this;
    for (let v = 0; v < cut.oldCount; v++)
      for (let c = 0; c < 3; c++) {
        interleaved[FLOATS * v + c] = places[3 * v + c];
        interleaved[FLOATS * v + 3 + c] = normals[3 * v + c];
      }
    curveMiddles(cut, interleaved);
    if (shell) placeShell(shell, interleaved, this.half, drawn[0], drawn[1]);
    else
      for (let v = 0; v < cut.vertexCount; v++)
        for (let i = 0; i < FLOATS; i++) drawn[i < 3 ? 0 : 1][3 * v + (i % 3)] = interleaved[FLOATS * v + i];
    [VertexBuffer.PositionKind, VertexBuffer.NormalKind].forEach((kind, k) =>
      this.mesh.updateVerticesData(kind, drawn[k], false, false),
    );
  }
}

/** A finer copy of a mesh below it, which its own vertices pass through, or its shell. */
function finerMesh(coarse: Mesh, cut: Subdivision, shell: SheetShell | undefined): Mesh {
  const mesh = new Mesh(`${coarse.name} (smooth)`, coarse.getScene());
  VertexData.ExtractFromMesh(coarse, true, true).applyToMesh(mesh, true);
  mesh.releaseSubMeshes();
  for (const { materialIndex, verticesStart, verticesCount, indexStart, indexCount } of coarse.subMeshes)
    new SubMesh(materialIndex, verticesStart, verticesCount, indexStart, indexCount, mesh);
  refineMesh(mesh, cut);
  if (shell) {
    const { vertexCount, corners } = shell;
    replaceTriangles(mesh, shell, (values, size) =>
      Float32Array.from({ length: size * vertexCount }, (_, i) => {
        const v = corners[4 * Math.floor(i / size)] >>> 2;
        return values[size * v + (i % size)];
      }),
    );
  }
  mesh.parent = coarse;
  mesh.material = coarse.material;
  mesh.receiveShadows = coarse.receiveShadows;
  mesh.isPickable = false;
  mesh.doNotSyncBoundingInfo = true;
  return mesh;
}
