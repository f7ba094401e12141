/**
 * The contacts of a local-global iteration: sweeps (`contact-sweeps.ts`) until contacts stay open, sticking or sliding, and then Newton
 * steps (`contact-solver.ts`), which converge from there. Steps that gain too little wait until twice as many sweeps were made.
 * Stiff bodies have projected gradients (`contact-projection.ts`) instead of sweeps; so does what sweeps leave unsolved.
 */
import type { ContactList } from "../../../collision/soft/contact-list";
import type { SharedOptions } from "../options";
import { ContactProjection } from "./contact-projection";
import type { ContactSolver } from "./contact-solver";
import { ContactSweeps } from "./contact-sweeps";
import type { Delassus } from "./delassus";

/** Beyond this the contacts of an iteration are not solved more exactly [m]. */
const EXACT = 1e-10;
/** Before the last iteration, a part of the residual that it begins with is enough: what comes before is only on the way. */
const ON_THE_WAY = 0.01;
/** Sweeps at most for each Newton step that is allowed. */
const SWEEPS_A_STEP = 8;
/** Sweeps before the first Newton steps. */
const FIRST_SWEEPS = 12;
/** If sweeps leave more than this in the last iteration, it goes on as on stiff bodies [m]. */
const LOOSE = 1e-6;
/** A Newton step is good if it leaves no more than this part of the residual. */
const GOOD = 0.5;
/** Projected gradients that follow a Newton step that makes things worse, on stiff bodies and after sweeps that fail. */
const PROJECTIONS = 24;
/** Halvings of a Newton step that increases the residual. */
const HALVINGS = 2;

export class ContactRounds {
  private readonly sweeps = new ContactSweeps();
  private readonly projection = new ContactProjection();
  /** sweeps before Newton steps are tried */
  private wait = 0;
  /** whether the last Newton step was not taken back */
  private isTaken = false;
  /** whether a body that is touched is stiff */
  private isStiff = false;

  constructor(private readonly solver: ContactSolver) {}

  /**
   * Moves z towards the solution, and fills the residuals of the solver.
   *
   * @param free H q − d without the contact forces: δ = free + W z
   * @param scale r of each row [1/kg]
   * @param isLast whether it is the last iteration of a pass
   */
  solve(
    contacts: ContactList,
    w: Delassus,
    free: Float64Array,
    scale: Float64Array,
    settings: SharedOptions,
    isLast: boolean,
  ): void {
    const { solver, sweeps } = this;
    let error = solver.judge(contacts, w, free);
    const first = error;
    let steps = isLast ? settings.newtonIterations : Math.ceil(settings.newtonIterations / 3);
    if (this.isStiff) {
      this.stepAndProject(contacts, w, free, scale, settings, error, steps);
      return;
    }
    const enough = isLast ? EXACT : Math.max(EXACT, ON_THE_WAY * first);
    let left = SWEEPS_A_STEP * steps;
    let isFirst = true;
    while (error > enough) {
      if (this.wait === 0 || !isFirst)
        for (let isGood = true; isGood && steps > 0 && error > enough; steps--) {
          const next = this.step(contacts, w, free, scale, settings, error);
          isGood = next < GOOD * error;
          error = next;
        }
      isFirst = false;
      if (error <= enough) this.wait = 0;
      if (error <= enough || left === 0) break;
      this.wait = Math.max(FIRST_SWEEPS, 2 * this.wait);
      left -= sweeps.run(contacts, w, free, Math.min(left, this.wait), enough, this.wait === FIRST_SWEEPS);
      error = solver.judge(contacts, w, free);
    }
    if (isLast && error > LOOSE)
      this.stepAndProject(contacts, w, free, scale, settings, error, settings.newtonIterations);
  }

  /** Newton steps, and projected gradients in place of those that make things worse. */
  private stepAndProject(
    contacts: ContactList,
    w: Delassus,
    free: Float64Array,
    scale: Float64Array,
    settings: SharedOptions,
    error: number,
    steps: number,
  ): void {
    const { solver, projection } = this;
    for (; steps > 0 && error > EXACT; steps--) {
      error = this.step(contacts, w, free, scale, settings, error);
      if (!this.isTaken) error = projection.run(contacts, w, free, solver, PROJECTIONS, error, EXACT);
    }
  }

  /** Before the first iteration of a pass. */
  begin(w: Delassus): void {
    this.wait = 0;
    this.isStiff = w.parts.some((part) => part.isStiff);
  }

  /** One Newton step, halved and taken back if it makes things worse. */
  private step(
    contacts: ContactList,
    w: Delassus,
    free: Float64Array,
    scale: Float64Array,
    settings: SharedOptions,
    error: number,
  ): number {
    const { solver } = this;
    solver.step(contacts, w, free, scale, settings);
    let next = solver.judge(contacts, w, free);
    for (let k = 0; k < HALVINGS && !(next < error); k++) {
      solver.halve(contacts);
      next = solver.judge(contacts, w, free);
    }
    // not known from the residual: tangents have turned, and rounding may make it less
    this.isTaken = next < error;
    if (this.isTaken) return next;
    solver.undo(contacts);
    return solver.judge(contacts, w, free);
  }
}
