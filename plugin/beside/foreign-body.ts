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
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { PhysicsShape } from "@babylonjs/core/Physics/v2/physicsShape";
import { type Collider, type ColliderShape, RigidProxy } from "../../src/index";
import { Support } from "../../src/world/rigid/contact/support";
import { toQuat, toVec3 } from "../convert";
import { resolveMass, type MassProperties } from "../rigid/mass-properties";
import { inverseInertia, turnBy } from "../rigid/motion";
import { matrixOf, poseOfMatrix, writeInstancePose, writeNodePose } from "../rigid/node-pose";
import type { EngineHost } from "../rigid/rigid-state";

/** The geometry that another plugin shows of a body, as a shape in units of the scene; undefined for a body without any. */
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
      return fitted(positions, rigid.getBoundingBox(shape));
    default:
      return { type: "mesh", positions, indices };
  }
}

/** Of what is drawn less than this part of a shape's true size along an axis nothing tells the shape. */
const LEAST_DRAWN = 0.05;

/**
 * Havok draws convex shapes without their rounding, 1.5 cm smaller all around: stretches them to their true box. What is so small that
 * nothing of it is left is that box.
 */
function fitted(positions: ArrayLike<number>, { minimum, maximum, center, extendSize }: BoundingBox): ColliderShape {
  const [low, high] = [minimum.asArray(), maximum.asArray()];
  const drawnLow = [Infinity, Infinity, Infinity];
  const drawnHigh = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    drawnLow[i % 3] = Math.min(drawnLow[i % 3], positions[i]);
    drawnHigh[i % 3] = Math.max(drawnHigh[i % 3], positions[i]);
  }
  const isDrawn = low.every((value, c) => drawnHigh[c] - drawnLow[c] > LEAST_DRAWN * (high[c] - value));
  if (!isDrawn) return { type: "box", center: toVec3(center), halfExtents: toVec3(extendSize) };
  const hull = Float64Array.from(positions, (value, i) => {
    const c = i % 3;
    return low[c] + ((value - drawnLow[c]) / (drawnHigh[c] - drawnLow[c])) * (high[c] - low[c]);
  });
  return { type: "convex-hull", positions: hull };
}

/** What Babylon's Havok plugin can beyond the interface. */
export type ForeignPlugin = IPhysicsEnginePluginV2 & {
  /** false: steps by `getTimeStep` instead of by the frame time */
  readonly _useDeltaForWorldStep?: boolean;
  /** moves the body to where its node is */
  setPhysicsBodyTransformation?(body: PhysicsBody, node: TransformNode): void;
};

/** Takes a body of another plugin to where its node is, or its thin instances to their matrices. */
export function takeToNode(rigid: ForeignPlugin, body: PhysicsBody): void {
  const { transformNode } = body;
  if (body.numInstances > 0) (transformNode as Mesh).thinInstanceBufferUpdated("matrix");
  const prestep = body.getPrestepType();
  body.setPrestepType(PhysicsPrestepType.TELEPORT);
  rigid.setPhysicsBodyTransformation?.(body, transformNode);
  body.setPrestepType(prestep);
}

/** Of its weight a standing body hands on this many times to what it stands on. */
const MOST_WEIGHTS = 3;

/** One body of another plugin, or one of its thin instances, as an obstacle that cloth pushes back. */
export class ForeignBody {
  private readonly proxy = new RigidProxy();
  private readonly collider: Collider;
  private readonly wrench = new Float64Array(6);
  private readonly displacement = new Float64Array(6);
  private readonly support = new Support();
  /** impulse of gravity in a step */
  private weight = 0;
  /** at the start of the other plugin's step */
  private readonly velocityBefore = new Vector3();
  position: Vector3;
  rotation: Quaternion;

  constructor(
    private readonly host: EngineHost,
    private readonly rigid: ForeignPlugin,
    readonly body: PhysicsBody,
    /** what `colliderShape` was made of */
    readonly shape: PhysicsShape | null | undefined,
    colliderShape: ColliderShape,
    private readonly index: number | undefined,
  ) {
    ({ position: this.position, rotation: this.rotation } = this.pose());
    this.collider = host.world.addCollider(host.frame.shape(colliderShape), {
      name: `PhysicsBody "${body.transformNode.name}"`,
      position: host.frame.point(this.position),
      rotation: toQuat(this.rotation),
      friction: body.shape?.material?.friction ?? 0.5,
      proxy: this.proxy,
    });
  }

  /** The other plugin is about to move the body. */
  begin(): void {
    this.body.getLinearVelocityToRef(this.velocityBefore, this.index);
  }

