/** Attached vertices on the CPU, see clusters.ts. Twin of shaders/gpbd/ties.wgsl. */
import type { FrameInput, PinTable } from "../../deformable";
import type { PhasedSolver } from "../phases";
import type { Member } from "../surfaces/encounters";
import type { Ghost } from "../surfaces/ghost";
import type { CpuGroupedSolver } from "../surfaces/surface-group";
import { type Cluster, clustersOf, type OuterTie, type SoftTie } from "./clusters";
import { GuestRows } from "./guest-rows";
import { closeIn, closingPace, GroupTies } from "./ties";

/** Iterations move the vertices of compliant attachments by rows of their own; others are clusters. */
interface SoftRow extends SoftTie {
  /** force of the substep [N] */
  readonly lambda: Float64Array;
}

/** A cluster in a frame. */
interface Knot extends Cluster {
  /** place that the members share, 3 numbers [m] */
  readonly place: Float64Array;
  /** from that place to each member [m] */
  readonly away: Float64Array;
  /** h²/m of each member by itself [s²/kg] */
  readonly own: Float64Array;
  /** displacement that each member's body gave the cluster in the substep [m] */
  readonly given: Float64Array;
  /** its displacement in the substep [m] */
  readonly moved: Float64Array;
  /** sum of the masses [kg]; infinite for a cluster that a pin holds */
  mass: number;
  /** h² over that */
  free: number;
  /** the same as elements see it: with the guests that hold it */
  w: number;
}

export class CpuTies extends GroupTies<CpuGroupedSolver> {
  override join(groups: readonly (readonly Member<CpuGroupedSolver>[])[]): (readonly Member<CpuGroupedSolver>[])[] {
    for (const { solver, isGuest } of this.list.flatMap(({ ends }) => ends))
      if (solver && isGuest) (solver as CpuGroupedSolver & Ghost).isAttached = true;
    return super.join(groups);
  }

  tie(members: readonly Member<CpuGroupedSolver>[], frame: FrameInput, substeps: number): readonly PhasedSolver[] {
    const solvers = members.map(({ solver }) => solver);
    const { clusters, soft, outer } = clustersOf(this.list, solvers);
    for (const { tie } of clusters.flatMap(({ measured }) => measured)) tie.impulse.fill(0);
    for (const { impulse } of [...soft, ...outer]) impulse.fill(0);
    if (clusters.length + soft.length === 0) return solvers;
    return [new TiedSolvers(members, { clusters, soft, outer }, frame, frame.dt / substeps)];
  }
}

class TiedSolvers implements PhasedSolver {
  private readonly solvers: readonly CpuGroupedSolver[];
  private readonly pins: readonly PinTable[];
  private readonly knots: readonly Knot[];
  private readonly soft: readonly SoftRow[];
  /** knots of each solver */
  private readonly of: readonly (readonly Knot[])[];
  /** attachments to guests, and the knots that have some */
  private readonly rows: GuestRows | undefined;
  private readonly held: ReadonlySet<Knot>;
  /** those among them that go where their guest goes */
  private readonly guided: ReadonlySet<Knot>;

  constructor(
    members: readonly Member<CpuGroupedSolver>[],
    { clusters, soft, outer }: ReturnType<typeof clustersOf>,
    frame: FrameInput,
    private readonly h: number,
  ) {
    this.solvers = members.map(({ solver }) => solver);
    this.pins = members.map(({ pins }) => pins);
    const isSound = ({ solver }: { solver: number }): boolean => this.solvers[solver].isFrozen !== true;
    const made = clusters.map((cluster) =>
      cluster.members.every(isSound) ? this.knotOf(cluster, closingPace(frame.gravity, frame.dt)) : undefined,
    );
    this.knots = made.filter((knot) => knot !== undefined);
    const rows = outer.flatMap((tie) => this.rowOf(tie, made[tie.cluster]));
    this.held = new Set(rows.map(({ knot }) => knot as Knot));
    this.guided = new Set(rows.filter(({ compliance }) => compliance === 0).map(({ knot }) => knot as Knot));
    this.rows = rows.length > 0 ? new GuestRows(rows, h) : undefined;
    const isPinned = ({ solver, vertex }: { solver: number; vertex: number }): boolean =>
      this.pins[solver].pinned[vertex] === 1;
    const free = [...this.held].filter((knot) => !knot.members.some(isPinned));
    this.rows?.place(new Set(free));
    for (const knot of free) this.put(knot);
    this.soft = soft.filter(({ ends }) => ends.every(isSound)).map((tie) => ({ ...tie, lambda: new Float64Array(3) }));
    this.of = this.solvers.map((_, k) => this.knots.filter((knot) => knot.members.some(({ solver }) => solver === k)));
  }

