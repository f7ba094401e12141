import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateLines } from "@babylonjs/core/Meshes/Builders/linesBuilder";
import { CreateTube } from "@babylonjs/core/Meshes/Builders/tubeBuilder";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RopeAggregate, type PliantErrorCode, type RopeOptions, type RopePath } from "../../plugin/index";
import { refusal, testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

const line = (...points: number[][]): Vector3[] => points.map(([x, y, z]) => new Vector3(x, y, z));
const straight = line([0, 1, 0], [1, 1, 0]);
const few: RopeOptions = { segments: 10, substeps: 20 };

function pointsOf(mesh: Mesh): Vector3[] {
  const local = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  const world = mesh.computeWorldMatrix(true);
  return Array.from({ length: local.length / 3 }, (_, i) =>
    Vector3.TransformCoordinates(Vector3.FromArray(local, 3 * i), world),
  );
}

const point = (positions: ArrayLike<number>, i: number): Vector3 =>
  new Vector3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);

describe("RopeAggregate", () => {
  it("changes options of its steps, with lengths of the scene", async () => {
    t.dispose();
    t = await testScene({ worldScale: 100 });
    const rope = new RopeAggregate({ path: line([0, 1, 0], [100, 1, 0]), radius: 2 }, few, t.scene);
    rope.setOptions({ thickness: 3, damping: 2 });
    expect(rope.body.options).toMatchObject({ thickness: 0.03, damping: 2, substeps: 20 });
  });

  it("makes a tube of a path, which follows it, and has its mass", async () => {
    const rope = new RopeAggregate({ path: straight, radius: 0.02 }, { ...few, pins: [0, 1], mass: 0.3 }, t.scene);
    expect(rope.pointCount).toBe(11);
    expect(rope.body.model.masses.reduce((sum, m) => sum + m, 0)).toBeCloseTo(0.3, 9);
    expect(rope.body.options.thickness).toBe(0.02);
    t.run(20);
    t.scene.onBeforeActiveMeshesEvaluationObservable.notifyObservers(t.scene);
    const positions = await rope.readPositions();
    expect(positions).toHaveLength(33);
    expect(point(positions, 10).y).toBeLessThan(0.8);
    expect(Vector3.Distance(point(positions, 1), new Vector3(0.1, 1, 0))).toBeLessThan(1e-6);
    // every vertex of the tube keeps its distance from the rope
    for (const vertex of pointsOf(rope.mesh)) {
      let nearest = Infinity;
      for (let e = 0; e < 10; e++) {
        const [a, b] = [point(positions, e), point(positions, e + 1)];
        const edge = b.subtract(a);
        const u = Math.min(1, Math.max(0, Vector3.Dot(vertex.subtract(a), edge) / edge.lengthSquared()));
        nearest = Math.min(nearest, Vector3.Distance(vertex, a.add(edge.scale(u))));
      }
      expect(nearest).toBeLessThan(0.0203);
    }
    expect(t.plugin.ropeAggregates).toEqual([rope]);
    expect(t.plugin.clothAggregates).toEqual([]);
  });

  it.each(["gpbd", "newton"] as const)("is drawn where points lie at one place, with %s", (solver) => {
    const rope = new RopeAggregate({ path: straight }, { solver, segments: 8, pins: [0, 1, 2, 3] }, t.scene);
    for (const k of [0, 1, 2, 3]) rope.setPinPosition(k, straight[0]);
    t.run(3);
    t.scene.onBeforeActiveMeshesEvaluationObservable.notifyObservers(t.scene);
    for (const { x, y, z } of pointsOf(rope.mesh)) expect(x + y + z).toBeLessThan(3);
  });

  it("takes a tube or lines that there are, as they look", () => {
    const tube = CreateTube(
      "cable",
      { path: line([0, 0, 0], [0.5, 0, 0], [1, 0, 0]), radius: 0.03, cap: Mesh.CAP_ALL },
      t.scene,
    );
    tube.position.set(1, 2, 3);
    const before = pointsOf(tube);
    const cable = new RopeAggregate(tube, { segments: 7 });
    pointsOf(tube).forEach((vertex, i) => expect(Vector3.Distance(vertex, before[i])).toBeLessThan(1e-6));
    expect(cable.body.options.thickness).toBeCloseTo(0.03, 6);
    expect(Array.from(cable.body.model.positions.slice(0, 3))).toEqual([1, 2, 3].map((x) => expect.closeTo(x, 6)));
    const lines = new RopeAggregate(CreateLines("string", { points: straight, updatable: true }, t.scene), {
      ...few,
      radius: 0.005,
    });
    t.run(2);
    expect(pointsOf(lines.mesh)[1].y).toBeLessThan(1);
    expect(refusal(() => new RopeAggregate(tube)).message).toMatch(/is a rope already/);
  });

  it("closes where its path ends where it began, and can be twisted", async () => {
    const ring = Array.from(
      { length: 13 },
      (_, i) => new Vector3(Math.cos((i * Math.PI) / 6), 1, Math.sin((i * Math.PI) / 6)),
    );
    const rope = new RopeAggregate({ path: ring }, { segments: 12, substeps: 20, twist: 3, gravityFactor: 0 }, t.scene);
    expect(rope.pointCount).toBe(12);
    t.run(2);
    const positions = await rope.readPositions();
    expect(Vector3.Distance(point(positions, 11), point(positions, 0))).toBeCloseTo(2 * Math.sin(Math.PI / 12), 3);
  });

  it("is carried by its end, which keeps its direction to a node, and lets go", async () => {
    const node = new TransformNode("hand", t.scene);
    const rope = new RopeAggregate(
      { path: straight },
      { ...few, gravityFactor: 0, attach: { node, at: "start" } },
      t.scene,
    );
    node.rotation.y = 0.3;
    node.position.y = 0.1;
    t.run(1);
    const positions = await rope.readPositions();
    const direction = point(positions, 1).subtract(point(positions, 0)).normalize();
    expect(Vector3.Dot(direction, new Vector3(Math.cos(0.3), 0, -Math.sin(0.3)))).toBeCloseTo(1, 6);
    expect(point(positions, 0).y).toBeCloseTo(1.1, 6);
    rope.detach(node);
    await rope.attachEnd("end", node);
    expect(rope.body.isPinned(0)).toBe(false);
    expect(rope.body.isPinned(9) && rope.body.isPinned(10)).toBe(true);
  });

  it.each(["gpbd", "newton"] as const)("hangs over a body, by %s", async (solver) => {
    const box = CreateBox("beam", { size: 0.2 }, t.scene);
    box.position.set(0.5, 0.8, 0);
    new PhysicsAggregate(box, PhysicsShapeType.BOX, { mass: 0, friction: 1 }, t.scene);
    const rope = new RopeAggregate(
      { path: straight, radius: 0.02 },
      solver === "newton" ? { segments: few.segments!, solver } : { ...few, solver },
      t.scene,
    );
    t.run(30);
    const positions = await rope.readPositions();
    expect(point(positions, 5).y).toBeGreaterThan(0.89);
    expect(point(positions, 0).y).toBeLessThan(0.85);
    rope.dispose();
    expect(rope.isDisposed).toBe(true);
    expect(rope.mesh.isDisposed()).toBe(false);
  });

  it.each([
    { solver: "gpbd", length: 0.2 },
    { solver: "gpbd", length: 20 },
    { solver: "newton", length: 0.2 },
    { solver: "newton", length: 20 },
  ] as const)("hardly gets longer by its own weight, with nothing said about it: %o", async ({ solver, length }) => {
    const path = line([0, 0, 0], [0, -length, 0]);
    const rope = new RopeAggregate(
      { path, radius: 0.002 + 1e-3 * length },
      { pins: [0], solver, segments: 40 },
      t.scene,
    );
    t.run(20);
    const positions = await rope.readPositions();
    const lowest = Math.min(...positions.filter((_, i) => i % 3 === 1));
    expect(-lowest / length).toBeLessThan(1.005);
    expect(-lowest / length).toBeGreaterThan(0.999);
  });

  it("is taken hold of between its points", async () => {
    const rope = new RopeAggregate({ path: straight, radius: 0.01 }, { ...few, pins: [0] }, t.scene);
    const hit = await rope.body.pick([0.46, 1.005, -3], [0, 0, 2]);
    expect(hit).toMatchObject({ particle: 5 });
    expect(hit!.distance).toBeCloseTo(3, 6);
    expect(await rope.body.pick([0.46, 1.05, -3], [0, 0, 2])).toBeUndefined();
  });

  const refusals: [string, Partial<RopePath>, RopeOptions, PliantErrorCode, RegExp][] = [
    ["one point", { path: line([0, 0, 0]) }, {}, "invalid-argument", /two or more/],
    ["no list", { path: null as never }, {}, "invalid-argument", /list of points/],
    [
      "a closed one of two",
      { path: line([0, 0, 0], [1, 0, 0], [0, 0, 0]) },
      {},
      "invalid-argument",
      /three or more if closed/,
    ],
    ["a point twice", { path: line([0, 0, 0], [1, 0, 0], [1, 0, 0]) }, {}, "degenerate-geometry", /point 2/],
    ["NaN", { path: line([0, 0, 0], [NaN, 0, 0]) }, {}, "non-finite", /point 1/],
    ["no radius", { radius: 0 }, {}, "invalid-argument", /radius/],
    ["half a segment", {}, { segments: 1.5 }, "invalid-argument", /segments.*whole/],
    ["two sides", {}, { sides: 2 }, "invalid-argument", /sides/],
    ["no mass", {}, { mass: 0 }, "invalid-argument", /mass/],
    ["a pin that it has not", {}, { ...few, pins: [11] }, "index-out-of-range", /point index below 11/],
    ["a solver that there is not", {}, { solver: "xpbd" as never }, "invalid-argument", /solver/],
    ["twist by newton", {}, { solver: "newton", twist: 1 }, "unsupported", /twist/],
    [
      "a middle to be carried",
      {},
      { attach: { node: null as never, at: "middle" as never } },
      "invalid-argument",
      /start/,
    ],
  ];

  it.each(refusals)("refuses %s and leaves the scene as it was", (_what, path, options, code, message) => {
    const meshes = t.scene.meshes.length;
    const node = new TransformNode("node", t.scene);
    const attach = options.attach && { attach: { ...options.attach, node } as RopeOptions["attach"] & object };
    const error = refusal(() => new RopeAggregate({ path: straight, ...path }, { ...options, ...attach }, t.scene));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(t.scene.meshes).toHaveLength(meshes);
    expect(t.plugin.ropeAggregates).toEqual([]);
  });

  it("refuses a mesh that is no line", () => {
    const error = refusal(() => new RopeAggregate(CreateBox("box", {}, t.scene)));
    expect(error.code).toBe("unsupported");
  });
});
