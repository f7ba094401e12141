import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { IPhysicsPointProximityQuery } from "@babylonjs/core/Physics/physicsPointProximityQuery";
import type { IRaycastQuery, PhysicsRaycastResult } from "@babylonjs/core/Physics/physicsRaycastResult";
import type { IPhysicsShapeCastQuery } from "@babylonjs/core/Physics/physicsShapeCastQuery";
import type { IPhysicsShapeProximityCastQuery } from "@babylonjs/core/Physics/physicsShapeProximityCastQuery";
import type { ProximityCastResult } from "@babylonjs/core/Physics/proximityCastResult";
import type { ShapeCastResult } from "@babylonjs/core/Physics/shapeCastResult";
import { HavokModule } from "./character/havok-module";
import { requireAtLeast } from "./geometry/convert";
import { firstHit, type FirstHit, type Neighbour, neighbours, type ShapeQuery } from "./queries/around-shape";
import { BodySpace } from "./queries/body-space";
import { raycast } from "./queries/raycast";
import { pointProximity, shapeCast, shapeProximity } from "./queries/shape-queries";
import { ClothPlugin } from "./cloth-plugin";
import type { PliantPluginOptions } from "./options";

/**
 * Pliant as physics engine of a Babylon.js scene. `ClothAggregate` makes cloth, `SoftBodyAggregate` soft bodies. They collide with every `PhysicsBody` and push dynamic
 * ones, which also collide with each other. It answers the queries of Babylon's HavokPlugin, against rigid bodies at the time of the call; use
 * `DeformableBody.pick` for cloth.
 *
 * @example
 * ```ts
 * const plugin = await PliantPlugin.CreateAsync(engine);
 * scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
 * const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.5 }, scene);
 * new PhysicsAggregate(ball, PhysicsShapeType.SPHERE, { mass: 1 }, scene);
 * plugin.onBeforeStepObservable.add((dt) => console.log(dt, "s"));
 * ```
 */
export class PliantPlugin extends ClothPlugin {
  private readonly space = new BodySpace();
  private mostHits = Infinity;
  /** @internal Babylon's `PhysicsCharacterController` calls it by Havok's own names. */
  readonly _hknp = new HavokModule(this);
  /** @internal for the same controller: bodies by the ids that it got from there */
  readonly _bodies = this._hknp.bodies;

  /**
   * Makes a plugin. With a `WebGPUEngine`, cloth is simulated and drawn on the engine's own device. With any other
   * engine, cloth is simulated on a device of its own, and positions are read back. Without WebGPU, cloth is simulated
   * on the CPU.
   *
   * @throws PliantError `no-adapter` for `backend: "webgpu"` without a GPU; `invalid-argument` for an option out of its
   * range or a WebGPU engine that is not initialized
   */
  static override async CreateAsync(engine: AbstractEngine, options: PliantPluginOptions = {}): Promise<PliantPlugin> {
    return (await super.CreateAsync(engine, options)) as PliantPlugin;
  }

  /**
   * Limits the hits of a ray cast into an array.
   *
   * @param maxQueryCollectorHits default Infinity; the default of HavokPlugin is 1
   * @throws PliantError for a limit below 1
   */
  setMaxQueryCollectorHits(maxQueryCollectorHits: number): void {
    requireAtLeast("setMaxQueryCollectorHits", maxQueryCollectorHits, 1);
    this.mostHits = Math.floor(maxQueryCollectorHits);
  }

  /** The limit of hits of a ray cast into an array. */
  getMaxQueryCollectorHits(): number {
    return this.mostHits;
  }

  /**
   * Hits of a ray, nearest first: one, or as many as the array has places, or all of them for an empty array, but no
   * more than `setMaxQueryCollectorHits` allows. A ray that starts inside a solid does not hit that solid.
   *
   * @throws PliantError `non-finite` if an end of the ray is not finite
   */
  override raycast(
    from: Vector3,
    to: Vector3,
    result: PhysicsRaycastResult | PhysicsRaycastResult[],
    query?: IRaycastQuery,
  ): void {
    this.check();
    raycast(this.space, this.bodies, from, to, result, this.mostHits, query);
  }

  /**
   * Finds the first touch of a shape on a straight way. Masks are those of the shape.
   *
   * @throws PliantError for values that are not finite, and `unsupported` for a shape that contains a mesh or
   * heightfield
   */
  shapeCast(query: IPhysicsShapeCastQuery, inputShapeResult: ShapeCastResult, hitShapeResult: ShapeCastResult): void {
    this.check();
    shapeCast(this.space, this.bodies, query, inputShapeResult, hitShapeResult);
  }

  /**
   * Finds the body closest to a shape, at most `maxDistance` away; distances are negative for overlaps. Throws as
   * `shapeCast`.
   */
  shapeProximity(
    query: IPhysicsShapeProximityCastQuery,
    inputShapeResult: ProximityCastResult,
    hitShapeResult: ProximityCastResult,
  ): void {
    this.check();
    shapeProximity(this.space, this.bodies, query, inputShapeResult, hitShapeResult);
  }

  /**
   * Finds the body closest to a point, at most `maxDistance` away; distances are negative inside. Throws as
   * `shapeCast`.
   */
  pointProximity(query: IPhysicsPointProximityQuery, result: ProximityCastResult): void {
    this.check();
    pointProximity(this.space, this.bodies, query, result);
  }

  /** @internal all contacts of a shape with bodies up to a distance [m] */
  _neighbours(query: ShapeQuery, distance: number): Neighbour[] {
    return neighbours(this.space, this.bodies, query, distance);
  }

  /** @internal the first touch of a shape on its way */
  _firstHit(query: ShapeQuery, way: Vector3): FirstHit | undefined {
    return firstHit(this.space, this.bodies, query, way);
  }
}
