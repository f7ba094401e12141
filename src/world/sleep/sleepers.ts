/**
 * Sleep of deformable bodies that the CPU steps. Bodies that may touch, or are attached to each other, fall asleep
 * together when all of them have hardly moved for a while: time stands still for them. They go on from there when
 * anything around them changes or comes near. See docs/design/sleep.md.
 */
import { boxOf, sizeOf } from "../../geometry/box";
import type { Vec3 } from "../../math/types";
import { norm } from "../../math/vectors";
import { Motion, POSE_SIZE } from "../../solvers/newton/motion/bodies";
import type { Sleepers } from "../backend/systems";
import type { SleepScene } from "./scene";
import type { FactorHandle } from "../../solvers/deformable";
import type { DeformableBody } from "../body";
import type { RigidBody } from "../rigid/rigid-body";
import { findTogether, type RestJudge, SleepingGroup, type Sleeper, sleeperOf, type SoftSleeper } from "./groups";
import { isInGusts } from "./gusts";
import { areSame } from "./marks";
import { findMovers } from "./movers";
import { stateOf } from "./places";
import { REST, RigidWatch, SoftWatch, stillWithin } from "./watch";

/** For snapshots. */
export interface SleepMemory {
  /** ids of bodies, for how long they have rested [s], and where */
  readonly softs: readonly (readonly [number, number, Float64Array])[];
  readonly rigids: readonly (readonly [number, number])[];
  /** of the last frame [m/s²] */
  readonly gravity?: Vec3 | undefined;
  readonly groups: readonly {
    readonly softs: readonly { readonly id: number; readonly velocities: Float64Array }[];
    readonly rigids: readonly { readonly id: number; readonly velocity: Float64Array; readonly force: Float64Array }[];
    readonly around: Float64Array;
  }[];
}

const NONE: readonly DeformableBody[] = [];

/** The sleep of all deformable bodies of a world. */
export class CpuSleepers implements Sleepers {
  private readonly softWatches = new WeakMap<DeformableBody, SoftWatch>();
  private readonly rigidWatches = new WeakMap<RigidBody, RigidWatch>();
  private readonly groupOf = new Map<DeformableBody | RigidBody, SleepingGroup>();
  private woken: DeformableBody[] = [];
  /** of the last frame [s] */
  private frameTime = 1 / 60;
  /** of the last frame [m/s²] */
  private lastGravity: Vec3 = [...this.scene.gravity];

  constructor(private readonly scene: SleepScene) {
    const { rigid } = scene;
    rigid.sleep.onWake = (slot) => {
      const group = this.groupOf.get(rigid.bodies[slot]);
      if (group) this.end(group);
    };
  }

  begin(dt: number): void {
    this.woken.length = 0;
    if (this.groupOf.size === 0) return;
    this.scene.colliderSet.update();
    // A group that wakes may move, and so wake others near it.
    for (let isAny = true; isAny;) {
      isAny = false;
      const movers = findMovers(this.scene, this.gravity, dt);
      for (const group of this.groups) {
        if (!group.isDisturbed(movers)) continue;
        this.end(group);
        isAny = true;
      }
    }
  }

  takeWoken(): readonly DeformableBody[] {
    return this.woken.length === 0
      ? NONE
      : this.woken.splice(0).filter(({ isAsleep, isDisposed }) => !isAsleep && !isDisposed);
  }

  finish(dt: number): void {
    this.frameTime = dt;
    this.woken.length = 0;
    const { bodies } = this.scene;
    if (bodies.length === 0) return;
    this.watch(dt);
    const rests = bodies.filter((body) => !body.isAsleep && this.rests(body));
    if (rests.length > 0) this.layDown(rests, dt, (body) => this.rests(body));
  }

  wake(body: DeformableBody): void {
    const watch = this.softWatches.get(body);
    if (watch) watch.restTime = 0;
    const group = this.groupOf.get(body);
    if (group) this.end(group);
  }

