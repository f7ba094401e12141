import { Motion } from "../../solvers/newton/motion/bodies";
import type { RigidDynamics } from "../../solvers/newton/dynamics";
import type { Linkage } from "../../solvers/newton/linkage/linkage";
import type { ContactFinder } from "./contact/contact-finder";
import type { RigidBody } from "./rigid-body";

/** A mechanism as a rigid world steps it. */
export interface WorldLinkage extends Linkage {
  /** links that others can touch, in the order of `slots` */
  readonly bodies: readonly RigidBody[];
  /** steps that touch something are no longer than this [s] */
  readonly maxTimeStep: number;
  /** Before a frame of dt [s]. */
  beginFrame(dt: number): void;
  /** The way of a step of h [s] in which nothing touches it: twists of its bodies. */
  predict(h: number): void;
  endFrame(): void;
  /** Takes over what deformable bodies of other solvers than Newton's did to it. */
  settle(): void;
}

/** Mechanisms of a world, whose links rigid bodies and deformable ones of the Newton solver push at once. */
export class LinkedBodies {
  readonly all: WorldLinkage[] = [];

  constructor(private readonly dynamics: RigidDynamics) {}

  get count(): number {
    return this.all.length;
  }

  add(linkage: WorldLinkage): void {
    this.all.push(linkage);
  }

  remove(linkage: WorldLinkage): void {
    this.all.splice(this.all.indexOf(linkage), 1);
  }

  /** Before a frame of dt [s]. @returns steps that it takes at least */
  begin(dt: number, finder: ContactFinder): number {
    const { linkages } = this.dynamics.deformables;
    linkages.length = 0;
    linkages.push(...this.all);
    let steps = 1;
    for (const linkage of this.all) {
      linkage.beginFrame(dt);
      for (const { record } of linkage.bodies) this.dynamics.bodies.model.motion[record.slot] = Motion.linked;
      linkage.predict(dt);
      if (finder.isNear(linkage.bodies, dt)) steps = Math.max(steps, Math.ceil(dt / linkage.maxTimeStep - 1e-9));
    }
    return steps;
  }

  /** Before a step of h [s], and before contacts are looked for. */
  predict(h: number): void {
    for (const linkage of this.all) linkage.predict(h);
  }

  end(): void {
    for (const linkage of this.all) linkage.endFrame();
  }

  /** After deformable bodies have met the links on their way. */
  settle(): void {
    for (const linkage of this.all) linkage.settle();
  }
}
