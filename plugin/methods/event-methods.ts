import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Observable } from "@babylonjs/core/Misc/observable";
import {
  type IBasePhysicsCollisionEvent,
  type IPhysicsCollisionEvent,
  PhysicsEventType,
  PhysicsMotionType,
} from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { PhysicsShape } from "@babylonjs/core/Physics/v2/physicsShape";
import type { RigidBody } from "../../src/world/rigid/rigid-body";
import type { RigidWorld } from "../../src/world/rigid/rigid-world";
import { BodyObservables } from "../events/body-observables";
import { ContactTracker, type Phase, type Touch } from "../events/contact-tracker";
import { meant, stateOf, statesOf } from "../rigid/bodies";
import { dataOf } from "../shape/shape-data";
import { CableMethods } from "./cable-methods";

/** Bits of an event mask, as in Havok. */
const MASK: Readonly<Record<Phase, number>> = { started: 1, continued: 2, finished: 4 };

const collisionType: Readonly<Record<Phase, PhysicsEventType>> = {
  started: PhysicsEventType.COLLISION_STARTED,
  continued: PhysicsEventType.COLLISION_CONTINUED,
  finished: PhysicsEventType.COLLISION_FINISHED,
};

/** The body of the scene that a body of the solver belongs to. */
interface Owner {
  readonly body: PhysicsBody;
  readonly index: number;
  readonly mask: number;
}

/**
 * Events of collisions and triggers, sent as by Babylon's Havok plugin: after each step, for bodies with such events
 * enabled.
 */
export abstract class EventMethods extends CableMethods {
  readonly onCollisionObservable = new Observable<IPhysicsCollisionEvent>();
  readonly onCollisionEndedObservable = new Observable<IBasePhysicsCollisionEvent>();
  readonly onTriggerCollisionObservable = new Observable<IBasePhysicsCollisionEvent>();
  private readonly collisionObservables = new BodyObservables<IPhysicsCollisionEvent>();
  private readonly endedObservables = new BodyObservables<IBasePhysicsCollisionEvent>();
  private readonly tracker = new ContactTracker();

  /** @param mask 1: collisions that start, 2: that continue, 4: that end */
  setEventMask(body: PhysicsBody, mask: number, instanceIndex?: number): void {
    for (const state of meant(body, instanceIndex)) state.eventMask = mask;
  }

  getEventMask(body: PhysicsBody, instanceIndex?: number): number {
    return stateOf(body, instanceIndex).eventMask;
  }

  setCollisionCallbackEnabled(body: PhysicsBody, enabled: boolean, instanceIndex?: number): void {
    this.setEventMask(body, enabled ? MASK.started | MASK.continued | MASK.finished : 0, instanceIndex);
  }

  setCollisionEndedCallbackEnabled(body: PhysicsBody, enabled: boolean, instanceIndex?: number): void {
    for (const state of meant(body, instanceIndex))
      state.eventMask = enabled ? state.eventMask | MASK.finished : state.eventMask & ~MASK.finished;
  }

  /** Notifies of collisions of one body that start or continue: of all its thin instances, or of the given one. */
  getCollisionObservable(body: PhysicsBody, instanceIndex?: number): Observable<IPhysicsCollisionEvent> {
    if (instanceIndex !== undefined) stateOf(body, instanceIndex);
    return this.collisionObservables.of(body, instanceIndex);
  }

  /** Notifies of collisions of one body that end. */
  getCollisionEndedObservable(body: PhysicsBody, instanceIndex?: number): Observable<IBasePhysicsCollisionEvent> {
    if (instanceIndex !== undefined) stateOf(body, instanceIndex);
    return this.endedObservables.of(body, instanceIndex);
  }

  /** Sets whether a shape is a trigger, which reports the bodies in it and pushes none. */
  setTrigger(shape: PhysicsShape, isTrigger: boolean): void {
    const data = dataOf(shape);
    data.isTrigger = isTrigger;
    data.version++;
  }

  override removeBody(body: PhysicsBody): void {
    super.removeBody(body);
    this.collisionObservables.remove(body);
    this.endedObservables.remove(body);
  }