  sleep(body: DeformableBody): void {
    if (body.isAsleep || !this.mayRest(body)) return;
    this.layDown([body], this.frameTime, (other) => other === body || this.rests(other));
  }

  clear(): void {
    for (const group of this.groups) this.end(group);
    for (const body of this.scene.bodies) this.softWatches.delete(body);
    for (const body of this.scene.rigid.bodies) this.rigidWatches.delete(body);
  }

  save(): SleepMemory {
    const { bodies, rigid } = this.scene;
    return {
      softs: bodies.flatMap((body) => {
        const watch = this.softWatches.get(body);
        return watch ? [[body.id, watch.restTime, watch.save()] as const] : [];
      }),
      rigids: rigid.bodies.map((body) => [body.id, this.rigidWatches.get(body)?.restTime ?? 0]),
      gravity: this.lastGravity,
      groups: this.groups.map(({ softs, rigids, surroundings }) => ({
        softs: softs.map(({ body, velocities }) => ({ id: body.id, velocities })),
        rigids: rigids.map(({ body, velocity, force }) => ({ id: body.id, velocity, force })),
        around: surroundings.poses,
      })),
    };
  }

  /** Call it when everything else is as it was. */
  load({ softs, rigids, gravity, groups }: SleepMemory): void {
    const { scene, softWatches, rigidWatches } = this;
    this.lastGravity = gravity ?? [...scene.gravity];
    const softOf = new Map(scene.bodies.map((body) => [body.id, body]));
    const rigidOf = new Map(scene.rigid.bodies.map((body) => [body.id, body]));
    for (const [id, restTime, place] of softs) {
      const body = softOf.get(id);
      if (!body) continue;
      const watch = new SoftWatch(sizeOf(boxOf(body.model.positions)));
      watch.load(restTime, place);
      softWatches.set(body, watch);
    }
    for (const [id, restTime] of rigids) {
      const body = rigidOf.get(id);
      if (!body) continue;
      const watch = new RigidWatch();
      watch.place(scene.rigid.poses, POSE_SIZE * body.record.slot);
      rigidWatches.set(body, Object.assign(watch, { restTime }));
    }
    scene.colliderSet.update();
    for (const saved of groups) {
      const own = saved.softs.flatMap(({ id, velocities }): SoftSleeper[] => {
        const body = softOf.get(id);
        return body && "state" in body.stepper ? [{ body, velocities: velocities.slice() }] : [];
      });
      const sleepers = saved.rigids.flatMap(({ id, velocity, force }): Sleeper[] => {
        const body = rigidOf.get(id);
        return body ? [{ body, velocity: velocity.slice(), force: force.slice() }] : [];
      });
      const group = this.put(own, sleepers);
      const { poses } = group.surroundings;
      const isSame =
        own.length === saved.softs.length &&
        sleepers.length === saved.rigids.length &&
        own.every(({ body }) => this.mayRest(body)) &&
        poses.length === saved.around.length &&
        poses.every((value, i) => value === saved.around[i]);
      // In another place they go on with the motion that they had.
      if (!isSame) this.end(group);
    }
  }

  private get gravity(): number {
    return norm(this.scene.gravity);
  }

  private get groups(): readonly SleepingGroup[] {
    return [...new Set(this.groupOf.values())];
  }

  private mayRest(body: DeformableBody): boolean {
    return mayRest(body) && !isInGusts(body, this.gravity);
  }

  private rests(body: DeformableBody): boolean {
    return (this.softWatches.get(body)?.restTime ?? 0) >= REST && this.mayRest(body);
  }

