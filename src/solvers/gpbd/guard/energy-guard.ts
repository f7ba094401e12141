/**
 * Guard that keeps a solid from gaining energy out of nothing. A projection moves vertices at any cost in energy: contact pushes elements
 * flat, `untangle` turns them back, and no work accounts for the energy that this leaves in them. So each solid has an energy budget
 * B: the energy that it had, and the work that was done on it since. If a substep would leave the solid faster than B allows, all
 * impulses of the substep are scaled by one share, including those to rigid bodies and from obstacles. So momentum and angular
 * momentum are kept, and no body is thrown.
 *
 * Glossary: ṽ = velocity after the prediction, v = (x − x⁻)/h (2), β = the share, J = impulse of contact on a proxy.
 *
 *     E(β) = ½ Σ m |ṽ + β (v − ṽ)|² + Σ over proxies of ½ M (|V + β ΔV|² − |V|²)  ≤  B + Σ m (g + a)·(x − x⁻) + led + Σ λ ΔV
 *
 * The second sum is the work that contact and attachments do on rigid bodies. Obstacles that move by themselves (led) may do the most work
 * that they can. A pressure λ does the work λ ΔV, which is less than its energy U(V) falls by, since it is that at the end of a step; a
 * pin that pulls with limited force does that force times the way. After each frame B is at most the solid's kinetic and elastic energy.
 *
 * Pins that move and hold exactly have a rigid motion u(x), see pin-motion.ts. Momentum that elements give particles (all but what contact,
 * air and pulls give, o) comes from pins, which do the work Σ m u·β (v − ṽ − o). So E is the energy as seen from u,
 *
 *     E(β) = ½ Σ m |ṽ − u + β (v − ṽ)|² + … + β Σ m u·o  ≤  lift(B + Σ m (½ u² − u·ṽ)) + …
 *
 * and B is that of the rest frame again after it.
 *
 * Solids that touch in a frame have one B and one β, on a GPU all that step together. Other partners of their surfaces, without a budget, add the work Σ β J · v that contact
 * did on them, with their velocity after contact: surfaces do not bounce, so the solids lost or gained that much. Twin of guard.wgsl and
 * partner.wgsl.
 */
import { heldOf, quadratic } from "../../../collision/obstacles/proxy-motion";
import { type RigidProxy, YIELD } from "../../../collision/obstacles/rigid-proxy";
import { QUADRATIC_NODES } from "../../../geometry/tetrahedra/quadrature";
import type { Vec3 } from "../../../math/types";
import { cross, dot, norm, subtract } from "../../../math/vectors";
import { gatherElement } from "../elements/elements";
import { solidKindOf } from "../elements/solids/solid-kind";
import { isSolid, type GpbdModel } from "../model";
import type { PinTable } from "../../deformable";

/** Part of B by which a substep may go beyond it unnoticed: rounding of f32, and of what is right. */
export const GUARD_SLACK = 1e-3;

/** As far as this part of its thickness a body may be lifted by what it begins inside of. */
export const GUARD_LIFT = 0.25;

/** Whether a model is of tetrahedra alone, whose energy is known. */
export function isOfSolids({ terms, rods }: GpbdModel): boolean {
  return terms.length > 0 && terms.every(({ kind }) => isSolid(kind)) && !rods;
}

/** Whether there is a guard in a frame: the work of deformable bodies that are attached is not known. */
export function isGuarded(model: GpbdModel, pins: PinTable): boolean {
  return isOfSolids(model) && !pins.hung;
}

/** E(β) = e + a β + c β² and what it may be. */
export interface Balance {
  e: number;
  a: number;
  c: number;
  limit: number;
}

export function energyAt({ e, a, c }: Readonly<Balance>, share: number): number {
  return e + share * (a + share * c);
}

/** The largest β in [0, 1] with E(β) within the limit; where there is none, that of the least E. */
export function shareOf({ e, a, c, limit }: Readonly<Balance>): number {
  if (!(e + a + c > limit)) return 1;
  if (!(c > 0)) return 0;
  const least = Math.min(1, Math.max(0, -a / (2 * c)));
  const room = a * a + 4 * c * (limit - e);
  return room > 0 ? Math.min(1, Math.max(least, (Math.sqrt(room) - a) / (2 * c))) : least;
}

/** Energy of a body [J]. */
export interface Owned {
  readonly kinetic: number;
  /** infinite where it is not known */
  readonly elastic: number;
}

/** Energy that pins may give beside their rigid motion, see pin-motion.ts. */
export interface Drive {
  /** √D of the frame [√J] */
  readonly drive: number;
  /** ½ m (2 w)² [J] */
  readonly blow: number;
  /** elastic energy at the start of the frame [J]; infinite where it is not known */
  readonly stored: number;
}

/**
 * B, with what pins may give as motion beside that.
 *
 * @param part of the frame
 */
export function lift(budget: number, { drive, blow, stored }: Drive, part: number): number {
  const most = blow + (stored < Infinity ? (Math.sqrt(stored) + drive) ** 2 : 0);
  return Math.max(budget, Math.min((Math.sqrt(budget) + part * Math.min(drive, Math.sqrt(blow))) ** 2, most));
}

/**
 * B at the end of a frame. Energy that pins may have given the elements adds to it; but such energy is no longer believed where an
 * element is inside out, unless it is seen as motion.
 *
 * @param lent the part of B that `lift` has added [J]
 */
export function keep(budget: number, lent: number, drive: Drive | undefined, owned: readonly Owned[]): number {
  if (!owned.some(({ elastic }) => elastic === Infinity))
    return drive ? (Math.sqrt(Math.max(0, budget)) + drive.drive) ** 2 : budget;
  const moving = owned.reduce((sum, { kinetic }) => sum + kinetic, 0);
  return Math.max(budget - lent, Math.min(budget, moving));
}

