/** Attached vertices on the GPU, see clusters.ts: the stages of cpu-ties.ts as dispatches of shaders/ties. */
import { shaders } from "../../../generated/shaders/ties";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { type Kernel, KernelMaker } from "../../../gpu/kernel";
import { readBuffer } from "../../../gpu/readback";
import { StructWriter } from "../../../gpu/struct";
import type { FrameInput, GpuFrameInput } from "../../deformable";
import { uniformSlot } from "../elements/gpu-term";
import type { GpuGpbdSolver } from "../gpu/gpu-solver";
import type { PhasedSolver } from "../phases";
import type { Member } from "../surfaces/encounters";
import { type Cluster, type ClusterMember, clustersOf, type SoftTie, type Tie } from "./clusters";
import { closingPace, GroupTies } from "./ties";

export class GpuTies extends GroupTies<GpuGpbdSolver> {
  /** of groups that step together */
  private readonly made: TiedSolvers[] = [];

  constructor(private readonly context: GpuContext) {
    super();
  }

  tie(members: readonly Member<GpuGpbdSolver>[], frame: FrameInput, substeps: number): readonly PhasedSolver[] {
    const solvers = members.map(({ solver }) => solver);
    const own = this.list.filter(({ ends }) => ends.every(({ solver }) => solver && solvers.includes(solver)));
    if (own.length === 0) return solvers;
    let known = this.made.find((tied) => tied.fits(solvers, own));
    if (!known) {
      for (const old of this.made.filter((tied) => tied.shares(solvers))) {
        old.dispose();
        this.made.splice(this.made.indexOf(old), 1);
      }
      this.made.push((known = new TiedSolvers(this.context, solvers, own)));
    }
    known.begin(frame as GpuFrameInput, substeps);
    return [known];
  }

  override dispose(): void {
    for (const tied of this.made.splice(0)) tied.dispose();
  }
}

/** Slots of a body, and the kernels that move it. */
interface Part extends Readonly<Record<"gatherTies" | "scatterTies" | "scatterStarts", Kernel>> {
  readonly solver: GpuGpbdSolver;
  readonly offset: Uint32Array;
  readonly count: number;
}

class TiedSolvers implements PhasedSolver {
  private readonly buffers;
  private readonly make: KernelMaker<typeof shaders> = new KernelMaker(this.context, shaders);
  private readonly kernels;
  private readonly parts: readonly Part[];
  private readonly clusters: readonly Cluster[];
  private readonly slotOf = new Map<string, number>();
  /** compliant attachments, those of a color one after the other, and the first of each color */
  private readonly soft: readonly SoftTie[];
  private readonly colors: readonly number[];
  private readonly ranges: StructWriter<typeof structs.TieRange>;
  private recorder: GpuFrameInput["recorder"] | undefined;
  private isReading = false;
  private isDisposed = false;

  constructor(
    private readonly context: GpuContext,
    private readonly solvers: readonly GpuGpbdSolver[],
    private readonly ties: readonly Tie<GpuGpbdSolver>[],
  ) {
    const { clusters, soft } = clustersOf(ties, solvers);
    this.clusters = clusters;
    const members = [...clusters.flatMap((cluster) => cluster.members), ...soft.flatMap(({ ends }) => ends)];
    const slots = solvers.map((_, k) => uniqueVertices(members, k));
    const list = slots.flat();
    list.forEach((member, slot) => this.slotOf.set(keyOf(member), slot));
    [this.soft, this.colors] = colored(soft);
    this.buffers = this.createBuffers(list);
    this.kernels = {
      ...this.make.some("ties/ties", ["closeTies", "mergeTies", "followTies", "measureTies"], this.buffers),
      ...this.make.some("ties/ties", ["beginSoft", "startSoft", "relaxSoft", "measureSoft"], this.buffers),
    };
    this.ranges = new StructWriter(structs.TieRange, solvers.length + this.colors.length + 2, uniformSlot);
    let first = 0;
    this.parts = solvers.map((solver, k) => {
      const part = this.createPart(solver, k, slots[k].length);
      this.setRange(k, first, slots[k].length);
      first += slots[k].length;
      return part;
    });
    this.setRange(solvers.length, 0, clusters.length);
    this.setRange(solvers.length + 1, 0, soft.length);
    this.colors.forEach((from, k) =>
      this.setRange(solvers.length + 2 + k, from, (this.colors[k + 1] ?? soft.length) - from),
    );
  }

