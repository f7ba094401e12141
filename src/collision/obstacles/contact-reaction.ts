import { lengthAt } from "../../math/vectors";
import { Anchors } from "./anchors";
import type { ContactMaterial } from "../contact/contact-material";
import type { sweepContact } from "../contact/sweep";
import type { ColliderSet } from "./collider-set";

/**
 * Displacements of particles by proxies of rigid bodies in one substep. If two proxies push a particle at once, the
 * whole reaction goes to the last one: the sum is preserved.
 */
export type ContactReaction = Readonly<ReturnType<typeof createContactReaction>>;

/** A substep of particles that may be between bodies and obstacles: see squeeze.ts. */
export interface Squeezing {
  /** n × 3, at its start [m] */
  readonly start: ArrayLike<number>;
  /** [m], and Coulomb's coefficient */
  readonly material: ContactMaterial;
  /** place in the frame at which it begins and ends, 0 to 1 */
  readonly fractions: Float64Array;
  /** from the code of particles: rigid bodies do not import it */
  readonly sweep: typeof sweepContact;
  /** undefined before there are rigid bodies */
  readonly hold: HoldSqueezed | undefined;
}

/** Adds the impulses at held particles to the wrenches of a substep, and those of other particles by `others`. */
export type HoldSqueezed = (
  reaction: ContactReaction,
  set: ColliderSet,
  w: ArrayLike<number>,
  positions: ArrayLike<number>,
  h: number,
  squeezing: Squeezing,
  others: () => void,
) => void;

export function createContactReaction(particleCount: number) {
  return {
    /** displacement of each particle by proxies, n × 3 [m] */
    displacement: new Float64Array(3 * particleCount),
    /** the proxy that pushed each particle, a place in `ColliderSet.proxies`; −1 for none */
    owner: new Int32Array(particleCount).fill(-1),
    /** faces that proxies pushed between their vertices, by the place of the first corner in the list of faces */
    faces: new Map<number, PushedFace>(),
    /** records of faces for later substeps */
    spareFaces: [] as PushedFace[],
    /** what particles stick to */
    anchors: new Anchors(particleCount),
  };
}

/** Adds a displacement of a particle by a primitive. A primitive without a proxy is ignored. */
export function recordReaction(
  reaction: ContactReaction,
  set: ColliderSet,
  primitive: number,
  p: number,
  x: number,
  y: number,
  z: number,
): void {
  const owner = set.proxyOf[primitive];
  if (owner < 0) return;
  reaction.owner[p] = owner;
  reaction.displacement[3 * p] += x;
  reaction.displacement[3 * p + 1] += y;
  reaction.displacement[3 * p + 2] += z;
}

/** A face that a proxy pushes at a point between its corners. */
export interface PushedFace {
  owner: number;
  /** particles, and their parts of the point */
  readonly corners: Uint32Array;
  readonly parts: Float64Array;
  /** of the corners, 3 × 3 [m] */
  readonly displacement: Float64Array;
}

const parts = new Float64Array(3);

/**
 * Notes the faces that proxies push.
 *
 * @param list numbers of faces that were pushed
 * @param touched primitive of each
 * @param pushes 3 × 3 displacements of each face's corners [m]: wᵢ bᵢ Δ for a point with barycentric coordinates b
 */
