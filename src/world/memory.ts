/**
 * What bodies go on with from step to step besides their states: stresses and contact forces that the next step starts from, what
 * rigid bodies have been given and not taken over yet. With it a world in f64 goes on from a snapshot with the same bits.
 */
import type { GroupMemory } from "../solvers/local-global/group";
import type { BodyMemory, DeformableBody } from "./body";
import type { ObstacleMemory, RigidObstacles } from "./rigid/obstacles";
import type { RigidWorld } from "./rigid/rigid-world";
import { localGlobalGroup } from "./solvers";

export interface WorldMemory {
  readonly bodies: ReadonlyMap<DeformableBody, BodyMemory>;
  readonly group: GroupMemory;
  /** by the ids of the rigid bodies */
  readonly obstacles: ReadonlyMap<number, ObstacleMemory>;
}

/** What of a world has such memory. */
export interface Remembering {
  readonly rigid: RigidWorld;
  readonly bodies: readonly DeformableBody[];
  readonly obstacles: RigidObstacles;
}

export function saveMemory(world: Remembering): WorldMemory {
  return {
    bodies: new Map(world.bodies.map((body) => [body, body.saveMemory()])),
    group: localGlobalGroup(world).save(),
    obstacles: world.obstacles.save(),
  };
}

/** After the states of all bodies were put back. */
export function loadMemory(world: Remembering, memory: WorldMemory): void {
  for (const [body, own] of memory.bodies) if (!body.isDisposed) body.loadMemory(own);
  localGlobalGroup(world).load(memory.group);
  world.obstacles.load(memory.obstacles);
}
