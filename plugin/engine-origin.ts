import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Logger } from "@babylonjs/core/Misc/logger";
import type { RigidBody } from "../src/world/rigid/rigid-body";
import { transformPoints } from "./geometry/mesh-transform";
import { statesOf } from "./rigid/bodies";
import { worldMatrixOf } from "./rigid/node-pose";
import type { EngineHost } from "./rigid/rigid-state";

/** Distance from the origin above which single precision is worse than a tenth of a millimeter [m]. */
const FAR = 1000;
/** Distance above which it is worse than a millimeter, which is visible [m]. */
const COARSE = 10_000;

/** An owner of colliders or bodies in the engine's world that moves them along with the origin of the world. */
export interface PlacesOfOwn {
  readonly colliderCount?: number;
  readonly bodyCount?: number;
  rigidBodyOf?(body: PhysicsBody, instance?: number): RigidBody | undefined;
  _originMoved(): void;
}

/** The objects with places in the engine's world. */
interface Placed extends EngineHost {
  readonly bodies: Iterable<PhysicsBody>;
  /** other owners of such objects */
  readonly others: readonly PlacesOfOwn[];
}

/** The place of a mesh in the scene, which is its first vertex; undefined for a mesh without vertices. */
export function placeOf(mesh: AbstractMesh): Vector3 | undefined {
  const positions = mesh.getVerticesData(VertexBuffer.PositionKind);
  if (!positions || positions.length < 3) return undefined;
  return Vector3.FromArray(transformPoints([positions[0], positions[1], positions[2]], worldMatrixOf(mesh)));
}

/**
 * Moves the origin of the engine's world to the first deformable body, if this is far away, together with the bodies
 * that exist already. A GPU simulates in single precision, and vertices are drawn in single precision: at 100 km from
 * the origin neighboring values are 8 mm apart.
 *
 * @param place in the scene
 */
export function settleOrigin({ world, frame, bodies, others }: Placed, place: Vector3): void {
  const away = frame.length(Vector3.Distance(place, frame.origin));
  if (!(away > FAR && Number.isFinite(away))) return;
  const states = [...bodies].flatMap((body) => [...statesOf(body)]);
  const colliders = others.reduce((sum, { colliderCount = 0 }) => sum + colliderCount, 0);
  const led = others.reduce((sum, { bodyCount = 0 }) => sum + bodyCount, 0);
  // Bodies that the user put into the engine's world directly stay where they are.
  const isOurs =
    world.bodies.length === 0 &&
    world.colliders.length === world.rigidObstacles.colliderCount + colliders &&
    world.rigid.bodies.length === states.filter(({ engine }) => engine.solverBody).length + led;
  if (!isOurs) {
    if (away > COARSE && world.backend === "webgpu")
      Logger.Warn(
        `Pliant: a body ${Math.round(away / 1000)} km from the first or the origin moves in steps of ` +
          `${(away * 1.2e-4).toFixed(1)} mm on a GPU. Use backend: "cpu", or another scene.`,
      );
    return;
  }
  // whole units, so that places are not rounded
  frame.origin.set(Math.round(place.x), Math.round(place.y), Math.round(place.z));
  for (const state of states) state.engine.originMoved();
  for (const other of others) other._originMoved();
}

/** Gravity of the Earth, m/s². */
const EARTH = 9.81;

/** Whether a gravity is that of the Earth, given the number of units in a meter. */
const isEarths = (gravity: number, unitsPerMetre: number): boolean =>
  Math.abs(gravity / (EARTH * unitsPerMetre) - 1) < 0.05;

/** Warns on the console if a scene's gravity suggests another unit than `worldScale` does. */
export function hintAtScale(gravity: number, unitsPerMetre: number): void {
  const other = [1, 100, 1000].find((units) => units !== unitsPerMetre && isEarths(gravity, units));
  if (other === undefined || isEarths(gravity, unitsPerMetre)) return;
  Logger.Warn(
    `Pliant: a gravity of ${gravity.toPrecision(3)} is that of the Earth where ${other} units are a meter. If they are, pass ` +
      `worldScale: ${other} (${unitsPerMetre} here) to PliantPlugin.CreateAsync.`,
  );
}
