import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
} from "@babylonjs/core";
import { ClothAggregate, PliantPlugin } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, weave, show } = await createStudio({
  floor: "#c9b48a",
  wall: "#f2ead6",
  target: new Vector3(0, 0.5, 0),
  radius: 2.7,
  alpha: -1.1,
  beta: 1.2,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

const ground = MeshBuilder.CreateGround(
  "ground",
  { width: 8, height: 8 },
  scene,
);
ground.isVisible = false;
new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0 }, scene);

const wood = paint("#8a5a3b", { roughness: 0.6 });
for (const side of [-1, 1]) {
  const beam = MeshBuilder.CreateBox(
    "beam",
    { width: 0.05, height: 0.05, depth: 1.1 },
    scene,
  );
  beam.position.set(0.52 * side, 0.7, 0);
  const legs = [-0.5, 0.5].map((z) => {
    const leg = MeshBuilder.CreateBox(
      "leg",
      { width: 0.05, height: 0.7, depth: 0.05 },
      scene,
    );
    leg.position.set(0.52 * side, 0.35, z);
    return leg;
  });
  show(wood, beam, ...legs);
}

const sheet = MeshBuilder.CreateGround(
  "paper",
  { width: 1, height: 1, subdivisions: 24 },
  scene,
);
sheet.position.y = 0.72;
show(weave("#f4ead2"), sheet);
// The sheet bears 1.12 times its length at rest.
const cloth = new ClothAggregate(
  sheet,
  { tearing: { strain: 0.12 }, substeps: 20 },
  scene,
);
await cloth.pinEdge("left");
await cloth.pinEdge("right");
cloth.onTearObservable.add(({ vertices }) =>
  console.log(vertices.length, "vertices came apart"),
);

const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.24 }, scene);
ball.position.set(0.03, 1.3, 0.02);
show(paint("#c5cad1", { roughness: 0.2, metallic: 1 }), ball);
new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 4 }, scene);

engine.runRenderLoop(() => scene.render());
