import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PhysicsMotionType, PhysicsPrestepType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { Scene } from "@babylonjs/core/scene";
import { afterEach, describe, expect, it } from "vitest";
import { ClothAggregate, PliantPlugin } from "../../plugin/index";
import { StepClock } from "../../plugin/stepping";
import { expectRefusal, makeBody, makeSheet, testScene, type TestScene } from "./fixtures";

let t: TestScene;
afterEach(() => t?.dispose());

describe("PliantPlugin", () => {
  it("enables physics by its import alone", async () => {
    const scene = new Scene(new NullEngine());
    const plugin = await PliantPlugin.CreateAsync(scene.getEngine(), { backend: "cpu" });
    expect(scene.enablePhysics(new Vector3(0, -1.62, 0), plugin)).toBe(true);
    expect(scene.isPhysicsEnabled()).toBe(true);
    expect(scene.getPhysicsEngine()?.getPhysicsPluginName()).toBe("PliantPlugin");
    expect(scene.getPhysicsEngine()?.getPluginVersion()).toBe(2);
    expect(plugin.world.gravity).toEqual([0, -1.62, 0]);
    scene.getEngine().dispose();
  });

  it("falls back to the CPU where there is no GPU, and refuses webgpu there", async () => {
    const engine = new NullEngine();
    const plugin = await PliantPlugin.CreateAsync(engine);
    expect(plugin.world.backend).toBe("cpu");
    expect(plugin.drawsFromGpu).toBe(false);
    plugin.dispose();
    await expect(PliantPlugin.CreateAsync(engine, { backend: "webgpu" })).rejects.toMatchObject({ code: "no-adapter" });
    await expect(PliantPlugin.CreateAsync(engine, { maxStepsPerFrame: 0 })).rejects.toMatchObject({
      code: "invalid-argument",
    });
    engine.dispose();
  });

  it("steps when the scene is drawn", async () => {
    t = await testScene();
    const cloth = new ClothAggregate(makeSheet(t.scene), {}, t.scene);
    for (let i = 0; i < 40 && t.plugin.world.frame === 0; i++) t.scene.render();
    expect(t.plugin.world.frame).toBeGreaterThan(0);
    expect((await cloth.readPositions())[1]).toBeLessThan(1);
  });

  it("honours time step, gravity and velocity limits", async () => {
    t = await testScene();
    const lengths: number[] = [];
    t.plugin.onBeforeStepObservable.add((dt) => lengths.push(dt));
    t.physics.setTimeStep(1 / 120);
    expect(t.physics.getTimeStep()).toBe(1 / 120);
    t.run(2);
    expect(lengths).toEqual([1 / 120, 1 / 120, 1 / 120, 1 / 120]);
    expect(t.plugin.world.time).toBeCloseTo(2 / 60, 12);
    t.physics.setGravity(new Vector3(1, 2, 3));
    expect(t.plugin.world.gravity).toEqual([1, 2, 3]);
    t.physics.setVelocityLimits(7, 8);
    expect([t.physics.getMaxLinearVelocity(), t.physics.getMaxAngularVelocity()]).toEqual([7, 8]);
    expectRefusal(() => t.physics.setTimeStep(-0.1), "invalid-argument", "setTimeStep");
    expectRefusal(() => t.physics.setGravity(new Vector3(NaN, 0, 0)), "non-finite", "setGravity");
    expect(t.plugin.world.gravity).toEqual([1, 2, 3]);
  });

  it.each([false, true])(
    "stops at a time step of zero and goes on where it was, by the frame time: %s",
    async (delta) => {
      t = await testScene({ useDeltaForWorldStep: delta });
      const ball = makeBody(t.scene, PhysicsMotionType.DYNAMIC);
      const carried = makeBody(t.scene, PhysicsMotionType.ANIMATED);
      const aimed = makeBody(t.scene, PhysicsMotionType.DYNAMIC);
      aimed.setPrestepType(PhysicsPrestepType.ACTION);
      aimed.setGravityFactor(0);
      for (const body of [ball, carried, aimed]) body.setMassProperties({ mass: 1 });
      const height = (): number => ball.transformNode.position.y;
      t.run(10);
      const [before, velocity] = [height(), ball.getLinearVelocity().y];
      t.physics.setTimeStep(0);
      for (let i = 1; i <= 10; i++) {
        carried.transformNode.position.x = i / 10;
        aimed.transformNode.position.x = i / 10;
        t.run(1);
      }
      expect(t.physics.getTimeStep()).toBe(0);
      expect([height(), ball.getLinearVelocity().y]).toEqual([before, velocity]);
      t.physics.setTimeStep(1 / 60);
      t.run(1);
      // one step, none for the pause
      expect(height() - before).toBeCloseTo((velocity - 5 / 60) / 60, 6);
      // to the present places of the nodes, at the speed for that
      expect(carried.getLinearVelocity().x).toBeCloseTo(60, 6);
      expect(aimed.transformNode.position.x).toBeCloseTo(1, 6);
      t.run(1);
      expect(carried.transformNode.position.x).toBe(1);
      expect(carried.getLinearVelocity().x).toBe(0);
    },
  );

  it("takes its steps from the frame time where asked to", async () => {
    t = await testScene({ useDeltaForWorldStep: true });
    const lengths: number[] = [];
    t.plugin.onAfterStepObservable.add((dt) => lengths.push(dt));
    t.physics._step(0.013);
    t.physics._step(0.021);
    expect(lengths).toEqual([0.013, 0.021]);
  });

  it("frees everything when physics is disabled", async () => {
    t = await testScene();
    const cloth = new ClothAggregate(makeSheet(t.scene), {}, t.scene);
    t.scene.disablePhysicsEngine();
    expect(cloth.isDisposed).toBe(true);
    expect(t.plugin.world.bodies).toHaveLength(0);
    expectRefusal(() => cloth.setWind(Vector3.Zero()), "disposed", "sheet");
    t.plugin.dispose();
    t.plugin.executeStep(1 / 60, []);
  });
});

describe("StepClock", () => {
  it("gives one step a frame at 60 Hz, however the frame time wanders", () => {
    const clock = new StepClock(false, 4);
    let total = 0;
    for (let i = 0; i < 600; i++) {
      // a late frame is followed by an early one, as on a display
      const { count } = clock.advance(1 / 60 + 0.003 * Math.sin(i));
      expect(count).toBe(1);
      total += count;
    }
    expect(total).toBe(600);
  });

  it("keeps pace with any display", () => {
    for (const rate of [10, 12, 15, 24, 30, 90, 144, 240]) {
      const clock = new StepClock(false, Infinity);
      let total = 0;
      for (let i = 0; i < 10 * rate; i++) total += clock.advance(1 / rate).count;
      expect(Math.abs(total - 600)).toBeLessThanOrEqual(1);
    }
  });

  it("slows down instead of falling behind for good", () => {
    const clock = new StepClock(false, 3);
    expect(clock.advance(1).count).toBe(3);
    expect(clock.advance(1 / 60).count).toBe(1);
    expect(new StepClock(false, Infinity).advance(1).count).toBe(6);
  });
});
