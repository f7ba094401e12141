/** Bending and twist of rods on the GPU: the stages of cpu-rods.ts as dispatches. */
import { buildIncidence } from "../../../geometry/surface/incidence";
import { shaders } from "../../../generated/shaders/rods";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { type Kernel, KernelMaker } from "../../../gpu/kernel";
import { readBuffer } from "../../../gpu/readback";
import { StructWriter } from "../../../gpu/struct";
import { FRAME } from "./cpu-rods";
import { uniformSlot, type SharedBuffers } from "../elements/gpu-term";
import type { GpbdOptions } from "../options";
import { REST, untwistedFrames, type RodSet } from "./rod-set";

const NO_JOINT = 0xffffffff;

interface Kernels extends Readonly<Record<"predictEdges" | "finishEdges" | "solve", Kernel>> {
  readonly warmStart: Kernel | undefined;
}

export class GpuRods {
  private readonly buffers;
  private readonly edgeCount: number = this.rods.edges.length / 2;
  private readonly offsets = new Uint32Array(2);
  private kernels: Kernels | undefined;

  constructor(
    private readonly context: GpuContext,
    name: string,
    private readonly particleCount: number,
    private readonly rods: RodSet,
  ) {
    const incidence = buildIncidence(rods.vertices, particleCount);
    const named = (what: string) => `${name} rod ${what}`;
    this.buffers = {
      joints: context.createBuffer(named("joints"), packJoints(rods)),
      edges: context.createBuffer(named("edges"), packEdges(rods)),
      frames: context.createBuffer(named("frames"), Float32Array.from(rods.frames)),
      turns: context.createBuffer(named("turns"), 16 * this.edgeCount),
      tracked: context.createBuffer(named("tracked displacements"), 16 * Math.max(1, rods.vertices.length)),
      trackedTurns: context.createBuffer(named("tracked turns"), 8 * Math.max(1, rods.jointCount)),
      incidenceOffsets: context.createBuffer(named("incidence offsets"), incidence.offsets),
      incidenceEntries: context.createBuffer(named("incidence entries"), incidence.entries),
      range: context.createUniformBuffer(named("ranges"), 2 * rods.colours.length * uniformSlot),
      rodEdges: context.createUniformBuffer(named("edge count"), structs.RodEdgeCount.size),
    };
    const count = new StructWriter(structs.RodEdgeCount, 1);
    count.set(0, "count", this.edgeCount);
    context.device.queue.writeBuffer(this.buffers.rodEdges, 0, count.bytes);
  }

  /** To be called when iterations, Newton iterations or warm start change, or a shared buffer was replaced. */
  configure(shared: SharedBuffers, options: Readonly<GpbdOptions>): void {
    const { colours } = this.rods;
    const writer = new StructWriter(structs.ElementRange, 2 * colours.length, uniformSlot);
    const isWarm = options.warmStart > 0;
    for (let colour = 0; colour + 1 < colours.length; colour++)
      for (const later of [0, 1]) {
        const slot = 2 * colour + later;
        writer.set(slot, "first", colours[colour]);
        writer.set(slot, "count", colours[colour + 1] - colours[colour]);
        writer.set(slot, "loadTracked", later === 0 && isWarm ? 2 : later);
        writer.set(slot, "storeTracked", isWarm || options.iterations > 1 ? 1 : 0);
        writer.set(slot, "interval", 1);
      }
    this.context.device.queue.writeBuffer(this.buffers.range, 0, writer.bytes);
    const { context } = this;
    const all = { ...this.buffers, ...shared };
    const make = new KernelMaker(context, shaders);
    const { newtonIterations } = options;
    this.kernels = {
      ...make.some("rods/rod-edges", ["predictEdges", "finishEdges"], all),
      warmStart: isWarm ? make.one("rods/rod-warm-start", "warmStart", all) : undefined,
      solve: make.one("rods/rod", "gaussSeidel", all, { newtonIterations }),
    };
  }

  /** After the particles were predicted. */
  predict(pass: GPUComputePassEncoder, substep: number): void {
    const { predictEdges, warmStart } = this.kernels!;
    this.at(substep, 0);
    predictEdges.dispatch(pass, this.edgeCount, this.offsets);
    warmStart?.dispatch(pass, this.particleCount, this.offsets);
  }

