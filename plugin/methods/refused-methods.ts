import { Observable } from "@babylonjs/core/Misc/observable";
import type {
  IBasePhysicsCollisionEvent,
  IPhysicsCollisionEvent,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { PhysicsShape } from "@babylonjs/core/Physics/v2/physicsShape";
import { PliantError } from "../../src/errors";

function refuse(method: string, feature: string): never {
  throw new PliantError("unsupported", method, feature, "is not supported in this version");
}

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
}
