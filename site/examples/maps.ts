// Two sheets of one cotton, each held in the middle by a post. The right one is
// stiff where it is yellow, and heavy where it is blue.

import { MeshBuilder, Vector3, VertexBuffer } from "@babylonjs/core";
import {
  ClothAggregate,
  ClothDragBehavior,
  ClothMaps,
  PliantPlugin,
} from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, camera, paint, weave, show } = await createStudio({
  floor: "#8d9a86",
  wall: "#e6e9df",
  target: new Vector3(0, 0.72, 0),
  radius: 2.5,
  alpha: -1.45,
  beta: 1.2,
  aspect: 1.4,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
camera.addBehavior(new ClothDragBehavior());

const wood = paint("#8b6a4c", { roughness: 0.6 });
const cotton = weave("#f4efe6");

function sheetOn(x: number, isMapped: boolean) {
  const post = MeshBuilder.CreateCylinder(
    "post",
    { height: 1.05, diameter: 0.05 },
    scene,
  );
  post.position.set(x, 0.525, 0);
  show(wood, post);
  const mesh = MeshBuilder.CreateGround(
    "sheet",
    { width: 1, height: 1, subdivisions: 36 },
    scene,
  );
  mesh.position.set(x, 1.06, 0);
  show(cotton, mesh);
  const held = (place: Vector3) => Math.hypot(place.x - x, place.z) < 0.06;
  if (!isMapped) return new ClothAggregate(mesh, { pins: held }, scene);

  const places = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  const [bending, mass]: number[][] = [[], []];
  const colors: number[] = [];
  for (let i = 0; i < places.length; i += 3) {
    const [right, back] = [Math.abs(places[i]), Math.abs(places[i + 2])];
    const isStiff = Math.hypot(right, back) < 0.27;
    const isHeavy = Math.max(right, back) > 0.45;
    bending.push(isStiff ? 3e4 : 1);
    mass.push(isHeavy ? 4 : 1);
    const color = isStiff
      ? [1, 0.5, 0.1]
      : isHeavy
        ? [0.1, 0.3, 0.8]
        : [1, 1, 1];
    colors.push(...color, 1);
  }
  mesh.setVerticesData(VertexBuffer.ColorKind, colors);
  const maps = new ClothMaps({ bending, mass });
  return new ClothAggregate(mesh, { pins: held, maps, substeps: 40 }, scene);
}
sheetOn(-0.5, false);
sheetOn(0.5, true);

engine.runRenderLoop(() => scene.render());
