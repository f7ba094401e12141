import type { ArcRotateCamera } from "@babylonjs/core/Cameras/arcRotateCamera";
import type { Scene } from "@babylonjs/core/scene";
import { WebXRDefaultExperience } from "@babylonjs/core/XR/webXRDefaultExperience";
import { WebXRState } from "@babylonjs/core/XR/webXRTypes";

/**
 * Shows a scene in a headset, until the visitor takes it off or the scene goes. One stands where the page's camera is, and looks the same way; rays of controllers
 * and hands act as the pointer does.
 *
 * @returns when the headset shows the scene
 * @throws Error if the browser refuses the session
 */
export async function enterHeadset(scene: Scene, camera: ArcRotateCamera): Promise<void> {
  const experience = await WebXRDefaultExperience.CreateAsync(scene, {
    disableDefaultUI: true,
    disableTeleportation: true,
    disableNearInteraction: true,
    disableHandTracking: true,
    optionalFeatures: ["hand-tracking"],
    inputOptions: { doNotLoadControllerMeshes: true, disableOnlineControllerRepository: true },
  });
  const { baseExperience: helper } = experience;
  const [place, goal] = [camera.globalPosition.clone(), camera.target.clone()];
  helper.onStateChangedObservable.add((state) => {
    if (state === WebXRState.IN_XR)
      scene.onAfterRenderObservable.addOnce(() => {
        helper.camera.position.copyFrom(place);
        helper.camera.setTarget(goal);
      });
    // Babylon has put the page's camera back by then.
    if (state === WebXRState.NOT_IN_XR) setTimeout(() => experience.dispose());
  });
  scene.onDisposeObservable.addOnce(() => void helper.sessionManager.exitXRAsync());
  await helper.enterXRAsync("immersive-vr", "local-floor");
}
