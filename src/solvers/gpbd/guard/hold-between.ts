/**
 * Rigid bodies between deformable ones. A particle pushes a body by its own mass, and the body yields when the substep ends, to all that
 * touches it at once. Between two bodies that outweigh it, it then hardly pushes either of them back, and is thrown. So at the end of a substep
 * its motion and the pushes of all particles at it are found together:
 *
 *     (M + Σ mᵢ Jᵢᵀ Pᵢ Jᵢ) u = −Σ mᵢ Jᵢᵀ Pᵢ eᵢ / h
 *
 * with the change u of its velocity and spin, the velocity Jᵢ u of its surface, the way eᵢ that takes a particle to where it stuck on the
 * surface, and P = g + (1 − g) n nᵀ, with the part g of the slip that friction undoes, 1 for what sticks. This is exact for particles without elements. A guest answers by A⁻¹ (ghost.ts),
 * so there are rounds.
 */
import { frictionAt, thicknessAt, type ContactMaterial } from "../../../collision/contact/contact-material";
import { createSweepContact, sweepBy } from "../../../collision/contact/sweep";
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import type { ContactReaction } from "../../../collision/obstacles/contact-reaction";
import type { RigidProxy } from "../../../collision/obstacles/rigid-proxy";
import { solveCholesky } from "../../../math/dense";
import { dot, norm } from "../../../math/vectors";

/** A deformable body that may push rigid ones. */
export interface Presser {
  /** of its energy */
  readonly guard?: object | undefined;
  readonly isGuest?: boolean;
  readonly isFrozen?: boolean;
  readonly state: { readonly positions: Float64Array };
  readonly scratch: {
    readonly start: Float64Array;
    readonly w: Float64Array;
    /** see `resolveParticleContact` */
    readonly contact?: Float64Array;
    /** how far faces moved each particle in the substep [m] */
    readonly movedByFaces?: Float64Array;
    readonly reaction: ContactReaction;
  };
  /** of the substep */
  readonly touch: {
    readonly material: ContactMaterial;
    readonly fractions: Float64Array;
  };
  /** particles that rigid bodies carry */
  readonly carried?: { readonly isCarried: Uint8Array } | undefined;
  /** Distance that a particle keeps, if not the thickness, see overlap.ts [m]. */
  distanceOf?(p: number): number;
  /** Whether something else connects a particle with a rigid body. */
  isTied?(p: number): boolean;
  /**
   * Sets `w` of particles that are pushed together, where they do not move by themselves.
   *
   * @param fresh those of them that were not pushed yet
   */
  weigh?(particles: readonly number[], fresh: ReadonlySet<number>): void;
  /** Takes over displacements of its particles, where they do not move by themselves. */
  press?(moved: Float64Array): void;
  /** And adds their impulses to those of the substep. */
  handOver?(): void;
  /** Work of these on it [J]. */
  pressWork?(): number;
}

/** A particle at a rigid body. */
interface Touch {
  readonly p: number;
  /** from the center of mass [m] */
  readonly arm: readonly number[];
  /** zero where faces or other obstacles pushed it, too: then its push stays as it is */
  readonly normal: readonly number[];
  /** e / h [m/s] */
  readonly way: readonly number[];
  /** [kg], and Coulomb's coefficient */
  mass: number;
  readonly friction: number;
  /** displacement of the particle over h [m/s] */
  pushed: readonly number[];
  /** whether an obstacle holds it against the body; its impulse is that of squeeze.ts */
  readonly isHeld: boolean;
  /** whether it does not push */
  isOpen: boolean;
  /** part of its slip that friction undoes */
  grip: number;
}

/** Rounds with guests, and searches for what pushes and slides in each. */
const [ROUNDS, SEARCHES] = [4, 12];
/** Part of the diagonal of the system that is added to it. */
const GIVE = 1e-9;
/** Change of the grip of a particle, as a part of it, that ends the search. */
const SAME = 0.01;
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;
/** Factor of the mass of particles that obstacles hold. */
const HELD = 1e4;
/** Obstacles whose normals are less opposed than this cosine do not hold against each other. */
const OPPOSED = -0.5;

