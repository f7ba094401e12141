import type { RigidBody } from "../../src/world/rigid/rigid-body";
import { rigidParts } from "../../src/world/rigid/parts/parts";
import type { RigidWorld } from "../../src/world/rigid/rigid-world";

export type Phase = "started" | "continued" | "finished";

/** A pair of bodies that touch, or have just parted. */
export interface Touch {
  readonly bodyA: RigidBody;
  readonly bodyB: RigidBody;
  readonly isTrigger: boolean;
  readonly phase: Phase;
  /** index of the deepest contact in the buffer of the world, −1 if the bodies sleep or have parted */
  readonly contact: number;
  /** N s */
  readonly impulse: number;
}

/** A known pair. If two bodies touch with some parts and are in a trigger with others, they make two pairs. */
interface Known extends Pick<Touch, "bodyA" | "bodyB" | "isTrigger"> {
  seen: number;
  isNew: boolean;
  contact: number;
  impulse: number;
}

/** Ids of bodies are below this, so that two of them and a flag make one exact number. */
const ID_LIMIT = 2 ** 26;

/** Follows from step to step which bodies touch each other. */
export class ContactTracker {
  private readonly touching = new Map<number, Known>();
  private step = 0;

  /**
   * Finds the touches that began, continued and ended in the last step, sorted by the ids of the bodies.
   *
   * @param dt length of the step [s]
   */
  update(world: RigidWorld, dt: number): Touch[] {
    const { pairs } = world;
    this.step++;
    const seen: Known[] = [];
    for (let k = 0; k < pairs.count; k++) {
      const known = this.note(world, k, dt);
      if (known) seen.push(known);
    }
    const touches = seen.map(({ bodyA, bodyB, isTrigger, isNew, contact, impulse }): Touch => ({
      bodyA,
      bodyB,
      isTrigger,
      phase: isNew ? "started" : "continued",
      contact,
      impulse,
    }));
    for (const [key, { bodyA, bodyB, isTrigger, seen: last }] of this.touching) {
      if (last === this.step) continue;
      // Sleeping bodies are not in the list of pairs, and keep their places.
      if (!bodyA.isDisposed && !bodyB.isDisposed && isStill(bodyA) && isStill(bodyB)) continue;
      this.touching.delete(key);
      touches.push({ bodyA, bodyB, isTrigger, phase: "finished", contact: -1, impulse: 0 });
    }
    return touches;
  }

  clear(): void {
    this.touching.clear();
  }

  /** Records an entry of the list of pairs; returns the pair at its first entry in this step. */
  private note(world: RigidWorld, k: number, dt: number): Known | undefined {
    const { pairs, contacts, bodies } = world;
    let contact = -1;
    for (let c = pairs.first[k]; c < pairs.end[k]; c++)
      if (contact < 0 || contacts.separation[c] < contacts.separation[contact]) contact = c;
    const impulse = pairs.impulse[k];
    const isTrigger = pairs.isSensor[k] === 1;
    if (contact < 0) return undefined;
    if (
      !(
        impulse > 0 ||
        contacts.separation[contact] <= 0 ||
        (isTrigger && rigidParts.solver.loaded!.metOnWay(world, k, dt))
      )
    )
      return undefined;
    const [bodyA, bodyB] = [bodies[pairs.bodyA[k]], bodies[pairs.bodyB[k]]];
    const key = (bodyA.id * ID_LIMIT + bodyB.id) * 2 + (isTrigger ? 1 : 0);
    const known = this.touching.get(key);
    if (known?.seen === this.step) {
      // another stretch of contacts of the same two bodies
      known.impulse += impulse;
      if (contacts.separation[contact] < contacts.separation[known.contact]) known.contact = contact;
      return undefined;
    }
    const isOld = known?.bodyA === bodyA && known.bodyB === bodyB;
    const now: Known = { bodyA, bodyB, isTrigger, seen: this.step, isNew: !isOld, contact, impulse };
    this.touching.set(key, now);
    return now;
  }
}

function isStill(body: RigidBody): boolean {
  return body.motion === "static" || body.isAsleep;
}
