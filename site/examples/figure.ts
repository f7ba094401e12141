// A wooden figure on a skeleton. Load a GLB character instead, and take its
// skinned mesh: the code of the garment stays the same.

import {
  Bone,
  Matrix,
  Mesh,
  MeshBuilder,
  Skeleton,
  Vector3,
  VertexBuffer,
  type Scene,
} from "@babylonjs/core";

interface Limb {
  name: string;
  parent?: string;
  /** joint, then the far end of the capsule, m */
  from: [number, number, number];
  to: [number, number, number];
  radius: number;
}

/** Each bone moves one capsule. */
export function createFigure(scene: Scene): {
  figure: Mesh;
  bones: ReadonlyMap<string, Bone>;
} {
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
    const offset = above
      ? joint.subtract(Vector3.FromArray(above.from))
      : joint;
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
  return { figure, bones };
}
