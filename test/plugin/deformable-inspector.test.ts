import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { InspectableType, type IInspectable } from "@babylonjs/core/Misc/iInspectable";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { afterEach, expect, it } from "vitest";
import {
  ClothAggregate,
  DeformableInspector,
  fabrics,
  PliantError,
  RopeAggregate,
  SoftBodyAggregate,
  type PhysicsProblem,
} from "../../plugin/index";
import { makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
afterEach(() => t.dispose());

function draw(): void {
  t.scene.onBeforeRenderObservable.notifyObservers(t.scene);
}

function rowOf(mesh: Mesh, label: string): IInspectable {
  return mesh.inspectableCustomProperties.find((row) => row.label === label)!;
}

/** As the Inspector reads and writes. */
const valueOf = (mesh: Mesh, label: string): unknown =>
  (mesh as unknown as Record<string, unknown>)[rowOf(mesh, label).propertyName];

function write(mesh: Mesh, label: string, value: unknown): void {
  (mesh as unknown as Record<string, unknown>)[rowOf(mesh, label).propertyName] = value;
  draw();
}

it.each([1, 100])("reads and changes cloth in a scene of %s units a meter", async (units) => {
  t = await testScene({ worldScale: units });
  const mesh = makeSheet(t.scene, units, 8, units);
  const cloth = new ClothAggregate(mesh, { pins: [0, 8], thickness: 0.01 * units }, t.scene);
  new DeformableInspector(t.scene);
  expect(valueOf(mesh, "Pliant")).toMatch(/^cloth, gpbd, CPU/);
  expect(valueOf(mesh, "Pinned")).toBe("2 vertices");
  expect(valueOf(mesh, "Thickness")).toBeCloseTo(0.01 * units, 9);
  expect(valueOf(mesh, "Fabric")).toBe("cotton");

  write(mesh, "Wind", new Vector3(0, 0, 3 * units));
  expect(cloth.body.options.wind).toEqual([0, 0, 3]);
  expect(valueOf(mesh, "Wind")).toBe(valueOf(mesh, "Wind"));
  expect((valueOf(mesh, "Wind") as Vector3).z).toBeCloseTo(3 * units, 9);
  write(mesh, "Thickness", 0.02 * units);
  expect(cloth.body.options.thickness).toBeCloseTo(0.02, 9);
  write(mesh, "Substeps", 7.4);
  expect(cloth.body.options).toMatchObject({ substeps: 7 });

  const mass = (): number => cloth.body.model.masses.reduce((sum, m) => sum + m, 0);
  write(mesh, "Fabric", "denim");
  expect(mass()).toBeCloseTo(fabrics.denim.areaDensity, 6);
  write(mesh, "Mass [kg/m²]", 0.5);
  expect(mass()).toBeCloseTo(0.5, 6);
  expect(valueOf(mesh, "Shear [N/m]")).toBe(fabrics.denim.shear);
  write(mesh, "Bending, warp [µN m]", 40);
  expect(cloth._given["fabric"]).toMatchObject({ areaDensity: 0.5, bendingWarp: 4e-5 });
  expect(valueOf(mesh, "Bending, warp [µN m]")).toBeCloseTo(40, 9);
  expect(valueOf(mesh, "Fabric")).toBe("own");

  cloth.unpin([0]);
  expect(valueOf(mesh, "Pinned")).toBe("1 vertices");
  write(mesh, "Show particles and edges", true);
  write(mesh, "Show strain", true);
  expect(mesh.isVerticesDataPresent("color")).toBe(true);
  t.run(2);
  expect(valueOf(mesh, "Simulated")).toBe(`81 vertices, ${cloth.cost!.elements} elements`);
});

it("changes materials of soft bodies and options of ropes that come later", async () => {
  t = await testScene();
  new DeformableInspector(t.scene);
  const box = CreateBox("box", {}, t.scene);
  const soft = new SoftBodyAggregate(box, { resolution: 2, youngsModulus: 2e4, poissonRatio: 0.3 }, t.scene);
  const rope = new RopeAggregate({ path: [Vector3.Zero(), Vector3.Right()] }, {}, t.scene);
  draw();
  const { min, max } = rowOf(box, "Young's modulus [Pa]");
  expect([min, max]).toEqual([2e3, 2e5]);
  write(box, "Density [kg/m³]", 500);
  write(box, "Young's modulus [Pa]", 1e5);
  expect(soft._material).toMatchObject({ youngsModulus: 1e5, poissonRatio: 0.3, density: 500 });
  expect(soft.body.model.masses.reduce((sum, m) => sum + m, 0)).toBeCloseTo(500, 0);
  write(rope.mesh, "Damping [1/s]", 2);
  expect(rope.body.options.damping).toBe(2);
});

it("leaves bodies as they are where a value is refused, and tells why", async () => {
  t = await testScene();
  const mesh = makeSheet(t.scene);
  const cloth = new ClothAggregate(mesh, {}, t.scene);
  new DeformableInspector(t.scene);
  const seen: PhysicsProblem[] = [];
  t.plugin.onProblemObservable.add((problem) => seen.push(problem));
  write(mesh, "Friction", -1);
  expect(seen).toHaveLength(1);
  expect(seen[0].error).toBeInstanceOf(PliantError);
  expect(seen[0].subject).toBe(cloth);
  expect(valueOf(mesh, "Friction")).toBe(fabrics.cotton.friction);
});

it("tells of changes by writes, and leaves meshes as they were", async () => {
  t = await testScene();
  const mesh = makeSheet(t.scene);
  const own: IInspectable = { label: "Own", propertyName: "own", type: InspectableType.String };
  mesh.inspectableCustomProperties = [own];
  new ClothAggregate(mesh, {}, t.scene);
  const inspector = new DeformableInspector(t.scene);
  // The Inspector puts a property of its own in front, and later puts the first one back.
  const { propertyName } = rowOf(mesh, "Asleep");
  const descriptor = Object.getOwnPropertyDescriptor(mesh, propertyName)!;
  let told = 0;
  const set = (value: unknown): void => {
    descriptor.set!.call(mesh, value);
    told++;
  };
  Object.defineProperty(mesh, propertyName, { configurable: true, get: descriptor.get!, set });
  for (let frame = 0; frame < 60; frame++) draw();
  expect(told).toBe(4);
  Object.defineProperty(mesh, propertyName, descriptor);
  expect(Object.keys(mesh.clone("copy")).filter((key) => key.startsWith("_pliant"))).toEqual([]);

  inspector.dispose();
  expect(mesh.inspectableCustomProperties).toEqual([own]);
  expect(Object.getOwnPropertyNames(mesh).filter((key) => key.startsWith("_pliant"))).toEqual([]);
  expect(() => new DeformableInspector(t.scene)).not.toThrow();
});
