import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { Scene } from "@babylonjs/core/scene";
import { addCable, type Cable, type CableOptions, type CablePlace, type DeformableBody } from "../src/index";
import { checkNames, optionNames } from "../src/option-names";
import type { RigidBody } from "../src/world/rigid/rigid-body";
import { checkList } from "../src/checks";
import { requireFiniteVector, requirePositive } from "./geometry/convert";
import type { ClothPlugin } from "./cloth-plugin";
import { pluginOf } from "./plugin-of";

/** A point of a body, or of one of its thin instances. */
export interface BodyCablePlace {
  readonly body: PhysicsBody;
  /** in the local space of the body, as the pivot of a constraint; default its origin */
  readonly pivot?: Vector3;
  /** index of the thin instance */
  readonly instance?: number;
}

/**
 * A point that a cable runs through: a place in the scene, a particle of a body of solver `local-global`, or a point of
 * a `PhysicsBody`.
 */
export type SceneCablePlace = Vector3 | { readonly body: DeformableBody; readonly vertex: number } | BodyCablePlace;

/** As `CableOptions` of the engine, in the scene. */
export interface SceneCableOptions extends Omit<CableOptions, "points" | "length"> {
  /** places that the cable runs through, in order: at least two, at least one of them on a deformable body */
  readonly points: readonly SceneCablePlace[];
  /** longest way of the cable [units of the scene]; default: the length of its way when the first step begins */
  readonly length?: number;
}

const cableOptionNames = optionNames<SceneCableOptions>()("points length compliance pushes?");

/**
 * A cable through bodies of solver `local-global`, bodies of the scene and places in it.
 *
 * @example
 * ```ts
 * const points = [new Vector3(0, 2, 0), { body: soft.body, vertex: 3 }, { body: crate, pivot: Vector3.Up() }];
 * const cable = new CableAggregate({ points, length: 2 }, scene);
 * cable.length = 1.8;
 * ```
 */
export class CableAggregate {
  private readonly options: SceneCableOptions;
  /** defined while all bodies on its way are simulated */
  private cable: Cable | undefined;
  private rigid: readonly RigidBody[] = [];
  /** longest way [m] */
  private longest: number | undefined;

  private readonly host: ClothPlugin;

  /**
   * @throws PliantError as `addCable` of the engine, and as `PliantPlugin.rigidBodyOf`; also for a scene without this
   * plugin. Nothing is changed then
   */
  constructor(options: SceneCableOptions, scene: Scene) {
    this.host = pluginOf("CableAggregate", scene);
    checkNames("cable", options, cableOptionNames);
    checkList(options.points, "cable.points");
    this.options = { ...options, points: [...options.points] };
    if (options.length !== undefined) this.setLongest(options.length);
    this.tie();
    this.host._addCable(this);
  }

  /**
   * longest way of the cable [units of the scene]; if no length was given, undefined before the first step, and on a
   * GPU until the length was read back
   */
  get length(): number | undefined {
    const metres = this.cable ? this.cable.length : this.longest;
    return metres === undefined ? undefined : this.host.frame.lengthInScene(metres);
  }

  /** @throws PliantError unless positive and finite */
  set length(value: number) {
    const metres = this.setLongest(value);
    if (this.cable) this.cable.length = metres;
  }

  /** tension of the last step, on a GPU of the last step that was read back [N]; negative while the cable pushes */
  get tension(): number {
    return this.cable?.tension ?? 0;
  }

  /** May be called again. */
  dispose(): void {
    this.untie();
    this.host._removeCable(this);
  }

  /**
   * @internal before a step: ties the cable to bodies that are simulated again, and unties it if one of its bodies is
   * gone
   */
  _beforeStep(): void {
    if (this.cable && !this.rigid.some(({ isDisposed }) => isDisposed)) return;
    this.untie();
    if (this.options.points.some((place) => isOfBody(place) && place.body.isDisposed)) this.dispose();
    else this.tie();
  }

  private setLongest(length: number): number {
    requirePositive("cable.length", length);
    return (this.longest = this.host.frame.length(length));
  }

  private tie(): void {
    const { points, ...rest } = this.options;
    const places = points.map((place, i) => this.inEngine(place, `cable.points[${i}]`));
    this.cable = addCable(this.host.world, { ...rest, points: places, length: this.longest });
    this.rigid = places.flatMap((place) => ("rigid" in place ? place.rigid : []));
  }

  private untie(): void {
    this.longest = this.cable?.length ?? this.longest;
    this.cable?.dispose();
    this.cable = undefined;
  }

  private inEngine(place: SceneCablePlace, object: string): CablePlace {
    const { frame } = this.host;
    if (!("body" in place)) {
      requireFiniteVector(object, place);
      return frame.point(place);
    }
    if (!isOfBody(place)) return place;
    const { body, pivot, instance } = place;
    if (pivot) requireFiniteVector(`${object}.pivot`, pivot);
    return { rigid: this.host.rigidBodyOf(body, instance), point: pivot ? frame.offset(pivot) : [0, 0, 0] };
  }
}

function isOfBody(place: SceneCablePlace): place is BodyCablePlace {
  return "body" in place && !("vertex" in place);
}
