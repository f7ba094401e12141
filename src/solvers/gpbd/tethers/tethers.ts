/**
 * Tethers, or long range attachments (Kim, Chentanez and Müller-Fischer 2012): no particle of a sheet goes further from the pins
 * near it than the sheet reaches. A sweep carries the tension of a fine mesh on by a cell; tethers hold all of it at once.
 */
import { massOf } from "../../mass";
import { createSweepContact, sweepBy } from "../../../collision/contact/sweep";
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import type { Box } from "../../../geometry/box";
import { nearestAnchors } from "../../../geometry/geodesics";
import type { Fabric } from "../../../materials/fabric";
import type { Vec3 } from "../../../math/types";
import { pinHolds, type FrameInput, type PinTable } from "../../deformable";
import type { GpbdModel } from "../model";
import type { GpbdStepOptions } from "../options";
import { hangingOn } from "../loaded-substeps";
import { bearing } from "./bearing";
import { norm } from "../../../math/vectors";
import { exp } from "../../../math/exponentials";
import { pow } from "../../../math/powers";

/** Tethers of a particle; `shaders/tethers/tethers.wgsl` has the same number. */
export const TETHERS = 4;
/** Part of its length that a tether gives without a load. */
const SLACK = 0.002;
/** A tether never gives more: no load tears a sheet off its pins. */
const MOST_SLACK = 0.25;
/** With more slack than this, tethers do not save the sweeps any work. */
const EASY_SLACK = 0.05;
/** Loads are felt most near the particles that they act on. */
const CONCENTRATION = 4;
/** Pull of the wind on a sheet that gives way to it, as a part of that on a wall. */
const FLUTTER = 0.2;
/** Distance from an obstacle at which a particle touches it, in thicknesses. */
const TOUCH = 1.2;
/** Part of the longest tether from which on others count: of short ones a thickness is much. */
const LONG = 0.25;
/** Part of its reach from which on a particle may be pushed beyond it in a frame. */
const NEAR = 0.75;
/** Rate at which a particle that is already beyond its tether comes back [1/s]: a pin that is set late must not throw it. */
const RECOVERY = 60;

/**
 * Substeps of cloth that tethers hold: they leave local stretch to the sweeps, which travels by cells. Measured on cotton that hangs
 * by two corners: the largest stretch is below 3 % with 8 substeps for 32 segments and with 11 for 64.
 */
function tetheredSubsteps({ substeps, wantedSubsteps = substeps }: Readonly<GpbdStepOptions>): number {
  return Math.min(substeps, Math.max(8, Math.round(8 * pow(wantedSubsteps / 26, 0.26))));
}

const touch = createSweepContact();
/** see `sweepBy` */
const asked = new Float64Array(3);
const place = new Float64Array(3);

/** A sheet in a frame. */
export interface SheetPlace {
  /** [kg/m²] */
  readonly arealMass: number;
  /** holds the body */
  readonly box: Box;
  /** whether that is the box of what the pins let it reach */
  readonly isReach: boolean;
  /** of other deformable bodies that may lie on it [kg] */
  readonly load: number;
  /** of its particles, where they are known [m] */
  readonly positions?: ArrayLike<number> | undefined;
}

export class Tethers {
  /** particleCount × TETHERS: anchors, nearest first; −1 at places that are left over */
  anchors: Int32Array = new Int32Array();
  /** particleCount × TETHERS: length of the way within the sheet at rest [m] */
  lengths: Float64Array = new Float64Array();
  /** length from which on a tether counts for `slackAround` [m] */
  private leastLength = 0;
  /** number of times that they were laid */
  version = 0;
  private held = new Uint8Array();
  /** in the last frame */
  private model: GpbdModel | undefined;
  private hasAnchors = false;
  /** Options of a frame, with what tethers give in it, with fewer substeps if they hold the sheet, and with more if it bears a load. */
  adapt(
    model: GpbdModel,
    frame: FrameInput,
    options: Readonly<GpbdStepOptions>,
    pins: PinTable,
    place: SheetPlace,
  ): Readonly<GpbdStepOptions> {
    if (!pins.pinned.includes(1)) return this.unpinned(model, frame, options, place);
    const tethered = this.tethered(model, frame, options, pins, place);
    const { particleCount, sheet } = model;
    if (!sheet) return tethered;
    const { box, isReach } = place;
    const { swingDamping } = sheet;
    const borne = { mass: massOf(model), particleCount, stiffness: leastTension(sheet), box, isReach, swingDamping };
    return bearing(borne, frame, tethered, pins);
  }

