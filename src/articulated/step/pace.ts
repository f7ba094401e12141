/**
 * The number of parts of a step. q̈ of a mechanism changes as fast as its links turn, and as its slides change the
 * distances between them. The turn of a step is
 *
 *   θ = Δt max (|ω| of a link, |ṡ| / ℓ of a slide),   ℓ² = d² + r²
 *
 * d  between the centers of what slides and of what it slides on     r  root mean square distance of what slides from its center
 *
 * A link held by a single joint, and without links behind it, does not count: its motion is exact, or its inertia is
 * constant.
 */
import { segmentKind } from "../joints/segments";
import { type ArticulatedModel, WORLD } from "../model";
import type { ArticulatedScratch } from "../scratch";

/**
 * Turns of a step [rad]. Below `steady` a step is taken as a whole, below `calm` in one part of second order, and above
 * in parts of fourth order that turn by at most `longest`; the last entry is the largest number of parts.
 */
export const turns = { steady: 0.001, calm: 0.005, longest: 0.08, mostParts: 64 };

/** A sliding degree of freedom. */
export interface Slide {
  readonly dof: number;
  /** the first link with mass behind it, and the last one with mass before it, or `WORLD` */
  readonly moved: number;
  readonly base: number;
  /** mean square distance of the mass of `moved` from its center [m²] */
  readonly spread: number;
}

/** The parts of a step: their number, and whether they are of fourth or second order. */
export interface Parts {
  readonly count: number;
  readonly isFine: boolean;
}

/** A step as a whole. */
export const whole: Parts = { count: 0, isFine: false };
const calm: Parts = { count: 1, isFine: false };

/** Determines the parts of each step of a mechanism. */
export class Pace {
  /** links whose turning counts */
  readonly turning: readonly number[];
  readonly slides: readonly Slide[];

  constructor(model: ArticulatedModel) {
    const roots = rootsOf(model);
    const isLoose = roots.map((root) => isTreeLoose(model, roots, root));
    this.turning = roots.flatMap((_, link) => (isLoose[link] ? [link] : []));
    this.slides = slidesOf(model).filter(({ dof }) => isLoose[model.dofLink[dof]]);
  }

  /** The parts of a step; call after `updateKinematics`. A slow mechanism needs none: a whole step will do. */
  partsOf(scratch: ArticulatedScratch, dt: number): Parts {
    const turn = dt * this.rateOf(scratch);
    if (turn < turns.steady || !Number.isFinite(turn)) return whole;
    if (turn < turns.calm) return calm;
    return { count: Math.min(turns.mostParts, Math.ceil(turn / turns.longest)), isFine: true };
  }

  /** [rad/s] */
  rateOf({ velocity, massCentre, qd }: ArticulatedScratch): number {
    let most = 0;
    for (const link of this.turning) {
      const at = 6 * link;
      most = Math.max(most, velocity[at] ** 2 + velocity[at + 1] ** 2 + velocity[at + 2] ** 2);
    }
    for (const { dof, moved, base, spread } of this.slides) {
      let size = spread;
      for (let c = 0; c < 3 && base !== WORLD; c++) size += (massCentre[3 * moved + c] - massCentre[3 * base + c]) ** 2;
      if (size > 0) most = Math.max(most, qd[dof] ** 2 / size);
    }
    return Math.sqrt(most);
  }
}

/** See `Slide.spread`. */
function spreadOf({ mass, inertia }: ArticulatedModel, link: number): number {
  return (0.5 * (inertia[6 * link] + inertia[6 * link + 1] + inertia[6 * link + 2])) / mass[link];
}

function rootsOf({ parent }: ArticulatedModel): number[] {
  const roots: number[] = [];
  parent.forEach((above, link) => roots.push(above === WORLD ? link : roots[above]));
  return roots;
}

/** Whether the inertia of a tree depends on its coordinates, beyond the rotation of a single body. */
function isTreeLoose(model: ArticulatedModel, roots: readonly number[], root: number): boolean {
  const moving = roots.flatMap((own, link) => (own === root && model.linkDofCount[link] > 0 ? [link] : []));
  if (moving.length !== 1) return moving.length > 1;
  const type = model.jointTypes[moving[0]];
  return type !== "free" && type !== "ball" && model.linkDofCount[moving[0]] > 1;
}

/** Slides that are turned by another joint: a slide before all turns moves in a straight line. */
function slidesOf(model: ArticulatedModel): Slide[] {
  const slides: Slide[] = [];
  const hasTurned = new Uint8Array(model.linkCount);
  for (let link = 0; link < model.linkCount; link++) {
    const above = model.parent[link];
    let isTurned = above !== WORLD && hasTurned[above] !== 0;
    for (let s = model.segmentStart[link]; s < model.segmentStart[link + 1]; s++)
      if (model.segmentKind[s] !== segmentKind.slide) isTurned = true;
      else if (isTurned && (above !== WORLD || model.jointTypes[link] !== "free")) {
        const moved = firstWithMass(model, link);
        if (moved === WORLD) continue;
        const base = lastWithMass(model, above);
        slides.push({ dof: model.segmentDof[s], moved, base, spread: spreadOf(model, moved) });
      }
    if (isTurned) hasTurned[link] = 1;
  }
  return slides;
}

function firstWithMass({ mass, parent, linkCount }: ArticulatedModel, link: number): number {
  const isBehind = new Uint8Array(linkCount);
  for (let i = link; i < linkCount; i++) {
    if (i === link || (parent[i] !== WORLD && isBehind[parent[i]] !== 0)) isBehind[i] = 1;
    if (isBehind[i] !== 0 && mass[i] > 0) return i;
  }
  return WORLD;
}

function lastWithMass({ mass, parent }: ArticulatedModel, link: number): number {
  let at = link;
  while (at !== WORLD && mass[at] === 0) at = parent[at];
  return at;
}
