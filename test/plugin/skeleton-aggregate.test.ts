import type { Bone } from "@babylonjs/core/Bones/bone";
import { Space } from "@babylonjs/core/Maths/math.axis";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { CreateTube } from "@babylonjs/core/Meshes/Builders/tubeBuilder";
import { Mesh as BabylonMesh, type Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ClothAggregate, RopeAggregate, SkeletonAggregate, SoftBodyAggregate } from "../../plugin/index";
import { fitCapsule } from "../../src/geometry/fit-capsule";
import { Skin } from "../../plugin/skeleton/skin";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { compileShape } from "../../src/collision/distance/primitives";
import type { ColliderShape } from "../../src/index";
import { dancePoses, dancer } from "../../samples/figure";
import { figureInWorld } from "../../samples/figure-body";
import { figureSkin } from "../../samples/figure-skin";
import { SkinnedFigure } from "../../samples/gallery/figures";
import { distanceTo } from "../../samples/obstacles";
import { resolveParameters } from "../../samples/parameters";
import type { ClothFactory, FigureBody, FigureFactory } from "../../samples/scene";
import { vest } from "../../samples/scenes/vest";
import { expectRefusal, makeSheet, testScene, type TestScene } from "./fixtures";
import { ARM_RADIUS, makeArm, type Arm } from "./skinned-arm";

let t: TestScene;
let arm: Arm;
beforeEach(async () => {
  t = await testScene();
  arm = makeArm(t.scene);
});
afterEach(() => t.dispose());

const vertexAt = (positions: ArrayLike<number>, i: number): Vector3 => Vector3.FromArray(positions, 3 * i);

/** Bends the arm, rad. */
const bend = (angle: number): void => arm.lower.setYawPitchRoll(0, 0, angle, Space.LOCAL);

/** A sleeve around the arm. */
function makeSleeve(): Mesh {
  const path = Array.from({ length: 13 }, (_, i) => new Vector3(-0.3 + 0.05 * i, 0, 0));
  return CreateTube("sleeve", { path, radius: ARM_RADIUS + 0.012, tessellation: 16, updatable: true }, t.scene);
}

