import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate, fabrics, type ClothOptions } from "../../plugin/index";
import { expectRefusal, makeSheet, mean, testScene, type TestScene, vertexAt } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

/** Vertices of a mesh as drawn, world space. */
function drawn(mesh: Mesh): Vector3[] {
  const local = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  const world = mesh.computeWorldMatrix(true);
  return Array.from({ length: local.length / 3 }, (_, i) => Vector3.TransformCoordinates(vertexAt(local, i), world));
}

const still: ClothOptions = { airDensity: 0, gravityFactor: 0 };

describe("ClothAggregate", () => {
  it("drapes over a ball without going through", async () => {
    const ball = CreateSphere("ball", { diameter: 0.6 }, t.scene);
    new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 0 }, t.scene);
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 12, 0.4), { fabric: "cotton" }, t.scene);
    t.run(90);
    const positions = await cloth.readPositions();
    const heights = positions.filter((_, i) => i % 3 === 1);
    for (let i = 0; i < positions.length / 3; i++) expect(vertexAt(positions, i).length()).toBeGreaterThan(0.3 - 0.001);
    expect(Math.max(...heights)).toBeCloseTo(0.3, 1);
    expect(Math.min(...heights)).toBeLessThan(0.1);
  });

  it("reads positions in the order of the vertices, in world space, seams included", async () => {
    // a tube with a seam: the first and last column are at the same place
    const columns = 9;
    const rows = 4;
    const data = new VertexData();
    data.positions = [];
    data.uvs = [];
    data.indices = [];
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const angle = (2 * Math.PI * (column % (columns - 1))) / (columns - 1);
        data.positions.push(0.3 * Math.cos(angle), 0.2 * row, 0.3 * Math.sin(angle));
        data.uvs.push(column / (columns - 1), row / (rows - 1));
        if (row + 1 === rows || column + 1 === columns) continue;
        const at = row * columns + column;
        data.indices.push(at, at + 1, at + columns, at + 1, at + columns + 1, at + columns);
      }
    const mesh = new Mesh("tube", t.scene);
    data.applyToMesh(mesh, false);
    mesh.position.set(1, 2, 3);
    mesh.rotation.set(0.1, 0.2, 0.3);
    mesh.scaling.set(2, 1, 0.5);
    const before = drawn(mesh);
    const cloth = new ClothAggregate(mesh, { fabric: "denim", ...still }, t.scene);
    expect(cloth.body.particleCount).toBe(rows * (columns - 1));
    const positions = await cloth.readPositions();
    before.forEach((point, i) => expect(vertexAt(positions, i).subtract(point).length()).toBeLessThan(1e-5));
    expect(mesh.getVerticesData(VertexBuffer.UVKind)).toEqual(data.uvs);
    cloth.setOptions({ gravityFactor: 1 });
    t.run(20);
    const after = await cloth.readPositions();
    const shown = drawn(mesh);
    shown.forEach((point, i) => expect(vertexAt(after, i).subtract(point).length()).toBeLessThan(1e-4));
    for (let row = 0; row < rows; row++) {
      const [first, last] = [row * columns, row * columns + columns - 1];
      expect(shown[first].equals(shown[last])).toBe(true);
    }
    expect(mean(after).y).toBeLessThan(mean(positions).y - 0.2);
  });

  it("takes a mesh without an index list", async () => {
    const box = CreateBox("box", { size: 1 }, t.scene);
    box.convertToUnIndexedMesh();
    const cloth = new ClothAggregate(box, still, t.scene);
    expect(cloth.body.particleCount).toBe(8);
    expect((await cloth.readPositions()).length).toBe(3 * 36);
  });

  it("keeps the side its normals were on, in every handedness and mirror", () => {
    for (const rightHanded of [false, true])
      for (const mirror of [1, -1]) {
        t.scene.useRightHandedSystem = rightHanded;
        const sheet = makeSheet(t.scene, 1, 2, 0);
        sheet.scaling.x = mirror;
        new ClothAggregate(sheet, still, t.scene);
        t.run(1);
        const normals = sheet.getVerticesData(VertexBuffer.NormalKind)!;
        for (let i = 0; i < normals.length; i += 3) expect(normals[i + 1]).toBeCloseTo(1, 3);
      }
  });

  it("keeps bounding boxes around what is drawn", () => {
    const sheet = makeSheet(t.scene, 1, 6, 2);
    sheet.rotation.set(0.4, 0, 0.2);
    new ClothAggregate(sheet, { pins: [0] }, t.scene);
    for (let i = 0; i < 20; i++) {
      t.run(3);
      const { minimumWorld, maximumWorld } = sheet.getBoundingInfo().boundingBox;
      for (const point of drawn(sheet)) {
        const slack = 1e-4;
        expect(point.x).toBeGreaterThan(minimumWorld.x - slack);
        expect(point.y).toBeGreaterThan(minimumWorld.y - slack);
        expect(point.z).toBeLessThan(maximumWorld.z + slack);
        expect(point.y).toBeLessThan(maximumWorld.y + slack);
      }
    }
    expect(sheet.subMeshes[0].getBoundingInfo()).toBe(sheet.getBoundingInfo());
  });

  it("lives in world space: moving its node or a parent does not move it", async () => {
    const parent = new TransformNode("parent", t.scene);
    const sheet = makeSheet(t.scene, 1, 2);
    sheet.parent = parent;
    const cloth = new ClothAggregate(sheet, still, t.scene);
    t.run(1);
    const before = drawn(sheet);
    parent.position.set(3, 0, 1);
    parent.rotation.y = 1;
    t.run(1);
    drawn(sheet).forEach((point, i) => expect(point.subtract(before[i]).length()).toBeLessThan(1e-5));
    expect(sheet.getBoundingInfo().boundingBox.minimumWorld.x).toBeLessThan(-0.49);
    // also if it is moved after the physics of a frame
    t.scene.onBeforeRenderObservable.addOnce(() => (parent.position.x = 9));
    t.scene.render();
    drawn(sheet).forEach((point, i) => expect(point.subtract(before[i]).length()).toBeLessThan(1e-5));
    expect(vertexAt(await cloth.readPositions(), 0).x).toBeCloseTo(-0.5, 6);
  });

  it("makes a clone's vertices its own, and drops tangents of the rest shape", () => {
    const sheet = makeSheet(t.scene);
    sheet.setVerticesData(VertexBuffer.TangentKind, new Float32Array(4 * sheet.getTotalVertices()));
    const clone = sheet.clone("clone");
    const cloth = new ClothAggregate(clone, {}, t.scene);
    t.run(30);
    expect(sheet.getVerticesData(VertexBuffer.PositionKind)![1]).toBe(0);
    expect(clone.getVerticesData(VertexBuffer.PositionKind)![1]).toBeLessThan(-0.1);
    expect(clone.isVerticesDataPresent(VertexBuffer.TangentKind)).toBe(false);
    expect(cloth.mesh).toBe(clone);
  });

  it("is heavier and stiffer as its fabric says", () => {
    const make = (options: ClothOptions): ClothAggregate => new ClothAggregate(makeSheet(t.scene), options, t.scene);
    const mass = (cloth: ClothAggregate): number => cloth.body.model.masses.reduce((sum, m) => sum + m, 0);
    expect(mass(make({}))).toBeCloseTo(fabrics.cotton.areaDensity, 9);
    expect(mass(make({ fabric: "denim" }))).toBeCloseTo(fabrics.denim.areaDensity, 9);
    expect(mass(make({ fabric: { ...fabrics.silk, areaDensity: 0.7 } }))).toBeCloseTo(0.7, 9);
  });

  it("passes its options to the engine", () => {
    const cloth = new ClothAggregate(
      makeSheet(t.scene),
      { solver: "jacobi", iterations: 3, substeps: 7, thickness: 0.01, wind: new Vector3(1, 2, 3), friction: 0.1 },
      t.scene,
    );
    const { method, iterations, substeps, thickness, wind, friction } = cloth.body.options;
    expect([method, iterations, substeps, thickness, friction]).toEqual(["jacobi", 3, 7, 0.01, 0.1]);
    expect(wind).toEqual([1, 2, 3]);
    cloth.setOptions({ solver: "gpbd", method: "gauss-seidel", substeps: 4, newtonIterations: 2 });
    expect(cloth.body.options.method).toBe("gauss-seidel");
    expect(cloth.body.options.newtonIterations).toBe(2);
    expect(cloth.body.options).not.toHaveProperty("solver");
    expect(cloth.body.options.substeps).toBe(4);
    expect(cloth.body.options.iterations).toBe(3);
  });

  it("is carried by wind", async () => {
    const cloth = new ClothAggregate(makeSheet(t.scene), { gravityFactor: 0 }, t.scene);
    cloth.setWind(new Vector3(0, 5, 0));
    t.run(30);
    expect(mean(await cloth.readPositions()).y).toBeGreaterThan(1.5);
  });

  it("goes with its mesh, and the mesh stays when it goes", () => {
    const sheet = makeSheet(t.scene);
    const cloth = new ClothAggregate(sheet, {}, t.scene);
    let disposed = 0;
    cloth.onDisposeObservable.add(() => disposed++);
    t.run(30);
    const { y } = drawn(sheet)[0];
    cloth.dispose();
    cloth.dispose();
    t.run(10);
    expect(disposed).toBe(1);
    expect(drawn(sheet)[0].y).toBe(y);
    const again = new ClothAggregate(sheet, {}, t.scene);
    expect(t.plugin.clothAggregates).toEqual([again]);
    sheet.dispose();
    expect(again.isDisposed).toBe(true);
    expect(t.plugin.world.bodies).toHaveLength(0);
  });

  it("shows its strain", () => {
    const sheet = makeSheet(t.scene, 1, 4);
    const cloth = new ClothAggregate(sheet, { pins: [0, 4], gravityFactor: 20 }, t.scene);
    cloth.showStrain(true);
    t.run(20);
    const colours = sheet.getVerticesData(VertexBuffer.ColorKind)!;
    expect(colours.length).toBe(4 * 25);
    // pulled at a corner: more red than green
    expect(colours[0] - colours[1]).toBeGreaterThan(0.1);
    cloth.showStrain(false);
    expect(sheet.isVerticesDataPresent(VertexBuffer.ColorKind)).toBe(false);
  });
});

