import type { BoundingBox } from "@babylonjs/core/Culling/boundingBox";
import type { Quaternion } from "@babylonjs/core/Maths/math.vector";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import {
  type IPhysicsEnginePluginV2,
  PhysicsMotionType,
  PhysicsPrestepType,
  PhysicsShapeType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { PhysicsShape } from "@babylonjs/core/Physics/v2/physicsShape";
import { type Collider, type ColliderShape, RigidProxy, type World } from "../../src/index";
import { toQuat, toVec3 } from "../convert";
import { matrixOf, poseOfMatrix } from "../rigid/node-pose";

/** The geometry that another plugin shows of a body, as a shape of this engine; undefined for a body without any. */
export function shapeOfForeign(rigid: IPhysicsEnginePluginV2, body: PhysicsBody): ColliderShape | undefined {
  const { shape } = body;
  const { positions, indices } = rigid.getBodyGeometry(body) as {
    positions: ArrayLike<number>;
    indices: ArrayLike<number>;
  };
  if (!shape || indices.length < 3) return undefined;
  switch (shape.type) {
    case PhysicsShapeType.SPHERE: {
      const { center, extendSize } = rigid.getBoundingBox(shape);
      return { type: "sphere", center: toVec3(center), radius: extendSize.x };
    }
    case PhysicsShapeType.BOX:
    case PhysicsShapeType.CAPSULE:
    case PhysicsShapeType.CYLINDER:
    case PhysicsShapeType.CONVEX_HULL:
      return { type: "convex-hull", positions: fitted(positions, rigid.getBoundingBox(shape)) };
    default:
      return { type: "mesh", positions, indices };
  }
}

/** Havok draws convex shapes without their rounding, 1.5 cm smaller all around: stretches them to their true box. */
function fitted(positions: ArrayLike<number>, { minimum, maximum }: BoundingBox): Float64Array {
  const [low, high] = [minimum.asArray(), maximum.asArray()];
  const drawnLow = [Infinity, Infinity, Infinity];
  const drawnHigh = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    drawnLow[i % 3] = Math.min(drawnLow[i % 3], positions[i]);
    drawnHigh[i % 3] = Math.max(drawnHigh[i % 3], positions[i]);
  }
  return Float64Array.from(positions, (value, i) => {
    const c = i % 3;
    return low[c] + ((value - drawnLow[c]) / (drawnHigh[c] - drawnLow[c])) * (high[c] - low[c]);
  });
}

/** What Babylon's Havok plugin can beyond the interface. */
export type ForeignPlugin = IPhysicsEnginePluginV2 & {
  /** false: steps by `getTimeStep` instead of by the frame time */
  readonly _useDeltaForWorldStep?: boolean;
  /** moves the body to where its node is */
  setPhysicsBodyTransformation?(body: PhysicsBody, node: TransformNode): void;
};

/** One body of another plugin, or one of its thin instances, as an obstacle that cloth pushes back. */
export class ForeignBody {
  private readonly proxy = new RigidProxy();
  private readonly collider: Collider;
  private readonly wrench = new Float64Array(6);
  private readonly displacement = new Float64Array(6);
  private position: Vector3;
  private rotation: Quaternion;

  constructor(
    private readonly world: World,
    private readonly rigid: ForeignPlugin,
    readonly body: PhysicsBody,
    /** what `colliderShape` was made of */
    readonly shape: PhysicsShape | null | undefined,
    colliderShape: ColliderShape,
    private readonly index: number | undefined,
  ) {
    ({ position: this.position, rotation: this.rotation } = this.pose());
    this.collider = world.addCollider(colliderShape, {
      name: `PhysicsBody "${body.transformNode.name}"`,
      position: toVec3(this.position),
      rotation: toQuat(this.rotation),
      friction: body.shape?.material?.friction ?? 0.5,
      proxy: this.proxy,
    });
  }

  /** The other plugin has moved the body: cloth meets it on the way there, in a frame of `dt` seconds. */
  follow(dt: number): void {
    const { position, rotation } = this.pose();
    const dynamic = this.body.getMotionType(this.index) === PhysicsMotionType.DYNAMIC;
    const mass = this.rigid.getMassProperties(this.body, this.index);
    const local = mass.centerOfMass ?? Vector3.Zero();
    const from = local.applyRotationQuaternion(this.rotation).addInPlace(this.position);
    const to = local.applyRotationQuaternion(rotation).addInPlace(position);
    this.proxy.setResponse({
      inverseMass: dynamic && mass.mass ? 1 / mass.mass : 0,
      // it spins as the other plugin says; what cloth gives it comes with the next frame
      inverseInertia: [0, 0, 0, 0, 0, 0],
      centre: toVec3(from),
      velocity: toVec3(to.subtract(from).scaleInPlace(1 / dt)),
    });
    if (!position.equals(this.position) || !rotation.equals(this.rotation))
      this.collider.setPose(toVec3(position), toQuat(rotation));
    this.position = position;
    this.rotation = rotation;
  }

  /** Gives the body what cloth did to it. */
  feel(): void {
    if (!this.world.takeFromProxy(this.proxy, this.wrench, this.displacement)) return;
    if (this.body.getMotionType(this.index) !== PhysicsMotionType.DYNAMIC) return;
    const [px, py, pz, tx, ty, tz] = this.wrench;
    const impulse = new Vector3(px, py, pz);
    this.displace();
    const { centerOfMass } = this.rigid.getMassProperties(this.body, this.index);
    const centre = (centerOfMass ?? Vector3.Zero()).applyRotationQuaternion(this.rotation).addInPlace(this.position);
    this.body.applyImpulse(impulse, centre, this.index);
    const turn = new Vector3(tx, ty, tz).subtractInPlace(Vector3.Cross(centre, impulse));
    this.body.applyAngularImpulse(turn, this.index);
  }

  dispose(): void {
    this.collider.dispose();
  }

  /**
   * The body goes along with what its collider has yielded within the frame; else a heavy one would gain energy from cloth.
   * Thin instances stay: other plugins have no call for the pose of a single one.
   */
  private displace(): void {
    const { body, displacement, rigid } = this;
    if (this.index !== undefined || !rigid.setPhysicsBodyTransformation) return;
    const { transformNode } = body;
    this.position.addInPlaceFromFloats(displacement[0], displacement[1], displacement[2]);
    transformNode.setAbsolutePosition(this.position);
    const prestep = body.getPrestepType();
    body.setPrestepType(PhysicsPrestepType.TELEPORT);
    rigid.setPhysicsBodyTransformation(body, transformNode);
    body.setPrestepType(prestep);
  }

  private pose(): { position: Vector3; rotation: Quaternion } {
    return poseOfMatrix(matrixOf(this.body.transformNode, this.index));
  }
}