  /** One sweep: a dispatch a colour. */
  sweep(pass: GPUComputePassEncoder, substep: number, iteration: number): void {
    const { colours } = this.rods;
    for (let colour = 0; colour + 1 < colours.length; colour++) {
      this.at(substep, 2 * colour + (iteration > 0 ? 1 : 0));
      this.kernels!.solve.dispatch(pass, colours[colour + 1] - colours[colour], this.offsets);
    }
  }

  /** After the particles are where they are at the end of the substep. */
  finish(pass: GPUComputePassEncoder, substep: number): void {
    this.at(substep, 0);
    this.kernels!.finishEdges.dispatch(pass, this.edgeCount, this.offsets);
  }

  /** edgeCount × vec4f: a quaternion for each edge */
  get edgeFrames(): GPUBuffer {
    return this.buffers.frames;
  }

  /** As `CpuRods.read`. */
  async read(): Promise<Float32Array> {
    const [frames, turns] = await Promise.all([
      readBuffer(this.context, this.buffers.frames),
      readBuffer(this.context, this.buffers.turns),
    ]);
    const [q, rates] = [new Float32Array(frames), new Float32Array(turns)];
    return Float32Array.from({ length: FRAME * this.edgeCount }, (_, i) => {
      const e = Math.floor(i / FRAME);
      return i % FRAME < 4 ? q[4 * e + (i % FRAME)] : rates[4 * e + 2];
    });
  }

  /** As `CpuRods.write`. */
  write(positions: ArrayLike<number>, state?: ArrayLike<number>): void {
    const frames = Float32Array.from(untwistedFrames(positions, this.rods.edges));
    const turns = new Float32Array(4 * this.edgeCount);
    for (let e = 0; state && e < this.edgeCount; e++) {
      for (let c = 0; c < 4; c++) frames[4 * e + c] = state[FRAME * e + c]!;
      turns[4 * e + 2] = state[FRAME * e + 4]!;
    }
    const { queue } = this.context.device;
    queue.writeBuffer(this.buffers.frames, 0, frames);
    queue.writeBuffer(this.buffers.turns, 0, turns);
    queue.writeBuffer(this.buffers.tracked, 0, new Float32Array(4 * Math.max(1, this.rods.vertices.length)));
    queue.writeBuffer(this.buffers.trackedTurns, 0, new Float32Array(2 * Math.max(1, this.rods.jointCount)));
  }

  dispose(): void {
    for (const buffer of Object.values(this.buffers)) buffer.destroy();
  }

  private at(substep: number, range: number): void {
    this.offsets[0] = substep * uniformSlot;
    this.offsets[1] = range * uniformSlot;
  }
}

function packJoints({ jointCount, vertices, joints, rest, damping }: RodSet): Uint8Array {
  const writer = new StructWriter(structs.RodJoint, Math.max(1, jointCount));
  for (let j = 0; j < jointCount; j++) {
    writer.set(j, "vertices", vertices.subarray(3 * j, 3 * j + 3));
    writer.set(j, "damping", damping);
    writer.set(j, "rest", rest.subarray(REST * j, REST * j + 4));
    writer.set(j, "stiffness", rest.subarray(REST * j + 4, REST * j + 7));
    writer.set(j, "firstEdge", joints[2 * j]);
    writer.set(j, "secondEdge", joints[2 * j + 1]);
  }
  return new Uint8Array(writer.bytes);
}

function packEdges({ edges, inertias, joints }: RodSet): Uint8Array {
  const writer = new StructWriter(structs.RodEdge, inertias.length);
  const before = new Uint32Array(inertias.length).fill(NO_JOINT);
  const after = new Uint32Array(inertias.length).fill(NO_JOINT);
  for (let slot = 0; slot < joints.length; slot++) (slot % 2 === 0 ? after : before)[joints[slot]] = slot;
  for (let e = 0; e < inertias.length; e++) {
    writer.set(e, "vertices", edges.subarray(2 * e, 2 * e + 2));
    writer.set(e, "inertia", inertias[e]);
    writer.set(e, "before", before[e]);
    writer.set(e, "after", after[e]);
  }
  return new Uint8Array(writer.bytes);
}