describe("pins and attachments", () => {
  it("hold vertices from the start, and until they are let go", async () => {
    const sheet = makeSheet(t.scene, 1, 4);
    const cloth = new ClothAggregate(sheet, { pins: [0, 4] }, t.scene);
    t.run(30);
    const held = await cloth.readPositions();
    expect(vertexAt(held, 0).y).toBeCloseTo(1, 6);
    expect(vertexAt(held, 24).y).toBeLessThan(0.6);
    await cloth.pin([24]);
    cloth.unpin([0, 4]);
    t.run(30);
    const after = await cloth.readPositions();
    expect(vertexAt(after, 24).subtract(vertexAt(held, 24)).length()).toBeLessThan(1e-5);
    expect(vertexAt(after, 0).y).toBeLessThan(0.9);
    cloth.unpin();
    t.run(30);
    expect(vertexAt(await cloth.readPositions(), 24).y).toBeLessThan(vertexAt(after, 24).y - 0.3);
  });

  it("go where they are told", async () => {
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 4), { pins: [0] }, t.scene);
    cloth.setPinPosition(0, new Vector3(-0.4, 1.1, 0.4));
    t.run(1);
    expect(
      vertexAt(await cloth.readPositions(), 0)
        .subtract(new Vector3(-0.4, 1.1, 0.4))
        .length(),
    ).toBeLessThan(1e-6);
  });

  it("follow a node, with their offsets, also when it turns", async () => {
    const node = new TransformNode("hand", t.scene);
    node.position.set(0, 1, 0);
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 4), {}, t.scene);
    await cloth.attach([0, 4], node);
    t.run(2);
    node.position.y = 1.05;
    node.rotation.y = 0.2;
    t.run(1);
    const corner = new Vector3(-0.5, 0.05, 0.5).applyRotationQuaternion(Quaternion.RotationAxis(Vector3.Up(), 0.2));
    const positions = await cloth.readPositions();
    expect(
      vertexAt(positions, 0)
        .subtract(corner.add(new Vector3(0, 1, 0)))
        .length(),
    ).toBeLessThan(1e-5);
    cloth.detach(node);
    t.run(30);
    expect(vertexAt(await cloth.readPositions(), 0).y).toBeLessThan(0.9);
  });

  it("attached in flight keep their place in the node; a disposed node lets go", async () => {
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 4), {}, t.scene);
    t.run(10);
    const node = new TransformNode("hook", t.scene);
    await cloth.attach([12], node);
    const before = vertexAt(await cloth.readPositions(), 12);
    node.position.x = 0.1;
    t.run(1);
    expect(vertexAt(await cloth.readPositions(), 12).subtract(before).x).toBeCloseTo(0.1, 5);
    node.dispose();
    expect(cloth.body.isPinned(cloth.particles[12])).toBe(false);
  });

  it("of several owners are kept apart", async () => {
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 4), { pins: [0] }, t.scene);
    const node = new TransformNode("hand", t.scene);
    await cloth.attach([0, 4], node);
    cloth.detach();
    expect(cloth.body.isPinned(cloth.particles[0])).toBe(true);
    expect(cloth.body.isPinned(cloth.particles[4])).toBe(false);
    await cloth.attach([4, 20], node);
    cloth.unpin([4]);
    node.position.y = 1;
    t.run(1);
    expect(cloth.body.isPinned(cloth.particles[20])).toBe(true);
    expect(vertexAt(await cloth.readPositions(), 20).y).toBeCloseTo(2, 5);
  });

  it("come off by the vertices, the carrier, or both", async () => {
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 4), { pins: [0] }, t.scene);
    const [hand, hook] = ["hand", "hook"].map((name) => new TransformNode(name, t.scene));
    const held = (): number[] => [0, 4, 12, 20, 24].filter((vertex) => cloth.body.isPinned(cloth.particles[vertex]));
    await cloth.attach([4, 12], hand);
    await cloth.attach([20, 24], hook);
    t.run(1);
    await cloth.detach([0, 4, 20], hand);
    expect(held()).toEqual([0, 12, 20, 24]);
    await cloth.detach(({ x, z }) => x > 0.4 && z < -0.4);
    expect(held()).toEqual([0, 12, 20]);
    await cloth.detach(() => true, hand);
    expect(held()).toEqual([0, 20]);
    await cloth.detach([0, 20]);
    expect(held()).toEqual([0]);
    expectRefusal(() => cloth.detach([25]), "index-out-of-range", "detach", "25");
    expectRefusal(() => cloth.detach("hand" as never), "index-out-of-range", "detach");
    expectRefusal(() => cloth.detach([0], {} as never), "invalid-argument", "detach");
  });

  it("move evenly through the steps of a frame", async () => {
    t.physics.setTimeStep(1 / 240);
    const node = new TransformNode("hand", t.scene);
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 2), still, t.scene);
    await cloth.attach([0, 1, 2], node);
    const heights: number[] = [];
    t.run(1);
    t.plugin.onAfterStepObservable.add(() => {
      cloth.body.requestReadback();
      heights.push(cloth.body.latestPositions![1]);
    });
    node.position.y = 0.1;
    t.run(1);
    heights.forEach((height, i) => expect(height).toBeCloseTo(1 + 0.025 * (i + 1), 6));
    expect(heights).toHaveLength(4);
  });
});

