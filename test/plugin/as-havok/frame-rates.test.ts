import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { describe, expect, it, vi } from "vitest";
import { ClothAggregate, PliantPlugin } from "../../../plugin/index";
import { makeSheet, testScene } from "../fixtures";
import { havokScene, pliantScene, type PluginScene } from "../both-plugins";

/** Draws frames of this duration [s]. */
function draw({ scene }: Pick<PluginScene, "scene">, frameTime: number, frames: number): void {
  const time = vi.spyOn(scene.getEngine(), "getDeltaTime").mockReturnValue(1000 * frameTime);
  for (let i = 0; i < frames; i++) scene.render();
  time.mockRestore();
}

interface Seen {
  /** travel of a ball at 1 m/s without gravity: the simulated time */
  readonly time: number;
  /** height of a ball that fell on a ground */
  readonly height: number;
}

/** Two seconds of wall-clock time, as the plugin's scene plays them. */
function twoSeconds(t: PluginScene, rate: number): Seen {
  const ball = (name: string, x: number, y: number): PhysicsAggregate => {
    const mesh = CreateSphere(name, { diameter: 0.5 }, t.scene);
    mesh.position.set(x, y, 0);
    return new PhysicsAggregate(mesh, PhysicsShapeType.SPHERE, { mass: 1 }, t.scene);
  };
  const free = ball("free", 5, 3);
  free.body.setGravityFactor(0);
  free.body.setLinearDamping(0);
  free.body.setLinearVelocity(new Vector3(0, 0, 1));
  const fallen = ball("fallen", 0, 2);
  new PhysicsAggregate(
    CreateGround("ground", { width: 4, height: 4 }, t.scene),
    PhysicsShapeType.BOX,
    { mass: 0 },
    t.scene,
  );
  draw(t, 1 / rate, 2 * rate);
  return { time: free.transformNode.position.z, height: fallen.transformNode.position.y };
}

const step = 1 / 60;

describe.each([5, 10, 15, 30, 144, 240])("%i frames a second", (rate) => {
  it("let as much time pass as with Havok, and what fell lies where it lies there", async () => {
    const [pliant, havok] = [await pliantScene(), await havokScene()];
    const [ours, theirs] = [twoSeconds(pliant, rate), twoSeconds(havok, rate)];
    // half of the wall-clock time at 5 frames a second: Babylon cuts frames at 0.1 s
    expect(theirs.time).toBeCloseTo(2 * Math.min(1, rate / 10), 3);
    expect(Math.abs(ours.time - theirs.time)).toBeLessThan(step);
    expect(Math.abs(ours.height - theirs.height)).toBeLessThan(0.02);
    pliant.dispose();
    havok.dispose();
  });
});

describe("time of a frame", () => {
  it("in sub-steps of the scene is that of Havok", async () => {
    const scenes = [await pliantScene(), await havokScene()];
    const times = scenes.map((t) => {
      t.physics.setSubTimeStep(4);
      return twoSeconds(t, 25).time;
    });
    expect(Math.abs(times[0] - times[1])).toBeLessThan(1e-3);
    for (const t of scenes) t.dispose();
  });

  it("as the length of a step is that of Havok", async () => {
    const scene = await pliantScene();
    scene.dispose();
    const t = await testScene({ useDeltaForWorldStep: true });
    const lengths: number[] = [];
    t.plugin.onBeforeStepObservable.add((dt) => lengths.push(dt));
    for (const rate of [5, 10, 30, 144]) draw(t, 1 / rate, 1);
    expect(lengths.map((dt) => Number(dt.toFixed(9)))).toEqual([0.1, 0.1, 0.033333333, 0.006944444]);
    t.dispose();
  });

  it("moves cloth as far at ten frames a second as at sixty", async () => {
    const fall = async (rate: number): Promise<Float32Array> => {
      const t = await testScene();
      const cloth = new ClothAggregate(makeSheet(t.scene), { pins: [0, 8] }, t.scene);
      draw(t, 1 / rate, rate);
      const positions = await cloth.readPositions();
      t.dispose();
      return positions;
    };
    expect(await fall(10)).toEqual(await fall(60));
  });

  it("is cut where the plugin is given fewer steps: slow motion, and more frames", async () => {
    const t = await testScene({ maxStepsPerFrame: 2 });
    draw(t, 0.1, 10);
    expect(t.plugin.world.time).toBeCloseTo(20 * step, 9);
    t.dispose();
    for (const maxStepsPerFrame of [0, 1.5, NaN])
      await expect(PliantPlugin.CreateAsync(t.scene.getEngine(), { maxStepsPerFrame })).rejects.toThrow(
        "PliantPlugin.maxStepsPerFrame",
      );
  });
});
