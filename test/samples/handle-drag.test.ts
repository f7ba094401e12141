import { ArcRotateCamera } from "@babylonjs/core/Cameras/arcRotateCamera";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { PointerEventTypes, PointerInfo } from "@babylonjs/core/Events/pointerEvents";
import type { IPointerEvent } from "@babylonjs/core/Events/deviceInputEvents";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HandleDrag } from "../../samples/gallery/handle-drag";
import type { Handle } from "../../samples/scene";
import "@babylonjs/core/Culling/ray";

let engine: NullEngine;
let scene: Scene;
let camera: ArcRotateCamera;
beforeEach(() => {
  engine = new NullEngine({
    renderWidth: 200,
    renderHeight: 200,
    textureSize: 16,
    deterministicLockstep: false,
    lockstepMaxSteps: 1,
  });
  scene = new Scene(engine);
  // Looks along +z at the origin from 2 m away.
  camera = new ArcRotateCamera("camera", -Math.PI / 2, Math.PI / 2, 2, Vector3.Zero(), scene);
  camera.getViewMatrix(true);
  scene.updateTransformMatrix();
});
afterEach(() => engine.dispose());

function pointer(type: number, x: number, y: number, button = 0): void {
  scene.pointerX = x;
  scene.pointerY = y;
  scene.onPointerObservable.notifyObservers(new PointerInfo(type, { button } as IPointerEvent, null, null), type);
}

describe("dragging a handle", () => {
  const makeHandle = (x: number): Handle => ({ position: [x, 0, 0], radius: 0.1, target: undefined });

  it("moves it in the plane that faces the camera, until the button is up", () => {
    const handles = [makeHandle(0), makeHandle(0.5)];
    const drag = new HandleDrag(camera, handles);
    pointer(PointerEventTypes.POINTERDOWN, 100, 100);
    expect(handles[0].target).toEqual([0, 0, 0]);
    pointer(PointerEventTypes.POINTERMOVE, 150, 100);
    // Half of the distance to the edge of the picture.
    expect(handles[0].target![0]).toBeCloseTo(2 * Math.tan(camera.fov / 2) * 0.5, 3);
    expect(handles[0].target![2]).toBeCloseTo(0, 5);
    expect(handles[1].target).toBeUndefined();
    pointer(PointerEventTypes.POINTERUP, 150, 100);
    expect(handles[0].target).toBeUndefined();
    drag.dispose();
  });

  it("needs the left button, on a handle", () => {
    const handles = [makeHandle(0)];
    const drag = new HandleDrag(camera, handles);
    pointer(PointerEventTypes.POINTERDOWN, 100, 100, 2);
    pointer(PointerEventTypes.POINTERDOWN, 180, 100);
    expect(handles[0].target).toBeUndefined();
    drag.dispose();
    pointer(PointerEventTypes.POINTERDOWN, 100, 100);
    expect(handles[0].target).toBeUndefined();
  });
});
