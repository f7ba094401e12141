import type { Guest, HeldContacts } from "../../../solvers/guest";
import type { FemBody } from "../../../solvers/newton/deformable/fem-body";
import { fittingThickness } from "../../../solvers/spacing";
import { HeldTies } from "./held-ties";
import type { SoftBodies } from "./soft-bodies";

/** Default distance to other deformable bodies [m]. */
const DISTANCE = 0.001;

/**
 * A deformable body of the Newton solver in the form in which other deformable bodies meet it, also those of that
 * solver.
 */
export class NewtonGuest implements Guest {
  readonly start: Float64Array = this.body.positions.slice();
  readonly startVelocities: Float64Array = this.body.velocities.slice();
  readonly restPositions: Float64Array = this.body.model.positions;
  readonly edges: Uint32Array | undefined;
  bodyCollision = true;
  /** of the step of the frame, when somebody has asked for an answer */
  private heldTies: HeldTies | undefined;
  private dt = 1;

  constructor(
    private readonly body: FemBody,
    private readonly soft: SoftBodies,
  ) {
    const { model } = body;
    if (model.faces.length === 0) {
      const links = model.elements.flatMap(({ arity, indices }) => (arity === 2 ? [...indices] : []));
      this.edges = Uint32Array.from(links);
    }
  }

  get model() {
    return this.body.model;
  }

  get state() {
    return this.body;
  }

  get push(): Float64Array {
    return this.body.outer;
  }

  /** Two ropes keep their thickness, measured from the middle of each. */
  get distance(): number {
    const { thickness, grain, model } = this.body;
    if (this.edges) return 2 * thickness;
    return Math.max(thickness, fittingThickness(DISTANCE, model, grain));
  }

  get friction(): number {
    return this.body.friction;
  }

  get isStepped(): boolean {
    return !this.body.isFrozen && !this.body.isAsleep;
  }

  get revision(): number {
    return this.body.revision;
  }

  isFixed(particle: number): boolean {
    return this.body.fixed[particle] === 1;
  }

  isTied(particle: number): boolean {
    return this.soft.ties.some(({ soft, node }) => soft === this.body && node === particle);
  }

  /** Notes the state before the step of a frame. @param dt of that [s] */
  begin(dt: number): void {
    this.start.set(this.body.positions);
    this.startVelocities.set(this.body.velocities);
    this.heldTies = undefined;
    this.dt = dt;
  }

  answer(j: Float64Array, out: Float64Array): void {
    const { body, soft } = this;
    this.answerFree(j, out);
    if (!this.heldTies) {
      const ties = soft.ties.filter(
        (tie) => tie.soft === body && !tie.rigid.isDisposed && tie.rigid.motion !== "dynamic",
      );
      this.heldTies = new HeldTies(body, ties, this.dt, (push, to) => this.answerFree(push, to));
    }
    this.heldTies.hold(out);
  }

  private answerFree(j: Float64Array, out: Float64Array): void {
    const { body } = this;
    body.solve(j, out);
    // Their rows of A are those of the unit matrix.
    for (let p = 0; p < body.fixed.length; p++) if (body.fixed[p] === 1) out.fill(0, 3 * p, 3 * p + 3);
  }

  heldContacts(): HeldContacts {
    return this.soft.heldContacts(this.body);
  }

  hits(pushed: Float64Array, h: number): HeldContacts {
    return this.soft.hitsOf(this.body, this.start, pushed, h);
  }

  elasticEnergy(): number {
    return this.body.elasticEnergy();
  }
}
