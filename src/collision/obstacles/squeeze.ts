/**
 * Particles that an obstacle holds from below while a rigid body lies on them. A push on the body by the mass of such a particle is too little
 * by far, and acts like a spring without damping: a box of a hundred times the mass of a cloth on the ground bounced without end. So the body may
 * not come nearer to the obstacle there, and slides as the two frictions allow. Impulses of a substep h, by sequential impulses:
 *
 *     v · n ≥ min(β (C − slop) / h, most) for C > 0,  v · n ≥ v₀ · n + C₁ / t for C < 0,  ‖p_t‖ ≤ µ pₙ
 *
 * with the velocity v of the body's surface relative to the obstacle, the depth C of both in the thickness of the particle, and the depth C₁
 * after the time t to the end of the frame, to which the body goes on with the velocity v₀. The obstacle takes these impulses, which replace the
 * pushes of such particles. Those that the body does not touch yet count, too: a body that falls on the first ones alone turns about these, and
 * rocks from frame to frame. Their normal is that at the end of the frame: a box that slides over a carpet is above the particles in front of
 * its rim by then, and the plane there would throw it up.
 */
import { frictionAt, frictionOfFace, thicknessAt, thicknessOfFace } from "../contact/contact-material";
import type { SweepContact } from "../contact/sweep";
import { writeTangents } from "../../math/vectors";
import type { ColliderSet } from "./collider-set";
import type { ContactReaction, Squeezing } from "./contact-reaction";
import type { RigidProxy } from "./rigid-proxy";

interface Hold {
  readonly owner: number;
  /** center of mass to the contact [m] */
  readonly arm: Float64Array;
  /** normal out of the obstacle, and two tangents */
  readonly frame: Float64Array;
  /** changes of velocity of the body and those that answer with it, and the place of its own [m/s, rad/s] */
  readonly change: Float64Array;
  readonly at: number;
  /** those by an impulse along each direction [1/kg, 1/(kg m)] */
  readonly response: readonly Float64Array[];
  /** velocity of the body relative to the obstacle along each, without the impulses of the substep, beyond what it should be [m/s] */
  readonly speed: Float64Array;
  /** inverse mass along each [1/kg] */
  readonly inverse: Float64Array;
  readonly friction: number;
  /** along each [N s] */
  readonly impulse: Float64Array;
}

/** Obstacles whose normals are less opposed than this cosine do not hold against each other. */
const OPPOSED = -0.5;
const SWEEPS = 8;
/** β, and the greatest speed at which a body leaves an obstacle for it [m/s] */
const [PART, PARTING] = [0.1, 0.05];
/** Depth that stays, as a part of the thickness: a body that leaves would come back in the next frame, and rock. */
const SLOP = 0.5;

const contact = (): SweepContact => ({
  normal: new Float64Array(3),
  push: 0,
  surfaceDisplacement: new Float64Array(3),
  normalChange: new Float64Array(3),
  clearance: 0,
});
/** of a substep */
const holds: Hold[] = [];
/** changes of velocity of bodies at holds, by `keyOf` */
const changes = new Map<object, Float64Array>();
/** distance to keep, and start and end of the substep in the frame */
const asked = new Float64Array(3);
/** of a point of a face [m] */
const startOfPoint = new Float64Array(3);
const placeOfPoint = new Float64Array(3);
const best = { above: contact(), below: contact(), next: contact() };
/** of a particle beside a body that comes to it: where the body will have it at the end of the frame, and where the body has it now [m] */
const ahead = { contact: contact(), place: new Float64Array(3), before: new Float64Array(3) };

/**
 * Adds the impulses at held particles to the wrenches of the substep.
 *
 * @param others adds those of other particles; called once the pushes of held ones are taken out of the reaction
 * @param w h²/m of each particle [s²/kg], 0 where pinned
 * @param positions at the end of the substep, n × 3 [m]
 * @param h [s]
 */
