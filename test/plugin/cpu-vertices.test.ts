import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import "@babylonjs/core/Materials/standardMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateDisc } from "@babylonjs/core/Meshes/Builders/discBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { CreateTube } from "@babylonjs/core/Meshes/Builders/tubeBuilder";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { SubMesh } from "@babylonjs/core/Meshes/subMesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate, RopeAggregate, SoftBodyAggregate } from "../../plugin/index";
import { refusal, testScene, vertexAt, type TestScene } from "./fixtures";

const { PositionKind, NormalKind, UVKind, TangentKind } = VertexBuffer;

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

function sheet(scene: Scene): Mesh {
  const mesh = CreateGround("sheet", { width: 1, height: 1, subdivisions: 6 }, scene);
  mesh.position.y = 2;
  return mesh;
}

/** All kinds of aggregates; each function makes one on its mesh. */
const kinds = {
  cloth: { mesh: sheet, make: (mesh: Mesh) => new ClothAggregate(mesh, { pins: [0, 6] }) },
  "cloth with two sides": {
    mesh: (scene: Scene) =>
      CreateDisc("disc", { radius: 0.5, tessellation: 12, sideOrientation: Mesh.DOUBLESIDE }, scene),
    make: (mesh: Mesh) => new ClothAggregate(mesh),
  },
  "cloth that tears": {
    mesh: sheet,
    make: (mesh: Mesh) =>
      new ClothAggregate(mesh, { pins: [0, 1, 2, 3, 4, 5, 6], tearing: { strain: 1e-4, most: 12 } }),
  },
  balloon: {
    mesh: (scene: Scene) => CreateSphere("balloon", { diameter: 0.5, segments: 4 }, scene),
    make: (mesh: Mesh) => new ClothAggregate(mesh, { fabric: "rubber-sheet", pressure: 200 }),
  },
  "a soft body": {
    mesh: (scene: Scene) => CreateSphere("jelly", { diameter: 0.5, segments: 4 }, scene),
    make: (mesh: Mesh) => new SoftBodyAggregate(mesh, { resolution: 3, youngsModulus: 2e4 }),
  },
  "a jelly box": {
    mesh: (scene: Scene) => CreateBox("box", { size: 0.5 }, scene),
    make: (mesh: Mesh) => new SoftBodyAggregate(mesh, { resolution: 3, youngsModulus: 2e4 }),
  },
  "a rope": {
    mesh: (scene: Scene) => {
      const path = Array.from({ length: 9 }, (_, i) => new Vector3(0.1 * i, 1, 0));
      return CreateTube("rope", { path, radius: 0.02, tessellation: 6 }, scene);
    },
    make: (mesh: Mesh) => new RopeAggregate(mesh, { pins: [0], segments: 8 }),
  },
};

/** World positions of all vertices of a mesh on the CPU. */
function inWorld(mesh: Mesh): Vector3[] {
  const local = mesh.getVerticesData(PositionKind)!;
  const world = mesh.computeWorldMatrix(true);
  return Array.from({ length: local.length / 3 }, (_, i) => Vector3.TransformCoordinates(vertexAt(local, i), world));
}

/** All data from which a mesh is drawn. */
function contents(mesh: Mesh): unknown {
  const data = mesh.getVerticesDataKinds().map((kind) => [kind, Array.from(mesh.getVerticesData(kind)!)]);
  const parts = mesh.subMeshes.map(({ materialIndex, indexStart, indexCount }) => [
    materialIndex,
    indexStart,
    indexCount,
  ]);
  const { minimum, maximum } = mesh.getBoundingInfo();
  return {
    data: Object.fromEntries(data.sort()) as unknown,
    indices: Array.from(mesh.getIndices()!),
    parts,
    box: [minimum.asArray(), maximum.asArray()],
  };
}

describe.each(Object.entries(kinds))("the mesh of %s", (_, { mesh: makeMesh, make }) => {
  it("has its vertices on the CPU while it is simulated, and after", async () => {
    const mesh = makeMesh(t.scene);
    const first = make(mesh);
    const check = (): void => {
      for (const kind of [PositionKind, NormalKind]) {
        const data = mesh.getVerticesData(kind)!;
        expect(data).toHaveLength(3 * mesh.getTotalVertices());
        expect(data.every(Number.isFinite)).toBe(true);
      }
    };
    check();
    t.run(12);
    check();
    await first.bakeToMesh();
    if (first.kind !== "rope") {
      const read = await first.readPositions();
      inWorld(mesh).forEach((point, i) => expect(Vector3.Distance(point, vertexAt(read, i))).toBeLessThan(1e-5));
    }
    const lying = Array.from(mesh.getVerticesData(PositionKind)!);
    first.dispose();
    first.dispose();
    check();
    expect(Array.from(mesh.getVerticesData(PositionKind)!)).toEqual(lying);
    const second = make(mesh);
    t.run(3);
    check();
    second.dispose();
  });

  it("goes back to what it was, before the first frame or after some", () => {
    for (const frames of [0, 8]) {
      const mesh = makeMesh(t.scene);
      const before = contents(mesh);
      const aggregate = make(mesh);
      t.run(frames);
      aggregate.dispose({ restore: true });
      expect(contents(mesh)).toEqual(before);
      make(mesh);
      t.run(2);
      mesh.dispose();
    }
  });

  it("is at rest again after a reset", async () => {
    const mesh = makeMesh(t.scene);
    const vertices = mesh.getTotalVertices();
    const aggregate = make(mesh);
    const rest = inWorld(mesh).slice(0, vertices);
    t.run(8);
    aggregate.reset();
    inWorld(mesh)
      .slice(0, vertices)
      .forEach((point, i) => expect(Vector3.Distance(point, rest[i])).toBeLessThan(1e-5));
    for (const speed of await aggregate.readVelocities()) expect(speed).toBe(0);
    t.run(2);
    aggregate.dispose();
    expect(refusal(() => aggregate.reset()).code).toBe("disposed");
    await expect(aggregate.bakeToMesh()).rejects.toMatchObject({ code: "disposed" });
  });
});

