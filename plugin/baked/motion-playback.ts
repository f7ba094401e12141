import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { BoundingInfo } from "@babylonjs/core/Culling/boundingInfo";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Observable } from "@babylonjs/core/Misc/observable";
import { checkNames, optionNames } from "../../src/option-names";
import { requirePositive } from "../geometry/convert";
import type { MotionFrames } from "./motion-frames";
import { MotionNormals } from "./motion-normals";

/** Options of `BakedMotion.play`. */
export interface MotionPlaybackOptions {
  /** whether it begins again at its end; default true */
  loop?: boolean;
  /** seconds of the motion in a second; default 1 */
  speedRatio?: number;
}

const playbackOptionNames = optionNames<MotionPlaybackOptions>()("loop? speedRatio");

/**
 * A mesh that moves as recorded. Frames blend, so it is smooth at any rate.
 *
 * @example
 * ```ts
 * const playback = motion.play(sheet, { loop: false });
 * playback.onEndObservable.add(() => console.log("done"));
 * playback.time = 0.5;
 * playback.isPaused = true;
 * ```
 */
export class MotionPlayback {
  /** whether it begins again at its end */
  loop: boolean;
  /** seconds of the motion in a second */
  speedRatio: number;
  /** whether it stands still */
  isPaused = false;
  /** notifies when the end is reached; again for each round if it loops */
  readonly onEndObservable = new Observable<MotionPlayback>();
  private readonly motion: MotionFrames;
  private readonly mesh: Mesh;
  private readonly normals: MotionNormals;
  private readonly places: Float32Array;
  private readonly directions: Float32Array;
  private readonly stopDrawing: () => void;
  private clock = 0;
  private shown = -1;

  /** @internal use `BakedMotion.play` */
  constructor(motion: MotionFrames, mesh: Mesh, options: MotionPlaybackOptions) {
    const object = `BakedMotion.play "${mesh.name}"`;
    checkNames(object, options, playbackOptionNames);
    const { loop = true, speedRatio = 1 } = options;
    requirePositive(`${object}.speedRatio`, speedRatio);
    this.loop = loop;
    this.speedRatio = speedRatio;
    this.motion = motion;
    this.mesh = mesh;
    const given = mesh.getVerticesData(VertexBuffer.PositionKind)!;
    this.normals = new MotionNormals(mesh, Float32Array.from(given));
    this.places = new Float32Array(3 * motion.vertexCount);
    this.directions = new Float32Array(3 * motion.vertexCount);
    mesh.setVerticesData(VertexBuffer.PositionKind, this.places, true);
    mesh.setVerticesData(VertexBuffer.NormalKind, this.directions, true);
    const scene = mesh.getScene();
    const drawing = scene.onBeforeRenderObservable.add(() => {
      if (!this.isPaused) this.advance(scene.getEngine().getDeltaTime() / 1000);
    });
    const gone = mesh.onDisposeObservable.add(() => this.dispose());
    this.stopDrawing = () => {
      scene.onBeforeRenderObservable.remove(drawing);
      mesh.onDisposeObservable.remove(gone);
    };
    this.show();
    const [low, high] = motion.box;
    const [least, greatest] = [Vector3.FromArray(low), Vector3.FromArray(high)];
    mesh.setBoundingInfo(new BoundingInfo(least, greatest, mesh.computeWorldMatrix(true)));
  }

  /** Time since the first frame [s]; set it to jump. */
  get time(): number {
    return this.clock;
  }

  set time(seconds: number) {
    this.clock = Math.max(0, Math.min(seconds, this.motion.duration));
    this.show();
  }

  /** Ends the playback; the mesh keeps its shape. */
  dispose(): void {
    this.stopDrawing();
    this.onEndObservable.clear();
  }

  private advance(dt: number): void {
    const { duration } = this.motion;
    const next = this.clock + this.speedRatio * dt;
    if (next < duration || (!this.loop && this.clock === duration)) this.time = next;
    else {
      this.time = this.loop && duration > 0 ? next % duration : duration;
      this.onEndObservable.notifyObservers(this);
    }
  }

  private show(): void {
    const { motion, mesh, places, directions } = this;
    if (this.clock === this.shown) return;
    this.shown = this.clock;
    const at = this.clock * motion.frameRate;
    const from = Math.min(Math.floor(at), motion.frameCount - 1);
    const [a, b] = [motion.frame(from), motion.frame(Math.min(from + 1, motion.frameCount - 1))];
    for (let i = 0; i < places.length; i++) places[i] = a[i] + (at - from) * (b[i] - a[i]);
    this.normals.write(places, directions);
    mesh.updateVerticesData(VertexBuffer.PositionKind, places, false, false);
    mesh.updateVerticesData(VertexBuffer.NormalKind, directions, false, false);
  }
}