export function holdSqueezed(
  { owner, displacement, faces }: ContactReaction,
  set: ColliderSet,
  w: ArrayLike<number>,
  positions: ArrayLike<number>,
  h: number,
  squeezing: Squeezing,
  others: () => void,
): void {
  let isFixed = false;
  for (let k = 0; k < set.primitiveCount && !isFixed; k++) isFixed = isHolding(set, k);
  if (!isFixed) {
    others();
    return;
  }
  holds.length = 0;
  changes.clear();
  const { material } = squeezing;
  const point = { ...squeezing, start: startOfPoint };
  for (const { owner: k, corners, parts, displacement: pushed } of faces.values()) {
    if (!yieldsAtOnce(set.proxies[k])) continue;
    findPoint(corners, parts, squeezing.start, startOfPoint);
    findPoint(corners, parts, positions, placeOfPoint);
    if (material.frictionFactors ?? material.thicknessFactors)
      point.material = {
        thickness: thicknessOfFace(material, corners, 0),
        friction: frictionOfFace(material, corners, 0),
      };
    const hold = holdOf(set, k, 0, placeOfPoint, h, point, 0);
    if (!hold) continue;
    holds.push(hold);
    for (let i = 0; i < 9; i++) {
      const p = corners[Math.floor(i / 3)];
      if (owner[p] === k) displacement[3 * p + (i % 3)] -= pushed[i];
    }
  }
  for (let p = 0; p < owner.length; p++) {
    if (owner[p] < 0 || w[p] === 0 || !yieldsAtOnce(set.proxies[owner[p]])) continue;
    const hold = holdOf(set, owner[p], p, positions, h, squeezing, 0);
    if (!hold) continue;
    holds.push(hold);
    displacement.fill(0, 3 * p, 3 * p + 3);
  }
  others();
  if (holds.length === 0) return;
  for (const k of new Set(holds.map((hold) => hold.owner)))
    for (let p = 0; p < owner.length; p++) {
      if (owner[p] >= 0 || w[p] === 0) continue;
      const hold = holdOf(set, k, p, positions, h, squeezing, thicknessAt(material, p));
      if (hold) holds.push(hold);
    }
  set.proxies.forEach((proxy, k) => addChange(changes.get(keyOf(proxy)), proxy, set.substepWrenches, 6 * k));
  for (let sweep = 0; sweep < SWEEPS; sweep++) for (const hold of holds) push(hold);
  for (const { owner: k, arm, frame, impulse } of holds) {
    const { centreNow } = set.proxies[k];
    const j = [0, 1, 2].map((c) => frame[c] * impulse[0] + frame[3 + c] * impulse[1] + frame[6 + c] * impulse[2]);
    const place = [0, 1, 2].map((c) => centreNow[c] + arm[c]);
    for (let c = 0; c < 3; c++) {
      const [a, b] = [(c + 1) % 3, (c + 2) % 3];
      set.substepWrenches[6 * k + c] += j[c];
      set.substepWrenches[6 * k + 3 + c] += place[a] * j[b] - place[b] * j[a];
    }
  }
}

/** Place of a point between the corners of a face. */
function findPoint(corners: Uint32Array, parts: Float64Array, x: ArrayLike<number>, out: Float64Array): void {
  for (let c = 0; c < 3; c++) {
    out[c] = 0;
    for (let i = 0; i < 3; i++) out[c] += parts[i] * x[3 * corners[i] + c];
  }
}

/** A body answers alone, a link with its mechanism; a link whose mechanism hears of its pushes a frame later goes on being pushed by the mass of particles. */
const yieldsAtOnce = (proxy: RigidProxy): boolean =>
  proxy.inverseMass > 0 && (keyOf(proxy) !== proxy || proxy.blocked.every((share) => share === 0));

/** Links that answer as one, or a body itself. */
const keyOf = (proxy: RigidProxy): object => (proxy.seat?.island.answer ? proxy.seat.island : proxy);

