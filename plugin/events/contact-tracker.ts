import type { RigidBody } from "../../src/world/rigid/rigid-body";
import type { RigidWorld } from "../../src/world/rigid/rigid-world";

export type Phase = "started" | "continued" | "finished";

/** A pair of bodies that touch, or have just parted. */
export interface Touch {
  readonly bodyA: RigidBody;
  readonly bodyB: RigidBody;
  readonly isTrigger: boolean;
  readonly phase: Phase;
  /** number of the deepest contact in the buffer of the world, −1 where the bodies sleep or have parted */
  readonly contact: number;
  /** N s */
  readonly impulse: number;
}

interface Known {
  bodyA: RigidBody;
  bodyB: RigidBody;
  isTrigger: boolean;
  seen: number;
}

/** Follows from step to step which bodies touch. */
export class ContactTracker {
  private readonly touching = new Map<string, Known>();
  private step = 0;

  /** What began, went on and ended in the last step, sorted by the ids of the bodies. */
  update(world: RigidWorld): Touch[] {
    const { pairs, contacts, bodies } = world;
    const touches: Touch[] = [];
    this.step++;
    for (let k = 0; k < pairs.count; k++) {
      const contact = deepest(world, pairs.first[k], pairs.end[k]);
      const impulse = pairs.impulse[k];
      if (contact < 0 || !(impulse > 0 || contacts.separation[contact] <= 0)) continue;
      const [bodyA, bodyB] = [bodies[pairs.bodyA[k]], bodies[pairs.bodyB[k]]];
      const key = `${bodyA.id} ${bodyB.id}`;
      const known = this.touching.get(key);
      const isTrigger = pairs.isSensor[k] === 1;
      const isOld = known !== undefined && known.bodyA === bodyA && known.bodyB === bodyB;
      if (isOld) known.seen = this.step;
      else this.touching.set(key, { bodyA, bodyB, isTrigger, seen: this.step });
      touches.push({ bodyA, bodyB, isTrigger, phase: isOld ? "continued" : "started", contact, impulse });
    }
    for (const [key, { bodyA, bodyB, isTrigger, seen }] of this.touching) {
      if (seen === this.step) continue;
      // Bodies that sleep are not looked at, and stay where they are.
      if (!bodyA.isDisposed && !bodyB.isDisposed && isStill(bodyA) && isStill(bodyB)) continue;
      this.touching.delete(key);
      touches.push({ bodyA, bodyB, isTrigger, phase: "finished", contact: -1, impulse: 0 });
    }
    return touches;
  }
}

function isStill(body: RigidBody): boolean {
  return body.motion === "static" || body.isAsleep;
}

function deepest({ contacts }: RigidWorld, first: number, end: number): number {
  let found = -1;
  for (let c = first; c < end; c++) if (found < 0 || contacts.separation[c] < contacts.separation[found]) found = c;
  return found;
}
