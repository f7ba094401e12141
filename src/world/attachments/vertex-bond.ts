import { GpuContext } from "../../gpu/device";
import { norm } from "../../math/vectors";
import type { Tie, TieEnd } from "../../solvers/gpbd/ties/clusters";
import { CpuTies } from "../../solvers/gpbd/ties/cpu-ties";
import { GpuTies } from "../../solvers/gpbd/ties/gpu-ties";
import type { GroupTies } from "../../solvers/gpbd/ties/ties";
import { type CpuGroupedSolver, SurfaceGroup } from "../../solvers/gpbd/surfaces/surface-group";
import type { DeformableBody } from "../body";
import type { VertexTarget } from "./attachment-options";
import type { Bond, BondHost } from "./bond";

type AnyTies = GroupTies<CpuGroupedSolver>;
type Group = SurfaceGroup<CpuGroupedSolver>;

/** A vertex of a body. The body gets another solver when its solver is loaded, or the world moves to another device. */
class BodyEnd implements TieEnd<CpuGroupedSolver> {
  readonly mass: number;

  constructor(
    private readonly body: DeformableBody,
    readonly vertex: number,
  ) {
    this.mass = body.model.masses[vertex];
  }

  get solver(): CpuGroupedSolver | undefined {
    return groupOf(this.body) && (this.body.stepper as unknown as CpuGroupedSolver);
  }
}

/** Vertices of bodies of GPBD that are attached to each other. */
export class VertexBond implements Bond {
  private readonly ties: readonly Tie<CpuGroupedSolver>[];
  private group: Group | undefined;

  constructor(
    private readonly host: BondHost,
    target: VertexTarget,
  ) {
    const { body, vertices, compliance, breakingForce } = host;
    this.ties = vertices.map((vertex, k) => ({
      ends: [new BodyEnd(body, vertex), new BodyEnd(target.body, target.vertices[k])],
      compliance,
      isMeasured: breakingForce < Infinity,
      impulse: new Float64Array(3),
    }));
  }

  prepare(): void {
    const group = groupOf(this.host.body);
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
    const isOnGpu = device && "surface" in host.body.stepper;
    group.ties ??= isOnGpu ? (new GpuTies(new GpuContext(device, adapter)) as never) : new CpuTies();
    (group.ties as AnyTies).list.push(...ties.filter((_, k) => host.isBroken[k] === 0));
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
