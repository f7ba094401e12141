import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate, SoftBodyAggregate } from "../../plugin/index";
import { surfacesAreFree } from "../../src/collision/surface/free-surfaces";
import type { DeformableBody } from "../../src/index";
import { makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

/** Few and soft elements: a frame takes milliseconds. */
const soft = { youngsModulus: 2e4, poissonRatio: 0.3, density: 300, resolution: 3, damping: 2 };

async function stateOf({ body }: { readonly body: DeformableBody }) {
  const { positions, velocities } = await body.readState();
  const heights = Array.from(positions).filter((_, i) => i % 3 === 1);
  const squares = Array.from(velocities).reduce((sum, v) => sum + v * v, 0);
  return {
    lowest: Math.min(...heights),
    middle: heights.reduce((sum, y) => sum + y, 0) / heights.length,
    speed: Math.sqrt((3 * squares) / velocities.length),
    surface: { positions, faces: body.model.faces },
  };
}

describe("bodies that nobody told to touch, or not to", () => {
  it("come to rest on one another", async () => {
    const ground = CreateGround("ground", { width: 4, height: 4 }, t.scene);
    new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0, extents: new Vector3(4, 0.2, 4) }, t.scene);
    const [top, height] = [0.1, 0.1];
    const [lower, upper] = [0.01, 0.04].map((drop, k) => {
      const mesh = CreateBox("cushion", { width: 0.2, height, depth: 0.2 }, t.scene);
      mesh.position.set(0.01 * k, top + (k + 0.5) * height + drop, 0);
      return new SoftBodyAggregate(mesh, soft, t.scene);
    });
    t.run(60);
    const [below, above] = await Promise.all([lower, upper].map(stateOf));
    expect(above.middle - below.middle).toBeGreaterThan(0.9 * height);
    expect(above.middle - below.middle).toBeLessThan(height + 0.005);
    expect(Math.max(below.speed, above.speed)).toBeLessThan(0.05);
    expect(surfacesAreFree(below.surface, above.surface, 1e-4)).toBe(true);
  });

  it("fall on cloth that hangs by its corners, which carries them", async () => {
    const sheet = makeSheet(t.scene, 0.8, 8, 1);
    const cloth = new ClothAggregate(sheet, { fabric: "cotton", pins: [0, 8, 72, 80], damping: 2 }, t.scene);
    const mesh = CreateSphere("ball", { diameter: 0.2, segments: 5 }, t.scene);
    mesh.position.set(0.02, 1.12, 0);
    const ball = new SoftBodyAggregate(mesh, soft, t.scene);
    t.run(50);
    const [under, held] = await Promise.all([cloth, ball].map(stateOf));
    expect(held.lowest).toBeGreaterThan(under.lowest);
    expect(held.middle).toBeGreaterThan(0.6);
    expect(held.speed).toBeLessThan(1);
    expect(surfacesAreFree(under.surface, held.surface, 1e-4)).toBe(true);
  });
});
