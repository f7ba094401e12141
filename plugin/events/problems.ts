import { Logger } from "@babylonjs/core/Misc/logger";
import { Observable } from "@babylonjs/core/Misc/observable";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { PhysicsConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint";
import type { DeformableAggregate } from "../deformable/deformable-aggregate";
import type { SkeletonAggregate } from "../skeleton/skeleton-aggregate";

/** Something in the scene that a step cannot be made with. The step is made without it. */
export interface PhysicsProblem {
  /**
   * A body stays where it is, out of the simulation, until its node, shape, mass or velocity changes; a constraint holds nothing until
   * one of its bodies is made anew; a deformable body goes on, without the carrier that the error names. `undefined`: the whole step.
   */
  readonly subject: PhysicsBody | PhysicsConstraint | DeformableAggregate | SkeletonAggregate | undefined;
  /** which thin instance of the body */
  readonly index?: number | undefined;
  /** names object, value and rule; mostly a `PliantError` */
  readonly error: Error;
}

/** Tells of what a frame cannot use, in place of an exception in every frame. */
export class Problems {
  readonly onProblemObservable = new Observable<PhysicsProblem>();
  /** what has been told to the console */
  private readonly told = new Set<string>();
  /** what failed when it was last tried, and how */
  private readonly failing = new Map<object, string>();

  report(subject: PhysicsProblem["subject"], cause: unknown, index?: number): void {
    const error = asError(cause);
    this.onProblemObservable.notifyObservers({ subject, error, index });
    if (this.told.has(error.message)) return;
    this.told.add(error.message);
    Logger.Warn(`Pliant: ${error.message}. The scene goes on.`);
  }

  /**
   * Does something; reports why it cannot be done when it begins to fail.
   *
   * @param key what does it, where the subject has several of them
   */
  attempt(subject: PhysicsProblem["subject"], act: () => void, key: object = subject ?? this): void {
    try {
      act();
      this.failing.delete(key);
    } catch (cause) {
      const { message } = asError(cause);
      if (this.failing.get(key) === message) return;
      this.failing.set(key, message);
      this.report(subject, cause);
    }
  }

  clear(): void {
    this.onProblemObservable.clear();
    this.failing.clear();
  }
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}