describe("the mesh of a deformable body", () => {
  const draped = (): { mesh: Mesh; cloth: ClothAggregate } => {
    const mesh = sheet(t.scene);
    const cloth = new ClothAggregate(mesh, { pins: [0, 6] });
    t.run(10);
    return { mesh, cloth };
  };

  it("keeps submeshes, tangents and texture coordinates through tears and a restoring dispose", () => {
    const mesh = sheet(t.scene);
    const half = mesh.getTotalIndices() / 6;
    mesh.setVerticesData(TangentKind, new Float32Array(4 * mesh.getTotalVertices()).fill(0.5));
    mesh.releaseSubMeshes();
    new SubMesh(0, 0, mesh.getTotalVertices(), 0, 3 * half, mesh);
    new SubMesh(1, 0, mesh.getTotalVertices(), 3 * half, 3 * half, mesh);
    mesh.refreshBoundingInfo();
    const before = contents(mesh);
    const cloth = new ClothAggregate(mesh, { pins: [0, 1, 2, 3, 4, 5, 6], tearing: { strain: 1e-4, most: 20 } });
    let tears = 0;
    cloth.onTearObservable.add(() => tears++);
    t.run(20);
    expect(tears).toBeGreaterThan(0);
    expect(mesh.subMeshes.map(({ materialIndex }) => materialIndex)).toEqual([0, 1]);
    expect(mesh.subMeshes[0].getBoundingInfo()).not.toBe(mesh.subMeshes[1].getBoundingInfo());
    cloth.dispose({ restore: true });
    expect(contents(mesh)).toEqual(before);
  });

  it("stands where the body is under a sheared parent and in a right-handed scene", async () => {
    t.scene.useRightHandedSystem = true;
    const outer = new TransformNode("outer", t.scene);
    outer.scaling.set(1, 2, -0.5);
    const inner = new TransformNode("inner", t.scene);
    inner.parent = outer;
    inner.rotation.set(0.3, 0.7, 0.2);
    const mesh = sheet(t.scene);
    mesh.parent = inner;
    const cloth = new ClothAggregate(mesh, { pins: [0] });
    t.run(10);
    inner.position.x = 0.3;
    await cloth.bakeToMesh();
    const read = await cloth.readPositions();
    cloth.dispose();
    inWorld(mesh).forEach((point, i) => expect(Vector3.Distance(point, vertexAt(read, i))).toBeLessThan(1e-5));
  });

  it("can be serialized, merged, extracted and cloned while it is simulated", () => {
    const { mesh, cloth } = draped();
    const lying = Array.from(mesh.getVerticesData(PositionKind)!);
    const { geometries } = SceneSerializer.SerializeMesh(mesh) as {
      geometries: { vertexData: { positions: number[] }[] };
    };
    const [serialized] = geometries.vertexData;
    expect(serialized.positions).toEqual(lying);
    expect(Array.from(VertexData.ExtractFromMesh(mesh).positions!)).toEqual(lying);
    const merged = Mesh.MergeMeshes([mesh, CreateBox("box", {}, t.scene)], false)!;
    expect(merged.getTotalVertices()).toBe(mesh.getTotalVertices() + 24);
    const clone = mesh.clone("clone");
    mesh.dispose();
    expect(cloth.isDisposed).toBe(true);
    expect(Array.from(clone.getVerticesData(PositionKind)!)).toEqual(lying);
    expect(new ClothAggregate(clone).body.particleCount).toBe(49);
  });

  it("goes on being drawn after others wrote its vertices", async () => {
    const { mesh, cloth } = draped();
    mesh.createNormals(false);
    mesh.bakeCurrentTransformIntoVertices();
    expect(mesh.position.y).toBe(0);
    const normals = Array.from(mesh.getVerticesData(NormalKind)!);
    t.run(5);
    await cloth.bakeToMesh();
    expect(Array.from(mesh.getVerticesData(NormalKind)!)).not.toEqual(normals);
    const read = await cloth.readPositions();
    inWorld(mesh).forEach((point, i) => expect(Vector3.Distance(point, vertexAt(read, i))).toBeLessThan(1e-5));
  });

  it("belongs to one of several bodies only", async () => {
    const a = draped();
    const b = draped();
    const uvs = Array.from(a.mesh.getVerticesData(UVKind)!);
    a.cloth.dispose({ restore: true });
    b.mesh.position.x = 3;
    t.run(3);
    b.cloth.reset();
    expect(inWorld(a.mesh)[0].y).toBe(2);
    expect(Array.from(a.mesh.getVerticesData(UVKind)!)).toEqual(uvs);
    const read = await b.cloth.readPositions();
    inWorld(b.mesh).forEach((point, i) => expect(Vector3.Distance(point, vertexAt(read, i))).toBeLessThan(1e-5));
  });

  it("resets what nodes carry to where these are", async () => {
    const mesh = sheet(t.scene);
    const hand = new TransformNode("hand", t.scene);
    const cloth = new ClothAggregate(mesh, { attach: { node: hand, vertices: [0] }, pins: [6] });
    t.run(2);
    hand.position.y = 0.1;
    t.run(4);
    cloth.reset();
    t.run(1);
    const read = await cloth.readPositions();
    expect(read[1]).toBeCloseTo(2.1, 5);
    expect(read[3 * 6 + 1]).toBeCloseTo(2, 5);
  });
});
