import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Quaternion,
  Vector3,
  VertexBuffer,
} from "@babylonjs/core";
import { ClothAggregate, ClothRange, PliantPlugin } from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, weave, show } = await createStudio({
  floor: "#8a7f94",
  wall: "#e6dfe8",
  target: new Vector3(0, 0.6, 0),
  radius: 3.2,
  alpha: -Math.PI / 2,
  beta: 1.35,
  aspect: 1.3,
});
// Small garments are fast on the CPU.
const plugin = await PliantPlugin.CreateAsync(engine, { backend: "cpu" });
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

const [top, height] = [1.05, 0.75];

/** A form that wears a tunic: free below its collar, or near its form. */
const dressed = (x: number, color: string, isNear: boolean) => {
  const form = MeshBuilder.CreateCapsule(
    "form",
    { height: 1, radius: 0.13 },
    scene,
  );
  form.position.set(x, 0.72, 0);
  show(paint("#d8b48a", { roughness: 0.45 }), form);
  new PhysicsAggregate(form, PhysicsShapeType.CAPSULE, { mass: 0 }, scene);

  const tunic = MeshBuilder.CreateCylinder(
    "tunic",
    {
      height,
      diameterTop: 0.3,
      diameterBottom: 0.72,
      tessellation: 40,
      subdivisions: 18,
      cap: 0,
    },
    scene,
  );
  tunic.position.set(x, top - height / 2, 0);
  show(weave(color), tunic);

  const places = tunic.getVerticesData(VertexBuffer.PositionKind)!;
  const collar: number[] = [];
  for (let v = 0; 3 * v < places.length; v++)
    if (places[3 * v + 1] > height / 2 - 0.001) collar.push(v);

  // The hem may swing by 12 cm, the collar not at all. No vertex goes more
  // than 1 cm inside the shape that the tunic was modeled in.
  const range = new ClothRange({
    node: form,
    maxDistance: ({ y }) => Math.max(0, (0.12 * (top - y)) / height),
    backstop: 0.01,
  });
  const held = isNear
    ? { range }
    : { attach: { node: form, vertices: collar } };
  new ClothAggregate(
    tunic,
    { fabric: "silk", selfCollision: true, ...held },
    scene,
  );
  return form;
};

const forms = [dressed(-0.5, "#9c4f6b", false), dressed(0.5, "#3f6f8f", true)];

let time = 0;
plugin.onBeforeStepObservable.add((dt) => {
  time += dt;
  const sway = Quaternion.FromEulerAngles(0, 0, 0.3 * Math.sin(4 * time));
  for (const form of forms) form.rotationQuaternion = sway.clone();
});

engine.runRenderLoop(() => scene.render());
