/** Contact of cloth in the memory of the kernels: these find the particles that are near obstacles, the reference resolves their contact. */
import { facesMayTouch } from "../../../collision/contact/face-contact";
import { resolveParticleContact } from "../../../collision/contact/particle-contact";
import { returnReactions } from "../../../collision/obstacles/contact-reaction";
import type { FrameInput } from "../../deformable";
import type { GpbdOptions } from "../options";
import * as constants from "../../../generated/constants";
import { type ClothLayout, type ClothMemory, RECORD } from "./cloth-memory";
import type { SteppedCloth } from "./stepped-cloth";

/** Part of a place beside the middle of the body that f32 may be wrong by. */
const ROUNDING = 4e-7;

export class SimdContacts {
  /** positions in the substep of particles near obstacles [m], and their h²/m */
  private readonly positions: Float64Array;
  private readonly w: Float64Array;
  private frame: FrameInput | undefined;
  private options: Readonly<GpbdOptions> | undefined;
  private h = 0;
  private origin: ArrayLike<number> = [0, 0, 0];
  private withFaces = false;

  constructor(
    private readonly memory: ClothMemory,
    private readonly layout: ClothLayout,
    private readonly body: SteppedCloth,
  ) {
    const { particleCount } = body.model;
    this.positions = new Float64Array(3 * particleCount);
    this.w = new Float64Array(particleCount);
  }

  beginFrame(frame: FrameInput, options: Readonly<GpbdOptions>, h: number, origin: ArrayLike<number>): void {
    this.frame = frame;
    this.options = options;
    this.h = h;
    this.origin = origin;
    this.withFaces =
      options.faceContacts &&
      facesMayTouch(frame.colliders.primitives, this.body.topology.longestEdge, options.thickness);
  }

  beginSubstep(): void {
    if (this.frame!.colliders.primitiveCount > 0) this.body.scratch.contact.fill(0);
  }

  project(substep: number): void {
    this.projectParticles(substep);
  }

  projectParticles(substep: number): void {
    const { memory, layout, body, positions, w, options } = this;
    const { colliders } = this.frame!;
    const count = this.findNear();
    if (count === 0) return;
    const { f32, f64, u32, u8 } = memory;
    const x = layout.x / 8;
    const start = f64.subarray(x, x + positions.length);
    const { contact, reaction } = body.scratch;
    const { substeps } = options!;
    for (let k = 0; k < count; k++) {
      const p = u32[layout.list / 4 + k];
      u8[layout.flags + p] = 0;
      const record = (RECORD / 4) * p;
      w[p] = f32[record + 3]!;
      if (!(w[p] > 0)) continue;
      for (let c = 0; c < 3; c++) positions[3 * p + c] = start[3 * p + c] + f32[record + 4 + c];
      const [from, to] = [substep / substeps, (substep + 1) / substeps];
      if (!resolveParticleContact(colliders, p, positions, start, contact, options!, from, to, w[p], reaction)) continue;
      for (let c = 0; c < 3; c++) f32[record + 4 + c] = positions[3 * p + c] - start[3 * p + c];
    }
  }

  returnReactions(): void {
    const { body, frame, w, positions, h } = this;
    returnReactions(body.scratch.reaction, frame!.colliders, w, positions, h);
  }

  /** Lists the particles near obstacles. */
  private findNear(): number {
    const { layout, origin } = this;
    const { kernels, f32 } = this.memory;
    const { bounds, slack, primitiveCount } = this.frame!.colliders;
    if (primitiveCount === 0) return 0;
    kernels.boxOfWays(layout.end, layout.scratch);
    const box = layout.scratch / 4;
    const reach = (1 + constants.TOUCHING) * this.options!.thickness;
    let count = 0;
    for (let k = 0; k < primitiveCount; k++) {
      let isNear = true;
      for (let c = 0; c < 3; c++) {
        const least = bounds[6 * k + c] - origin[c];
        const most = bounds[6 * k + 3 + c] - origin[c];
        const away = Math.max(Math.abs(f32[box + c]), Math.abs(f32[box + 4 + c]));
        const margin = reach + slack[k] + ROUNDING * away;
        near[c] = least - margin;
        near[3 + c] = most + margin;
        // Written so that NaN counts as a miss.
        if (!(f32[box + c] <= near[3 + c] && f32[box + 4 + c] >= near[c])) isNear = false;
      }
      if (!isNear) continue;
      const [x0, y0, z0, x1, y1, z1] = near as unknown as [number, number, number, number, number, number];
      count = kernels.listNear(layout.end, layout.flags, layout.list, count, x0, y0, z0, x1, y1, z1);
    }
    return count;
  }
}

/** a box that particles may be near: least and most, beside the origin of the body */
const near = new Float64Array(6);
