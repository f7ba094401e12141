import { checkFinite } from "../../checks";
import { invalid, nonFinite } from "../../errors";
import { checkCombineMode, combineBy, type CombineMode, combineModes } from "./combine";
import type { Quat, Vec3 } from "../../math/types";
import { compileShape, type Primitive, reachOf, waitsForMeshes } from "../distance/primitives";
import { displacePose } from "./displacement";
import type { ProxyIsland, RigidProxy } from "./rigid-proxy";
import {
  alignRotation,
  composePose,
  interpolatePoseBy,
  POSE,
  poseDistance,
  samePose,
  sweptBounds,
  writePose,
} from "../shape/pose";
import { checkOptionalRotation, type ColliderShape } from "../shape/shape";
import { lengthOf } from "../../math/vectors";

export interface ColliderOptions {
  /** for messages; default "collider" */
  name?: string | undefined;
  /** [m], default the origin */
  position?: Vec3 | undefined;
  /** default no rotation */
  rotation?: Quat | undefined;
  /** friction coefficient, default 0.5 */
  friction?: number | undefined;
  /** rule that combines this coefficient with that of a body; default "geometric-mean" */
  frictionCombine?: CombineMode | undefined;
  /** @internal proxy of the rigid body that the collider belongs to and that feels its contacts; default none */
  proxy?: RigidProxy | undefined;
  /**
   * @internal proxy of the rigid body of the same world that the collider copies, and that other rigid bodies meet directly, whether or not
   * that feels its contacts; default none
   */
  owner?: RigidProxy | undefined;
}

/** Initial state of a collider. */
export interface ColliderState extends ColliderOptions {
  enabled?: boolean;
}

/** A collider of a set: see `ColliderSet.add`. */
export interface ColliderEntry {
  readonly name: string;
  /** place of the first primitive in the table; −1 before it is there */
  first: number;
  primitives: readonly Primitive[];
  /** the shape, as long as its primitives have no distances yet */
  waiting: ColliderShape | undefined;
  friction: number;
  frictionCombine: CombineMode;
  enabled: boolean;
  proxy: RigidProxy | undefined;
  readonly owner: RigidProxy | undefined;
  /** pose at the start and at the end of the frame, see POSE */
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** see `jumps` [m] */
  jump: number;
  /** whether the table must be updated in `update` */
  stale: boolean;
}

/** Default Coulomb coefficient of a collider. */
const FRICTION = 0.5;

/** Lower bound of an empty box [m]. It is finite: shaders may assume finite numbers, and square this one. */
const NOWHERE = 1e15;

/**
 * Obstacles of a world, flattened to a table of primitives for the solvers. Poses are given for the end of the next
 * frame and interpolated from the poses at its start. Order of calls in a frame:
 *
 *     add(…), setPose(…), …   update()   solvers read the table   endFrame()
 *
 * The table holds the state of the last `update`. Nothing is allocated per frame.
 */
export class ColliderSet {
  /** Changes in `update` after a collider was added or removed, when `primitives` and their data were rebuilt. */
  geometryVersion = 0;
  /** place in the table of each primitive of the version before; −1 for those that are gone */
  moved = new Int32Array();
  primitives: readonly Primitive[] = [];
  /** World pose of each primitive at the start and at the end of the frame, see POSE. */
  startPoses = new Float64Array();
  endPoses = new Float64Array();
  /** 1 where the two poses differ */
  moving = new Uint8Array();
  /** Distance that each primitive went at once since the last frame, see `teleport`; infinite for new and enabled ones [m]. */
  jumps = new Float64Array();
  friction = new Float64Array();
  /** number of the mode by which each primitive's friction combines, see combine.ts */
  frictionCombine = new Uint8Array();
  /** World box (min, max) that holds each primitive during the whole frame [m]; empty for a disabled primitive. */
  bounds = new Float64Array();
  /** Proxies of rigid bodies that have a collider in the set, or are kept in it. */
  proxies: readonly RigidProxy[] = [];
  /** energy that their bodies may give in a frame [J] */
  supply = Infinity;
  /** the proxy of the rigid body of the same world that each primitive copies, if it does */
  owners: (RigidProxy | undefined)[] = [];
  /** For each primitive the place of its proxy in `proxies`, −1 for none. */
  proxyOf = new Int32Array();
  /** World poses of the primitives of proxies at the start and at the end of the substep, see `moveProxies`. */
  substepStarts = new Float64Array();
  substepEnds = new Float64Array();
  /** Upper bound of the distance by which primitives of proxies have yielded out of their `bounds` [m]. */
  slack = new Float64Array();
  /** h of the substep, and time from its end to that of the frame [s] */
  substepTime = 0;
  timeLeft = 0;
  /** proxies that answer together on the CPU */
  islands: readonly ProxyIsland[] = [];
  /** Impulse [N s] and angular impulse about the world's origin [N m s] of each proxy in this substep. */
  substepWrenches = new Float64Array();
  /** First number of each primitive's data in the joined data of all. */
  dataOffsets = new Uint32Array();
  /** Length of the joined data. */
  dataLength = 0;

