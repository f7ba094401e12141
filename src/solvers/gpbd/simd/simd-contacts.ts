/**
 * Contact of cloth in the memory of the kernels. These resolve contact of particles with one obstacle that they know, and find the particles
 * and faces of which the reference has to resolve contact: where several obstacles meet, with other shapes, and with rigid bodies that feel it.
 */
import { clearance } from "../../../collision/contact/clearance";
import {
  faceMayTouch,
  facesMayTouch,
  mayStayWithin,
  resolveFaceContact,
  shareFacePushes,
  takePush,
} from "../../../collision/contact/face-contact";
import { resolveParticleContact } from "../../../collision/contact/particle-contact";
import { sweepContact as sweep } from "../../../collision/contact/sweep";
import { metered, squeezed } from "../../../collision/obstacles/drive-meter";
import {
  recordFaces,
  recordReaction,
  returnReactions,
  type Squeezing,
} from "../../../collision/obstacles/contact-reaction";
import * as constants from "../../../generated/constants";
import type { FrameInput } from "../../deformable";
import type { GpbdStepOptions } from "../options";
import { ObstacleWays } from "../obstacle-ways";
import { facePasses } from "../phases";
import { type ClothLayout, type ClothMemory, MOST_OBSTACLES, RECORD } from "./cloth-memory";
import { kernelShapeOf, OBSTACLE_BLOCK, writeBounds, writeObstacle } from "./obstacle-block";
import type { SteppedCloth } from "./stepped-cloth";

/** Part of a place beside the origin of the body that f32 may be wrong by. */
const ROUNDING = 4e-7;
/** The same for distances of boxes. */
const BOX_ROUNDING = 4e-6;
/** A face is tested from this many times its thickness on, as f32 may be wrong. */
const FACE_MARGIN = 1.001;
/** See assembly/cloth-kernels.ts. */
const OTHERS = 255;
/** Obstacles near a body from which on their boxes are tested first. */
const FEWEST_FOR_BOXES = 3;
const [FIND, OWNED, ALL] = [0, 1, 2];

/** Numbers of a record of a particle: W, and the displacement. */
const WEIGHT = 3;
const MOVED = 4;
/** Number of a particle's way in its place of the list of ways. */
const WAY = 3;

const push = new Float64Array(3);

export class SimdContacts {
  /** positions in the substep of particles near obstacles [m], and their h²/m */
  private readonly positions = new Float64Array(3 * this.body.model.particleCount);
  private readonly w = new Float64Array(this.body.model.particleCount);
  /** of those that rigid bodies push, for their meter [m/s] */
  private readonly velocities = new Float64Array(3 * this.body.model.particleCount);
  private readonly frame: { input?: FrameInput; options?: Readonly<GpbdStepOptions>; origin: ArrayLike<number> } = {
    origin: [0, 0, 0],
  };
  private h = 0;
  /** of the body from its origin [m] */
  private away = 0;
  private withFaces = false;
  /** obstacles near the body in this substep, their shapes in the kernels, and boxes beside its origin that its particles may touch them in */
  private count = 0;
  private readonly near: number[] = [];
  private readonly shapes: number[] = [];
  private readonly boxes: number[] = [];
  /** start and end of the substep in the frame */
  private readonly fractions = new Float64Array(2);
  private squeezing: Squeezing | undefined;
  private start = new Float64Array(0);
  /** least and greatest coordinates of the ways in a substep, in the memory [m] */
  private box: readonly Float32Array[] = [];
  private readonly obstacleWays = new ObstacleWays();
  /** of obstacles since particles' own were added to theirs [m]; infinite if nothing may wait */
  private obstacleWay = 0;
  /** the largest ways of particles in the frame, added up [m] */
  private gone = 0;
  /** distance of the body from obstacles that are not near it, `gone` when it was found, and the largest way of those that are near [m] */
  private far = Infinity;
  private farAt = 0;
  private way = 0;
  /** the most that a particle was moved by faces [m] */
  private most = 0;

  constructor(
    private readonly memory: ClothMemory,
    private readonly layout: ClothLayout,
    private readonly body: SteppedCloth,
  ) {}