const contact = createSweepContact();
const asked = new Float64Array(3);
const from = new Float64Array(3);
const place = new Float64Array(3);
const anchor = new Float64Array(3);

/** At the end of a substep of h [s], before proxies yield. */
export function holdBetween(pressers: readonly Presser[], set: ColliderSet, h: number): void {
  const guests = pressers.filter(({ isGuest }) => isGuest);
  set.proxies.forEach((proxy, k) => {
    if (!(proxy.inverseMass > 0)) return;
    const near = pressers.filter(
      ({ isGuest, isFrozen, scratch }) => !isFrozen && (isGuest || scratch.reaction.owner.includes(k)),
    );
    if (near.length < 2 || near.length === guests.length) return;
    const own = Array.from(set.proxyOf.subarray(0, set.primitiveCount), (_, i) => i).filter(
      (i) => set.proxyOf[i] === k,
    );
    for (let round = 0; round < (guests.length > 0 ? ROUNDS : 1); round++) {
      const lists = near.map((presser) => touchesOf(presser, set, own, proxy, h));
      if (lists.filter(({ length }) => length > 0).length < 2) return;
      solve(lists.flat(), proxy);
      lists.forEach((touches, i) => move(near[i], touches, k, h));
    }
  });
  for (const guest of guests) guest.handOver!();
}

/**
 * Particles of a body that touch a proxy, or push it.
 *
 * @param own primitives of the proxy
 */
function touchesOf(presser: Presser, set: ColliderSet, own: readonly number[], proxy: RigidProxy, h: number): Touch[] {
  const { scratch, state, touch } = presser;
  const { start, w, reaction } = scratch;
  const touches: Touch[] = [];
  const fresh = new Set<number>();
  for (let p = 0; p < w.length; p++) {
    const pushedBy = set.proxies[reaction.owner[p]];
    if (!(w[p] > 0) || (pushedBy && pushedBy !== proxy) || isTied(presser, p)) continue;
    const thickness = thicknessAt(touch.material, p);
    // The place that it would have without the body.
    from.set(start.subarray(3 * p, 3 * p + 3));
    for (let c = 0; c < 3; c++) place[c] = state.positions[3 * p + c] - reaction.displacement[3 * p + c];
    asked.set([2 * thickness, ...touch.fractions]);
    let [met, most] = [-1, 0];
    for (const k of own)
      if (sweepBy(set, k, from, place, 0, asked, contact, false) && contact.push > most)
        [met, most] = [k, contact.push];
    if (met < 0 && !pushedBy) continue;
    if (!pushedBy) fresh.add(p);
    const arm = [0, 1, 2].map((c) => state.positions[3 * p + c] - proxy.centreNow[c]);
    const pushed = [0, 1, 2].map((c) => reaction.displacement[3 * p + c] / h);
    const made = { p, arm, mass: 0, pushed, grip: 1, isHeld: false, isOpen: false };
    if (met < 0) {
      touches.push({ ...made, normal: NONE, way: pushed, friction: 0 });
      continue;
    }
    sweepBy(set, met, from, place, 0, asked, contact, false);
    const normal = Array.from(contact.normal);
    const sticks = reaction.anchors.find(set, met, p, anchor);
    const slip = [0, 1, 2].map((c) => place[c] - (sticks ? anchor[c] : from[c] + contact.surfaceDisplacement[c]));
    const isHeld = !presser.isGuest && isAtObstacle(presser, set, p, normal);
    // Faces or others have answered its push: without it they would throw particles of cloth and ropes, which no account holds back.
    if (pushedBy && !isHeld && !presser.guard && isAnswered(presser, p)) {
      touches.push({ ...made, normal: NONE, way: pushed, friction: 0 });
      continue;
    }
    // It is squeeze.ts that parts what is held.
    const lacks = most - 2 * thickness + (presser.distanceOf?.(p) ?? thickness);
    const depth = isHeld ? Math.min(0, lacks) : lacks;
    const along = dot(slip, normal);
    const way = normal.map((n, c) => (depth * n - (slip[c] - along * n)) / h);
    touches.push({
      ...made,
      normal,
      way,
      friction: set.frictionWith(met, frictionAt(touch.material, p)),
      isHeld,
      isOpen: !(depth > 0),
    });
  }
  presser.weigh?.(
    touches.map(({ p }) => p),
    fresh,
  );
  for (const made of touches) made.mass = ((made.isHeld ? HELD : 1) * h * h) / w[made.p];
  return touches;
}

