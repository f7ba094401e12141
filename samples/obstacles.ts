import { composePose, POSE, rotateBack, writePose } from "../src/collision/shape/pose";
import { compileShape, type Primitive } from "../src/collision/distance/primitives";
import { signedDistance } from "../src/collision/distance/signed-distance";
import type { Collider, ColliderOptions, ColliderShape, Quat, Vec3, World } from "../src/index";
import type { DistanceFunction } from "./metrics";
import type { Prop, PropMaterial } from "./scene";

/** A collider together with its drawing and its distance function. */
export class Obstacle implements Prop {
  readonly collider: Collider;
  position: Vec3;
  rotation: Quat;
  private primitives: readonly Primitive[] | undefined;

  constructor(
    world: World,
    readonly shape: ColliderShape,
    options: ColliderOptions,
    readonly material: PropMaterial,
  ) {
    this.collider = world.addCollider(shape, options);
    this.position = options.position ?? [0, 0, 0];
    this.rotation = options.rotation ?? [0, 0, 0, 1];
  }

  /** Moves it there during the next step. */
  moveTo(position: Vec3, rotation = this.rotation): void {
    this.collider.setPose(position, rotation);
    this.position = position;
    this.rotation = rotation;
  }

  /** Signed distance to the obstacle in its present place, m: the least of its parts. */
  distance(): DistanceFunction {
    this.primitives ??= compileShape(this.shape);
    return distanceTo(this.primitives, this.position, this.rotation);
  }
}

/** Signed distance to the parts of a shape in a pose, m: the least of them. */
export function distanceTo(primitives: readonly Primitive[], position: Vec3, rotation: Quat): DistanceFunction {
  const pose = new Float64Array(POSE);
  writePose(pose, position, rotation);
  const parts = primitives.map((primitive) => partDistance(primitive, pose));
  return (x, y, z) => parts.reduce((least, part) => Math.min(least, part(x, y, z)), Infinity);
}

function partDistance(primitive: Primitive, collider: Float64Array): DistanceFunction {
  const pose = new Float64Array(POSE);
  composePose(collider, primitive, pose, 0);
  const local = new Float64Array(3);
  const gradient = new Float64Array(3);
  return (x, y, z) => {
    rotateBack(pose, 0, x - pose[0], y - pose[1], z - pose[2], local, 0);
    return signedDistance(primitive, local[0], local[1], local[2], gradient);
  };
}
