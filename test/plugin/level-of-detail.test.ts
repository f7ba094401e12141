import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, describe, expect, it } from "vitest";
import { ClothAggregate, SoftBodyAggregate, type ClothOptions } from "../../plugin/index";
import type { DeformableAggregate } from "../../plugin/deformable/deformable-aggregate";
import { expectRefusal, makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
afterEach(() => t.dispose());

const far = (): boolean => true;

async function scene(): Promise<void> {
  t = await testScene();
  t.scene.activeCamera = t.scene.cameras[0];
}

function substepsOf(aggregate: DeformableAggregate): number {
  void aggregate.cost;
  t.run(1);
  return aggregate.cost!.substeps;
}

const cloth = (options: ClothOptions): ClothAggregate =>
  new ClothAggregate(makeSheet(t.scene, 1, 16, 1), options, t.scene);

async function momentum({ body }: DeformableAggregate): Promise<number[]> {
  const velocities = await body.readVelocities();
  return [0, 1, 2].map((c) => body.model.masses.reduce((sum, mass, p) => sum + mass * velocities[3 * p + c], 0));
}

describe("level of detail", () => {
  it("halves the substeps of what is further from all cameras than the distance, and gives them back nearer", async () => {
    await scene();
    const camera = t.scene.activeCamera as FreeCamera;
    const at = (z: number): number => {
      camera.position.set(0, 1, z);
      camera.computeWorldMatrix();
      return substepsOf(sheet);
    };
    // It lies from −0.5 to 0.5, and holds still.
    const sheet = cloth({ lod: 10, pins: () => true, tethers: false });
    const all = at(-5);
    expect(all).toBe(sheet.body.options.substeps);
    expect(at(-10.4)).toBe(all);
    expect(at(-10.6)).toBe(Math.ceil(all / 2));
    // It keeps its steps near the distance: no change back and forth.
    expect(at(-10.4)).toBe(Math.ceil(all / 2));
    expect(at(-9.4)).toBe(all);
    t.scene.activeCameras = [camera, new FreeCamera("second", new Vector3(0, 1, 2), t.scene)];
    expect(at(-50)).toBe(all);
  });

  it("asks a function, and is off without the option", async () => {
    await scene();
    let isFar = false;
    const seen: string[] = [];
    const asked = cloth({ tethers: false, lod: (camera, mesh) => (seen.push(camera.name, mesh.name), isFar) });
    const other = cloth({ tethers: false });
    const all = substepsOf(asked);
    isFar = true;
    expect(substepsOf(asked)).toBe(Math.ceil(all / 2));
    expect(substepsOf(other)).toBe(all);
    expect(new Set(seen)).toEqual(new Set(["camera", "sheet"]));
  });

  it("keeps momentum, while a body swings, turns and falls", async () => {
    await scene();
    const box = CreateBox("box", { size: 0.3 }, t.scene);
    let isFar = false;
    const jelly = new SoftBodyAggregate(box, { resolution: 3, airDensity: 0, lod: (): boolean => isFar }, t.scene);
    const { masses, positions } = jelly.body.model;
    const velocities = positions.map((_, i) => 3 * positions[(i + 1) % positions.length] - positions[i]);
    jelly.body.writeState({ positions, velocities });
    const mass = masses.reduce((sum, m) => sum + m, 0);
    const [vx, vy, vz] = await momentum(jelly);
    for (let frame = 1; frame <= 12; frame++) {
      isFar = frame % 3 > 0;
      t.run(1);
      const [x, y, z] = await momentum(jelly);
      expect(Math.hypot(x - vx, y - vy + (10 * mass * frame) / 60, z - vz) / mass).toBeLessThan(1e-6);
    }
  });

  it("keeps carried vertices and contact exact in every frame, with the stretch of a step twice as long", async () => {
    await scene();
    const hand = new TransformNode("hand", t.scene);
    const on = (x: number, options: ClothOptions): ClothAggregate => {
      const ball = CreateSphere("ball", { diameter: 0.4 }, t.scene);
      ball.position.set(x, 0.78, 0);
      new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 0 }, t.scene);
      const mesh = makeSheet(t.scene, 1, 16, 1);
      mesh.position.x = x;
      return new ClothAggregate(mesh, { attach: { node: hand, vertices: [0] }, ...options }, t.scene);
    };
    const [distant, near] = [on(0, { lod: far }), on(5, {})];
    const start = (await distant.readPositions()).slice(0, 3);
    for (let frame = 1; frame <= 40; frame++) {
      hand.position.x = 0.002 * frame;
      t.run(1);
      const places = await distant.readPositions();
      expect(places[0]).toBeCloseTo(start[0] + 0.002 * frame, 5);
      let nearest = Infinity;
      for (let i = 0; i < places.length; i += 3)
        nearest = Math.min(nearest, Math.hypot(places[i], places[i + 1] - 0.78, places[i + 2]));
      expect(nearest).toBeGreaterThan(0.2);
    }
    expect(await stretchOf(distant)).toBeLessThan(5 * (await stretchOf(near)));
  });

  it("leaves a body that a near one touches at the steps of both", async () => {
    await scene();
    const low = new ClothAggregate(makeSheet(t.scene, 1, 16, 1), { lod: far }, t.scene);
    const near = new ClothAggregate(makeSheet(t.scene, 1, 16, 1.006), {}, t.scene);
    expect(substepsOf(low)).toBe(near.body.options.substeps);
  });

  it("refuses what is no distance, and other solvers", async () => {
    await scene();
    expectRefusal(() => cloth({ lod: -1 }), "invalid-argument", "lod");
    expectRefusal(() => cloth({ lod: NaN }), "non-finite", "lod");
    expectRefusal(() => cloth({ lod: 1, solver: "newton" }), "unsupported", "lod");
  });
});

/** Largest elongation of an edge. */
async function stretchOf({ body }: DeformableAggregate): Promise<number> {
  const { faces, positions: rest } = body.model;
  const now = await body.readPositions();
  const length = (x: ArrayLike<number>, a: number, b: number): number =>
    Math.hypot(x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1], x[3 * a + 2] - x[3 * b + 2]);
  let most = 0;
  for (let i = 0; i < faces.length; i++) {
    const [a, b] = [faces[i], faces[i - (i % 3) + ((i + 1) % 3)]];
    most = Math.max(most, length(now, a, b) / length(rest, a, b) - 1);
  }
  return most;
}
