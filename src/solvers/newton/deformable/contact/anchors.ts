/**
 * Contacts of rigid bodies in large islands are slightly compliant, counted from the impulses at which an iteration
 * starts: iterations end where nothing yields, at the rigid solution (the proximal point method, Rockafellar 1976).
 * Boxes on boxes have more contacts than independent impulses. Without this compliance the search for the active
 * contacts goes astray, and most problems of more than a hundred contacts use up their iterations.
 */

import type { ContactProblem } from "../problem/contact-problem";

/** Compliance, as a part of the mobility of a row. */
export const RIGID_GIVE = 1e-3;
const SHARE = RIGID_GIVE / (1 + RIGID_GIVE);

export class Anchors {
  private rows: number[] = [];
  private impulses: number[] = [];

  clear(): void {
    this.rows.length = this.impulses.length = 0;
  }

  /** Counts the compliance of row i from its present impulse: changes the bias of the row. */
  hold(problem: ContactProblem, i: number): void {
    const impulse = problem.p[i];
    this.rows.push(i);
    this.impulses.push(impulse);
    problem.bias[i] -= SHARE * problem.diagonal(i) * impulse;
  }

  /** Largest speed of a row that its compliance allows at the present impulses [m/s]. */
  yielded(problem: ContactProblem): number {
    let most = 0;
    this.rows.forEach((i, k) => {
      most = Math.max(most, SHARE * problem.diagonal(i) * Math.abs(problem.p[i] - this.impulses[k]));
    });
    return most;
  }
}
