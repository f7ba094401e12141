import { checkNames, optionNames } from "../src/option-names";
import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Camera } from "@babylonjs/core/Cameras/camera";
import type { CameraInputsManager } from "@babylonjs/core/Cameras/cameraInputsManager";
import { PointerEventTypes, type PointerInfo } from "@babylonjs/core/Events/pointerEvents";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Observable, type Observer } from "@babylonjs/core/Misc/observable";
import type { Scene } from "@babylonjs/core/scene";
import { invalid } from "../src/errors";
import { requireAtLeast, toVec3 } from "./geometry/convert";
import type { DeformableAggregate } from "./deformable/deformable-aggregate";
import { Grip } from "./deformable/grip";
import { pluginOf, requireKind } from "./plugin-of";
import "@babylonjs/core/Culling/ray";

/** Options for dragging cloth, soft bodies and ropes. */
export interface ClothDragOptions {
  /**
   * Radius of the patch around the pointer that the drag grips, m; 0 for a single particle. Default: 6 % of the body's
   * size, and in any case all particles that share a triangle, a tetrahedron or an edge with the particle that is hit.
   */
  radius?: number;
  /**
   * Highest force of a drag, N: a part of the body that needs more stays behind the pointer. Default: ten times the
   * weight of the body, or the force that stretches the patch by a tenth to a third if that is less. Bodies of solver
   * `newton` are held exactly, whatever force that takes.
   */
  maxForce?: number;
  /** Largest distance by which the pointer may miss the body, m. Default 0.02. */
  tolerance?: number;
  /** Pointer button, as in DOM events. Default 0, the left one. */
  button?: number;
}

const dragOptionNames = optionNames<ClothDragOptions>()("radius maxForce tolerance button");

/**
 * A behavior of a camera, which lets the pointer drag cloth, soft bodies and ropes. When it is pressed on a body, the pointer grips the patch under it and moves it in the plane
 * that faces the camera; meanwhile the camera does not listen to the pointer.
 *
 * @example
 * ```ts
 * camera.addBehavior(new ClothDragBehavior({ radius: 0.1 }));
 * ```
 */
export class ClothDragBehavior implements Behavior<Camera> {
  readonly name = "ClothDrag";
  attachedNode: Camera | null = null;
  enabled = true;
  readonly onDragStartObservable = new Observable<DeformableAggregate>();
  readonly onDragEndObservable = new Observable<DeformableAggregate>();
  private readonly radius: number | undefined;
  private readonly maxForce: number | undefined;
  private readonly tolerance: number;
  private readonly button: number;
  private observer: Observer<PointerInfo> | null = null;
  private grip: Grip | undefined;
  private giveBackControl = (): void => undefined;
  /** Counts presses: the result of a pick for an earlier press comes too late. */
  private press = 0;

  constructor(options: ClothDragOptions = {}) {
    checkNames("ClothDragBehavior", options, dragOptionNames);
    const { radius, maxForce } = options;
    if (radius !== undefined) requireAtLeast("ClothDragBehavior.radius", radius, 0);
    if (maxForce !== undefined && !(maxForce > 0))
      throw invalid("ClothDragBehavior.maxForce", maxForce, "must be positive");
    this.radius = radius;
    this.maxForce = maxForce;
    this.tolerance = options.tolerance ?? 0.02;
    this.button = options.button ?? 0;
  }

  /** Nothing to prepare. */
  init(): void {}

  /** @throws PliantError for anything but a camera */
  attach(camera: Camera): void {
    requireKind("ClothDragBehavior.attach", camera, "getScene", "a camera");
    this.attachedNode = camera;
    this.observer = camera.getScene().onPointerObservable.add((info) => this.listen(info));
  }

  detach(): void {
    this.release();
    this.attachedNode?.getScene().onPointerObservable.remove(this.observer);
    this.observer = null;
    this.attachedNode = null;
  }

