import { Logger } from "@babylonjs/core/Misc/logger";
import { Observable } from "@babylonjs/core/Misc/observable";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { PhysicsConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint";
import type { DeformableAggregate } from "../deformable/deformable-aggregate";
import type { SkeletonAggregate } from "../skeleton/skeleton-aggregate";

/** A part of the scene that a step cannot use. The step is made without it. */
export interface PhysicsProblem {
  /**
   * A body keeps its place, out of the simulation, until its node, shape, mass or velocity changes. A constraint has no
   * effect until one of its bodies is made anew. A deformable body continues without the carrier that the error names.
   * `undefined`: the whole step.
   */
  readonly subject: PhysicsBody | PhysicsConstraint | DeformableAggregate | SkeletonAggregate | undefined;
  /** index of the thin instance of the body */
  readonly index?: number | undefined;
  /** names object, value and rule; mostly a `PliantError` */
  readonly error: Error;
}

/** Reports parts that a frame cannot use, instead of an exception in every frame. */
export class Problems {
  readonly onProblemObservable = new Observable<PhysicsProblem>();
  /** messages that are on the console already */
  private readonly told = new Set<string>();
  /** keys that failed at their last attempt, with messages */
  private readonly failing = new Map<object, string>();

  report(subject: PhysicsProblem["subject"], cause: unknown, index?: number): void {
    const error = asError(cause);
    this.onProblemObservable.notifyObservers({ subject, error, index });
    if (this.told.has(error.message)) return;
    this.told.add(error.message);
    Logger.Warn(`Pliant: ${error.message}. The scene goes on.`);
  }

  /**
   * Calls a function; reports its error when it begins to fail.
   *
   * @param key distinguishes several functions of one subject
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