  /** The same without pins. */
  protected unpinned(
    _model: GpbdModel,
    _frame: FrameInput,
    options: Readonly<GpbdStepOptions>,
    _place: SheetPlace,
  ): Readonly<GpbdStepOptions> {
    return options;
  }

  /** With tethers, where they hold. */
  private tethered(
    model: GpbdModel,
    frame: FrameInput,
    options: Readonly<GpbdStepOptions>,
    pins: PinTable,
    { arealMass, box, load, positions }: SheetPlace,
  ): Readonly<GpbdStepOptions> {
    const isWanted = options.tethers ?? options.isFree;
    // They would have the whole stiffness of a material that is taking over.
    const isEased = options.relaxation < 1;
    if (!isWanted || isEased || !model.sheet) return options;
    this.follow(model, pins);
    if (!this.hasAnchors) return options;
    // Bodies that hang on it may be in its box as well. They count whether they are or not: slack that comes and goes throws them.
    const onIt = load + Math.max(massOn(frame.colliders, box), hangingOn(pins).mass);
    const wanted = SLACK + pull(massOf(model), arealMass, frame.gravity, options, onIt) / leastTension(model.sheet);
    const least = Math.min(MOST_SLACK, wanted);
    const tetherSlack = positions ? this.slackAround(frame.colliders, positions, least, options.thickness) : least;
    // Under a load the sheet stretches around it, too, and that is up to the sweeps.
    const isEasy = options.isFree && onIt === 0 && Math.max(wanted, tetherSlack) < EASY_SLACK;
    return { ...options, tetherSlack, substeps: isEasy ? tetheredSubsteps(options) : options.substeps };
  }

  /**
   * Slack with which tethers leave particles at obstacles that are further from their pins than the sheet reaches: it has to stretch around
   * those, and evenly. Tethers that held the rest of it would open a hole there.
   *
   * @param least without obstacles
   */
  private slackAround(colliders: ColliderSet, positions: ArrayLike<number>, least: number, thickness: number): number {
    let slack = least;
    if (colliders.primitiveCount === 0) return slack;
    asked[0] = TOUCH * thickness;
    asked[2] = 1;
    for (let p = 0; TETHERS * p < this.anchors.length; p++) {
      for (let c = 0; c < 3; c++) place[c] = positions[3 * p + c];
      if (this.excess(place, positions, p) < NEAR) continue;
      for (let k = 0; k < colliders.primitiveCount; k++) {
        if (!sweepBy(colliders, k, positions, positions, 3 * p, asked, touch, false)) continue;
        for (let c = 0; c < 3; c++) place[c] = positions[3 * p + c] + touch.push * touch.normal[c];
        slack = Math.max(slack, this.excess(place, positions, p) - 1);
      }
    }
    return slack;
  }

  /** Distance of a particle from its pins, the largest, over how far the sheet reaches between those. */
  private excess(at: ArrayLike<number>, positions: ArrayLike<number>, p: number): number {
    const { anchors, lengths } = this;
    const first = TETHERS * p;
    let most = 0;
    for (let i = first; i < first + TETHERS && anchors[i] >= 0; i++)
      if (lengths[i] > this.leastLength) most = Math.max(most, between(at, positions, 0, anchors[i]) / lengths[i]);
    return most / this.spread(positions, first);
  }