/**
 * The part of each body in an account: no more than there is of it, and all together no more than B. Kinetic energy comes first, then what is
 * known to be elastic; bodies of which that is not known have what is left.
 *
 * @param budget B [J]; infinite while nothing is known of it
 */
export function divide(budget: number, owned: readonly Owned[]): number[] {
  let [moving, known, unknown] = [0, 0, 0];
  for (const { kinetic, elastic } of owned) {
    moving += kinetic;
    if (elastic < Infinity) known += elastic;
    else unknown++;
  }
  const share = moving > budget ? budget / moving : 1;
  const left = Math.max(0, budget - share * moving);
  const part = known > left ? left / known : 1;
  const rest = (left - part * known) / unknown;
  return owned.map(({ kinetic, elastic }) => share * kinetic + (elastic < Infinity ? part * elastic : rest));
}

const corners = new Float64Array(3 * QUADRATIC_NODES);
const strain = new Float64Array(9);

/** Elastic energy of a model at positions [J]; infinite where an element is inside out, of which nobody knows what it has. */
export function storedEnergy(model: GpbdModel, positions: ArrayLike<number>): number {
  let sum = 0;
  for (const term of model.terms) {
    const { strain: measure, density, measureAt } = solidKindOf(term);
    const stride = term.rest.length / term.elementCount;
    for (let e = 0; e < term.elementCount; e++) {
      gatherElement(term, e, positions, corners);
      if (measure.isUpright?.(corners, term.rest, e * stride) === false) return Infinity;
      measure.strain(corners, term.rest, e * stride, strain);
      sum += (measureAt < 0 ? 1 : term.rest[e * stride + measureAt]) * density.value(strain, term.material);
    }
  }
  return sum;
}

/** Offsets of the energies of each term's elements in a buffer of `size` numbers. A binding may begin at each of them. */
export function termOffsets({ terms }: GpbdModel): { offsets: number[]; size: number } {
  let size = 0;
  const offsets = terms.map(({ elementCount }) => {
    const offset = size;
    size += 64 * Math.ceil(elementCount / 64);
    return offset;
  });
  return { offsets, size };
}

/**
 * The energy that contact adds to E by a proxy. If the body meets something on its way, its velocity at the end of the frame differs from
 * that of its colliders during the frame: the velocity that leaves more energy counts. Energy that other contacts of the body take up is
 * not its own: it can be taken from the body only as far as the body yields. But those contacts may lift things that lie on it.
 *
 * @param w impulse [N s] and angular impulse about the world's origin [N m s] on it
 * @param weight impulse of gravity on the soft body in the substep [N s]
 * @param h substep [s]
 * @returns the work that those contacts may do [J]
 */
export function addProxy(balance: Balance, proxy: RigidProxy, w: ArrayLike<number>, weight: number, h: number): number {
  const {
    yielded,
    velocity,
    spin,
    endVelocity,
    endSpin,
    inverseMass,
    inverseInertia: i,
    support,
    centreNow: c,
  } = proxy;
  const { mobility, turning, blocked, expected: e } = proxy;
  const push: Vec3 = [w[0], w[1], w[2]];
  if (dot(push, push) === 0) return 0;
  const turn = subtract([w[3], w[4], w[5]], cross([c[0], c[1], c[2]], push));
  const held = heldOf(support, w);
  const free: Vec3 = [push[0] - held * support[0], push[1] - held * support[1], push[2] - held * support[2]];
  const along = times(free, yielded, YIELD.velocity) + Math.min(times(free, velocity), times(free, endVelocity));
  const around = times(turn, yielded, YIELD.spin) + Math.min(times(turn, spin), times(turn, endSpin));
  const [x, y, z] = turn;
  const turned = 0.5 * (i[0] * x * x + i[1] * y * y + i[2] * z * z) + i[3] * x * y + i[4] * x * z + i[5] * y * z;
  balance.a += Math.max(along, mobility * along) + Math.max(around, turning * around);
  // Half of what the body is moved by already takes it back meanwhile.
  const back: Vec3 = [0.5 * h * e[0], 0.5 * h * e[1], 0.5 * h * e[2]];
  balance.a -= mobility * inverseMass * (dot(free, back) - bilinear(blocked, free, back));
  balance.a -= 0.5 * h * turning * bilinear(i, turn, [e[3], e[4], e[5]]);
  balance.c += 0.5 * mobility * inverseMass * (dot(free, free) - quadratic(blocked, ...free)) + turning * turned;
  const borne = 1 - mobility * (1 - support[0] ** 2 - support[1] ** 2 - support[2] ** 2);
  return LIFT_WEIGHTS * borne * weight * norm(velocity);
}

/** xᵀ M y of a symmetric matrix xx, yy, zz, xy, xz, yz. */
function bilinear(m: ArrayLike<number>, x: Vec3, y: Vec3): number {
  return (
    x[0] * (m[0] * y[0] + m[3] * y[1] + m[4] * y[2]) +
    x[1] * (m[3] * y[0] + m[1] * y[1] + m[5] * y[2]) +
    x[2] * (m[4] * y[0] + m[5] * y[1] + m[2] * y[2])
  );
}

/** With so many times its weight a soft body is lifted at most by what lies on the ground and is moved out of it. */
const LIFT_WEIGHTS = 2;

function times(a: Vec3, b: ArrayLike<number>, at = 0): number {
  return a[0] * b[at] + a[1] * b[at + 1] + a[2] * b[at + 2];
}
