import type { Guest } from "../../solvers/guest";
import { CONTACT_VERTICES, type ContactTable } from "../../collision/soft/contact-table";

interface GuestEnd {
  /** undefined while the body takes no part in steps */
  readonly guest: Guest | undefined;
  readonly node: number;
}

/** Attachment of vertices of two guests. */
export interface GuestTie {
  readonly ends: readonly [GuestEnd, GuestEnd];
  /** [m/N] */
  readonly compliance: number;
  /** from the second to the first vertex: what is left of the way between them when they were attached [m] */
  readonly away: Float64Array;
  /** impulse on the first vertex in the last frame [N s] */
  readonly impulse: Float64Array;
}

/** The attachments whose bodies are all among the guests. */
export function tiesAmong(ties: readonly GuestTie[], guests: readonly Guest[]): readonly GuestTie[] {
  return ties.filter(({ ends }) => ends.every(({ guest }) => guest && guests.includes(guest)));
}

/** Adds an attachment as a contact along the axes of the world. */
export function addTie({ ends, impulse }: GuestTie, guests: readonly Guest[], out: ContactTable): void {
  const n = out.add();
  ends.forEach(({ guest, node }, k) => {
    const e = CONTACT_VERTICES * n + k;
    out.body[e] = guests.indexOf(guest!);
    out.vertex[e] = node;
    out.weight[e] = 1 - 2 * k;
  });
  out.frame.set([1, 0, 0, 0, 1, 0, 0, 0, 1], 9 * n);
  out.friction[n] = 0;
  out.impulse.set(impulse, 3 * n);
}

/** Removes contacts of attached vertices with each other. */
export function dropTied(contacts: ContactTable, ties: readonly GuestTie[], guests: readonly Guest[]): void {
  if (ties.length === 0) return;
  contacts.drop((n) => {
    const places = contacts.verticesOf(n).filter((i) => contacts.weight[i] !== 0);
    return ties.some(({ ends }) =>
      ends.every(({ guest, node }) =>
        places.some((i) => guests[contacts.body[i]] === guest && contacts.vertex[i] === node),
      ),
    );
  });
}
