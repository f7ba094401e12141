import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import "@babylonjs/core/Meshes/instancedMesh";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate, fabrics, type ClothOptions } from "../../plugin/index";
import { requireRoom } from "../../plugin/deformable/mesh/room";
import { expectRefusal, makeSheet, testScene, type TestScene } from "./fixtures";
import type { PliantErrorCode } from "../../plugin/index";

let t: TestScene;
let sheet: Mesh;
beforeEach(async () => {
  t = await testScene();
  sheet = makeSheet(t.scene, 1, 4);
  sheet.name = "sail";
});
afterEach(() => t.dispose());

/** Refused, with the name of the mesh, and nothing changed. */
function expectNoCloth(options: ClothOptions, code: PliantErrorCode, ...parts: string[]): void {
  const buffer = sheet.getVertexBuffer(VertexBuffer.PositionKind);
  const bodies = t.plugin.world.bodies.length;
  expectRefusal(() => new ClothAggregate(sheet, options, t.scene), code, "sail", ...parts);
  expect(sheet.getVertexBuffer(VertexBuffer.PositionKind)).toBe(buffer);
  expect(t.plugin.world.bodies).toHaveLength(bodies);
  expect(t.plugin.clothAggregates).toHaveLength(bodies);
}

function edit(change: (positions: Float32Array, indices: number[]) => void): void {
  const positions = Float32Array.from(sheet.getVerticesData(VertexBuffer.PositionKind)!);
  const indices = Array.from(sheet.getIndices()!);
  change(positions, indices);
  sheet.setVerticesData(VertexBuffer.PositionKind, positions, true);
  sheet.setIndices(indices);
}

describe("ClothAggregate refuses", () => {
  it("a vertex that is not finite", () => {
    edit((positions) => (positions[3 * 7 + 1] = NaN));
    expectNoCloth({}, "non-finite", "7", "NaN");
    edit((positions) => (positions[3 * 7 + 1] = Infinity));
    expectNoCloth({}, "non-finite", "7", "Infinity");
  });

  it("an index out of range", () => {
    edit((_, indices) => (indices[4] = 99));
    expectNoCloth({}, "index-out-of-range", "99");
  });

  it("a triangle with its corners in a line, by its number in the mesh, and a mesh without an area", () => {
    edit((positions, indices) => {
      // a corner of the fourth moves into the line of the two others; the third has no area, which is allowed
      const [a, b, c] = indices.slice(9, 12).map((v) => 3 * v);
      for (let k = 0; k < 3; k++) positions[a + k] = (positions[b + k] + positions[c + k]) / 2;
      indices[7] = indices[6];
    });
    expectNoCloth({}, "degenerate-geometry", "triangle 3:");
    edit((_, indices) => indices.fill(0));
    expectNoCloth({}, "degenerate-geometry", "no triangles");
    sheet.parent = new TransformNode("flat", t.scene);
    (sheet.parent as TransformNode).scaling.y = 0;
    expectNoCloth({}, "degenerate-geometry", "scaling", "[1, 0, 1]");
  });

  it("an empty mesh", () => {
    sheet = new Mesh("sail", t.scene);
    expectRefusal(() => new ClothAggregate(sheet, {}, t.scene), "degenerate-geometry", "sail");
  });

  it("density and stiffness that are not positive", () => {
    expectNoCloth({ fabric: { ...fabrics.cotton, areaDensity: 0 } }, "invalid-argument", "areaDensity", "0");
    expectNoCloth({ fabric: { ...fabrics.cotton, stretchWarp: -5 } }, "invalid-argument", "stretchWarp", "-5");
    expectNoCloth({ fabric: "tweed" as "silk" }, "invalid-argument", "tweed", "cotton");
  });

  it("options out of their range", () => {
    expectNoCloth({ thickness: -0.1 }, "invalid-argument", "thickness");
    expectNoCloth({ iterations: 0 }, "invalid-argument", "iterations");
    expectNoCloth({ substeps: 2.5 }, "invalid-argument", "substeps");
    expectNoCloth({ solver: "magic" as "gpbd" }, "invalid-argument", "solver", "magic");
    expectNoCloth({ wind: new Vector3(0, NaN, 0) }, "non-finite", "wind");
    expectNoCloth({ selfThickness: 0 }, "invalid-argument", "selfThickness");
  });

  it("pins out of range", () => {
    expectNoCloth({ pins: [0, 25] }, "index-out-of-range", "pins", "25");
    expectNoCloth({ pins: [-1] }, "index-out-of-range", "-1");
    expectNoCloth({ pins: [0.5] }, "index-out-of-range", "0.5");
  });

  it("instances, skinned meshes and cloth that is cloth already", () => {
    const instance = sheet.createInstance("instance");
    expectRefusal(() => new ClothAggregate(instance, {}, t.scene), "unsupported", "instance");
    expectNoCloth({}, "unsupported", "instances");
    instance.dispose();
    const cloth = new ClothAggregate(sheet, {}, t.scene);
    expectNoCloth({}, "invalid-argument", "already");
    cloth.dispose();
    sheet.thinInstanceAdd(Matrix.Identity());
    expectNoCloth({}, "unsupported", "instances");
    const skinned = CreateSphere("skinned", {}, t.scene);
    skinned.skeleton = new Skeleton("bones", "bones", t.scene);
    expectRefusal(() => new ClothAggregate(skinned, {}, t.scene), "unsupported", "skinned", "skeleton");
  });

  it("a scene without this plugin, and a mesh that is gone", () => {
    const scene = new Scene(new NullEngine());
    expectRefusal(() => new ClothAggregate(makeSheet(scene), {}), "invalid-argument", "sheet", "enablePhysics");
    scene.getEngine().dispose();
    sheet.dispose();
    expectRefusal(() => new ClothAggregate(sheet, {}, t.scene), "disposed", "sail");
  });

  it("more vertices than a device can hold", () => {
    const limits = { maxStorageBufferBindingSize: 24 * 1000, maxBufferSize: 1 << 28 };
    const device = { limits } as unknown as GPUDevice;
    expect(() => requireRoom("sail", device, 1000)).not.toThrow();
    expectRefusal(() => requireRoom('ClothAggregate "sail"', device, 1001), "device-limit", "sail", "1001", "1000");
  });
});

