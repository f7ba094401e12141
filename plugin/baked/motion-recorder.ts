import { Matrix } from "@babylonjs/core/Maths/math.vector";
import { PliantError, unsupported } from "../../src/errors";
import { checkNames, optionNames } from "../../src/option-names";
import { requireAggregate } from "../plugin-of";
import type { DeformableAggregate } from "../deformable/deformable-aggregate";
import { requirePositive } from "../geometry/convert";
import { transformPoints } from "../geometry/mesh-transform";
import { worldMatrixOf } from "../rigid/node-pose";
import { BakedMotion } from "./baked-motion";

/** Options of a `MotionRecorder`. */
export interface MotionRecorderOptions {
  /** frames recorded in a second of simulated time, at most one a step; default 30 */
  frameRate?: number;
}

const recorderOptionNames = optionNames<MotionRecorderOptions>()("frameRate");

/**
 * Records the motion of the vertices of cloth, a soft body or a rope, from now on. The result needs no physics to be
 * played: a `BakedMotion` moves any mesh with the same vertices, goes into a file, or becomes morph targets for glTF.
 *
 * @example
 * ```ts
 * const recorder = new MotionRecorder(cloth);
 * setTimeout(async () => {
 *   const motion = await recorder.stopAsync();
 *   cloth.dispose();
 *   motion.play(sheet);
 * }, 4000);
 * ```
 */
export class MotionRecorder {
  private readonly aggregate: DeformableAggregate;
  private readonly frameRate: number;
  private readonly frames: Promise<Float32Array | undefined>[] = [];
  /** From the world to the frame that the node of the mesh had at first. */
  private readonly toMesh: Matrix;
  private readonly end: () => void;
  private time = 0;

  /**
   * @throws PliantError for a frame rate that is not positive, an aggregate that is disposed of, and `unsupported` for
   * cloth that may tear, whose triangles change
   */
  constructor(aggregate: DeformableAggregate, options: MotionRecorderOptions = {}) {
    requireAggregate("MotionRecorder", aggregate);
    const object = `MotionRecorder "${aggregate.mesh.name}"`;
    checkNames(object, options, recorderOptionNames);
    const { frameRate = 30 } = options;
    requirePositive(`${object}.frameRate`, frameRate);
    if (aggregate.isDisposed) throw new PliantError("disposed", object, "an aggregate", "must not be disposed of");
    if (aggregate.body.onTear) throw unsupported(object, "tearing", "must be off: triangles change");
    this.aggregate = aggregate;
    this.frameRate = frameRate;
    this.toMesh = Matrix.Invert(worldMatrixOf(aggregate.mesh));
    const { onAfterStepObservable } = aggregate.plugin;
    const step = onAfterStepObservable.add((dt) => this.advance(dt));
    const gone = aggregate.onDisposeObservable.add(() => this.end());
    this.end = () => {
      onAfterStepObservable.remove(step);
      aggregate.onDisposeObservable.remove(gone);
    };
    this.record();
  }

  /** Frames so far. */
  get frameCount(): number {
    return this.frames.length;
  }

  /**
   * Ends the recording. It ends by itself when the aggregate is disposed of.
   *
   * @returns the motion; rejects with a PliantError if the device was lost and no frame could be read
   */
  async stopAsync(): Promise<BakedMotion> {
    this.end();
    const frames = (await Promise.all(this.frames)).filter((frame) => frame !== undefined);
    if (frames.length === 0)
      throw new PliantError("device-lost", "MotionRecorder", "0 frames", "needs a frame that could be read");
    const positions = new Float32Array(frames.length * frames[0].length);
    frames.forEach((frame, k) => positions.set(frame, k * frame.length));
    return new BakedMotion(this.frameRate, frames[0].length / 3, positions);
  }

  private advance(dt: number): void {
    this.time += dt;
    // A step may end a rounding error before the time of its frame.
    if (this.time * this.frameRate >= this.frames.length - 1e-6) this.record();
  }

  private record(): void {
    const { body, plugin, _skin: skin } = this.aggregate;
    const frame = body.readState().then(
      ({ positions, frames }) => {
        const vertices = new Float32Array(3 * skin.vertexCount);
        skin.spread(positions, vertices, frames);
        return Float32Array.from(transformPoints(plugin.frame.pointsInScene(vertices), this.toMesh));
      },
      () => undefined,
    );
    this.frames.push(frame);
  }
}