  beginFrame(input: FrameInput, options: Readonly<GpbdStepOptions>, h: number, origin: ArrayLike<number>): void {
    Object.assign(this.frame, { input, options, origin });
    this.h = h;
    const { primitives } = input.colliders;
    this.withFaces = facesMayTouch(primitives, this.body.topology.longestEdge, options);
    const { f64, f32 } = this.memory;
    const { waits, faceWaits, obstacles, ways, untils, untilEnd } = this.layout;
    // A frame depends on nothing but the state before it.
    f32.fill(0, ways / 4, obstacles / 4);
    f32.fill(-1, waits / 4, faceWaits / 4);
    f64.fill(0, untils / 8, untilEnd / 8);
    this.gone = 0;
    this.obstacleWays.beginFrame(input.colliders);
    this.obstacleWay = 0;
    const isMoved = this.start.buffer !== f64.buffer;
    if (isMoved) this.start = f64.subarray(this.layout.x / 8, this.layout.x / 8 + this.positions.length);
    const { start, fractions } = this;
    this.squeezing = { start, material: options, fractions, sweep, hold: squeezed.by };
    if (!isMoved) return;
    const at = this.layout.scratch / 4;
    this.box = [f32.subarray(at, at + 3), f32.subarray(at + 4, at + 7)];
  }

  beginSubstep(): void {
    // Else contact of a particle begins where it is resolved.
    if (this.isRepeated) this.body.scratch.contact.fill(0);
  }

  /** Whether contact of a particle may be resolved more than once in a substep. */
  private get isRepeated(): boolean {
    const { warmStart, isLoaded } = this.frame.options!;
    return warmStart > 0 || isLoaded === true;
  }

  /** All contact in an iteration. */
  project(substep: number): void {
    this.findNear(substep);
    this.addObstacleWays(substep);
    if (this.count === 0) return;
    this.addWays();
    for (let pass = this.withFaces ? facePasses(this.frame.options!) : 0; pass > 0; pass--) {
      if (!this.findFaces() || !this.resolveFaces(substep)) break;
      if (pass === 1) continue;
      this.resolveParticles(substep, false);
      this.addWays();
    }
    this.resolveParticles(substep, !this.isRepeated);
  }

  /** Contact of particles before the elements see them. */
  projectEarly(substep: number): void {
    this.findNear(substep);
    if (this.count > 0) this.resolveParticles(substep, false);
  }

  private addObstacleWays(substep: number): void {
    const { box, frame } = this;
    const { colliders } = frame.input!;
    const { substeps, thickness } = frame.options!;
    // Contact of particles before that of faces would have to count, too.
    if (this.frame.options!.warmStart > 0) this.obstacleWay = Infinity;
    else if (colliders.primitiveCount > 0)
      this.obstacleWay += this.obstacleWays.largest(
        colliders,
        (substep + 1) / substeps,
        box[0]!,
        box[1]!,
        frame.origin,
        thickness,
      );
  }

  private addWays(): void {
    const { memory, layout, obstacleWay } = this;
    this.gone += memory.kernels.addWays(layout.end, layout.ways, obstacleWay + ROUNDING * this.away);
    this.obstacleWay = 0;
  }

  /** Before velocities are those after the substep: see `DriveMeter`. */
  meter(): void {
    const { body, frame, w, velocities, layout, memory, h } = this;
    const { reaction } = body.scratch;
    if (!metered.by) return;
    const { owner } = reaction;
    const { f32 } = memory;
    for (let p = 0; p < owner.length; p++)
      for (let c = 0; owner[p] >= 0 && c < 3; c++) velocities[3 * p + c] = f32[layout.v / 4 + 4 * p + c]!;
    metered.by.note(reaction, frame.input!.colliders, w, velocities, h, frame.input!.pace);
  }

  returnReactions(substep: number): void {
    const { body, frame, w, positions, h, fractions } = this;
    const { substeps } = frame.options!;
    fractions[0] = substep / substeps;
    fractions[1] = (substep + 1) / substeps;
    returnReactions(body.scratch.reaction, frame.input!.colliders, w, positions, h, this.squeezing!, frame.input!.pace);
  }

