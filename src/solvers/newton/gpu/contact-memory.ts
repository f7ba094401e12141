import type { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import { ContactRecords } from "../contact/contact-records";
import type { PairList } from "../contact/pairs";
import { NONE } from "./frame-tables";

/** Contacts of a frame; bodies are those of their ids. */
class Records extends ContactRecords {
  /** number of the contact's block */
  block = new Uint32Array(1);
}

/** Finds the contacts of the last frame again. Impulses stay on the GPU; this class only knows the block of each contact. */
export class ContactMemory {
  private last = new Records();
  private next = new Records();
  private readonly found: number[] = [];

  /** Forgets the last frame. */
  clear(): void {
    this.last.clear();
  }

  /**
   * Finds contacts in the last frame.
   *
   * @param ids ids of the bodies by place, ascending, like the places of the pairs
   * @param blocks receives for each contact its block in the last frame, or NONE
   */
  recall(contacts: ContactBuffer, pairs: PairList, ids: Int32Array, blocks: Uint32Array): void {
    const { last, found } = this;
    blocks.fill(NONE, 0, contacts.count);
    let cursor = 0;
    for (let k = 0; k < pairs.count; k++) {
      const [a, b, first] = [ids[pairs.bodyA[k]], ids[pairs.bodyB[k]], pairs.first[k]];
      cursor = last.find(a, b, cursor);
      if (!last.match(contacts, first, pairs.end[k], a, b, cursor, found)) continue;
      for (let c = first; c < pairs.end[k]; c++) if (found[c - first] >= 0) blocks[c] = last.block[found[c - first]]!;
    }
  }

  /** Keeps the contacts of this frame. @param blockOf block of each contact, NONE for contacts that are not solved */
  keep(contacts: ContactBuffer, pairs: PairList, ids: Int32Array, blockOf: Uint32Array): void {
    const { next } = this;
    next.clear();
    for (let k = 0; k < pairs.count; k++)
      for (let c = pairs.first[k]; c < pairs.end[k]; c++) {
        if (blockOf[c] === NONE) continue;
        const n = next.note(contacts, c, ids[pairs.bodyA[k]], ids[pairs.bodyB[k]]);
        next.block[n] = blockOf[c]!;
      }
    this.next = this.last;
    this.last = next;
  }
}
