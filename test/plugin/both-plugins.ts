import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { IPhysicsEnginePluginV2 } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsEngine } from "@babylonjs/core/Physics/v2/physicsEngine";
import { HavokPlugin } from "@babylonjs/core/Physics/v2/Plugins/havokPlugin";
import { Scene } from "@babylonjs/core/scene";
import HavokPhysics from "@babylonjs/havok";
import { expect } from "vitest";
import { PliantPlugin } from "../../plugin/index";

/** A scene that one of the two plugins moves. */
export interface PluginScene {
  readonly scene: Scene;
  readonly plugin: IPhysicsEnginePluginV2;
  readonly physics: PhysicsEngine;
  /** Runs frames of 1/60 s. */
  run(frames: number): void;
  dispose(): void;
}

const wasm = createRequire(import.meta.url)
  .resolve("@babylonjs/havok")
  .replace(/lib\/.*$/, "lib/esm/HavokPhysics.wasm");

/** Havok in a scene without a canvas. */
export async function havokPlugin(): Promise<HavokPlugin> {
  return new HavokPlugin(true, await HavokPhysics({ wasmBinary: Uint8Array.from(readFileSync(wasm)).buffer }));
}

async function makeScene(plugin: (engine: NullEngine) => Promise<IPhysicsEnginePluginV2>): Promise<PluginScene> {
  const engine = new NullEngine();
  // makes an engine that draws nothing claim instancing: otherwise there are no thin instances
  engine.getCaps().instancedArrays = true;
  const scene = new Scene(engine);
  new FreeCamera("camera", new Vector3(0, 1, -5), scene);
  const made = await plugin(engine);
  scene.enablePhysics(new Vector3(0, -10, 0), made);
  const physics = scene.getPhysicsEngine() as PhysicsEngine;
  return {
    scene,
    plugin: made,
    physics,
    run: (frames) => {
      for (let i = 0; i < frames; i++) physics._step(1 / 60);
    },
    dispose: () => engine.dispose(),
  };
}

/** A scene of Pliant, on the CPU. */
export const pliantScene = (): Promise<PluginScene> =>
  makeScene((engine) => PliantPlugin.CreateAsync(engine, { backend: "cpu" }));

/** A scene of Havok. */
export const havokScene = (): Promise<PluginScene> => makeScene(havokPlugin);

/** Runs the same code in a scene of each plugin and returns both results. */
export async function onBoth<T>(act: (t: PluginScene) => T): Promise<{ pliant: T; havok: T }> {
  const ours = await pliantScene();
  const theirs = await havokScene();
  try {
    return { pliant: act(ours), havok: act(theirs) };
  } finally {
    ours.dispose();
    theirs.dispose();
  }
}

/** Runs code on both plugins and compares all returned numbers. */
export async function expectSame(act: (t: PluginScene) => number[], tolerance: number): Promise<void> {
  const { pliant, havok } = await onBoth(act);
  expect(pliant).toHaveLength(havok.length);
  pliant.forEach((value, i) =>
    expect(Math.abs(value - havok[i]), `number ${i}: ${value}, ${havok[i]}`).toBeLessThanOrEqual(tolerance),
  );
}
