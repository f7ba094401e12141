import type { ColliderEntry, ColliderOptions, ColliderSet } from "../collision/obstacles/collider-set";
import type { CombineMode } from "../collision/obstacles/combine";
import type { RigidProxy } from "../collision/obstacles/rigid-proxy";
import type { ColliderShape } from "../collision/shape/shape";
import { PliantError } from "../errors";
import { checkNames, optionNames } from "../option-names";
import type { Quat, Vec3 } from "../math/types";

const colliderOptionNames = optionNames<ColliderOptions>()(
  "name position rotation friction frictionCombine proxy owner",
);

/** The pose of a collider at a moment, and after the next step: position [m] and quaternion, seven numbers each. */
export interface ColliderPoses {
  readonly start: Float64Array;
  readonly end: Float64Array;
}

/** The poses of a collider of the user, for a snapshot. */
export interface ColliderPlace extends ColliderPoses {
  readonly id: number;
}

/** A rigid obstacle, static or moved by the user. Made by `World.addCollider`. *
 * @example
 * ```ts
 * const ball = world.addCollider({ type: "sphere", radius: 0.3 }, { friction: 0.5 });
 * world.step(1 / 60);
 * ball.dispose();
 * ```
 */
export class Collider {
  readonly name: string;
  private readonly entry: ColliderEntry;
  private disposed = false;

  constructor(
    private readonly set: ColliderSet,
    readonly shape: ColliderShape,
    options: ColliderOptions,
    private readonly onDispose: (collider: Collider) => void,
    private readonly onChange: () => void,
    /**
     * number of the collider in the world, in the order of making, from 1 on; snapshots identify colliders by it;
     * undefined for a collider that stands for a rigid body
     */
    readonly id: number | undefined,
  ) {
    this.name = options.name ?? `${String(shape?.type)} collider`;
    checkNames(`collider "${this.name}"`, options, colliderOptionNames);
    const state = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    this.entry = set.add(shape, { ...state, name: this.name });
  }

  /**
   * Sets the pose at the end of the next step. The obstacle sweeps there, and friction feels its velocity.
   *
   * @param position [m]
   * @param rotation unit quaternion; default: the present rotation
   * @throws PliantError when a number is not finite or the collider is disposed
   */
  setPose(position: Vec3, rotation?: Quat): void {
    this.check();
    this.set.setPose(this.entry, position, rotation);
  }

  /** @internal the poses for a snapshot */
  _save(): ColliderPlace | undefined {
    return this.id === undefined ? undefined : { id: this.id, ...this._poses };
  }

  /** @internal */
  get _poses(): ColliderPoses {
    return this.set.posesOf(this.entry);
  }

  /** @internal puts the collider back to its pose in a snapshot */
  _load(place: ColliderPoses | undefined): void {
    if (place) this.set.putAt(this.entry, place);
  }

  /** Sets the pose at once, without a velocity. Throws as `setPose` does. */
  teleport(position: Vec3, rotation?: Quat): void {
    this.check();
    this.set.teleport(this.entry, position, rotation);
    this.onChange();
  }

  get friction(): number {
    return this.entry.friction;
  }

  set friction(value: number) {
    this.check();
    this.set.setFriction(this.entry, value);
    this.onChange();
  }

  get frictionCombine(): CombineMode {
    return this.entry.frictionCombine;
  }

  set frictionCombine(mode: CombineMode) {
    this.check();
    this.set.setFrictionCombine(this.entry, mode);
    this.onChange();
  }

  /** @internal the rigid body that the collider stands for, and which feels the contacts, see `World.takeFromProxy` */
  get proxy(): RigidProxy | undefined {
    return this.entry.proxy;
  }

  set proxy(value: RigidProxy | undefined) {
    this.check();
    this.set.setProxy(this.entry, value);
  }

  get enabled(): boolean {
    return this.entry.enabled;
  }

  set enabled(value: boolean) {
    this.check();
    this.set.setEnabled(this.entry, value);
    this.onChange();
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.set.remove(this.entry);
    this.onDispose(this);
  }

  private check(): void {
    if (this.disposed) throw new PliantError("disposed", `collider "${this.name}"`, "a call", "was disposed");
  }
}
