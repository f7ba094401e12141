import {
  Bone,
  Matrix,
  MeshBuilder,
  Skeleton,
  Vector3,
  VertexBuffer,
  VertexData,
  Mesh,
} from "@babylonjs/core";
import {
  ClothAggregate,
  PliantPlugin,
  SkeletonAggregate,
} from "babylon-pliant";
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

// A wooden figure: each bone moves one capsule. Load a GLB character instead,
// and take its skinned mesh: the code below the figure stays the same.
interface Limb {
  name: string;
  parent?: string;
  /** joint, then the far end of the capsule, m */
  from: [number, number, number];
  to: [number, number, number];
  radius: number;
}
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
  bones.set(
    name,
    new Bone(name, skeleton, bones.get(parent ?? "") ?? null, local),
  );
  const along = Vector3.FromArray(to).subtract(joint);
  const height = along.length() + 2 * radius;
  const capsule = MeshBuilder.CreateCapsule(
    name,
    { height, radius, orientation: along.normalizeToNew() },
    scene,
  );
  capsule.position = joint.add(along.scale(0.5));
  capsule.bakeCurrentTransformIntoVertices();
  const count = capsule.getTotalVertices();
  const isMoved = (_: unknown, k: number): number => (k % 4 === 0 ? 1 : 0);
  capsule.setVerticesData(
    VertexBuffer.MatricesIndicesKind,
    new Float32Array(4 * count).map((_, k) => index * isMoved(_, k)),
  );
  capsule.setVerticesData(
    VertexBuffer.MatricesWeightsKind,
    new Float32Array(4 * count).map(isMoved),
  );
  parts.push(capsule);
});
const figure = Mesh.MergeMeshes(parts, true)!;
figure.skeleton = skeleton;
skeleton.returnToRest();
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
