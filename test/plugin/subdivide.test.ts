import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import "@babylonjs/core/Materials/standardMaterial";
import { Color4 } from "@babylonjs/core/Maths/math.color";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateCylinder } from "@babylonjs/core/Meshes/Builders/cylinderBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { SubMesh } from "@babylonjs/core/Meshes/subMesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SoftBodyAggregate, type SoftBodyOptions } from "../../plugin/index";
import { refusal, testScene, vertexAt, type TestScene } from "./fixtures";

const { PositionKind, NormalKind, UVKind, ColorKind } = VertexBuffer;

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

const still = { youngsModulus: 2e4, airDensity: 0, gravityFactor: 0, substeps: 2, resolution: 5 } as const;
const jelly = (mesh: Mesh, options: SoftBodyOptions = {}): SoftBodyAggregate =>
  new SoftBodyAggregate(mesh, { ...still, ...options }, t.scene);

function worldPoints(mesh: Mesh): Vector3[] {
  const local = mesh.getVerticesData(PositionKind)!;
  const world = mesh.computeWorldMatrix(true);
  return Array.from({ length: local.length / 3 }, (_, i) => Vector3.TransformCoordinates(vertexAt(local, i), world));
}

/** Area in the world and in texture space of the triangles of each submesh, and the longest edge of all. */
function measure(mesh: Mesh): { areas: number[]; textured: number[]; longest: number } {
  const points = worldPoints(mesh);
  const uvs = mesh.getVerticesData(UVKind)!;
  const indices = mesh.getIndices()!;
  let longest = 0;
  const areas: number[] = [];
  const textured: number[] = [];
  for (const { indexStart, indexCount } of mesh.subMeshes) {
    let [sum, flat] = [0, 0];
    for (let i = indexStart; i < indexStart + indexCount; i += 3) {
      const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
      const [p, q, r] = [points[a], points[b], points[c]];
      sum += 0.5 * Vector3.Cross(q.subtract(p), r.subtract(p)).length();
      longest = Math.max(longest, Vector3.Distance(p, q), Vector3.Distance(q, r), Vector3.Distance(r, p));
      const [u, v] = [0, 1].map((k) => [uvs[2 * b + k] - uvs[2 * a + k], uvs[2 * c + k] - uvs[2 * a + k]]);
      flat += Math.abs(0.5 * (u[0] * v[1] - u[1] * v[0]));
    }
    areas.push(sum);
    textured.push(flat);
  }
  return { areas, textured, longest };
}

/** Σ over triangles of their normals by winding times those of their vertices, in the frame of the mesh. */
function facing(mesh: Mesh): number {
  const [x, n, indices] = [mesh.getVerticesData(PositionKind)!, mesh.getVerticesData(NormalKind)!, mesh.getIndices()!];
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [p, q, r] = [0, 1, 2].map((k) => vertexAt(x, indices[i + k]));
    sum += Vector3.Dot(Vector3.Cross(q.subtract(p), r.subtract(p)), vertexAt(n, indices[i]));
  }
  return sum;
}