  /** Obstacles that the box of the body's ways meets. */
  private findNear(substep: number): void {
    const { layout, near, boxes, shapes, frame } = this;
    const { kernels, f32, u32 } = this.memory;
    const { colliders } = frame.input!;
    const { thickness, friction, frictionFactors, thicknessFactors, substeps } = frame.options!;
    const { bounds, slack, primitiveCount } = colliders;
    const from = substep / substeps;
    const to = (substep + 1) / substeps;
    this.count = 0;
    this.far = Infinity;
    this.farAt = this.gone;
    this.way = 0;
    if (primitiveCount === 0) return;
    kernels.boxOfWays(layout.end, layout.scratch);
    const box = layout.scratch / 4;
    const reach = (1 + constants.TOUCHING) * thickness;
    let size = 0;
    this.away = 0;
    for (let c = 0; c < 6; c++) this.away = Math.max(this.away, Math.abs(f32[box + c + (c > 2 ? 1 : 0)]));
    for (let c = 0; c < 3; c++) size = Math.max(size, f32[box + 4 + c] - f32[box + c]);
    for (let k = 0; k < primitiveCount; k++) {
      const at = 6 * this.count;
      let isNear = true;
      let gap = -Infinity;
      for (let c = 0; c < 3; c++) {
        const away = Math.max(Math.abs(f32[box + c]), Math.abs(f32[box + 4 + c]));
        const margin = reach + slack[k] + ROUNDING * away;
        const least = bounds[6 * k + c] - frame.origin[c] - margin;
        const most = bounds[6 * k + 3 + c] - frame.origin[c] + margin;
        // Written so that NaN counts as a miss.
        if (!(f32[box + c] <= most && f32[box + 4 + c] >= least)) isNear = false;
        gap = Math.max(gap, least - f32[box + 4 + c], f32[box + c] - most);
        boxes[at + c] = least;
        boxes[at + 3 + c] = most;
      }
      if (!isNear) {
        this.far = Math.min(this.far, gap);
        continue;
      }
      const n = this.count++;
      near[n] = k;
      // Kernels know one friction and one thickness.
      const isKnown = n < MOST_OBSTACLES && !frictionFactors && !thicknessFactors;
      shapes[n] = isKnown ? kernelShapeOf(colliders, k, frame.origin, size) : -1;
      const block = (layout.obstacles + OBSTACLE_BLOCK * n) / 4;
      if (shapes[n] >= 0)
        writeObstacle(colliders, k, shapes[n], from, to, frame.origin, thickness, friction, f32, u32, block);
      else if (n < MOST_OBSTACLES) f32.fill(0, block, block + OBSTACLE_BLOCK / 4);
      else continue;
      this.way = Math.max(this.way, writeBounds(f32, block, boxes, at, f32, box));
    }
  }

  private beginBoxes(): void {
    const { layout, memory, count, away, gone } = this;
    // Of more obstacles than have blocks nobody knows which is near.
    const far = count > MOST_OBSTACLES ? -Infinity : this.far - (gone - this.farAt);
    memory.kernels.beginBoxes(
      layout.obstacles,
      Math.min(count, MOST_OBSTACLES),
      gone,
      this.way,
      far,
      BOX_ROUNDING * away,
    );
  }

  /** @param isFirst whether nothing has touched the particles in this substep */
  private resolveParticles(substep: number, isFirst: boolean): void {
    const { layout, shapes, count } = this;
    const { kernels } = this.memory;
    const { end, flags, scratch } = layout;
    let hard = 0;
    if (count === 1 && isFirst && this.isPlain(0))
      hard = kernels.touch(end, layout.obstacles, 1, ALL, flags, 0, 0, scratch);
    else {
      const found = count < FEWEST_FOR_BOXES ? 0 : layout.boxes;
      if (found > 0) this.beginBoxes();
      const last = found > 0 ? kernels.boxParticles(end, found, layout.untils) : 0;
      for (let n = 0; n < count; n++) {
        const owner = isFirst && this.isPlain(n) ? n + 1 : OTHERS;
        const block = layout.obstacles + OBSTACLE_BLOCK * n;
        if (shapes[n] >= 0) hard |= kernels.touch(end, block, owner, FIND, flags, found, last, scratch);
        else hard |= this.touchBox(n);
      }
      for (let n = 0; n < count; n++)
        if (isFirst && this.isPlain(n))
          hard |= kernels.touch(end, layout.obstacles + OBSTACLE_BLOCK * n, n + 1, OWNED, flags, 0, 0, scratch);
    }
    if (hard !== 0 || count > 1) this.resolveOthers(substep, isFirst);
  }

