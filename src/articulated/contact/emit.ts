import type { ContactSet } from "./contact-set";
import type { Part } from "./part";

/** Largest gap of a contact [m]: contacts of exactly touching shapes must not appear and disappear by rounding. */
export const TOUCHING = 1e-9;

/**
 * Data of a contact that the functions of a pair fill in before `emit`, see `ContactSet`. One object is used for all
 * pairs.
 */
export const draft = {
  kind: 0,
  /** Unit normal from B to A. */
  n: new Float64Array(3),
  xa: new Float64Array(3),
  da: new Float64Array(3),
  db: new Float64Array(3),
  gap: 0,
  /** Features of A and B, less than 8192 each. */
  featureA: 0,
  featureB: 0,
};

/** Number of features a shape may have before keys repeat (which only costs a warm start). */
const FEATURES = 8192;

/** Adds the contact of `draft` between two parts, unless they do not touch. */
export function emit(set: ContactSet, pair: number, a: Part, b: Part, indexA: number, indexB: number): void {
  const { n, xa, da, db, gap } = draft;
  const depth = a.radius + b.radius - gap;
  if (!(depth >= -TOUCHING)) return;
  const i = set.append();
  set.linkA[i] = a.link;
  set.linkB[i] = b.link;
  set.partA[i] = indexA;
  set.partB[i] = indexB;
  set.kind[i] = draft.kind;
  // Roles of a pair may change with the touching features, so the order is part of the key.
  const roles = 2 * pair + (indexA < indexB ? 0 : 1);
  set.key[i] = (roles * FEATURES + draft.featureA) * FEATURES + draft.featureB;
  set.radius[i] = a.radius;
  set.depth[i] = depth;
  set.gap[i] = gap;
  set.friction[i] = Math.min(a.friction, b.friction);
  set.restitution[i] = a.restitution * b.restitution;
  const back = a.radius - 0.5 * depth;
  for (let c = 0; c < 3; c++) {
    set.normal[3 * i + c] = n[c];
    set.anchor[3 * i + c] = xa[c];
    set.point[3 * i + c] = xa[c] - back * n[c];
    set.directionA[3 * i + c] = da[c];
    set.directionB[3 * i + c] = db[c];
  }
}