  fits(solvers: readonly GpuGpbdSolver[], ties: readonly Tie<GpuGpbdSolver>[]): boolean {
    return isSame(solvers, this.solvers) && isSame(ties, this.ties);
  }

  shares(solvers: readonly GpuGpbdSolver[]): boolean {
    return this.solvers.some((solver) => solvers.includes(solver));
  }

  begin(frame: GpuFrameInput, substeps: number): void {
    this.recorder = frame.recorder;
    for (let k = 0; k < this.ranges.count; k++) {
      this.ranges.set(k, "h", frame.dt / substeps);
      this.ranges.set(k, "pace", closingPace(frame.gravity, frame.dt));
    }
    this.context.device.queue.writeBuffer(this.buffers.part, 0, this.ranges.bytes);
    const pass = this.pass;
    for (const { gatherTies, count, offset } of this.parts) gatherTies.dispatch(pass, count, offset);
    this.onClusters(this.kernels.closeTies);
    this.onSoft(this.kernels.beginSoft);
    for (const { scatterStarts, count, offset } of this.parts) scatterStarts.dispatch(pass, count, offset);
    this.read();
  }

  predict(substep: number): void {
    for (const solver of this.solvers) solver.predict(substep);
    this.gather(this.parts);
    this.onClusters(this.kernels.mergeTies);
    this.onSoft(this.kernels.startSoft);
    this.scatter();
  }

  projectTerms(substep: number, iteration: number): void {
    this.inTurn((solver) => solver.projectTerms(substep, iteration));
    if (this.soft.length === 0) return;
    const pass = this.pass;
    const first = this.solvers.length + 2;
    this.colors.forEach((from, k) => {
      const count = (this.colors[k + 1] ?? this.soft.length) - from;
      this.kernels.relaxSoft.dispatch(pass, count, Uint32Array.of((first + k) * uniformSlot));
    });
    this.onClusters(this.kernels.followTies);
    this.scatter();
  }

  projectObstacles(substep: number, iteration: number): void {
    this.agree(this.parts);
    this.inTurn((solver) => solver.projectObstacles(substep, iteration));
  }

  finish(substep: number): void {
    this.agree(this.parts);
    this.onClusters(this.kernels.measureTies);
    this.onSoft(this.kernels.measureSoft);
    for (const solver of this.solvers) solver.finish(substep);
  }

  returnReactions(substep: number): void {
    for (const solver of this.solvers) solver.returnReactions(substep);
  }

  dispose(): void {
    this.isDisposed = true;
    for (const buffer of Object.values(this.buffers)) buffer.destroy();
  }

  /** The attached vertices of a body take the others along after each part of an iteration. */
  private inTurn(project: (solver: GpuGpbdSolver) => void): void {
    for (const part of this.parts) {
      project(part.solver);
      this.agree([part]);
    }
  }

  private agree(moved: readonly Part[]): void {
    this.gather(moved);
    this.onClusters(this.kernels.followTies);
    this.scatter();
  }

  private gather(parts: readonly Part[]): void {
    const pass = this.pass;
    for (const { gatherTies, count, offset } of parts) gatherTies.dispatch(pass, count, offset);
  }

  private scatter(): void {
    const pass = this.pass;
    for (const { scatterTies, count, offset } of this.parts) scatterTies.dispatch(pass, count, offset);
  }

  private onClusters(kernel: Kernel): void {
    kernel.dispatch(this.pass, this.clusters.length, Uint32Array.of(this.solvers.length * uniformSlot));
  }

  private onSoft(kernel: Kernel): void {
    kernel.dispatch(this.pass, this.soft.length, Uint32Array.of((this.solvers.length + 1) * uniformSlot));
  }

  private get pass(): GPUComputePassEncoder {
    return this.recorder!.stage("attachments");
  }

  /** Reads the impulses of the last frame whose step is done, if anybody wants them. */
  private read(): void {
    if (this.isReading || !this.ties.some(({ isMeasured }) => isMeasured)) return;
    this.isReading = true;
    const { context, buffers } = this;
    void Promise.all([readBuffer(context, buffers.tieImpulse), readBuffer(context, buffers.softImpulses)])
      .then(([members, soft]) => this.receive(new Float32Array(members), new Float32Array(soft)))
      .catch(() => undefined)
      .finally(() => (this.isReading = false));
  }