/**
 * Whether a particle is between a body and an obstacle that hold it against each other.
 *
 * @param margin distance of both beyond the thickness that counts as well [m]
 */
function holdOf(
  set: ColliderSet,
  owner: number,
  p: number,
  positions: ArrayLike<number>,
  h: number,
  { start, material, fractions, sweep }: Squeezing,
  margin: number,
): Hold | undefined {
  const thickness = thicknessAt(material, p);
  const from = fractions[0];
  const to = fractions[1];
  asked[0] = thickness + margin;
  asked[1] = from;
  asked[2] = to;
  // Most bodies are near nothing that is fixed.
  const ground = deepest(set, -1, p, positions, start, sweep, "below");
  if (ground < 0) return undefined;
  const body = deepest(set, owner, p, positions, start, sweep, "above");
  if (body < 0) return undefined;
  const lies = best.below.push - margin;
  const depth = best.above.push - margin + lies;
  if (!(depth > 0) && margin === 0) return undefined;
  const m = best.below.normal;
  const isOpposed = ({ normal: n }: SweepContact): boolean => n[0] * m[0] + n[1] * m[1] + n[2] * m[2] < OPPOSED;
  if (!isOpposed(best.above)) return undefined;
  const moved = [0, 1, 2].map((c) => (best.above.surfaceDisplacement[c] - best.below.surfaceDisplacement[c]) / h);
  const left = ((1 - from) * h) / (to - from);
  const comes = depth < 0;
  if (comes && !(meetsAhead(set, body, p, positions, moved, left, to, sweep) && isOpposed(ahead.contact)))
    return undefined;
  const met = comes ? ahead.contact : best.above;
  const n = met.normal;
  const { centreNow } = set.proxies[owner];
  const frame = Float64Array.of(-n[0], -n[1], -n[2], 0, 0, 0, 0, 0, 0);
  writeTangents(frame, 0);
  const arm = Float64Array.from(centreNow, (center, c) => positions[3 * p + c] - center);
  const speed = new Float64Array(3);
  const inverse = new Float64Array(3);
  const proxy = set.proxies[owner];
  const key = keyOf(proxy);
  const isOne = key !== proxy;
  const size = isOne ? 6 * proxy.seat!.island.proxies.length : 6;
  const at = isOne ? 6 * proxy.seat!.place : 0;
  if (!changes.has(key)) changes.set(key, new Float64Array(size));
  const response = [0, 1, 2].map((d) => {
    for (let c = 0; c < 3; c++) {
      const [a, b] = [(c + 1) % 3, (c + 2) % 3];
      speed[d] += frame[3 * d + c] * moved[c];
      shoved[c] = frame[3 * d + c];
      shoved[3 + c] = arm[a] * frame[3 * d + b] - arm[b] * frame[3 * d + a];
    }
    const out = new Float64Array(size);
    answer(proxy, out);
    inverse[d] = along(out, at, arm, frame, d);
    return out;
  });
  if (comes) speed[0] = -(met.push - margin + lies) / left;
  else speed[0] -= Math.min((PART * Math.max(0, depth - SLOP * thickness)) / h, PARTING);
  const friction = frictionAt(material, p);
  const least = Math.min(set.frictionWith(body, friction), set.frictionWith(ground, friction));
  const impulse = new Float64Array(3);
  return { owner, arm, frame, change: changes.get(key)!, at, response, speed, inverse, friction: least, impulse };
}

/**
 * Tests whether a body touches a particle where it will have it at the end of the frame: `ahead.contact` gets their contact.
 *
 * @param moved velocity of the body relative to the particle [m/s]
 * @param left time to the end of the frame [s]
 */
