// A cape on a skinned figure that walks.

import { Color3, Mesh, Vector3, VertexData, type AbstractEngine } from "@babylonjs/core";
import {
  ClothAggregate,
  ClothDragBehavior,
  fabrics,
  PliantPlugin,
  SkeletonAggregate,
  SmoothMesh,
  type Fabric,
  type PliantPluginOptions,
} from "babylon-pliant";
import { createStudio } from "../../site/examples/studio";
import { createFigure } from "../../site/examples/figure";

export async function createScene(engine?: AbstractEngine, physics: PliantPluginOptions = {}) {
  const studio = await createStudio({
    engine,
    floor: "#8f97a8",
    wall: "#c3cad6",
    glow: "rgba(255,252,246,0.8)",
    target: new Vector3(0, 0.95, 0),
    radius: 3.5,
    alpha: -0.5,
    beta: 1.42,
    aspect: 0.72,
  });
  const { scene, camera, paint, weave, show } = studio;
  const plugin = await PliantPlugin.CreateAsync(studio.engine, physics);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  camera.addBehavior(new ClothDragBehavior());

  // Load a GLB character instead of the wooden figure, and take its skinned mesh: the code below stays the same.
  const { figure, bones } = createFigure(scene);
  show(paint("#d8b48a", { roughness: 0.45 }), figure);

  // The cape hangs on the shoulders, behind the figure.
  const cape = new Mesh("cape", scene);
  const [columns, rows] = [32, 30];
  const data = new VertexData();
  const [positions, indices, uvs, normals]: number[][] = [[], [], [], []];
  for (let row = 0; row <= rows; row++)
    for (let column = 0; column <= columns; column++) {
      // round the neck, and wider below
      const [u, v] = [column / columns - 0.5, row / rows];
      const angle = 3.6 * u;
      const wide = 0.11 + 0.5 * Math.min(1, 1.8 * v) ** 0.6;
      positions.push(wide * Math.sin(angle), 1.5 - 1.12 * v, -wide * Math.cos(angle));
      uvs.push(u, v);
      if (row === rows || column === columns) continue;
      const a = row * (columns + 1) + column;
      indices.push(a, a + 1, a + columns + 1, a + 1, a + columns + 2, a + columns + 1);
    }
  VertexData.ComputeNormals(positions, indices, normals);
  Object.assign(data, { positions, indices, uvs, normals }).applyToMesh(cape);
  const dye = weave("#a31c3a");
  cape.material = dye;

  // Colliders of the bones, and a collar that follows the skin.
  new SkeletonAggregate(figure, {}, scene);
  const collar = Array.from({ length: columns + 1 }, (_, column) => column);
  const wool: Fabric = { ...fabrics.cotton, areaDensity: 0.25, bendingWarp: 6e-5, bendingWeft: 6e-5 };
  const kinds: Record<string, Fabric> = { wool, silk: fabrics.silk, cotton: fabrics.cotton, denim: fabrics.denim };
  const cloth = new ClothAggregate(cape, { fabric: wool, attach: { skin: figure, vertices: collar } }, scene);
  show(dye, new SmoothMesh(cloth, { thickness: 0.006 }).mesh);

  const colors: Record<string, string> = { crimson: "#a31c3a", saffron: "#d98a1f", forest: "#1f5a3d", ink: "#232a44" };
  let [pace, time, wind] = [1, 0, 1.2];
  const turn = (name: string, x: number, z = 0): void => bones.get(name)!.setRotation(new Vector3(x, 0, z));
  plugin.onBeforeStepObservable.add((dt) => {
    time += 4.6 * pace * dt;
    const step = Math.sin(time);
    for (const s of [1, -1]) {
      turn(`arm${s}`, 0.5 * s * step, 0.14 * s);
      turn(`hand${s}`, -0.4 - 0.25 * s * step);
      turn(`thigh${s}`, -0.5 * s * step);
      turn(`shin${s}`, 0.35 + 0.35 * s * Math.cos(time));
    }
    turn("chest", 0.06 + 0.03 * Math.cos(2 * time), 0.04 * step);
    // The figure walks on the spot: the air moves as it does on its way, and in gusts.
    const gust = 0.6 * Math.sin(0.21 * time) + 0.4 * Math.sin(0.57 * time);
    cloth.setWind(new Vector3(0.8 * gust * wind, 0, -1.2 * pace - wind * (0.6 + 0.5 * gust)));
  });

  return {
    scene,
    controls: {
      fabric: { value: "wool", choices: Object.keys(kinds), set: (name: string) => cloth.setFabric(kinds[name]) },
      color: {
        value: "crimson",
        choices: Object.keys(colors),
        set(name: string) {
          dye.albedoColor = Color3.FromHexString(colors[name]).toLinearSpace();
          dye.sheen.color = dye.albedoColor;
        },
      },
      pace: { value: pace, range: [0, 1.6] as const, set: (value: number) => void (pace = value) },
      wind: { value: wind, range: [0, 5] as const, unit: "m/s", set: (value: number) => void (wind = value) },
    },
  };
}
