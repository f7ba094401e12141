import type { Vec3 } from "../../math/types";
import { norm } from "../../math/vectors";
import type { FemBody } from "../../solvers/newton/deformable/fem-body";
import type { BodyTie } from "../rigid/soft/soft-bodies";
import type { RigidTarget } from "./attachment-options";
import type { Bond, BondHost } from "./bond";
import { closeIn, knownPlaces, placesNow, pointOn, wayTo } from "./places";

/** Vertices of a body of the Newton solver on a rigid body or a link: they are solved in one system. */
export class NewtonBond implements Bond {
  private readonly points: readonly Vec3[];
  private readonly away: readonly Float64Array[];
  private ties: readonly BodyTie[] = [];
  private soft: FemBody | undefined;

  constructor(
    private readonly host: BondHost,
    private readonly target: RigidTarget,
  ) {
    const x = knownPlaces(host.body);
    const places = host.vertices.map((v): Vec3 => [x[3 * v]!, x[3 * v + 1]!, x[3 * v + 2]!]);
    this.points = target.points ?? places.map((place) => pointOn(target.rigid, place));
    this.away = this.points.map((point, k) =>
      target.points ? Float64Array.from(wayTo(target.rigid, point, places[k])) : new Float64Array(3),
    );
  }

  part(): void {
    placesNow(this.host.body, this.host.vertices).forEach((place, k) =>
      this.away[k].set(wayTo(this.target.rigid, this.points[k], place)),
    );
  }

  prepare(dt: number): void {
    for (const { impulse } of this.ties) impulse.fill(0);
    for (const away of this.away) closeIn(away, this.host.world, dt);
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
    const { soft, host, target, points, away } = this;
    this.remove();
    if (!soft) return;
    this.ties = host.vertices.flatMap((node, k) => {
      if (host.isOff[k] === 1) return [];
      const impulse = new Float64Array(3);
      return [
        { soft, rigid: target.rigid, node, point: points[k], compliance: host.compliance, away: away[k], impulse },
      ];
    });
    host.world.rigid.soft.ties.push(...this.ties);
  }

  dispose(): void {
    this.remove();
  }

  save(): readonly Float64Array[] {
    return this.away.map((way) => way.slice());
  }

  load(away: readonly Float64Array[]): void {
    away.forEach((way, k) => this.away[k].set(way));
  }

  private remove(): void {
    if (!this.soft) return;
    const { ties } = this.host.world.rigid.soft;
    for (const tie of this.ties) ties.splice(ties.indexOf(tie), 1);
    this.ties = [];
  }
}