const isTied = (presser: Presser, p: number): boolean =>
  presser.carried?.isCarried[p] === 1 || presser.isTied?.(p) === true;

/** Whether something else than its contact with one body, as a particle, pushes it. */
const isAnswered = ({ scratch: { contact: sums, reaction } }: Presser, p: number): boolean =>
  sums !== undefined && [0, 1, 2].some((c) => sums[4 * p + c] !== reaction.displacement[3 * p + c]);

/** Whether a fixed obstacle pushes a particle against the normal of a body. */
function isAtObstacle(
  { state, scratch, touch }: Presser,
  set: ColliderSet,
  p: number,
  normal: readonly number[],
): boolean {
  asked[0] = thicknessAt(touch.material, p);
  for (let k = 0; k < set.primitiveCount; k++) {
    if (set.proxies[set.proxyOf[k]]?.inverseMass > 0) continue;
    if (!sweepBy(set, k, scratch.start, state.positions, 3 * p, asked, contact, false)) continue;
    if (dot(contact.normal, normal) < OPPOSED) return true;
  }
  return false;
}

/** Finds what each particle is pushed by. All of them fit the motion of the body in any case: momentum is kept, and nothing is thrown. */
function solve(touches: readonly Touch[], proxy: RigidProxy): void {
  let isDone = false;
  for (let search = 0; search < SEARCHES && !isDone; search++) {
    const u = changeOf(touches, proxy);
    isDone = true;
    for (const touch of touches) {
      const { arm, normal, way, friction, isOpen, grip } = touch;
      if (isFixed(touch)) continue;
      const d = way.map((value, c) => value + velocityAt(u, arm, c));
      const n = dot(d, normal);
      const slip = d.map((value, c) => value - n * normal[c]);
      touch.pushed = isOpen ? NONE : normal.map((value, c) => n * value + grip * slip[c]);
      touch.isOpen = !(n > 0);
      const length = norm(slip);
      touch.grip = length > friction * n ? Math.max(0, friction * n) / length : 1;
      if (isOpen !== touch.isOpen || (n > 0 && Math.abs(grip - touch.grip) > SAME * grip)) isDone = false;
    }
  }
}

const NONE: readonly number[] = [0, 0, 0];
const isFixed = ({ normal }: Touch): boolean => normal === NONE;

/** u of particles that push, stick and slide as they do [m/s, rad/s]. */
function changeOf(touches: readonly Touch[], proxy: RigidProxy): Float64Array {
  const k = new Float64Array(36);
  const b = new Float64Array(6);
  for (const touch of touches) {
    const { arm, normal, way, mass, isOpen, grip } = touch;
    if (isFixed(touch)) rows(arm, way, (i, value) => (b[i] += mass * value));
    else if (!isOpen) {
      // mᵢ (g 1 + (1 − g) n nᵀ), with the part g of the slip that is undone
      for (let c = 0; c < 3; c++) addRow(k, b, arm, AXES[c], grip * mass, way[c]);
      addRow(k, b, arm, normal, (1 - grip) * mass, dot(way, normal));
    }
  }
  // With M⁻¹ on both sides the system is symmetric for bodies that are held along some directions, too.
  const s = inverseOf(proxy, b);
  const sk = product(s, k);
  const a = product(sk, s);
  for (let i = 0; i < 36; i++) a[i] += s[i]!;
  for (let i = 0; i < 36; i += 7) a[i] = a[i] > 0 ? a[i] * (1 + GIVE) : 1;
  const y = times(s, b);
  if (!solveCholesky(a, y, 6)) y.fill(0);
  return times(s, y).map((value) => -value);
}

