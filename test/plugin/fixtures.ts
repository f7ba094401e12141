import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { PhysicsEngine } from "@babylonjs/core/Physics/v2/physicsEngine";
import type { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { PhysicsShape } from "@babylonjs/core/Physics/v2/physicsShape";
import { Scene } from "@babylonjs/core/scene";
import { PliantError, PliantPlugin, type PliantErrorCode, type PliantPluginOptions } from "../../plugin/index";
import { expect } from "vitest";

/** A scene without a canvas, physics on the CPU. */
export interface TestScene {
  readonly scene: Scene;
  readonly plugin: PliantPlugin;
  readonly physics: PhysicsEngine;
  /** Runs frames of 1/60 s. */
  run(frames: number): void;
  dispose(): void;
}

export async function testScene(
  options: PliantPluginOptions = {},
  gravity = new Vector3(0, -10, 0),
): Promise<TestScene> {
  const engine = new NullEngine();
  // makes an engine that draws nothing claim instancing: otherwise there are no thin instances
  engine.getCaps().instancedArrays = true;
  const scene = new Scene(engine);
  new FreeCamera("camera", new Vector3(0, 1, -5), scene);
  const plugin = await PliantPlugin.CreateAsync(engine, { backend: "cpu", ...options });
  scene.enablePhysics(gravity, plugin);
  const physics = scene.getPhysicsEngine() as PhysicsEngine;
  return {
    scene,
    plugin,
    physics,
    run: (frames) => {
      for (let i = 0; i < frames; i++) physics._step(1 / 60);
    },
    dispose: () => engine.dispose(),
  };
}

/** A body on a node of its own. */
export function makeBody(
  scene: Scene,
  motionType: PhysicsMotionType,
  shape?: PhysicsShape,
  position = Vector3.Zero(),
  rotation = Quaternion.Identity(),
): PhysicsBody {
  const node = new TransformNode("node", scene);
  node.position.copyFrom(position);
  node.rotationQuaternion = rotation.clone();
  const body = new PhysicsBody(node, motionType, false, scene);
  if (shape) body.shape = shape;
  return body;
}

/** A square sheet in the plane of x and z. */
export function makeSheet(scene: Scene, size = 1, subdivisions = 8, height = 1): Mesh {
  const mesh = CreateGround("sheet", { width: size, height: size, subdivisions, updatable: true }, scene);
  mesh.position.y = height;
  return mesh;
}

/** The `PliantError` with which a call is refused. */
export function refusal(call: () => unknown): PliantError {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(PliantError);
    return error as PliantError;
  }
  throw new Error("the call was not refused");
}

export function expectRefusal(call: () => unknown, code: PliantErrorCode, ...parts: string[]): void {
  const error = refusal(call);
  expect(error.code).toBe(code);
  for (const part of parts) expect(error.message).toContain(part);
}

/** A vertex of flat positions. */
export const vertexAt = (positions: ArrayLike<number>, i: number): Vector3 =>
  new Vector3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);

export function mean(positions: Float32Array): Vector3 {
  const sum = Vector3.Zero();
  for (let i = 0; i < positions.length / 3; i++) sum.addInPlace(vertexAt(positions, i));
  return sum.scaleInPlace(3 / positions.length);
}
