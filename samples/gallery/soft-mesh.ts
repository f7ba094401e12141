import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import type { Scene } from "@babylonjs/core/scene";
import { embeddedPositions } from "../../src/geometry/tetrahedra/embedding";
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
    // Faces of a model are wound like Babylon's front faces.
    this.indices = surface.skin?.faces ?? surface.faces ?? body.model.faces;
    const particles = body.latestPositions ?? body.model.positions;
    this.positions = new Float32Array(surface.skin ? 3 * surface.skin.embedding.count : particles.length);
    this.place(particles);
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

  /** Shows the latest readback, and requests another. */
  update(): void {
    const { body } = this.surface;
    body.requestReadback();
    if (body.latestPositions === undefined) return;
    this.place(body.latestPositions);
    VertexData.ComputeNormals(this.positions, this.indices, this.normals);
    this.mesh.updateVerticesData("position", this.positions);
    this.mesh.updateVerticesData("normal", this.normals);
  }

  private place(particles: ArrayLike<number>): void {
    const { skin } = this.surface;
    if (skin) embeddedPositions(skin.embedding, particles, this.positions);
    else this.positions.set(particles);
  }
}
