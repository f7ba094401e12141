import type { ArcRotateCamera } from "@babylonjs/core/Cameras/arcRotateCamera";
import { PointerEventTypes, type PointerInfo } from "@babylonjs/core/Events/pointerEvents";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Observer } from "@babylonjs/core/Misc/observable";
import type { Ray } from "@babylonjs/core/Culling/ray";
import type { Handle } from "../scene";

/** Lets the pointer take hold of a scene's handles and move them in the plane that faces the camera. */
export class HandleDrag {
  private readonly observer: Observer<PointerInfo>;
  private held: Handle | undefined;

  constructor(
    private readonly camera: ArcRotateCamera,
    private readonly handles: readonly Handle[],
  ) {
    this.observer = camera.getScene().onPointerObservable.add((info) => this.listen(info))!;
  }

  dispose(): void {
    this.release();
    this.camera.getScene().onPointerObservable.remove(this.observer);
  }

  private listen({ type, event }: PointerInfo): void {
    if (type === PointerEventTypes.POINTERDOWN && event.button === 0) this.take();
    else if (type === PointerEventTypes.POINTERMOVE) this.move();
    else if (type === PointerEventTypes.POINTERUP) this.release();
  }

  private take(): void {
    const { origin, direction } = this.ray();
    const missOf = ({ position }: Handle): number => {
      const to = new Vector3(...position).subtract(origin);
      return to.subtract(direction.scale(Vector3.Dot(to, direction))).length();
    };
    const near = this.handles.filter((handle) => missOf(handle) < handle.radius);
    const [nearest] = near.sort((a, b) => missOf(a) - missOf(b));
    if (nearest === undefined) return;
    this.held = nearest;
    nearest.target = nearest.position;
    this.camera.detachControl();
  }

  private move(): void {
    if (this.held?.target === undefined) return;
    const { origin, direction } = this.ray();
    const facing = this.camera.getForwardRay().direction;
    const slope = Vector3.Dot(direction, facing);
    if (Math.abs(slope) < 1e-6) return;
    const distance = Vector3.Dot(new Vector3(...this.held.target).subtract(origin), facing) / slope;
    if (!(distance > 0)) return;
    const { x, y, z } = origin.add(direction.scale(distance));
    this.held.target = [x, y, z];
  }

  private release(): void {
    if (this.held === undefined) return;
    this.held.target = undefined;
    this.held = undefined;
    this.camera.attachControl(true);
  }

  private ray(): Ray {
    const scene = this.camera.getScene();
    return scene.createPickingRay(scene.pointerX, scene.pointerY, Matrix.Identity(), this.camera);
  }
}
