import { Observable } from "@babylonjs/core/Misc/observable";
import type {
  ConstrainedBodyPair,
  IBasePhysicsCollisionEvent,
  IPhysicsCollisionEvent,
  PhysicsConstraintAxis,
  PhysicsConstraintAxisLimitMode,
  PhysicsConstraintMotorType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { PhysicsConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint";
import type { PhysicsShape } from "@babylonjs/core/Physics/v2/physicsShape";
import { PliantError } from "../../src/errors";

function refuse(method: string, feature: string): never {
  throw new PliantError("unsupported", method, feature, "is not supported in this version");
}

const CONSTRAINTS = "constraints between rigid bodies";
const EVENTS = "collision and trigger events of rigid bodies";

/** An observable that nobody can wait for in vain. */
function refusingObservable<T>(name: string): Observable<T> {
  const observable: Observable<T> = new Observable<T>((observer) => {
    observable.remove(observer);
    refuse(name, EVENTS);
  });
  return observable;
}

/**
 * What Babylon can ask of a physics plugin and Pliant does not do yet. Each call says so by a `PliantError` with code
 * `unsupported`, instead of doing nothing.
 */
export abstract class RefusedMethods {
  readonly onCollisionObservable = refusingObservable<IPhysicsCollisionEvent>("PliantPlugin.onCollisionObservable");
  readonly onCollisionEndedObservable = refusingObservable<IBasePhysicsCollisionEvent>(
    "PliantPlugin.onCollisionEndedObservable",
  );
  readonly onTriggerCollisionObservable = refusingObservable<IBasePhysicsCollisionEvent>(
    "PliantPlugin.onTriggerCollisionObservable",
  );

  setEventMask(_body: PhysicsBody, _mask: number, _instance?: number): void {
    refuse("PhysicsBody.setEventMask", EVENTS);
  }

  /** No event is ever sent. */
  getEventMask(_body: PhysicsBody, _instance?: number): number {
    return 0;
  }

  setCollisionCallbackEnabled(_body: PhysicsBody, enabled: boolean, _instance?: number): void {
    if (enabled) refuse("PhysicsBody.setCollisionCallbackEnabled", EVENTS);
  }

  setCollisionEndedCallbackEnabled(_body: PhysicsBody, enabled: boolean, _instance?: number): void {
    if (enabled) refuse("PhysicsBody.setCollisionEndedCallbackEnabled", EVENTS);
  }

  getCollisionObservable(_body: PhysicsBody, _instance?: number): Observable<IPhysicsCollisionEvent> {
    return refuse("PhysicsBody.getCollisionObservable", EVENTS);
  }

  getCollisionEndedObservable(_body: PhysicsBody, _instance?: number): Observable<IBasePhysicsCollisionEvent> {
    return refuse("PhysicsBody.getCollisionEndedObservable", EVENTS);
  }

  setTrigger(_shape: PhysicsShape, isTrigger: boolean): void {
    if (isTrigger) refuse("PhysicsShape.isTrigger", EVENTS);
  }

  addConstraint(
    _body: PhysicsBody,
    _child: PhysicsBody,
    _constraint: PhysicsConstraint,
    _instance?: number,
    _childInstance?: number,
  ): void {
    refuse("PhysicsBody.addConstraint", CONSTRAINTS);
  }

  initConstraint(_constraint: PhysicsConstraint, _body: PhysicsBody, _child: PhysicsBody): void {
    refuse("PhysicsPlugin.initConstraint", CONSTRAINTS);
  }

  /** A constraint was never added to anything: there is nothing to free. */
  disposeConstraint(_constraint: PhysicsConstraint): void {}

  getBodiesUsingConstraint(_constraint: PhysicsConstraint): ConstrainedBodyPair[] {
    return [];
  }

  setEnabled(_constraint: PhysicsConstraint, _enabled: boolean): void {
    refuse("PhysicsConstraint.isEnabled", CONSTRAINTS);
  }

  getEnabled(_constraint: PhysicsConstraint): boolean {
    return refuse("PhysicsConstraint.isEnabled", CONSTRAINTS);
  }

  setCollisionsEnabled(_constraint: PhysicsConstraint, _enabled: boolean): void {
    refuse("PhysicsConstraint.isCollisionsEnabled", CONSTRAINTS);
  }

  getCollisionsEnabled(_constraint: PhysicsConstraint): boolean {
    return refuse("PhysicsConstraint.isCollisionsEnabled", CONSTRAINTS);
  }

  setAxisFriction(_constraint: PhysicsConstraint, _axis: PhysicsConstraintAxis, _friction: number): void {
    refuse("PhysicsConstraint.setAxisFriction", CONSTRAINTS);
  }

  getAxisFriction(_constraint: PhysicsConstraint, _axis: PhysicsConstraintAxis): number | null {
    return refuse("PhysicsConstraint.getAxisFriction", CONSTRAINTS);
  }

  setAxisMode(
    _constraint: PhysicsConstraint,
    _axis: PhysicsConstraintAxis,
    _mode: PhysicsConstraintAxisLimitMode,
  ): void {
    refuse("PhysicsConstraint.setAxisMode", CONSTRAINTS);
  }

  getAxisMode(_constraint: PhysicsConstraint, _axis: PhysicsConstraintAxis): PhysicsConstraintAxisLimitMode | null {
    return refuse("PhysicsConstraint.getAxisMode", CONSTRAINTS);
  }

  setAxisMinLimit(_constraint: PhysicsConstraint, _axis: PhysicsConstraintAxis, _limit: number): void {
    refuse("PhysicsConstraint.setAxisMinLimit", CONSTRAINTS);
  }

  getAxisMinLimit(_constraint: PhysicsConstraint, _axis: PhysicsConstraintAxis): number | null {
    return refuse("PhysicsConstraint.getAxisMinLimit", CONSTRAINTS);
  }

  setAxisMaxLimit(_constraint: PhysicsConstraint, _axis: PhysicsConstraintAxis, _limit: number): void {
    refuse("PhysicsConstraint.setAxisMaxLimit", CONSTRAINTS);
  }

  getAxisMaxLimit(_constraint: PhysicsConstraint, _axis: PhysicsConstraintAxis): number | null {
    return refuse("PhysicsConstraint.getAxisMaxLimit", CONSTRAINTS);
  }

  setAxisMotorType(
    _constraint: PhysicsConstraint,
    _axis: PhysicsConstraintAxis,
    _motor: PhysicsConstraintMotorType,
  ): void {
    refuse("PhysicsConstraint.setAxisMotorType", CONSTRAINTS);
  }

  getAxisMotorType(_constraint: PhysicsConstraint, _axis: PhysicsConstraintAxis): PhysicsConstraintMotorType | null {
    return refuse("PhysicsConstraint.getAxisMotorType", CONSTRAINTS);
  }

  setAxisMotorTarget(_constraint: PhysicsConstraint, _axis: PhysicsConstraintAxis, _target: number): void {
    refuse("PhysicsConstraint.setAxisMotorTarget", CONSTRAINTS);
  }

  getAxisMotorTarget(_constraint: PhysicsConstraint, _axis: PhysicsConstraintAxis): number | null {
    return refuse("PhysicsConstraint.getAxisMotorTarget", CONSTRAINTS);
  }

  setAxisMotorMaxForce(_constraint: PhysicsConstraint, _axis: PhysicsConstraintAxis, _force: number): void {
    refuse("PhysicsConstraint.setAxisMotorMaxForce", CONSTRAINTS);
  }

  getAxisMotorMaxForce(_constraint: PhysicsConstraint, _axis: PhysicsConstraintAxis): number | null {
    return refuse("PhysicsConstraint.getAxisMotorMaxForce", CONSTRAINTS);
  }
}
