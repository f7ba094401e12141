import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Scene } from "@babylonjs/core/scene";
import { invalid, PliantError } from "../../src/errors";
import { WindField, type WindShelter, type WindShelterOptions, type WindZone } from "../../src/index";
import { checkNames } from "../../src/option-names";
import { requireFiniteVector, requirePositive } from "../geometry/convert";
import type { ClothPlugin } from "../cloth-plugin";
import { pluginOf, requireMesh } from "../plugin-of";
import type { SceneFrame } from "../scene-frame";
import {
  fieldOptions,
  placedAt,
  windEventNames,
  windShelterNames,
  windZoneNames,
  type Placed,
  type SceneWindEventOptions,
  type SceneWindOptions,
  type SceneWindShelterOptions,
  type SceneWindZoneOptions,
} from "./wind-options";

/** A part of the wind that may be switched off, as the events of Babylon's `PhysicsHelper`. */
abstract class WindPart<Part extends WindZone | WindShelter = WindZone | WindShelter> {
  private last: string | undefined;
  protected part: Part | undefined;

  constructor(
    protected readonly frame: SceneFrame,
    private readonly leave: (part: WindPart) => void,
  ) {}

  /** Whether it blows; default true. */
  get isEnabled(): boolean {
    return this.part !== undefined;
  }

  enable(): void {
    this.part ??= this.add();
  }

  disable(): void {
    this.part?.dispose();
    this.part = undefined;
  }

  /** Takes it out of the wind for good. */
  dispose(): void {
    this.disable();
    this.leave(this);
  }

  protected abstract add(): Part;
  protected abstract place(): Placed;
  protected abstract move(place: Placed): void;

  /** @internal before a step: follows the node */
  _follow(): void {
    if (!this.isEnabled) return;
    const place = this.place();
    const key = JSON.stringify(place);
    if (key === this.last) return;
    this.move(place);
    this.last = key;
  }

  protected forget(): void {
    this.last = undefined;
  }
}

/**
 * A zone of a `SceneWind`.
 *
 * @example
 * ```ts
 * const gust = new SceneWind({}, scene).addZone({ shape: "box", size: new Vector3(4, 2, 4), speed: 3 });
 * gust.setOptions({ direction: new Vector3(1, 0, 0) });
 * gust.disable();
 * ```
 */
export class SceneWindZone extends WindPart<WindZone> {
  /** @internal */
  constructor(
    frame: SceneFrame,
    private readonly field: WindField,
    private options: SceneWindZoneOptions,
    leave: (part: WindPart) => void,
  ) {
    super(frame, leave);
    this.check(options);
    this.enable();
  }

  /** @throws PliantError `invalid-argument` for an option that is unknown or out of its range; nothing is changed then */
  setOptions(options: SceneWindZoneOptions): void {
    this.check(options);
    const next = { ...this.options, ...options };
    this.part?.setOptions(this.valuesOf(next));
    this.options = next;
    this.forget();
  }

  protected add(): WindZone {
    return this.field.addZone(this.valuesOf(this.options));
  }

  protected place(): Placed {
    return this.placeOf(this.options);
  }

  protected move(place: Placed): void {
    this.part!.setOptions(place);
  }

  private check(options: SceneWindZoneOptions): void {
    checkNames("wind zone", options, windZoneNames);
    for (const name of ["position", "size", "direction"] as const)
      if (options[name]) requireFiniteVector(`wind zone.${name}`, options[name]);
  }

  private placeOf({ node, position = Vector3.Zero(), size, direction = Vector3.Up() }: SceneWindZoneOptions): Placed {
    const two = 2 * this.frame.unitsPerMetre;
    return placedAt(this.frame, node, position, size ?? new Vector3(two, two, two), direction);
  }

  private valuesOf(options: SceneWindZoneOptions) {
    const { shape, kind, speed, falloff } = options;
    const inEngine = speed === undefined ? undefined : speed / this.frame.unitsPerMetre;
    return { ...this.placeOf(options), shape, kind, falloff, speed: inEngine };
  }
}

/**
 * A mesh of a `SceneWind` that shelters what is behind it.
 *
 * @example
 * ```ts
 * const shelter = new SceneWind({ velocity: new Vector3(5, 0, 0) }, scene).addShelter(mesh, { strength: 0.7 });
 * shelter.disable();
 * ```
 */
export class SceneWindShelter extends WindPart<WindShelter> {
  /** @internal */
  constructor(
    frame: SceneFrame,
    private readonly field: WindField,
    readonly mesh: AbstractMesh,
    private readonly options: WindShelterOptions,
    leave: (part: WindPart) => void,
  ) {
    super(frame, leave);
    this.enable();
  }

  protected add(): WindShelter {
    return this.field.addShelter({ ...this.options, ...this.boxOf() });
  }

  protected place(): Placed {
    return { ...this.boxOf(), direction: undefined };
  }

  protected move({ direction: _, ...place }: Placed): void {
    this.part!.setOptions(place);
  }

  private boxOf() {
    const { minimum, maximum } = this.mesh.getBoundingInfo().boundingBox;
    const { direction: _, ...box } = placedAt(
      this.frame,
      this.mesh,
      Vector3.Center(minimum, maximum),
      maximum.subtract(minimum),
    );
    // A plane has no thickness.
    const least = 1e-3 * Math.max(...box.halfExtents);
    const [x, y, z] = box.halfExtents.map((value) => Math.max(value, least));
    return { ...box, halfExtents: [x, y, z] as const };
  }
}

