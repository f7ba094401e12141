import { Observable } from "@babylonjs/core/Misc/observable";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";

/** Key of the observable for all instances of a body, and for a body without instances. */
const ALL = -1;

/** Observables of bodies, and of thin instances of them. */
export class BodyObservables<T> {
  private readonly table = new Map<PhysicsBody, Map<number, Observable<T>>>();

  of(body: PhysicsBody, index = ALL): Observable<T> {
    let ofBody = this.table.get(body);
    if (!ofBody) this.table.set(body, (ofBody = new Map<number, Observable<T>>()));
    // callers may use index 0 for a body without instances
    const key = body.numInstances > 0 ? index : ALL;
    let observable = ofBody.get(key);
    if (!observable) ofBody.set(key, (observable = new Observable<T>()));
    return observable;
  }

  notify({ body, index }: { readonly body: PhysicsBody; readonly index: number }, event: T): void {
    const ofBody = this.table.get(body);
    ofBody?.get(ALL)?.notifyObservers(event);
    ofBody?.get(index)?.notifyObservers(event);
  }

  remove(body: PhysicsBody): void {
    for (const observable of this.table.get(body)?.values() ?? []) observable.clear();
    this.table.delete(body);
  }

  clear(): void {
    for (const body of [...this.table.keys()]) this.remove(body);
  }
}
