import { unsupported } from "../../src/errors";
import type { Filter } from "./json";

/** Masks of Babylon's shapes. */
export interface Masks {
  readonly membership: number;
  readonly collide: number;
}

const MOST = 32;

/**
 * Masks for all collision filters of a file. A bit stands for a set of systems, since a filter asks for whole sets: a collider in several
 * systems meets another one only if that one allows all of them.
 *
 * @returns masks by the number of the filter, then those of colliders without a filter
 * @throws PliantError `unsupported` for more than 31 sets of systems
 */
export function masksOf(filters: readonly Filter[]): Masks[] {
  const sets: string[][] = [[]];
  const bitOf = ({ collisionSystems = [] }: Filter): number => {
    const wanted = [...new Set(collisionSystems)].sort();
    const found = sets.findIndex((set) => set.join("\n") === wanted.join("\n"));
    return found >= 0 ? found : sets.push(wanted) - 1;
  };
  const bits = [...filters.map(bitOf), 0];
  if (sets.length > MOST)
    throw unsupported("collisionFilters", sets.length, `must name at most ${MOST - 1} sets of systems`);
  return [...filters, {}].map((filter, k) => ({
    membership: 1 << bits[k],
    collide: sets.reduce((mask, set, bit) => (allows(filter, set) ? mask | (1 << bit) : mask), 0),
  }));
}

/** Whether a collider with the filter may meet one in a set of systems. */
function allows({ collideWithSystems, notCollideWithSystems }: Filter, systems: readonly string[]): boolean {
  if (collideWithSystems) return systems.length > 0 && systems.every((system) => collideWithSystems.includes(system));
  return !systems.some((system) => notCollideWithSystems?.includes(system));
}

/**
 * The filters of shapes with masks. A system stands for a whole membership mask, since a filter of a file asks for all systems of a
 * collider.
 *
 * @returns a filter for each entry; undefined where all meet each other anyway
 */
export function filtersOf(masks: readonly Masks[]): Filter[] | undefined {
  const memberships = [...new Set(masks.map(({ membership }) => membership))];
  const nameOf = (membership: number): string => `system ${memberships.indexOf(membership)}`;
  const filters = masks.map(({ membership, collide }) => ({
    collisionSystems: [nameOf(membership)],
    notCollideWithSystems: memberships.filter((other) => (other & collide) === 0).map(nameOf),
  }));
  return filters.every(({ notCollideWithSystems }) => notCollideWithSystems.length === 0) ? undefined : filters;
}
