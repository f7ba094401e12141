import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { boxOf, grown } from "../../../src/geometry/box";
import type { DeformableBody } from "../../../src/index";
import { MatrixWatch, worldMatrixOf } from "../../rigid/node-pose";
import { LocalVertices } from "./local-vertices";
import { setWorldBounds } from "./mesh-bounds";
import { strainColour } from "./surface";
import { OwnColours } from "./vertex-colours";
import type { VertexOutput } from "./vertex-output";
import type { VertexSkin } from "./vertex-skin";

const KINDS = [VertexBuffer.PositionKind, VertexBuffer.NormalKind];

/** Positions come a frame or two late; if they come later than this, the GPU cannot keep up. */
const MOST_UNSEEN = 4;

/** Vertices on the CPU: computed there, or read back from another device than the one that draws. */
export class CpuVertices implements VertexOutput {
  private readonly vertices = new LocalVertices(this.mesh, this.skin);
  /** buffers of the mesh, which the user may replace */
  private buffers: readonly (VertexBuffer | null)[] = [];
  private colours: Float32Array | undefined;
  private ownColours: OwnColours | undefined;
  strainScale: number | undefined;
  private shown: ArrayLike<number> | undefined = undefined;
  /** frames with steps since the last positions came */
  private unseenFrames = 0;
  private readonly watch = new MatrixWatch();

  constructor(
    private readonly mesh: Mesh,
    private readonly body: DeformableBody,
    private readonly skin: VertexSkin,
  ) {
    this.show();
  }

  /** Whether the drawn positions are more than a few steps old, since newer ones are still on their way. */
  get isBehind(): boolean {
    return this.unseenFrames > MOST_UNSEEN;
  }

  afterFrame(stepped: boolean): void {
    // A body that falls asleep shows its last place at once.
    if (stepped && !this.body.isAsleep) this.unseenFrames++;
    if (this.unseenFrames > 0) this.body.requestReadback();
    const particles = this.body.latestPositions;
    if (!particles || particles === this.shown) return this.followMesh();
    this.catchUp();
  }

  followMesh(): void {
    if (this.watch.changed(worldMatrixOf(this.mesh)) || this.isReplaced) this.show();
  }

  catchUp(): void {
    this.unseenFrames = 0;
    this.show();
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

  /** Positions come with the next state. */
  reconnect(): void {}

  /** The world handles the loss of a device of its own. */
  release(): void {}

  restore(): void {}

  dispose(): void {}

  private show(): void {
    const particles = this.body.latestPositions ?? this.body.model.positions;
    this.shown = particles;
    this.write(particles);
    const data = [this.vertices.positions, this.vertices.normals];
    if (this.isReplaced) {
      KINDS.forEach((kind, k) => this.mesh.setVerticesData(kind, data[k], true));
      this.buffers = KINDS.map((kind) => this.mesh.getVertexBuffer(kind));
    } else KINDS.forEach((kind, k) => this.mesh.updateVerticesData(kind, data[k], false, false));
    if (this.colours) this.mesh.updateVerticesData(VertexBuffer.ColorKind, this.colours, false, false);
    this.setBounds(particles);
  }

  /** Whether the mesh has got other buffers than those that are kept up to date, for example by `createNormals`. */
  private get isReplaced(): boolean {
    const { mesh, buffers, skin } = this;
    if (buffers.length > 0 && mesh.getTotalVertices() !== skin.vertexCount) return false;
    return KINDS.some((kind, k) => mesh.getVertexBuffer(kind) !== buffers[k]);
  }

  private write(particles: ArrayLike<number>): void {
    this.watch.changed(worldMatrixOf(this.mesh));
    this.vertices.write(particles, this.body._frames);
    if (this.strainScale !== undefined) this.writeColours(particles, this.strainScale);
  }

  private writeColours(particles: ArrayLike<number>, scale: number): void {
    this.skin.strains?.(particles).forEach((strain, v) => this.colours?.set(strainColour(strain / scale), 4 * v));
  }

  private setBounds(particles: ArrayLike<number>): void {
    const { min, max } = grown(boxOf(particles), this.skin.margin);
    setWorldBounds(this.mesh, min, max);
  }
}
