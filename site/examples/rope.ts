import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
} from "@babylonjs/core";
import { PliantPlugin, RopeAggregate } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, show } = await createStudio({
  floor: "#7794a6",
  wall: "#d8e6ec",
  target: new Vector3(0, 0.95, 0),
  radius: 3.9,
  beta: 1.35,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

const wood = paint("#8a5a3b", { roughness: 0.6 });
const beam = MeshBuilder.CreateBox(
  "beam",
  { width: 1.9, height: 0.08, depth: 0.08 },
  scene,
);
beam.position.y = 1.9;
const posts = [-0.9, 0.9].map((x) => {
  const post = MeshBuilder.CreateBox(
    "post",
    { width: 0.08, height: 1.9, depth: 0.08 },
    scene,
  );
  post.position.set(x, 0.95, 0);
  return post;
});
show(wood, beam, ...posts);

const hemp = paint("#d9b36c", { roughness: 0.9 });

// A rope that holds a box: the two hold each other.
const crate = MeshBuilder.CreateBox("crate", { size: 0.34 }, scene);
crate.position.set(0.55, 1.35, 0);
show(paint("#c4703a", { roughness: 0.7 }), crate);
new PhysicsAggregate(crate, PhysicsShapeType.BOX, { mass: 3 }, scene);
const path = [new Vector3(-0.35, 1.86, 0), new Vector3(0.43, 1.4, 0)];
const rope = new RopeAggregate(
  { path, radius: 0.014, name: "rope" },
  {
    pins: [0, 1],
    attach: { node: crate, at: "end" },
    density: 800,
    segments: 40,
  },
  scene,
);
show(hemp, rope.mesh);

// A slack rope between the posts.
const ends = [
  new Vector3(-0.86, 0.75, 0),
  new Vector3(0, 0.3, 0),
  new Vector3(0.86, 0.75, 0),
];
const slack = new RopeAggregate(
  { path: ends, radius: 0.018, name: "slack" },
  { segments: 60 },
  scene,
);
await slack.pinEnd("start");
await slack.pinEnd("end");
show(hemp, slack.mesh);

engine.runRenderLoop(() => scene.render());