  /** Whether a kernel knows an obstacle's shape, and no body feels it. */
  private isPlain(n: number): boolean {
    return this.shapes[n] >= 0 && this.frame.input!.colliders.proxyOf[this.near[n]] < 0;
  }

  private touchBox(n: number): number {
    const { end, flags, ways, waits } = this.layout;
    return this.memory.kernels.touchBox(end, flags, ways, waits, this.boxInMemory(n));
  }

  /** Place of the box of an obstacle in the memory, until another one is there. */
  private boxInMemory(n: number): number {
    const { scratch } = this.layout;
    const at = scratch / 4;
    for (let c = 0; c < 3; c++) {
      this.memory.f32[at + c] = this.boxes[6 * n + c];
      this.memory.f32[at + 4 + c] = this.boxes[6 * n + 3 + c];
    }
    return scratch;
  }

  /** By the reference. */
  private resolveOthers(substep: number, isFirst: boolean): void {
    const { layout, body, positions, start, w, frame, fractions } = this;
    const { kernels, f32, u32 } = this.memory;
    const { options } = frame;
    const { colliders } = frame.input!;
    const { contact, reaction } = body.scratch;
    fractions[0] = substep / options!.substeps;
    fractions[1] = (substep + 1) / options!.substeps;
    const count = kernels.listOthers(w.length, layout.flags, layout.list);
    for (let i = 0; i < count; i++) {
      const p = u32[layout.list / 4 + i];
      this.fetch(p);
      if (!(w[p] > 0)) continue;
      if (isFirst) contact.fill(0, 4 * p, 4 * p + 4);
      const touches = resolveParticleContact(colliders, p, positions, start, contact, options!, fractions, w, reaction);
      f32[layout.waits / 4 + p] = f32[layout.ways / 4 + 4 * p + WAY]! + clearance.left;
      if (!touches) continue;
      const record = (RECORD / 4) * p + MOVED;
      for (let c = 0; c < 3; c++) f32[record + c] = positions[3 * p + c] - start[3 * p + c];
      this.fetch(p);
    }
  }

  /** Brings a particle from the memory. */
  private fetch(p: number): void {
    const { positions, start, w } = this;
    const { f32 } = this.memory;
    const record = (RECORD / 4) * p;
    w[p] = f32[record + WEIGHT]!;
    for (let c = 0; c < 3; c++) positions[3 * p + c] = start[3 * p + c] + f32[record + MOVED + c];
  }

  /** of the body, for tests of faces; infinite where a load draws it out, or where it is thinner than elsewhere [m] */
  private get longestEdge(): number {
    const { isLoaded, thicknessFactors } = this.frame.options!;
    return isLoaded || thicknessFactors ? Infinity : this.body.topology.longestEdge;
  }

  /** @returns whether there are faces that may touch an obstacle between their vertices */
  private findFaces(): boolean {
    const { layout, memory, shapes, near, count } = this;
    const { kernels } = memory;
    const { primitives } = this.frame.input!.colliders;
    const { thickness } = this.frame.options!;
    const keep = FACE_MARGIN * constants.FACE_THICKNESS * thickness;
    const { faces, faceEnd, faceFlags, ways, faceWaits, faceBoxes, faceUntils, scratch } = layout;
    const isBoxed = count < FEWEST_FOR_BOXES ? 0 : 1;
    let last = 0;
    let any = 0;
    for (let n = 0; n < count; n++) {
      if (!faceMayTouch(primitives[near[n]], this.longestEdge, thickness)) continue;
      if (last === 0) {
        this.beginBoxes();
        last = kernels.boxFaces(faces, faceEnd, ways, faceWaits, faceBoxes, faceUntils, isBoxed);
      }
      const obstacle = layout.obstacles + OBSTACLE_BLOCK * n;
      any |=
        shapes[n] >= 0
          ? kernels.touchFaces(faces, obstacle, keep, faceFlags, faceBoxes, last, scratch)
          : kernels.touchFaceBoxes(faces, faceFlags, faceBoxes, last, this.boxInMemory(n));
    }
    return any !== 0;
  }