/** Edges of the drawn triangles that coincide with no other edge, or with more than one. */
function gaps(mesh: Mesh): number {
  const key = (p: Vector3): string =>
    p
      .asArray()
      .map((value) => Math.round(value * 1e5))
      .join();
  const keys = worldPoints(mesh).map(key);
  const indices = mesh.getIndices()!;
  const counts = new Map<string, number>();
  for (let i = 0; i < indices.length; i++) {
    const [a, b] = [keys[indices[i]], keys[indices[i % 3 === 2 ? i - 2 : i + 1]]];
    const name = a < b ? `${a} ${b}` : `${b} ${a}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts.values()].filter((count) => count !== 2).length;
}

function twoMaterials(mesh: Mesh): Mesh {
  const [vertices, indices] = [mesh.getTotalVertices(), mesh.getTotalIndices()];
  mesh.releaseSubMeshes();
  new SubMesh(1, 0, vertices, 0, 12, mesh);
  new SubMesh(0, 0, vertices, 12, indices - 12, mesh);
  return mesh;
}

const coarse: Record<string, () => Mesh> = {
  "a box": () => CreateBox("box", { size: 0.4 }, t.scene),
  "a box of ten metres": () => CreateBox("box", { size: 10 }, t.scene),
  "a box of a centimetre": () => CreateBox("box", { size: 0.01 }, t.scene),
  "a coloured bar": () => {
    const faceColors = Array.from({ length: 6 }, (_, i) => new Color4(i / 6, 1, 0.5, 1));
    return CreateBox("bar", { width: 1.5, height: 0.3, depth: 0.4, faceColors }, t.scene);
  },
  "a cylinder": () => CreateCylinder("can", { height: 0.6, diameter: 0.4, tessellation: 24 }, t.scene),
  "a box with two materials": () => twoMaterials(CreateBox("box", { size: 0.4 }, t.scene)),
  "a box without an index list": () => {
    const mesh = CreateBox("box", { size: 0.4 }, t.scene);
    mesh.convertToUnIndexedMesh();
    return mesh;
  },
  "a mirrored box under a sheared parent": () => {
    const mesh = CreateBox("box", { size: 0.4 }, t.scene);
    const parent = new TransformNode("parent", t.scene);
    parent.scaling.set(1, 1.4, 0.8);
    mesh.parent = parent;
    mesh.scaling.x = -1;
    mesh.rotation.set(0.3, 0.4, 0.2);
    return mesh;
  },
};

describe.each([false, true])("a coarse mesh of a soft body, right-handed: %s", (rightHanded) => {
  it.each(Object.keys(coarse))("is drawn in finer triangles: %s", (name) => {
    t.scene.useRightHandedSystem = rightHanded;
    const mesh = coarse[name]();
    const before = measure(mesh);
    const normals = Array.from(mesh.getVerticesData(NormalKind)!);
    const colours = mesh.getVerticesData(ColorKind);
    const [points, materials] = [worldPoints(mesh), mesh.subMeshes.map((part) => part.materialIndex)];
    const [unIndexed, side] = [mesh.isUnIndexed, Math.sign(facing(mesh))];
    const body = jelly(mesh, name === "a box" ? { resolution: undefined } : {});
    const after = measure(mesh);
    const { positions, faces } = body.body.model;
    const cells = Array.from(faces, (v, i) =>
      Vector3.Distance(vertexAt(positions, v), vertexAt(positions, faces[i % 3 === 2 ? i - 2 : i + 1])),
    );
    expect(after.longest).toBeLessThan(0.5 * before.longest);
    expect(after.longest).toBeLessThan(Math.max(...cells));
    after.areas.forEach((value, i) => expect(value / before.areas[i]).toBeCloseTo(1, 5));
    after.textured.forEach((value, i) => expect(value).toBeCloseTo(before.textured[i], 5));
    expect(mesh.subMeshes.map((part) => part.materialIndex)).toEqual(materials);
    expect(gaps(mesh)).toBe(0);
    expect(Math.sign(facing(mesh))).toBe(side);
    // the old vertices come first, in their places; none of the new ones is rounded off
    const size = Math.max(...points.map((p) => p.length()));
    worldPoints(mesh)
      .slice(0, points.length)
      .forEach((p, i) => expect(Vector3.Distance(p, points[i]) / size).toBeLessThan(1e-5));
    const drawn = mesh.getVerticesData(NormalKind)!;
    normals.forEach((value, i) => expect(drawn[i]).toBeCloseTo(value, 4));
    for (let v = 0; v < mesh.getTotalVertices(); v++) expect(vertexAt(drawn, v).length()).toBeCloseTo(1, 4);
    if (name.includes("box"))
      for (let v = points.length; v < mesh.getTotalVertices(); v++) {
        const sharp = points.some((_, i) => Vector3.Distance(vertexAt(drawn, v), vertexAt(normals, i)) < 1e-3);
        expect(sharp).toBe(true);
      }
    if (colours) expect(mesh.getVerticesData(ColorKind)).toHaveLength(4 * mesh.getTotalVertices());
    t.run(2);
    body.dispose({ restore: true });
    expect(mesh.getTotalVertices()).toBe(points.length);
    expect(measure(mesh)).toEqual(before);
    expect(mesh.isUnIndexed).toBe(unIndexed);
  });
});

describe("what is drawn of a soft box", () => {
  it("bulges between its corners, and stays near what is simulated", async () => {
    const ground = CreateBox("ground", { width: 4, height: 0.2, depth: 4 }, t.scene);
    ground.position.y = -0.1;
    new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0 }, t.scene);
    const mesh = CreateBox("box", { size: 0.4 }, t.scene);
    mesh.position.y = 0.21;
    const body = new SoftBodyAggregate(
      mesh,
      { youngsModulus: 8e3, resolution: 4, substeps: 8, airDensity: 0 },
      t.scene,
    );
    const rest = worldPoints(mesh);
    t.run(20);
    const [drawn, simulated] = await Promise.all([body.readPositions(), body.body.readPositions()]);
    const side = (values: ArrayLike<number>, c: number): number[] =>
      Array.from({ length: values.length / 3 }, (_, i) => values[3 * i + c]);
    // of the side that faces x: its distance from the surface through its four corners
    const at = (v: number): Vector3 => vertexAt(drawn, v);
    const [u, w] = [1, 2].map(
      (c) =>
        (v: number): number =>
          rest[v].asArray()[c] / 0.4 + 0.5 - (c === 1 ? 0.21 / 0.4 : 0),
    );
    const facing = rest.flatMap((p, v) => (p.x > 0.19 ? [v] : []));
    const corner = (y: number, z: number): Vector3 =>
      at(facing.find((v) => Math.abs(u(v) - y) + Math.abs(w(v) - z) < 1e-3)!);
    const [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
    const bulge = facing.map((v) => {
      const low = Vector3.Lerp(a, b, u(v));
      return Vector3.Distance(at(v), Vector3.Lerp(low, Vector3.Lerp(c, d, u(v)), w(v)));
    });
    expect(Math.max(...bulge)).toBeGreaterThan(0.01);
    for (let c = 0; c < 3; c++) {
      expect(Math.max(...side(drawn, c))).toBeLessThan(Math.max(...side(simulated, c)) + 0.04);
      expect(Math.min(...side(drawn, c))).toBeGreaterThan(Math.min(...side(simulated, c)) - 0.04);
    }
  });

  it("is as fine as is asked for, and only where it is coarse", () => {
    const box = (): Mesh => CreateBox("box", { size: 0.4 }, t.scene);
    const count = (options: SoftBodyOptions): number => {
      const mesh = box();
      jelly(mesh, { resolution: 4, ...options }).dispose();
      return mesh.getTotalVertices();
    };
    expect(count({ subdivide: false })).toBe(24);
    expect(count({ subdivide: 1 })).toBe(24);
    // halves of halves of 0.4 m and of its diagonals
    expect(count({ subdivide: 0.1 })).toBeGreaterThan(6 * 25);
    expect(count({ subdivide: "auto" })).toBe(count({}));
    expect(count({ subdivide: "auto", resolution: 6 })).toBeGreaterThan(count({}));
    const fine = CreateSphere("ball", { diameter: 0.4, segments: 12 }, t.scene);
    const vertices = fine.getTotalVertices();
    jelly(fine, { resolution: 4 });
    expect(fine.getTotalVertices()).toBe(vertices);
    for (const subdivide of [0, -1, NaN, 1e-6, "yes", true] as SoftBodyOptions["subdivide"][]) {
      const mesh = box();
      const error = refusal(() => jelly(mesh, { resolution: 4, subdivide }));
      expect([error.code, error.message]).toEqual(["invalid-argument", expect.stringContaining("subdivide")]);
      expect(mesh.getTotalVertices()).toBe(24);
    }
    // only vertices that the user knows
    expect(refusal(() => jelly(box(), { pins: [24] })).code).toBe("index-out-of-range");
  });

  it("is what a second body is made of, without being cut again", () => {
    const mesh = CreateBox("box", { size: 0.4 }, t.scene);
    jelly(mesh, { resolution: 4 }).dispose();
    const vertices = mesh.getTotalVertices();
    jelly(mesh, { resolution: 4 });
    expect(mesh.getTotalVertices()).toBe(vertices);
  });
});