  /** After a step of the solver: moves nodes to their bodies, then sends events of collisions, then of triggers. */
  protected sendEvents(dt: number): void {
    const { rigid } = this;
    const touches = this.tracker.update(rigid, dt);
    if (touches.length === 0) return;
    const owners = this.owners();
    const events: { touch: Touch; a: Owner; b: Owner }[] = [];
    for (const touch of touches) {
      const a = owners.get(touch.bodyA);
      const b = owners.get(touch.bodyB);
      if (a && b && (touch.isTrigger ? touch.phase !== "continued" : ((a.mask | b.mask) & MASK[touch.phase]) !== 0))
        events.push({ touch, a, b });
    }
    if (events.length === 0) return;
    this.writeAllNodes();
    for (const isTrigger of [false, true])
      for (const { touch, a, b } of events) {
        // an observer may have disposed one of them
        if (touch.isTrigger !== isTrigger || a.body.isDisposed || b.body.isDisposed) continue;
        if (isTrigger) this.sendTrigger(touch, a, b);
        else this.sendCollision(touch, a, b, rigid);
      }
  }

  protected clearObservables(): void {
    this.onCollisionObservable.clear();
    this.onCollisionEndedObservable.clear();
    this.onTriggerCollisionObservable.clear();
    this.collisionObservables.clear();
    this.endedObservables.clear();
    this.tracker.clear();
  }

  private owners(): Map<RigidBody, Owner> {
    const owners = new Map<RigidBody, Owner>();
    for (const body of this.bodies)
      for (const { engine, index, eventMask } of statesOf(body))
        if (engine.solverBody) owners.set(engine.solverBody, { body, index: index ?? 0, mask: eventMask });
    return owners;
  }

  private sendTrigger({ phase }: Touch, a: Owner, b: Owner): void {
    const type = phase === "started" ? PhysicsEventType.TRIGGER_ENTERED : PhysicsEventType.TRIGGER_EXITED;
    this.onTriggerCollisionObservable.notifyObservers(leads(a, b) ? baseEvent(a, b, type) : baseEvent(b, a, type));
  }

  private sendCollision(touch: Touch, a: Owner, b: Owner, world: RigidWorld): void {
    const type = collisionType[touch.phase];
    const isLedByA = leads(a, b);
    if (touch.phase === "finished") {
      const [first, second] = isLedByA ? [a, b] : [b, a];
      this.onCollisionEndedObservable.notifyObservers(baseEvent(first, second, type));
      this.endedObservables.notify(first, baseEvent(first, second, type));
      this.endedObservables.notify(second, baseEvent(second, first, type));
      return;
    }
    const { contacts } = world;
    const at = 3 * touch.contact;
    const distance = this.frame.lengthInScene(contacts.separation[touch.contact]);
    const seen = (points: ArrayLike<number>, sign: number): Partial<IPhysicsCollisionEvent> => ({
      point: this.frame.pointInScene(points, at),
      normal: Vector3.FromArray(contacts.normal, at).scaleInPlace(sign),
      distance,
      impulse: this.frame.lengthInScene(touch.impulse),
    });
    const fromA = { ...baseEvent(a, b, type), ...seen(contacts.pointA, 1) } as IPhysicsCollisionEvent;
    const fromB = { ...baseEvent(b, a, type), ...seen(contacts.pointB, -1) } as IPhysicsCollisionEvent;
    const both = [
      { owner: a, event: fromA },
      { owner: b, event: fromB },
    ];
    if (!isLedByA) both.reverse();
    this.onCollisionObservable.notifyObservers(both[0].event);
    for (const { owner, event } of both) this.collisionObservables.notify(owner, event);
  }
}

/** Whether the first of two bodies is the collider: the moving one, as with Havok; if both or none move, the first. */
function leads(a: Owner, b: Owner): boolean {
  const isStatic = ({ body, index }: Owner): boolean => body.getMotionType(index) === PhysicsMotionType.STATIC;
  return !isStatic(a) || isStatic(b);
}

function baseEvent(a: Owner, b: Owner, type: PhysicsEventType): IBasePhysicsCollisionEvent {
  return {
    collider: a.body,
    colliderIndex: a.index,
    collidedAgainst: b.body,
    collidedAgainstIndex: b.index,
    type,
  };
}
