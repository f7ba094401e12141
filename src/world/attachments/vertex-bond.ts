import { GpuContext } from "../../gpu/device";
import { norm } from "../../math/vectors";
import { solverOf } from "../../solvers/alike";
import type { Tie, TieEnd } from "../../solvers/gpbd/ties/clusters";
import { CpuTies } from "../../solvers/gpbd/ties/cpu-ties";
import { GpuTies } from "../../solvers/gpbd/ties/gpu-ties";
import type { GroupTies } from "../../solvers/gpbd/ties/ties";
import { type CpuGroupedSolver, SurfaceGroup } from "../../solvers/gpbd/surfaces/surface-group";
import type { DeformableBody } from "../body";
import type { World } from "../world";
import type { VertexTarget } from "./attachment-options";
import type { Bond, BondHost } from "./bond";

type AnyTies = GroupTies<CpuGroupedSolver>;
type Group = SurfaceGroup<CpuGroupedSolver>;

/** A vertex of a body of GPBD. The body gets another solver when its solver is loaded, or the world moves to another device. */
class BodyEnd implements TieEnd<CpuGroupedSolver> {
  readonly mass: number = this.body.model.masses[this.vertex];

  constructor(
    private readonly body: DeformableBody,
    readonly vertex: number,
  ) {}

  get solver(): CpuGroupedSolver | undefined {
    return groupOf(this.body) && (this.body.stepper as unknown as CpuGroupedSolver);
  }
}

/** A vertex of a body of another solver, which takes part as a guest. */
class GuestEnd implements TieEnd<CpuGroupedSolver> {
  readonly isGuest = true;
  readonly mass = 0;

  constructor(
    private readonly world: World,
    private readonly body: DeformableBody,
    readonly vertex: number,
  ) {}

  get solver(): CpuGroupedSolver | undefined {
    const guest = this.body.isDisposed ? undefined : this.body.stepper.guest;
    return guest && (this.world.systems.meetings?.ghostOf(guest) as CpuGroupedSolver | undefined);
  }
}

/** Vertices of bodies that are attached to each other, those of at least one of them of GPBD. */
export class VertexBond implements Bond {
  private readonly ties: readonly Tie<CpuGroupedSolver>[];
  /** of GPBD */
  private readonly body: DeformableBody;
  private group: Group | undefined;

  constructor(
    private readonly host: BondHost,
    target: VertexTarget,
  ) {
    const { body, vertices, compliance, breakingForce, world, ways } = host;
    this.body = solverOf(body.model) === "gpbd" ? body : target.body;
    const endOf = (of: DeformableBody, vertex: number): TieEnd<CpuGroupedSolver> =>
      solverOf(of.model) === "gpbd" ? new BodyEnd(of, vertex) : new GuestEnd(world, of, vertex);
    const others = Array.from(target.vertices);
    this.ties = vertices.map((vertex, k) => ({
      ends: [endOf(body, vertex), endOf(target.body, others[k])],
      compliance,
      isMeasured: breakingForce < Infinity,
      impulse: new Float64Array(3),
      away: ways.away[k],
    }));
  }

  prepare(): void {
    const group = groupOf(this.body);
    if (group === this.group) return;
    this.remove();
    this.group = group;
    this.refresh();
  }

  read(forces: Float64Array, dt: number): void {
    this.ties.forEach(({ impulse }, k) => (forces[k] = norm([impulse[0], impulse[1], impulse[2]]) / dt));
  }

  refresh(): void {
    this.remove();
    const { group, ties, host } = this;
    if (!group) return;
    const { device, adapter } = host.world;
    // A world on a GPU may step the body on the CPU, see `host-lanes.ts`.
    const isOnGpu = device && "gpuState" in this.body.stepper;
    group.ties ??= isOnGpu ? (new GpuTies(new GpuContext(device, adapter)) as never) : new CpuTies();
    (group.ties as AnyTies).list.push(...ties.filter((_, k) => host.isOff[k] === 0));
  }

  dispose(): void {
    this.remove();
    this.group = undefined;
  }

  private remove(): void {
    const all = this.group?.ties as AnyTies | undefined;
    if (!all) return;
    const kept = all.list.filter((tie) => !this.ties.includes(tie));
    all.list.splice(0, all.list.length, ...kept);
    if (kept.length > 0) return;
    all.dispose();
    this.group!.ties = undefined;
  }
}

function groupOf({ stepper, isDisposed }: DeformableBody): Group | undefined {
  return !isDisposed && stepper.system instanceof SurfaceGroup ? (stepper.system as Group) : undefined;
}