describe("vertices that bones carry", () => {
  it("go with the bone, as what is attached to it by attachToBone, also where the mesh is moved and scaled", async () => {
    arm.mesh.position.set(0.2, 1, 0);
    arm.mesh.scaling.setAll(1.5);
    const cloth = new ClothAggregate(makeSheet(t.scene, 1, 4, 1), {}, t.scene);
    const marker = new TransformNode("marker", t.scene);
    marker.attachToBone(arm.lower, arm.mesh);
    marker.position.set(0.1, 0.05, 0);
    const place = (): Vector3 => {
      arm.mesh.computeWorldMatrix(true);
      arm.skeleton.prepare(true);
      return marker.computeWorldMatrix(true).getTranslation();
    };
    const before = vertexAt(await cloth.readPositions(), 0).subtract(place());
    await cloth.attach([0, 4], arm.lower);
    t.run(2);
    arm.mesh.position.y = 1.1;
    arm.lower.setPosition(new Vector3(0.5, 0.02, 0));
    t.run(1);
    const after = vertexAt(await cloth.readPositions(), 0).subtract(place());
    expect(after.subtract(before).length()).toBeLessThan(1e-5);
    cloth.detach(arm.lower);
    t.run(30);
    expect(vertexAt(await cloth.readPositions(), 0).y).toBeLessThan(0.9);
  });

  it("go with the skin where they are nearest to it", async () => {
    const sleeve = makeSleeve();
    const all = Array.from({ length: sleeve.getTotalVertices() }, (_, i) => i);
    const cloth = new ClothAggregate(sleeve, { attach: { skin: arm.mesh, vertices: all }, airDensity: 0 }, t.scene);
    const before = await cloth.readPositions();
    bend(0.9);
    t.run(1);
    const after = await cloth.readPositions();
    const skin = new Skin("test", arm.mesh);
    const places = skin.places(skin.pose());
    let bent = 0;
    for (const vertex of all) {
      const p = vertexAt(after, vertex);
      let toSkin = Infinity;
      for (let i = 0; i < places.length / 3; i++) toSkin = Math.min(toSkin, Vector3.Distance(p, vertexAt(places, i)));
      expect(toSkin).toBeLessThan(0.06);
      bent = Math.max(bent, Vector3.Distance(p, vertexAt(before, vertex)));
    }
    expect(bent).toBeGreaterThan(0.2);
    // vertices far from the joint keep their places beside their bone
    const end = all.find((i) => before[3 * i] > 0.29)!;
    const local = vertexAt(before, end);
    const turned = new Vector3(
      local.x * Math.cos(0.9) - local.y * Math.sin(0.9),
      local.x * Math.sin(0.9) + local.y * Math.cos(0.9),
      local.z,
    );
    expect(Vector3.Distance(vertexAt(after, end), turned)).toBeLessThan(1e-5);
  });

  it("go where transform nodes lead the bones, as in imported models", async () => {
    const node = new TransformNode("elbow", t.scene);
    node.position.set(0.5, 0, 0);
    arm.lower.linkTransformNode(node);
    new SkeletonAggregate(arm.mesh, {}, t.scene);
    const cloth = new ClothAggregate(makeSheet(t.scene, 0.4, 2, 0.3), { airDensity: 0 }, t.scene);
    await cloth.attach([0], arm.lower);
    t.run(1);
    const before = vertexAt(await cloth.readPositions(), 0);
    node.position.y = 0.05;
    t.run(1);
    expect(vertexAt(await cloth.readPositions(), 0).y - before.y).toBeCloseTo(0.05, 5);
    const [, lower] = t.plugin.world.colliders;
    expect(lower.name).toContain('bone "lower"');
  });

  it("are let go when their bone, skeleton or mesh is gone", async () => {
    const attached = async (carry: (cloth: ClothAggregate) => Promise<void>): Promise<ClothAggregate> => {
      const cloth = new ClothAggregate(makeSheet(t.scene, 1, 2, 1), {}, t.scene);
      await carry(cloth);
      t.run(1);
      expect(cloth.body.isPinned(0)).toBe(true);
      return cloth;
    };
    const ofBone = await attached((cloth) => cloth.attach([0], arm.lower, arm.mesh));
    const ofSkin = await attached((cloth) => cloth.attachToSkin([0], arm.mesh));
    arm.lower.dispose();
    expect([ofBone.body.isPinned(0), ofSkin.body.isPinned(0)]).toEqual([false, true]);
    arm.skeleton.dispose();
    expect(ofSkin.body.isPinned(0)).toBe(false);
    arm = makeArm(t.scene);
    const another = await attached((cloth) => cloth.attach([0], arm.upper));
    arm.mesh.dispose();
    expect(another.body.isPinned(0)).toBe(false);
    t.run(1);
  });

  it("may be of a soft body, and of a rope", () => {
    const jelly = CreateSphere("jelly", { diameter: 0.3, segments: 6 }, t.scene);
    const soft = new SoftBodyAggregate(
      jelly,
      { resolution: 4, attach: { bone: arm.upper, skinnedMesh: arm.mesh, vertices: [0] } },
      t.scene,
    );
    const path = [new Vector3(0, 1, 0), new Vector3(0.5, 1, 0)];
    const rope = new RopeAggregate({ path }, { segments: 8, attach: { bone: arm.upper, at: "start" } }, t.scene);
    arm.mesh.position.z = 0.01;
    t.run(1);
    expect(rope.body.latestPositions ?? rope.body.model.positions).toBeDefined();
    expect(rope.body.pinTarget(0)[2]).toBeCloseTo(0.01, 6);
    const [held] = soft.body.model.positions.map((_, p) => p).filter((p) => soft.body.isPinned(p));
    expect(soft.body.pinTarget(held)[2] - soft.body.model.positions[3 * held + 2]).toBeCloseTo(0.01, 6);
  });

  it("are refused where there is nothing that could carry them, and nothing is changed then", () => {
    const sheet = makeSheet(t.scene, 1, 2, 1);
    const cloth = new ClothAggregate(sheet, {}, t.scene);
    const box = CreateBox("box", {}, t.scene);
    const other = makeArm(t.scene);
    expectRefusal(() => cloth.attach([99], arm.lower), "index-out-of-range", "99");
    expectRefusal(() => cloth.attach([0], arm.lower, box), "invalid-argument", "box", "skeleton");
    expectRefusal(() => cloth.attach([0], arm.lower, other.mesh), "invalid-argument", "skeleton");
    expectRefusal(() => cloth.attachToSkin([0], box), "unsupported", "box", "skeleton");
    box.skeleton = arm.skeleton;
    expectRefusal(() => cloth.attachToSkin([0], box), "unsupported", "matricesIndices");
    box.dispose();
    expectRefusal(() => cloth.attachToSkin([0], box), "disposed", "box");
    other.skeleton.dispose();
    expectRefusal(() => cloth.attach([0], other.lower, other.mesh), "disposed");
    other.mesh.dispose();
    expectRefusal(() => cloth.attach([0], other.lower), "invalid-argument");
    const second = makeSheet(t.scene);
    const attach = [
      { bone: arm.lower, vertices: [0] },
      { bone: arm.upper, vertices: [0] },
    ];
    expectRefusal(() => new ClothAggregate(second, { attach }, t.scene), "invalid-argument", "vertex 0", "two");
    expect(t.plugin.clothAggregates).toEqual([cloth]);
    expect(cloth.body.isPinned(0)).toBe(false);
  });
});

