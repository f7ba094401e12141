import type { Vec3 } from "../../math/types";
import { norm } from "../../math/vectors";
import type { CablePoint, CableState } from "../../solvers/local-global/contact/cable";
import { rigidPoint } from "../rigid/contact/rigid-point";
import type { ResolvedAttachment } from "./attachment-options";
import type { Bond, BondHost } from "./bond";
import { closeIn, placesNow, pointOn, waysBetween, wayTo } from "./places";

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
  private readonly ends: readonly { readonly points: readonly [CablePoint, CablePoint]; readonly away: Float64Array }[];
  /** on a rigid body */
  private readonly points: readonly Vec3[] | undefined;
  private rows: readonly Row[] = [];
  private group: CableGroup | undefined;

  constructor(private readonly host: BondHost) {
    const { body, vertices, to, world } = host;
    const places = placesNow(body, vertices);
    if ("rigid" in to) {
      const points = to.points ?? places.map((place) => pointOn(to.rigid, place));
      this.ends = vertices.map((vertex, k) => ({
        points: [{ body, vertex }, rigidPoint(world, { rigid: to.rigid, point: points[k] })],
        away: Float64Array.from(to.points ? wayTo(to.rigid, points[k], places[k]) : [0, 0, 0]),
      }));
      this.points = points;
      world.rigidObstacles.keep(to.rigid, this);
      return;
    }
    const ways = waysBetween(host, to);
    this.ends = vertices.map((vertex, k) => ({
      points: [
        { body, vertex },
        { body: to.body, vertex: to.vertices[k] },
      ],
      away: Float64Array.from(ways[k]),
    }));
  }

  part(): void {
    const { body, vertices, to } = this.host;
    const ways =
      "rigid" in to
        ? placesNow(body, vertices).map((place, k) => wayTo(to.rigid, this.points![k], place))
        : waysBetween(this.host, to);
    ways.forEach((way, k) => this.ends[k].away.set(way));
  }

  prepare(dt: number): void {
    for (const { away } of this.ends) closeIn(away, this.host.world, dt);
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
    const { compliance, isOff } = this.host;
    if (!this.group) return;
    this.rows = this.ends.flatMap(({ points, away }, place) => {
      if (isOff[place] === 1) return [];
      const common = { points, away, compliance, place, length: undefined, pushes: true };
      return [0, 1, 2].map((axis): Row => ({ ...common, axis, tension: known.get(3 * place + axis) ?? 0 }));
    });
    for (const row of this.rows) this.group.addCable(row);
  }

  dispose(): void {
    this.remove();
    const { to, world } = this.host as ResolvedAttachment & BondHost;
    if ("rigid" in to) world.rigidObstacles.release(to.rigid, this);
  }

  save(): readonly Float64Array[] {
    return [...this.ends.map(({ away }) => away.slice()), Float64Array.from(this.rows, ({ tension }) => tension)];
  }

  load(memory: readonly Float64Array[]): void {
    this.ends.forEach(({ away }, k) => away.set(memory[k]));
  }

  private remove(): void {
    for (const row of this.rows) this.group?.removeCable(row);
    this.rows = [];
  }
}
