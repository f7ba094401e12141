import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateCapsule } from "@babylonjs/core/Meshes/Builders/capsuleBuilder";
import { CreateCylinder } from "@babylonjs/core/Meshes/Builders/cylinderBuilder";
import { CreateDisc } from "@babylonjs/core/Meshes/Builders/discBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateIcoSphere } from "@babylonjs/core/Meshes/Builders/icoSphereBuilder";
import { CreateLathe } from "@babylonjs/core/Meshes/Builders/latheBuilder";
import { CreatePlane } from "@babylonjs/core/Meshes/Builders/planeBuilder";
import { CreateRibbon } from "@babylonjs/core/Meshes/Builders/ribbonBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { CreateTorus } from "@babylonjs/core/Meshes/Builders/torusBuilder";
import { CreateTorusKnot } from "@babylonjs/core/Meshes/Builders/torusKnotBuilder";
import { CreateTube } from "@babylonjs/core/Meshes/Builders/tubeBuilder";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate, fabrics, SoftBodyAggregate, type ClothOptions } from "../../plugin/index";
import { defineEnergy } from "../../src/index";
import { expectRefusal, makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

const vertexAt = (positions: ArrayLike<number>, i: number): Vector3 => Vector3.FromArray(positions, 3 * i);

/** Vertices of a mesh as drawn, world space. */
function drawn(mesh: Mesh): Vector3[] {
  const local = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  const world = mesh.computeWorldMatrix(true);
  return Array.from({ length: local.length / 3 }, (_, i) => Vector3.TransformCoordinates(vertexAt(local, i), world));
}

const still: ClothOptions = { airDensity: 0, gravityFactor: 0 };

const sideOrientation = Mesh.DOUBLESIDE;
/** Babylon's own meshes, with the volumes of closed ones, m³. */
const shapes: Record<string, { make: () => Mesh; volume?: number }> = {
  sphere: { make: () => CreateSphere("mesh", { diameter: 1, segments: 6 }), volume: Math.PI / 6 },
  "sphere with two sides": { make: () => CreateSphere("mesh", { segments: 6, sideOrientation }), volume: Math.PI / 6 },
  "part of a sphere": { make: () => CreateSphere("mesh", { segments: 4, slice: 0.5, arc: 0.7 }) },
  ground: { make: () => CreateGround("mesh", { subdivisions: 3 }) },
  plane: { make: () => CreatePlane("mesh") },
  "plane with two sides": { make: () => CreatePlane("mesh", { sideOrientation }) },
  box: { make: () => CreateBox("mesh", { size: 1 }), volume: 1 },
  cylinder: { make: () => CreateCylinder("mesh", { height: 1, diameter: 1, subdivisions: 2 }), volume: Math.PI / 4 },
  cone: { make: () => CreateCylinder("mesh", { height: 1, diameterTop: 0 }), volume: Math.PI / 12 },
  torus: { make: () => CreateTorus("mesh", { diameter: 1, thickness: 0.3 }), volume: (Math.PI * 0.3) ** 2 / 4 },
  "torus knot": { make: () => CreateTorusKnot("mesh", { radialSegments: 48, tubularSegments: 8 }), volume: 24.4 },
  capsule: {
    make: () => CreateCapsule("mesh", { height: 1, radius: 0.25, tessellation: 16 }),
    volume: Math.PI * (0.25 ** 2 / 2 + (4 / 3) * 0.25 ** 3),
  },
  disc: { make: () => CreateDisc("mesh", { tessellation: 12 }) },
  icosphere: { make: () => CreateIcoSphere("mesh", { radius: 0.5, subdivisions: 3 }), volume: Math.PI / 6 },
  lathe: { make: () => CreateLathe("mesh", { shape: [Vector3.Zero(), new Vector3(1, 1, 0)], tessellation: 12 }) },
  tube: {
    make: () => CreateTube("mesh", { path: [Vector3.Zero(), Vector3.Up()], radius: 0.5, tessellation: 24, cap: 3 }),
    volume: Math.PI / 4,
  },
};

describe("a mesh that is inside out", () => {
  it.each(["sphere", "box", "icosphere", "capsule"])("is turned over by flipNormals: %s", async (name) => {
    const mesh = shapes[name].make();
    mesh.flipFaces(true);
    const before = Array.from(mesh.getIndices()!);
    const outward = (): number => {
      const [places, normals] = [VertexBuffer.PositionKind, VertexBuffer.NormalKind].map((kind) => [
        ...mesh.getVerticesData(kind)!,
      ]);
      return places.reduce((sum, x, i) => sum + x * normals[i], 0);
    };
    expect(outward()).toBeLessThan(0);
    const cloth = new ClothAggregate(mesh, { ...still, pressure: 5, flipNormals: true }, t.scene);
    const volume = await cloth.readVolume();
    t.run(3);
    expect(await cloth.readVolume()).toBeGreaterThan(volume);
    expect(outward()).toBeGreaterThan(0);
    const drawnFrom = Array.from(mesh.getIndices()!);
    for (let f = 0; f < before.length; f += 3)
      expect(drawnFrom.slice(f, f + 3)).toEqual([before[f], before[f + 2], before[f + 1]]);
    cloth.dispose({ restore: true });
    expect(Array.from(mesh.getIndices()!)).toEqual(before);
    expect(outward()).toBeLessThan(0);
  });
});

describe("a mesh of Babylon's MeshBuilder", () => {
  it.each(Object.entries(shapes))("may be a %s: cloth, which holds pressure where it is closed", async (_, shape) => {
    const mesh = shape.make();
    const indices = Array.from(mesh.getIndices()!);
    const cloth = new ClothAggregate(mesh, { ...still, substeps: 2 }, t.scene);
    const { model } = cloth.body;
    expect(model.masses.every((mass) => mass > 0)).toBe(true);
    const places = drawn(mesh);
    t.run(2);
    drawn(mesh).forEach((place, i) => expect(Vector3.Distance(place, places[i])).toBeLessThan(1e-4));
    expect(Array.from(mesh.getIndices()!)).toEqual(indices);
    if (shape.volume === undefined) return expectRefusal(() => (cloth.pressure = 5), "degenerate-geometry", "edge");
    expect(await cloth.readVolume()).toBeGreaterThan(0.8 * shape.volume);
    expect(await cloth.readVolume()).toBeLessThan(1.01 * shape.volume);
    cloth.pressure = 5;
  });

  it.each(["sphere with two sides", "cone", "capsule", "tube"])("may be a %s for a soft body", (name) => {
    const { make, volume = 0 } = shapes[name];
    const body = new SoftBodyAggregate(make(), { resolution: 5 }, t.scene);
    const mass = body.body.model.masses.reduce((sum, m) => sum + m, 0);
    expect(mass / 1000).toBeGreaterThan(0.8 * volume);
    expect(mass / 1000).toBeLessThan(1.01 * volume);
  });

  it("with two sides is one cloth: it weighs as one, each side has its normals, both tear", async () => {
    const line = (k: number): number => k / 4 - 0.5;
    const pathArray = [0, 1, 2, 3, 4].map((i) => [0, 1, 2, 3, 4].map((j) => new Vector3(line(j), 0, -line(i))));
    const mesh = CreateRibbon("flag", { pathArray, sideOrientation }, t.scene);
    const pins = [0, 1, 2, 3, 4, 20, 21, 22, 23, 24];
    const cloth = new ClothAggregate(mesh, { ...still, pins, tearing: { strain: 0.1, most: 30 } }, t.scene);
    const mass = cloth.body.model.masses.reduce((sum, m) => sum + m, 0);
    expect(mass).toBeCloseTo(fabrics.cotton.areaDensity, 6);
    const normals = mesh.getVerticesData(VertexBuffer.NormalKind)!;
    for (let v = 0; v < 25; v++) {
      expect(Math.abs(normals[3 * v + 1])).toBeCloseTo(1, 5);
      expect(normals[3 * (v + 25) + 1]).toBeCloseTo(-normals[3 * v + 1], 5);
    }
    const seen: number[] = [];
    cloth.onTearObservable.add(({ vertices }) => seen.push(...vertices));
    for (let frame = 1; frame <= 30 && seen.length === 0; frame++) {
      for (const v of pins)
        cloth.setPinPosition(v, new Vector3(line(v % 5), 0, -line(Math.floor(v / 5)) * (1 + 0.02 * frame)));
      t.run(1);
    }
    expect(seen.length).toBeGreaterThan(0);
    // every triangle of the front still has its twin on the back, at the same place
    const indices = Array.from(mesh.getIndices()!);
    const places = drawn(mesh);
    const triangles = Array.from({ length: indices.length / 3 }, (_, f) =>
      indices
        .slice(3 * f, 3 * f + 3)
        .map((v) =>
          places[v]
            .asArray()
            .map((x) => x.toFixed(4))
            .join(),
        )
        .sort()
        .join(" "),
    );
    const half = triangles.length / 2;
    expect(triangles.slice(half).sort()).toEqual(triangles.slice(0, half).sort());
    expect(seen.length % 2).toBe(0);
  });
});

describe("pressure", () => {
  it("blows up a closed mesh, and can be changed while it runs", async () => {
    const mesh = CreateIcoSphere("ball", { radius: 0.2, subdivisions: 3 }, t.scene);
    const cloth = new ClothAggregate(mesh, { ...still, fabric: "rubber-sheet", pressure: 1000 }, t.scene);
    const before = await cloth.readVolume();
    t.run(20);
    const blown = await cloth.readVolume();
    expect(blown).toBeGreaterThan(1.05 * before);
    cloth.pressure = 3000;
    t.run(20);
    expect(await cloth.readVolume()).toBeGreaterThan(1.05 * blown);
    expect(cloth.pressure).toBe(3000);
  });

  it("makes a balloon of a sphere, which stays whole at its seam and its poles", async () => {
    const mesh = CreateSphere("balloon", { diameter: 0.4, segments: 8 }, t.scene);
    const seams = drawn(mesh);
    const together = seams.map((place) => seams.findIndex((other) => Vector3.Distance(place, other) < 1e-6));
    const options: ClothOptions = { ...still, fabric: "rubber-sheet", pressure: 300, damping: 20 };
    const cloth = new ClothAggregate(mesh, options, t.scene);
    const before = await cloth.readVolume();
    t.run(20);
    expect(await cloth.readVolume()).toBeGreaterThan(1.02 * before);
    const places = drawn(mesh);
    const radii = places.map((place) => place.length());
    expect(Math.max(...radii)).toBeLessThan(1.05 * Math.min(...radii));
    together.forEach((other, i) => expect(Vector3.Distance(places[i], places[other])).toBe(0));
  });

  it("is refused for a mesh with a hole, which is left as it was", () => {
    const sheet = makeSheet(t.scene, 1, 2);
    expectRefusal(() => new ClothAggregate(sheet, { pressure: 10 }, t.scene), "degenerate-geometry", 'sheet" edge 0-1');
    expect(t.plugin.world.bodies.length).toBe(0);
    expect(sheet.getTotalVertices()).toBe(9);
  });
});

describe("tearing", () => {
  it("splits vertices of the mesh, which keeps its triangles and texture", async () => {
    const mesh = makeSheet(t.scene, 1, 4, 0);
    const edge = [0, 1, 2, 3, 4, 20, 21, 22, 23, 24];
    const cloth = new ClothAggregate(mesh, { ...still, pins: edge, tearing: { strain: 0.1, most: 30 } }, t.scene);
    expect(mesh.getTotalVertices()).toBe(25 + 30);
    const seen: number[] = [];
    cloth.onTearObservable.add(({ vertices }) => seen.push(...vertices));
    const triangles = mesh.getIndices()!.length;
    for (let frame = 1; frame <= 30 && seen.length === 0; frame++) {
      for (const vertex of edge) {
        const z = vertex < 5 ? 0.5 : -0.5;
        cloth.setPinPosition(vertex, new Vector3((vertex % 5) / 4 - 0.5, 0, z * (1 + 0.02 * frame)));
      }
      t.run(1);
    }
    expect(seen.length).toBeGreaterThan(0);
    expect(Math.min(...seen)).toBe(25);
    const indices = mesh.getIndices()!;
    expect(indices.length).toBe(triangles);
    for (const vertex of seen) expect(indices).toContain(vertex);
    t.run(1);
    // a new vertex has the place, present or former, of an original one, with its texture coordinates
    const uvs = mesh.getVerticesData(VertexBuffer.UVKind)!;
    const isOld = (u: number, v: number): boolean =>
      Array.from({ length: 25 }, (_, i) => i).some((i) => uvs[2 * i] === u && uvs[2 * i + 1] === v);
    for (const vertex of seen) expect(isOld(uvs[2 * vertex], uvs[2 * vertex + 1])).toBe(true);
    const places = await cloth.readPositions();
    drawn(mesh).forEach((place, i) => expect(Vector3.Distance(place, vertexAt(places, i))).toBeLessThan(1e-5));
  });

  it("and energies of one's own are for GPBD alone", () => {
    const own = defineEnergy({ strain: "green-triangle", energy: "Euu^2" });
    for (const options of [{ tearing: { strain: 1 } }, { energy: own }])
      expectRefusal(
        () => new ClothAggregate(makeSheet(t.scene), { solver: "newton", ...options }, t.scene),
        "unsupported",
        'is not for solver "newton"',
      );
    const box = CreateBox("box", {}, t.scene);
    expectRefusal(
      () => new SoftBodyAggregate(box, { solver: "newton", energy: own }, t.scene),
      "unsupported",
      "is not for solver",
    );
  });
});

describe("an energy of one's own", () => {
  it("takes the place of that of cloth and soft bodies", async () => {
    const hang = async (k?: number): Promise<number> => {
      const energy =
        k === undefined
          ? undefined
          : defineEnergy({ strain: "green-triangle", energy: "k*(Euu^2 + Evv^2 + 2*Euv^2)", parameters: { k } });
      const cloth = new ClothAggregate(makeSheet(t.scene, 1, 4, 0), { pins: [0, 4, 20, 24], energy }, t.scene);
      t.run(12);
      const positions = await cloth.readPositions();
      cloth.dispose();
      return vertexAt(positions, 12).y;
    };
    expect(await hang(2)).toBeLessThan((await hang()) - 0.02);
    const energy = defineEnergy({ strain: "green-tet", energy: "k*(Exx^2 + Eyy^2 + Ezz^2)", parameters: { k: 1e4 } });
    const box = CreateBox("box", { size: 0.4 }, t.scene);
    const jelly = new SoftBodyAggregate(box, { resolution: 3, energy, pins: [0] }, t.scene);
    expect(jelly.body.model).toMatchObject({ terms: [{ energy }] });
  });
});
