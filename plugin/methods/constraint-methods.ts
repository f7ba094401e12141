import type {
  ConstrainedBodyPair,
  PhysicsConstraintAxis,
  PhysicsConstraintAxisLimitMode,
  PhysicsConstraintMotorType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { PhysicsConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint";
import { invalid, outOfRange, PliantError } from "../../src/errors";
import type { AxisSettings } from "../../src/solvers/newton/joints/axis";
import type { RigidBody } from "../../src/world/rigid/rigid-body";
import type { AxisName, RigidJoint } from "../../src/world/rigid/rigid-joint";
import type { RigidWorld } from "../../src/world/rigid/rigid-world";
import {
  axisModes,
  axisName,
  type ConstraintData,
  constraintDataOf,
  type ConstraintPair,
  createConstraintData,
  inMetres,
  motorTypes,
  reachable,
  requireLimits,
} from "../constraints/constraint-data";
import { framesOf } from "../constraints/frames";
import { requireAtLeast, requireFinite, toVec3 } from "../geometry/convert";
import { nameOf, stateOf, statesOf } from "../rigid/bodies";
import { BodyMethods } from "./body-methods";

/** The methods of Babylon's physics plugins about constraints; they have the same meaning as with Havok. */
export abstract class ConstraintMethods extends BodyMethods {
  abstract readonly rigid: RigidWorld;
  /** @internal */
  readonly _constraints = new Map<PhysicsConstraint, ConstraintData>();

  /** @throws PliantError for a body with itself, a missing or wrong instance index, a constraint that is not valid */
  initConstraint(
    constraint: PhysicsConstraint,
    body: PhysicsBody,
    childBody: PhysicsBody,
    instanceIndex?: number,
    childInstanceIndex?: number,
  ): void {
    this.check();
    const index = this.indexOf(body, instanceIndex);
    const childIndex = this.indexOf(childBody, childInstanceIndex);
    if (body === childBody && index === childIndex)
      throw invalid(`PhysicsConstraint at ${nameOf(body)}`, "itself", "must join two bodies");
    const data = constraintDataOf(constraint) ?? createConstraintData(constraint);
    const frames = framesOf(constraint);
    constraint._pluginData = data;
    // Babylon's PhysicsViewer draws the frames of a constraint from this
    constraint._initOptions ??= frames;
    this._constraints.set(constraint, data);
    data.pairs.push({ body, index, child: childBody, childIndex, frames, joint: undefined });
  }

  addConstraint(
    body: PhysicsBody,
    childBody: PhysicsBody,
    constraint: PhysicsConstraint,
    instanceIndex?: number,
    childInstanceIndex?: number,
  ): void {
    this.initConstraint(constraint, body, childBody, instanceIndex, childInstanceIndex);
  }

  disposeConstraint(constraint: PhysicsConstraint): void {
    const data = constraint._pluginData as Partial<ConstraintData> | null | undefined;
    for (const { joint } of data?.pairs ?? []) joint?.dispose();
    this._constraints.delete(constraint);
    constraint._pluginData = { disposed: true } satisfies Partial<ConstraintData>;
  }

  getBodiesUsingConstraint(constraint: PhysicsConstraint): ConstrainedBodyPair[] {
    const pairs = constraintDataOf(constraint)?.pairs ?? [];
    return pairs.map(({ body, index, child, childIndex }) => ({
      parentBody: body,
      parentBodyIndex: index ?? 0,
      childBody: child,
      childBodyIndex: childIndex ?? 0,
    }));
  }

  setEnabled(constraint: PhysicsConstraint, isEnabled: boolean): void {
    const data = this.dataOf(constraint);
    data.enabled = isEnabled;
    for (const { joint } of data.pairs) if (joint && !joint.isDisposed) joint.isEnabled = isEnabled;
  }

  getEnabled(constraint: PhysicsConstraint): boolean {
    return this.dataOf(constraint).enabled;
  }

  setCollisionsEnabled(constraint: PhysicsConstraint, isEnabled: boolean): void {
    const data = this.dataOf(constraint);
    if (data.collision === isEnabled) return;
    data.collision = isEnabled;
    for (const { joint } of data.pairs) joint?.dispose();
  }

  getCollisionsEnabled(constraint: PhysicsConstraint): boolean {
    return this.dataOf(constraint).collision;
  }

  /** @param friction highest friction that holds the axis still, N or N·m */
  setAxisFriction(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, friction: number): void {
    requireAtLeast("PhysicsConstraint axis friction", friction, 0);
    this.configure(constraint, axis, { friction });
  }

  getAxisFriction(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): number | null {
    return this.read(constraint, axis)?.friction ?? null;
  }

  setAxisMode(
    constraint: PhysicsConstraint,
    axis: PhysicsConstraintAxis,
    limitMode: PhysicsConstraintAxisLimitMode,
  ): void {
    const mode = axisModes[limitMode] as AxisSettings["mode"] | undefined;
    if (!mode) throw invalid("PhysicsConstraint axis mode", limitMode, "must be a known mode");
    this.configure(constraint, axis, { mode });
  }

  getAxisMode(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): PhysicsConstraintAxisLimitMode | null {
    return keyOf(axisModes, this.read(constraint, axis)?.mode);
  }

  /** @param minLimit m or rad; above the upper limit, the axis is held in the middle of the two */
  setAxisMinLimit(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, minLimit: number): void {
    requireLimits(minLimit, Infinity);
    this.configure(constraint, axis, { min: minLimit });
  }

  getAxisMinLimit(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): number | null {
    return this.read(constraint, axis)?.min ?? null;
  }

  /** @param limit m or rad; below the lower limit, the axis is held in the middle of the two */
  setAxisMaxLimit(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, limit: number): void {
    requireLimits(-Infinity, limit);
    this.configure(constraint, axis, { max: limit });
  }

  getAxisMaxLimit(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): number | null {
    return this.read(constraint, axis)?.max ?? null;
  }

  setAxisMotorType(
    constraint: PhysicsConstraint,
    axis: PhysicsConstraintAxis,
    motorType: PhysicsConstraintMotorType,
  ): void {
    const motor = motorTypes[motorType] as AxisSettings["motor"] | undefined;
    if (!motor) throw invalid("PhysicsConstraint motor", motorType, "must be a known type");
    this.configure(constraint, axis, { motor });
  }

  getAxisMotorType(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): PhysicsConstraintMotorType | null {
    return keyOf(motorTypes, this.read(constraint, axis)?.motor);
  }

  /** @param target m/s or rad/s, or m or rad */
  setAxisMotorTarget(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, target: number): void {
    requireFinite("PhysicsConstraint motor target", target);
    this.configure(constraint, axis, { target });
  }

  getAxisMotorTarget(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): number | null {
    return this.read(constraint, axis)?.target ?? null;
  }

  /** @param maxForce N or N·m, may be infinite */
  setAxisMotorMaxForce(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, maxForce: number): void {
    if (maxForce !== Infinity) requireAtLeast("PhysicsConstraint motor force", maxForce, 0);
    this.configure(constraint, axis, { maxForce });
  }

  getAxisMotorMaxForce(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): number | null {
    return this.read(constraint, axis)?.maxForce ?? null;
  }

  /** Before a step: updates joints of all pairs whose bodies are in the solver. */
  protected refreshConstraints(): void {
    for (const [constraint, data] of this._constraints) {
      for (const pair of [...data.pairs])
        if (isThere(this.bodies, pair.body, pair.index) && isThere(this.bodies, pair.child, pair.childIndex))
          this.refreshJoint(constraint, data, pair);
        else {
          pair.joint?.dispose();
          data.pairs.splice(data.pairs.indexOf(pair), 1);
        }
      // there is nothing to join any more; joining other bodies would bring the constraint back
      if (data.pairs.length === 0) this._constraints.delete(constraint);
    }
  }

  private refreshJoint(constraint: PhysicsConstraint, data: ConstraintData, pair: ConstraintPair): void {
    if (pair.joint && !pair.joint.isDisposed) return;
    const bodyA = stateOf(pair.body, pair.index).engine.solverBody;
    const bodyB = stateOf(pair.child, pair.childIndex).engine.solverBody;
    const { failedWith } = pair;
    if (!bodyA || !bodyB || (failedWith?.[0] === bodyA && failedWith[1] === bodyB)) return;
    try {
      pair.joint = this.makeJoint(data, pair, bodyA, bodyB);
      pair.failedWith = undefined;
    } catch (cause) {
      pair.failedWith = [bodyA, bodyB];
      this._problems.report(constraint, cause);
    }
  }

  private makeJoint(data: ConstraintData, pair: ConstraintPair, bodyA: RigidBody, bodyB: RigidBody): RigidJoint {
    const { pivotA, pivotB, axisA, axisB, perpAxisA, perpAxisB } = pair.frames;
    const joint: RigidJoint = this.rigid.addJoint({
      type: "six-dof",
      bodyA,
      bodyB,
      pivotA: this.frame.offset(pivotA),
      pivotB: this.frame.offset(pivotB),
      axisA: toVec3(axisA),
      axisB: toVec3(axisB),
      perpendicularA: toVec3(perpAxisA),
      perpendicularB: toVec3(perpAxisB),
      collision: data.collision,
      axes: Object.fromEntries(
        (Object.keys(data.axes) as AxisName[]).map((name) => [name, this.axisInEngine(data, name)]),
      ),
    });
    if (!data.enabled) joint.isEnabled = false;
    return joint;
  }

  private configure(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis, settings: Partial<AxisSettings>): void {
    const { axes, pairs } = this.dataOf(constraint);
    const name = axisName(axis);
    Object.assign(axes[name], settings);
    for (const { joint } of pairs)
      if (joint && !joint.isDisposed) joint.configure(name, this.axisInEngine({ axes }, name));
  }

  private axisInEngine({ axes }: Pick<ConstraintData, "axes">, name: AxisName): AxisSettings {
    return inMetres(reachable(axes[name]), name, this.frame.unitsPerMetre);
  }

  private read(constraint: PhysicsConstraint, axis: PhysicsConstraintAxis): AxisSettings | undefined {
    return constraintDataOf(constraint)?.axes[axisName(axis)];
  }

  /** Also works before the constraint joins any bodies: settings then hold from the start. */
  private dataOf(constraint: PhysicsConstraint): ConstraintData {
    const data = constraintDataOf(constraint) ?? createConstraintData(constraint);
    constraint._pluginData = data;
    return data;
  }

  private indexOf(body: PhysicsBody, index: number | undefined): number | undefined {
    if (body.isDisposed) throw new PliantError("disposed", nameOf(body), "a constraint", "was disposed");
    if (body.numInstances === 0) return undefined;
    if (index === undefined || statesOf(body)[index] === undefined)
      throw outOfRange(`${nameOf(body)} instance`, index, `must be given for a constraint, below ${body.numInstances}`);
    return index;
  }
}

/** Whether a body, or its thin instance, is still in the scene. */
function isThere(bodies: ReadonlySet<PhysicsBody>, body: PhysicsBody, index = 0): boolean {
  return bodies.has(body) && index < statesOf(body).length;
}

function keyOf<K extends number, V>(table: Readonly<Record<K, V>>, value: V | undefined): K | null {
  const entry = Object.entries(table).find(([, candidate]) => candidate === value);
  return entry ? (Number(entry[0]) as K) : null;
}
