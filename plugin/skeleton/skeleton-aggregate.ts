import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { Observable } from "@babylonjs/core/Misc/observable";
import type { Scene } from "@babylonjs/core/scene";
import type { Collider, ColliderShape } from "../../src/index";
import { rotationVectorToRef, toQuat, toVec3 } from "../geometry/convert";
import type { ClothPlugin } from "../cloth-plugin";
import { pluginOf, requireMesh } from "../plugin-of";
import type { Pose } from "../rigid/node-pose";
import { bonePoses, shapesOfBones } from "./bone-colliders";
import { GarmentJump } from "./garment-jump";
import { checkOptions, type SkeletonOptions } from "./skeleton-options";
import { Skin, skeletonWatch, type SkinPose } from "./skin";

/** A collider that moves with a bone. */
interface BoneCollider {
  readonly bone: Bone;
  readonly collider: Collider;
  readonly reach: number;
  /** pose at the start of the frame, and pose at its end */
  start: Pose;
  goal: Pose;
}

/**
 * The colliders of an animated figure: for each bone a capsule around the vertices that it moves.
 *
 * Cloth, soft bodies and ropes meet the colliders on their way from frame to frame, and friction drags them along;
 * rigid bodies do not meet them. Works with `PliantPlugin` and with `DeformableScene`. If the pose jumps
 * (`teleportSpeed`, `teleport`), bodies that the bones carry jump along with the skin, without being stretched.
 *
 * @example
 * ```ts
 * new SkeletonAggregate(skinnedMesh, {}, scene);
 * new ClothAggregate(vest, { attach: { skin: skinnedMesh, vertices: ({ y }) => y > 1.4 } }, scene);
 * ```
 */
export class SkeletonAggregate {
  readonly skeleton: Skeleton;
  readonly onDisposeObservable = new Observable<SkeletonAggregate>();
  private readonly plugin: ClothPlugin;
  private readonly skin: Skin;
  private readonly bones: readonly Bone[];
  private readonly parts: readonly BoneCollider[];
  private readonly teleportSpeed: number;
  private readonly stopWatching: () => void;
  /** pose of the bones at the end of the last step */
  private lastPose: SkinPose;
  private isFrameStart = true;
  private mustJump = false;
  private jump: GarmentJump | undefined;
  private disposed = false;

  /**
   * @param mesh a mesh that a skeleton moves, in its present pose
   * @param scene default: that of the mesh
   * @throws PliantError naming the mesh, the value and the rule: a mesh that is not skinned, or whose bones move no
   * vertices of their own; weights that are not finite; an option out of range; a scene without this plugin. The scene
   * is not changed then.
   */
  constructor(
    readonly mesh: AbstractMesh,
    options: SkeletonOptions = {},
    scene?: Scene,
  ) {
    const object = `SkeletonAggregate "${requireMesh("SkeletonAggregate", mesh).name}"`;
    this.plugin = pluginOf(object, scene ?? mesh.getScene());
    const { frame } = this.plugin;
    const given = checkOptions(object, options);
    const checked = {
      ...given,
      margin: frame.length(given.margin),
      minimumRadius: frame.length(given.minimumRadius),
      teleportSpeed: frame.length(given.teleportSpeed),
    };
    this.skin = new Skin(object, mesh);
    this.skeleton = this.skin.skeleton;
    const watch = skeletonWatch(object, mesh, this.skeleton);
    this.teleportSpeed = checked.teleportSpeed;
    const shapes = shapesOfBones(object, this.skin, checked);
    this.lastPose = this.skin.pose();
    this.bones = shapes.map(({ bone }) => bone);
    const poses = bonePoses(this.bones, mesh);
    const parts: BoneCollider[] = [];
    try {
      shapes.forEach(({ bone, shape, reach }, k) => {
        const pose = poses[k];
        const collider = this.plugin.world.addCollider(shape, {
          name: `${object} bone "${bone.name}"`,
          position: toVec3(pose.position),
          rotation: toQuat(pose.rotation),
          friction: checked.friction,
        });
        parts.push({ bone, collider, reach, start: pose, goal: pose });
      });
    } catch (error) {
      // a hull without volume: the colliders before it are disposed of, too
      for (const { collider } of parts) collider.dispose();
      throw error;
    }
    this.parts = parts;
    this.stopWatching = watch.onGone(() => this.dispose());
    this.plugin._addSkeleton(this);
  }

  /** The shape of each bone that has one, in its frame without scaling, m. */
  get shapes(): readonly { readonly bone: Bone; readonly shape: ColliderShape }[] {
    return this.parts.map(({ bone, collider }) => ({ bone, shape: collider.shape }));
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** @internal */
  get colliderCount(): number {
    return this.parts.length;
  }

  /** @internal moves all poses after the engine's origin has moved */
  _originMoved(): void {
    const poses = bonePoses(this.bones, this.mesh);
    this.parts.forEach((part, k) => (part.goal = poses[k]));
    this.arrive();
    this.lastPose = this.skin.pose();
  }

  /** Lets the figure jump to its new pose in the next step, together with the bodies that its bones carry. */
  teleport(): void {
    this.mustJump = true;
  }

  /** Removes the colliders. Bones still carry the vertices that are attached to them. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.stopWatching();
    this.jump?.cancel();
    for (const { collider } of this.parts) collider.dispose();
    this.plugin._removeSkeleton(this);
    this.onDisposeObservable.notifyObservers(this);
    this.onDisposeObservable.clear();
  }

  /**
   * @internal Moves the colliders by the part `fraction` of the way of their bones in this frame.
   *
   * @param dt length of the step [s]
   */
  _beforeStep(fraction: number, dt: number): void {
    bonePoses(this.bones, this.mesh).forEach((pose, k) => (this.parts[k].goal = pose));
    if (this.isFrameStart && !this.jump && (this.mustJump || this.fastest() > (this.teleportSpeed * dt) / fraction))
      this.jump = new GarmentJump(this.plugin.deformableAggregates, this.skeleton, this.skin, this.lastPose);
    this.isFrameStart = fraction >= 1;
    if (this.jump && !this.jump.finish()) return;
    if (this.jump) this.arrive();
    else for (const part of this.parts) follow(part, fraction);
    if (fraction >= 1) this.lastPose = this.skin.pose();
  }

  private arrive(): void {
    this.jump = undefined;
    this.mustJump = false;
    for (const part of this.parts) {
      part.start = part.goal;
      part.collider.teleport(toVec3(part.goal.position), toQuat(part.goal.rotation));
    }
  }

  /** Longest way of a point of a collider in this frame, m. */
  private fastest(): number {
    let most = 0;
    for (const { start, goal, reach } of this.parts) {
      const turned = rotationVectorToRef(start.rotation, goal.rotation, turn).length();
      most = Math.max(most, Vector3.Distance(start.position, goal.position) + reach * turned);
    }
    return most;
  }
}

const turn = new Vector3();

function follow(part: BoneCollider, fraction: number): void {
  const { start, goal } = part;
  if (start.position.equals(goal.position) && start.rotation.equals(goal.rotation)) return;
  const position = Vector3.Lerp(start.position, goal.position, fraction);
  const rotation = Quaternion.Slerp(start.rotation, goal.rotation, fraction);
  part.collider.setPose(toVec3(position), toQuat(rotation));
  if (fraction >= 1) part.start = goal;
}
