import { Matrix } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { DeformableBody } from "../../src/index";
import { transformPoints } from "../mesh-transform";
import { MatrixWatch, worldMatrixOf } from "../rigid/node-pose";

/** Pinned particles that a node carries along. */
interface Attachment {
  readonly node: TransformNode;
  readonly particles: readonly number[];
  /** where the particles are in the frame of the node */
  readonly offsets: Float64Array;
  /** where they were at the start of the frame, and are to be at its end, world space */
  start: Float64Array;
  goal: Float64Array;
  readonly watch: MatrixWatch;
}

/** Nodes that carry parts of a deformable body. */
export class Attachments {
  private list: Attachment[] = [];

  constructor(private readonly body: DeformableBody) {}

  /** @param positions where the particles are, world space, one triple each */
  add(particles: readonly number[], node: TransformNode, positions: ArrayLike<number>): void {
    const world = worldMatrixOf(node);
    const watch = new MatrixWatch();
    watch.changed(world);
    const start = Float64Array.from(positions);
    const offsets = transformPoints(positions, Matrix.Invert(world));
    this.list.push({ node, particles, offsets, start, goal: start, watch });
  }

  /** Takes a node's particles off it, or all; returns them. */
  remove(node?: TransformNode): number[] {
    const removed = this.list.filter((attachment) => node === undefined || attachment.node === node);
    this.list = this.list.filter((attachment) => !removed.includes(attachment));
    return removed.flatMap((attachment) => [...attachment.particles]);
  }

  /** Takes single particles off whatever carries them. */
  release(particles: ReadonlySet<number>): void {
    this.list = this.list
      .map((attachment) => without(attachment, particles))
      .filter((attachment) => attachment.particles.length > 0);
  }

  /** Particles that some node carries. */
  get particles(): Set<number> {
    return new Set(this.list.flatMap((attachment) => [...attachment.particles]));
  }

  /** Moves the particles the part `fraction` of the way that their nodes went in this frame. */
  beforeStep(fraction: number): void {
    for (const attachment of this.list) {
      const { node, particles, offsets, watch } = attachment;
      const world = worldMatrixOf(node);
      if (watch.changed(world)) attachment.goal = transformPoints(offsets, world);
      const { start, goal } = attachment;
      if (start === goal) continue;
      particles.forEach((particle, i) => {
        const at = (c: number): number => start[3 * i + c] + fraction * (goal[3 * i + c] - start[3 * i + c]);
        this.body.setPinTarget(particle, at(0), at(1), at(2));
      });
      if (fraction >= 1) attachment.start = goal;
    }
  }
}

function without(attachment: Attachment, released: ReadonlySet<number>): Attachment {
  const kept = attachment.particles.map((_, i) => i).filter((i) => !released.has(attachment.particles[i]));
  if (kept.length === attachment.particles.length) return attachment;
  const pick = (values: Float64Array): Float64Array =>
    Float64Array.from(kept.flatMap((i) => [...values.subarray(3 * i, 3 * i + 3)]));
  return {
    ...attachment,
    particles: kept.map((i) => attachment.particles[i]),
    offsets: pick(attachment.offsets),
    start: pick(attachment.start),
    goal: pick(attachment.goal),
  };
}