function meetsAhead(
  set: ColliderSet,
  body: number,
  p: number,
  positions: ArrayLike<number>,
  moved: readonly number[],
  left: number,
  fraction: number,
  sweep: Squeezing["sweep"],
): boolean {
  const { place, before } = ahead;
  for (let c = 0; c < 3; c++) {
    before[c] = positions[3 * p + c] - best.above.surfaceDisplacement[c];
    place[c] = positions[3 * p + c] - left * moved[c];
  }
  return sweep(set, body, before, place, 0, asked[0], fraction, fraction, ahead.contact);
}

/** Whether a primitive yields to nothing. */
function isHolding({ proxyOf, proxies }: ColliderSet, k: number): boolean {
  const of = proxyOf[k];
  return of < 0 || proxies[of].inverseMass === 0;
}

/** The primitive of a body, or of what is fixed, that a particle is deepest in; −1 for none. @param owner −1 for what is fixed */
function deepest(
  set: ColliderSet,
  owner: number,
  p: number,
  positions: ArrayLike<number>,
  start: ArrayLike<number>,
  sweep: Squeezing["sweep"],
  out: "above" | "below",
): number {
  const { primitiveCount, proxyOf } = set;
  let most = -1;
  for (let k = 0; k < primitiveCount; k++) {
    if (owner < 0 ? !isHolding(set, k) : proxyOf[k] !== owner) continue;
    if (!sweep(set, k, start, positions, 3 * p, asked[0], asked[1], asked[2], best.next)) continue;
    if (most >= 0 && best.next.push <= best[out].push) continue;
    [best[out], best.next] = [best.next, best[out]];
    most = k;
  }
  return most;
}

function push({ arm, frame, change, at, response, speed, inverse, impulse, friction }: Hold): void {
  const wanted = (d: number): number => impulse[d] - (speed[d] + along(change, at, arm, frame, d)) / inverse[d];
  const put = (d: number, value: number): void => {
    const more = value - impulse[d];
    for (let i = 0; i < change.length; i++) change[i] += more * response[d][i];
    impulse[d] = value;
  };
  put(0, Math.max(0, wanted(0)));
  const [s, t] = [wanted(1), wanted(2)];
  const length = Math.sqrt(s * s + t * t);
  const limit = friction * impulse[0];
  const scale = length > limit ? limit / length : 1;
  put(1, scale * s);
  put(2, scale * t);
}

/** Adds the changes of velocity by a wrench about the world's origin on a proxy. */
function addChange(change: Float64Array | undefined, proxy: RigidProxy, w: Float64Array, at: number): void {
  if (!change) return;
  const { centreNow: x } = proxy;
  for (let c = 0; c < 3; c++) {
    const [a, b] = [(c + 1) % 3, (c + 2) % 3];
    shoved[c] = w[at + c]!;
    shoved[3 + c] = w[at + 3 + c] - (x[a] * w[at + b] - x[b] * w[at + a]);
  }
  answer(proxy, change);
}

/** impulse, and angular impulse about the center of mass */
const shoved = new Float64Array(6);

/** Adds the changes of velocity by `shoved`. */
function answer({ seat, inverseMass, inverseInertia: i }: RigidProxy, change: Float64Array): void {
  if (seat?.island.answer) {
    seat.island.answer(seat.place, shoved, change);
    return;
  }
  const [, , , x, y, z] = shoved as unknown as [number, number, number, number, number, number];
  for (let c = 0; c < 3; c++) change[c] += inverseMass * shoved[c];
  change[3] += i[0] * x + i[3] * y + i[4] * z;
  change[4] += i[3] * x + i[1] * y + i[5] * z;
  change[5] += i[4] * x + i[5] * y + i[2] * z;
}

/** Velocity of the contact along direction d. */
function along(change: Float64Array, at: number, arm: Float64Array, frame: Float64Array, d: number): number {
  let sum = 0;
  for (let c = 0; c < 3; c++) {
    const [a, b] = [(c + 1) % 3, (c + 2) % 3];
    sum += frame[3 * d + c] * (change[at + c] + change[at + 3 + a] * arm[b] - change[at + 3 + b] * arm[a]);
  }
  return sum;
}
