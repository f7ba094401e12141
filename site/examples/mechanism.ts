import { MeshBuilder, TransformNode, Vector3 } from "@babylonjs/core";
import {
  ArticulationAggregate,
  ClothAggregate,
  PliantPlugin,
} from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, weave, show } = await createStudio({
  floor: "#7b8798",
  wall: "#dfe5ea",
  target: new Vector3(0.2, 0.75, 0),
  radius: 3.2,
  alpha: -1.3,
  beta: 1.35,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

// An arm of nodes: a base that turns, and two links.
const white = paint("#f2f0ea", { roughness: 0.35 });
const orange = paint("#e8743b", { roughness: 0.4 });
const node = (
  name: string,
  parent: TransformNode | null,
  y: number,
): TransformNode => {
  const made = new TransformNode(name, scene);
  made.parent = parent;
  made.position.y = y;
  return made;
};
const link = (name: string, parent: TransformNode, length: number): void => {
  const bar = MeshBuilder.CreateCapsule(
    name,
    { height: length + 0.1, radius: 0.05 },
    scene,
  );
  bar.parent = parent;
  bar.position.y = length / 2;
  const joint = MeshBuilder.CreateCylinder(
    name,
    { height: 0.16, diameter: 0.14 },
    scene,
  );
  joint.parent = parent;
  joint.rotation.x = Math.PI / 2;
  show(white, bar);
  show(orange, joint);
};
const base = node("base", null, 0.12);
const foot = MeshBuilder.CreateCylinder(
  "foot",
  { height: 0.24, diameter: 0.36 },
  scene,
);
foot.parent = base;
show(orange, foot);
const upper = node("upper", base, 0.16);
link("upper bar", upper, 0.5);
const fore = node("fore", upper, 0.55);
link("fore bar", fore, 0.45);

const damping = 4;
const links = {
  base: {
    joint: { type: "revolute", name: "turn", axis: [0, 1, 0], damping },
    mass: 5,
  },
  upper: { joint: { type: "revolute", name: "shoulder", damping }, mass: 1 },
  fore: { joint: { type: "revolute", name: "elbow", damping }, mass: 0.8 },
} as const;
const options = { collideWithCloth: false };
const arm = ArticulationAggregate.fromHierarchy(base, links, options);

// The upper link carries a flag.
const flag = MeshBuilder.CreateGround(
  "flag",
  { width: 0.6, height: 0.36, subdivisionsX: 20, subdivisionsY: 12 },
  scene,
);
flag.rotation.x = -Math.PI / 2;
flag.position.set(0.38, 1.12, 0);
show(weave("#c8263f"), flag);
const hoist = Array.from({ length: 13 }, (_, row) => 21 * row);
const cloth = new ClothAggregate(
  flag,
  { fabric: "silk", attach: { node: fore, vertices: hoist } },
  scene,
);

cloth.setWind(new Vector3(3, 0, 0.5));

// Motors: a torque toward an angle that changes with time.
const drive = (joint: string, angle: number): void => {
  arm.setControl(joint, 60 * (angle - arm.getPosition(joint)[0]));
};
let time = 0;
plugin.onBeforeStepObservable.add((dt) => {
  time += dt;
  drive("turn", 0.9 * Math.sin(1.4 * time));
  drive("shoulder", 0.3 + 0.25 * Math.sin(1.1 * time));
  drive("elbow", -0.5 + 0.4 * Math.sin(1.7 * time));
});

engine.runRenderLoop(() => scene.render());