  private readonly entries = new Set<ColliderEntry>();
  private readonly kept = new Set<RigidProxy>();
  /** 1 for each record that changed since the last upload */
  private dirty = new Uint8Array();
  private isLaidOut = true;

  get primitiveCount(): number {
    return this.primitives.length;
  }

  /** Whether an obstacle waits for the code for meshes. Until it is loaded, the table may not be updated. */
  get isWaiting(): boolean {
    return [...this.entries].some(({ waiting }) => waiting && waitsForMeshes(waiting));
  }

  /**
   * Adds an obstacle.
   *
   * @returns the obstacle, for the other methods
   * @throws PliantError as `compileShape`; `non-finite` or `invalid-argument` for pose and friction
   */
  add(shape: ColliderShape, state: ColliderState = {}): ColliderEntry {
    const name = state.name ?? "collider";
    const position = state.position ?? [0, 0, 0];
    checkPose(name, position, state.rotation);
    const friction = checkFriction(name, state.friction ?? FRICTION);
    const frictionCombine = checkCombineMode(`${name}.frictionCombine`, state.frictionCombine ?? "geometric-mean");
    const primitives = compileShape(shape, name);
    const start = new Float64Array(POSE);
    writePose(start, position, state.rotation ?? [0, 0, 0, 1]);
    const entry: ColliderEntry = {
      name,
      first: -1,
      primitives,
      waiting: waitsForMeshes(shape) ? shape : undefined,
      friction,
      frictionCombine,
      enabled: state.enabled ?? true,
      proxy: state.proxy,
      owner: state.owner,
      start,
      end: start.slice(),
      jump: Infinity,
      stale: true,
    };
    this.entries.add(entry);
    this.isLaidOut = false;
    return entry;
  }

  /** Removes an obstacle. */
  remove(entry: ColliderEntry): void {
    this.entries.delete(entry);
    this.isLaidOut = false;
  }

  /**
   * Sets the pose at the end of the next frame. Surfaces move there from their current pose, and friction feels that
   * motion.
   *
   * @param rotation any length but zero; default: the current rotation
   * @throws PliantError `non-finite`, `invalid-argument`
   */
  setPose(entry: ColliderEntry, position: Vec3, rotation?: Quat): void {
    checkPose(entry.name, position, rotation);
    writePose(entry.end, position, rotation);
    entry.stale = true;
  }

  /** Sets the pose at once, without a velocity. Throws as `setPose`. */
  teleport(entry: ColliderEntry, position: Vec3, rotation?: Quat): void {
    this.setPose(entry, position, rotation);
    const { start, end, primitives } = entry;
    const reach = Math.max(...primitives.map((primitive) => lengthOf(...primitive.position) + reachOf(primitive)));
    entry.jump = Math.max(entry.jump, poseDistance(start, end, 0, reach));
    start.set(end);
  }

  /** Writes the pose of a primitive at the start of a substep, or at its end, at a part of the frame from 0 to 1. */
  readPose(k: number, isEnd: boolean, fraction: number, out: Float64Array): void {
    asked[0] = asked[1] = fraction;
    this.readPoseBy(k, isEnd, asked, 0, out);
  }

  /** As `readPose`; a list has the parts of the frame at start and end of the substep, from place `i` on. */
  readPoseBy(k: number, isEnd: boolean, fractions: Float64Array, i: number, out: Float64Array): void {
    const at = POSE * k;
    if (this.proxyOf[k] < 0) {
      interpolatePoseBy(this.startPoses, this.endPoses, at, fractions, isEnd ? i + 1 : i, out);
      return;
    }
    const poses = isEnd ? this.substepEnds : this.substepStarts;
    for (let c = 0; c < POSE; c++) out[c] = poses[at + c];
  }