/** M⁻¹ of a proxy that something holds, as in proxy-motion.ts. */
function inverseOf({ inverseMass, inverseInertia: i, support, blocked: d }: RigidProxy, b: Float64Array): Float64Array {
  const isHeld = support[0] * b[0] + support[1] * b[1] + support[2] * b[2] < 0;
  const out = new Float64Array(36);
  const places = [0, 3, 4, 3, 1, 5, 4, 5, 2];
  for (let r = 0; r < 3; r++)
    for (let c = 0; c < 3; c++) {
      const n = places[3 * r + c];
      const held = isHeld ? support[r] * support[c] : 0;
      out[6 * r + c] = inverseMass * (Number(r === c) - d[n] - held);
      out[6 * (r + 3) + c + 3] = i[n]!;
    }
  return out;
}

function addRow(
  k: Float64Array,
  b: Float64Array,
  arm: readonly number[],
  axis: readonly number[],
  mass: number,
  way: number,
): void {
  const j = new Float64Array(6);
  rows(arm, axis, (i, value) => (j[i] = value));
  for (let r = 0; r < 6; r++) {
    b[r] += mass * way * j[r];
    for (let c = 0; c < 6; c++) k[6 * r + c] += mass * j[r] * j[c];
  }
}

/** Jᵀ v */
function rows(r: readonly number[], v: readonly number[], visit: (i: number, value: number) => void): void {
  for (let c = 0; c < 3; c++) {
    const [a, b] = [(c + 1) % 3, (c + 2) % 3];
    visit(c, v[c]);
    visit(3 + c, r[a] * v[b] - r[b] * v[a]);
  }
}

/** J u along an axis of the world. */
function velocityAt(u: Float64Array, r: readonly number[], c: number): number {
  const [a, b] = [(c + 1) % 3, (c + 2) % 3];
  return u[c] + u[3 + a] * r[b] - u[3 + b] * r[a];
}

function product(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(36);
  for (let r = 0; r < 6; r++)
    for (let c = 0; c < 6; c++) for (let i = 0; i < 6; i++) out[6 * r + c] += a[6 * r + i] * b[6 * i + c];
  return out;
}

function times(a: Float64Array, b: Float64Array): Float64Array<ArrayBuffer> {
  return Float64Array.from({ length: 6 }, (_, r) => {
    let sum = 0;
    for (let i = 0; i < 6; i++) sum += a[6 * r + i] * b[i];
    return sum;
  });
}

/** Moves the particles of a body to where their pushes take them. */
function move(presser: Presser, touches: readonly Touch[], owner: number, h: number): void {
  const { state, scratch } = presser;
  const { reaction, contact: sums } = scratch;
  const moved = presser.press && new Float64Array(state.positions.length);
  for (const { p, pushed, normal, isHeld } of touches) {
    if (isHeld) continue;
    const isPushed = pushed.some((value) => value !== 0);
    for (let c = 0; c < 3; c++) {
      const more = h * pushed[c] - reaction.displacement[3 * p + c];
      reaction.displacement[3 * p + c] += more;
      if (moved) moved[3 * p + c] = more;
      else state.positions[3 * p + c] += more;
      if (!sums) continue;
      sums[4 * p + c] += more;
      sums[4 * p + 3] = Math.max(0, sums[4 * p + 3] + more * normal[c]);
    }
    reaction.owner[p] = isPushed ? owner : -1;
  }
  presser.press?.(moved!);
}
