import { norm } from "../../math/vectors";
import type { CablePoint, CableState } from "../../solvers/local-global/contact/cable";
import { rigidPoint } from "../rigid/contact/rigid-point";
import type { ResolvedAttachment } from "./attachment-options";
import type { Bond, BondHost } from "./bond";

/** All local-global bodies of a world, as far as attachments change them. */
interface CableGroup {
  addCable(cable: CableState): void;
  removeCable(cable: CableState): void;
}

/** A row of an attachment. */
interface Row extends CableState {
  readonly place: number;
}

/** Vertices of a local-global body on a rigid body, a link, or another local-global body: rows among those of contacts. */
export class LocalGlobalBond implements Bond {
  private readonly ends: readonly (readonly [CablePoint, CablePoint])[];
  private rows: readonly Row[] = [];
  private group: CableGroup | undefined;

  constructor(private readonly host: BondHost) {
    const { body, vertices, to, world, ways } = host;
    this.ends = vertices.map((vertex, k) => [
      { body, vertex },
      "rigid" in to
        ? rigidPoint(world, { rigid: to.rigid, point: ways.points[k] })
        : { body: to.body, vertex: to.vertices[k] },
    ]);
    if ("rigid" in to) world.rigidObstacles.keep(to.rigid, this);
  }

  prepare(): void {
    const { system } = this.host.body.stepper as { readonly system?: CableGroup & { readonly reference?: CableGroup } };
    const group = system && (system.reference ?? system);
    if (group === this.group) return;
    this.remove();
    this.group = group;
    this.refresh();
  }

  read(forces: Float64Array): void {
    forces.fill(0);
    for (let i = 0; i < this.rows.length; i += 3) {
      const [x, y, z] = [0, 1, 2].map((c) => this.rows[i + c].tension);
      forces[this.rows[i].place] = norm([x, y, z]);
    }
  }

  refresh(): void {
    const known = new Map(this.rows.map(({ place, axis, tension }) => [3 * place + axis!, tension]));
    this.remove();
    const { compliance, isOff, ways } = this.host;
    if (!this.group) return;
    this.rows = this.ends.flatMap((points, place) => {
      if (isOff[place] === 1) return [];
      const common = { points, away: ways.away[place], compliance, place, length: undefined, pushes: true };
      return [0, 1, 2].map((axis): Row => ({ ...common, axis, tension: known.get(3 * place + axis) ?? 0 }));
    });
    for (const row of this.rows) this.group.addCable(row);
  }

  dispose(): void {
    this.remove();
    const { to, world } = this.host as ResolvedAttachment & BondHost;
    if ("rigid" in to) world.rigidObstacles.release(to.rigid, this);
  }

  private remove(): void {
    for (const row of this.rows) this.group?.removeCable(row);
    this.rows = [];
  }
}