  private receive(members: Float32Array, soft: Float32Array): void {
    if (this.isDisposed) return;
    for (const { members: all, measured } of this.clusters)
      for (const { tie, beyond } of measured)
        for (let c = 0; c < 3; c++)
          tie.impulse[c] = beyond.reduce((sum, k) => sum + members[4 * this.slotOf.get(keyOf(all[k]))! + c]!, 0);
    this.soft.forEach(({ impulse }, k) => impulse.set(soft.subarray(4 * k, 4 * k + 3)));
  }

  private setRange(k: number, first: number, count: number): void {
    this.ranges.set(k, "first", first);
    this.ranges.set(k, "count", count);
  }

  private createPart(solver: GpuGpbdSolver, k: number, count: number): Part {
    const all = { ...this.buffers, ...solver.exchanged };
    return {
      solver,
      ...this.make.some("ties/ties", ["gatherTies", "scatterTies", "scatterStarts"], all),
      offset: Uint32Array.of(k * uniformSlot),
      count,
    };
  }

  private createBuffers(list: readonly ClusterMember[]) {
    const { context, clusters, soft, solvers } = this;
    const clusterWriter = new StructWriter(structs.TieCluster, clusters.length);
    let first = 0;
    clusters.forEach(({ members, measured }, k) => {
      clusterWriter.set(k, "first", first);
      clusterWriter.set(k, "count", members.length);
      clusterWriter.set(k, "isMeasured", Number(measured.length > 0));
      first += members.length;
    });
    const softWriter = new StructWriter(structs.SoftTie, soft.length);
    soft.forEach(({ ends, compliance }, k) => {
      softWriter.set(k, "a", this.slotOf.get(keyOf(ends[0]))!);
      softWriter.set(k, "b", this.slotOf.get(keyOf(ends[1]))!);
      softWriter.set(k, "compliance", compliance);
    });
    const members = clusters.flatMap((cluster) => cluster.members.map((member) => this.slotOf.get(keyOf(member))!));
    const n = list.length;
    const size = (count: number): number => 16 * Math.max(1, count);
    return {
      tieVertices: context.createBuffer(
        "attached vertices",
        Uint32Array.from(list, ({ vertex }) => vertex),
      ),
      tieStart: context.createBuffer("attached places", Float32Array.from(list.flatMap(({ mass }) => [0, 0, 0, mass]))),
      tieShift: context.createBuffer("attached displacements", size(n)),
      tieGiven: context.createBuffer("given ways", size(n)),
      tieImpulse: context.createBuffer("attachment impulses", size(n)),
      tieClusters: context.createBuffer("attachment clusters", new Uint8Array(clusterWriter.bytes)),
      tieMembers: context.createBuffer("attachment members", Uint32Array.from(members.length > 0 ? members : [0])),
      tieWays: context.createBuffer("attachment ways", size(clusters.length)),
      softTies: context.createBuffer("compliant attachments", new Uint8Array(softWriter.bytes)),
      softForces: context.createBuffer("compliant forces", size(soft.length)),
      softImpulses: context.createBuffer("compliant impulses", size(soft.length)),
      part: context.createUniformBuffer("attachment ranges", uniformSlot * (solvers.length + this.colors.length + 2)),
    };
  }
}

const keyOf = ({ solver, vertex }: ClusterMember): string => `${solver} ${vertex}`;

function isSame<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((value, k) => value === b[k]);
}

function uniqueVertices(members: readonly ClusterMember[], solver: number): ClusterMember[] {
  const own = members.filter((member) => member.solver === solver);
  return [...new Map(own.map((member) => [member.vertex, member])).values()];
}

/** Attachments by colors: those of one color have no vertex in common. */
function colored(soft: readonly SoftTie[]): [readonly SoftTie[], readonly number[]] {
  const colors: { ties: SoftTie[]; taken: Set<string> }[] = [];
  for (const tie of soft) {
    const keys = tie.ends.map(keyOf);
    let color = colors.find(({ taken }) => !keys.some((key) => taken.has(key)));
    if (!color) colors.push((color = { ties: [], taken: new Set() }));
    color.ties.push(tie);
    for (const key of keys) color.taken.add(key);
  }
  const starts: number[] = [];
  let count = 0;
  for (const { ties } of colors) {
    starts.push(count);
    count += ties.length;
  }
  return [colors.flatMap(({ ties }) => ties), starts];
}
