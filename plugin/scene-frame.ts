import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import type { ColliderShape, Vec3 } from "../src/index";
import { AffineMatrix } from "./geometry/affine-matrix";
import { worldMatrixOf } from "./rigid/node-pose";

/**
 * Converts between a scene and the engine's world. The engine has meters, about an origin of its own near the bodies
 * that it simulates; the scene has its units, about its own origin:
 *
 *     scene = origin + unitsPerMetre × engine
 *
 * Times, masses and angles are the same in both.
 */
export class SceneFrame {
  /** the origin of the engine's world, in the scene */
  readonly origin = Vector3.Zero();

  constructor(readonly unitsPerMetre = 1) {}

  /** A place, for the engine [m]. */
  point({ x, y, z }: Vector3): Vec3 {
    const { origin: o, unitsPerMetre: s } = this;
    return [(x - o.x) / s, (y - o.y) / s, (z - o.z) / s];
  }

  /**
   * A difference of places or a velocity, for the engine [m, m/s]; also a force, since kilograms and seconds are the
   * same in both [N].
   */
  offset({ x, y, z }: Vector3): Vec3 {
    const { unitsPerMetre: s } = this;
    return [x / s, y / s, z / s];
  }

  /** A torque, or a moment of inertia, for the engine [N m, kg m²]. */
  moment({ x, y, z }: Vector3): Vec3 {
    const s = this.unitsPerMetre ** 2;
    return [x / s, y / s, z / s];
  }

  /** A length, for the engine [m]. */
  length(units: number): number {
    return units / this.unitsPerMetre;
  }

  /** The engine's place at `at` of a list, in the scene. */
  pointInScene(place: ArrayLike<number>, at = 0): Vector3 {
    return this.offsetInScene(place, at).addInPlace(this.origin);
  }

  /** The engine's difference of places, velocity, force or impulse at `at` of a list, in the scene. */
  offsetInScene(offset: ArrayLike<number>, at = 0): Vector3 {
    return Vector3.FromArray(offset, at).scaleInPlace(this.unitsPerMetre);
  }

  pointInSceneToRef(place: ArrayLike<number>, result: Vector3): void {
    const { unitsPerMetre: s, origin: o } = this;
    result.set(o.x + s * place[0], o.y + s * place[1], o.z + s * place[2]);
  }

  offsetInSceneToRef(offset: ArrayLike<number>, result: Vector3): void {
    const { unitsPerMetre: s } = this;
    result.set(s * offset[0], s * offset[1], s * offset[2]);
  }

  /** A length of the engine, in the scene. */
  lengthInScene(metres: number): number {
    return metres * this.unitsPerMetre;
  }

  /** Places of the engine, three numbers each, in the scene. */
  pointsInScene(places: ArrayLike<number>): Float64Array {
    const { unitsPerMetre: s, origin } = this;
    const o = [origin.x, origin.y, origin.z];
    return Float64Array.from({ length: places.length }, (_, i) => o[i % 3] + s * places[i]);
  }

  /** A shape in units of the scene, for the engine. @param scale scale of an instance, relative to that of its mesh */
  shape(shape: ColliderShape, scale?: Vec3): ColliderShape {
    const { unitsPerMetre: s } = this;
    if (s === 1 && !scale) return shape;
    const factors: Vec3 = scale ? [scale[0] / s, scale[1] / s, scale[2] / s] : [1 / s, 1 / s, 1 / s];
    return { type: "container", children: [{ shape, scale: factors }] };
  }

  /** The matrix from the frame of a node to the engine's world. */
  matrixOf(node: TransformNode): AffineMatrix {
    return this.toEngine(worldMatrixOf(node).asArray());
  }

  /** @param world matrix from a frame to the scene, 16 numbers in Babylon's order */
  toEngine(world: ArrayLike<number>): AffineMatrix {
    const { unitsPerMetre: s } = this;
    const o = [this.origin.x, this.origin.y, this.origin.z];
    const m = new Float64Array(16);
    for (let i = 0; i < 16; i++) m[i] = i % 4 === 3 ? world[i] : (i >= 12 ? world[i] - o[i - 12] : world[i]) / s;
    return new AffineMatrix(m);
  }
}

const identity = new SceneFrame();

/** Plugins of scenes whose rigid bodies another plugin moves, see `DeformableScene`. */
export const deformableScenes = new WeakMap<Scene, { readonly frame: SceneFrame }>();

/** The frame of a scene: that of its Pliant plugin, also of one beside another physics plugin. */
export function frameOf(scene: Scene): SceneFrame {
  const plugin = deformableScenes.get(scene) ?? scene.getPhysicsEngine()?.getPhysicsPlugin();
  return (plugin as { frame?: SceneFrame } | null | undefined)?.frame ?? identity;
}

/** The matrix from the frame of a node to the engine's world. */
export function engineMatrixOf(node: TransformNode): AffineMatrix {
  return frameOf(node.getScene()).matrixOf(node);
}