  predict(substep: number): void {
    for (const solver of this.solvers) solver.predict(substep);
    for (const knot of this.knots) this.weigh(knot);
    this.rows?.begin();
    for (const knot of this.held) if (knot.free > 0) knot.w = this.rows!.weightOf(knot);
    for (const knot of this.knots) this.merge(knot);
    this.tighten();
    for (const { lambda } of this.soft) lambda.fill(0);
  }

  projectTerms(substep: number, iteration: number): void {
    this.inTurn((solver) => solver.projectTerms(substep, iteration));
    for (const row of this.soft) this.relax(row);
    if (this.soft.length > 0) this.followAll(this.knots);
    this.rows?.handOver();
  }

  projectObstacles(substep: number, iteration: number): void {
    this.followAll(this.knots);
    // A guest keeps its vertices off obstacles by itself; two distances from the same ground would throw it.
    for (const knot of this.guided) this.see(knot, 0);
    this.inTurn((solver) => solver.projectObstacles(substep, iteration));
    for (const knot of this.guided) this.see(knot, knot.w);
    this.rows?.handOver();
  }

  finish(substep: number): void {
    this.followAll(this.knots);
    this.rows?.handOver();
    for (const knot of this.knots) this.measure(knot);
    this.rows?.finish();
    const { h } = this;
    for (const { lambda, impulse } of this.soft) for (let c = 0; c < 3; c++) impulse[c] += h * lambda[c]!;
    for (const solver of this.solvers) solver.finish(substep);
  }

  returnReactions(substep: number): void {
    // A rigid body gets what moved it, not the share of the particles that are attached to it.
    for (const { members, own } of this.knots)
      members.forEach(({ solver, vertex }, k) => {
        if (this.pins[solver].proxies?.[vertex]) this.solvers[solver].scratch.w[vertex] = own[k]!;
      });
    for (const solver of this.solvers) solver.returnReactions(substep);
  }

  /** The attached vertices of a body take the others along after each part of an iteration. */
  private inTurn(project: (solver: CpuGroupedSolver) => void): void {
    this.solvers.forEach((solver, k) => {
      project(solver);
      this.followAll(this.of[k]);
    });
  }

  private followAll(knots: readonly Knot[]): void {
    for (const knot of knots) this.follow(knot);
    if (knots.some((knot) => this.held.has(knot))) this.tighten();
  }

  /** Knots that guests hold go where these let them. */
  private tighten(): void {
    if (!this.rows) return;
    const before = [...this.held].map(({ place }) => place.slice());
    this.rows.solve();
    [...this.held].forEach((knot, k) => {
      for (let c = 0; c < 3; c++) knot.moved[c] += knot.place[c] - before[k][c];
      this.put(knot);
    });
  }

  private put({ members, place, away }: Knot): void {
    members.forEach(({ solver, vertex }, k) => {
      for (let c = 0; c < 3; c++) this.solvers[solver].state.positions[3 * vertex + c] = place[c] + away[3 * k + c];
    });
  }

  private rowOf({ guest, ...tie }: OuterTie, knot: Knot | undefined) {
    return knot ? [{ ...tie, knot, ghost: this.solvers[guest] as CpuGroupedSolver & Ghost }] : [];
  }

  /** @param pace see `closingPace` */
  private knotOf(cluster: Cluster, pace: number): Knot {
    const { members } = cluster;
    const n = members.length;
    const place = new Float64Array(3);
    const away = new Float64Array(3 * n);
    let mass = 0;
    for (const { solver, vertex, mass: m } of members) {
      const { positions } = this.solvers[solver].state;
      mass += m;
      for (let c = 0; c < 3; c++) place[c] += m * positions[3 * vertex + c]!;
    }
    for (let c = 0; c < 3; c++) place[c] /= mass;
    members.forEach(({ solver, vertex }, k) => {
      const { positions } = this.solvers[solver].state;
      for (let c = 0; c < 3; c++) away[3 * k + c] = positions[3 * vertex + c] - place[c];
    });
    closeIn(away, pace);
    const [own, given, moved] = [new Float64Array(n), new Float64Array(3 * n), new Float64Array(3)];
    const knot = { ...cluster, place, away, own, given, moved, mass: 0, free: 0, w: 0 };
    this.put(knot);
    return knot;
  }

