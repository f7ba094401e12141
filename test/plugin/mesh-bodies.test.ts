import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { CreateTorus } from "@babylonjs/core/Meshes/Builders/torusBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene({}, new Vector3(0, -9.81, 0));
});
afterEach(() => t.dispose());

const still = (mesh: Mesh, type: PhysicsShapeType): PhysicsAggregate =>
  new PhysicsAggregate(mesh, type, { mass: 0 }, t.scene);

/** Grounds with their tops at height 0. */
const GROUNDS: Readonly<Record<string, () => PhysicsAggregate>> = {
  "a box": () => {
    const mesh = CreateBox("ground", { width: 200, height: 1, depth: 200 }, t.scene);
    mesh.position.y = -0.5;
    return still(mesh, PhysicsShapeType.BOX);
  },
  "a hull": () => {
    const mesh = CreateBox("ground", { width: 200, height: 4, depth: 200 }, t.scene);
    mesh.position.y = -2;
    return still(mesh, PhysicsShapeType.CONVEX_HULL);
  },
  "CreateGround as a box": () =>
    still(CreateGround("ground", { width: 200, height: 200 }, t.scene), PhysicsShapeType.BOX),
  "CreateGround as a mesh": () =>
    still(CreateGround("ground", { width: 200, height: 200, subdivisions: 3 }, t.scene), PhysicsShapeType.MESH),
};

/** Heights of the middles of meshes that lie flat. */
const THINGS: readonly [string, (name: string) => Mesh, number][] = [
  ["box", (name) => CreateBox(name, { size: 1 }, t.scene), 0.5],
  ["torus", (name) => CreateTorus(name, { diameter: 1, thickness: 0.3, tessellation: 16 }, t.scene), 0.15],
  ["sphere", (name) => CreateSphere(name, { diameter: 1, segments: 4 }, t.scene), 0.5],
];

describe.each(Object.keys(GROUNDS))("moving meshes on %s", (ground) => {
  it("stand where they are put, far off the middle, and come to rest where they are thrown", () => {
    GROUNDS[ground]();
    const put = THINGS.map(([name, make, height], k) => {
      const mesh = make(name);
      mesh.position.set(40 + 2 * k, height + 0.01, -30);
      new PhysicsAggregate(mesh, PhysicsShapeType.MESH, { mass: 2 }, t.scene);
      return { mesh, height, x: mesh.position.x };
    });
    const thrown = THINGS.map(([name, make, height], k) => {
      const mesh = make(`thrown ${name}`);
      mesh.position.set(-35 + 4 * k, 3, 25);
      mesh.rotationQuaternion = Quaternion.FromEulerAngles(1, 2, 3);
      const { body } = new PhysicsAggregate(mesh, PhysicsShapeType.MESH, { mass: 2 }, t.scene);
      body.setLinearVelocity(new Vector3(2, -5, 1));
      body.setAngularVelocity(new Vector3(4, -3, 5));
      return { mesh, height };
    });
    let fastest = 0;
    for (let k = 0; k < 120; k++) {
      t.run(1);
      for (const { mesh } of thrown) fastest = Math.max(fastest, mesh.physicsBody!.getLinearVelocity().length());
    }
    for (const { mesh, height, x } of put) {
      expect(mesh.position.y, mesh.name).toBeCloseTo(height, 2);
      expect(mesh.position.x, mesh.name).toBeCloseTo(x, 1);
      expect(mesh.position.z, mesh.name).toBeCloseTo(-30, 1);
    }
    // None is faster than after a fall from its height: √(v² + 2 g h).
    expect(fastest).toBeLessThan(Math.sqrt(30 + 2 * 9.81 * 3));
    for (const { mesh, height } of thrown) expect(mesh.position.y, mesh.name).toBeGreaterThan(0.8 * height);
  });
});

describe("crates on meshes", () => {
  it("stand on CreateGround and on a moving mesh", () => {
    GROUNDS["CreateGround as a mesh"]();
    const table = CreateBox("table", { width: 2, height: 0.5, depth: 2 }, t.scene);
    table.position.set(7, 0.25, 3);
    new PhysicsAggregate(table, PhysicsShapeType.MESH, { mass: 20 }, t.scene);
    const crates = [0, 1, 2].map((k) => {
      const mesh = CreateBox(`crate ${k}`, { size: 0.6 }, t.scene);
      mesh.position.set(7.1, 0.8 + 0.61 * k, 3.1);
      new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass: 3 }, t.scene);
      return mesh;
    });
    t.run(180);
    expect(table.position.y).toBeCloseTo(0.25, 2);
    crates.forEach((mesh, k) => {
      expect(Math.abs(mesh.position.y - (0.8 + 0.6 * k))).toBeLessThan(5e-3);
      expect(Math.hypot(mesh.position.x - 7.1, mesh.position.z - 3.1)).toBeLessThan(5e-3);
    });
  });
});

describe("convex hulls", () => {
  it("of a flat mesh are thin: a crate stands on one, and one lies on the floor", () => {
    still(CreateGround("ground", { width: 20, height: 20 }, t.scene), PhysicsShapeType.CONVEX_HULL);
    const crate = CreateBox("crate", { size: 1 }, t.scene);
    crate.position.set(3, 0.52, 2);
    new PhysicsAggregate(crate, PhysicsShapeType.BOX, { mass: 1 }, t.scene);
    const card = CreateGround("card", { width: 1, height: 0.6 }, t.scene);
    card.position.set(-3, 0.3, 2);
    card.rotation.x = 0.2;
    new PhysicsAggregate(card, PhysicsShapeType.CONVEX_HULL, { mass: 0.1 }, t.scene);
    t.run(120);
    expect(Math.abs(crate.position.y - 0.5)).toBeLessThan(6e-3);
    expect(Math.abs(card.position.y)).toBeLessThan(6e-3);
  });

  it("of many points have as few corners as the plugin is told", async () => {
    const few = await testScene({ maxHullVertices: 32 });
    const cornersIn = (scene: TestScene): number => {
      const ball = CreateSphere("ball", { diameter: 1, segments: 16 }, scene.scene);
      const { shape } = new PhysicsAggregate(ball, PhysicsShapeType.CONVEX_HULL, { mass: 1 }, scene.scene);
      return new Set(scene.plugin.getBodyGeometry(ball.physicsBody!).indices).size * (shape ? 1 : 0);
    };
    expect(cornersIn(few)).toBeLessThanOrEqual(32);
    expect(cornersIn(few)).toBeGreaterThan(24);
    expect(cornersIn(t)).toBeGreaterThan(200);
    few.dispose();
    await expect(testScene({ maxHullVertices: 3 })).rejects.toThrow(/maxHullVertices/);
  });
});
