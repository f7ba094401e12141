import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Matrix } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { DeformableBody } from "../../src/index";
import { MatrixWatch, worldMatrixOf } from "../rigid/node-pose";
import { setWorldBounds } from "./mesh-bounds";
import { strainColour } from "./surface";
import { OwnColours } from "./vertex-colours";
import type { VertexOutput } from "./vertex-output";
import type { VertexSkin } from "./vertex-skin";

/** Positions come a frame or two late; later than this a GPU does not keep up. */
const MOST_UNSEEN = 4;

/** Vertices on the CPU: computed there, or read back from a device that is not the one that draws. */
export class CpuVertices implements VertexOutput {
  private readonly positions: Float32Array;
  private readonly normals: Float32Array;
  private colours: Float32Array | undefined;
  private ownColours: OwnColours | undefined;
  private strainScale: number | undefined;
  private shown: ArrayLike<number> | undefined;
  /** frames with steps since positions last came */
  private unseenFrames = 0;
  private readonly watch = new MatrixWatch();

  constructor(
    private readonly mesh: Mesh,
    private readonly body: DeformableBody,
    private readonly skin: VertexSkin,
  ) {
    this.positions = new Float32Array(3 * skin.vertexCount);
    this.normals = new Float32Array(3 * skin.vertexCount);
    this.write(body.model.positions);
    mesh.setVerticesData(VertexBuffer.PositionKind, this.positions, true);
    mesh.setVerticesData(VertexBuffer.NormalKind, this.normals, true);
    this.setBounds(body.model.positions);
  }

  /** Whether what is drawn is older than a few steps, as positions are still on their way. */
  get isBehind(): boolean {
    return this.unseenFrames > MOST_UNSEEN;
  }

  afterFrame(stepped: boolean): void {
    if (stepped) this.unseenFrames++;
    if (this.unseenFrames > 0) this.body.requestReadback();
    const particles = this.body.latestPositions;
    if (!particles || particles === this.shown) return this.followMesh();
    this.unseenFrames = 0;
    this.show(particles);
  }

  followMesh(): void {
    if (this.watch.changed(worldMatrixOf(this.mesh))) this.show(this.shown ?? this.body.model.positions);
  }

  showStrain(scale: number | undefined): void {
    this.strainScale = scale;
    if (scale === undefined) {
      this.ownColours?.giveBack();
      this.ownColours = undefined;
      this.colours = undefined;
      return;
    }
    const first = !this.colours;
    this.ownColours ??= new OwnColours(this.mesh);
    this.colours ??= new Float32Array(4 * this.skin.vertexCount);
    this.writeColours(this.body.latestPositions ?? this.body.model.positions, scale);
    if (first) this.mesh.setVerticesData(VertexBuffer.ColorKind, this.colours, true);
    else this.mesh.updateVerticesData(VertexBuffer.ColorKind, this.colours, false, false);
  }

  /** Positions for them come with the next state. */
  reconnect(): void {}

  /** The world looks after a device of its own. */
  release(): void {}

  restore(): void {}

  dispose(): void {}

  private show(particles: ArrayLike<number>): void {
    this.shown = particles;
    this.write(particles);
    this.mesh.updateVerticesData(VertexBuffer.PositionKind, this.positions, false, false);
    this.mesh.updateVerticesData(VertexBuffer.NormalKind, this.normals, false, false);
    if (this.colours) this.mesh.updateVerticesData(VertexBuffer.ColorKind, this.colours, false, false);
    this.setBounds(particles);
  }

  /** Positions and normals of all vertices in the frame of the mesh, from particles in world space. */
  private write(particles: ArrayLike<number>): void {
    const world = worldMatrixOf(this.mesh);
    this.watch.changed(world);
    const m = world.asArray();
    const inverse = Matrix.Invert(world).asArray();
    const { positions, normals, skin } = this;
    skin.spread(particles, positions);
    skin.normals(particles, normals);
    for (let v = 0; v < positions.length; v += 3) {
      const [x, y, z] = [positions[v], positions[v + 1], positions[v + 2]];
      positions[v] = x * inverse[0] + y * inverse[4] + z * inverse[8] + inverse[12];
      positions[v + 1] = x * inverse[1] + y * inverse[5] + z * inverse[9] + inverse[13];
      positions[v + 2] = x * inverse[2] + y * inverse[6] + z * inverse[10] + inverse[14];
      // normals transform by the transposed inverse of the way from world to mesh
      const [p, q, r] = [normals[v], normals[v + 1], normals[v + 2]];
      const nx = p * m[0] + q * m[1] + r * m[2];
      const ny = p * m[4] + q * m[5] + r * m[6];
      const nz = p * m[8] + q * m[9] + r * m[10];
      const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
      normals[v] = nx / length;
      normals[v + 1] = ny / length;
      normals[v + 2] = nz / length;
    }
    if (this.strainScale !== undefined) this.writeColours(particles, this.strainScale);
  }

  private writeColours(particles: ArrayLike<number>, scale: number): void {
    this.skin.strains?.(particles).forEach((strain, v) => this.colours?.set(strainColour(strain / scale), 4 * v));
  }

  private setBounds(particles: ArrayLike<number>): void {
    const min = [Infinity, Infinity, Infinity];
    const max = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < particles.length; i++) {
      min[i % 3] = Math.min(min[i % 3], particles[i]);
      max[i % 3] = Math.max(max[i % 3], particles[i]);
    }
    const { margin } = this.skin;
    const [low, high] = [min.map((value) => value - margin), max.map((value) => value + margin)];
    setWorldBounds(this.mesh, [low[0], low[1], low[2]], [high[0], high[1], high[2]]);
  }
}
