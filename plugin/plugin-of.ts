import type { Scene } from "@babylonjs/core/scene";
import { PliantError } from "../src/errors";
import type { PliantPlugin } from "./pliant-plugin";

/**
 * The Pliant plugin of a scene. Told by its name, so that two bundles of this package in a page still understand each other.
 *
 * @throws PliantError when physics is not enabled with it; `object` names who needs it
 */
export function pluginOf(object: string, scene: Scene): PliantPlugin {
  const plugin = scene.getPhysicsEngine()?.getPhysicsPlugin();
  if (plugin?.name !== "PliantPlugin")
    throw new PliantError(
      "invalid-argument",
      object,
      plugin?.name ?? "no physics",
      "needs scene.enablePhysics(gravity, plugin) with a PliantPlugin",
    );
  return plugin as PliantPlugin;
}
