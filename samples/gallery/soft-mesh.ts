import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import type { Scene } from "@babylonjs/core/scene";
import { embeddedPositions } from "../../src/geometry/tetrahedra/embedding";
import { particleStrains, strainColour } from "../../plugin/deformable/mesh/surface";
import type { PropMaterial, SoftSurface } from "../scene";

/** The surface of a deformable body: its faces through the last positions that were read back, shaded smoothly. */
export class SoftMesh {
  readonly mesh: Mesh;
  private readonly positions: Float32Array;
  private readonly normals: Float32Array;
  private readonly indices: Uint32Array;
  /** places of the vertices at rest, m */
  private readonly rest: Float32Array;
  private strainScale: number | undefined;

  constructor(
    private readonly surface: SoftSurface,
    scene: Scene,
  ) {
    const { body } = surface;
    // Faces of a model are wound like Babylon's front faces.
    this.indices = surface.skin?.faces ?? surface.faces ?? body.model.faces;
    const particles = body.latestPositions ?? body.model.positions;
    this.positions = new Float32Array(surface.skin ? 3 * surface.skin.embedding.count : particles.length);
    this.place(body.model.positions);
    this.rest = this.positions.slice();
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

  get material(): PropMaterial {
    return this.surface.material;
  }

  /** Colors vertices by their strain, as cloth has it. @param scale elongation that is full red; undefined: no colors */
  showStrain(scale: number | undefined): void {
    this.strainScale = scale;
    if (scale === undefined) this.mesh.removeVerticesData("color");
    else this.mesh.setVerticesData("color", this.strainColours(scale), true);
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
    if (this.strainScale !== undefined) this.mesh.updateVerticesData("color", this.strainColours(this.strainScale));
  }

  private strainColours(scale: number): Float32Array {
    const colours = new Float32Array((4 / 3) * this.positions.length);
    const strains = particleStrains(this.positions, this.rest, this.indices);
    strains.forEach((strain, v) => colours.set(strainColour(strain / scale), 4 * v));
    return colours;
  }

  private place(particles: ArrayLike<number>): void {
    const { skin } = this.surface;
    if (skin) embeddedPositions(skin.embedding, particles, this.positions);
    else this.positions.set(particles);
  }
}
