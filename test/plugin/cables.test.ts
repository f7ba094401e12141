import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, describe, expect, it } from "vitest";
import { CableAggregate, DeformableScene, type SceneCableOptions, SoftBodyAggregate } from "../../plugin/index";
import { havokScene, type PluginScene } from "./both-plugins";
import { expectRefusal, testScene, type TestScene } from "./fixtures";

let t: TestScene | PluginScene | undefined;
afterEach(() => t?.dispose());

const SIDE = 0.2;

/** A soft cube of 1 kg whose upper vertices are held; its own unit is `unit` of the scene. */
async function hangingCube(
  on: TestScene | PluginScene,
  unit = 1,
): Promise<{ soft: SoftBodyAggregate; vertex: number }> {
  const cube = CreateBox("cube", { size: SIDE * unit }, on.scene);
  cube.position.y = unit;
  const material = { youngsModulus: 1e6, density: 1 / SIDE ** 3, resolution: 2 };
  const soft = new SoftBodyAggregate(cube, { solver: "local-global", ...material }, on.scene);
  await soft.pinWhere(({ y }) => y > 1.09 * unit);
  const p = soft.body.model.positions;
  const far = (i: number): number => Math.hypot(p[3 * i], p[3 * i + 1] - 0.9, p[3 * i + 2]);
  const vertex = [...soft.body.model.masses.keys()].reduce((best, i) => (far(i) < far(best) ? i : best));
  return { soft, vertex };
}

function crate(on: TestScene | PluginScene, mass: number, y: number, unit = 1): PhysicsAggregate {
  const mesh = CreateBox("crate", { size: 0.1 * unit }, on.scene);
  mesh.position.y = y * unit;
  return new PhysicsAggregate(mesh, PhysicsShapeType.BOX, { mass }, on.scene);
}

