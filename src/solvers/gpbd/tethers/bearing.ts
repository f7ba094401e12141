/**
 * Pinned cloth under dynamic rigid bodies. A sweep begins every substep without tension. So a cell under the tension T [N/m] is longer by
 * T h²/m of itself than its fabric allows, with the mass m of a particle, and a heavy body would draw light cloth out to a cell that it
 * fits through. Substeps and inertia keep that part small for any load.
 */
import { createSweepContact, sweepBy } from "../../../collision/contact/sweep";
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import type { RigidProxy } from "../../../collision/obstacles/rigid-proxy";
import type { Box } from "../../../geometry/box";
import type { Vec3 } from "../../../math/types";
import type { FrameInput, PinTable } from "../../deformable";
import { hangingOn, MOST_SUBSTEPS } from "../loaded-substeps";
import type { GpbdStepOptions } from "../options";
import { norm } from "../../../math/vectors";
import { cbrt } from "../../../math/powers";

/** Part by which a load may make a cell longer than the fabric allows: so much of the fabric's own strain, within these bounds. */
const OF_STRAIN = 0.05;
const LEAST_EXCESS = 0.02;
const MOST_EXCESS = 0.1;
/** Part of the mass of its load that a sheet gets as inertia: it changes the motion by about as little, and saves substeps. */
const ADDED = 0.01;
/** A body that something has pushed within so many frames may lie on a sheet that it draws out. */
const TOUCHED_FOR = 30;
/** A body that is so near to what bears it cannot draw out the sheet between the two [thicknesses]: the sheet takes two. */
const ROOM = 3;

const ground = createSweepContact();
/** see `sweepBy`: obstacles at the end of the frame */
const asked = Float64Array.of(0, 1, 1);
const bottom = new Float64Array(3);

/** Properties of a sheet that bears loads. */
export interface BearingSheet {
  /** [kg] */
  readonly mass: number;
  readonly particleCount: number;
  /** least tensile stiffness [N/m] */
  readonly stiffness: number;
  /** holds it */
  readonly box: Box;
  /** whether the box is that of what its pins let it reach unstretched */
  readonly isReach: boolean;
  /** of its fabric [s] */
  readonly swingDamping?: number | undefined;
}

/** Options of a frame, with as many substeps and as much inertia as the bodies want that may touch a sheet in it. */
export function bearing(
  sheet: BearingSheet,
  { colliders, dt, gravity }: FrameInput,
  given: Readonly<GpbdStepOptions>,
  pins: PinTable,
): Readonly<GpbdStepOptions> {
  const { mass, particleCount, stiffness } = sheet;
  const load = loadOn(colliders, sheet, gravity, ROOM * given.thickness);
  const { swingDamping } = sheet;
  const isDamped = swingDamping && (load.tension > 0 || hangingOn(pins).mass > 0);
  const options = isDamped ? { ...given, swingDamping } : given;
  if (load.tension === 0) return options;
  const strain = strainUnder(load.tension / stiffness);
  const excess = Math.min(MOST_EXCESS, Math.max(LEAST_EXCESS, OF_STRAIN * strain));
  const wanted = dt * Math.sqrt((load.tension * particleCount) / (mass * excess));
  if (wanted <= options.substeps) return options;
  if (!options.isFree) return { ...options, isLoaded: true };
  // The sweeps bear the load, with the stiffness of the fabric. Tethers are stiffer, and would leave all stretch to the cells at the load.
  const canGrow = holdsFirmly(pins);
  const grown = canGrow ? Math.sqrt(1 + (ADDED * load.mass) / mass) : 1;
  const substeps = Math.min(
    options.mostSubsteps ?? MOST_SUBSTEPS,
    Math.max(options.substeps, Math.ceil(wanted / grown)),
  );
  const inertia = canGrow ? Math.max(1, (wanted / substeps) ** 2) : 1;
  return { ...options, isLoaded: true, substeps, inertia, tetherSlack: undefined };
}

/** Whether the momentum of a body goes into pins that nothing moves: else it must keep its mass. */
function holdsFirmly({ proxies, limits, hung }: PinTable): boolean {
  return !hung && !limits?.some((limit) => limit > 0) && !proxies?.some((proxy) => proxy && proxy.inverseMass > 0);
}