  /** Poses at the start and at the end of the next frame, copied. */
  posesOf(entry: ColliderEntry): { start: Float64Array; end: Float64Array } {
    return { start: entry.start.slice(), end: entry.end.slice() };
  }

  /** Restores poses that `posesOf` returned. */
  putAt(entry: ColliderEntry, { start, end }: { start: Float64Array; end: Float64Array }): void {
    entry.start.set(start);
    entry.end.set(end);
    entry.jump = 0;
    entry.stale = true;
  }

  setFriction(entry: ColliderEntry, friction: number): void {
    entry.friction = checkFriction(entry.name, friction);
    entry.stale = true;
  }

  setFrictionCombine(entry: ColliderEntry, mode: CombineMode): void {
    entry.frictionCombine = checkCombineMode(`${entry.name}.frictionCombine`, mode);
    entry.stale = true;
  }

  setEnabled(entry: ColliderEntry, enabled: boolean): void {
    if (enabled && !entry.enabled) entry.jump = Infinity;
    entry.enabled = enabled;
    entry.stale = true;
  }

  /** Keeps a proxy in the set even without a collider, or stops doing so. */
  keep(proxy: RigidProxy, isKept: boolean): void {
    if (isKept === this.kept.has(proxy)) return;
    if (isKept) this.kept.add(proxy);
    else this.kept.delete(proxy);
    this.isLaidOut = false;
  }

  /** Attaches the collider to a rigid body, which then feels its contacts, or detaches it. */
  setProxy(entry: ColliderEntry, proxy: RigidProxy | undefined): void {
    if (entry.proxy === proxy) return;
    entry.proxy = proxy;
    this.isLaidOut = false;
  }

  /**
   * Takes the impulses that contacts gave a proxy since the last call, and its displacement by them. The proxy's
   * colliders start the next frame displaced.
   *
   * @param wrench impulse [N s] and angular impulse about the center of mass of each substep [N m s], 6 numbers: changed
   * @param displacement offset of the center of mass [m] and turn about it [rad, rotation vector], 6 numbers: changed
   * @returns whether impulses or displacement differ from zero
   */
  takeFromProxy(proxy: RigidProxy, wrench: Float64Array, displacement: Float64Array): boolean {
    if (!proxy.take(wrench, displacement)) return false;
    for (const entry of this.entries) {
      if (entry.proxy !== proxy) continue;
      const arm = [0, 1, 2].map((c) => entry.start[c] - proxy.end[c]);
      displacePose(entry.start, arm, displacement, 0);
      entry.stale = true;
    }
    return true;
  }

  /** Combined friction coefficient of a surface and the primitive `k`. */
  frictionWith(k: number, friction: number): number {
    return combineBy(this.frictionCombine[k], friction, this.friction[k]);
  }

  /** Writes all changes since the last call to the table. */
  update(): void {
    const { isLaidOut, substepStarts, substepEnds } = this;
    if (!isLaidOut) this.layOut();
    if (this.entries.size === 0) return;
    for (const entry of this.entries) if (entry.stale) this.refresh(entry);
    if (isLaidOut) return;
    this.place(substepStarts, this.substepStarts);
    this.place(substepEnds, this.substepEnds);
  }

  /** Takes over poses of a substep from the table before: bodies look for obstacles before the first substep has placed these again. */
  private place(before: Float64Array, now: Float64Array): void {
    now.set(this.startPoses);
    this.moved.forEach((to, from) => {
      if (to >= 0) now.set(before.subarray(POSE * from, POSE * (from + 1)), POSE * to);
    });
  }

  /** Ends the frame: the end pose of a collider becomes its next start pose. */
  endFrame(): void {
    if (this.entries.size === 0) return;
    this.jumps.fill(0);
    for (const entry of this.entries) {
      entry.jump = 0;
      if (samePose(entry.start, entry.end)) continue;
      entry.start.set(entry.end);
      entry.stale = true;
    }
  }

