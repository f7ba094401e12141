import { BoundingBox } from "@babylonjs/core/Culling/boundingBox";
import type { Quaternion } from "@babylonjs/core/Maths/math.vector";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Node } from "@babylonjs/core/node";
import {
  PhysicsActivationControl,
  PhysicsMotionType,
  type PhysicsMassProperties,
  PhysicsPrestepType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { PhysicsShape } from "@babylonjs/core/Physics/v2/physicsShape";
import { compose, IDENTITY } from "../../src/collision/shape/affine";
import type { World } from "../../src/index";
import { requireAtLeast, requireFiniteVector, requireRotation, toQuat, toVec3 } from "../geometry/convert";
import { hasPosition } from "../deformable/leading-body";
import { Problems } from "../events/problems";
import { nameOf, partsOf, putAtNode, readNode, simulated, stateOf, statesOf, writeNodes } from "../rigid/bodies";
import { createInstances, isUsable, rescale, resizeInstances, scalingError } from "../rigid/instances";
import { massOfShape, requireMassProperties, resolveMass } from "../rigid/mass-properties";
import { aim, applyAngularImpulse, applyForce, applyImpulse, applyTorque, limit } from "../rigid/motion";
import { instanceMatrices, writeInstancePose, writeNodePose } from "../rigid/node-pose";
import { RigidState } from "../rigid/rigid-state";
import { shapeBounds, union } from "../../src/collision/shape/shape-bounds";
import { roundShapeOf } from "../shape/round-shape";
import { dataOf, wholeGeometry, type ShapeData } from "../shape/shape-data";
import { trianglesOfShape } from "../shape/tessellate";
import { ShapeMethods } from "./shape-methods";

/** The methods of Babylon's physics plugins about bodies. */
export abstract class BodyMethods extends ShapeMethods {
  abstract readonly world: World;
  /** @internal problems of the scene's parts in a frame */
  readonly _problems = new Problems();
  /** Every body of the scene. */
  protected readonly bodies = new Set<PhysicsBody>();
  /** m/s */
  maxLinearVelocity = 200;
  /** rad/s */
  maxAngularVelocity = 100;

  /** @internal the time step, or, while the simulation is stopped, the last one before, s */
  abstract get _runningTimeStep(): number;

  /**
   * @internal
   * @param isOwn whether the body would be of this plugin: such a body feels deformable bodies of GPBD
   * @throws PliantError if a node that carries vertices of a deformable body, or an ancestor of such a node, is to get
   * a dynamic body
   */
  abstract _refuseDynamic(isLed: (node: Node) => boolean, isOwn: boolean): void;

  /**
   * @internal the state of a body of this plugin; undefined for a body of another plugin, and for one with instances
   */
  _stateOf(body: PhysicsBody): RigidState | undefined {
    return this.bodies.has(body) && body.numInstances === 0 ? stateOf(body) : undefined;
  }

  /**
   * @param maxLinearVelocity m/s
   * @param maxAngularVelocity rad/s
   */
  setVelocityLimits(maxLinearVelocity: number, maxAngularVelocity: number): void {
    this.check();
    requireAtLeast("PliantPlugin.maxLinearVelocity", maxLinearVelocity, 0);
    requireAtLeast("PliantPlugin.maxAngularVelocity", maxAngularVelocity, 0);
    this.maxLinearVelocity = maxLinearVelocity;
    this.maxAngularVelocity = maxAngularVelocity;
  }

  getMaxLinearVelocity(): number {
    return this.maxLinearVelocity;
  }

  getMaxAngularVelocity(): number {
    return this.maxAngularVelocity;
  }

  initBody(body: PhysicsBody, motionType: PhysicsMotionType, position: Vector3, orientation: Quaternion): void {
    this.check();
    requireFiniteVector(`${nameOf(body)} position`, position);
    requireRotation(`${nameOf(body)} orientation`, orientation);
    // The body does not know its node yet: only its position identifies the node.
    if (motionType === PhysicsMotionType.DYNAMIC) this._refuseDynamic(hasPosition(position), true);
    const state = new RigidState(this, () => nameOf(body), motionType, { position, rotation: orientation });
    state.startsAsleep = body.startAsleep;
    body._pluginData = state;
    this.bodies.add(body);
  }

  initBodyInstances(body: PhysicsBody, motionType: PhysicsMotionType, mesh: Mesh): void {
    this.check();
    const states = createInstances(this, motionType, mesh, 0);
    for (const state of states) state.startsAsleep = body.startAsleep;
    body._pluginDataInstances = states;
    this.bodies.add(body);
  }

  updateBodyInstances(body: PhysicsBody, mesh: Mesh): void {
    resizeInstances(this, body, mesh, (state) => {
      if (isUsable(state)) state.takeShape(shapeOf(body));
    });
  }

  removeBody(body: PhysicsBody): void {
    this.bodies.delete(body);
    for (const state of statesOf(body)) state.dispose();
  }

  disposeBody(body: PhysicsBody): void {
    this.removeBody(body);
  }

  sync(body: PhysicsBody): void {
    writeNodes(body);
  }

  /** Moves a node, which need not be the body's own, to the body; moves its thin instances to those of the body. */
  syncTransform(body: PhysicsBody, transformNode: TransformNode): void {
    if (transformNode === body.transformNode) writeNodes(body);
    else if (body.numInstances > 0 && instanceMatrices(transformNode)) {
      for (const state of statesOf(body)) {
        const scale = state.scale ? Vector3.FromArray(state.scale) : Vector3.One();
        writeInstancePose(transformNode, state.index!, state, scale);
      }
      (transformNode as Mesh).thinInstanceBufferUpdated("matrix");
    } else writeNodePose(transformNode, stateOf(body));
  }

  /**
   * The number of bodies, where each thin instance counts as one. A property of Babylon's HavokPlugin beyond the
   * interface.
   */
  get numBodies(): number {
    let count = 0;
    for (const body of this.bodies) count += statesOf(body).length;
    return count;
  }

  /**
   * Moves a body to a node at once, or gives it the velocity for that, depending on its prestep type. A method of
   * Babylon's HavokPlugin beyond the interface.
   */
  setPhysicsBodyTransformation(body: PhysicsBody, node: TransformNode): void {
    const prestep = body.getPrestepType();
    if (prestep === PhysicsPrestepType.TELEPORT) putAtNode(body, node);
    else if (prestep === PhysicsPrestepType.ACTION)
      this.setTargetTransform(body, node.absolutePosition, node.absoluteRotationQuaternion);
  }

  /** Sets whether a body may fall asleep. A method of Babylon's HavokPlugin beyond the interface. */
  setActivationControl(body: PhysicsBody, controlMode: PhysicsActivationControl): void {
    for (const state of statesOf(body)) {
      state.canSleep = controlMode !== PhysicsActivationControl.ALWAYS_ACTIVE;
      state.startsAsleep = controlMode === PhysicsActivationControl.ALWAYS_INACTIVE;
    }
  }

  setShape(body: PhysicsBody, shape: PhysicsShape | null): void {
    const data = shape ? dataOf(shape) : undefined;
    const { geometry } = data ?? {};
    if (data && (geometry?.type === "capsule" || geometry?.type === "cylinder")) {
      const fitting = roundShapeOf(geometry, body.transformNode);
      if (fitting) [data.geometry, data.version] = [fitting, data.version + 1];
    }
    for (const state of statesOf(body))
      if (isUsable(state)) state.takeShape(data);
      else this.leaveOut(body, state, scalingError(state));
  }

  getShape(body: PhysicsBody): PhysicsShape | null {
    return body.shape ?? null;
  }

  setMotionType(body: PhysicsBody, motionType: PhysicsMotionType, instanceIndex?: number): void {
    if (motionType === PhysicsMotionType.DYNAMIC && body.numInstances === 0)
      this._refuseDynamic((node) => node === body.transformNode, true);
    for (const state of simulated(body, instanceIndex)) {
      state.motionType = motionType;
      state.target = undefined;
      if (motionType !== PhysicsMotionType.STATIC) continue;
      state.linearVelocity.setAll(0);
      state.angularVelocity.setAll(0);
    }
  }

  getMotionType(body: PhysicsBody, instanceIndex?: number): PhysicsMotionType {
    return stateOf(body, instanceIndex).motionType;
  }

  computeMassProperties(body: PhysicsBody, _instanceIndex?: number): PhysicsMassProperties {
    return massOfShape(shapeOf(body));
  }

  setMassProperties(body: PhysicsBody, massProps: PhysicsMassProperties, instanceIndex?: number): void {
    requireMassProperties(nameOf(body), massProps);
    for (const state of simulated(body, instanceIndex)) {
      state.userMass = massProps;
      state.weigh(resolveMass(massProps, shapeOf(body)));
    }
  }

  getMassProperties(body: PhysicsBody, instanceIndex?: number): PhysicsMassProperties {
    return { ...stateOf(body, instanceIndex).ownMass };
  }

  /** @param damping 1/s: velocity falls off as exp(−damping t) */
  setLinearDamping(body: PhysicsBody, damping: number, instanceIndex?: number): void {
    requireAtLeast(`${nameOf(body)} linear damping`, damping, 0);
    for (const state of simulated(body, instanceIndex)) state.linearDamping = damping;
  }

  getLinearDamping(body: PhysicsBody, instanceIndex?: number): number {
    return stateOf(body, instanceIndex).linearDamping;
  }

  /** @param damping 1/s: angular velocity falls off as exp(−damping t) */
  setAngularDamping(body: PhysicsBody, damping: number, instanceIndex?: number): void {
    requireAtLeast(`${nameOf(body)} angular damping`, damping, 0);
    for (const state of simulated(body, instanceIndex)) state.angularDamping = damping;
  }

  getAngularDamping(body: PhysicsBody, instanceIndex?: number): number {
    return stateOf(body, instanceIndex).angularDamping;
  }

  /** @param linVel velocity of the center of mass, m/s */
  setLinearVelocity(body: PhysicsBody, linVel: Vector3, instanceIndex?: number): void {
    requireFiniteVector(`${nameOf(body)} linear velocity`, linVel);
    for (const state of movable(body, instanceIndex)) {
      state.velocityIsFromTarget = false;
      limit(state.linearVelocity.copyFrom(linVel), this.maxLinearVelocity);
    }
  }

  getLinearVelocityToRef(body: PhysicsBody, linVel: Vector3, instanceIndex?: number): void {
    linVel.copyFrom(stateOf(body, instanceIndex).linearVelocity);
  }

  /** @param angVel rad/s, world axes */
  setAngularVelocity(body: PhysicsBody, angVel: Vector3, instanceIndex?: number): void {
    requireFiniteVector(`${nameOf(body)} angular velocity`, angVel);
    for (const state of movable(body, instanceIndex)) {
      state.velocityIsFromTarget = false;
      limit(state.angularVelocity.copyFrom(angVel), this.maxAngularVelocity);
    }
  }

  getAngularVelocityToRef(body: PhysicsBody, angVel: Vector3, instanceIndex?: number): void {
    angVel.copyFrom(stateOf(body, instanceIndex).angularVelocity);
  }

  /**
   * @param impulse N·s
   * @param location point of application, world space
   */
  applyImpulse(body: PhysicsBody, impulse: Vector3, location: Vector3, instanceIndex?: number): void {
    requireFiniteVector(`${nameOf(body)} impulse`, impulse);
    requireFiniteVector(`${nameOf(body)} impulse location`, location);
    for (const state of dynamic(body, instanceIndex)) applyImpulse(state, impulse, location);
  }

  /** @param angularImpulse N·m·s, world axes */
  applyAngularImpulse(body: PhysicsBody, angularImpulse: Vector3, instanceIndex?: number): void {
    requireFiniteVector(`${nameOf(body)} angular impulse`, angularImpulse);
    for (const state of dynamic(body, instanceIndex)) applyAngularImpulse(state, angularImpulse);
  }

  /**
   * Applies a force during the next frame; call it every frame for a lasting force.
   *
   * @param force N
   * @param location point of application, world space
   */
  applyForce(body: PhysicsBody, force: Vector3, location: Vector3, instanceIndex?: number): void {
    requireFiniteVector(`${nameOf(body)} force`, force);
    requireFiniteVector(`${nameOf(body)} force location`, location);
    for (const state of dynamic(body, instanceIndex)) applyForce(state, force, location);
  }

  /** Applies a torque during the next frame. @param torque N·m, world axes */
  applyTorque(body: PhysicsBody, torque: Vector3, instanceIndex?: number): void {
    requireFiniteVector(`${nameOf(body)} torque`, torque);
    for (const state of dynamic(body, instanceIndex)) applyTorque(state, torque);
  }

  setGravityFactor(body: PhysicsBody, factor: number, instanceIndex?: number): void {
    requireAtLeast(`${nameOf(body)} gravity factor`, factor, -Number.MAX_VALUE);
    for (const state of simulated(body, instanceIndex)) state.gravityFactor = factor;
  }

  getGravityFactor(body: PhysicsBody, instanceIndex?: number): number {
    return stateOf(body, instanceIndex).gravityFactor;
  }

  /** Moves an animated body to a pose by the end of the next frame; a dynamic body gets the velocity for that. */
  setTargetTransform(body: PhysicsBody, position: Vector3, rotation: Quaternion, instanceIndex?: number): void {
    requireFiniteVector(`${nameOf(body)} target position`, position);
    requireRotation(`${nameOf(body)} target rotation`, rotation);
    for (const state of movable(body, instanceIndex)) {
      const target = { position: position.clone(), rotation: rotation.clone().normalize() };
      if (state.motionType === PhysicsMotionType.ANIMATED) state.target = { ...target, ofNode: false };
      else aim(state, target, this._runningTimeStep);
    }
  }

  /** Triangles of the shape, for viewers: `{ positions, indices }` in the frame of the body. */
  getBodyGeometry(body: PhysicsBody): { positions: Float32Array; indices: Uint32Array } {
    const data = shapeOf(body);
    const geometry = data && wholeGeometry(data);
    const { positions, indices } = geometry
      ? trianglesOfShape(geometry)
      : { positions: [], indices: new Uint32Array() };
    return { positions: Float32Array.from(positions), indices };
  }

  /**
   * Box around the body: `minimum` and `maximum` in its own frame, `minimumWorld` and `maximumWorld` in the world. For
   * a body with thin instances it is the box around all of them, in the world.
   */
  getBodyBoundingBox(body: PhysicsBody): BoundingBox {
    const data = shapeOf(body);
    const geometry = data && wholeGeometry(data);
    if (body.numInstances === 0) {
      const { min, max } = geometry ? shapeBounds(geometry) : { min: [0, 0, 0], max: [0, 0, 0] };
      const { position, rotation } = stateOf(body);
      const toWorld = Matrix.Compose(Vector3.One(), rotation, position);
      return new BoundingBox(Vector3.FromArray(min), Vector3.FromArray(max), toWorld);
    }
    const boxes = statesOf(body).map((state) => {
      const map = compose(IDENTITY, toVec3(state.position), toQuat(state.rotation), state.scale);
      return geometry ? shapeBounds(geometry, map) : { min: state.position.asArray(), max: state.position.asArray() };
    });
    const { min, max } = union(boxes);
    return new BoundingBox(Vector3.FromArray(min), Vector3.FromArray(max));
  }

  protected shapeOf(body: PhysicsBody): ShapeData | undefined {
    return shapeOf(body);
  }

  /** Before the steps of a frame: takes over changes of the shape of a body and of its node. */
  protected readBody(body: PhysicsBody): void {
    const data = shapeOf(body);
    for (const state of statesOf(body)) {
      const wasLeftOut = state.isLeftOut;
      if (wasLeftOut && !state.returns(partsOf(body, state, data))) continue;
      try {
        if (!isUsable(state)) rescale(state, body.transformNode);
        if (!isUsable(state)) throw scalingError(state);
        if (!state.isOf(data)) state.takeShape(data);
        readNode(body, state, this._runningTimeStep, wasLeftOut);
      } catch (cause) {
        this.leaveOut(body, state, cause);
      }
    }
  }

  /** Moves nodes to their bodies. */
  protected writeAllNodes(): void {
    for (const body of this.bodies) if (!body.disableSync) writeNodes(body);
  }

  /** Leaves out a body that cannot be simulated in its present state: the scene goes on without it. */
  protected leaveOut(body: PhysicsBody, state: RigidState, cause: unknown): void {
    state.leaveOut(partsOf(body, state, shapeOf(body)));
    this._problems.report(body, cause, state.index);
  }
}

/** Shape of a body; also works while Babylon is still setting the shape. */
function shapeOf(body: PhysicsBody): ShapeData | undefined {
  const data = body.shape?._pluginData as ShapeData | undefined;
  return data ?? undefined;
}

function movable(body: PhysicsBody, index: number | undefined): RigidState[] {
  return simulated(body, index).filter((state) => state.motionType !== PhysicsMotionType.STATIC);
}

function dynamic(body: PhysicsBody, index: number | undefined): RigidState[] {
  return simulated(body, index).filter((state) => state.motionType === PhysicsMotionType.DYNAMIC);
}
