import type { ColliderSet } from "../../collision/obstacles/collider-set";
import type { Guest, HeldContacts } from "../guest";
import { elasticEnergy } from "./body/energy";
import type { GroupBody } from "./body/group-body";
import type { LocalGlobalGroup } from "./group";
import { hitsOnWay } from "./hits-on-way";

/** A local-global body as bodies of other solvers meet it. */
export class LocalGlobalGuest implements Guest {
  readonly edges = undefined;
  readonly start: Float64Array = this.body.state.positions.slice();
  readonly startVelocities: Float64Array = this.body.state.velocities.slice();
  revision = 0;

  constructor(
    private readonly body: GroupBody,
    private readonly group: LocalGlobalGroup,
  ) {}

  get model() {
    return this.body.model;
  }

  get restPositions(): Float64Array {
    return this.body.model.restPositions;
  }

  get state() {
    return this.body.state;
  }

  get push(): Float64Array {
    return this.body.outer;
  }

  set pressedBy(forces: { readonly isNone: boolean } | undefined) {
    this.body.pressedBy = forces;
  }

  get distance(): number {
    return this.body.options.thickness;
  }

  get friction(): number {
    return this.body.options.friction;
  }

  get bodyCollision(): boolean {
    return this.body.options.bodyCollision;
  }

  get isStepped(): boolean {
    return this.body.frozenAt === 0 && !this.body.isAsleep && this.group.hasStepped(this.body);
  }

  isFixed(particle: number): boolean {
    return this.body.pinSolver.exact[particle] === 1;
  }

  isTied(particle: number): boolean {
    const { body, group } = this;
    return group.cables.some(
      ({ axis, points }) =>
        axis === 0 && points.some((end) => "body" in end && end.vertex === particle && end.body.model === body.model),
    );
  }

  answer(j: Float64Array, out: Float64Array): void {
    this.body.answer(j, out);
  }

  heldContacts(): HeldContacts {
    return this.group.heldContacts(this.body);
  }

  hits(pushed: Float64Array, h: number, colliders: ColliderSet): HeldContacts {
    return hitsOnWay(this, this.body.options.thickness, pushed, h, colliders);
  }

  elasticEnergy(): number {
    return elasticEnergy(this.body.model, this.body.state.positions);
  }
}
