/**
 * What bodies go on with from step to step besides their states: stresses and contact forces that the next step starts from, what
 * rigid bodies have been given and not taken over yet. With it a world in f64 goes on from a snapshot with the same bits. Of what is on a
 * GPU the stresses are read back; contact forces and impulses there begin anew.
 */
import type { BodyState } from "../solvers/deformable";
import type { DeformableBody } from "./body";
import type { BodyMemory } from "./body-options";
import type { ObstacleMemory, RigidObstacles } from "./rigid/contact/obstacles";
import type { RigidWorld } from "./rigid/rigid-world";
import type { RigidSnapshot } from "./rigid/snapshot";
import { loadShared, saveShared } from "./backend/solvers";

/** Everything that a world needs to go on from a moment. */
export interface Snapshot {
  readonly time: number;
  readonly frame: number;
  readonly states: ReadonlyMap<DeformableBody, BodyState>;
  /** rigid bodies and joints, unless it is an automatic snapshot of bodies on the GPU */
  readonly rigid?: RigidSnapshot;
  /** @internal what solvers go on with besides */
  readonly memory?: WorldMemory;
}

export interface WorldMemory {
  readonly bodies: ReadonlyMap<DeformableBody, BodyMemory>;
  /** of all bodies of a solver together, by its name; of a world in f64 */
  readonly shared?: ReadonlyMap<string, unknown>;
  /** by the ids of the rigid bodies; of a world in f64 */
  readonly obstacles?: ReadonlyMap<number, ObstacleMemory>;
}

/** What of a world has such memory. */
export interface Remembering {
  readonly backend: "cpu" | "webgpu";
  readonly rigid: RigidWorld;
  readonly bodies: readonly DeformableBody[];
  readonly obstacles: RigidObstacles;
}

/** As all is when it is called. */
export async function saveMemory(world: Remembering): Promise<WorldMemory> {
  const shared = world.backend === "cpu" && {
    shared: saveShared(world),
    obstacles: world.obstacles.save(),
  };
  const bodies = world.bodies.map(async (body) => [body, await body.saveMemory()] as const);
  return { ...shared, bodies: new Map(await Promise.all(bodies)) };
}

/** After the states of all bodies were put back. */
export function loadMemory(world: Remembering, memory: WorldMemory): void {
  for (const [body, own] of memory.bodies) if (!body.isDisposed) body.loadMemory(own);
  if (memory.shared) loadShared(world, memory.shared);
  if (memory.obstacles) world.obstacles.load(memory.obstacles);
}
