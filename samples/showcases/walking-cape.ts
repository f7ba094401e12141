// A cape on a skinned figure that walks.

import {
  Bone,
  Color3,
  Matrix,
  Mesh,
  MeshBuilder,
  Skeleton,
  Vector3,
  VertexBuffer,
  VertexData,
  type AbstractEngine,
} from "@babylonjs/core";
import {
  ClothAggregate,
  ClothDragBehavior,
  fabrics,
  PliantPlugin,
  SkeletonAggregate,
  type Fabric,
  type PliantPluginOptions,
} from "babylon-pliant";
import { createStudio } from "../../site/examples/studio";

interface Limb {
  name: string;
  parent?: string;
  /** joint, then the far end of the capsule, m */
  from: [number, number, number];
  to: [number, number, number];
  radius: number;
}

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

  // A wooden figure: each bone moves one capsule. Load a GLB character instead,
  // and take its skinned mesh: the code below the figure stays the same.
  const arms = (s: 1 | -1): Limb[] => [
    {
      name: `arm${s}`,
      parent: "chest",
      from: [0.22 * s, 1.42, 0],
      to: [0.27 * s, 1.14, 0],
      radius: 0.05,
    },
    {
      name: `hand${s}`,
      parent: `arm${s}`,
      from: [0.27 * s, 1.12, 0],
      to: [0.28 * s, 0.86, 0],
      radius: 0.042,
    },
    {
      name: `thigh${s}`,
      parent: "hips",
      from: [0.09 * s, 0.9, 0],
      to: [0.1 * s, 0.53, 0],
      radius: 0.075,
    },
    {
      name: `shin${s}`,
      parent: `thigh${s}`,
      from: [0.1 * s, 0.5, 0],
      to: [0.1 * s, 0.08, 0],
      radius: 0.058,
    },
    {
      name: `foot${s}`,
      parent: `shin${s}`,
      from: [0.1 * s, 0.05, -0.02],
      to: [0.1 * s, 0.04, 0.13],
      radius: 0.042,
    },
  ];
  const limbs: Limb[] = [
    { name: "hips", from: [0, 0.92, 0], to: [0, 1, 0], radius: 0.12 },
    {
      name: "chest",
      parent: "hips",
      from: [0, 1.1, 0],
      to: [0, 1.36, 0],
      radius: 0.14,
    },
    {
      name: "neck",
      parent: "chest",
      from: [0, 1.48, 0],
      to: [0, 1.56, 0],
      radius: 0.048,
    },
    {
      name: "head",
      parent: "chest",
      from: [0, 1.62, 0],
      to: [0, 1.68, 0.01],
      radius: 0.105,
    },
    ...arms(1),
    ...arms(-1),
  ];

  const skeleton = new Skeleton("rig", "rig", scene);
  const bones = new Map<string, Bone>();
  const parts: Mesh[] = [];
  limbs.forEach(({ name, parent, from, to, radius }, index) => {
    const above = limbs.find((limb) => limb.name === parent);
    const joint = Vector3.FromArray(from);
    const offset = above ? joint.subtract(Vector3.FromArray(above.from)) : joint;
    const local = Matrix.Translation(offset.x, offset.y, offset.z);
    bones.set(name, new Bone(name, skeleton, bones.get(parent ?? "") ?? null, local));
    const along = Vector3.FromArray(to).subtract(joint);
    const height = along.length() + 2 * radius;
    const capsule = MeshBuilder.CreateCapsule(name, { height, radius, orientation: along.normalizeToNew() }, scene);
    capsule.position = joint.add(along.scale(0.5));
    capsule.bakeCurrentTransformIntoVertices();
    const count = capsule.getTotalVertices();
    const isMoved = (_: unknown, k: number): number => (k % 4 === 0 ? 1 : 0);
    capsule.setVerticesData(
      VertexBuffer.MatricesIndicesKind,
      new Float32Array(4 * count).map((_, k) => index * isMoved(_, k)),
    );
    capsule.setVerticesData(VertexBuffer.MatricesWeightsKind, new Float32Array(4 * count).map(isMoved));
    parts.push(capsule);
  });
  const figure = Mesh.MergeMeshes(parts, true)!;
  figure.skeleton = skeleton;
  skeleton.returnToRest();
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
  show(dye, cape);

  // Colliders of the bones, and a collar that follows the skin.
  new SkeletonAggregate(figure, {}, scene);
  const collar = Array.from({ length: columns + 1 }, (_, column) => column);
  const wool: Fabric = { ...fabrics.cotton, areaDensity: 0.25, bendingWarp: 6e-5, bendingWeft: 6e-5 };
  const kinds: Record<string, Fabric> = { wool, silk: fabrics.silk, cotton: fabrics.cotton, denim: fabrics.denim };
  const cloth = new ClothAggregate(cape, { fabric: wool, attach: { skin: figure, vertices: collar } }, scene);

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