export function recordFaces(
  { faces: all, spareFaces }: ContactReaction,
  { proxyOf }: ColliderSet,
  faces: ArrayLike<number>,
  list: ArrayLike<number>,
  count: number,
  touched: ArrayLike<number>,
  pushes: Float64Array,
  w: ArrayLike<number>,
): void {
  for (let i = 0; i < count; i++) {
    const f = 3 * list[i];
    const owner = proxyOf[touched[list[i]]];
    if (owner < 0) continue;
    for (let k = 0; k < 3; k++) parts[k] = w[faces[f + k]] > 0 ? lengthAt(pushes, 3 * (f + k)) / w[faces[f + k]] : 0;
    const sum = parts[0] + parts[1] + parts[2];
    if (!(sum > 0)) continue;
    let face = all.get(f);
    const isKnown = face?.owner === owner;
    face ??= spareFaces.pop() ?? {
      owner,
      corners: new Uint32Array(3),
      parts: new Float64Array(3),
      displacement: new Float64Array(9),
    };
    all.set(f, face);
    face.owner = owner;
    for (let k = 0; k < 3; k++) {
      face.corners[k] = faces[f + k];
      face.parts[k] = parts[k] / sum;
    }
    for (let k = 0; k < 9; k++) face.displacement[k] = pushes[3 * f + k] + (isKnown ? face.displacement[k] : 0);
  }
}

/** Begins the count of the particles that each proxy pushes in a substep. */
export function beginReactions(set: ColliderSet): void {
  for (const proxy of set.proxies) proxy.contacts = 0;
}

/**
 * Impulses of a substep for the proxies: a particle that contact moved by c in a substep h received J = m c / h, and
 * the proxy receives −J at the particle's position.
 *
 * @param w h²/m of each particle [s²/kg], 0 for pinned ones; the value that the substep was solved with
 * @param positions at the end of the substep, n × 3 [m]
 * @param h [s]
 * @param wrenches impulse [N s] and angular impulse about the world's origin [N m s] of each proxy: added to
 */
export function pushesOf(
  { displacement, owner }: ContactReaction,
  w: ArrayLike<number>,
  positions: ArrayLike<number>,
  h: number,
  wrenches: Float64Array,
): void {
  for (let p = 0; p < owner.length; p++) {
    if (owner[p] < 0 || w[p] === 0) continue;
    const at = 6 * owner[p];
    const scale = -h / w[p];
    const jx = scale * displacement[3 * p];
    const jy = scale * displacement[3 * p + 1];
    const jz = scale * displacement[3 * p + 2];
    const x = positions[3 * p];
    const y = positions[3 * p + 1];
    const z = positions[3 * p + 2];
    wrenches[at] += jx;
    wrenches[at + 1] += jy;
    wrenches[at + 2] += jz;
    wrenches[at + 3] += y * jz - z * jy;
    wrenches[at + 4] += z * jx - x * jz;
    wrenches[at + 5] += x * jy - y * jx;
  }
}

/** Adds the impulses of a substep to the wrenches; parameters as of `returnReactions`. */
function pushAll(
  reaction: ContactReaction,
  set: ColliderSet,
  w: ArrayLike<number>,
  positions: ArrayLike<number>,
  h: number,
  squeezing: Squeezing,
  share: number,
): void {
  const push = (): void => pushesOf(reaction, w, positions, h * share, set.substepWrenches);
  if (squeezing.hold) squeezing.hold(reaction, set, w, positions, h, squeezing, push);
  else push();
}

/**
 * Hands a substep's impulses back to the proxies.
 *
 * @param squeezing the substep
 * @param share part of the impulses that the proxies receive; for the other parameters see `pushesOf`
 */
export function returnReactions(
  reaction: ContactReaction,
  set: ColliderSet,
  w: ArrayLike<number>,
  positions: ArrayLike<number>,
  h: number,
  squeezing: Squeezing,
  share = 1,
): void {
  const { displacement, owner } = reaction;
  reaction.anchors.next();
  let last = owner.length - 1;
  while (last >= 0 && owner[last] < 0) last--;
  // Most substeps push no proxy.
  if (last < 0) return;
  pushAll(reaction, set, w, positions, h, squeezing, share);
  for (const face of reaction.faces.values()) reaction.spareFaces.push(face);
  reaction.faces.clear();
  for (let p = 0; p < owner.length; p++) {
    if (owner[p] < 0) continue;
    if (w[p] !== 0) set.proxies[owner[p]].contacts++;
    owner[p] = -1;
    displacement.fill(0, 3 * p, 3 * p + 3);
  }
}
