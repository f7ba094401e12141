import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
} from "@babylonjs/core";
import { CharacterController, PliantPlugin } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, camera, paint, show } = await createStudio({
  floor: "#9fa98a",
  wall: "#e4ead8",
  target: new Vector3(0, 0.5, 0),
  radius: 5.2,
  beta: 1.1,
});
const plugin = await PliantPlugin.CreateAsync(engine);
const gravity = new Vector3(0, -9.81, 0);
scene.enablePhysics(gravity, plugin);

const stone = paint("#c9c2b4", { roughness: 0.8 });
const box = (size: number[], place: number[], mass = 0) => {
  const [width, height, depth] = size;
  const mesh = MeshBuilder.CreateBox("box", { width, height, depth }, scene);
  mesh.position.set(place[0], place[1], place[2]);
  show(stone, mesh);
  const options = { mass, friction: 0.6 };
  new PhysicsAggregate(mesh, PhysicsShapeType.BOX, options, scene);
  return mesh;
};
box([12, 0.2, 12], [0, -0.1, 0]).isVisible = false;
// Four steps, a terrace, and crates to push off it.
for (let k = 0; k < 4; k++)
  box([0.3, 0.12 * (k + 1), 1], [0.3 * k - 0.6, 0.06 * (k + 1), 0]);
box([1.4, 0.48, 1], [1.15, 0.24, 0]);
const wood = paint("#b9783c", { roughness: 0.6 });
for (const [x, y] of [
  [1.1, 0.61],
  [1.1, 0.87],
  [-1.6, 0.13],
])
  show(wood, box([0.26, 0.26, 0.26], [x, y, x < 0 ? 1 : 0.05], 3));

const size = { capsuleHeight: 0.8, capsuleRadius: 0.18 };
const start = new Vector3(-1.9, 0.45, 0);
const character = new CharacterController(start, size, scene);
character.maxStepHeight = 0.15;
const peg = MeshBuilder.CreateCapsule(
  "character",
  { height: size.capsuleHeight, radius: size.capsuleRadius },
  scene,
);
show(paint("#c2452d", { roughness: 0.4 }), peg);

// The arrow keys steer; until then the character walks by itself.
const keys = new Set<string>();
let isSteered = false;
addEventListener("keydown", ({ key }) => {
  keys.add(key);
  isSteered ||= key.startsWith("Arrow");
});
addEventListener("keyup", ({ key }) => keys.delete(key));
const pressed = (key: string) => Number(keys.has(`Arrow${key}`));
const wanted = () => {
  if (!isSteered) return new Vector3(0.9, 0, 0);
  const ahead = camera.getDirection(Vector3.Forward());
  ahead.y = 0;
  ahead.normalize().scaleInPlace(pressed("Up") - pressed("Down"));
  const aside = camera.getDirection(Vector3.Right());
  return ahead.add(aside.scale(pressed("Right") - pressed("Left"))).scale(1.5);
};

plugin.onBeforeStepObservable.add((dt) => {
  const support = character.checkSupport(dt, Vector3.Down());
  const speed = wanted();
  // The speed along the ground is the wanted one; gravity does the rest.
  speed.y = character.getVelocity().y + gravity.y * dt;
  character.setVelocity(speed);
  character.integrate(dt, support, gravity);
  // It begins again after its fall off the terrace.
  if (!isSteered && character.getPosition().x > 3) character.setPosition(start);
  peg.position.copyFrom(character.getPosition());
});

engine.runRenderLoop(() => scene.render());
