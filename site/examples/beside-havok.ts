import {
  HavokPlugin,
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
} from "@babylonjs/core";
import HavokPhysics from "@babylonjs/havok";
import { ClothAggregate, DeformableScene } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, weave, show } = await createStudio({
  floor: "#9aa27c",
  wall: "#e8ead9",
  target: new Vector3(0, 0.6, 0),
  radius: 4,
  beta: 1.2,
});

// Havok moves the bodies, as before.
const havok = new HavokPlugin(true, await HavokPhysics());
scene.enablePhysics(new Vector3(0, -9.81, 0), havok);
// One line more: cloth, soft bodies and ropes beside them.
await DeformableScene.CreateAsync(scene, { rigid: havok });

const ground = MeshBuilder.CreateGround(
  "ground",
  { width: 12, height: 12 },
  scene,
);
ground.isVisible = false;
new PhysicsAggregate(
  ground,
  PhysicsShapeType.BOX,
  { mass: 0, friction: 0.6 },
  scene,
);

const sheet = MeshBuilder.CreateGround(
  "sheet",
  { width: 1.4, height: 1.4, subdivisions: 28 },
  scene,
);
sheet.position.y = 0.6;
show(weave("#27406b"), sheet);
const cloth = new ClothAggregate(sheet, { fabric: "denim" }, scene);
for (const side of ["left", "right"] as const) await cloth.pinEdge(side);

const steel = paint("#9aa3ad", { roughness: 0.35, metallic: 1 });
for (const side of [-1, 1]) {
  const bar = MeshBuilder.CreateCylinder(
    "bar",
    { height: 1.5, diameter: 0.04 },
    scene,
  );
  bar.rotation.x = Math.PI / 2;
  bar.position.set(0.71 * side, 0.6, 0);
  const legs = [-0.7, 0.7].map((z) => {
    const leg = MeshBuilder.CreateCylinder(
      "leg",
      { height: 0.6, diameter: 0.04 },
      scene,
    );
    leg.position.set(0.71 * side, 0.3, z);
    return leg;
  });
  show(steel, bar, ...legs);
}

["#e0663c", "#f0b43c", "#f4efe6", "#e0663c"].forEach((color, k) => {
  const crate = MeshBuilder.CreateBox("crate", { size: 0.2 }, scene);
  crate.position.set(0.2 * (k % 2) - 0.1, 1 + 0.3 * k, 0.15 * (k - 1.5));
  crate.rotation.set(0.3 * k, 0.4, 0.2);
  show(paint(color, { roughness: 0.6 }), crate);
  new PhysicsAggregate(
    crate,
    PhysicsShapeType.BOX,
    { mass: 0.4, friction: 0.5 },
    scene,
  );
});

engine.runRenderLoop(() => scene.render());