  /** Whether a body is being dragged. */
  get dragging(): boolean {
    return this.grip !== undefined;
  }

  private listen(info: PointerInfo): void {
    const camera = this.attachedNode;
    if (!camera) return;
    if (info.type === PointerEventTypes.POINTERDOWN && this.enabled && info.event.button === this.button)
      void this.take(camera);
    else if (info.type === PointerEventTypes.POINTERMOVE && this.grip) this.move(camera, this.grip);
    else if (info.type === PointerEventTypes.POINTERUP) this.release();
  }

  private async take(camera: Camera): Promise<void> {
    const press = ++this.press;
    const scene = camera.getScene();
    const { origin, direction } = pointerRay(scene, camera);
    const picked = await this.pick(scene, origin, direction);
    if (!picked || press !== this.press) return;
    const grip = await Grip.take(picked.aggregate, picked.particle, picked.point, this.radius, this.maxForce);
    // the button may have been released by now
    if (press !== this.press || picked.aggregate.isDisposed) return grip?.release();
    if (!grip) return;
    this.grip = grip;
    this.giveBackControl = takeControl(camera);
    this.onDragStartObservable.notifyObservers(grip.aggregate);
  }

  /** The nearest body along a ray, unless another mesh is in front of it. */
  private async pick(
    scene: Scene,
    origin: Vector3,
    direction: Vector3,
  ): Promise<{ aggregate: DeformableAggregate; particle: number; point: Vector3 } | undefined> {
    const { deformableAggregates: aggregates, frame } = pluginOf("ClothDragBehavior", scene);
    const front = scene.pick(
      scene.pointerX,
      scene.pointerY,
      (mesh) =>
        mesh.isPickable &&
        mesh.isVisible &&
        mesh.isEnabled() &&
        !aggregates.some((aggregate) => aggregate.mesh === mesh),
    );
    const hits = await Promise.all(
      aggregates.map(async (aggregate) => ({
        aggregate,
        hit: await aggregate.body.pick(frame.point(origin), toVec3(direction), frame.length(this.tolerance)),
      })),
    );
    let limit = front?.hit ? front.distance + this.tolerance : Infinity;
    let best: { aggregate: DeformableAggregate; particle: number; point: Vector3 } | undefined;
    for (const { aggregate, hit } of hits) {
      const distance = hit ? frame.lengthInScene(hit.distance) : Infinity;
      if (!hit || distance >= limit) continue;
      limit = distance;
      best = { aggregate, particle: hit.particle, point: frame.pointInScene(hit.point) };
    }
    return best;
  }

  private move(camera: Camera, grip: Grip): void {
    const { origin, direction } = pointerRay(camera.getScene(), camera);
    const facing = camera.getForwardRay().direction;
    const slope = Vector3.Dot(direction, facing);
    if (Math.abs(slope) < 1e-6) return;
    const distance = Vector3.Dot(grip.point.subtract(origin), facing) / slope;
    if (distance > 0) grip.moveTo(origin.add(direction.scale(distance)));
  }

  private release(): void {
    this.press++;
    const { grip } = this;
    if (!grip) return;
    this.grip = undefined;
    grip.release();
    this.giveBackControl();
    this.onDragEndObservable.notifyObservers(grip.aggregate);
  }
}

/** Stops a camera from listening to the pointer, if it did; the returned function undoes that. */
function takeControl(camera: Camera): () => void {
  const { inputs } = camera as Camera & { inputs?: CameraInputsManager<Camera> };
  if (!inputs?.attachedToElement) return () => undefined;
  const { noPreventDefault } = inputs;
  camera.detachControl();
  return () => camera.attachControl(noPreventDefault);
}

function pointerRay(scene: Scene, camera: Camera): { origin: Vector3; direction: Vector3 } {
  return scene.createPickingRay(scene.pointerX, scene.pointerY, Matrix.Identity(), camera);
}