  /**
   * Calls `upload` for each contiguous range of records that changed since the last call.
   *
   * @param upload receives the first primitive and the number of primitives
   */
  takeDirtyRanges(upload: (first: number, count: number) => void): void {
    const flags = this.dirty;
    for (let first = 0; first < flags.length; first++) {
      if (flags[first] === 0) continue;
      let end = first;
      while (end < flags.length && flags[end] === 1) flags[end++] = 0;
      upload(first, end - first);
      first = end;
    }
  }

  private refresh(entry: ColliderEntry): void {
    const moves = samePose(entry.start, entry.end) ? 0 : 1;
    entry.primitives.forEach((primitive, i) => {
      const k = entry.first + i;
      composePose(entry.start, primitive, this.startPoses, POSE * k);
      composePose(entry.end, primitive, this.endPoses, POSE * k);
      alignRotation(this.startPoses, this.endPoses, POSE * k);
      this.moving[k] = moves;
      this.jumps[k] = entry.jump;
      this.friction[k] = entry.friction;
      this.owners[k] = entry.owner;
      this.frictionCombine[k] = combineModes.indexOf(entry.frictionCombine);
      if (entry.enabled) sweptBounds(primitive, this.startPoses, this.endPoses, POSE * k, this.bounds, 6 * k);
      else this.bounds.fill(NOWHERE, 6 * k, 6 * k + 3).fill(-NOWHERE, 6 * k + 3, 6 * k + 6);
      this.dirty[k] = 1;
    });
    entry.stale = false;
  }

  /** Rebuilds the layout of the table and marks every record as stale. */
  private layOut(): void {
    const primitives: Primitive[] = [];
    const moved = (this.moved = new Int32Array(this.primitives.length).fill(-1));
    // Obstacles push in this order, so what does not yield has the last word.
    const ordered = [...this.entries].sort((a, b) => Number(a.proxy === undefined) - Number(b.proxy === undefined));
    for (const entry of ordered) {
      if (entry.waiting) entry.primitives = compileShape(entry.waiting, entry.name);
      else if (entry.first >= 0)
        for (const i of entry.primitives.keys()) moved[entry.first + i] = primitives.length + i;
      entry.waiting = undefined;
      entry.first = primitives.length;
      primitives.push(...entry.primitives);
    }
    const count = primitives.length;
    this.primitives = primitives;
    this.startPoses = new Float64Array(POSE * count);
    this.endPoses = new Float64Array(POSE * count);
    this.moving = new Uint8Array(count);
    this.jumps = new Float64Array(count);
    this.friction = new Float64Array(count);
    this.frictionCombine = new Uint8Array(count);
    this.owners = new Array<RigidProxy | undefined>(count);
    this.bounds = new Float64Array(6 * count);
    this.layOutProxies(count);
    this.dataOffsets = new Uint32Array(count);
    this.dirty = new Uint8Array(count);
    this.dataLength = 0;
    primitives.forEach((primitive, k) => {
      this.dataOffsets[k] = this.dataLength;
      this.dataLength += primitive.data.length;
    });
    this.geometryVersion++;
    this.isLaidOut = true;
    for (const entry of this.entries) entry.stale = true;
  }

  private layOutProxies(count: number): void {
    const proxies: RigidProxy[] = [];
    this.proxyOf = new Int32Array(count).fill(-1);
    for (const { proxy, first, primitives } of this.entries) {
      if (!proxy) continue;
      if (!proxies.includes(proxy)) proxies.push(proxy);
      this.proxyOf.fill(proxies.indexOf(proxy), first, first + primitives.length);
    }
    for (const proxy of this.kept) if (!proxies.includes(proxy)) proxies.push(proxy);
    this.proxies = proxies;
    this.substepStarts = new Float64Array(POSE * count);
    this.substepEnds = new Float64Array(POSE * count);
    this.slack = new Float64Array(count);
    this.substepWrenches = new Float64Array(6 * proxies.length);
  }
}

const asked = new Float64Array(2);

function checkPose(name: string, position: Vec3, rotation: Quat | undefined): void {
  if (position.length !== 3) throw invalid(`${name}.position`, position, "must be three numbers");
  if (!position.every(Number.isFinite)) throw nonFinite(`${name}.position`, position, "must be finite");
  checkOptionalRotation(rotation, `${name}.rotation`);
}

function checkFriction(name: string, friction: number): number {
  checkFinite(friction, `${name}.friction`);
  if (friction < 0) throw invalid(`${name}.friction`, friction, "must not be negative");
  return friction;
}
