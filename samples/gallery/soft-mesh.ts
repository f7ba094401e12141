import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import type { Scene } from "@babylonjs/core/scene";
import { embeddedPositions } from "../../src/geometry/tetrahedra/embedding";
import { strainColour } from "../../plugin/deformable/mesh/surface";
import type { PropMaterial, SoftSurface } from "../scene";

/** The surface of a deformable body: its faces through the last positions that were read back, shaded smoothly. */
export class SoftMesh {
  readonly mesh: Mesh;
  private readonly positions: Float32Array;
  private readonly normals: Float32Array;
  private readonly indices: Uint32Array;
  /** lengths of the edges of the faces at rest, m */
  private readonly restLengths: Float64Array;
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
    this.restLengths = edgeLengths(this.positions, this.indices);
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

  /** Colors vertices by the mean strain of the edges around them. @param scale elongation that is full red; undefined: no colors */
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
    const { indices, restLengths } = this;
    const sums = new Float64Array(this.positions.length / 3);
    const counts = new Float64Array(sums.length);
    edgeLengths(this.positions, indices).forEach((length, k) => {
      const strain = length / restLengths[k] - 1;
      for (const vertex of [indices[k], indices[nextInFace(k)]]) {
        sums[vertex] += strain;
        counts[vertex]++;
      }
    });
    const colours = new Float32Array(4 * sums.length);
    sums.forEach((sum, v) => colours.set(strainColour(sum / Math.max(1, counts[v]) / scale), 4 * v));
    return colours;
  }

  private place(particles: ArrayLike<number>): void {
    const { skin } = this.surface;
    if (skin) embeddedPositions(skin.embedding, particles, this.positions);
    else this.positions.set(particles);
  }
}

/** Index of the next corner of the same face. */
function nextInFace(corner: number): number {
  return corner % 3 === 2 ? corner - 2 : corner + 1;
}

/** Lengths of the edges from each corner of the faces to the next [m]. */
function edgeLengths(positions: Float32Array, indices: Uint32Array): Float64Array {
  return Float64Array.from(indices, (a, k) => {
    const b = indices[nextInFace(k)];
    return Math.hypot(...[0, 1, 2].map((axis) => positions[3 * b + axis] - positions[3 * a + axis]));
  });
}