/** Strain of a sheet of St. Venant-Kirchhoff material, T / k = λ (λ² − 1) / 2 with the stretch λ, from above. */
function strainUnder(ratio: number): number {
  return Math.min(ratio, cbrt(2 * ratio));
}

/**
 * Tension around the dynamic bodies that may touch a sheet [N/m], and their mass [kg].
 *
 * @param room between a body and what bears it, with the sheet [m]
 */
function loadOn(
  colliders: ColliderSet,
  { box, isReach, stiffness }: BearingSheet,
  gravity: Vec3,
  room: number,
): { readonly tension: number; readonly mass: number } {
  const { proxies, proxyOf, bounds } = colliders;
  const way = Math.max(...[0, 1, 2].map((c) => box.max[c] - box.min[c]));
  /** sizes of bodies, and how far they are from the box [m] */
  const near = new Map<number, { size: number; away: number }>();
  proxyOf.forEach((owner, primitive) => {
    if (owner < 0 || !(proxies[owner].inverseMass > 0)) return;
    const extents = [];
    let away = 0;
    for (let c = 0; c < 3; c++) {
      const [low, high] = [bounds[6 * primitive + c], bounds[6 * primitive + 3 + c]];
      away = Math.max(away, low - box.max[c], box.min[c] - high);
      extents.push(high - low);
    }
    if (away > 0 && !(isReach && proxies[owner].quiet < TOUCHED_FOR)) return;
    if (liesOnGround(colliders, primitive, gravity, room)) return;
    // A plate lies on its larger sides, a rod on its length or its end.
    const [, middle] = extents.sort((a, b) => a - b);
    const known = near.get(owner);
    near.set(owner, { size: Math.max(known?.size ?? 0, middle), away: Math.min(known?.away ?? Infinity, away) });
  });
  let [tension, mass] = [0, 0];
  for (const [owner, { size, away }] of near) {
    const own = forceOf(proxies[owner], gravity, way) / (Math.PI * Math.min(size, way));
    if (away > way * strainUnder(own / stiffness)) continue;
    tension += own;
    mass += 1 / proxies[owner].inverseMass;
  }
  return { tension, mass };
}

/**
 * Whether what does not move is below the middle of a primitive, or bodies that lie on it; arguments as of `loadOn`.
 *
 * @param above bodies that it bears
 */
function liesOnGround(
  colliders: ColliderSet,
  primitive: number,
  gravity: Vec3,
  room: number,
  above: readonly number[] = [],
): boolean {
  const { bounds, primitiveCount, proxies, proxyOf } = colliders;
  const pull = norm(gravity);
  if (pull === 0) return false;
  let reach = 0;
  for (let c = 0; c < 3; c++)
    reach += (Math.abs(gravity[c]) / pull) * (bounds[6 * primitive + 3 + c] - bounds[6 * primitive + c]);
  for (let c = 0; c < 3; c++) {
    const middle = (bounds[6 * primitive + c] + bounds[6 * primitive + 3 + c]) / 2;
    bottom[c] = middle + (gravity[c] / pull) * (reach / 2);
  }
  asked[0] = room;
  const own = [...above, proxyOf[primitive]];
  const below = new Set<number>();
  for (let k = 0; k < primitiveCount; k++) {
    const owner = proxyOf[k];
    if (own.includes(owner) || below.has(owner) || !sweepBy(colliders, k, bottom, bottom, 0, asked, ground, false))
      continue;
    if (owner < 0 || proxies[owner].inverseMass === 0) return true;
    below.add(owner);
  }
  return [...below].some((owner) =>
    proxyOf.some((of, k) => of === owner && liesOnGround(colliders, k, gravity, room, own)),
  );
}

/** Weight of a body, as far as nothing else holds it, and the force that stops it within a way [N]. @param way [m] */
function forceOf({ inverseMass, support: s, velocity: v }: RigidProxy, g: Vec3, way: number): number {
  const pull = norm(g);
  const held = pull > 0 ? Math.max(0, s[0] * g[0] + s[1] * g[1] + s[2] * g[2]) / pull : 0;
  return (pull * (1 - held * held) + (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / way) / inverseMass;
}