  /** Contact of the faces that were found, as `CpuGpbdSolver` has it. @returns whether another pass is of use */
  private resolveFaces(substep: number): boolean {
    const { layout, body, positions, start, w, frame, fractions } = this;
    const { kernels, u32 } = this.memory;
    const { faces } = body.model;
    const { faceContact, faceTouched, pushedFaces, pushesAt } = body.scratch;
    const { colliders } = frame.input!;
    const options = frame.options!;
    fractions[0] = substep / options.substeps;
    fractions[1] = (substep + 1) / options.substeps;
    const list = layout.faceList / 4;
    const count = kernels.listOthers(faces.length / 3, layout.faceFlags, layout.faceList);
    for (let i = 0; i < count; i++) {
      const f = 3 * u32[list + i];
      for (let corner = f; corner < f + 3; corner++) this.fetch(faces[corner]);
    }
    let pushed = 0;
    clearance.push = 0;
    for (let i = 0; i < count; i++) {
      const f = 3 * u32[list + i];
      const { topology } = body;
      const touched = resolveFaceContact(
        colliders,
        faces,
        f,
        positions,
        start,
        w,
        options,
        fractions,
        faceContact,
        topology,
      );
      faceTouched[f / 3] = touched;
      if (touched >= 0) pushedFaces[pushed++] = f / 3;
      this.letWait(f);
    }
    shareFacePushes(faces, pushedFaces, pushed, faceContact, pushesAt);
    recordFaces(body.scratch.reaction, colliders, faces, pushedFaces, pushed, faceTouched, faceContact, w);
    this.most = 0;
    for (let i = 0; i < pushed; i++)
      for (let corner = 3 * pushedFaces[i]; corner < 3 * pushedFaces[i] + 3; corner++) this.moveByFaces(faces[corner]);
    this.gone += this.most;
    return mayStayWithin(options);
  }

  /** @param f first of three places in the list of faces; it can touch nothing until one of its corners has gone the `clearance` */
  letWait(f: number): void {
    const { layout, memory, body } = this;
    const { faces } = body.model;
    const { f32 } = memory;
    const face = f / 3;
    const at = layout.faceWaits / 4 + 12 * (face >> 2) + (face & 3);
    const ways = layout.ways / 4 + WAY;
    for (let corner = 0; corner < 3; corner++)
      f32[at + 4 * corner] = f32[ways + 4 * faces[f + corner]] + clearance.left;
  }

  /** Moves a particle by what its faces were pushed by; once, as it takes these off. */
  private moveByFaces(p: number): void {
    const { body, frame, memory } = this;
    const { faceContact, faceTouched, reaction } = body.scratch;
    const { colliders } = frame.input!;
    const touched = takePush(faceContact, faceTouched, body.topology.faceCorners, colliders, p, push);
    if (touched < 0) return;
    const { positions, start } = this;
    const x = push[0];
    const y = push[1];
    const z = push[2];
    const record = (RECORD / 4) * p + MOVED;
    for (let c = 0, i = 3 * p; c < 3; c++, i++) memory.f32[record + c] = (positions[i] += push[c]) - start[i];
    this.fetch(p);
    const way = this.layout.ways / 4 + 4 * p + WAY;
    const before = memory.f32[way]!;
    memory.f32[way] = before + Math.sqrt(x * x + y * y + z * z);
    this.most = Math.max(this.most, memory.f32[way]! - before);
    if (colliders.proxyOf[touched] >= 0) recordReaction(reaction, colliders, touched, p, x, y, z);
  }
}
