import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateCylinder } from "@babylonjs/core/Meshes/Builders/cylinderBuilder";
import { CreateDisc } from "@babylonjs/core/Meshes/Builders/discBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateTiledPlane } from "@babylonjs/core/Meshes/Builders/tiledPlaneBuilder";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ClothAggregate,
  PliantError,
  RopeAggregate,
  SoftBodyAggregate,
  type ClothOptions,
  type ClothSide,
} from "../../plugin/index";
import { lentGpu } from "../gpu/context";
import { expectRefusal, makeSheet, testScene, vertexAt, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

const SIDES: readonly ClothSide[] = ["top", "bottom", "left", "right"];

/** Numbers between 0 and 1 that are the same in every run. */
function noise(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16807) % 2147483647) / 2147483647;
}

/**
 * A sheet of 6 × 4 cells in a plane, with vertices moved along the plane, and with triangles and vertices in any order.
 */
function irregular(upright: boolean): { mesh: Mesh; rows: number[][]; columns: number[][] } {
  const random = noise(7);
  const order = Array.from({ length: 35 }, (_, i) => i).sort(() => random() - 0.5);
  const positions: number[] = [];
  const indices: number[] = [];
  for (const cell of order) {
    const [x, y] = [(cell % 7) / 6 + 0.04 * random(), Math.floor(cell / 7) / 6 + 0.04 * random()];
    positions.push(x, upright ? y : 0, upright ? 0 : y);
  }
  const vertex = (i: number, j: number): number => order.indexOf(7 * j + i);
  for (let j = 0; j < 4; j++)
    for (let i = 0; i < 6; i++) {
      const corners = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
      indices.push(...[0, 1, 2, 0, 2, 3].map((k) => corners[k]));
    }
  const mesh = new Mesh("sheet", t.scene);
  mesh.setVerticesData(VertexBuffer.PositionKind, positions, true);
  mesh.setIndices(indices);
  const ordered = (list: number[]): number[] => list.sort((a, b) => a - b);
  return {
    mesh,
    rows: [0, 4].map((j) => ordered([0, 1, 2, 3, 4, 5, 6].map((i) => vertex(i, j)))),
    columns: [0, 6].map((i) => ordered([0, 1, 2, 3, 4].map((j) => vertex(i, j)))),
  };
}

describe("pinEdge", () => {
  it.each([true, false])(
    "pins a side of an irregular mesh, however its node is turned and scaled; upright: %s",
    async (upright) => {
      for (const side of SIDES) {
        const { mesh, rows, columns } = irregular(upright);
        mesh.rotation.set(1, -2, 0.5);
        mesh.scaling.set(0.7, 3, 1.9);
        mesh.position.set(5, -3, 2);
        const cloth = new ClothAggregate(mesh, {}, t.scene);
        const wanted = { top: rows[1], bottom: rows[0], left: columns[0], right: columns[1] }[side];
        expect(await cloth.pinEdge(side), side).toEqual(wanted);
        const held = [...cloth.particles.keys()].filter((vertex) => cloth.body.isPinned(cloth.particles[vertex]));
        expect(held).toEqual(wanted);
        cloth.dispose();
      }
    },
  );

  it("knows grounds, tiled planes with doubled vertices, discs, skirts, and sheets with a hole", async () => {
    const on = async (mesh: Mesh, side: ClothSide): Promise<Vector3[]> => {
      const local = mesh.getVerticesData(VertexBuffer.PositionKind)!.slice();
      const cloth = new ClothAggregate(mesh, {}, t.scene);
      return (await cloth.pinEdge(side)).map((v) => vertexAt(local, v));
    };
    const ground = await on(CreateGround("ground", { width: 1, height: 2, subdivisions: 6 }, t.scene), "top");
    expect(ground).toHaveLength(7);
    for (const { z } of ground) expect(z).toBeCloseTo(1, 6);
    const tiled = await on(CreateTiledPlane("tiled", { size: 1, tileSize: 0.25 }, t.scene), "left");
    expect(tiled.length).toBeGreaterThan(5);
    for (const { x } of tiled) expect(x).toBeCloseTo(-0.5, 6);
    const disc = await on(CreateDisc("disc", { radius: 1, tessellation: 32 }, t.scene), "top");
    for (const { x, y } of disc) expect(y).toBeGreaterThan(Math.abs(x) - 1e-6);
    expect(disc.length).toBeGreaterThan(8);
    const cone = {
      height: 0.3,
      diameterTop: 0.5,
      diameterBottom: 1,
      cap: Mesh.NO_CAP,
      tessellation: 16,
      subdivisions: 3,
    };
    const skirt = await on(CreateCylinder("skirt", cone, t.scene), "top");
    expect(skirt.length).toBeGreaterThanOrEqual(16);
    for (const { y } of skirt) expect(y).toBeCloseTo(0.15, 6);
    const sheet = CreateGround("holed", { width: 1, height: 1, subdivisions: 6, updatable: true }, t.scene);
    const kept = [...sheet.getIndices()!].filter((_, i) => {
      const cell = Math.floor(i / 6);
      return !(cell % 6 > 1 && cell % 6 < 4 && cell > 11 && cell < 24);
    });
    sheet.setIndices(kept);
    const holed = await on(sheet, "top");
    expect(holed).toHaveLength(7);
    for (const { z } of holed) expect(z).toBeCloseTo(0.5, 6);
  });

  it("is refused where there is no such border, and for other names", () => {
    const ball = new ClothAggregate(CreateBox("cushion", { size: 1 }, t.scene), {}, t.scene);
    expectRefusal(() => ball.pinEdge("top"), "degenerate-geometry", "cushion", "open border");
    const sheet = new ClothAggregate(makeSheet(t.scene), {}, t.scene);
    expectRefusal(() => sheet.pinEdge("upper" as ClothSide), "invalid-argument", "upper", "left");
    expectRefusal(() => sheet.pinEdge("top", { compliance: 1 }), "unsupported", "compliance");
    expect(sheet.body.isPinned(0)).toBe(false);
  });
});

