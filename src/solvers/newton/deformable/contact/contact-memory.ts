import { resized } from "../../motion/bodies";
import { SOFT_SIZE, type SoftContacts } from "./soft-contacts";

/** Number of integers that identify a contact: source, part, body, feature. */
const KEY = 4;

/** Impulses of contacts at the end of a step, for a snapshot. */
export interface ContactMemorySnapshot {
  /** KEY a contact, in ascending order */
  readonly keys: Int32Array;
  /** 3 a contact [N s], world axes */
  readonly impulses: Float64Array;
}

/**
 * Impulses of the last step, for contacts that still exist. Contacts are found in the order of their keys, so one pass
 * over both lists is enough.
 */
export class ContactMemory {
  private count = 0;
  private keys = new Int32Array(0);
  private impulses = new Float64Array(0);

  clear(): void {
    this.count = 0;
  }

  /** Keeps the impulses of all contacts, after a step. */
  keep(contacts: SoftContacts): void {
    this.reserve(contacts.count);
    const { keys, impulses } = this;
    this.count = contacts.count;
    for (let c = 0; c < contacts.count; c++) {
      keys[KEY * c] = contacts.source[c];
      keys[KEY * c + 1] = contacts.part[c];
      keys[KEY * c + 2] = contacts.body[c];
      keys[KEY * c + 3] = contacts.feature[c];
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let d = 0; d < 3; d++) sum += contacts.impulse[3 * c + d] * contacts.geometry[SOFT_SIZE * c + 3 * d + k];
        impulses[3 * c + k] = sum;
      }
    }
  }

  /** Gives contacts their last impulses, from which friction then starts. */
  recall(contacts: SoftContacts): void {
    let place = 0;
    for (let c = 0; c < contacts.count; c++) {
      while (place < this.count && this.compare(place, contacts, c) < 0) place++;
      if (place === this.count) return;
      if (this.compare(place, contacts, c) > 0) continue;
      for (let d = 0; d < 3; d++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += this.impulses[3 * place + k] * contacts.geometry[SOFT_SIZE * c + 3 * d + k];
        contacts.impulse[3 * c + d] = d === 0 && !contacts.ties[c] ? Math.max(0, sum) : sum;
      }
      contacts.anchor[2 * c] = contacts.impulse[3 * c + 1];
      contacts.anchor[2 * c + 1] = contacts.impulse[3 * c + 2];
    }
  }

  save(): ContactMemorySnapshot {
    return { keys: this.keys.slice(0, KEY * this.count), impulses: this.impulses.slice(0, 3 * this.count) };
  }

  load(snapshot: ContactMemorySnapshot): void {
    this.count = snapshot.keys.length / KEY;
    this.reserve(this.count);
    this.keys.set(snapshot.keys);
    this.impulses.set(snapshot.impulses);
  }

  /** Compares the keys of a kept contact and of one of a list: negative, zero or positive. */
  private compare(place: number, contacts: SoftContacts, c: number): number {
    const { keys } = this;
    return (
      keys[KEY * place] - contacts.source[c] ||
      keys[KEY * place + 1] - contacts.part[c] ||
      keys[KEY * place + 2] - contacts.body[c] ||
      keys[KEY * place + 3] - contacts.feature[c]
    );
  }

  private reserve(count: number): void {
    if (this.impulses.length >= 3 * count) return;
    this.keys = resized(this.keys, new Int32Array(2 * KEY * count));
    this.impulses = resized(this.impulses, new Float64Array(6 * count));
  }
}
