import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { BodyModel, DeformableBody, Tear } from "../../src/index";
import type { ClothModel } from "../../src/models/gpbd/cloth";
import { trianglesOf } from "../geometry/triangles";
import { WeldedSkin } from "./welded-skin";

/**
 * The skin of cloth that tears. The mesh gets spare vertices at the start, as many as tears may need, so that none of
 * its buffers has to grow later. A tear copies the data of a vertex to a spare one, which replaces it in some
 * triangles.
 */
export class TornSkin extends WeldedSkin {
  /** vertices of the corners of the mesh's triangles, wound as in the body */
  private readonly corners: Uint32Array;
  /** triangles of the mesh for each face of the body: two, if the mesh has two sides */
  private readonly faceTriangles: readonly (readonly number[])[];
  private indices = new Uint32Array();
  private mesh: Mesh | undefined;
  private nextSpare: number;
  /** vertex data besides positions and normals */
  private readonly attributes = new Map<string, { data: Float32Array; size: number }>();

  /**
   * @param corners corners of the mesh, three vertices a triangle
   * @param most particles that tears may add
   */
  constructor(
    model: BodyModel & Pick<ClothModel, "vertexToParticle" | "triangleFaces" | "reversed">,
    corners: ArrayLike<number>,
    most: number,
  ) {
    const vertexToParticle = withSpares(model.vertexToParticle, most);
    const reversed = new Uint8Array(vertexToParticle.length);
    reversed.set(model.reversed);
    super(model, vertexToParticle, reversed);
    this.corners = Uint32Array.from(corners);
    this.nextSpare = model.vertexToParticle.length;
    const faceTriangles: number[][] = Array.from({ length: model.faces.length / 3 }, () => []);
    model.triangleFaces.forEach((face, triangle) => face >= 0 && faceTriangles[face].push(triangle));
    this.faceTriangles = faceTriangles;
  }

  /** Called before the mesh is drawn from the body. */
  override prepare(mesh: Mesh, body: DeformableBody): void {
    super.prepare(mesh, body);
    this.mesh = mesh;
    this.indices = Uint32Array.from(trianglesOf(mesh, this.nextSpare));
    // updatable from the start, since Babylon drops the submeshes if it makes the indices updatable later
    mesh.setIndices(this.indices, null, true, true);
    for (const kind of mesh.getVerticesDataKinds()) {
      const buffer = mesh.getVertexBuffer(kind);
      const values = mesh.getVerticesData(kind);
      if (!buffer || !values || kind === VertexBuffer.PositionKind || kind === VertexBuffer.NormalKind) continue;
      const size = buffer.getSize();
      const data = new Float32Array(size * this.vertexCount);
      data.set(values);
      this.attributes.set(kind, { data, size });
      mesh.setVerticesData(kind, data, true, size);
    }
  }

  /** Applies a tear; returns the new vertices. */
  follow({ splits }: Tear): number[] {
    const added: number[] = [];
    for (const { from, to, faces } of splits) {
      const copies = new Map<number, number>();
      for (const triangle of faces.flatMap((face) => this.faceTriangles[face]))
        for (let i = 3 * triangle; i < 3 * triangle + 3; i++) {
          const vertex = this.corners[i];
          if (this.vertexToParticle[vertex] !== from) continue;
          let copy = copies.get(vertex);
          if (copy === undefined) {
            copy = this.copyOf(vertex, to);
            copies.set(vertex, copy);
            added.push(copy);
          }
          this.corners[i] = copy;
          const at = this.indices.subarray(3 * triangle, 3 * triangle + 3).indexOf(vertex);
          this.indices[3 * triangle + at] = copy;
        }
    }
    this.output = { vertexToParticle: this.vertexToParticle.slice(), reversed: this.reversed.slice() };
    const { mesh } = this;
    if (!mesh || mesh.isDisposed()) return added;
    for (const [kind, { data }] of this.attributes) mesh.updateVerticesData(kind, data);
    mesh.updateIndices(this.indices);
    return added;
  }

  private copyOf(vertex: number, particle: number): number {
    const copy = this.nextSpare++;
    this.vertexToParticle[copy] = particle;
    this.reversed[copy] = this.reversed[vertex];
    for (const { data, size } of this.attributes.values())
      data.copyWithin(size * copy, size * vertex, size * (vertex + 1));
    return copy;
  }
}

/** Adds spare vertices: enough if every spare particle is needed at the particle with most vertices. */
function withSpares(vertexToParticle: Uint32Array, most: number): Uint32Array {
  const counts = new Map<number, number>();
  let together = 1;
  for (const particle of vertexToParticle) {
    const count = (counts.get(particle) ?? 0) + 1;
    counts.set(particle, count);
    together = Math.max(together, count);
  }
  const all = new Uint32Array(vertexToParticle.length + together * most);
  all.set(vertexToParticle);
  return all;
}