describe("a cloth refuses", () => {
  it("calls with bad values, and stays as it was", () => {
    const cloth = new ClothAggregate(sheet, { wind: new Vector3(1, 0, 0), pins: [3] }, t.scene);
    expectRefusal(() => cloth.setWind(new Vector3(NaN, 0, 0)), "non-finite", "sail");
    expectRefusal(() => cloth.setOptions({ substeps: 0, iterations: 9 }), "invalid-argument", "substeps");
    expectRefusal(() => cloth.pin([25]), "index-out-of-range", "sail", "pin", "25");
    expectRefusal(() => cloth.unpin([3, 99]), "index-out-of-range", "sail", "99");
    expectRefusal(() => cloth.attach([99], new TransformNode("n", t.scene)), "index-out-of-range", "sail");
    expectRefusal(() => cloth.setPinPosition(0, Vector3.Zero()), "invalid-argument", "pinned");
    expectRefusal(() => cloth.setPinPosition(3, new Vector3(0, Infinity, 0)), "non-finite");
    expect(cloth.body.options.wind).toEqual([1, 0, 0]);
    expect(cloth.body.options.iterations).not.toBe(9);
    expect(cloth.body.isPinned(cloth.particles[3])).toBe(true);
    const node = new TransformNode("gone", t.scene);
    node.dispose();
    expectRefusal(() => cloth.attach([0], node), "disposed", "gone");
  });

  it("every call once it was disposed", async () => {
    const cloth = new ClothAggregate(sheet, {}, t.scene);
    cloth.dispose();
    const node = new TransformNode("n", t.scene);
    const calls: (() => unknown)[] = [
      () => cloth.pin([0]),
      () => cloth.unpin(),
      () => cloth.setPinPosition(0, Vector3.Zero()),
      () => cloth.attach([0], node),
      () => cloth.detach(),
      () => cloth.setWind(Vector3.Zero()),
      () => cloth.setOptions({}),
      () => cloth.showStrain(true),
    ];
    for (const call of calls) expectRefusal(call, "disposed", "sail");
    await expect(cloth.readPositions()).rejects.toMatchObject({ code: "disposed" });
  });
});

describe("a cloth that turns non-finite", () => {
  it("is frozen and reported; the others go on", async () => {
    const cloth = new ClothAggregate(sheet, {}, t.scene);
    const other = new ClothAggregate(makeSheet(t.scene, 1, 4, 3), {}, t.scene);
    const events: number[] = [];
    cloth.onFrozenObservable.add(({ frame }) => events.push(frame));
    t.run(5);
    t.plugin.setGravity(new Vector3(0, -1e306, 0));
    cloth.setOptions({ gravityFactor: 1e6 });
    other.setOptions({ gravityFactor: 0 });
    t.run(3);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(events).toHaveLength(1);
    expect((await cloth.readPositions()).every(Number.isFinite)).toBe(true);
    expect((await other.readPositions()).every(Number.isFinite)).toBe(true);
    expect(sheet.getVerticesData(VertexBuffer.PositionKind)!.every(Number.isFinite)).toBe(true);
  });
});
