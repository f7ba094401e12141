import { Mesh, Vector3, VertexData } from "@babylonjs/core";
import {
  ClothAggregate,
  PliantPlugin,
  SkeletonAggregate,
} from "babylon-pliant";
import { createFigure } from "./figure";
import { createStudio } from "./studio";

const { engine, scene, paint, weave, show } = await createStudio({
  floor: "#5d6b8c",
  wall: "#ccd6e6",
  target: new Vector3(0, 0.92, 0),
  radius: 3.7,
  alpha: -0.55,
  beta: 1.4,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

const { figure, bones } = createFigure(scene);
show(paint("#d8b48a", { roughness: 0.45 }), figure);

// The cape hangs on the shoulders, behind the figure.
const cape = new Mesh("cape", scene);
const [columns, rows] = [24, 32];
const data = new VertexData();
const [positions, indices, uvs, normals]: number[][] = [[], [], [], []];
for (let row = 0; row <= rows; row++)
  for (let column = 0; column <= columns; column++) {
    const [u, v] = [column / columns - 0.5, row / rows];
    positions.push(
      u * (0.5 + 0.45 * v),
      1.5 - 1.05 * v,
      -0.16 - 0.12 * v + 0.25 * u * u,
    );
    uvs.push(u, v);
    if (row === rows || column === columns) continue;
    const a = row * (columns + 1) + column;
    indices.push(
      a,
      a + 1,
      a + columns + 1,
      a + 1,
      a + columns + 2,
      a + columns + 1,
    );
  }
VertexData.ComputeNormals(positions, indices, normals);
Object.assign(data, { positions, indices, uvs, normals }).applyToMesh(cape);
show(weave("#a31c3a"), cape);

// Colliders of the bones, and a collar that follows the skin.
new SkeletonAggregate(figure, {}, scene);
const collar = Array.from({ length: columns + 1 }, (_, column) => column);
const cloth = new ClothAggregate(
  cape,
  { fabric: "cotton", attach: { skin: figure, vertices: collar } },
  scene,
);

let time = 0;
const turn = (name: string, x: number, z = 0): void =>
  bones.get(name)!.setRotation(new Vector3(x, 0, z));
scene.onBeforeAnimationsObservable.add(() => {
  time += Math.min(0.05, engine.getDeltaTime() / 1000);
  const step = Math.sin(4.5 * time);
  for (const s of [1, -1]) {
    turn(`arm${s}`, 0.55 * s * step, 0.14 * s);
    turn(`hand${s}`, -0.45 - 0.25 * s * step);
    turn(`thigh${s}`, -0.5 * s * step);
    turn(`shin${s}`, 0.35 + 0.35 * s * Math.cos(4.5 * time));
  }
  turn("chest", 0.06 + 0.03 * Math.cos(9 * time), 0.04 * step);
  // The figure walks on the spot: the wind is that of its way.
  cloth.setWind(new Vector3(0, 0, -1.4));
});

engine.runRenderLoop(() => scene.render());
