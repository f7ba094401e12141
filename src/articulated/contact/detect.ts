import { WORLD, type ArticulatedModel } from "../model";
import type { ArticulatedScratch } from "../scratch";
import type { LinkShape } from "../description";
import { ContactSet } from "./contact-set";
import { TOUCHING } from "./emit";
import { compileParts, PartKind, type Part } from "./part";
import { collidePolytopes } from "./polytope-pair";
import { collideRoundPolytope } from "./polytope-round";
import { collideRound } from "./round-pair";

/**
 * The links of a tree that may touch each other. Links of different trees, and links and the world, may always touch.
 *
 * - `none`: none, as in the engine of paper 4
 * - `distant`: all pairs except those connected by a joint, directly or through welds
 */
export type SelfCollision = "none" | "distant";

/**
 * Finds the contacts of a mechanism: its links among each other and with the world's own shapes. Pairs that may touch
 * are listed once; at run time, axis-aligned boxes select the pairs to test.
 */
export class ContactDetector {
  readonly contacts = new ContactSet();
  readonly parts: readonly Part[];
  /** Two parts a pair. */
  readonly pairs: Int32Array;

  /**
   * @param ground shapes of the world
   * @param friction default coefficient of shapes
   * @param restitution default coefficient of shapes
   * @throws PliantError as `compileParts`
   */
  constructor(
    model: ArticulatedModel,
    ground: readonly LinkShape[],
    selfCollision: SelfCollision,
    friction: number,
    restitution: number,
  ) {
    const parts = compileParts(ground, WORLD, "ground", friction, restitution);
    for (let link = 0; link < model.linkCount; link++) {
      const name = `mechanism "${model.name}": link "${model.linkNames[link]}"`;
      parts.push(...compileParts(model.shapes[link], link, name, friction, restitution));
    }
    this.parts = parts;
    const bodies = rigidBodies(model);
    const trees = treeRoots(model);
    const excluded = excludedPairs(model);
    const pairs: number[] = [];
    for (let i = 0; i < parts.length; i++)
      for (let j = i + 1; j < parts.length; j++)
        if (
          isFor(parts[i], parts[j]) &&
          !excluded.has(pairKey(model, parts[i].link, parts[j].link)) &&
          mayTouch(model, bodies, trees, selfCollision, parts[i].link, parts[j].link)
        )
          pairs.push(i, j);
    this.pairs = Int32Array.from(pairs);
  }

  /** Fills `contacts` for the poses of the last `updatePositions`. */
  detect(scratch: ArticulatedScratch): void {
    const { parts, pairs, contacts } = this;
    contacts.clear();
    for (const part of parts) part.follow(scratch);
    for (let p = 0; p < pairs.length; p += 2) {
      const i = pairs[p];
      const j = pairs[p + 1];
      const a = parts[i];
      const b = parts[j];
      if (apart(a.bounds, b.bounds)) continue;
      const roundA = a.kind !== PartKind.Polytope;
      const roundB = b.kind !== PartKind.Polytope;
      if (roundA && roundB) collideRound(contacts, p >> 1, a, b, i, j);
      else if (roundA) collideRoundPolytope(contacts, p >> 1, a, b, i, j);
      else if (roundB) collideRoundPolytope(contacts, p >> 1, b, a, j, i);
      else collidePolytopes(contacts, p >> 1, a, b, i, j);
    }
  }
}

/** Whether the bits of two parts let them touch. */
function isFor(a: Part, b: Part): boolean {
  return ((a.category & b.meets) | (b.category & a.meets)) !== 0;
}

/** Keys of the pairs of links that the description excludes. */
function excludedPairs(model: ArticulatedModel): Set<number> {
  const indexOf = (name: string): number => (name === "world" ? WORLD : model.linkIndex(name));
  return new Set(model.description.exclusions?.map(([a, b]) => pairKey(model, indexOf(a), indexOf(b))));
}

function pairKey({ linkCount }: ArticulatedModel, a: number, b: number): number {
  return (Math.min(a, b) + 1) * (linkCount + 1) + Math.max(a, b) + 1;
}

function apart(a: Float64Array, b: Float64Array): boolean {
  for (let c = 0; c < 3; c++) if (a[c] > b[3 + c] + TOUCHING || b[c] > a[3 + c] + TOUCHING) return true;
  return false;
}

/** For each link the first link to which it is welded, -1 if it is welded to the world. */
function rigidBodies(model: ArticulatedModel): Int32Array {
  const body = new Int32Array(model.linkCount);
  for (let i = 0; i < model.linkCount; i++) {
    const above = model.parent[i];
    body[i] = model.linkDofCount[i] > 0 ? i : above === WORLD ? WORLD : body[above];
  }
  return body;
}

function treeRoots(model: ArticulatedModel): Int32Array {
  const root = new Int32Array(model.linkCount);
  for (let i = 0; i < model.linkCount; i++) root[i] = model.parent[i] === WORLD ? i : root[model.parent[i]];
  return root;
}

function mayTouch(
  model: ArticulatedModel,
  bodies: Int32Array,
  trees: Int32Array,
  selfCollision: SelfCollision,
  i: number,
  j: number,
): boolean {
  const a = i === WORLD ? WORLD : bodies[i];
  const b = j === WORLD ? WORLD : bodies[j];
  if (a === b) return false;
  if (i === WORLD || j === WORLD || trees[i] !== trees[j]) return true;
  if (selfCollision === "none") return false;
  const above = (body: number): number =>
    body === WORLD || model.parent[body] === WORLD ? WORLD : bodies[model.parent[body]];
  return !(above(a) === b || above(b) === a);
}
