import type { ArcRotateCamera } from "@babylonjs/core/Cameras/arcRotateCamera";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";

/** The place of a camera: two angles, the distance from the target, and the target, m. */
export interface Place {
  readonly alpha: number;
  readonly beta: number;
  readonly radius: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export const PLACE = ["alpha", "beta", "radius", "x", "y", "z"] as const satisfies readonly (keyof Place)[];

/** The place of a camera, to a thousandth. */
export function placeOf({ alpha, beta, radius, target: { x, y, z } }: ArcRotateCamera): Place {
  const exact = { alpha, beta, radius, x, y, z };
  return Object.fromEntries(PLACE.map((key) => [key, Number(exact[key].toFixed(3))])) as unknown as Place;
}

/** Numbers that are not given stay as they are. */
export function putCamera(camera: ArcRotateCamera, { x, y, z, ...around }: Partial<Place>): void {
  const { target } = camera;
  camera.setTarget(new Vector3(x ?? target.x, y ?? target.y, z ?? target.z));
  for (const key of ["alpha", "beta", "radius"] as const) camera[key] = around[key] ?? camera[key];
}