  /** Distance of pins over the reach of the sheet between them, at least 1: beyond that the sheet has to stretch, and evenly. */
  protected spread(positions: ArrayLike<number>, first: number): number {
    const { anchors, lengths } = this;
    let spread = 1;
    for (let i = first + 1; i < first + TETHERS && anchors[i] >= 0; i++)
      spread = Math.max(
        spread,
        between(positions, positions, anchors[first], anchors[i]) / (lengths[first] + lengths[i]),
      );
    return spread;
  }

  /** Tethers lead to pins that hold exactly and that no rigid body carries. They are laid again if these or the shape at rest changed. */
  private follow(model: GpbdModel, pins: PinTable): void {
    const { particleCount, positions, faces } = model;
    let isSame = this.model?.positions === positions;
    this.model = model;
    if (this.held.length !== particleCount) this.held = new Uint8Array(particleCount);
    for (let p = 0; p < particleCount; p++) {
      const holds = pins.proxies?.[p] === undefined && pinHolds(pins, p) ? 1 : 0;
      isSame &&= this.held[p] === holds;
      this.held[p] = holds;
    }
    if (isSame) return;
    this.hasAnchors = this.held.includes(1);
    if (!this.hasAnchors) return;
    const { anchors, distances } = nearestAnchors(positions, faces, this.held, TETHERS);
    this.anchors = anchors;
    this.lengths = distances;
    this.leastLength =
      LONG * distances.reduce((most, length) => (length < Infinity ? Math.max(most, length) : most), 0);
    this.version++;
  }

  /** Part of its way beyond its tether that a particle has left after a substep of this length [s]. */
  rest(h: number): number {
    return exp(-RECOVERY * h);
  }
}

/**
 * Force across a sheet by its weight, by loads and by the wind, over its width [N/m].
 *
 * @param mass [kg]
 * @param arealMass [kg/m²]
 * @param load [kg]
 */
export function pull(
  mass: number,
  arealMass: number,
  gravity: Vec3,
  options: Readonly<GpbdStepOptions>,
  load: number,
): number {
  const { gravityFactor, airDensity, drag } = options;
  const side = Math.sqrt(mass / arealMass);
  const weight = norm(gravity) * (Math.abs(gravityFactor) * mass + CONCENTRATION * load);
  const speed = norm(options.wind) + (options.windField?.strongSpeed ?? 0);
  return weight / side + FLUTTER * 0.5 * airDensity * drag * speed * speed * side;
}

/** Mass of the dynamic rigid bodies that may touch something within a box [kg]. */
export function massOn({ proxies, proxyOf, bounds }: ColliderSet, box: Box): number {
  const near = new Set<number>();
  proxyOf.forEach((proxy, primitive) => {
    if (proxy < 0 || near.has(proxy) || !(proxies[proxy].inverseMass > 0)) return;
    for (let c = 0; c < 3; c++)
      if (bounds[6 * primitive + c] > box.max[c] || bounds[6 * primitive + 3 + c] < box.min[c]) return;
    near.add(proxy);
  });
  let mass = 0;
  for (const proxy of near) mass += 1 / proxies[proxy].inverseMass;
  return mass;
}

/** Distance of particle a at places x from particle b at places y [m]. */
export function between(x: ArrayLike<number>, y: ArrayLike<number>, a: number, b: number): number {
  const u = y[3 * b] - x[3 * a];
  const v = y[3 * b + 1] - x[3 * a + 1];
  const w = y[3 * b + 2] - x[3 * a + 2];
  return Math.sqrt(u * u + v * v + w * w);
}

/** Least tensile stiffness of a strip that is cut from a sheet in any direction [N/m]; 45° stands for all between warp and weft. */
function leastTension({ stretchWarp, stretchWeft, shear, poissonRatio }: Readonly<Fabric>): number {
  const cross = poissonRatio / Math.sqrt(stretchWarp * stretchWeft);
  const bias = 4 / (1 / stretchWarp + 1 / stretchWeft - 2 * cross + 1 / shear);
  return Math.min(stretchWarp, stretchWeft, bias);
}