describe.each(["local-global", "newton"] as const)("cloth of solver %s", (solver) => {
  it("drapes over a ball without going through, in the fabric's mass", async () => {
    const ball = CreateSphere("ball", { diameter: 0.6 }, t.scene);
    new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 0 }, t.scene);
    const cloth = new ClothAggregate(
      makeSheet(t.scene, 1, 8, 0.32),
      { solver, fabric: "denim", thickness: 0.005 },
      t.scene,
    );
    expect([cloth.solver, cloth.body.model.solver]).toEqual([solver, solver]);
    expect(cloth.body.model.masses.reduce((a, b) => a + b)).toBeCloseTo(fabrics.denim.areaDensity, 6);
    t.run(40);
    const positions = await cloth.readPositions();
    const heights = positions.filter((_, i) => i % 3 === 1);
    for (let i = 0; i < positions.length / 3; i++) expect(vertexAt(positions, i).length()).toBeGreaterThan(0.3 - 0.002);
    expect(Math.max(...heights)).toBeCloseTo(0.3, 1);
    expect(Math.min(...heights)).toBeLessThan(0.2);
  });

  it("is pinned, moved by hand, carried by a node and let go", async () => {
    const node = new TransformNode("hook", t.scene);
    const sheet = makeSheet(t.scene, 1, 4);
    const cloth = new ClothAggregate(sheet, { solver, pins: [0] }, t.scene);
    await cloth.attach([4], node);
    t.run(5);
    cloth.setPinPosition(0, new Vector3(-0.48, 1.05, 0.5));
    node.position.y = 0.05;
    t.run(1);
    const held = await cloth.readPositions();
    expect(
      vertexAt(held, 0)
        .subtract(new Vector3(-0.48, 1.05, 0.5))
        .length(),
    ).toBeLessThan(1e-5);
    expect(
      vertexAt(held, 4)
        .subtract(new Vector3(0.5, 1.05, 0.5))
        .length(),
    ).toBeLessThan(1e-5);
    expect(vertexAt(held, 24).y).toBeLessThan(0.99);
    cloth.detach(node);
    cloth.unpin([0]);
    t.run(20);
    expect(vertexAt(await cloth.readPositions(), 0).y).toBeLessThan(0.9);
    cloth.showStrain(true);
    cloth.setOptions({ damping: 1, friction: 0.2 });
    expect(cloth.body.options.damping).toBe(1);
    sheet.dispose();
    expect(cloth.isDisposed).toBe(true);
    expect(t.plugin.world.bodies).toHaveLength(0);
  });

  it("is refused what its solver does not have, by name", () => {
    const sheet = makeSheet(t.scene, 1, 4);
    const refused = (options: ClothOptions, ...parts: string[]): void =>
      expectRefusal(() => new ClothAggregate(sheet, { solver, ...options }, t.scene), "unsupported", "sheet", ...parts);
    refused({ relaxation: 1.2 }, "relaxation", solver);
    refused({ membrane: "springs" }, "membrane", "springs", solver);
    refused({ bending: "dihedral" }, "bending", "dihedral", solver);
    if (solver === "newton") refused({ airDensity: 1.2 }, "airDensity", solver);
    else
      expectRefusal(
        () => new ClothAggregate(sheet, { solver, iterations: 0 }, t.scene),
        "invalid-argument",
        "iterations",
      );
    expect(t.plugin.world.bodies).toHaveLength(0);
    const cloth = new ClothAggregate(sheet, { solver }, t.scene);
    expectRefusal(() => cloth.setOptions({ solver: "gpbd" }), "unsupported", "solver", solver);
    expectRefusal(() => cloth.setOptions({ warmStart: 0.5 }), "unsupported", "warmStart", solver);
    if (solver === "newton") {
      expectRefusal(() => cloth.setWind(new Vector3(1, 0, 0)), "invalid-argument", "wind");
    }
  });
});

