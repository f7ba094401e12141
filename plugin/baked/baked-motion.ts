import type { AnimationGroup } from "@babylonjs/core/Animations/animationGroup";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { invalid, unsupported } from "../../src/errors";
import { boxOf } from "../../src/geometry/box";
import { requirePositive } from "../geometry/convert";
import { requireIndices } from "../deformable/mesh/require-indices";
import { requireMesh } from "../plugin-of";
import type { MotionFrames } from "./motion-frames";
import { MotionPlayback, type MotionPlaybackOptions } from "./motion-playback";
import { addMorphTargets } from "./morph-targets";

const MAGIC = 0x4e4f4d50; // "PMON"
const HEADER = 40;
const STEPS = 65535;

/**
 * The recorded places of the vertices of a mesh, in the frame of its node, at a fixed number of frames a second.
 *
 * @example
 * ```ts
 * const motion = await recorder.stopAsync();
 * motion.play(otherSheet);
 * const same = BakedMotion.FromBytes(motion.toBytes());
 * same.toMorphTargets(exportedSheet).start(true);
 * ```
 */
export class BakedMotion implements MotionFrames {
  /**
   * @param positions frame after frame, three numbers a vertex, in the frame of the node
   * @throws PliantError for a frame rate that is not positive, or positions that are no whole number of frames
   */
  constructor(
    readonly frameRate: number,
    readonly vertexCount: number,
    readonly positions: Float32Array,
  ) {
    requirePositive("BakedMotion.frameRate", frameRate);
    if (!(positions instanceof Float32Array))
      throw invalid("BakedMotion.positions", positions, "must be a Float32Array");
    const count = positions.length / (3 * vertexCount);
    if (!(count >= 1 && Number.isInteger(count)))
      throw invalid("BakedMotion.positions", positions.length, "must be whole frames");
  }

  get frameCount(): number {
    return this.positions.length / (3 * this.vertexCount);
  }

  /** From the first frame to the last one [s]. */
  get duration(): number {
    return (this.frameCount - 1) / this.frameRate;
  }

  /** Places of a frame, three numbers a vertex: a view, not a copy. @throws PliantError `index-out-of-range` */
  frame(index: number): Float32Array {
    requireIndices("BakedMotion.frame", [index], this.frameCount, "frame");
    const size = 3 * this.vertexCount;
    return this.positions.subarray(index * size, (index + 1) * size);
  }

  /**
   * Moves a mesh as recorded, from now on, wherever its node is. Its vertices are replaced, and its normals follow.
   *
   * @throws PliantError for a mesh with another number of vertices, or an option out of range
   */
  play(mesh: AbstractMesh, options: MotionPlaybackOptions = {}): MotionPlayback {
    return new MotionPlayback(this, this.fitting(mesh, "play"), options);
  }

  /**
   * Gives a mesh a morph target for each frame, and an animation group that goes through them. Babylon's exporter
   * writes both to glTF, and any viewer plays them.
   *
   * @returns the group, which does not run yet
   * @throws PliantError for a mesh with another number of vertices, or with morph targets
   */
  toMorphTargets(mesh: AbstractMesh): AnimationGroup {
    return addMorphTargets(this, this.fitting(mesh, "toMorphTargets"));
  }

  /** The motion in six bytes a vertex and frame: lengths are exact to a 130,000th of the size of all motion. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const { positions, frameRate, vertexCount, frameCount } = this;
    const [low, high] = this.box;
    const bytes = new Uint8Array(HEADER + 2 * positions.length);
    const view = new DataView(bytes.buffer);
    [MAGIC, vertexCount, frameCount].forEach((value, i) => view.setUint32(4 * i, value, true));
    [frameRate, ...low, ...high].forEach((value, i) => view.setFloat32(12 + 4 * i, value, true));
    for (let i = 0; i < positions.length; i++) {
      const size = high[i % 3] - low[i % 3];
      const part = size > 0 ? (positions[i] - low[i % 3]) / size : 0;
      view.setUint16(HEADER + 2 * i, Math.round(STEPS * part), true);
    }
    return bytes;
  }

  /** @throws PliantError for bytes that `toBytes` did not make */
  static FromBytes(bytes: Uint8Array): BakedMotion {
    if (!ArrayBuffer.isView(bytes)) throw invalid("BakedMotion.FromBytes", bytes, "must be bytes of a motion");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isWhole = bytes.byteLength >= HEADER && view.getUint32(0, true) === MAGIC;
    const [vertexCount, frameCount] = isWhole ? [view.getUint32(4, true), view.getUint32(8, true)] : [0, 0];
    const count = 3 * vertexCount * frameCount;
    if (!isWhole || bytes.byteLength !== HEADER + 2 * count)
      throw invalid("BakedMotion.FromBytes", bytes.byteLength, "must be bytes of a motion");
    const [frameRate, ...box] = Array.from({ length: 7 }, (_, i) => view.getFloat32(12 + 4 * i, true));
    const positions = Float32Array.from({ length: count }, (_, i) => {
      const [low, high] = [box[i % 3], box[3 + (i % 3)]];
      return low + ((high - low) * view.getUint16(HEADER + 2 * i, true)) / STEPS;
    });
    return new BakedMotion(frameRate, vertexCount, positions);
  }

  /** Least and greatest coordinates of all frames, in the frame of the node [m]. */
  get box(): readonly [low: readonly number[], high: readonly number[]] {
    const { min, max } = boxOf(this.positions);
    return [min, max];
  }

  private fitting(mesh: AbstractMesh, what: string): Mesh {
    const object = `BakedMotion.${what} "${requireMesh(`BakedMotion.${what}`, mesh).name}"`;
    if (!(mesh instanceof Mesh))
      throw unsupported(object, mesh.getClassName(), "must be a Mesh with vertices of its own");
    if (mesh.getTotalVertices() !== this.vertexCount)
      throw invalid(object, mesh.getTotalVertices(), `must have ${this.vertexCount} vertices`);
    if (mesh.morphTargetManager) throw unsupported(object, "morph targets", "must not be deformed by anything else");
    // A clone gets vertices of its own.
    mesh.makeGeometryUnique();
    return mesh;
  }
}
