import type { Camera } from "@babylonjs/core/Cameras/camera";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { DeformableBody } from "../../src/index";
import type { LevelOfDetail } from "./motion-options";

/** A body that is far comes back to full steps when it is nearer than this part of the distance: it does not flicker between the two. */
const NEAR = 0.9;

/** Lets a body take longer steps where all cameras are far from its mesh; in a scene without a camera it is near. */
export function followCameras(body: DeformableBody, mesh: AbstractMesh, lod: LevelOfDetail): void {
  const scene = mesh.getScene();
  const cameras = scene.activeCameras?.length ? scene.activeCameras : [scene.activeCamera];
  const limit = (body._isFar ? NEAR : 1) * (lod as number);
  const isFarFrom = (camera: Camera): boolean =>
    typeof lod === "function" ? lod(camera, mesh) : distance(camera, mesh) > limit;
  body._isFar = cameras.every((camera) => camera && isFarFrom(camera));
}

/** Distance of a camera from the box around a mesh, in units of the scene. */
function distance(camera: Camera, mesh: AbstractMesh): number {
  const { minimumWorld, maximumWorld } = mesh.getBoundingInfo().boundingBox;
  const place = camera.globalPosition;
  const nearest = place.clone().maximizeInPlace(minimumWorld).minimizeInPlace(maximumWorld);
  return nearest.subtractInPlace(place).length();
}
