import { SurfaceContact } from "../../../collision/surface/surface-contact";
import type { ColliderSet } from "../../../collision/obstacles/collider-set";
import { massOf } from "../../mass";
import { REACH_SLACK, SPARE_REACH, SurfaceBounds } from "../../../collision/surface/surface-bounds";
import { setThinner } from "../../../collision/contact/contact-material";
import { joinSurfaces, type SurfacePart } from "../../../collision/surface/surface-mesh";
import { DisjointSets } from "../../../math/disjoint-sets";
import type { FrameInput } from "../../deformable";
import { Waits } from "../cpu/waits";
import type { CpuAccounts, GuardedSolid, Partners } from "../guard/cpu-account";
import type { Spin } from "../guard/spin";
import { searchInterval } from "../phases";
import { HeldBack } from "./held-back";
import type { CpuGroupedSolver, GroupSettings, GroupSurfaces } from "./surface-group";

/** Contact between the surfaces of bodies on the CPU. */
export class CpuSurfaces implements GroupSurfaces, Partners {
  readonly contact: SurfaceContact;
  readonly bounds: SurfaceBounds;
  readonly x: Float64Array;
  readonly start: Float64Array;
  readonly way: Float64Array;
  readonly w: Float64Array;
  /** what particles were moved by contact in the substep, where there is an account [m] */
  private readonly pushed: Float64Array;
  /** of limits, where there is an account */
  private readonly held: HeldBack;
  private colliders: ColliderSet | undefined;
  private isGuarded = false;
  /** bodies that have touched in the frame, directly or by others */
  private touched = new DisjointSets(0);
  private spin: Spin | undefined;
  private substeps = 1;
  private turn = 1;
  /** of the present turn, in substeps */
  private length = 1;
  private h = 0;
  private settings: GroupSettings | undefined;
  /** where others yield by themselves, see `SurfaceContactSettings` */
  private readonly support: Float64Array | undefined;

  constructor(
    private readonly solvers: readonly CpuGroupedSolver[],
    parts: readonly SurfacePart[],
  ) {
    const mesh = joinSurfaces(parts);
    for (const solver of solvers) solver.waitWith?.(Waits);
    const guest = solvers.find(({ isGuest }) => isGuest);
    this.contact = new SurfaceContact(mesh, guest?.nearestPlaces?.(mesh, solvers));
    this.bounds = new SurfaceBounds(this.contact.pairs);
    const { particleCount } = mesh;
    this.x = new Float64Array(3 * particleCount);
    this.start = new Float64Array(3 * particleCount);
    this.way = new Float64Array(3 * particleCount);
    this.w = new Float64Array(particleCount);
    this.pushed = new Float64Array(3 * particleCount);
    this.held = new HeldBack(solvers, this.contact, this.bounds);
    // Bodies of other solvers weigh on light ones by all their mass.
    if (guest) this.support = new Float64Array(3 * particleCount);
  }

  beginFrame(frame: FrameInput, substeps: number, turn: number, settings: GroupSettings): void {
    const { mesh } = this.contact;
    mesh.keeps.set(settings.keeps);
    setThinner(mesh, settings.distances, settings.thicknessFactors);
    this.colliders = frame.colliders;
    this.substeps = substeps;
    this.turn = turn;
    this.h = frame.dt / substeps;
    this.support?.fill(0);
    this.settings = { ...settings, support: this.support };
  }

  begin(substep: number, length: number): void {
    this.length = length;
    const { partStart } = this.contact.mesh;
    for (let k = 0; k < this.solvers.length; k++) {
      const { start, w } = this.solvers[k].scratch;
      this.start.set(start, 3 * partStart[k]);
      this.w.set(w, partStart[k]);
    }
    const interval = searchInterval(this.substeps, this.turn);
    const isNew = substep % interval === 0 && this.needsSearch(substep, interval);
    if (isNew) {
      const { thickness } = this.settings!;
      this.contact.find(this.start, this.way, thickness, REACH_SLACK * thickness);
      this.bounds.begin();
    }
    this.contact.begin(this.start, isNew);
    this.spin?.begin();
    this.pushed.fill(0);
  }

  project(substep: number): boolean {
    if (this.contact.pairs.count === 0) return false;
    this.gather();
    const { x, way, pushed } = this;
    if (this.isGuarded) way.set(x);
    this.contact.resolve(x, this.start, this.w, this.turn * this.h, this.settings!);
    if (this.isGuarded) {
      for (let i = 0; i < x.length; i++) pushed[i] += x[i] - way[i]!;
      this.contact.joinTouching(this.touched);
    }
    this.scatter();
    // Heavy guests push light vertices far into obstacles that bear them: seen there, faces would throw the other vertices out.
    if (this.support) for (const solver of this.solvers) solver.projectParticles?.(substep);
    return true;
  }

  limit(substep: number): void {
    this.gather();
    this.noteSupport();
    if (this.isGuarded) this.way.set(this.x);
    if (this.bounds.limit(this.x, this.start) === 0) return;
    if (this.isGuarded) this.shareMomentum();
    this.scatter();
    // Guests go their way whatever is in it: the common motion of all with a fast one may be into the ground.
    if (this.support) for (const solver of this.solvers) if (!solver.isGuest) solver.projectObstacles(substep, 0);
  }

