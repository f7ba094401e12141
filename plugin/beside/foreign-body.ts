import type { BoundingBox } from "@babylonjs/core/Culling/boundingBox";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
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
import { boxOf } from "../../src/geometry/box";
import type { ColliderShape, RigidBody, Vec3 } from "../../src/index";
import type { BodyLeader, LedFreedom, Push } from "../../src/world/rigid/contact/leader";
import { toQuat, toVec3 } from "../geometry/convert";
import { resolveMass, type MassProperties } from "../rigid/mass-properties";
import { inverseInertia, keepMomentum } from "../rigid/motion";
import { matrixOf, poseOfMatrix, writeInstancePose, writeNodePose } from "../rigid/node-pose";
import type { EngineHost } from "../rigid/rigid-state";

/**
 * The geometry that another plugin reports for a body, as a shape in units of the scene; undefined for a body without
 * geometry.
 */
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

/** Least part of a shape's true size along an axis that its drawn geometry must have to determine the shape. */
const LEAST_DRAWN = 0.05;

/**
 * Havok draws convex shapes without their rounding, 1.5 cm smaller all around: stretches them to their true box. A
 * shape so small that nothing of it is drawn becomes that box.
 */
function fitted(positions: ArrayLike<number>, { minimum, maximum, center, extendSize }: BoundingBox): ColliderShape {
  const [low, high] = [minimum.asArray(), maximum.asArray()];
  const { min: drawnLow, max: drawnHigh } = boxOf(positions);
  const isDrawn = low.every((value, c) => drawnHigh[c] - drawnLow[c] > LEAST_DRAWN * (high[c] - value));
  if (!isDrawn) return { type: "box", center: toVec3(center), halfExtents: toVec3(extendSize) };
  const hull = Float64Array.from(positions, (value, i) => {
    const c = i % 3;
    return low[c] + ((value - drawnLow[c]) / (drawnHigh[c] - drawnLow[c])) * (high[c] - low[c]);
  });
  return { type: "convex-hull", positions: hull };
}

/** A plugin with members of Babylon's Havok plugin that are beyond the interface. */
export type ForeignPlugin = IPhysicsEnginePluginV2 & {
  /** false if it steps by `getTimeStep` instead of by the frame time */
  readonly _useDeltaForWorldStep?: boolean;
  /** moves the body to its node */
  setPhysicsBodyTransformation?(body: PhysicsBody, node: TransformNode): void;
};

/** Moves a body of another plugin to its node, or its thin instances to their matrices. */
export function takeToNode(rigid: ForeignPlugin, body: PhysicsBody): void {
  const { transformNode } = body;
  if (body.numInstances > 0) (transformNode as Mesh).thinInstanceBufferUpdated("matrix");
  const prestep = body.getPrestepType();
  body.setPrestepType(PhysicsPrestepType.TELEPORT);
  rigid.setPhysicsBodyTransformation?.(body, transformNode);
  body.setPrestepType(prestep);
}

/** Most that a standing body hands on to its support in a step, in multiples of its weight. */
const MOST_WEIGHTS = 3;

/** One body of another plugin, or one of its thin instances, as a body of the engine that the other plugin leads. */
export class ForeignBody implements BodyLeader {
  /** the body of the engine */
  readonly made: RigidBody;
  /** velocity at the start of the other plugin's step */
  private readonly velocityBefore = new Vector3();
  /** impulse of gravity in a step [N s] */
  private weight = 0;
  /** last pose that the engine's body was sent to */
  private sent: readonly number[] | undefined;
  /** whether the node, or the thin instance, has to move to the engine's body, with the other plugin's body */
  private isElsewhere = false;

  constructor(
    private readonly host: EngineHost,
    private readonly rigid: ForeignPlugin,
    readonly body: PhysicsBody,
    /** the shape that `colliderShape` was made from */
    readonly shape: PhysicsShape | null | undefined,
    colliderShape: ColliderShape,
    private readonly index: number | undefined,
  ) {
    const pose = this.pose();
    const [position, rotation] = [host.frame.point(pose.position), toQuat(pose.rotation)];
    this.sent = [...position, ...rotation];
    this.made = host.world.addRigidBody({
      name: `PhysicsBody "${body.transformNode.name}"`,
      motion: "kinematic",
      meets: "deformable",
      shape: host.frame.shape(colliderShape),
      position,
      rotation,
      friction: body.shape?.material?.friction ?? 0.5,
      canSleep: false,
    });
  }

  /** Called before the other plugin moves the body. */
  begin(): void {
    this.body.getLinearVelocityToRef(this.velocityBefore, this.index);
  }

