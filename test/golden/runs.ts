// Scenes whose last state is pinned bit for bit. They run in Node and in browsers.

import { numberOf, resolveParameters } from "../../samples/parameters";
import type { ParameterValue, SceneDefinition } from "../../samples/scene";
import { cardHouse } from "../../samples/scenes/card-house";
import { dominoes } from "../../samples/scenes/dominoes";
import { joints } from "../../samples/scenes/joints";
import { pile } from "../../samples/scenes/pile";
import { ragdoll } from "../../samples/scenes/ragdoll";
import { heavyStack } from "../../samples/scenes/stacks";
import { tablePile } from "../../samples/scenes/table-pile";
import { tomato } from "../../samples/scenes/tomato";
import { vehicle } from "../../samples/scenes/vehicle";
import { World } from "../../src/index";
import { POSE_SIZE, TWIST_SIZE } from "../../src/solvers/newton/motion/bodies";
import type { RigidWorld } from "../../src/world/rigid/rigid-world";

export interface GoldenRun {
  readonly scene: SceneDefinition;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly frames: number;
}

export const goldenRuns: readonly GoldenRun[] = [
  { scene: pile, parameters: { count: 24 }, frames: 600 },
  { scene: heavyStack, parameters: {}, frames: 120 },
  { scene: cardHouse, parameters: { levels: 2 }, frames: 120 },
  { scene: tablePile, parameters: { count: 5 }, frames: 90 },
  { scene: ragdoll, parameters: {}, frames: 60 },
  { scene: vehicle, parameters: {}, frames: 60 },
  { scene: joints, parameters: {}, frames: 120 },
  { scene: dominoes, parameters: {}, frames: 60 },
  { scene: tomato, parameters: { resolution: 2 }, frames: 45 },
];

/** SHA-256 of poses and velocities of all bodies after a run. */
export async function goldenHash({ scene, parameters, frames }: GoldenRun): Promise<string> {
  const world = await World.create({ backend: "cpu", snapshotInterval: 0 });
  try {
    const values = resolveParameters(scene, parameters);
    const dt = numberOf(values, "frameTime");
    const instance = await scene.build(world, values);
    for (let frame = 1; frame <= frames; frame++) {
      instance.beforeStep?.(world.time, dt);
      world.step(dt);
      await instance.steer?.();
    }
    return await stateHash(world.rigid);
  } finally {
    world.dispose();
  }
}

/**
 * SHA-256 of poses and velocities of all bodies, in the order of their ids, with the bytes of a little-endian machine.
 */
export async function stateHash(rigid: RigidWorld): Promise<string> {
  const { state, count } = rigid.dynamics.bodies;
  const numbers = [...state.pose.subarray(0, POSE_SIZE * count), ...state.velocity.subarray(0, TWIST_SIZE * count)];
  const bytes = new DataView(new ArrayBuffer(8 * numbers.length));
  numbers.forEach((value, k) => bytes.setFloat64(8 * k, value, true));
  const digest = new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", bytes.buffer));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
