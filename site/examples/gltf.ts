import { ImportMeshAsync, Vector3, type PBRMaterial } from "@babylonjs/core";
import "@babylonjs/loaders/glTF";
import { PliantPlugin } from "babylon-pliant";
import { registerGltfPhysics } from "babylon-pliant/gltf";
import { createStudio } from "./studio";

const { engine, scene, paint, show } = await createStudio({
  floor: "#b7a08a",
  wall: "#e8ddce",
  target: new Vector3(0.1, 0.85, 0),
  radius: 4.6,
  alpha: 1.15,
  beta: 1.25,
});
registerGltfPhysics();
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

// Two posts, a door on its hinge, crates, a ball with a velocity, a
// flag, a cushion and a rope: the file has all of it.
const { meshes } = await ImportMeshAsync("yard.gltf", scene);
for (const mesh of meshes)
  if (mesh.material) show(mesh.material as PBRMaterial, mesh);
for (const { mesh } of plugin.ropeAggregates) show(paint("#8d6e4b"), mesh);

engine.runRenderLoop(() => scene.render());