  /**
   * Called after the other plugin has moved the body: sends the engine's body there, so that deformable bodies meet it
   * on its way.
   */
  follow(): void {
    const { made, isDynamic } = this;
    // A body that does not yield needs no pushes either.
    if (isDynamic !== (made.options.leader !== undefined)) made.change({ leader: isDynamic ? this : undefined });
    const { position, rotation } = this.pose();
    const [to, turned] = [this.host.frame.point(position), toQuat(rotation)];
    const sent = [...to, ...turned];
    if (sent.every((value, i) => value === this.sent?.[i])) return;
    made.moveTo(to, turned);
    this.sent = sent;
  }

  freedom(dt: number): LedFreedom {
    const { body, index, rigid, velocityBefore, made } = this;
    const { frame, world } = this.host;
    const mass = this.mass();
    const factor = mass.mass * rigid.getGravityFactor(body, index) * dt;
    const weight = world.gravity.map((g) => factor * g) as Triple;
    this.weight = Math.hypot(...weight);
    // The other plugin does not report its contacts: they account for the change of momentum that gravity does not
    // explain.
    const gained = frame.offset(body.getLinearVelocity(index).subtractInPlace(velocityBefore));
    // If a plugin cannot place bodies, deformable bodies do not turn them within a step; their impulses turn them in
    // the next step.
    const turns = this.canFollow ? frame.unitsPerMetre ** 2 : 0;
    const rotation = Quaternion.FromArray(made.rotation);
    return {
      mass: mass.mass,
      centerOfMass: frame.offset(mass.centerOfMass),
      inverseInertia: inverseInertia({ mass, rotation }).map((value) => turns * value),
      contacts: gained.map((value, c) => mass.mass * value - weight[c]) as Triple,
      weight,
      endVelocity: frame.offset(body.getLinearVelocity(index)),
      endSpin: toVec3(body.getAngularVelocity(index)),
    };
  }

  /**
   * The body takes the whole impulse that it yields to. Of the impulse that its support takes up, it takes at most
   * `MOST_WEIGHTS` times its weight in a step. The other plugin knows no forces, only changes of velocity: a larger
   * change would be an impact on the support, and bounce.
   */
  feel({ impulse, angularImpulse, held, offset, turn }: Push): Vec3 {
    const { body, index, made } = this;
    const { frame } = this.host;
    if (this.canFollow && [...offset, ...turn].some((value) => value !== 0)) {
      this.isElsewhere = true;
      this.sent = undefined;
      this.keepSpin(turn);
    }
    const most = MOST_WEIGHTS * this.weight;
    const size = Math.hypot(...held);
    const share = size > most ? most / size : 1;
    const whole = impulse.map((value, c) => value + share * held[c]) as Triple;
    body.applyImpulse(frame.offsetInScene(whole), frame.pointInScene(made.centerOfMass), index);
    body.applyAngularImpulse(Vector3.FromArray(angularImpulse).scaleInPlace(frame.unitsPerMetre ** 2), index);
    return whole;
  }

  /** @returns whether the node, or the matrix of the thin instance, was moved; the other plugin's body is to follow */
  settle(): boolean {
    const { body, index, made, isElsewhere } = this;
    if (!isElsewhere) return false;
    this.isElsewhere = false;
    const pose = {
      position: this.host.frame.pointInScene(made.position),
      rotation: Quaternion.FromArray(made.rotation),
    };
    if (index === undefined) writeNodePose(body.transformNode, pose);
    else {
      const { scaling } = poseOfMatrix(matrixOf(body.transformNode, index));
      writeInstancePose(body.transformNode, index, pose, scaling);
    }
    return true;
  }

  dispose(): void {
    this.made.dispose();
  }

  private get isDynamic(): boolean {
    return this.body.getMotionType(this.index) === PhysicsMotionType.DYNAMIC && this.mass().mass > 0;
  }

  private get canFollow(): boolean {
    return this.rigid.setPhysicsBodyTransformation !== undefined;
  }

  /** Mass properties of the body; properties that the other plugin leaves out are those of a point of 1 kg. */
  private mass(): MassProperties {
    return resolveMass(this.rigid.getMassProperties(this.body, this.index), undefined);
  }

  /** Adapts the spin to the turn of the colliders: a heavy body would gain energy otherwise, and a light one spin. */
  private keepSpin(turn: Vec3): void {
    const { body, index, made } = this;
    const spin = body.getAngularVelocity(index);
    keepMomentum({ mass: this.mass(), rotation: Quaternion.FromArray(made.rotation) }, Vector3.FromArray(turn), spin);
    body.setAngularVelocity(spin, index);
  }

  private pose(): { position: Vector3; rotation: Quaternion } {
    return poseOfMatrix(matrixOf(this.body.transformNode, this.index));
  }
}

type Triple = [number, number, number];
