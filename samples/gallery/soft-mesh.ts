import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import type { Scene } from "@babylonjs/core/scene";
import type { SoftSurface } from "../scene";

/** The surface of a deformable body: its faces through the last positions that were read back, shaded smoothly. */
export class SoftMesh {
  readonly mesh: Mesh;
  private readonly positions: Float32Array;
  private readonly normals: Float32Array;
  private readonly indices: Uint32Array;

  constructor(
    private readonly surface: SoftSurface,
    scene: Scene,
  ) {
    const { body } = surface;
    // Faces of a model are wound as Babylon's front faces are.
    this.indices = surface.faces ?? body.model.faces;
    this.positions = Float32Array.from(body.latestPositions ?? body.model.positions);
    this.normals = new Float32Array(this.positions.length);
    VertexData.ComputeNormals(this.positions, this.indices, this.normals);
    const data = new VertexData();
    data.positions = this.positions;
    data.normals = this.normals;
    data.indices = this.indices;
    this.mesh = new Mesh(body.name, scene);
    data.applyToMesh(this.mesh, true);
    this.mesh.alwaysSelectAsActiveMesh = true;
  }

  /** Shows what came back last, and asks for more. */
  update(): void {
    const { body } = this.surface;
    body.requestReadback();
    if (body.latestPositions === undefined) return;
    this.positions.set(body.latestPositions);
    VertexData.ComputeNormals(this.positions, this.indices, this.normals);
    this.mesh.updateVerticesData("position", this.positions);
    this.mesh.updateVerticesData("normal", this.normals);
  }
}
