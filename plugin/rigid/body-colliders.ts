import type { Collider, ColliderShape, RigidProxy, Vec3 } from "../../src/index";
import { toQuat } from "../convert";
import { combineModeOf } from "../materials";
import { collidingParts, deepVersion, type ShapeData, type ShapePart } from "../shape/shape-data";
import type { EngineHost, Pose } from "./rigid-state";

/** The engine's colliders of one body: one for each material in its shape. Only what changed reaches the engine. */
export class BodyColliders {
  private parts: { collider: Collider; geometry: ColliderShape }[] = [];
  private shape: ShapeData | undefined;
  private version = -1;
  private readonly sent = new Float64Array(7);

  constructor(
    private readonly host: EngineHost,
    private readonly label: () => string,
  ) {}

  /** How many of the engine's colliders there are. */
  get colliderCount(): number {
    return this.parts.length;
  }

  /** Whether the colliders are those of this shape as it is now; shapes are shared and change behind a body's back. */
  areOf(shape: ShapeData | undefined): boolean {
    return shape === this.shape && (shape === undefined || deepVersion(shape) === this.version);
  }

  /**
   * Makes the body of another shape, or takes over changes of its own.
   *
   * @throws PliantError when the engine refuses the shape; the old colliders stay
   */
  setShape(shape: ShapeData | undefined, scale: Vec3 | undefined, pose: Pose): void {
    const wanted = shape ? collidingParts(shape) : [];
    if (this.relabel(shape, wanted)) return;
    const { world, frame } = this.host;
    const parts: typeof this.parts = [];
    try {
      for (const { geometry, material } of wanted) {
        const collider = world.addCollider(frame.shape(geometry, scale), {
          name: this.label(),
          position: frame.point(pose.position),
          rotation: toQuat(pose.rotation),
          friction: material.friction,
          frictionCombine: combineModeOf[material.frictionCombine],
        });
        parts.push({ collider, geometry });
      }
    } catch (error) {
      for (const { collider } of parts) collider.dispose();
      throw error;
    }
    this.dispose();
    this.parts = parts;
    this.shape = shape;
    this.version = shape ? deepVersion(shape) : -1;
    this.send(pose);
  }

  /** Moves to where the body is at the end of the next step. */
  move(pose: Pose): void {
    if (!this.send(pose)) return;
    for (const { collider } of this.parts)
      collider.setPose(this.host.frame.point(pose.position), toQuat(pose.rotation));
  }

  /** Puts there at once, without a velocity. */
  teleport(pose: Pose): void {
    if (this.send(pose)) this.originMoved(pose);
  }

  /** The engine's origin may be elsewhere. */
  originMoved(pose: Pose): void {
    for (const { collider } of this.parts)
      collider.teleport(this.host.frame.point(pose.position), toQuat(pose.rotation));
  }

  /** Through this cloth pushes the body; undefined where the body does not yield. */
  set proxy(value: RigidProxy | undefined) {
    for (const { collider } of this.parts) if (collider.proxy !== value) collider.proxy = value;
  }

  dispose(): void {
    for (const { collider } of this.parts) collider.dispose();
    this.parts = [];
    this.shape = undefined;
  }

  /** New materials on the same geometry: a distance field of a mesh takes its time and is kept. */
  private relabel(shape: ShapeData | undefined, wanted: readonly ShapePart[]): boolean {
    const same =
      wanted.length === this.parts.length && wanted.every((part, i) => part.geometry === this.parts[i].geometry);
    if (!same || !shape || shape !== this.shape) return false;
    wanted.forEach(({ material }, i) => {
      const { collider } = this.parts[i];
      collider.friction = material.friction;
      collider.frictionCombine = combineModeOf[material.frictionCombine];
    });
    this.version = deepVersion(shape);
    return true;
  }

  /** Remembers the pose; false when the engine has it already. */
  private send({ position: p, rotation: q }: Pose): boolean {
    const values = [p.x, p.y, p.z, q.x, q.y, q.z, q.w];
    const same = values.every((value, i) => this.sent[i] === value);
    if (!same) this.sent.set(values);
    return !same;
  }
}