describe("SkeletonAggregate", () => {
  it("has a capsule around what each bone moves", () => {
    const figure = new SkeletonAggregate(arm.mesh, {}, t.scene);
    expect(figure.shapes.map(({ bone }) => bone.name)).toEqual(["upper", "lower"]);
    for (const { shape } of figure.shapes) {
      if (shape.type !== "capsule") throw new Error("no capsule");
      expect(shape.radius).toBeCloseTo(ARM_RADIUS, 2);
      expect(Math.abs(shape.pointB[0] - shape.pointA[0])).toBeGreaterThan(0.3);
    }
    const hulls = new SkeletonAggregate(arm.mesh, { shape: "convex-hull", bones: [arm.lower] }, t.scene);
    expect(hulls.shapes.map(({ shape }) => shape.type)).toEqual(["convex-hull"]);
    const fat = new SkeletonAggregate(arm.mesh, { margin: 0.05, bones: (bone) => bone === arm.upper }, t.scene);
    const [{ shape }] = fat.shapes;
    expect(shape.type === "capsule" && shape.radius).toBeCloseTo(ARM_RADIUS + 0.05, 2);
    expect(t.plugin.skeletonAggregates).toEqual([figure, hulls, fat]);
    fat.dispose();
    expect(t.plugin.skeletonAggregates).toEqual([figure, hulls]);
    arm.skeleton.dispose();
    expect([figure.isDisposed, hulls.isDisposed]).toEqual([true, true]);
    expect(t.plugin.world.colliders).toHaveLength(0);
  });

  it("takes shapes that are given for single bones, and refuses those that make no sense", () => {
    const ball = { type: "sphere", center: [0.2, 0, 0], radius: 0.15 } as const;
    const figure = new SkeletonAggregate(arm.mesh, { shapes: { lower: ball }, teleportSpeed: Infinity }, t.scene);
    expect(figure.shapes.map(({ shape }) => shape.type)).toEqual(["capsule", "sphere"]);
    const moved = vi.spyOn(t.plugin.world.colliders[1], "setPose");
    bend(Math.PI / 2);
    arm.lower.setPosition(new Vector3(0.5, 0.1, 0));
    t.run(1);
    const [position] = moved.mock.lastCall!;
    const [x, y, z] = figure.shapes[1].bone.getFinalMatrix().getTranslation().asArray();
    expect(Math.hypot(position[0] - x, position[1] - y, position[2] - z)).toBeLessThan(1e-6);
    const refused = (shapes: Record<string, ColliderShape>, ...words: string[]): void =>
      expectRefusal(() => new SkeletonAggregate(arm.mesh, { shapes }, t.scene), "invalid-argument", ...words);
    refused({ nobody: ball }, "shapes", "nobody");
    refused({ lower: { ...ball, radius: 0 } }, "lower", "radius");
    expect(t.plugin.skeletonAggregates).toEqual([figure]);
    expect(t.plugin.world.colliders).toHaveLength(2);
  });

  it("drags cloth along that lies on it, which never gets inside", async () => {
    new SkeletonAggregate(arm.mesh, { friction: 1 }, t.scene);
    const sheet = makeSheet(t.scene, 0.5, 12, ARM_RADIUS + 0.01);
    const cloth = new ClothAggregate(sheet, { friction: 1, thickness: 0.004, airDensity: 0 }, t.scene);
    for (let frame = 0; frame < 32; frame++) {
      arm.mesh.position.x += frame < 12 ? 0 : 0.01;
      bend(0.4 * Math.sin(frame / 6));
      t.run(1);
    }
    const positions = await cloth.readPositions();
    const [figure] = t.plugin.skeletonAggregates;
    for (const { bone, shape } of figure.shapes) {
      if (shape.type !== "capsule") throw new Error("no capsule");
      const matrix = bone.getFinalMatrix().multiply(arm.mesh.computeWorldMatrix(true));
      const [a, b] = [shape.pointA, shape.pointB].map((p) =>
        Vector3.TransformCoordinates(Vector3.FromArray([...p]), matrix),
      );
      for (let i = 0; i < positions.length / 3; i++)
        expect(distanceToSegment(vertexAt(positions, i), a, b)).toBeGreaterThan(shape.radius - 1e-3);
    }
    // at 0.6 m/s for 20 frames
    let mean = 0;
    for (let i = 0; i < positions.length; i += 3) mean += (3 * positions[i]) / positions.length;
    expect(mean).toBeGreaterThan(0.1);
  });

  it.each(["the mesh", "the pose"])("takes a garment along, unstretched, when %s jumps", async (what) => {
    new SkeletonAggregate(arm.mesh, { teleportSpeed: 20 }, t.scene);
    const sleeve = makeSleeve();
    const before = sleeve.getTotalVertices();
    const cloth = new ClothAggregate(
      sleeve,
      { attach: { skin: arm.mesh, vertices: [0, 1, 2, 3, 4] }, substeps: 12, airDensity: 0 },
      t.scene,
    );
    t.run(5);
    const speeds = await (async () => {
      if (what === "the mesh") arm.mesh.position.set(30, 2, 5);
      else bend(1);
      t.run(1);
      return cloth.readVelocities();
    })();
    expect(before).toBe(speeds.length / 3);
    for (const speed of speeds) expect(Math.abs(speed)).toBeLessThan(5);
    const positions = await cloth.readPositions();
    if (what === "the mesh") for (let i = 0; i < positions.length; i += 3) expect(positions[i]).toBeGreaterThan(29);
  });

  it("sweeps where the bones are fast, unless it is told that they jump", async () => {
    const figure = new SkeletonAggregate(arm.mesh, { teleportSpeed: Infinity }, t.scene);
    const cloth = new ClothAggregate(makeSheet(t.scene, 0.4, 8, 0.3), { gravityFactor: 0, airDensity: 0 }, t.scene);
    const heights = async (): Promise<number[]> => [...(await cloth.readPositions())].filter((_, i) => i % 3 === 1);
    figure.teleport();
    arm.mesh.position.y = 0.6;
    t.run(1);
    for (const height of await heights()) expect(height).toBeCloseTo(0.3, 2);
    // swept down through the sheet, it takes the middle with it
    arm.mesh.position.y = -0.2;
    t.run(1);
    expect(Math.min(...(await heights()))).toBeLessThan(-0.25);
  });

  it("refuses what is no figure", () => {
    const box = CreateBox("box", {}, t.scene);
    expectRefusal(() => new SkeletonAggregate(box), "unsupported", 'SkeletonAggregate "box"', "skeleton");
    for (const [option, value] of [
      ["margin", NaN],
      ["friction", -1],
      ["minimumRadius", -1],
      ["teleportSpeed", 0],
      ["shape", "ball"],
    ] as const)
      expectRefusal(
        () => new SkeletonAggregate(arm.mesh, { [option]: value }, t.scene),
        option === "margin" ? "non-finite" : "invalid-argument",
        option,
      );
    const none = (bone: Bone): boolean => bone.name === "nobody";
    expectRefusal(() => new SkeletonAggregate(arm.mesh, { bones: none }, t.scene), "degenerate-geometry");
    expect(t.plugin.skeletonAggregates).toHaveLength(0);
    expect(t.plugin.world.colliders).toHaveLength(0);
  });
});