/**
 * The wind of a scene: a mean velocity with gusts, zones such as fans and whirls, and meshes that shelter what is behind
 * them. Cloth, soft bodies and ropes that feel air add their own `wind` to the mean velocity.
 *
 * @example
 * ```ts
 * const wind = new SceneWind({ velocity: new Vector3(5, 0, 0), turbulence: { speed: 2, size: 3 } }, scene);
 * const fan = wind.addZone({ node, shape: "cylinder", size: new Vector3(1, 4, 1), speed: 8 });
 * wind.vortex(new Vector3(0, 0, 4), { radius: 1.5, height: 3, strength: 6 });
 * wind.addShelter(mesh);
 * fan.disable();
 * ```
 */
export class SceneWind {
  private readonly host: ClothPlugin;
  private readonly field: WindField;
  private readonly parts = new Set<WindPart>();
  private readonly stop: () => void;

  /**
   * @throws PliantError `invalid-argument` for an option that is unknown or out of its range, for a scene without this
   * plugin, and for one that has a wind already
   */
  constructor(options: SceneWindOptions, scene: Scene) {
    this.host = pluginOf("SceneWind", scene);
    const { world, frame, onBeforeStepObservable } = this.host;
    if (world.wind) throw invalid("SceneWind", "a scene", "must not have a wind already");
    this.field = new WindField(fieldOptions(frame, options));
    world.wind = this.field;
    const observer = onBeforeStepObservable.add(() => {
      for (const part of this.parts) this.host._problems.attempt(undefined, () => part._follow(), part);
    });
    this.stop = () => onBeforeStepObservable.remove(observer);
  }

  /**
   * Changes options that have a value; eddies stay where they are.
   *
   * @throws PliantError as the constructor; nothing is changed then
   */
  setOptions(options: SceneWindOptions): void {
    this.field.setOptions(fieldOptions(this.host.frame, options));
  }

  /** @throws PliantError `invalid-argument` for an option that is unknown or out of its range, and beyond 16 zones */
  addZone(options: SceneWindZoneOptions): SceneWindZone {
    return this.keep(new SceneWindZone(this.host.frame, this.field, options, (gone) => this.parts.delete(gone)));
  }

  /**
   * A column of air that rises from a place, as by `PhysicsHelper.updraft`.
   *
   * @param origin center of its lower end
   * @throws PliantError as `addZone`
   */
  updraft(origin: Vector3, options: SceneWindEventOptions): SceneWindZone {
    return this.column("updraft", origin, options, "directional");
  }

  /**
   * A column of air that turns about its axis, as by `PhysicsHelper.vortex`; `strength` is its speed at its radius
   * without a falloff.
   *
   * @param origin center of its lower end
   * @throws PliantError as `addZone`
   */
  vortex(origin: Vector3, options: SceneWindEventOptions): SceneWindZone {
    const { radius, height, strength } = (options ?? {}) as SceneWindEventOptions;
    // A zone has its speed at its longest half size.
    return this.column("vortex", origin, options, "vortex", (strength * Math.max(radius, height / 2)) / radius);
  }

  /**
   * Lets a mesh shelter the air behind it, wherever it moves: as an ellipsoid in its bounding box.
   *
   * @throws PliantError `invalid-argument` for an option that is unknown or out of its range, and beyond 16 shelters
   */
  addShelter(mesh: AbstractMesh, options: SceneWindShelterOptions = {}): SceneWindShelter {
    checkNames("wind shelter", options, windShelterNames);
    if (requireMesh("wind shelter", mesh).isDisposed())
      throw new PliantError("disposed", "wind shelter", mesh.name, "needs a mesh that is not disposed");
    return this.keep(
      new SceneWindShelter(this.host.frame, this.field, mesh, options, (gone) => this.parts.delete(gone)),
    );
  }

  /** Velocity of the air at a place, units of the scene (m) per s. */
  velocityAt(place: Vector3): Vector3 {
    const { frame } = this.host;
    requireFiniteVector("SceneWind.velocityAt", place);
    return frame.offsetInScene(this.field.velocityAt(frame.point(place)));
  }

  /** The air stands still again, but for the `wind` of each body. */
  dispose(): void {
    this.stop();
    this.parts.clear();
    const { world } = this.host;
    if (world.wind === this.field) world.wind = undefined;
  }

  private column(
    name: string,
    origin: Vector3,
    options: SceneWindEventOptions,
    kind: "directional" | "vortex",
    speed = options?.strength,
  ): SceneWindZone {
    checkNames(name, options, windEventNames);
    const { radius, height, falloff } = (options ?? {}) as SceneWindEventOptions;
    requirePositive(`${name}.radius`, radius);
    requirePositive(`${name}.height`, height);
    const position = origin.add(new Vector3(0, height / 2, 0));
    const size = new Vector3(2 * radius, height, 2 * radius);
    return this.addZone({ shape: "cylinder", kind, position, size, speed, falloff });
  }

  private keep<Part extends SceneWindZone | SceneWindShelter>(part: Part): Part {
    this.parts.add(part);
    return part;
  }
}
