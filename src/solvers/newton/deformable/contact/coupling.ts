/** Deformable bodies and mechanisms beside the rigid ones: decides which are solved together, and steps them. */

import { ImpulseMemory } from "../../../../collision/soft/impulse-memory";
import { Motion } from "../../motion/bodies";
import type { Islands } from "../../island/islands";
import type { IslandSystem } from "../../island/island-system";
import type { NewtonReport, RowEvaluator } from "../../island/newton-solver";
import type { NewtonOptions } from "../../options";
import type { PairList } from "../../contact/pairs";
import { type CoupledGroup, CoupledSolver } from "./coupled-solver";
import type { FemBody } from "../fem-body";
import type { Linkage } from "../../linkage/linkage";
import { SoftContacts } from "./soft-contacts";

export class DeformableCoupling {
  readonly bodies: FemBody[] = [];
  /** mechanisms, predicted for the step */
  readonly linkages: Linkage[] = [];
  /** contacts of the step, found before it */
  readonly contacts = new SoftContacts();
  /** impulses of the previous step */
  readonly memory = new ImpulseMemory();
  private readonly solver = new CoupledSolver(this.system, this.bodies, this.contacts, this.options);
  /** whether bodies are solved on another device, so that nothing is done here */
  isElsewhere = false;
  /** island of each body, −1 if it touches no moving rigid body */
  private readonly islandOf: number[] = [];
  /** island of each mechanism, −1 if nothing touches it */
  private islandOfLinkage: number[] = [];
  /** impulses of constraints on each mechanism in the step */
  private readonly given = new Map<Linkage, Float64Array>();

  constructor(
    private readonly system: IslandSystem,
    private readonly options: NewtonOptions,
  ) {}

  /** Predicts all bodies. */
  begin(gravity: ArrayLike<number>, h: number): void {
    if (this.isElsewhere) return;
    const { warmStart } = this.options;
    for (const body of this.bodies) if (!body.isAsleep) body.predict(gravity, h, warmStart);
    if (warmStart) this.contacts.recall(this.memory);
  }

  /** Joins rigid bodies that touch the same deformable one, and all links of a mechanism. */
  link(islands: Islands): void {
    for (const { slots } of this.linkages) for (const slot of slots) islands.link(slots[0], slot);
    if (this.isElsewhere || this.contacts.count === 0) return;
    const { contacts } = this;
    const first = new Map<number, number>();
    const { motion } = this.system.bodies.model;
    for (let c = 0; c < contacts.count; c++) {
      const slot = contacts.rigid[c];
      if (slot < 0 || motion[slot] < Motion.dynamic) continue;
      const other = first.get(contacts.bodyOf(c));
      if (other === undefined) first.set(contacts.bodyOf(c), slot);
      else islands.link(other, slot);
    }
  }

  /** Call after the islands are numbered. @param pairs pairs of rigid bodies that touch */
  assign(islands: Islands, pairs: PairList): void {
    const { contacts } = this;
    this.islandOf.length = this.bodies.length;
    this.islandOf.fill(-1);
    if (this.linkages.length > 0 || this.islandOfLinkage.length > 0) this.assignLinkages(islands, pairs);
    if (this.isElsewhere) return;
    for (let c = 0; c < contacts.count; c++) {
      const slot = contacts.rigid[c];
      if (slot >= 0 && islands.islandOf[slot] >= 0) this.islandOf[contacts.bodyOf(c)] = islands.islandOf[slot];
    }
  }

  private assignLinkages(islands: Islands, pairs: PairList): void {
    this.given.clear();
    const touched = new Set<number>();
    if (this.linkages.length > 0) {
      for (let k = 0; k < pairs.count; k++)
        if (pairs.end[k] > pairs.first[k] && pairs.isSensor[k] === 0)
          touched.add(islands.ofPair(pairs.bodyA[k], pairs.bodyB[k]));
      const { contacts } = this;
      for (let c = 0; c < contacts.count && !this.isElsewhere; c++)
        if (contacts.rigid[c] >= 0) touched.add(islands.islandOf[contacts.rigid[c]]);
    }
    this.islandOfLinkage = this.linkages.map(({ slots }) => {
      const island = slots.length > 0 ? islands.islandOf[slots[0]] : -1;
      return touched.has(island) ? island : -1;
    });
  }

  /** Whether deformable bodies or mechanisms are part of an island. */
  claims(island: number): boolean {
    return this.islandOf.includes(island) || this.hasLinks(island);
  }

  /** Whether mechanisms are part of an island. */
  hasLinks(island: number): boolean {
    return this.islandOfLinkage.includes(island);
  }

  /** Solves the selected island with the deformable bodies and mechanisms in it. */
  solveIsland(island: number, h: number, joints: RowEvaluator, report?: NewtonReport): void {
    const linkages = this.linkages.filter((_, i) => this.islandOfLinkage[i] === island);
    const group = this.group((body) => this.islandOf[body] === island, this.system, linkages);
    this.solveGroup(group, h, joints, report);
  }

  /** Call after all islands: mechanisms end their steps. */
  finishLinkages(): void {
    for (const linkage of this.linkages) linkage.finish(this.given.get(linkage));
  }

  /** Solves each body that touches no moving rigid body, by itself. */
  solveFree(h: number, joints: RowEvaluator, reports?: NewtonReport[]): void {
    if (this.isElsewhere) return;
    for (let body = 0; body < this.bodies.length; body++) {
      if (this.islandOf[body] >= 0 || isOut(this.bodies[body])) continue;
      let report: NewtonReport | undefined;
      reports?.push((report = { residuals: [], errors: [], steps: [], linear: [], size: 0, factors: 0, products: 0 }));
      const group = this.group((other) => other === body, undefined);
      this.solveGroup(group, h, joints, report);
    }
    this.memory.keep(this.contacts, always);
  }

  private group(
    has: (body: number) => boolean,
    system: IslandSystem | undefined,
    linkages: readonly Linkage[] = [],
  ): CoupledGroup {
    const softs: number[] = [];
    const places: number[] = [];
    for (let body = 0; body < this.bodies.length; body++) if (has(body) && !isOut(this.bodies[body])) softs.push(body);
    for (let c = 0; c < this.contacts.count; c++)
      if (has(this.contacts.bodyOf(c)) && !isOut(this.bodies[this.contacts.bodyOf(c)])) places.push(c);
    return { softs, contacts: places, system, linkages };
  }

  private solveGroup(group: CoupledGroup, h: number, joints: RowEvaluator, report?: NewtonReport): void {
    const impulses = this.solver.solve(group, h, joints, report);
    group.linkages.forEach((linkage, i) => this.given.set(linkage, impulses[i]));
    for (const s of group.softs) this.bodies[s].finish(h);
  }
}

const always = (): boolean => true;

/** Whether a body is not stepped. */
const isOut = ({ isFrozen, isAsleep }: FemBody): boolean => isFrozen || isAsleep;