describe("pinWhere and pinNear", () => {
  it("go by places in the world, where the vertices are now, and tell what they pinned", async () => {
    const { mesh } = irregular(true);
    mesh.rotation.set(0.3, 1, 2);
    mesh.scaling.set(2, 0.5, 1);
    mesh.position.y = 4;
    const cloth = new ClothAggregate(mesh, { airDensity: 0 }, t.scene);
    const start = await cloth.readPositions();
    t.run(20);
    const now = await cloth.readPositions();
    const drop = start[1] - now[1];
    expect(drop).toBeGreaterThan(0.4);
    const middle = vertexAt(now, 11);
    const near = await cloth.pinNear(middle, 0.4);
    const wanted = Array.from({ length: 35 }, (_, v) => v).filter(
      (v) => Vector3.Distance(vertexAt(now, v), middle) <= 0.4,
    );
    expect(near).toEqual(wanted);
    expect(near.length).toBeGreaterThan(1);
    t.run(10);
    expect(Vector3.Distance(vertexAt(await cloth.readPositions(), 11), middle)).toBeLessThan(1e-6);
    cloth.unpin();
    const seen: number[] = [];
    const where = await cloth.pinWhere(({ y }, vertex) => seen.push(vertex) > 0 && y > middle.y + 1e-3);
    expect(seen).toHaveLength(35);
    for (const v of where) expect(now[3 * v + 1]).toBeGreaterThan(middle.y - 0.2);
  });

  it("pin soft bodies and ropes", async () => {
    const cube = CreateBox("cube", { size: 0.4 }, t.scene);
    cube.rotation.z = 0.6;
    cube.position.y = 1;
    const soft = new SoftBodyAggregate(cube, { resolution: 2 }, t.scene);
    const places = await soft.readPositions();
    const left = await soft.pinWhere(({ x }) => x < -0.2);
    expect(left.length).toBeGreaterThan(0);
    for (const v of left) expect(places[3 * v]).toBeLessThan(-0.2);
    const path = [new Vector3(0, 2, 0), new Vector3(1, 2, 0)];
    const rope = new RopeAggregate({ path }, { segments: 10 }, t.scene);
    expect(await rope.pinEnd("end")).toEqual([9, 10]);
    expect(await rope.pinNear(new Vector3(0.31, 2, 0), 0.02)).toEqual([3]);
    expect([3, 9, 10].every((p) => rope.body.isPinned(p))).toBe(true);
    expectRefusal(() => rope.pinEnd("middle" as "end"), "invalid-argument", "pinEnd", "middle");
  });

  it("are refused where nothing matches, and for what is no place", () => {
    const cloth = new ClothAggregate(makeSheet(t.scene), {}, t.scene);
    expectRefusal(() => cloth.pinWhere(() => false), "invalid-argument", "sheet", "pinWhere", "81");
    expectRefusal(() => cloth.pinNear(new Vector3(0, 3, 0), 0.5), "invalid-argument", "pinNear", "2 or more");
    expectRefusal(() => cloth.pinNear(new Vector3(0, NaN, 0), 0.5), "non-finite", "point");
    expectRefusal(() => cloth.pinNear(Vector3.Zero(), 0), "invalid-argument", "radius");
    cloth.dispose();
    expectRefusal(() => cloth.pinWhere(() => true), "disposed", "sheet");
  });

  it("lend their predicates to attach and to options of all bodies", async () => {
    const pole = new TransformNode("pole", t.scene);
    const right = ({ x }: Vector3): boolean => x > 0.49;
    const left = ({ x }: Vector3): boolean => x < -0.49;
    const sheet = makeSheet(t.scene, 1, 4);
    sheet.position.y = 2;
    const cloth = new ClothAggregate(sheet, { pins: left, attach: { node: pole, vertices: right } }, t.scene);
    const cube = CreateBox("cube", { size: 1 }, t.scene);
    cube.position.set(0, 4, 0);
    const soft = new SoftBodyAggregate(
      cube,
      { resolution: 2, pins: left, attach: { node: pole, vertices: right } },
      t.scene,
    );
    const path = [new Vector3(-0.5, 6, 0), new Vector3(0.5, 6, 0)];
    const rope = new RopeAggregate({ path }, { segments: 10, pins: left, attach: { node: pole, at: right } }, t.scene);
    const later = new ClothAggregate(makeSheet(t.scene, 1, 4), {}, t.scene);
    await later.attach(right, pole);
    const bodies = [cloth, soft, rope, later];
    const start = await Promise.all(bodies.map((body) => body.readPositions()));
    pole.position.z = 0.02;
    t.run(2);
    for (const [k, body] of bodies.entries()) {
      const [before, after] = [start[k], await body.readPositions()];
      const all = [...Array(before.length / 3).keys()];
      const [led, pinned] = [right, left].map((is) => all.filter((v) => is(vertexAt(before, v))));
      expect(led.length).toBeGreaterThan(0);
      for (const v of led) expect(after[3 * v + 2] - before[3 * v + 2]).toBeCloseTo(0.02, 5);
      if (body === later) continue;
      expect(pinned.length).toBeGreaterThan(0);
      for (const v of pinned) expect(Vector3.Distance(vertexAt(after, v), vertexAt(before, v))).toBeLessThan(1e-6);
    }
  });

  it("are refused in attach where nothing matches, and pin says what it takes", () => {
    const cloth = new ClothAggregate(makeSheet(t.scene), {}, t.scene);
    const pole = new TransformNode("pole", t.scene);
    const none = (): boolean => false;
    expectRefusal(() => cloth.attach(none, pole), "invalid-argument", "sheet", "attach", "81");
    expectRefusal(
      () => cloth.pin(none as never),
      "invalid-argument",
      "sheet",
      "pin",
      "must be a list of vertex indices",
    );
    cloth.dispose();
    const bad = (options: ClothOptions, ...parts: string[]): void =>
      expectRefusal(
        () => new ClothAggregate(makeSheet(t.scene), options, t.scene),
        "invalid-argument",
        "sheet",
        ...parts,
      );
    bad({ pins: none }, "pins", "81");
    bad({ attach: { node: pole, vertices: none } }, "attach", "81");
    bad({ attach: { node: pole } as never }, "attach", "list of indices, or a predicate");
    const path = [new Vector3(0, 2, 0), new Vector3(1, 2, 0)];
    expectRefusal(
      () => new RopeAggregate({ path }, { segments: 10, attach: { node: pole, at: none } }, t.scene),
      "invalid-argument",
      "attach",
      "11",
    );
  });

  it("read where cloth is from a GPU first", async () => {
    t.dispose();
    const gpu = await lentGpu();
    t = await testScene({ backend: "webgpu", gpu });
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 4), {}, t.scene);
    t.run(10);
    const now = await cloth.readPositions();
    const corner = vertexAt(now, 0);
    expect(await cloth.pinNear(corner, 0.01)).toEqual([0]);
    await cloth.attach(({ x, z }) => x > 0.4 && z > 0.4, new TransformNode("pole", t.scene));
    expect([...cloth.particles.keys()].filter((v) => cloth.body.isPinned(cloth.particles[v]))).toHaveLength(2);
    await expect(cloth.pinNear(new Vector3(0, 9, 0), 0.01)).rejects.toThrow(PliantError);
    t.run(5);
    expect(Vector3.Distance(vertexAt(await cloth.readPositions(), 0), corner)).toBeLessThan(1e-6);
  });
});