describe("the figure of the scene vest", () => {
  /** Cloth of a scene like the gallery's, without its look. */
  const clothIn =
    (scene: Scene): ClothFactory =>
    ({ name, positions, indices, uvs, fabric, membrane, bending, options: { wind: _, ...options }, pins }) => {
      const data = new VertexData();
      data.positions = Array.from(positions);
      data.indices = Array.from(indices);
      data.uvs = Array.from(uvs);
      const mesh = new BabylonMesh(name, scene);
      data.applyToMesh(mesh, true);
      return new ClothAggregate(mesh, { ...options, fabric, membrane, bending, pins }, scene).body;
    };

  it("is the same on a skeleton of Babylon's as straight in a world, and so is what it wears", async () => {
    const values = resolveParameters(vest, { resolution: 8, substeps: 12 });
    const other = await testScene();
    const figures: FigureBody[] = [];
    const wear = async ({ scene, plugin, run }: TestScene, makeFigure: FigureFactory): Promise<Float32Array> => {
      const { world } = plugin;
      const noted: FigureFactory = (description) => {
        figures.push(makeFigure(description));
        return figures.at(-1);
      };
      const { beforeStep } = await vest.build(world, values, clothIn(scene), undefined, noted);
      for (let frame = 0; frame < 12; frame++) {
        beforeStep!(world.time, 1 / 60);
        run(1);
      }
      return plugin.clothAggregates[0].readPositions();
    };
    const skin = { positions: new Float64Array(9), indices: new Uint32Array([0, 1, 2]), bones: new Uint16Array(12) };
    const unseen = { skin: () => ({ ...skin, weights: new Float64Array(12) }) };
    const worn = await wear(t, (figure) => new SkinnedFigure({ ...figure, ...unseen }, t.scene, t.plugin));
    const expected = await wear(other, figureInWorld(other.plugin.world));
    const [skinned, straight] = figures;
    for (const { name } of dancer(0).bones) {
      const [a, b] = [skinned.poseOf(name), straight.poseOf(name)];
      const sign = Math.sign(a.rotation.reduce((sum, value, c) => sum + value * b.rotation[c], 0));
      for (let c = 0; c < 3; c++) expect(a.position[c]).toBeCloseTo(b.position[c], 5);
      for (let c = 0; c < 4; c++) expect(sign * a.rotation[c]).toBeCloseTo(b.rotation[c], 5);
    }
    const [body] = t.plugin.world.bodies;
    const [straightBody] = other.plugin.world.bodies;
    const held = body.model.masses.map((_, p) => p).filter((p) => body.isPinned(p));
    expect(held.length).toBeGreaterThan(5);
    for (const p of held)
      body.pinTarget(p).forEach((value, c) => expect(value).toBeCloseTo(straightBody.pinTarget(p)[c], 5));
    // bones in f32 are off by 1e-7 m, which friction turns into a tenth of a millimeter at once
    const start = straightBody.model.positions;
    let [apart, moved] = [0, 0];
    worn.forEach((value, i) => {
      apart = Math.max(apart, Math.abs(value - expected[i]));
      moved = Math.max(moved, Math.abs(value - start[i]));
    });
    expect(moved).toBeGreaterThan(5e-3);
    expect(apart).toBeLessThan(2e-3);
    other.dispose();
  });

  it("has a skin that keeps to the shapes of its bones as they move", () => {
    const description = dancer(0.5);
    const made = description.skin();
    const figure = new SkinnedFigure({ ...description, skin: () => made }, t.scene, t.plugin);
    const skin = new Skin("test", figure.mesh);
    const parts = description.bones.map(({ name, shape }) => [name, compileShape(shape)] as const);
    /** Largest distance of the skin outside of all shapes, and inside. */
    const range = (): [outside: number, inside: number] => {
      const distances = parts.map(([name, primitives]) => {
        const { position, rotation } = figure.poseOf(name);
        return distanceTo(primitives, position, rotation);
      });
      const places = skin.places(skin.pose());
      let [outside, inside] = [-Infinity, -Infinity];
      for (let i = 0; i < places.length; i += 9) {
        const d = Math.min(...distances.map((distance) => distance(places[i], places[i + 1], places[i + 2])));
        outside = Math.max(outside, d);
        inside = Math.max(inside, -d);
      }
      return [outside, inside];
    };
    const [outside, inside] = range();
    expect(outside).toBeLessThan(2e-4);
    expect(inside).toBeLessThan(0.008);
    figure.moveTo(dancePoses(1.7, 0.8, 1));
    const moved = range();
    expect(moved[0]).toBeLessThan(0.012);
    expect(moved[1]).toBeLessThan(0.025);
    const { positions, indices, weights } = made;
    for (let v = 0; v < weights.length; v += 40)
      expect(weights[v] + weights[v + 1] + weights[v + 2] + weights[v + 3]).toBeCloseTo(1, 12);
    // closed, and Babylon's front side is outside: clockwise is negative here
    let volume = 0;
    const edges = new Map<number, number>();
    const count = positions.length / 3;
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => vertexAt(positions, indices[i + k]));
      volume -= Vector3.Dot(a, Vector3.Cross(b, c)) / 6;
      for (let k = 0; k < 3; k++) {
        const [from, to] = [indices[i + k], indices[i + ((k + 1) % 3)]];
        edges.set(from * count + to, (edges.get(from * count + to) ?? 0) + 1);
      }
    }
    const open = [...edges].filter(
      ([edge, times]) => edges.get((edge % count) * count + Math.floor(edge / count)) !== times,
    );
    expect(open).toEqual([]);
    expect(volume).toBeGreaterThan(0.03);
    expect(volume).toBeLessThan(0.08);
  });

  it("is of capsules", () => {
    const box = {
      name: "box",
      rest: { position: [0, 0, 0], rotation: [0, 0, 0, 1] },
      shape: { type: "box", halfExtents: [1, 1, 1] },
    } as const;
    expectRefusal(() => figureSkin([box]), "unsupported", "box", "capsules");
  });
});

