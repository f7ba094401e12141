/**
 * Physics in glTF files, for Babylon's loader (`@babylonjs/loaders`).
 *
 * @module babylon-pliant/gltf
 */

import { registerGLTFExtension } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry";
import { DEFORMABLES, DeformablesLoader } from "./deformable-loader";
import { DeformablesWriter } from "./deformable-writer";
import { RIGID_BODIES, SHAPES } from "./json";
import { MSFT_BODIES, MSFT_SHAPES, MsftBodiesLoader } from "./msft";
import { RigidBodiesLoader } from "./rigid-loader";
import { type GltfExporter, RigidBodiesWriter } from "./rigid-writer";

/**
 * From now on Babylon's glTF loader makes the physics of files. Of `KHR_physics_rigid_bodies`, and of `MSFT_rigid_bodies` before it, it makes
 * `node.physicsBody` and six-degree-of-freedom constraints; of `PLIANT_deformables`, our own extension, cloth, soft bodies and ropes, which
 * `plugin.deformableAggregates` lists. Physics has to be enabled in the scene before a file is loaded. Bodies move from then on, so load
 * into the scene (`ImportMeshAsync`) and not into a container.
 *
 * @example
 * ```ts
 * registerGltfPhysics();
 * scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
 * await ImportMeshAsync("room.glb", scene);
 * ```
 */
export function registerGltfPhysics(): void {
  registerGLTFExtension(RIGID_BODIES, true, (loader) => new RigidBodiesLoader(loader));
  registerGLTFExtension(MSFT_BODIES, true, (loader) => new MsftBodiesLoader(loader));
  // The loaders above read their shapes. A file that requires the extension of the shapes loads only if it has a loader of its own.
  for (const name of [SHAPES, MSFT_SHAPES])
    registerGLTFExtension(name, true, () => ({ name, enabled: true, dispose: () => undefined }));
  registerGLTFExtension(DEFORMABLES, true, (loader) => new DeformablesLoader(loader));
}

/** The static side of `GLTFExporter` of `@babylonjs/serializers`. */
interface ExporterClass {
  RegisterExtension(name: string, factory: (exporter: GltfExporter) => RigidBodiesWriter | DeformablesWriter): void;
}

/**
 * From now on Babylon's glTF exporter writes the physics of Pliant: rigid bodies, their shapes, triggers, materials, filters and joints as
 * `KHR_physics_rigid_bodies`, and cloth, soft bodies and ropes as `PLIANT_deformables`, in their present state. `registerGltfPhysics`
 * reads both. Functions among options, maps, ranges and energies of one's own are left out, with a warning.
 *
 * @param exporter `GLTFExporter` of `@babylonjs/serializers`
 *
 * @example
 * ```ts
 * import { GLTFExporter } from "@babylonjs/serializers/glTF/2.0/glTFExporter";
 * registerGltfPhysicsExport(GLTFExporter);
 * const { files } = await GLTF2Export.GLBAsync(scene, "room");
 * ```
 */
export function registerGltfPhysicsExport(exporter: ExporterClass): void {
  exporter.RegisterExtension(RIGID_BODIES, (one) => new RigidBodiesWriter(one));
  exporter.RegisterExtension(DEFORMABLES, (one) => new DeformablesWriter(one));
}