  /** The other plugin has moved the body: cloth meets it on the way there, in a frame of `dt` seconds. */
  follow(dt: number): void {
    const { position, rotation } = this.pose();
    const { frame } = this.host;
    const mass = this.mass();
    const from = mass.centerOfMass.applyRotationQuaternion(this.rotation).addInPlace(this.position);
    const to = mass.centerOfMass.applyRotationQuaternion(rotation).addInPlace(position);
    const isDynamic = this.body.getMotionType(this.index) === PhysicsMotionType.DYNAMIC && mass.mass > 0;
    if (isDynamic) this.hearSupport(mass.mass, dt);
    // where it cannot be put there it spins as the other plugin says, and what cloth gives it comes with the next frame
    const turns = isDynamic && this.canFollow ? frame.unitsPerMetre ** 2 : 0;
    const inertia = inverseInertia({ mass, rotation: this.rotation }).map((value) => turns * value);
    this.proxy.setResponse({
      ...this.support.response(isDynamic ? 1 / mass.mass : 0, inertia),
      centre: frame.point(from),
      velocity: frame.offset(to.subtract(from).scaleInPlace(1 / dt)),
    });
    if (!position.equals(this.position) || !rotation.equals(this.rotation))
      this.collider.setPose(frame.point(position), toQuat(rotation));
    this.position = position;
    this.rotation = rotation;
  }

  /**
   * Gives the body what cloth did to it.
   *
   * @returns whether its node, or the matrix of its thin instance, is elsewhere now; the body is to follow
   */
  feel(): boolean {
    const { world, frame } = this.host;
    const { wrench, displacement, body, index } = this;
    if (!world.takeFromProxy(this.proxy, wrench, displacement)) return false;
    if (body.getMotionType(index) !== PhysicsMotionType.DYNAMIC) return false;
    if (![...wrench, ...displacement].every(Number.isFinite)) return false;
    const { impulse, angularImpulse } = frame.wrenchInScene(wrench);
    this.support.note(impulse.asArray());
    if (this.canFollow) this.displace();
    const centre = this.mass().centerOfMass.applyRotationQuaternion(this.rotation).addInPlace(this.position);
    const turn = angularImpulse.subtractInPlace(Vector3.Cross(centre, impulse));
    body.applyImpulse(this.borne(impulse), centre, index);
    body.applyAngularImpulse(turn.scaleInPlace(this.support.turning), index);
    return this.canFollow;
  }

  dispose(): void {
    this.collider.dispose();
  }

  /** The other plugin does not tell its contacts: they have given what of the change of momentum gravity has not. */
  private hearSupport(mass: number, dt: number): void {
    const { body, index, rigid, velocityBefore } = this;
    const weight = this.host.frame.offsetInScene(this.host.world.gravity);
    weight.scaleInPlace(mass * rigid.getGravityFactor(body, index) * dt);
    const gained = body.getLinearVelocity(index).subtractInPlace(velocityBefore).scaleInPlace(mass);
    this.weight = weight.length();
    this.support.hear(toVec3(gained.subtractInPlace(weight)), toVec3(weight));
  }

  /**
   * The body takes all of an impulse that it yields to, and of what its ground takes up as much as `MOST_WEIGHTS` of its weight make in a
   * step. The other plugin knows no forces, only changes of velocity: more of it would be an impact on the ground, and bounce.
   */
  private borne(impulse: Vector3): Vector3 {
    const yielding = Vector3.FromArray(this.support.yielding(toVec3(impulse)));
    const held = impulse.subtract(yielding);
    const size = held.length();
    const most = MOST_WEIGHTS * this.weight;
    return yielding.addInPlace(held.scaleInPlace(size > most ? most / size : 1));
  }

  private get canFollow(): boolean {
    return this.rigid.setPhysicsBodyTransformation !== undefined;
  }

  /** What the other plugin does not say is that of a point of 1 kg. */
  private mass(): MassProperties {
    return resolveMass(this.rigid.getMassProperties(this.body, this.index), undefined);
  }

  /**
   * The body goes along with what its collider has yielded within the frame, and turns as that has; else a heavy one would gain energy
   * from cloth, and a light one spin.
   */
  private displace(): void {
    const { body, displacement, index, position, rotation } = this;
    position.addInPlace(this.host.frame.offsetInScene(displacement));
    const spin = body.getAngularVelocity(index);
    turnBy({ mass: this.mass(), position, rotation }, Vector3.FromArray(displacement, 3), spin);
    body.setAngularVelocity(spin, index);
    if (index === undefined) writeNodePose(body.transformNode, this);
    else {
      const { scaling } = poseOfMatrix(matrixOf(body.transformNode, index));
      writeInstancePose(body.transformNode, index, this, scaling);
    }
  }

  private pose(): { position: Vector3; rotation: Quaternion } {
    return poseOfMatrix(matrixOf(this.body.transformNode, this.index));
  }
}
