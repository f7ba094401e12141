import { norm } from "../../math/vectors";
import type { Guest } from "../../solvers/guest";
import type { DeformableBody } from "../body";
import type { GuestTie } from "../meeting/guest-ties";
import type { VertexTarget } from "./attachment-options";
import type { Bond, BondHost } from "./bond";

/** A vertex of a body. */
class BodyEnd {
  constructor(
    private readonly body: DeformableBody,
    readonly node: number,
  ) {}

  get guest(): Guest | undefined {
    return this.body.isDisposed ? undefined : this.body.stepper.guest;
  }
}

/** Vertices of a body of the Newton solver on one of the same solver or a local-global one: they meet as guests do. */
export class GuestBond implements Bond {
  private readonly all: readonly GuestTie[];
  private ties: GuestTie[] | undefined;

  constructor(
    private readonly host: BondHost,
    target: VertexTarget,
  ) {
    const { body, vertices, compliance, ways } = host;
    const others = Array.from(target.vertices);
    this.all = vertices.map((vertex, k) => ({
      ends: [new BodyEnd(body, vertex), new BodyEnd(target.body, others[k])],
      compliance,
      away: ways.away[k],
      impulse: new Float64Array(3),
    }));
  }

  prepare(): void {
    const { meetings } = this.host.world.systems as { meetings?: { readonly ties?: GuestTie[] } };
    if (meetings?.ties === this.ties) return;
    this.remove();
    this.ties = meetings?.ties;
    this.refresh();
  }

  read(forces: Float64Array, dt: number): void {
    this.all.forEach(({ impulse }, k) => (forces[k] = norm([impulse[0], impulse[1], impulse[2]]) / dt));
  }

  refresh(): void {
    this.remove();
    this.ties?.push(...this.all.filter((_, k) => this.host.isOff[k] === 0));
  }

  dispose(): void {
    this.remove();
  }

  save(): readonly Float64Array[] {
    return this.all.map(({ impulse }) => impulse.slice());
  }

  load(memory: readonly Float64Array[]): void {
    this.all.forEach(({ impulse }, k) => impulse.set(memory[k]));
  }

  private remove(): void {
    if (this.ties) this.ties.splice(0, this.ties.length, ...this.ties.filter((tie) => !this.all.includes(tie)));
  }
}
