import { norm } from "../../math/vectors";
import type { FemBody } from "../../solvers/newton/deformable/fem-body";
import type { BodyTie } from "../rigid/soft/soft-bodies";
import { tiedRows } from "../rigid/soft/tied-rows";
import type { RigidTarget } from "./attachment-options";
import type { Bond, BondHost } from "./bond";

/** Vertices of a body of the Newton solver on a rigid body or a link: they are solved in one system. */
export class NewtonBond implements Bond {
  private ties: readonly BodyTie[] = [];
  private soft: FemBody | undefined;

  constructor(
    private readonly host: BondHost,
    private readonly target: RigidTarget,
  ) {}

  prepare(): void {
    for (const { impulse } of this.ties) impulse.fill(0);
    const { body: soft } = this.host.body.stepper as { readonly body?: FemBody };
    if (soft === this.soft) return;
    this.soft = soft;
    this.refresh();
  }

  read(forces: Float64Array, dt: number): void {
    forces.fill(0);
    for (const { node, impulse } of this.ties)
      forces[this.host.vertices.indexOf(node)] = norm([impulse[0], impulse[1], impulse[2]]) / dt;
  }

  refresh(): void {
    const { soft, host, target } = this;
    const { points, away } = host.ways;
    this.remove();
    if (!soft) return;
    this.ties = host.vertices.flatMap((node, k) => {
      if (host.isOff[k] === 1) return [];
      const impulse = new Float64Array(3);
      return [
        { soft, rigid: target.rigid, node, point: points[k], compliance: host.compliance, away: away[k], impulse },
      ];
    });
    const { soft: all } = host.world.rigid;
    all.tiedRows = tiedRows;
    all.ties.push(...this.ties);
  }

  dispose(): void {
    this.remove();
  }

  private remove(): void {
    if (!this.soft) return;
    const { ties } = this.host.world.rigid.soft;
    for (const tie of this.ties) ties.splice(ties.indexOf(tie), 1);
    this.ties = [];
  }
}