it("fits capsules as small as they can be", () => {
  const points: number[] = [];
  for (let i = 0; i < 400; i++) {
    // spiral on a capsule from (0, 1, 0) to (0, 3, 0) of radius 0.5
    const [s, a] = [i / 399, 0.7 * i];
    const y = 0.5 + 3 * s;
    const r = Math.sqrt(Math.max(0, 0.25 - Math.max(0, 1 - y, y - 3) ** 2));
    points.push(r * Math.cos(a), y, r * Math.sin(a));
  }
  const { pointA, pointB, radius } = fitCapsule(points);
  expect(radius).toBeCloseTo(0.5, 1);
  expect(radius).toBeGreaterThanOrEqual(0.499);
  expect(Math.min(pointA[1], pointB[1])).toBeCloseTo(1, 1);
  expect(Math.max(pointA[1], pointB[1])).toBeCloseTo(3, 1);
  for (let i = 0; i < points.length / 3; i++)
    expect(
      distanceToSegment(vertexAt(points, i), Vector3.FromArray([...pointA]), Vector3.FromArray([...pointB])),
    ).toBeLessThan(radius + 1e-9);
  const ball = fitCapsule([1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1]);
  expect(ball.radius).toBeCloseTo(1, 6);
  expect(ball.pointA).toEqual(ball.pointB);
});

function distanceToSegment(p: Vector3, a: Vector3, b: Vector3): number {
  const along = b.subtract(a);
  const s = Math.min(1, Math.max(0, Vector3.Dot(p.subtract(a), along) / Math.max(1e-12, along.lengthSquared())));
  return Vector3.Distance(p, a.add(along.scale(s)));
}
