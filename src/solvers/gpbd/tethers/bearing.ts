/**
 * Pinned cloth under dynamic rigid bodies. A sweep begins every substep without tension. So a cell under the tension T [N/m] is longer by
 * T h²/m of itself than its fabric allows, with the mass m of a particle, and a heavy body would draw light cloth out to a cell that it
 * fits through. Substeps and inertia keep that part small for any load.
 */
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import type { RigidProxy } from "../../../collision/obstacles/rigid-proxy";
import type { Box } from "../../../geometry/box";
import type { Vec3 } from "../../../math/types";
import type { FrameInput, PinTable } from "../../deformable";
import { MOST_SUBSTEPS } from "../loaded-substeps";
import type { GpbdStepOptions } from "../options";

/** Part by which a load may make a cell longer than the fabric allows: so much of the fabric's own strain, within these bounds. */
const OF_STRAIN = 0.1;
const LEAST_EXCESS = 0.02;
const MOST_EXCESS = 0.05;
/** Strains among which that under a load is sought, and how often the range is halved, as powers. */
const LEAST_STRAIN = 1e-6;
const MOST_STRAIN = 1e3;
const HALVINGS = 16;
/** Part of the mass of its load that a sheet gets as inertia: it changes the motion by about as little, and saves substeps. */
const ADDED = 0.01;
/** A body that something has pushed within so many frames may lie on a sheet that it draws out. */
const TOUCHED_FOR = 30;

/** Properties of a sheet that bears loads. */
export interface BearingSheet {
  /** [kg] */
  readonly mass: number;
  readonly particleCount: number;
  /** least tensile stiffness [N/m] */
  readonly stiffness: number;
  /** Green strain from which it locks, and the rate at which its stiffness then grows [N/m] */
  readonly lock: number;
  readonly lockRate: number;
  /** holds it */
  readonly box: Box;
  /** whether the box is that of what its pins let it reach unstretched */
  readonly isReach: boolean;
}

/** Options of a frame, with as many substeps and as much inertia as the bodies want that may touch a sheet in it. */
export function bearing(
  sheet: BearingSheet,
  { colliders, dt, gravity }: FrameInput,
  options: Readonly<GpbdStepOptions>,
  pins: PinTable,
): Readonly<GpbdStepOptions> {
  const { mass, particleCount } = sheet;
  const load = loadOn(colliders, sheet, gravity);
  if (load.tension === 0) return options;
  const excess = Math.min(MOST_EXCESS, Math.max(LEAST_EXCESS, OF_STRAIN * load.strain));
  const wanted = dt * Math.sqrt((load.tension * particleCount) / (mass * excess));
  if (wanted <= options.substeps) return options;
  if (!options.isFree) return { ...options, isLoaded: true };
  // The sweeps bear the load, with the stiffness of the fabric. Tethers are stiffer, and would leave all stretch to the cells at the load.
  const canGrow = holdsFirmly(pins);
  const grown = canGrow ? Math.sqrt(1 + (ADDED * load.mass) / mass) : 1;
  const substeps = Math.min(MOST_SUBSTEPS, Math.max(options.substeps, Math.ceil(wanted / grown)));
  const inertia = canGrow ? Math.max(1, (wanted / substeps) ** 2) : 1;
  return { ...options, isLoaded: true, substeps, inertia, tetherSlack: undefined };
}

/** Whether the momentum of a body goes into pins that nothing moves: else it must keep its mass. */
function holdsFirmly({ proxies, limits, hung }: PinTable): boolean {
  return !hung && !limits?.some((limit) => limit > 0) && !proxies?.some((proxy) => proxy && proxy.inverseMass > 0);
}

/**
 * Green strain E of a sheet that a body draws out to a cone. Its slope is sin²θ = 2 E / (1 + 2 E), so that a ball of diameter s lies in a circle of
 * s sin θ, where the tension T holds it by π s T sin²θ. It sinks by tan θ = √(2 E) times half of the way to the pins, and is stopped by then.
 *
 * @param weight [N]
 * @param work twice the kinetic energy [J]
 * @param size [m]
 * @param way across the sheet [m]
 */
function strainUnder(weight: number, work: number, size: number, way: number, sheet: BearingSheet): number {
  let [low, high] = [LEAST_STRAIN, MOST_STRAIN];
  for (let i = 0; i < HALVINGS; i++) {
    const strain = Math.sqrt(low * high);
    const holds = (Math.PI * size * tensionAt(strain, sheet) * 2 * strain) / (1 + 2 * strain);
    if (holds < weight + work / sagOf(strain, way)) low = strain;
    else high = strain;
  }
  return high;
}

/** Tension at a Green strain, over the width at rest [N/m]. */
function tensionAt(strain: number, { stiffness, lock, lockRate }: BearingSheet): number {
  const beyond = Math.max(0, strain - lock);
  return Math.sqrt(1 + 2 * strain) * (stiffness * strain + 0.5 * lockRate * beyond * beyond);
}

/** How far the middle of a sheet sinks [m]. */
function sagOf(strain: number, way: number): number {
  return 0.5 * way * Math.sqrt(2 * strain);
}

/** Tension around the dynamic bodies that may touch a sheet [N/m], the largest strain there, and their mass [kg]. */
function loadOn(
  { proxies, proxyOf, bounds }: ColliderSet,
  sheet: BearingSheet,
  gravity: Vec3,
): { readonly tension: number; readonly strain: number; readonly mass: number } {
  const { box, isReach } = sheet;
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
    // A plate lies on its larger sides, a rod on its length or its end.
    const [, middle] = extents.sort((a, b) => a - b);
    const known = near.get(owner);
    near.set(owner, { size: Math.max(known?.size ?? 0, middle), away: Math.min(known?.away ?? Infinity, away) });
  });
  let [tension, most, mass] = [0, 0, 0];
  for (const [owner, { size, away }] of near) {
    const { inverseMass, velocity: v } = proxies[owner];
    const work = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / inverseMass;
    const strain = strainUnder(weightOf(proxies[owner], gravity), work, Math.min(size, way), way, sheet);
    if (away > sagOf(strain, way)) continue;
    tension += tensionAt(strain, sheet);
    most = Math.max(most, strain);
    mass += 1 / inverseMass;
  }
  return { tension, strain: most, mass };
}

/** Weight of a body, as far as nothing else holds it [N]. */
function weightOf({ inverseMass, support: s }: RigidProxy, g: Vec3): number {
  const pull = Math.hypot(...g);
  const held = pull > 0 ? Math.max(0, s[0] * g[0] + s[1] * g[1] + s[2] * g[2]) / pull : 0;
  return (pull * (1 - held * held)) / inverseMass;
}