  finish(substep: number): void {
    this.spin?.finish(substep === this.substeps - 1);
  }

  openAccount(): CpuAccounts | undefined {
    const { solvers, settings } = this;
    const guards = solvers.flatMap(({ guard }) => guard ?? []);
    const account = guards[0]?.open(guards, this);
    this.isGuarded = account !== undefined;
    this.spin = account && guards[0].makeSpin(solvers, this.h);
    const touched = (this.touched = new DisjointSets(solvers.length));
    for (const [a, b] of settings!.tied) touched.join(a, b);
    // Nobody knows which of the guests pushed a rigid body.
    const first = solvers.findIndex(({ isGuest }) => isGuest);
    solvers.forEach(({ isGuest }, k) => isGuest && touched.join(first, k));
    return account;
  }

  joinPushers({ proxies, substepWrenches }: ColliderSet): void {
    const { solvers, touched } = this;
    const firsts = new Map<number, number>();
    const guest = solvers.findIndex(({ isGuest }) => isGuest);
    solvers.forEach(({ guard, model, scratch: { reaction } }, k) => {
      if (!guard?.isOn || proxies.length === 0) return;
      const mass = massOf(model);
      for (const p of new Set(reaction.owner)) {
        if (p < 0 || !(proxies[p].inverseMass * mass > 1)) continue;
        touched.join(k, firsts.get(p) ?? k);
        firsts.set(p, k);
        if (substepWrenches.subarray(6 * p, 6 * p + 6).some((value) => value !== 0)) touched.join(guest, k);
      }
    });
  }

  setOf(guard: GuardedSolid): number {
    return this.touched.rootOf(this.solvers.findIndex((solver) => solver.guard === guard));
  }

  hasGuests(set: number): boolean {
    return this.solvers.some(({ isGuest }, k) => isGuest && this.touched.rootOf(k) === set);
  }

  work(set: number): number {
    const { pushed, w, solvers, contact, touched } = this;
    const { partStart } = contact.mesh;
    let sum = 0;
    solvers.forEach((solver, k) => {
      if (solver.guard?.isOn || touched.rootOf(k) !== set) return;
      const { positions } = solver.state;
      const { start } = solver.scratch;
      sum += solver.pressWork?.() ?? 0;
      for (let i = 3 * partStart[k], from = i; i < 3 * partStart[k + 1]; i++) {
        const inverse = w[Math.floor(i / 3)];
        if (inverse > 0) sum += (pushed[i] * (positions[i - from] - start[i - from])) / inverse;
      }
    });
    return sum;
  }

  giveBack(set: number, part: number): void {
    this.solvers.forEach((solver, k) => {
      if (!solver.guard?.isOn && this.touched.rootOf(k) === set) solver.giveBack?.(part);
    });
  }

  /** Says what momentum the particles keep that limits hold back. */
  private shareMomentum(): void {
    const { x, way, pushed, solvers, contact, touched, held } = this;
    const { partStart } = contact.mesh;
    const { kept } = held;
    held.share(this, this.h, touched);
    for (let i = 0; i < kept.length; i++) pushed[i] += x[i] - way[i] - kept[i];
    solvers.forEach(({ isGuest, scratch: { start } }, k) => {
      if (!isGuest) for (let i = 3 * partStart[k], from = i; i < 3 * partStart[k + 1]; i++) start[i - from] += kept[i];
    });
    held.land(this.colliders!, this);
  }

  /**
   * Says by `way` where the particles are expected to be when pairs may be searched for again. A frame begins with a search, so that it
   * depends on nothing but the state before it.
   */
  private needsSearch(substep: number, interval: number): boolean {
    const { way, x, start } = this;
    this.gather();
    for (let i = 0; i < x.length; i++) way[i] = interval * (x[i] - start[i]);
    return substep === 0 || !this.bounds.suffice(way, SPARE_REACH * this.settings!.thickness);
  }

  dispose(): void {
    // Nothing outside the heap is held.
  }

  private noteSupport(): void {
    const { support } = this;
    const { partStart } = this.contact.mesh;
    for (let k = 0; k < this.solvers.length; k++) {
      const { contact } = this.solvers[k].scratch;
      if (!support || !contact) continue;
      for (let p = 0, at = 3 * partStart[k]; 4 * p < contact.length; p++)
        for (let c = 0; c < 3; c++) support[at++] = contact[4 * p + c]!;
    }
  }

  private gather(): void {
    const { partStart } = this.contact.mesh;
    for (let k = 0; k < this.solvers.length; k++) this.x.set(this.solvers[k].state.positions, 3 * partStart[k]);
  }

  private scatter(): void {
    const { partStart } = this.contact.mesh;
    const before = 1 - 1 / this.length;
    const { x } = this;
    for (let k = 0; k < this.solvers.length; k++) {
      const { positions } = this.solvers[k].state;
      const { start } = this.solvers[k].scratch;
      const from = 3 * partStart[k];
      // A turn's displacements belong to all its substeps: in the last one alone they would be more speed.
      if (before > 0)
        for (let i = 0; i < positions.length; i++) {
          const way = x[from + i] - positions[i];
          if (Number.isFinite(way)) start[i] += before * way;
        }
      for (let i = 0; i < positions.length; i++) positions[i] = x[from + i];
    }
  }
}
