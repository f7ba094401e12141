/** Every mesh that the plugin makes or changes is drawn from its outside, in scenes of either handedness. */
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { afterEach, describe, expect, it } from "vitest";
import { ArticulationAggregate, ClothAggregate, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import { testScene, vertexAt, type TestScene } from "./fixtures";

let t: TestScene;
afterEach(() => t.dispose());

function middleOf(mesh: Mesh): Vector3 {
  const x = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  const sum = Vector3.Zero();
  for (let v = 0; v < x.length / 3; v++) sum.addInPlace(vertexAt(x, v));
  return sum.scaleInPlace(3 / x.length);
}

/** Area of a convex mesh that Babylon draws from outside, less the area that it draws from inside. */
function drawnArea(mesh: Mesh): number {
  const x = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  const indices = mesh.getIndices()!;
  const middle = middleOf(mesh);
  // Babylon draws triangles that wind clockwise, unless the mesh has the other side orientation.
  const isUsual = mesh.sideOrientation === (t.scene.useRightHandedSystem ? 0 : 1);
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [p, q, r] = [0, 1, 2].map((k) => vertexAt(x, indices[i + k]));
    const cross = Vector3.Cross(q.subtract(p), r.subtract(p));
    sum -= 0.5 * Math.sign(Vector3.Dot(cross, p.subtract(middle))) * cross.length();
  }
  return isUsual ? sum : -sum;
}

function hasOutwardNormals(mesh: Mesh): boolean {
  const [x, n] = [VertexBuffer.PositionKind, VertexBuffer.NormalKind].map((kind) => mesh.getVerticesData(kind)!);
  const middle = middleOf(mesh);
  let sum = 0;
  for (let v = 0; v < x.length / 3; v++) sum += Vector3.Dot(vertexAt(x, v).subtract(middle), vertexAt(n, v));
  return sum > 0;
}

const corners = [
  [-0.3, -0.3, -0.3],
  [0.9, -0.3, -0.3],
  [-0.3, 0.9, -0.3],
  [-0.3, -0.3, 0.9],
].flat();

const made: Readonly<Record<string, () => Mesh>> = {
  "a box as a soft body": () => new SoftBodyAggregate(CreateBox("box", { size: 1 }, t.scene), {}, t.scene).mesh,
  "a box without normals as a soft body": () => {
    const box = CreateBox("box", { size: 1 }, t.scene);
    box.removeVerticesData(VertexBuffer.NormalKind);
    return new SoftBodyAggregate(box, {}, t.scene).mesh;
  },
  "a ball as cloth": () => new ClothAggregate(CreateSphere("ball", { segments: 4 }, t.scene), {}, t.scene).mesh,
  tetrahedra: () => {
    // In either order of corners, and as lists.
    const given = { positions: corners, tetrahedra: [0, 2, 1, 3] };
    return SoftBodyAggregate.FromTetrahedra("tetrahedron", given, { substeps: 2 }, t.scene).mesh;
  },
  "the mesh of a link": () => {
    const indices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
    const link = { name: "arm", mass: 1, joint: { type: "revolute", axis: [0, 0, 1] } } as const;
    const visuals = [{ link: "arm", shape: { type: "mesh", positions: corners, indices } as const }];
    return new ArticulationAggregate({ name: "robot", links: [link] }, { visuals }, t.scene).visualMeshes[0] as Mesh;
  },
};

describe.each([false, true])("in a scene that is right-handed: %s", (isRightHanded) => {
  it.each(Object.keys(made))("%s", async (name) => {
    t = await testScene();
    t.scene.useRightHandedSystem = isRightHanded;
    const mesh = made[name]();
    expect(hasOutwardNormals(mesh)).toBe(true);
    expect(drawnArea(mesh)).toBeGreaterThan(1);
    t.run(2);
    expect(drawnArea(mesh)).toBeGreaterThan(1);
  });

  it("a rope", async () => {
    t = await testScene();
    t.scene.useRightHandedSystem = isRightHanded;
    const path = [Vector3.Zero(), new Vector3(1, 0, 0)];
    expect(drawnArea(new RopeAggregate({ path, radius: 0.05 }, {}, t.scene).mesh)).toBeGreaterThan(0.2);
  });
});
