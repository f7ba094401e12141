import { invalid } from "../errors";
/**
 * A world at a moment, as plain data. It also contains the data that the next step starts from besides states, such as
 * stresses and contact forces, and the impulses that rigid bodies have been given but have not applied yet. A world in
 * f64 continues from it with the same bits. From a GPU the stresses are read back; contact forces and impulses on the
 * GPU begin anew.
 */
import type { BackendName } from "./backend/backend";
import type { BodyState } from "../solvers/deformable";
import type { SharedMemory, Systems } from "./backend/systems";
import type { DeformableBody } from "./body";
import type { BodyMemory } from "./body-options";
import type { Collider, ColliderPlace } from "./collider";
import type { Mechanism, MechanismMemory } from "./mechanism/mechanism";
import type { ObstacleMemory, RigidObstacles } from "./rigid/contact/obstacles";
import type { RigidWorld } from "./rigid/rigid-world";
import type { RigidSnapshot } from "./rigid/snapshot";
import { checkedState } from "./written-state";

/** A deformable body at a moment. */
export interface BodySnapshot extends BodyState {
  readonly id: number;
  /** @internal the data that its solver starts the next step from besides the state */
  readonly memory?: BodyMemory | undefined;
}

/**
 * Everything that a world needs to continue from a moment. Consists of plain arrays and objects, so it can be stored
 * and sent, see `packSnapshot`.
 */
export interface Snapshot {
  readonly time: number;
  readonly frame: number;
  /** @internal length of the longest step of late [s], see `World.step` */
  readonly recent?: number;
  readonly bodies: readonly BodySnapshot[];
  /** rigid bodies and joints; absent from an automatic snapshot of bodies on the GPU, as is `colliders` */
  readonly rigid?: RigidSnapshot | undefined;
  readonly colliders?: readonly ColliderPlace[] | undefined;
  /** in the order in which they were added */
  readonly mechanisms?: readonly MechanismMemory[] | undefined;
  /** @internal data that bodies share and start the next step from; only of bodies on the CPU, as `obstacles` */
  readonly shared?: SharedMemory | undefined;
  /** @internal the data that obstacles made of rigid bodies start the next step from */
  readonly obstacles?: readonly ObstacleMemory[] | undefined;
}

/** The parts of a world that a snapshot contains, see `World`. */
interface Kept {
  readonly backend: BackendName;
  readonly rigid: RigidWorld;
  readonly systems: Systems;
  readonly bodies: readonly DeformableBody[];
  readonly colliders: readonly Collider[];
  readonly mechanisms: readonly Mechanism[];
  readonly rigidObstacles: RigidObstacles;
}

/**
 * Takes a snapshot of the moment of the call.
 *
 * @param isSettled whether what rigid bodies were given is known: with impulses under way, obstacles would get them twice or never
 */
export async function takeSnapshot(world: Kept, time: number, frame: number, isSettled: boolean): Promise<Snapshot> {
  // Bodies on the CPU of a world on a GPU go on from what they share, too.
  const isOnCpu = world.backend !== "webgpu" || world.bodies.some((body) => body.isOnCpu);
  const shared = isOnCpu ? world.systems.save() : undefined;
  const obstacles = isSettled ? world.rigidObstacles.save() : undefined;
  const rigid = world.rigid.snapshot();
  const colliders = world.colliders.flatMap((collider) => collider._save() ?? []);
  const mechanisms = world.mechanisms.map((mechanism) => mechanism.save());
  const bodies = await Promise.all(
    world.bodies.map(async (body) => {
      const [state, memory] = await Promise.all([body.readState(), body.saveMemory()]);
      return { id: body.id, ...state, memory };
    }),
  );
  return { time, frame, bodies, rigid, colliders, mechanisms, shared, obstacles };
}

/**
 * Restores the objects that the snapshot contains.
 *
 * @param begin is called when no error is possible any more
 * @throws PliantError for a state that does not fit its body; nothing is changed then
 */
export function restoreSnapshot(world: Kept, snapshot: Snapshot, begin: () => void): void {
  if (!Array.isArray(snapshot?.bodies)) throw invalid("snapshot", snapshot, "must be one that world.snapshot made");
  const known = new Map(snapshot.bodies.map((body) => [body.id, body]));
  const pairs = world.bodies.flatMap((body) => {
    const own = known.get(body.id);
    return own ? [[body, own] as const] : [];
  });
  for (const [body, own] of pairs) checkedState(`body "${body.name}"`, body.model, own);
  const { mechanisms } = snapshot;
  if (mechanisms) world.mechanisms.forEach((mechanism, k) => mechanism.check(mechanisms[k]));
  world.systems.sleepers?.clear();
  if (snapshot.rigid) world.rigid.restore(snapshot.rigid);
  begin();
  if (mechanisms) world.mechanisms.forEach((mechanism, k) => mechanism.load(mechanisms[k]));
  const places = new Map(snapshot.colliders?.map((place) => [place.id, place]));
  for (const collider of world.colliders) if (collider.id !== undefined) collider._load(places.get(collider.id));
  for (const [body, own] of pairs) body.writeState(own);
  // A world that has not stepped yet has no obstacles.
  if (snapshot.obstacles?.length) world.rigidObstacles.meet(world.rigid.bodies);
  world.rigidObstacles.place();
  for (const [body, { memory }] of pairs) if (memory) body.loadMemory(memory);
  world.systems.load({ lanes: [], ...snapshot.shared });
  if (snapshot.obstacles) world.rigidObstacles.load(snapshot.obstacles);
}