  /** Measures for how long bodies have been still. */
  private watch(dt: number): void {
    const { scene, gravity } = this;
    // Under other loads a body that has not moved yet may begin to.
    const isSteady = areSame(scene.gravity, this.lastGravity);
    if (!isSteady) this.lastGravity = [...scene.gravity];
    for (const body of scene.bodies) {
      if (body.isAsleep) continue;
      let watch = this.softWatches.get(body);
      if (!watch) this.softWatches.set(body, (watch = new SoftWatch(sizeOf(boxOf(body.model.positions)))));
      const within = stillWithin(watch.size, gravity * Math.abs(body.options.gravityFactor));
      watch.update(stateOf(body).positions, dt, within);
      if (!isSteady || !this.mayRest(body)) watch.restTime = 0;
    }
    const { model } = scene.rigid.dynamics.bodies;
    for (const body of scene.rigid.bodies) {
      if (body.motion === "static" || body.isAsleep) continue;
      let watch = this.rigidWatches.get(body);
      if (!watch) this.rigidWatches.set(body, (watch = new RigidWatch()));
      const { slot } = body.record;
      const pace = model.motion[slot] === Motion.dynamic ? model.pace[slot] : 0;
      const hasWeight = gravity > 0 && body.gravityFactor !== 0;
      watch.update(scene.rigid.poses, POSE_SIZE * slot, dt, pace, model.grain[slot], hasWeight);
    }
  }

  private layDown(candidates: readonly DeformableBody[], dt: number, rests: RestJudge["softRests"]): void {
    const { scene, gravity } = this;
    const restTime = (body: RigidBody): number => this.rigidWatches.get(body)?.restTime ?? 0;
    const movers = findMovers(scene, gravity, dt, (body) => restTime(body) < REST);
    const judge: RestJudge = {
      softRests: rests,
      rigidRests: (body) => body.options.canSleep && !body.options.leader && restTime(body) >= REST,
    };
    for (const body of candidates) {
      if (body.isAsleep) continue;
      const found = findTogether(body, scene, gravity, movers, judge);
      if (found)
        this.put(
          found.softs.map((own) => ({ body: own, velocities: Float64Array.from(stateOf(own).velocities) })),
          found.rigids.map((own) => sleeperOf(own, scene)),
        );
    }
  }

  private put(softs: readonly SoftSleeper[], rigids: readonly Sleeper[]): SleepingGroup {
    // A body that fell asleep with others stays with those.
    const old = new Set(rigids.flatMap(({ body }) => this.groupOf.get(body) ?? []));
    const all = [...old].reduce(
      (sum, group) => ({
        softs: [...sum.softs, ...group.softs],
        rigids: [...group.rigids, ...sum.rigids.filter(({ body }) => this.groupOf.get(body) !== group)],
      }),
      { softs, rigids },
    );
    const group = new SleepingGroup(this.scene, all, this.gravity);
    for (const { body } of all.softs) this.groupOf.set(body, group);
    for (const { body } of all.rigids) this.groupOf.set(body, group);
    group.layDown();
    return group;
  }

  private end(group: SleepingGroup): void {
    for (const { body } of group.softs) this.groupOf.delete(body);
    for (const { body } of group.rigids) this.groupOf.delete(body);
    group.getUp();
    for (const { body } of group.rigids) this.rigidWatches.delete(body);
    for (const { body } of group.softs) {
      const watch = this.softWatches.get(body);
      if (watch) watch.restTime = 0;
      if (!body.isDisposed) this.woken.push(body);
    }
  }
}

/** Whether nothing goes on in a body by itself. */
function mayRest(body: DeformableBody): boolean {
  const { _easing: easing, _tears: tears, stepper } = body;
  if (!body.canSleep || body.isDisposed || body.isWaiting || !("state" in stepper)) return false;
  if (tears || (easing && !easing.isDone)) return false;
  const { factorization, system } = stepper as { factorization?: FactorHandle; system?: { hasMotors?: boolean } };
  // A body stands still until its factor is there.
  const { state = "ready" } = factorization ?? {};
  return state !== "pending" && state !== "failed" && system?.hasMotors !== true;
}
