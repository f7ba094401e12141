import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Scene } from "@babylonjs/core/scene";
import { invalid, PliantError } from "../src/errors";
import type { ClothPlugin } from "./cloth-plugin";
import { deformableScenes } from "./scene-frame";

/**
 * The Pliant plugin of a scene. The plugin is recognized by its name, so that two bundles of this package work together
 * in one page.
 *
 * @throws PliantError if physics is not enabled with it; `object` names the object that needs it
 */
export function pluginOf(object: string, scene: Scene): ClothPlugin {
  const beside = deformableScenes.get(scene);
  if (beside) return beside as ClothPlugin;
  requireKind(object, scene, "getPhysicsEngine", "given a scene as its last argument");
  const plugin = scene.getPhysicsEngine()?.getPhysicsPlugin();
  if (plugin?.name !== "PliantPlugin")
    throw invalid(
      object,
      plugin?.name ?? "no physics",
      "needs scene.enablePhysics with await PliantPlugin.CreateAsync(engine), or a DeformableScene",
    );
  return plugin as ClothPlugin;
}

/**
 * A mesh, which it returns.
 *
 * @throws PliantError `invalid-argument` for anything else, such as the null of a mesh that was not found
 */
export function requireMesh(object: string, mesh: AbstractMesh): AbstractMesh {
  requireKind(`${object}.mesh`, mesh, "getVerticesData", "a mesh");
  return mesh;
}

/**
 * Tells things of two bundles of Babylon or of this package by a method that only their kind has.
 *
 * @throws PliantError `invalid-argument` for a thing without the method: a slip, or the null of a search
 */
export function requireKind(object: string, thing: unknown, method: string, kind: string): void {
  if (typeof (thing as Record<string, unknown> | null | undefined)?.[method] !== "function")
    throw invalid(object, thing, `must be ${kind}`);
}

/** @throws PliantError `disposed` for a node, a mesh or a bone that is gone; as `requireKind` for anything else */
export function requireAlive(
  object: string,
  thing: { readonly name: string; isDisposed(): boolean } | undefined,
  kind: string,
): void {
  requireKind(object, thing, "isDisposed", kind);
  if (thing!.isDisposed())
    throw new PliantError("disposed", object, thing!.name, `must be ${kind} that is not disposed`);
}

/** @throws PliantError `invalid-argument` for anything but a cloth, a soft body or a rope */
export function requireAggregate(object: string, aggregate: unknown): void {
  requireKind(object, aggregate, "bakeToMesh", "a cloth, a soft body or a rope");
}