  /** Lets the bodies of a knot see another inverse mass. */
  private see({ members }: Knot, w: number): void {
    for (const { solver, vertex } of members) this.solvers[solver].scratch.w[vertex] = w;
  }

  /** After the prediction: one mass for all members. */
  private weigh(knot: Knot): void {
    const { members, own } = knot;
    const { h } = this;
    knot.mass = 0;
    members.forEach(({ solver, vertex }, k) => {
      own[k] = this.solvers[solver].scratch.w[vertex];
      knot.mass += (h * h) / own[k];
    });
    knot.free = (h * h) / knot.mass;
    knot.w = knot.free;
  }

  /** And one place, by their momenta. */
  private merge(knot: Knot): void {
    const { members, place, away, own, given, free, mass } = knot;
    const { h } = this;
    given.fill(0);
    knot.moved.fill(0);
    const pinned = free > 0 ? -1 : own.indexOf(0);
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      members.forEach(({ solver, vertex }, k) => {
        const x = this.solvers[solver].state.positions[3 * vertex + c] - away[3 * k + c];
        if (pinned < 0) sum += (x * h * h) / own[k] / mass;
        else if (k === pinned) sum = x;
      });
      place[c] = sum;
    }
    members.forEach(({ solver, vertex }, k) => {
      const { state, scratch } = this.solvers[solver];
      for (let c = 0; c < 3; c++) {
        const i = 3 * vertex + c;
        // As if its body had moved it alone: `measure` finds the impulse that the others gave it.
        if (knot.w > 0) given[3 * k + c] = ((state.positions[i] - away[3 * k + c] - place[c]) * knot.w) / own[k];
        else given[3 * k + c] = state.positions[i] - away[3 * k + c] - place[c];
        state.positions[i] = place[c] + away[3 * k + c];
      }
      // A pin gives only to what measures the force on it.
      scratch.w[vertex] = knot.w > 0 || knot.measured.length === 0 ? knot.w : own[k];
    });
  }

  /** All members go where their bodies have moved some of them. */
  private follow(knot: Knot): void {
    const { members, place, away, given, moved, free, w } = knot;
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      members.forEach(({ solver, vertex }, k) => {
        const way = this.solvers[solver].state.positions[3 * vertex + c] - away[3 * k + c] - place[c];
        given[3 * k + c] += way;
        sum += way;
      });
      // A pin stays. Without its guests a knot goes further by what moved it than elements saw.
      if (!(w > 0)) continue;
      const way = free === w ? sum : (sum * free) / w;
      place[c] += way;
      moved[c] += way;
    }
    this.put(knot);
  }

  /** Impulses that members were given by one another: their share of the motion, minus what their own bodies gave. */
  private measure({ measured, own, given, moved, w }: Knot): void {
    const { h } = this;
    for (const { tie, beyond } of measured)
      for (let c = 0; c < 3; c++)
        for (const k of beyond)
          if (w > 0) tie.impulse[c] += h * (moved[c] / own[k] - given[3 * k + c] / w);
          else if (own[k] > 0) tie.impulse[c] -= (h * given[3 * k + c]) / own[k];
  }

  /** XPBD: λ ← λ − (C + α λ) / (w₁ + w₂ + α) with the way C between the two; w has h² in it. */
  private relax({ ends, compliance, lambda }: SoftRow): void {
    const [a, b] = ends.map(({ solver }) => this.solvers[solver]);
    const [p, q] = ends.map(({ vertex }) => vertex);
    const [wa, wb] = [a.scratch.w[p], b.scratch.w[q]];
    if (!(wa + wb > 0)) return;
    const scale = 1 / (wa + wb + compliance);
    for (let c = 0; c < 3; c++) {
      const gap = b.state.positions[3 * q + c] - a.state.positions[3 * p + c];
      const change = -scale * (gap + compliance * lambda[c]);
      lambda[c] += change;
      a.state.positions[3 * p + c] -= wa * change;
      b.state.positions[3 * q + c] += wb * change;
    }
  }
}
