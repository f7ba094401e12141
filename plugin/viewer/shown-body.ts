import "@babylonjs/core/Meshes/thinInstanceMesh";
import { Color3 } from "@babylonjs/core/Maths/math.color";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { CreateLineSystem } from "@babylonjs/core/Meshes/Builders/linesBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { LinesMesh } from "@babylonjs/core/Meshes/linesMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Color4 } from "@babylonjs/core/Maths/math.color";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Scene } from "@babylonjs/core/scene";
import { buildEdges } from "../../src/geometry/surface/edges";
import type { DeformableAggregate } from "../deformable/deformable-aggregate";

/** Parts of a body that a `DeformableViewer` draws. */
export interface DeformableViewerOptions {
  /** balls at the particles, as large as the distance that they keep from obstacles: pinned ones are red. Default true */
  particles?: boolean;
  /** lines along the edges of the simulated mesh: blue where it is shorter than at rest, red where it is longer. Default true */
  edges?: boolean;
  /** strain at which an edge is all blue or red, default 0.05 */
  strain?: number;
}

const PINNED = [0.9, 0.1, 0.1, 1];
const FREE = [1, 0.8, 0.2, 1];

/** Particles and edges of a body in a layer over its scene. */
export class ShownBody {
  private readonly balls: Mesh | undefined;
  private readonly lines: LinesMesh | undefined;
  /** two particles each, and their distance at rest [m] */
  private readonly edges: ArrayLike<number> = edgesOf(this.aggregate);
  private readonly lengths: Float64Array;
  private readonly matrices = new Float32Array(16 * this.aggregate.body.model.particleCount);
  private readonly colors = new Float32Array(4 * this.aggregate.body.model.particleCount);
  private readonly ends = new Float32Array(3 * this.edges.length);
  private readonly shades = new Float32Array(4 * this.edges.length);

  constructor(
    private readonly scene: Scene,
    private readonly aggregate: DeformableAggregate,
    private readonly options: Required<DeformableViewerOptions>,
  ) {
    const { model } = aggregate.body;
    this.lengths = Float64Array.from({ length: this.edges.length / 2 }, (_, k) => this.lengthOf(model.positions, k));
    if (options.particles) this.balls = this.makeBalls();
    if (options.edges && this.edges.length > 0) this.lines = this.makeLines();
    this.follow();
  }

  /** Brings what is drawn to the last state that is known on the CPU, and asks for the next one. */
  follow(): void {
    const { body, plugin } = this.aggregate;
    const meters = body.latestPositions ?? body.model.positions;
    const places = plugin.frame.pointsInScene(meters);
    if (this.balls) this.placeBalls(this.balls, places);
    if (this.lines) this.placeLines(this.lines, places, meters);
    body.requestReadback();
  }

  dispose(): void {
    this.balls?.material?.dispose();
    this.balls?.dispose();
    this.lines?.dispose();
  }

  private makeBalls(): Mesh {
    const { name } = this.aggregate.mesh;
    const balls = CreateSphere(`particles of ${name}`, { diameter: 1, segments: 4 }, this.scene);
    const material = new StandardMaterial(`particles of ${name}`, this.scene);
    material.emissiveColor = Color3.White();
    material.disableLighting = true;
    balls.material = material;
    balls.alwaysSelectAsActiveMesh = true;
    balls.isPickable = false;
    balls.thinInstanceSetBuffer("matrix", this.matrices, 16, false);
    balls.thinInstanceSetBuffer("color", this.colors, 4, false);
    return balls;
  }

  private makeLines(): LinesMesh {
    const count = this.edges.length / 2;
    const lines = Array.from({ length: count }, () => [Vector3.Zero(), Vector3.Zero()]);
    const colors = Array.from({ length: count }, () => [new Color4(1, 1, 1, 1), new Color4(1, 1, 1, 1)]);
    const name = `edges of ${this.aggregate.mesh.name}`;
    const mesh = CreateLineSystem(name, { lines, colors, updatable: true }, this.scene);
    mesh.alwaysSelectAsActiveMesh = true;
    mesh.isPickable = false;
    return mesh;
  }

  private placeBalls(balls: Mesh, places: ArrayLike<number>): void {
    const { body, plugin } = this.aggregate;
    const { matrices, colors } = this;
    const size = 2 * body.options.thickness * plugin.frame.unitsPerMetre;
    for (let p = 0; p < matrices.length / 16; p++) {
      for (let c = 0; c < 3; c++) {
        matrices[16 * p + 5 * c] = size;
        matrices[16 * p + 12 + c] = places[3 * p + c];
      }
      matrices[16 * p + 15] = 1;
      colors.set(body.isPinned(p) ? PINNED : FREE, 4 * p);
    }
    balls.thinInstanceBufferUpdated("matrix");
    balls.thinInstanceBufferUpdated("color");
  }

  private placeLines(lines: LinesMesh, places: ArrayLike<number>, meters: ArrayLike<number>): void {
    const { edges, ends, shades, lengths } = this;
    for (let k = 0; k < lengths.length; k++) {
      const part = (this.lengthOf(meters, k) / lengths[k] - 1) / this.options.strain;
      const short = Math.min(1, Math.max(0, -part));
      const long = Math.min(1, Math.max(0, part));
      for (let end = 2 * k; end < 2 * k + 2; end++) {
        for (let c = 0; c < 3; c++) ends[3 * end + c] = places[3 * edges[end] + c];
        shades.set([1 - short, 1 - short - long, 1 - long, 1], 4 * end);
      }
    }
    lines.updateVerticesData(VertexBuffer.PositionKind, ends);
    lines.updateVerticesData(VertexBuffer.ColorKind, shades);
  }

  private lengthOf(x: ArrayLike<number>, edge: number): number {
    const [a, b] = [3 * this.edges[2 * edge], 3 * this.edges[2 * edge + 1]];
    return Math.hypot(x[a] - x[b], x[a + 1] - x[b + 1], x[a + 2] - x[b + 2]);
  }
}

/** Edges of triangles, of all tetrahedra, and of ropes. */
function edgesOf({ body }: DeformableAggregate): ArrayLike<number> {
  const { model } = body;
  if ("rods" in model && model.rods) return model.rods.edges;
  const { tetrahedra, faces } = model;
  if (!tetrahedra) return buildEdges(faces).vertices;
  const triangles: number[] = [];
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const [a, b, c, d] = tetrahedra.subarray(t, t + 4);
    triangles.push(a, b, c, a, d, b);
    triangles.push(b, c, d);
  }
  return buildEdges(triangles).vertices;
}
