import type { Guest } from "../../solvers/guest";
import type { ContactTable } from "../../collision/soft/contact-table";
import type { Vec3 } from "../../math/types";
import type { GuestContact } from "./guest-problem";

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

const AXES: readonly [Vec3, Vec3, Vec3] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** The attachments whose bodies are all among the guests. */
export function tiesAmong(ties: readonly GuestTie[], guests: readonly Guest[]): readonly GuestTie[] {
  return ties.filter(({ ends }) => ends.every(({ guest }) => guest && guests.includes(guest)));
}

/** An attachment as a contact along the axes of the world. */
export function tieRows({ ends: [a, b] }: GuestTie, guests: readonly Guest[]): GuestContact {
  return {
    parts: [
      { guest: guests.indexOf(a.guest!), node: a.node, weight: 1 },
      { guest: guests.indexOf(b.guest!), node: b.node, weight: -1 },
    ],
    directions: AXES,
  };
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
