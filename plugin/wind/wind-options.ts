import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { WindFieldOptions, WindShelterOptions, WindZoneOptions } from "../../src/index";
import type { Vec3 } from "../../src/math/types";
import { checkNames, optionNames } from "../../src/option-names";
import { requireFiniteVector } from "../geometry/convert";
import { worldMatrixOf } from "../rigid/node-pose";
import type { SceneFrame } from "../scene-frame";

/** Gusts that the mean wind carries along. */
export interface SceneTurbulenceOptions {
  /** root mean square of the velocity that is added to the mean wind, units of the scene (m) per s; 0 for none */
  readonly speed: number;
  /** size of the largest eddies, units of the scene (m); default 2 m. There are also eddies of a half and a quarter of it */
  readonly size?: number;
  /** The same seed gives the same gusts. Default 1. */
  readonly seed?: number;
}

/** Options of a `SceneWind`. */
export interface SceneWindOptions {
  /** mean velocity of the air, units of the scene (m) per s; default none */
  readonly velocity?: Vector3;
  /** default: none */
  readonly turbulence?: SceneTurbulenceOptions;
}

/** Options of a zone of wind: wind that is added within an ellipsoid, a box or a cylinder. */
export interface SceneWindZoneOptions extends Pick<WindZoneOptions, "shape" | "kind" | "falloff"> {
  /** a node that the zone follows, with its place, its turn and its scale; default: `position` alone */
  readonly node?: TransformNode;
  /** center, in the axes of the node if there is one, units of the scene (m); default: the origin */
  readonly position?: Vector3;
  /** full size along each axis, units of the scene (m); default 2 m */
  readonly size?: Vector3;
  /** in the axes of the node if there is one, of any length; default up */
  readonly direction?: Vector3;
  /** units of the scene (m) per s; of a vortex at the longest half size from the center. Default 1 m/s */
  readonly speed?: number;
}

/** Options of an updraft or a vortex, by the names of Babylon's `PhysicsHelper`. */
export interface SceneWindEventOptions extends Pick<WindZoneOptions, "falloff"> {
  /** units of the scene (m) */
  readonly radius: number;
  /** units of the scene (m) */
  readonly height: number;
  /** speed of the air, units of the scene (m) per s */
  readonly strength: number;
}

/** Options of a shelter: a mesh with a wake of slow air behind it. */
export type SceneWindShelterOptions = Pick<WindShelterOptions, "strength" | "spread">;

const windNames = optionNames<SceneWindOptions>()("velocity turbulence");
const turbulenceNames = optionNames<SceneTurbulenceOptions>()("speed size seed");
export const windZoneNames = optionNames<SceneWindZoneOptions>()(
  "node position size shape kind direction speed falloff",
);
export const windEventNames = optionNames<SceneWindEventOptions>()("radius height strength falloff");
export const windShelterNames = optionNames<SceneWindShelterOptions>()("strength spread");

/** @throws PliantError `invalid-argument` for an unknown option; the engine checks values */
export function fieldOptions(frame: SceneFrame, options: SceneWindOptions): WindFieldOptions {
  checkNames("SceneWind", options, windNames);
  const { velocity, turbulence } = options;
  if (velocity !== undefined) requireFiniteVector("SceneWind.velocity", velocity);
  if (turbulence !== undefined) checkNames("SceneWind.turbulence", turbulence, turbulenceNames);
  return {
    velocity: velocity && frame.offset(velocity),
    turbulence: turbulence && {
      ...turbulence,
      speed: turbulence.speed / frame.unitsPerMetre,
      size: turbulence.size === undefined ? undefined : frame.length(turbulence.size),
    },
  };
}

/** A place of the engine's wind field. */
export interface Placed extends Required<Pick<WindZoneOptions, "center" | "halfExtents" | "rotation">> {
  /** a direction in the axes of the node, in those of the place */
  readonly direction: Vec3 | undefined;
}

/**
 * The place of a box of a node in the engine's world.
 *
 * @param position center, in the axes of the node
 * @param size full size along the axes of the node
 */
export function placedAt(
  frame: SceneFrame,
  node: TransformNode | undefined,
  position: Vector3,
  size: Vector3,
  direction?: Vector3,
): Placed {
  const [scale, rotation] = [Vector3.One(), Quaternion.Identity()];
  let [center, toward] = [position, direction];
  if (node) {
    const world = worldMatrixOf(node);
    world.decompose(scale, rotation);
    center = Vector3.TransformCoordinates(position, world);
    // A mirrored node has a direction of its own.
    if (direction)
      toward = Vector3.TransformNormal(direction, world).applyRotationQuaternionInPlace(Quaternion.Inverse(rotation));
  }
  const half = (length: number, factor: number): number => frame.length(0.5 * length * Math.abs(factor));
  return {
    center: frame.point(center),
    halfExtents: [half(size.x, scale.x), half(size.y, scale.y), half(size.z, scale.z)],
    rotation: [rotation.x, rotation.y, rotation.z, rotation.w],
    direction: toward && [toward.x, toward.y, toward.z],
  };
}
