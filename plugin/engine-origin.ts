import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Logger } from "@babylonjs/core/Misc/logger";
import type { RigidBody } from "../src/world/rigid/rigid-body";
import { transformPoints } from "./mesh-transform";
import { statesOf } from "./rigid/bodies";
import { worldMatrixOf } from "./rigid/node-pose";
import type { EngineHost } from "./rigid/rigid-state";

/** From here on single precision is worse than a tenth of a millimetre [m]. */
const FAR = 1000;
/** From here on it is worse than a millimetre, which shows [m]. */
const COARSE = 10_000;

/** An owner of colliders or bodies in the engine's world, who moves them along when its origin moves. */
export interface PlacesOfOwn {
  readonly colliderCount?: number;
  readonly bodyCount?: number;
  rigidBodyOf?(body: PhysicsBody, instance?: number): RigidBody | undefined;
  _originMoved(): void;
}

/** What has places in the engine's world. */
interface Placed extends EngineHost {
  readonly bodies: Iterable<PhysicsBody>;
  /** whatever else has such of its own there */
  readonly others: readonly PlacesOfOwn[];
}

/** Where a mesh is: its first vertex, in the scene; undefined for one that has none. */
export function placeOf(mesh: AbstractMesh): Vector3 | undefined {
  const positions = mesh.getVerticesData(VertexBuffer.PositionKind);
  if (!positions || positions.length < 3) return undefined;
  return Vector3.FromArray(transformPoints([positions[0], positions[1], positions[2]], worldMatrixOf(mesh)));
}

/**
 * A GPU simulates in single precision, and vertices are drawn in that: 100 km from the origin their places are 8 mm apart. So the first
 * deformable body that comes into being far away takes the engine's origin there, and what was there before along.
 *
 * @param place in the scene
 */
export function settleOrigin({ world, frame, bodies, others }: Placed, place: Vector3): void {
  const away = frame.length(Vector3.Distance(place, frame.origin));
  if (!(away > FAR && Number.isFinite(away))) return;
  const states = [...bodies].flatMap((body) => [...statesOf(body)]);
  const colliders = others.reduce((sum, { colliderCount = 0 }) => sum + colliderCount, 0);
  const led = others.reduce((sum, { bodyCount = 0 }) => sum + bodyCount, 0);
  // What somebody put into the engine's world by himself stays where it is.
  const isOurs =
    world.bodies.length === 0 &&
    world.colliders.length === world.rigidObstacles.colliderCount + colliders &&
    world.rigid.bodies.length === states.filter(({ engine }) => engine.solverBody).length + led;
  if (!isOurs) {
    if (away > COARSE && world.backend === "webgpu")
      Logger.Warn(
        `Pliant: what is ${Math.round(away / 1000)} km away from the first deformable body, or from the origin, is simulated in steps of ` +
          `${(away * 1.2e-4).toFixed(1)} mm on a GPU. Use backend: "cpu", or another scene for it.`,
      );
    return;
  }
  // whole units: nothing is rounded where places are
  frame.origin.set(Math.round(place.x), Math.round(place.y), Math.round(place.z));
  for (const state of states) {
    state.engine.originMoved();
  }
  for (const other of others) other._originMoved();
}

/** Gravity of the Earth, m/s². */
const EARTH = 9.81;

/** Whether a gravity is that of the Earth in units of which so many are a metre. */
const isEarths = (gravity: number, unitsPerMetre: number): boolean =>
  Math.abs(gravity / (EARTH * unitsPerMetre) - 1) < 0.05;

/** Tells in the console where a scene's gravity says that its unit is another than the plugin has been told. */
export function hintAtScale(gravity: number, unitsPerMetre: number): void {
  const other = [1, 100, 1000].find((units) => units !== unitsPerMetre && isEarths(gravity, units));
  if (other === undefined || isEarths(gravity, unitsPerMetre)) return;
  Logger.Warn(
    `Pliant: a gravity of ${gravity.toPrecision(3)} is that of the Earth where ${other} units are a metre, and worldScale is ` +
      `${unitsPerMetre}. If that is so, pass worldScale: ${other} to PliantPlugin.CreateAsync; lengths such as the thickness of cloth, and ` +
      `with them how things fall and rest, follow it.`,
  );
}
