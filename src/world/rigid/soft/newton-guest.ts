import type { Guest, HeldContacts } from "../../../solvers/guest";
import type { FemBody } from "../../../solvers/newton/deformable/fem-body";
import { fittingThickness } from "../../../solvers/spacing";
import { CurvedAnswer } from "./curved-answer";
import { HeldTies } from "./held-ties";
import type { BodyTie, SoftBodies } from "./soft-bodies";

/** Default distance to other deformable bodies [m]. */
const DISTANCE = 0.001;
/** Part of an answer that may be left of it. */
const NEAR = 1e-3;

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
  private curved: CurvedAnswer | undefined;
  /** particles that such objects hold, when `answer` is that of a place where it was bent to */
  private stays: readonly number[] | undefined;
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
    this.heldTies = this.curved = this.stays = undefined;
    this.dt = dt;
  }

  answer(j: Float64Array, out: Float64Array): void {
    this.answerFree(j, out);
    // Their rows of A are those of the unit matrix, too.
    for (const p of this.stays ?? []) out.fill(0, 3 * p, 3 * p + 3);
    if (this.stays) return;
    this.heldTies ??= new HeldTies(this.body, this.tiesTo(false), this.dt, (push, to) => this.answerFree(push, to));
    this.heldTies.hold(out);
  }

  bend(j: Float64Array, ways: Float64Array, rest: Float64Array): boolean {
    const { body } = this;
    this.curved ??= new CurvedAnswer(body, this.dt);
    const held = this.tiesTo(false).filter(({ node }) => body.fixed[node] === 0);
    for (const { node } of held) body.fixed[node] = 1;
    const isOther = this.curved.bend(j, ways, rest, NEAR);
    for (const { node } of held) body.fixed[node] = 0;
    if (isOther) this.stays = held.map(({ node }) => node);
    return isOther;
  }

  get isOnResponding(): boolean {
    return this.tiesTo(true).length > 0;
  }

  /** Attachments to objects that respond, or to others. */
  private tiesTo(responding: boolean): readonly BodyTie[] {
    const { body, soft } = this;
    return soft.ties.filter(
      (tie) => tie.soft === body && !tie.rigid.isDisposed && (tie.rigid.motion === "dynamic") === responding,
    );
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