describe("a cable in a scene", () => {
  it.each([1, 100])("hangs a body of Babylon on a soft one, in a scene of %d units a metre", async (unit) => {
    const on = (t = await testScene({ worldScale: unit }, new Vector3(0, -10 * unit, 0)));
    const { soft, vertex } = await hangingCube(on, unit);
    const { body, transformNode } = crate(on, 2, 0.4, unit);
    body.setAngularDamping(5);
    const cable = new CableAggregate(
      {
        points: [
          { body: soft.body, vertex },
          { body, pivot: new Vector3(0.02 * unit, 0.05 * unit, 0) },
        ],
      },
      on.scene,
    );
    expect(cable.length).toBeUndefined();
    on.run(1);
    const length = cable.length!;
    expect(length / unit).toBeCloseTo(Math.hypot(0.02, 0.45), 3);
    on.run(150);
    expect(cable.tension / 20).toBeCloseTo(1, 2);
    // it hangs below the pivot
    const top = await soft.body.readPositions();
    expect(transformNode.position.x / unit).toBeCloseTo(top[3 * vertex], 2);
    const pivot = new Vector3(0.02, 0.05, 0).scale(unit).applyRotationQuaternion(transformNode.rotationQuaternion!);
    pivot.addInPlace(transformNode.position);
    const from = Vector3.FromArray(top, 3 * vertex).scaleInPlace(unit);
    expect(Vector3.Distance(from, pivot) / length).toBeCloseTo(1, 4);
    cable.length = 0.5 * length;
    on.run(60);
    expect(transformNode.position.y / unit).toBeGreaterThan(0.55);
    cable.dispose();
    cable.dispose();
    on.run(30);
    expect(transformNode.position.y / unit).toBeLessThan(-0.2);
  });

  it("runs over a body that is led, and a place", async () => {
    const on = (t = await testScene());
    const { soft, vertex } = await hangingCube(on);
    const beam = crate(on, 0, 2);
    beam.body.setMotionType(PhysicsMotionType.ANIMATED);
    const { body, transformNode } = crate(on, 1, 0.5);
    transformNode.position.x = 0.5;
    new CableAggregate(
      {
        points: [{ body: soft.body, vertex }, { body: beam.body }, new Vector3(0.5, 2, 0), { body }],
      },
      on.scene,
    );
    on.run(30);
    const height = transformNode.position.y;
    for (let step = 0; step < 60; step++) {
      beam.transformNode.position.y += 0.005;
      on.run(1);
    }
    expect(transformNode.position.y - height).toBeGreaterThan(0.25);
  });

  it("holds a body again that was left out, and ends with one that is disposed of", async () => {
    const on = (t = await testScene());
    const { soft, vertex } = await hangingCube(on);
    const { body, transformNode } = crate(on, 1, 0.4);
    const cable = new CableAggregate({ points: [{ body: soft.body, vertex }, { body }] }, on.scene);
    on.run(60);
    const { length } = cable;
    const made = on.plugin.rigidBodyOf(body);
    expect(made.isDisposed).toBe(false);
    transformNode.position.x = NaN;
    body.disablePreStep = false;
    on.run(2);
    expect(made.isDisposed).toBe(true);
    transformNode.position.set(0, 0.4, 0);
    body.setLinearVelocity(Vector3.Zero());
    on.run(90);
    expect(on.plugin.rigidBodyOf(body)).not.toBe(made);
    expect(cable.length).toBe(length);
    expect(cable.tension / 10).toBeCloseTo(1, 1);
    body.dispose();
    on.run(2);
    expect(cable.tension).toBe(0);
  });

  it("hangs a body of Havok on a soft one", async () => {
    const on = (t = await havokScene());
    await DeformableScene.CreateAsync(on.scene, { rigid: on.plugin, backend: "cpu" });
    const { soft, vertex } = await hangingCube(on);
    const { body, transformNode } = crate(on, 2, 0.4);
    body.setAngularDamping(5);
    body.setLinearDamping(1);
    const cable = new CableAggregate(
      {
        points: [
          { body: soft.body, vertex },
          { body, pivot: new Vector3(0, 0.05, 0) },
        ],
      },
      on.scene,
    );
    on.run(1);
    const length = cable.length!;
    let sum = 0;
    on.run(240);
    for (let step = 0; step < 60; step++) {
      on.run(1);
      sum += cable.tension;
    }
    expect(sum / 60 / 20).toBeCloseTo(1, 1);
    const top = await soft.body.readPositions();
    expect(Math.abs(top[3 * vertex + 1] - transformNode.position.y - 0.05 - length)).toBeLessThan(0.01);
  });

  it("is refused where it cannot be", async () => {
    const on = (t = await testScene());
    const { plugin } = on;
    const { soft, vertex } = await hangingCube(on);
    const end = { body: soft.body, vertex };
    const { body } = crate(on, 1, 0.4);
    const refused = (call: SceneCableOptions, ...parts: string[]): void =>
      expectRefusal(() => new CableAggregate(call, on.scene), parts[0] as "non-finite", ...parts.slice(1));
    refused({ points: [end] }, "invalid-argument", "two or more");
    refused({ points: [end, { body, pivot: new Vector3(NaN, 0, 0) }] }, "non-finite", "pivot");
    refused({ points: [end, new Vector3(0, Infinity, 0)] }, "non-finite", "points[1]");
    refused({ points: [end, { body }], length: 0 }, "invalid-argument", "cable.length", "positive");
    refused({ points: [end, { body, instance: 2 }] }, "index-out-of-range", "crate", "2");
    refused({ points: [end, { body }], lenght: 1 } as never, "invalid-argument", "lenght", "length");
    refused({ points: [{ body }, new Vector3(0, 1, 0)] }, "invalid-argument", "on a body");
    body.dispose();
    refused({ points: [end, { body }] }, "disposed", "crate");
    expectRefusal(() => plugin.rigidBodyOf(body), "disposed", "crate");
  });
});