describe.each(["local-global", "newton"] as const)("cloth of solver %s", (solver) => {
  it("sags by what its pins and attachments give", async () => {
    const node = new TransformNode("hook", t.scene);
    const attach = { node, vertices: [4], compliance: 1e-3 };
    const cloth = new ClothAggregate(
      makeSheet(t.scene, 1, 4),
      { solver, pins: [0], pinCompliance: 1e-3, attach, damping: 10 },
      t.scene,
    );
    t.run(110);
    const { body } = cloth;
    const positions = await body.readPositions();
    const held = [0, 4].map((vertex) => cloth.particles[vertex]);
    const sag = held.reduce((sum, p) => sum + body.model.positions[3 * p + 1] - positions[3 * p + 1], 0);
    const weight = -t.plugin.world.gravity[1] * body.model.masses.reduce((sum, mass) => sum + mass, 0);
    expect(sag / (1e-3 * weight)).toBeCloseTo(1, 1);
  });
});

describe("cloth of the local-global solver", () => {
  it("feels the air, and may change its fabric", async () => {
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 4), { solver: "local-global", pins: [0, 4] }, t.scene);
    expect(cloth.body.options.airDensity).toBe(1.2);
    cloth.setWind(new Vector3(0, 0, 8));
    t.run(60);
    expect(mean(await cloth.readPositions()).z).toBeGreaterThan(0.2);
    cloth.setWind(Vector3.Zero());
    cloth.setOptions({ damping: 4 });
    t.run(80);
    expect(vertexAt(await cloth.readPositions(), 22).y).toBeGreaterThan(-0.01);
    cloth.setFabric({ ...fabrics.cotton, areaDensity: 3, stretchWarp: 200, stretchWeft: 200 });
    t.run(80);
    // a hanging strip would be longer by σ g L² / 2 Y = 3 · 10 / 400 of a meter
    expect(vertexAt(await cloth.readPositions(), 22).y).toBeLessThan(-0.05);
    expectRefusal(() => cloth.setFabric({ ...fabrics.cotton, areaDensity: -1 }), "invalid-argument", "areaDensity");
  });

  it("keeps the curvature that its mesh has at rest", async () => {
    const sheet = makeSheet(t.scene, 1, 6);
    const x = sheet.getVerticesData(VertexBuffer.PositionKind)!;
    for (let i = 0; i < x.length; i += 3) x[i + 1] = 0.2 * Math.cos(3 * x[i]);
    sheet.setVerticesData(VertexBuffer.PositionKind, x, true);
    const cloth = new ClothAggregate(sheet, { solver: "local-global", gravityFactor: 0, airDensity: 0 }, t.scene);
    const before = await cloth.readPositions();
    t.run(20);
    (await cloth.readPositions()).forEach((value, i) => expect(Math.abs(value - before[i])).toBeLessThan(1e-5));
  });
});
